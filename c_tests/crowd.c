/* The first calls of the process come from 64 threads at once, each with a stack of 64 KiB: all are right, and together
 * they make no more workers than one call does. */
#define _GNU_SOURCE
#include <pthread.h>

#include "functions.h"
#include "tasks.h"

enum { THREADS = 64, N = 100003, STACK = 64 << 10 };

static float x[N], y[THREADS][N], dx[THREADS][N], expected[N];
static pthread_barrier_t barrier;

static void *work(void *argument)
{
    size_t i = (size_t)(uintptr_t)argument;
    pthread_barrier_wait(&barrier);
    CHECK_EQUAL(GELU_OK, gelu_forward_f32(x, y[i], N, GELU_APPROXIMATION_NONE));
    CHECK_EQUAL(GELU_OK, gelu_backward_f32(x, x, dx[i], N, GELU_APPROXIMATION_TANH));
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    pthread_attr_t attributes;
    int before = count_tasks();
    size_t most;
    for (int i = 0; i < N; i++)
        x[i] = (float)(i % 20011) * 0.001f - 10.0f;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, STACK) == 0);
    CHECK(pthread_barrier_init(&barrier, NULL, THREADS) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], &attributes, work, (void *)(uintptr_t)i) == 0);
    for (int i = 0; i < THREADS; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    most = gelu_get_num_threads();
    for (int i = 0; i < 1000 && count_tasks() > before + (int)most - 1; i++)
        wait_a_millisecond();
    CHECK(count_tasks() <= before + (int)most - 1);

    gelu_shutdown();
    gelu_set_num_threads(1);
    CHECK_EQUAL(GELU_OK, gelu_forward_f32(x, expected, N, GELU_APPROXIMATION_NONE));
    for (int i = 0; i < THREADS; i++)
        CHECK(memcmp(expected, y[i], sizeof expected) == 0);
    CHECK_EQUAL(GELU_OK, gelu_backward_f32(x, x, expected, N, GELU_APPROXIMATION_TANH));
    for (int i = 0; i < THREADS; i++)
        CHECK(memcmp(expected, dx[i], sizeof expected) == 0);
    return 0;
}
