/* Where the points lie: regions of x that are hard for one function, each with a generator, and dy. */
#ifndef POINTS_H
#define POINTS_H

#include <stdint.h>

#include "exact.h"

/* One of the functions under test. A gradient is backward with any dy, the others have dy = 1. */
struct function {
    const char *name;
    const struct format *format;
    enum form form;
    enum direction direction;
    int any_dy;
    double limit; /* in ULP */
};

/* All of them, and the end of the list. */
extern const struct function FUNCTIONS[];
extern const struct function *const FUNCTIONS_END;

/* What the generators know of a function: landmarks that are found, not typed. */
struct landscape {
    const struct function *function;
    double zero;      /* of the derivative */
    double subnormal; /* beyond (further from 0), the results are subnormal */
    double underflow; /* beyond, they round to -0, whatever the dy */
};

void landscape_open(struct landscape *landscape, const struct function *function);

struct region {
    const char *name;
    int percent; /* of the points */
    double (*point)(const struct landscape *landscape, uint64_t *random);
};

#define REGIONS 10
extern const struct region REGION[REGIONS];

/* A point of a region, in the format and finite. */
double region_point(const struct region *region, const struct landscape *landscape, uint64_t *random);

/* A dy such that dy g'(x) is representable, or 0 where none was found. It is 1 where the function has no dy. */
double point_dy(const struct landscape *landscape, double x, uint64_t *random);

/* The exact result, or 0 for a product that is not representable. */
int exact_result(mpfr_t out, const struct function *function, double dy, double x);

/* Random numbers: uniform in low .. high with a full mantissa; a whole number in low ..= high. */
double uniform(uint64_t *random, double low, double high);
long whole(uint64_t *random, long low, long high);

#endif
