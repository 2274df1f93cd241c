/* The process ends right after a large call, or during one, in each of the ways there are. The argument is the way. */
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

#include "functions.h"

enum { N = 1000000 };

static float x[N], y[N];

static void large_call(void)
{
    CHECK_EQUAL(GELU_OK, gelu_forward_f32(x, y, N, GELU_APPROXIMATION_NONE));
}

/* Registered before the first call, so that it runs after what the library may have registered. */
static void call_at_exit(void)
{
    large_call();
    if (y[N - 1] != x[N - 1])
        _exit(1);
}

static void *call_on_and_on(void *unused)
{
    for (;;)
        large_call();
    return unused;
}

static void *leave(void *unused)
{
    large_call();
    exit(0);
    return unused;
}

/* A process whose main thread has gone ends with its last thread, workers included. */
static void *call_and_shut_down(void *unused)
{
    large_call();
    gelu_shutdown();
    return unused;
}

static void start(void *(*run)(void *))
{
    pthread_t thread;
    CHECK_EQUAL(0, pthread_create(&thread, NULL, run, NULL));
    CHECK_EQUAL(0, pthread_detach(thread));
}

int main(int argc, char **argv)
{
    CHECK_EQUAL(2, argc);
    x[N - 1] = 100.0f;
    gelu_set_num_threads(4);
    if (strcmp(argv[1], "at-exit") == 0)
        CHECK_EQUAL(0, atexit(call_at_exit));
    large_call();
    if (strcmp(argv[1], "during-calls") == 0)
        start(call_on_and_on);
    if (strcmp(argv[1], "quick-exit") == 0)
        quick_exit(0);
    if (strcmp(argv[1], "from-a-thread") == 0) {
        start(leave);
        call_on_and_on(NULL);
    }
    if (strcmp(argv[1], "the-last-thread") == 0) {
        start(call_and_shut_down);
        pthread_exit(NULL);
    }
    large_call();
    return 0;
}
