/* A system that refuses threads for a while: no call fails, and when there are threads again they are used. This program's
 * pthread_create stands before the C library's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "functions.h"
#include "tasks.h"

enum { N = 200003, THREADS = 4 };

static uint64_t dy[N], x[N], expected[N], out[N];

/* How many threads the system still gives. */
static atomic_int left;

typedef int create_thread(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument)
{
    create_thread *create;
    void *symbol = dlsym(RTLD_NEXT, "pthread_create");
    CHECK(symbol != NULL);
    memcpy(&create, &symbol, sizeof create);
    if (atomic_fetch_sub(&left, 1) <= 0)
        return EAGAIN;
    return create(thread, attributes, run, argument);
}

static void check_call(const char *what)
{
    const struct function *f = &FUNCTIONS[4];
    memset(out, 0, sizeof out);
    CHECK_EQUAL(GELU_OK, call(f, dy, x, out, N));
    check_bytes(f, expected, out, N, what);
}

/* The number of workers after a call when the system gives `given` threads. */
static void with_threads(int given, int workers)
{
    char what[64];
    snprintf(what, sizeof what, "the system gives %d threads", given);
    atomic_store(&left, given);
    check_call(what);
    check_workers_become(workers, what);
}

int main(void)
{
    const struct function *f = &FUNCTIONS[4];
    fill(f, dy, N, 1);
    fill(f, x, N, 2);
    gelu_set_num_threads(1);
    CHECK_EQUAL(GELU_OK, call(f, dy, x, expected, N));
    gelu_set_num_threads(THREADS);

    with_threads(0, 0);
    /* A call need not ask again at once, but soon. */
    sleep(2);
    atomic_store(&left, 1);
    check_call("the system gives one thread and no other");
    CHECK(count_workers() <= 1);
    sleep(2);
    with_threads(100, THREADS - 1);
    gelu_shutdown();
    with_threads(0, 0);
    gelu_shutdown();
    with_threads(100, THREADS - 1);
    return 0;
}
