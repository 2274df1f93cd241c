/* ns of one call, by a clock beside it: what Python adds to a call is then not in the figure. */
#define _POSIX_C_SOURCE 200809L
#include <stddef.h>
#include <stdint.h>
#include <time.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

double forward_ns(int32_t (*f)(const void *, void *, size_t, int32_t), const void *x, void *y, size_t n, int32_t form)
{
    double start = now();
    f(x, y, n, form);
    return now() - start;
}

double backward_ns(int32_t (*f)(const void *, const void *, void *, size_t, int32_t), const void *dy, const void *x,
                   void *dx, size_t n, int32_t form)
{
    double start = now();
    f(dy, x, dx, n, form);
    return now() - start;
}

/* With the signature of XNNPACK's micro-kernels. */
double kernel_ns(void (*f)(size_t, const void *, void *, const void *), size_t bytes, const void *x, void *y)
{
    double start = now();
    f(bytes, x, y, NULL);
    return now() - start;
}
