/* libgelu on the threads of OpenMP: cc -fopenmp examples/openmp.c ... -lgelu */
#include <stdio.h>
#include <stdlib.h>
#include <gelu.h>

static void run(void *user, size_t count, gelu_task task, void *context)
{
    (void)user;
#pragma omp parallel for schedule(dynamic)
    for (long i = 0; i < (long)count; i++)
        task(context, (size_t)i);
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
