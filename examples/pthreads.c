/* libgelu on threads of the program's own: cc examples/pthreads.c ... -lgelu -lpthread */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <gelu.h>

enum { THREADS = 4 };

struct loop {
    atomic_size_t next;
    size_t count;
    gelu_task task;
    void *context;
};

static void *take(void *argument)
{
    struct loop *loop = argument;
    size_t i;
    while ((i = atomic_fetch_add(&loop->next, 1)) < loop->count)
        loop->task(loop->context, i);
    return NULL;
}

/* A program with a pool would hand the loop to it; this one starts threads. */
static void run(void *user, size_t count, gelu_task task, void *context)
{
    struct loop loop = {0, count, task, context};
    pthread_t threads[THREADS];
    int started = 0;
    (void)user;
    while (started < THREADS - 1 && pthread_create(&threads[started], NULL, take, &loop) == 0)
        started++;
    take(&loop);
    while (started > 0)
        pthread_join(threads[--started], NULL);
}

int main(void)
{
    const size_t n = 1 << 22;
    float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    if (!x || !y)
        return 1;
    for (size_t i = 0; i < n; i++)
        x[i] = (float)i / (float)n * 12.0f - 6.0f;

    gelu_set_parallel_for(run, NULL);
    gelu_status status = gelu_forward_f32(x, y, n, GELU_APPROXIMATION_NONE);
    if (status != GELU_OK) {
        fprintf(stderr, "gelu: %s\n", gelu_status_string(status));
        return 1;
    }
    printf("GELU(-6) = %.8g, GELU(3) = %.8g\n", y[0], y[n / 4 * 3]);
    free(x);
    free(y);
    return 0;
}
