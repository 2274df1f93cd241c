/* The hunt for the worst error of one function: points of every region, then a climb from the worst of each. */
#ifndef HUNT_H
#define HUNT_H

#include <stddef.h>

#include "points.h"

/* Writes a function of n elements: out[i] = f(x[i]), times dy[i] where the function is backward. */
typedef void evaluation(const struct function *function, const double *dy, const double *x, double *out, size_t n);

struct point {
    double dy, x, got, error;
    const struct region *region;
};

/* The worst of `count` points. Progress goes to the standard error every few seconds. Ends early at an infinite error. */
struct point hunt(const struct function *function, evaluation *evaluate, size_t count, uint64_t seed);

#endif
