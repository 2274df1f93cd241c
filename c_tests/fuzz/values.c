/* Fuzzes the values: x and dy of any bits, each function, against multi-precision values. */
#include <float.h>
#include <math.h>

#include "../fresh_points/exact.h"
#include "../functions.h"
#include "input.h"

enum { MOST = 16 };

static const double HARD[] = {-0.75179152469356445746, -0.75246142207101625849, -14.356, -38.580, -10.771, -21.547,
                              -5.0, -8.0, 0.0, 5.0, 8.0, 1.0};

/* Near the places where the functions are hard, or any bits at all. */
static uint64_t element_from(const struct function *f, struct input *input)
{
    uint64_t kind = take(input, 1);
    if (kind < 96) {
        double at = HARD[kind % (sizeof HARD / sizeof *HARD)];
        double away = (double)(int64_t)take(input, 8) * 0x1p-63;
        return bits_of(f, at + ldexp(away, 2 - (int)(take(input, 1) % 64)));
    }
    if (kind < 160)
        return bits_of(f, (double)(int64_t)take(input, 8) * 0x1p-63 * 45.0);
    return take(input, f->size);
}

static double value_of(const struct function *f, uint64_t bits)
{
    float narrow;
    double wide;
    uint32_t half = (uint32_t)bits;
    if (f->size == 8) {
        memcpy(&wide, &bits, 8);
        return wide;
    }
    memcpy(&narrow, &half, 4);
    return narrow;
}

static void check_value(const struct function *f, double dy, double x, double got)
{
    static mpfr_t exact;
    const struct format *format = f->size == 4 ? &FLOAT : &DOUBLE;
    const double bound = f->backward && dy != 1 ? 1.5 : 1.0;
    double error;
    if (exact->_mpfr_d == NULL)
        mpfr_init2(exact, EXACT_BITS);
    if (isnan(x) || (f->backward && isnan(dy))) {
        CHECK(isnan(got));
        return;
    }
    /* Infinities and the far ends, where no finite dy gives a result, are in the tests of special values. */
    if (isinf(x) || (f->backward && (isinf(dy) || dy == 0)))
        return;
    exact_value(exact, f->form == GELU_APPROXIMATION_TANH ? TANH : NONE, f->backward ? BACKWARD : FORWARD, x);
    if (f->backward)
        mpfr_mul_d(exact, exact, dy, MPFR_RNDN);
    /* A product beyond the largest value is an infinity; within half a unit of it both are right. */
    if (mpfr_cmpabs_ui(exact, 0) != 0 && fabs(mpfr_get_d(exact, MPFR_RNDN)) >= format->largest) {
        CHECK(fabs(got) >= format->largest && (got < 0) == (mpfr_sgn(exact) < 0));
        return;
    }
    error = error_in_ulp(format, got, exact);
    if (!(error <= bound))
        FAIL("%s: x = %a, dy = %a gives %a, %.4f ULP", f->name, x, dy, got, error);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static int is_open;
    struct input input = {bytes, size};
    const struct function *f = &FUNCTIONS[take(&input, 1) % 8];
    int is_one = (int)(take(&input, 1) % 2);
    size_t n = 0;
    char *dy = (char *)allocate(MOST * f->size), *x = (char *)allocate(MOST * f->size),
         *out = (char *)allocate(MOST * f->size);
    if (!is_open)
        exact_open();
    is_open = 1;
    for (; n < MOST && input.size > 0; n++) {
        put(f, x, n, element_from(f, &input));
        put(f, dy, n, is_one ? bits_of(f, 1.0) : element_from(f, &input));
    }
    CHECK_EQUAL(GELU_OK, call(f, dy, x, out, n));
    for (size_t i = 0; i < n; i++)
        check_value(f, value_of(f, get(f, dy, i)), value_of(f, get(f, x, i)), value_of(f, get(f, out, i)));
    free(dy);
    free(x);
    free(out);
    return 0;
}
