#include "points.h"

#include <math.h>

#include "../check.h"

#define PI 3.14159265358979323846
#define LN_2 0.693147180559945309417

const struct function FUNCTIONS[] = {
    {"forward_none", &DOUBLE, NONE, FORWARD, 0, 1.0},      {"backward_none", &DOUBLE, NONE, BACKWARD, 0, 1.0},
    {"forward_tanh", &DOUBLE, TANH, FORWARD, 0, 1.0},      {"backward_tanh", &DOUBLE, TANH, BACKWARD, 0, 1.0},
    {"gradient_none", &DOUBLE, NONE, BACKWARD, 1, 1.5},    {"gradient_tanh", &DOUBLE, TANH, BACKWARD, 1, 1.5},
    {"forward_none_f32", &FLOAT, NONE, FORWARD, 0, 1.0},   {"backward_none_f32", &FLOAT, NONE, BACKWARD, 0, 1.0},
    {"forward_tanh_f32", &FLOAT, TANH, FORWARD, 0, 1.0},   {"backward_tanh_f32", &FLOAT, TANH, BACKWARD, 0, 1.0},
    {"gradient_none_f32", &FLOAT, NONE, BACKWARD, 1, 1.5}, {"gradient_tanh_f32", &FLOAT, TANH, BACKWARD, 1, 1.5},
};
const struct function *const FUNCTIONS_END = FUNCTIONS + sizeof FUNCTIONS / sizeof FUNCTIONS[0];

double uniform(uint64_t *random, double low, double high)
{
    return low + (high - low) * ((double)(random_bits(random) >> 11) * 0x1p-53);
}

long whole(uint64_t *random, long low, long high)
{
    return low + (long)(random_bits(random) % (uint64_t)(high - low + 1));
}

static double sign(uint64_t *random)
{
    return random_bits(random) >> 63 ? -1.0 : 1.0;
}

static double normal(uint64_t *random)
{
    double u = uniform(random, 0, 1), v = uniform(random, 0, 1);
    return sqrt(-2 * log(1 - u)) * cos(2 * PI * v);
}

/* Uniform in the exponent, with a full mantissa. */
static double log_uniform(uint64_t *random, double low, double high)
{
    int least, most;
    double x;
    frexp(low, &least);
    frexp(high, &most);
    do
        x = ldexp(uniform(random, 0.5, 1), (int)whole(random, least, most));
    while (x < low || x > high);
    return x;
}

static double neighbour(const struct landscape *landscape, double x, uint64_t *random, long steps)
{
    const struct format *format = landscape->function->format;
    return step(format, round_to(format, x), whole(random, -steps, steps));
}

/* Landmarks. */

/* The border, for `x` from `left` to `right`, where |result| reaches 2^exponent (or, with zero set, the sign changes). */
static double bisect(const struct function *function, int zero, long exponent, double left, double right)
{
    mpfr_t value;
    mpfr_init2(value, EXACT_BITS);
    for (int i = 0; i < 80; i++) {
        double middle = left + (right - left) / 2;
        exact_value(value, function->form, zero ? BACKWARD : function->direction, middle);
        if (zero ? mpfr_signbit(value) : mpfr_get_exp(value) <= exponent)
            left = middle;
        else
            right = middle;
    }
    mpfr_clear(value);
    return right;
}

void landscape_open(struct landscape *landscape, const struct function *function)
{
    const struct format *format = function->format;
    long underflow = format->smallest_exponent - 1, subnormal = format->smallest_exponent + format->precision - 1;
    landscape->function = function;
    landscape->zero = bisect(function, 1, 0, -1, -0.5);
    landscape->subnormal = bisect(function, 0, subnormal, -59, -4);
    landscape->underflow =
        bisect(function, 0, function->any_dy ? underflow - format->largest_exponent - 1 : underflow, -59, -4);
}

/* Borders of a kernel's intervals. They are not known here, and are to change without this file: these are the points
 * where kernels of such functions usually have them. Each gives the magnitude of one border. */

/* 2u(t) = w for the tanh form, t^2/2 = w for the exact one: where the exponential's argument is -w. */
static double inverse_of_exponent(enum form form, double w)
{
    double t = sqrt(2 * w);
    if (form == NONE)
        return t;
    for (int i = 0; i < 60; i++) {
        double a = 2 * sqrt(2 / PI), b = 0.044715 * a;
        t -= (a * t + b * t * t * t - w) / (a + 3 * b * t * t);
    }
    return t;
}

static double at_sixteenths(enum form form, uint64_t *random)
{
    (void)form;
    return (double)whole(random, 0, 60 * 16) / 16;
}

static double at_any_fraction(enum form form, uint64_t *random)
{
    int bits = (int)whole(random, 0, 8);
    (void)form;
    return ldexp((double)whole(random, 0, 60L << bits), -bits);
}

static double at_leading_bits(enum form form, uint64_t *random)
{
    int bits = (int)whole(random, 0, 6);
    (void)form;
    return ldexp(1 + ldexp((double)whole(random, 0, (1L << bits) - 1), -bits), (int)whole(random, -30, 5));
}

static double at_leading_bits_of_one_plus(enum form form, uint64_t *random)
{
    int bits = (int)whole(random, 0, 6);
    (void)form;
    return ldexp(1 + ldexp((double)whole(random, 0, (1L << bits) - 1), -bits), (int)whole(random, 0, 5)) - 1;
}

/* exp(-w) = 2^-k 2^(-j/N) exp(r): r jumps at the halves of ln 2/N. */
static double at_reductions_of_exp(enum form form, uint64_t *random)
{
    int bits = (int)whole(random, 0, 9);
    return inverse_of_exponent(form, ldexp((double)whole(random, 1, 1100L << bits), -bits) * LN_2);
}

static double at_fractions_of_exponent(enum form form, uint64_t *random)
{
    int bits = (int)whole(random, 0, 5);
    return inverse_of_exponent(form, ldexp((double)whole(random, 1, 800L << bits), -bits));
}

static double at_powers_of_two(enum form form, uint64_t *random)
{
    (void)form;
    return ldexp(1, (int)whole(random, -1074, 1023));
}

static double (*const BORDERS[])(enum form, uint64_t *) = {
    at_sixteenths,        at_any_fraction,          at_leading_bits,  at_leading_bits_of_one_plus,
    at_reductions_of_exp, at_fractions_of_exponent, at_powers_of_two,
};

/* Regions. */

static double in_core(const struct landscape *landscape, uint64_t *random)
{
    (void)landscape;
    return normal(random);
}

static double in_bits(const struct landscape *landscape, uint64_t *random)
{
    return sign(random) * log_uniform(random, 1e-12, -landscape->underflow + 1);
}

static double in_value(const struct landscape *landscape, uint64_t *random)
{
    return uniform(random, landscape->underflow - 1, -landscape->underflow + 1);
}

static double in_tail(const struct landscape *landscape, uint64_t *random)
{
    return uniform(random, landscape->underflow - 0.05, -2);
}

static double at_underflow(const struct landscape *landscape, uint64_t *random)
{
    switch (whole(random, 0, 7)) {
    case 0:
        return neighbour(landscape, landscape->underflow, random, 50);
    case 1:
        return neighbour(landscape, landscape->subnormal, random, 50);
    case 2:
        return landscape->underflow - log_uniform(random, 1e-15, 0.1);
    case 3:
        return landscape->subnormal + sign(random) * log_uniform(random, 1e-15, 0.5);
    default:
        return uniform(random, landscape->underflow, landscape->subnormal);
    }
}

static double at_zero(const struct landscape *landscape, uint64_t *random)
{
    if (whole(random, 0, 15) == 0)
        return neighbour(landscape, landscape->zero, random, 200);
    return landscape->zero + sign(random) * pow(10, uniform(random, -17, -1));
}

static double at_border(const struct landscape *landscape, uint64_t *random)
{
    size_t families = sizeof BORDERS / sizeof BORDERS[0];
    size_t family = (size_t)whole(random, 0, (long)families - 1);
    double x = BORDERS[family](landscape->function->form, random);
    return neighbour(landscape, sign(random) * x, random, 50);
}

static double in_tiny(const struct landscape *landscape, uint64_t *random)
{
    const struct format *format = landscape->function->format;
    switch (whole(random, 0, 3)) {
    case 0:
        return neighbour(landscape, 0, random, 50);
    case 1:
        return sign(random) * log_uniform(random, format->smallest, format->smallest_normal);
    case 2:
        return uniform(random, -format->smallest_normal, format->smallest_normal);
    default:
        return sign(random) * log_uniform(random, format->smallest_normal, 1e-10);
    }
}

/* Where g(x) rounds to x for the first time, and g'(x) to 1. */
static double at_identity(const struct landscape *landscape, uint64_t *random)
{
    return landscape->function->format == &FLOAT ? uniform(random, 3, 7) : uniform(random, 4, 10);
}

static double in_huge(const struct landscape *landscape, uint64_t *random)
{
    const struct format *format = landscape->function->format;
    if (whole(random, 0, 3) == 0)
        return step(format, sign(random) * format->largest, whole(random, -50, 50));
    return sign(random) * log_uniform(random, -landscape->underflow, format->largest);
}

const struct region REGION[REGIONS] = {
    {"core", 10, in_core},
    {"uniform in bits", 6, in_bits},
    {"uniform in value", 8, in_value},
    {"negative tail", 22, in_tail},
    {"underflow", 12, at_underflow},
    {"zero of the derivative", 14, at_zero},
    {"interval borders", 16, at_border},
    {"tiny", 4, in_tiny},
    {"becomes x", 6, at_identity},
    {"huge", 2, in_huge},
};

double region_point(const struct region *region, const struct landscape *landscape, uint64_t *random)
{
    return round_to(landscape->function->format, region->point(landscape, random));
}

/* dy. */

int exact_result(mpfr_t out, const struct function *function, double dy, double x)
{
    const struct format *format = function->format;
    exact_value(out, function->form, function->direction, x);
    if (!function->any_dy)
        return 1;
    mpfr_mul_d(out, out, dy, MPFR_RNDN);
    return mpfr_cmpabs_ui(out, 0) > 0 && mpfr_get_exp(out) >= format->smallest_exponent - 2 &&
           mpfr_get_exp(out) <= format->largest_exponent + 1 && fabs(mpfr_get_d(out, MPFR_RNDA)) <= format->largest;
}

double point_dy(const struct landscape *landscape, double x, uint64_t *random)
{
    const struct function *function = landscape->function;
    const struct format *format = function->format;
    long low = format->smallest_exponent, high = format->largest_exponent;
    long exponent;
    mpfr_t value;
    double dy = 0;
    if (!function->any_dy)
        return 1;
    mpfr_init2(value, EXACT_BITS);
    exact_value(value, function->form, function->direction, x);
    exponent = mpfr_get_exp(value) - 1;
    for (int i = 0; i < 8; i++) {
        double mantissa = whole(random, 0, 7) == 0 ? 1 : uniform(random, 1, 2);
        long wanted;
        switch (whole(random, 0, 7)) {
        case 0: /* as in training */
            dy = normal(random);
            break;
        case 1:
        case 2: /* any dy */
            dy = ldexp(mantissa, (int)whole(random, low, high));
            break;
        case 3: /* a subnormal product */
            wanted = whole(random, low - 1, low + format->precision) - exponent;
            dy = wanted < low || wanted > high ? 0 : ldexp(mantissa, (int)wanted);
            break;
        default: /* any product */
            wanted = whole(random, low, high) - exponent;
            dy = wanted < low || wanted > high ? 0 : ldexp(mantissa, (int)wanted);
        }
        dy = sign(random) * round_to(format, dy);
        if (dy != 0 && exact_result(value, function, dy, x))
            break;
        dy = 0;
    }
    mpfr_clear(value);
    return dy;
}
