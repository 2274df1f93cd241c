/* The exact value of GELU, of its derivative and of its gradient, to some 130 bits, in a few microseconds; and
 * the error of a result in units in the last place (ULP) of the exact value. */
#ifndef EXACT_H
#define EXACT_H

#include <mpfr.h>

/* The precision of every number here. */
#define EXACT_BITS 192

enum form { NONE, TANH };
enum direction { FORWARD, BACKWARD };

/* An IEEE 754 format, its values held in doubles. */
struct format {
    int precision;
    int smallest_exponent; /* of the smallest subnormal */
    int largest_exponent;  /* of the largest power of two */
    double smallest, smallest_normal, largest;
};

extern const struct format FLOAT, DOUBLE;

/* To be called first, once. */
void exact_open(void);

/* out = g(x) or g'(x), for a finite x. Never on the wrong side of a number that the function only approaches. */
void exact_value(mpfr_t out, enum form form, enum direction direction, double x);

/* The same from the formula as it is defined, with MPFR's own erfc, in the precision of `out`: slow, and used only
 * to prove the other. */
void exact_by_definition(mpfr_t out, enum form form, enum direction direction, double x);

/* |got - exact| / ulp(exact), the spacing of subnormals being the smallest ulp. Infinite where `got` is not finite,
 * or a zero of the wrong sign. */
double error_in_ulp(const struct format *format, double got, const mpfr_t exact);

/* x rounded to the format; the largest finite value where it is beyond. */
double round_to(const struct format *format, double x);

/* The value n steps above x (below it for a negative n), in the order of the reals with -0 before +0; finite. */
double step(const struct format *format, double x, long n);

#endif
