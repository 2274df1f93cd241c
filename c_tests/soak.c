/* Eight threads call with random functions, slices, numbers of threads, pools and forks, for the seconds of the first
 * argument; every result is compared by bits with that of a single thread. With a second argument the number of calls and
 * elements is printed. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "functions.h"

enum { THREADS = 8, MOST = 400000 };

static uint64_t dy[8][MOST], x[8][MOST], expected[8][MOST];
static double seconds;
static atomic_ullong calls, elements, forks;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void loop(void *user, size_t count, gelu_task task, void *context)
{
    (void)user;
    for (size_t i = count; i-- > 0;)
        task(context, i);
}

/* Small sizes as often as large ones. */
static size_t random_size(uint64_t *seed)
{
    return (size_t)(random_bits(seed) % ((uint64_t)1 << (1 + random_bits(seed) % 18))) % MOST;
}

static void one_call(uint64_t *seed, void *buffer)
{
    int which = (int)(random_bits(seed) % 8), in_place = random_bits(seed) % 4 == 0;
    const struct function *f = FUNCTIONS + which;
    size_t n = random_size(seed), at = (size_t)(random_bits(seed) % (MOST - n));
    const char *from = (const char *)x[which] + at * f->size, *by = (const char *)dy[which] + at * f->size;
    /* Any alignment of the output. */
    char *out = (char *)buffer + random_bits(seed) % 64;
    if (in_place) {
        memcpy(out, from, n * f->size);
        from = out;
    } else {
        memset(out, 0x5a, n * f->size);
    }
    CHECK_EQUAL(GELU_OK, call(f, by, from, out, n));
    check_bytes(f, (const char *)expected[which] + at * f->size, out, n, in_place ? "in place" : "out of place");
    atomic_fetch_add(&calls, 1);
    atomic_fetch_add(&elements, n);
}

static void child(uint64_t seed, void *buffer)
{
    int status;
    pid_t id = fork();
    CHECK(id >= 0);
    if (id == 0) {
        alarm(120);
        for (int i = 0; i < 20; i++)
            one_call(&seed, buffer);
        _exit(0);
    }
    CHECK(waitpid(id, &status, 0) == id);
    if (status != 0)
        FAIL("a child ended with status %#x", (unsigned)status);
    atomic_fetch_add(&forks, 1);
}

static void *work(void *argument)
{
    uint64_t seed = (uint64_t)(uintptr_t)argument;
    void *buffer = allocate(MOST * 8 + 64);
    double end = now() + seconds;
    while (now() < end) {
        uint64_t choice = random_bits(&seed) % 1000;
        if (choice < 20)
            gelu_set_num_threads((size_t)(random_bits(&seed) % 9));
        else if (choice < 25)
            gelu_shutdown();
        else if (choice < 30)
            child(seed, buffer);
        else if (choice < 40)
            gelu_set_parallel_for(choice % 2 ? loop : NULL, NULL);
        else
            one_call(&seed, buffer);
    }
    free(buffer);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    uint64_t seed;
    struct timespec time;
    CHECK(argc >= 2);
    seconds = atof(argv[1]);
    clock_gettime(CLOCK_REALTIME, &time);
    seed = argc > 3 ? strtoull(argv[3], NULL, 0) : (uint64_t)time.tv_nsec;
    gelu_set_num_threads(1);
    FOR_EACH_FUNCTION(f) {
        size_t i = (size_t)(f - FUNCTIONS);
        fill(f, dy[i], MOST, seed + i);
        fill(f, x[i], MOST, seed + i + 8);
        CHECK_EQUAL(GELU_OK, call(f, dy[i], x[i], expected[i], MOST));
    }
    gelu_set_num_threads(0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)(seed * THREADS + (uint64_t)i)) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    if (argc > 2)
        printf("%llu calls, %llu elements, %llu forks in %g s, seed %llu\n", atomic_load(&calls), atomic_load(&elements),
               atomic_load(&forks), seconds, (unsigned long long)seed);
    return 0;
}
