/* How exact the values are. u = 2^-192; each MPFR operation is rounded correctly, so it is off by at most u of its
 * result, and the exponents are as wide as MPFR has them, so nothing underflows.
 *
 * Exact form. With t = |x|, phi(t) = exp(-t^2/2)/sqrt(2 pi) and Mills' ratio M(t) = Phi(-t)/phi(t):
 *     g(-t) = -t phi M      g(t) = t - t phi M      g'(-t) = phi (M - t)      g'(t) = 1 - phi (M - t)
 * t^2 is exact (106 bits), so phi is good to 6 u. M comes from its Taylor series around the nearest k/16, 30 terms,
 * |h| <= 1/32:
 *   - M(t) is the integral of exp(-t s - s^2/2) over s > 0, so its coefficients alternate in sign and
 *     |a_n(t)|/M(t) falls with t. It is at most E|Z|^n/n! of a normal Z at t = 0 (which is 1/(2^(n/2) (n/2)!) for an
 *     even n), so the terms fall faster than 1/32 each and the rest after 30 of them, by Lagrange, is below
 *     2^-150 2^-55 (1 + 1/8) < 2^-204 of M.
 *   - h is exact, and Horner's rounding errors add to less than 4 u of M, because the sum of |a_n h^n| is below 1.1 M.
 *   - The coefficients are found at 1000 bits: a_0(60) from MPFR's erfc, the others from M' = t M - 1, which is
 *     (n + 1) a_{n+1} = k/16 a_n + a_{n-1}, and the next a_0 from the series of 64 terms, which leaves 2^-400.
 *     Errors of a_0 are those of a solution of y' = t y, which shrinks downwards, the direction taken.
 * So M - t is off by at most 5 u M + u |M - t|, and only there is a cancellation: at the double nearest to the zero of
 * g', |M - t| > 2^-56, which still leaves 2^-132 of the value. Everything else is good to 2^-185.
 *
 * tanh form. With v = 2 sqrt(2/pi) t (1 + 0.044715 t^2), E = exp(-v), q = 1/(1 + E), r = E q and
 * w = t v'(t) = t 2 sqrt(2/pi) (1 + 3 0.044715 t^2):
 *     g(-t) = -t r      g(t) = t q      g'(-t) = r (1 - w q)      g'(t) = q (1 + w r)
 * v is good to 8 u, and v < 2^14, so E is good to 2^18 u = 2^-174; t^2 and the decimal 0.044715 are exact. The one
 * cancellation, in 1 - w q, again leaves 2^-132 near the zero of g' (and v is about 1.3 there).
 *
 * So an error in ULP is off by less than 2^-75, and then rounded to a double. `fresh_points selftest` compares with
 * exact_by_definition() at 400 bits, at the ends of every interval among others.
 */
#include "exact.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "../check.h"

/* From here on everything but x and 1 underflows: |g|, |g'| < 2^-2500. */
#define FAR 60
#define PER_UNIT 16
#define INTERVALS (FAR * PER_UNIT + 1)
#define TERMS 30
#define TERMS_OF_TABLE 64
#define BITS_OF_TABLE 1000

const struct format FLOAT = {24, -149, 127, 0x1p-149, 0x1p-126, 0x1.fffffep127};
const struct format DOUBLE = {53, -1074, 1023, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023};

static mpfr_t mills_table[INTERVALS][TERMS];
static mpfr_t inverse_root_of_two_pi, tanh_scale;
static mpfr_t t_, h_, a_, b_, c_, d_;

/* M(t) = sqrt(pi/2) exp(t^2/2) erfc(t/sqrt 2) */
static void mills_by_erfc(mpfr_t out, double t)
{
    mpfr_t exponential, root;
    mpfr_inits2(mpfr_get_prec(out), exponential, root, (mpfr_ptr)0);
    mpfr_set_d(exponential, t, MPFR_RNDN);
    mpfr_sqr(exponential, exponential, MPFR_RNDN);
    mpfr_div_2ui(exponential, exponential, 1, MPFR_RNDN);
    mpfr_exp(exponential, exponential, MPFR_RNDN);
    mpfr_sqrt_ui(root, 2, MPFR_RNDN);
    mpfr_d_div(out, t, root, MPFR_RNDN);
    mpfr_erfc(out, out, MPFR_RNDN);
    mpfr_mul(out, out, exponential, MPFR_RNDN);
    mpfr_const_pi(root, MPFR_RNDN);
    mpfr_div_2ui(root, root, 1, MPFR_RNDN);
    mpfr_sqrt(root, root, MPFR_RNDN);
    mpfr_mul(out, out, root, MPFR_RNDN);
    mpfr_clears(exponential, root, (mpfr_ptr)0);
}

static void fill_mills_table(void)
{
    mpfr_t a[TERMS_OF_TABLE], sum;
    mpfr_init2(sum, BITS_OF_TABLE);
    for (int n = 0; n < TERMS_OF_TABLE; n++)
        mpfr_init2(a[n], BITS_OF_TABLE);
    mills_by_erfc(a[0], FAR);
    for (int k = INTERVALS - 1; k >= 0; k--) {
        for (int n = 0; n + 1 < TERMS_OF_TABLE; n++) {
            mpfr_mul_ui(a[n + 1], a[n], (unsigned)k, MPFR_RNDN);
            mpfr_div_ui(a[n + 1], a[n + 1], PER_UNIT, MPFR_RNDN);
            if (n == 0)
                mpfr_sub_ui(a[1], a[1], 1, MPFR_RNDN);
            else
                mpfr_add(a[n + 1], a[n + 1], a[n - 1], MPFR_RNDN);
            mpfr_div_ui(a[n + 1], a[n + 1], (unsigned)n + 1, MPFR_RNDN);
        }
        for (int n = 0; n < TERMS; n++) {
            mpfr_init2(mills_table[k][n], EXACT_BITS);
            mpfr_set(mills_table[k][n], a[n], MPFR_RNDN);
        }
        mpfr_set_zero(sum, 1);
        for (int n = TERMS_OF_TABLE - 1; n >= 0; n--) {
            mpfr_div_si(sum, sum, -PER_UNIT, MPFR_RNDN);
            mpfr_add(sum, sum, a[n], MPFR_RNDN);
        }
        mpfr_set(a[0], sum, MPFR_RNDN);
    }
    for (int n = 0; n < TERMS_OF_TABLE; n++)
        mpfr_clear(a[n]);
    mpfr_clear(sum);
}

/* out = 2 sqrt(2/pi) */
static void set_tanh_scale(mpfr_t out)
{
    mpfr_const_pi(out, MPFR_RNDN);
    mpfr_ui_div(out, 8, out, MPFR_RNDN);
    mpfr_sqrt(out, out, MPFR_RNDN);
}

static void set_inverse_root_of_two_pi(mpfr_t out)
{
    mpfr_const_pi(out, MPFR_RNDN);
    mpfr_mul_2ui(out, out, 1, MPFR_RNDN);
    mpfr_rec_sqrt(out, out, MPFR_RNDN);
}

void exact_open(void)
{
    CHECK(mpfr_set_emin(mpfr_get_emin_min()) == 0);
    CHECK(mpfr_set_emax(mpfr_get_emax_max()) == 0);
    mpfr_inits2(EXACT_BITS, inverse_root_of_two_pi, tanh_scale, t_, h_, a_, b_, c_, d_, (mpfr_ptr)0);
    set_inverse_root_of_two_pi(inverse_root_of_two_pi);
    set_tanh_scale(tanh_scale);
    fill_mills_table();
}

static void mills(mpfr_t out, double t)
{
    int k = (int)(t * PER_UNIT);
    if (t * PER_UNIT - k >= 0.5) /* t * PER_UNIT + 0.5 would be rounded */
        k++;
    mpfr_set_d(h_, t - (double)k / PER_UNIT, MPFR_RNDN); /* exact: a multiple of ulp(t), and at most 1/32 */
    mpfr_set(out, mills_table[k][TERMS - 1], MPFR_RNDN);
    for (int n = TERMS - 2; n >= 0; n--) {
        mpfr_mul(out, out, h_, MPFR_RNDN);
        mpfr_add(out, out, mills_table[k][n], MPFR_RNDN);
    }
}

static void none(mpfr_t out, enum direction direction, double x)
{
    double t = fabs(x);
    mpfr_set_d(t_, t, MPFR_RNDN);
    mpfr_sqr(a_, t_, MPFR_RNDN);
    mpfr_div_2ui(a_, a_, 1, MPFR_RNDN);
    mpfr_neg(a_, a_, MPFR_RNDN);
    mpfr_exp(a_, a_, MPFR_RNDN);
    mpfr_mul(a_, a_, inverse_root_of_two_pi, MPFR_RNDN); /* phi */
    mills(b_, t);
    if (direction == FORWARD) {
        mpfr_mul(b_, b_, t_, MPFR_RNDN);
        mpfr_mul(out, a_, b_, MPFR_RNDN);
        if (x < 0)
            mpfr_neg(out, out, MPFR_RNDN);
        else
            mpfr_sub(out, t_, out, MPFR_RNDN);
    } else {
        mpfr_sub(b_, b_, t_, MPFR_RNDN);
        mpfr_mul(out, a_, b_, MPFR_RNDN);
        if (x > 0)
            mpfr_ui_sub(out, 1, out, MPFR_RNDN);
    }
}

static void tanh_form(mpfr_t out, enum direction direction, double x)
{
    mpfr_set_d(t_, fabs(x), MPFR_RNDN);
    mpfr_sqr(a_, t_, MPFR_RNDN);
    mpfr_mul_ui(a_, a_, 44715, MPFR_RNDN);
    mpfr_div_ui(a_, a_, 1000000, MPFR_RNDN); /* 0.044715 t^2 */
    mpfr_add_ui(b_, a_, 1, MPFR_RNDN);
    mpfr_mul(b_, b_, t_, MPFR_RNDN);
    mpfr_mul(b_, b_, tanh_scale, MPFR_RNDN);
    mpfr_neg(b_, b_, MPFR_RNDN);
    mpfr_exp(b_, b_, MPFR_RNDN); /* E */
    mpfr_add_ui(c_, b_, 1, MPFR_RNDN);
    mpfr_ui_div(c_, 1, c_, MPFR_RNDN);  /* q */
    mpfr_mul(d_, b_, c_, MPFR_RNDN);    /* r */
    mpfr_set(out, x > 0 ? c_ : d_, MPFR_RNDN);
    if (direction == FORWARD) {
        mpfr_mul_d(out, out, x, MPFR_RNDN);
    } else {
        mpfr_mul_ui(a_, a_, 3, MPFR_RNDN);
        mpfr_add_ui(a_, a_, 1, MPFR_RNDN);
        mpfr_mul(a_, a_, tanh_scale, MPFR_RNDN);
        mpfr_mul(a_, a_, t_, MPFR_RNDN); /* w */
        mpfr_mul(a_, a_, x > 0 ? d_ : c_, MPFR_RNDN);
        if (x > 0)
            mpfr_add_ui(a_, a_, 1, MPFR_RNDN);
        else
            mpfr_ui_sub(a_, 1, a_, MPFR_RNDN);
        mpfr_mul(out, out, a_, MPFR_RNDN);
    }
}

/* For tiny and for large x the difference from x/2, x, 1/2 or 1 is beyond any precision. Which side the exact value is
 * on still decides its binade, and so its ulp, where that number is a power of two. */
static void keep_side(mpfr_t out, enum direction direction, double x)
{
    mpfr_set_d(t_, direction == FORWARD ? x : 1.0, MPFR_RNDN);
    if (direction == FORWARD && x > 0 && mpfr_cmp(out, t_) >= 0) {
        mpfr_set(out, t_, MPFR_RNDN);
        mpfr_nextbelow(out);
    }
    mpfr_div_2ui(t_, t_, 1, MPFR_RNDN); /* x/2 (which may be no double) or 1/2 */
    if ((direction == FORWARD || x > 0) && mpfr_cmp(out, t_) <= 0) {
        mpfr_set(out, t_, MPFR_RNDN);
        mpfr_nextabove(out);
    } else if (direction == BACKWARD && x < 0 && mpfr_cmp(out, t_) >= 0) {
        mpfr_set(out, t_, MPFR_RNDN);
        mpfr_nextbelow(out);
    }
}

void exact_value(mpfr_t out, enum form form, enum direction direction, double x)
{
    CHECK(mpfr_get_prec(out) == EXACT_BITS && isfinite(x));
    if (x == 0) {
        mpfr_set_d(out, direction == FORWARD ? x : 0.5, MPFR_RNDN);
    } else if (x <= -FAR) {
        mpfr_set_si_2exp(out, -1, -5000, MPFR_RNDN); /* some number that underflows */
    } else {
        if (x >= FAR)
            mpfr_set_d(out, direction == FORWARD ? x : 1.0, MPFR_RNDN);
        else if (form == NONE)
            none(out, direction, x);
        else
            tanh_form(out, direction, x);
        keep_side(out, direction, x);
    }
}

void exact_by_definition(mpfr_t out, enum form form, enum direction direction, double x)
{
    mpfr_t argument, gate, slope, one;
    mpfr_inits2(mpfr_get_prec(out), argument, gate, slope, one, (mpfr_ptr)0);
    mpfr_set_ui(one, 1, MPFR_RNDN);
    mpfr_set_d(argument, x, MPFR_RNDN);
    if (form == NONE) {
        /* gate = Phi(x) = erfc(-x/sqrt 2)/2, slope = x phi(x) */
        mpfr_sqr(slope, argument, MPFR_RNDN);
        mpfr_div_si(slope, slope, -2, MPFR_RNDN);
        mpfr_exp(slope, slope, MPFR_RNDN);
        set_inverse_root_of_two_pi(gate);
        mpfr_mul(slope, slope, gate, MPFR_RNDN);
        mpfr_mul_d(slope, slope, x, MPFR_RNDN);
        mpfr_sqrt_ui(gate, 2, MPFR_RNDN);
        mpfr_div(argument, argument, gate, MPFR_RNDN);
        mpfr_neg(argument, argument, MPFR_RNDN);
        mpfr_erfc(gate, argument, MPFR_RNDN);
        mpfr_div_2ui(gate, gate, 1, MPFR_RNDN);
    } else {
        /* gate = (1 + tanh u)/2 = 1/(1 + exp(-2u)), slope = x gate (1 - gate) 2u' = x gate 2u'/(1 + exp(2u)) */
        mpfr_t cubic, scale;
        mpfr_inits2(mpfr_get_prec(out), cubic, scale, (mpfr_ptr)0);
        CHECK(mpfr_set_str(cubic, "0.044715", 10, MPFR_RNDN) == 0);
        set_tanh_scale(scale);
        mpfr_pow_ui(gate, argument, 3, MPFR_RNDN);
        mpfr_mul(gate, gate, cubic, MPFR_RNDN);
        mpfr_add(gate, gate, argument, MPFR_RNDN);
        mpfr_mul(gate, gate, scale, MPFR_RNDN); /* 2u */
        mpfr_sqr(slope, argument, MPFR_RNDN);
        mpfr_mul(slope, slope, cubic, MPFR_RNDN);
        mpfr_mul_ui(slope, slope, 3, MPFR_RNDN);
        mpfr_add_ui(slope, slope, 1, MPFR_RNDN);
        mpfr_mul(slope, slope, scale, MPFR_RNDN); /* 2u' */
        mpfr_exp(argument, gate, MPFR_RNDN);
        mpfr_add(argument, argument, one, MPFR_RNDN);
        mpfr_div(slope, slope, argument, MPFR_RNDN);
        mpfr_neg(gate, gate, MPFR_RNDN);
        mpfr_exp(gate, gate, MPFR_RNDN);
        mpfr_add(gate, gate, one, MPFR_RNDN);
        mpfr_div(gate, one, gate, MPFR_RNDN);
        mpfr_mul(slope, slope, gate, MPFR_RNDN);
        mpfr_mul_d(slope, slope, x, MPFR_RNDN);
        mpfr_clears(cubic, scale, (mpfr_ptr)0);
    }
    if (direction == FORWARD)
        mpfr_mul_d(out, gate, x, MPFR_RNDN);
    else
        mpfr_add(out, gate, slope, MPFR_RNDN);
    mpfr_clears(argument, gate, slope, one, (mpfr_ptr)0);
}

double error_in_ulp(const struct format *format, double got, const mpfr_t exact)
{
    long ulp;
    if (!isfinite(got) || (got == 0 && !signbit(got) != !mpfr_signbit(exact)))
        return INFINITY;
    if (mpfr_zero_p(exact))
        return got == 0 ? 0 : INFINITY;
    ulp = mpfr_get_exp(exact) - format->precision; /* MPFR's mantissas begin with 0.1 */
    if (ulp < format->smallest_exponent)
        ulp = format->smallest_exponent;
    mpfr_sub_d(a_, exact, got, MPFR_RNDN);
    mpfr_div_2si(a_, a_, ulp, MPFR_RNDN);
    return fabs(mpfr_get_d(a_, MPFR_RNDN));
}

double round_to(const struct format *format, double x)
{
    if (fabs(x) > format->largest)
        return copysign(format->largest, x);
    return format == &FLOAT ? (double)(float)x : x;
}

double step(const struct format *format, double x, long n)
{
    int64_t sign, rank, last;
    float narrow = (float)x, narrow_largest = (float)format->largest;
    int32_t narrow_rank;
    if (format == &FLOAT) {
        memcpy(&narrow_rank, &narrow, 4);
        rank = narrow_rank;
        sign = INT32_MIN;
        memcpy(&narrow_rank, &narrow_largest, 4);
        last = narrow_rank;
    } else {
        memcpy(&rank, &x, 8);
        memcpy(&last, &format->largest, 8);
        sign = INT64_MIN;
    }
    /* Ranks grow with the value: -0 is -1 and +0 is 0. */
    rank = rank < 0 ? sign - rank - 1 : rank;
    rank = n > 0 && rank > last - n ? last : n < 0 && rank < -1 - last - n ? -1 - last : rank + n;
    rank = rank < 0 ? sign - rank - 1 : rank;
    if (format == &FLOAT) {
        narrow_rank = (int32_t)rank;
        memcpy(&narrow, &narrow_rank, 4);
        return narrow;
    }
    memcpy(&x, &rank, 8);
    return x;
}
