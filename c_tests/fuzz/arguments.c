/* Fuzzes the arguments of the C functions: lengths, strides, alignments, overlaps, NULL, forms. The status is compared with a
 * model of the header's rules that looks at every byte of every element, the buffers with the contiguous functions. */
#include "../functions.h"
#include "input.h"

enum { ARENA = 4096, MOST = 48, CALLS = 6 };

struct buffer {
    size_t start; /* an address, or an offset in the arena */
    ptrdiff_t stride;
};

/* In the arena, so that the sanitizer sees what is beyond it. */
static unsigned char *arena;

static ptrdiff_t stride_from(struct input *input)
{
    uint64_t kind = take(input, 1);
    if (kind < 96)
        return 1;
    if (kind < 240)
        return (ptrdiff_t)(take(input, 1) % 17) - 8;
    return (ptrdiff_t)take(input, 8);
}

static size_t length_from(struct input *input)
{
    uint64_t kind = take(input, 1);
    if (kind < 224)
        return take(input, 1) % (MOST + 1);
    if (kind < 240)
        return (size_t)PTRDIFF_MAX >> (take(input, 1) % 8);
    return (size_t)take(input, 8);
}

static struct buffer buffer_from(struct input *input)
{
    struct buffer buffer;
    uint64_t kind = take(input, 1);
    buffer.start = (uintptr_t)arena + take(input, 2) % ARENA;
    if (kind >= 250)
        buffer.start = 0;
    else if (kind >= 245)
        buffer.start = (size_t)take(input, 8);
    buffer.stride = stride_from(input);
    return buffer;
}

static __int128 address(const struct buffer *b, size_t size, size_t i)
{
    return (__int128)b->start + (__int128)i * b->stride * (__int128)size;
}

static int is_too_large(const struct buffer *b, size_t size, size_t n)
{
    /* At most 2^64 times 2^63. */
    unsigned __int128 way = (unsigned __int128)(n - 1) * (b->stride < 0 ? 0 - (size_t)b->stride : (size_t)b->stride);
    __int128 first, last, low, high;
    if (way > PTRDIFF_MAX / size - 1)
        return 1;
    first = address(b, size, 0);
    last = address(b, size, n - 1);
    low = first < last ? first : last;
    high = (first < last ? last : first) + (__int128)size;
    return b->start != 0 && (low < 0 || high > (__int128)UINTPTR_MAX);
}

static int share_a_byte(const struct buffer *a, const struct buffer *b, size_t size, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            __int128 distance = address(a, size, i) - address(b, size, j);
            if (distance < (__int128)size && -distance < (__int128)size)
                return 1;
        }
    return 0;
}

static int is_in_place(const struct buffer *a, const struct buffer *b, size_t n)
{
    return a->start == b->start && (a->stride == b->stride || n == 1);
}

static int is_in_arena(const struct buffer *b, size_t size, size_t n)
{
    __int128 first = address(b, size, 0), last = address(b, size, n - 1);
    __int128 low = first < last ? first : last, high = (first < last ? last : first) + (__int128)size;
    return low >= (__int128)(uintptr_t)arena && high <= (__int128)(uintptr_t)arena + ARENA;
}

/* -1 where this model takes too long to tell. */
static gelu_status expected_status(const struct buffer *inputs, size_t count, const struct buffer *out, size_t size,
                                   size_t n, gelu_approximation form)
{
    int is_null = out->start == 0, overlap = out->stride == 0, unknown = 0;
    if (form != GELU_APPROXIMATION_NONE && form != GELU_APPROXIMATION_TANH)
        return GELU_ERROR_APPROXIMATION;
    if (n == 0)
        return GELU_OK;
    if (is_too_large(out, size, n))
        return GELU_ERROR_SIZE;
    for (size_t i = 0; i < count; i++) {
        if (is_too_large(&inputs[i], size, n))
            return GELU_ERROR_SIZE;
        is_null |= inputs[i].start == 0;
        if (is_in_place(&inputs[i], out, n))
            continue;
        if (n > MOST)
            unknown = 1;
        else
            overlap |= share_a_byte(&inputs[i], out, size, n);
    }
    if (is_null)
        return GELU_ERROR_NULL_POINTER;
    return overlap ? GELU_ERROR_OVERLAP : unknown ? -1 : GELU_OK;
}

static gelu_status run(const struct function *f, const struct buffer *in, const struct buffer *out, size_t n,
                       gelu_approximation form)
{
    const struct buffer *dy = &in[0], *x = &in[f->backward];
    if (x->stride == 1 && dy->stride == 1 && out->stride == 1)
        return call_form(f, (const void *)dy->start, (const void *)x->start, (void *)out->start, n, form);
    if (f->size == 4 && f->backward)
        return gelu_backward_f32_strided((const float *)dy->start, dy->stride, (const float *)x->start, x->stride,
                                         (float *)out->start, out->stride, n, form);
    if (f->size == 4)
        return gelu_forward_f32_strided((const float *)x->start, x->stride, (float *)out->start, out->stride, n, form);
    if (f->backward)
        return gelu_backward_f64_strided((const double *)dy->start, dy->stride, (const double *)x->start, x->stride,
                                         (double *)out->start, out->stride, n, form);
    return gelu_forward_f64_strided((const double *)x->start, x->stride, (double *)out->start, out->stride, n, form);
}

/* The elements one by one, through buffers of their own, into a copy of the arena. */
static void expect(const struct function *f, const struct buffer *in, const struct buffer *out, size_t n,
                   gelu_approximation form, unsigned char *copy)
{
    unsigned char dy[MOST * 8], x[MOST * 8], result[MOST * 8];
    for (size_t i = 0; i < n; i++) {
        memcpy(dy + i * f->size, (const void *)(uintptr_t)address(&in[0], f->size, i), f->size);
        memcpy(x + i * f->size, (const void *)(uintptr_t)address(&in[f->backward], f->size, i), f->size);
    }
    CHECK_EQUAL(GELU_OK, call_form(f, dy, x, result, n, form));
    for (size_t i = 0; i < n; i++)
        memcpy(copy + ((uintptr_t)address(out, f->size, i) - (uintptr_t)arena), result + i * f->size, f->size);
}

static void fuzz_call(struct input *input)
{
    unsigned char copy[ARENA];
    const struct function *f = &FUNCTIONS[take(input, 1) % 8];
    uint64_t kind = take(input, 1);
    gelu_approximation form = kind < 240 ? (gelu_approximation)(kind % 2) : (gelu_approximation)take(input, 4);
    size_t n = length_from(input), count = (size_t)f->backward + 1;
    struct buffer in[2], out = buffer_from(input);
    gelu_status expected;
    for (size_t i = 0; i < count; i++)
        in[i] = take(input, 1) < 64 ? out : buffer_from(input);
    expected = expected_status(in, count, &out, f->size, n, form);
    if (expected == GELU_OK && n > 0) {
        if (n > MOST || !is_in_arena(&out, f->size, n))
            return;
        for (size_t i = 0; i < count; i++)
            if (!is_in_arena(&in[i], f->size, n))
                return;
    }
    if (expected < 0)
        return;
    memcpy(copy, arena, ARENA);
    if (expected == GELU_OK && n > 0)
        expect(f, in, &out, n, form, copy);
    CHECK_EQUAL(expected, run(f, in, &out, n, form));
    CHECK(memcmp(copy, arena, ARENA) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};
    uint64_t seed = take(&input, 2);
    if (!arena)
        arena = (unsigned char *)allocate(ARENA);
    for (size_t i = 0; i < ARENA; i += 8) {
        /* Floats and doubles of ordinary size, and now and then anything. */
        uint64_t bits = random_bits(&seed);
        if (bits % 4 != 0)
            bits = (bits & 0x800fffff800fffffu) | 0x3fe000003fe00000u;
        memcpy(arena + i, &bits, 8);
    }
    for (int i = 0; i < CALLS && input.size > 0; i++)
        fuzz_call(&input);
    return 0;
}
