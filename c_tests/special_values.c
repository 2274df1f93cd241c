/* Infinities, NaN, zeros, huge and subnormal values: the table of the header by bits, at every index of
 * n = 1 .. 40, with the neighbours' bits unchanged. */
#include <float.h>
#include <math.h>

#include "functions.h"

enum { LONGEST = 40 };

struct special {
    uint64_t x, y;
    double slope;
};

static int is_nan(const struct function *f, uint64_t bits)
{
    uint64_t infinity = bits_of(f, INFINITY), sign = UINT64_C(1) << (f->size * 8 - 1);
    return (bits & ~sign) > infinity;
}

static int is_quiet(const struct function *f, uint64_t bits)
{
    return (bits >> (f->size == 4 ? 22 : 51)) & 1;
}

/* The bits are right, or a quiet NaN where any NaN is. */
static void check_element(const struct function *f, uint64_t x, uint64_t dy, uint64_t right, uint64_t got, size_t n,
                          size_t i)
{
    int good = is_nan(f, right) ? is_nan(f, got) && is_quiet(f, got) : got == right;
    if (!good)
        FAIL("%s of x %#llx, dy %#llx at %zu of %zu: expected bits %#llx, got %#llx", f->name,
             (unsigned long long)x, (unsigned long long)dy, i, n, (unsigned long long)right,
             (unsigned long long)got);
}

static size_t table(const struct function *f, struct special *rows)
{
    static const double huge[] = {1e3, 1e6, 7e12, 2e19, 1e38};
    uint64_t sign = UINT64_C(1) << (f->size * 8 - 1), minus_zero = sign;
    uint64_t largest = bits_of(f, f->size == 4 ? FLT_MAX : DBL_MAX), normal = bits_of(f, f->size == 4 ? FLT_MIN : DBL_MIN);
    uint64_t infinity = bits_of(f, INFINITY), quiet = UINT64_C(1) << (f->size == 4 ? 22 : 51);
    /* Quiet with and without a payload, signalling with the smallest and the largest payload. */
    const uint64_t nans[] = {infinity | quiet, infinity | quiet | 0x1234, infinity | 1, infinity | (quiet - 1)};
    /* Even, so that x/2 is exact: the smallest that can be, one in the middle, the largest, the first normal. */
    const uint64_t tiny[] = {0, 2, 0x2468a, normal - 2, normal};
    size_t n = 0;

    rows[n++] = (struct special){infinity, infinity, 1.0};
    rows[n++] = (struct special){infinity | sign, minus_zero, -0.0};
    rows[n++] = (struct special){largest, largest, 1.0};
    rows[n++] = (struct special){largest | sign, minus_zero, -0.0};
    for (size_t i = 0; i < 4; i++) {
        rows[n++] = (struct special){nans[i], nans[i], NAN};
        rows[n++] = (struct special){nans[i] | sign, nans[i], NAN};
    }
    for (size_t i = 0; i < 5; i++) {
        uint64_t x = bits_of(f, huge[i]);
        rows[n++] = (struct special){x, x, 1.0};
        rows[n++] = (struct special){x | sign, minus_zero, -0.0};
    }
    for (size_t i = 0; i < 5; i++) {
        /* As an integer a subnormal is a multiple of the smallest, and half the first normal is one too. */
        rows[n++] = (struct special){tiny[i], tiny[i] / 2, 0.5};
        rows[n++] = (struct special){tiny[i] | sign, tiny[i] / 2 | sign, 0.5};
    }
    return n;
}

/* dy times the slope in the type, as the processor multiplies. */
static uint64_t product(const struct function *f, uint64_t dy, double slope)
{
    if (f->size == 4) {
        float value;
        uint32_t bits = (uint32_t)dy;
        memcpy(&value, &bits, 4);
        value *= (float)slope;
        memcpy(&bits, &value, 4);
        return bits;
    }
    double value;
    memcpy(&value, &dy, 8);
    value *= slope;
    memcpy(&dy, &value, 8);
    return dy;
}

static void every_place(const struct function *f, uint64_t x, uint64_t dy, uint64_t right)
{
    uint64_t xs[LONGEST], dys[LONGEST], usual[LONGEST], out[LONGEST];
    fill(f, xs, LONGEST, 1);
    fill(f, dys, LONGEST, 2);
    CHECK_EQUAL(GELU_OK, call(f, dys, xs, usual, LONGEST));
    for (size_t n = 1; n <= LONGEST; n++) {
        for (size_t i = 0; i < n; i++) {
            uint64_t usual_x = get(f, xs, i), usual_dy = get(f, dys, i);
            put(f, xs, i, x);
            put(f, dys, i, dy);
            memset(out, 0x5a, sizeof out);
            CHECK_EQUAL(GELU_OK, call(f, dys, xs, out, n));
            check_element(f, x, dy, right, get(f, out, i), n, i);
            check_bytes(f, usual, out, i, "before a special value");
            check_bytes(f, (char *)usual + (i + 1) * f->size, (char *)out + (i + 1) * f->size, n - i - 1,
                        "after a special value");
            put(f, xs, i, usual_x);
            put(f, dys, i, usual_dy);
        }
    }
}

/* A buffer of nothing else, and all of them side by side. */
static void among_their_like(const struct function *f, const struct special *rows, size_t count)
{
    uint64_t xs[64], ones[64], out[64];
    for (size_t i = 0; i < count; i++) {
        put(f, xs, i, rows[i].x);
        put(f, ones, i, bits_of(f, 1.0));
    }
    CHECK_EQUAL(GELU_OK, call(f, ones, xs, out, count));
    for (size_t i = 0; i < count; i++)
        check_element(f, rows[i].x, bits_of(f, 1.0), f->backward ? bits_of(f, rows[i].slope) : rows[i].y,
                      get(f, out, i), count, i);
}

static void every_gradient(const struct function *f, const struct special *row)
{
    const double dys[] = {1.0, -3.0, 0.0, -0.0, INFINITY, -INFINITY, NAN, 1e30, -1e-30};
    for (size_t i = 0; i < sizeof dys / sizeof *dys; i++) {
        uint64_t dy = bits_of(f, dys[i]), dy_element[1], x_element[1], out[1];
        put(f, dy_element, 0, dy);
        put(f, x_element, 0, row->x);
        CHECK_EQUAL(GELU_OK, call(f, dy_element, x_element, out, 1));
        check_element(f, row->x, dy, product(f, dy, row->slope), get(f, out, 0), 1, 0);
    }
}

/* NaN and infinite gradients of ordinary x, also signalling. */
static void special_gradients(const struct function *f)
{
    uint64_t infinity = bits_of(f, INFINITY), sign = UINT64_C(1) << (f->size * 8 - 1);
    static const double xs[] = {-3.0, -0.25, 0.75, 2.0, 9.0};
    for (size_t i = 0; i < 5; i++) {
        /* g' is negative at -3 alone. */
        uint64_t flip = i == 0 ? sign : 0, x = bits_of(f, xs[i]);
        every_place(f, x, infinity, infinity ^ flip);
        every_place(f, x, infinity | sign, infinity ^ sign ^ flip);
        every_place(f, x, infinity | 1, infinity | 1);
        every_place(f, x, infinity | sign | 1, infinity | 1);
    }
}

int main(void)
{
    struct special rows[64];
    FOR_EACH_FUNCTION(f) {
        size_t count = table(f, rows);
        among_their_like(f, rows, count);
        for (size_t i = 0; i < count; i++) {
            uint64_t one = bits_of(f, 1.0);
            every_place(f, rows[i].x, one, f->backward ? bits_of(f, rows[i].slope) : rows[i].y);
            if (f->backward)
                every_gradient(f, &rows[i]);
        }
        if (f->backward)
            special_gradients(f);
    }
    return 0;
}
