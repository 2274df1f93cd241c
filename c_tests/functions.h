/* The eight functions (direction, form, type) behind one call, so that a test is written once for all.
 * Elements are handled by their bits. */
#ifndef FUNCTIONS_H
#define FUNCTIONS_H

#include "check.h"
#include "gelu.h"

struct function {
    const char *name;
    size_t size;
    int backward;
    gelu_approximation form;
};

static const struct function FUNCTIONS[] = {
    {"forward_none f32", 4, 0, GELU_APPROXIMATION_NONE},  {"forward_tanh f32", 4, 0, GELU_APPROXIMATION_TANH},
    {"forward_none f64", 8, 0, GELU_APPROXIMATION_NONE},  {"forward_tanh f64", 8, 0, GELU_APPROXIMATION_TANH},
    {"backward_none f32", 4, 1, GELU_APPROXIMATION_NONE}, {"backward_tanh f32", 4, 1, GELU_APPROXIMATION_TANH},
    {"backward_none f64", 8, 1, GELU_APPROXIMATION_NONE}, {"backward_tanh f64", 8, 1, GELU_APPROXIMATION_TANH},
};

#define FOR_EACH_FUNCTION(f) for (const struct function *f = FUNCTIONS; f < FUNCTIONS + 8; f++)

/* Forward does not look at dy. */
static inline gelu_status call_form(const struct function *f, const void *dy, const void *x, void *out, size_t n,
                                    gelu_approximation form)
{
    if (f->backward)
        return f->size == 4
                   ? gelu_backward_f32((const float *)dy, (const float *)x, (float *)out, n, form)
                   : gelu_backward_f64((const double *)dy, (const double *)x, (double *)out, n, form);
    return f->size == 4 ? gelu_forward_f32((const float *)x, (float *)out, n, form)
                        : gelu_forward_f64((const double *)x, (double *)out, n, form);
}

static inline gelu_status call(const struct function *f, const void *dy, const void *x, void *out, size_t n)
{
    return call_form(f, dy, x, out, n, f->form);
}

static inline uint64_t get(const struct function *f, const void *buffer, size_t i)
{
    uint64_t bits = 0;
    uint32_t half;
    if (f->size == 8) {
        memcpy(&bits, (const char *)buffer + i * 8, 8);
        return bits;
    }
    memcpy(&half, (const char *)buffer + i * 4, 4);
    return half;
}

static inline void put(const struct function *f, void *buffer, size_t i, uint64_t bits)
{
    uint32_t half = (uint32_t)bits;
    if (f->size == 8)
        memcpy((char *)buffer + i * 8, &bits, 8);
    else
        memcpy((char *)buffer + i * 4, &half, 4);
}

/* The bits of a value rounded to the type. */
static inline uint64_t bits_of(const struct function *f, double value)
{
    char element[8];
    float narrow = (float)value;
    if (f->size == 8)
        memcpy(element, &value, 8);
    else
        memcpy(element, &narrow, 4);
    return get(f, element, 0);
}

static inline void *allocate(size_t bytes)
{
    void *buffer = malloc(bytes);
    CHECK(buffer != NULL);
    return buffer;
}

/* Values where the functions do something: full mantissas, mostly within 6, some out in the tails. */
static inline void fill(const struct function *f, void *buffer, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = random_bits(&seed);
        double unit = (double)(bits >> 11) * 0x1p-52 - 1.0;
        put(f, buffer, i, bits_of(f, unit * (bits % 8 == 0 ? 45.0 : 6.0)));
    }
}

static inline void check_bytes(const struct function *f, const void *expected, const void *got, size_t n,
                               const char *what)
{
    if (memcmp(expected, got, n * f->size) == 0)
        return;
    for (size_t i = 0; i < n; i++)
        if (get(f, expected, i) != get(f, got, i))
            FAIL("%s, %s: element %zu of %zu: expected bits %#llx, got %#llx", f->name, what, i, n,
                 (unsigned long long)get(f, expected, i), (unsigned long long)get(f, got, i));
}

#endif
