/* GELU as it is written by hand: a loop over libm. */
#include <math.h>
#include <stddef.h>

#define LOOPS(REAL, SUFFIX, ERF, EXP, TANH)                                                          \
    void forward_none_##SUFFIX(const REAL *x, REAL *y, size_t n)                                     \
    {                                                                                                \
        for (size_t i = 0; i < n; i++)                                                               \
            y[i] = (REAL)0.5 * x[i] * (1 + ERF(x[i] * (REAL)0.70710678118654752440));                \
    }                                                                                                \
    void forward_tanh_##SUFFIX(const REAL *x, REAL *y, size_t n)                                     \
    {                                                                                                \
        for (size_t i = 0; i < n; i++) {                                                             \
            REAL u = (REAL)0.79788456080286535588 * (x[i] + (REAL)0.044715 * x[i] * x[i] * x[i]);    \
            y[i] = (REAL)0.5 * x[i] * (1 + TANH(u));                                                 \
        }                                                                                            \
    }                                                                                                \
    void backward_none_##SUFFIX(const REAL *dy, const REAL *x, REAL *dx, size_t n)                   \
    {                                                                                                \
        for (size_t i = 0; i < n; i++) {                                                             \
            REAL cdf = (REAL)0.5 * (1 + ERF(x[i] * (REAL)0.70710678118654752440));                   \
            REAL pdf = (REAL)0.39894228040143267794 * EXP((REAL)-0.5 * x[i] * x[i]);                 \
            dx[i] = dy[i] * (cdf + x[i] * pdf);                                                      \
        }                                                                                            \
    }                                                                                                \
    void backward_tanh_##SUFFIX(const REAL *dy, const REAL *x, REAL *dx, size_t n)                   \
    {                                                                                                \
        for (size_t i = 0; i < n; i++) {                                                             \
            REAL t = TANH((REAL)0.79788456080286535588 * (x[i] + (REAL)0.044715 * x[i] * x[i] * x[i])); \
            REAL du = (REAL)0.79788456080286535588 * (1 + (REAL)0.134145 * x[i] * x[i]);             \
            dx[i] = dy[i] * (REAL)0.5 * (1 + t + x[i] * (1 - t * t) * du);                           \
        }                                                                                            \
    }

LOOPS(float, f32, erff, expf, tanhf)
LOOPS(double, f64, erf, exp, tanh)
