/* The strided forms give the bits of the contiguous ones, touch nothing between the elements, and refuse what shares
 * an element with the output. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "functions.h"

/* The last one is large enough for several threads. */
static const size_t LENGTHS[] = {1, 2, 3, 17, 511, 512, 513, 1500, 20011};
static const ptrdiff_t STRIDES[] = {1, 2, -1, 3, -2, 0, 7, -16};

enum { STRIDE_COUNT = 8, FURTHEST = 16 };

static gelu_status call_strided(const struct function *f, const void *dy, ptrdiff_t dy_stride, const void *x,
                                ptrdiff_t x_stride, void *out, ptrdiff_t out_stride, size_t n, gelu_approximation form)
{
    if (f->backward)
        return f->size == 4 ? gelu_backward_f32_strided((const float *)dy, dy_stride, (const float *)x, x_stride,
                                                        (float *)out, out_stride, n, form)
                            : gelu_backward_f64_strided((const double *)dy, dy_stride, (const double *)x, x_stride,
                                                        (double *)out, out_stride, n, form);
    return f->size == 4
               ? gelu_forward_f32_strided((const float *)x, x_stride, (float *)out, out_stride, n, form)
               : gelu_forward_f64_strided((const double *)x, x_stride, (double *)out, out_stride, n, form);
}

/* A buffer with room for n elements at any of the strides, and where the first one stands in it. */
struct buffer {
    char *room, *first;
    size_t bytes;
    ptrdiff_t stride;
};

static struct buffer make(const struct function *f, size_t n, ptrdiff_t stride, size_t shift)
{
    size_t span = (n - 1) * (size_t)(stride < 0 ? -stride : stride) + 1;
    struct buffer b = {NULL, NULL, (span + 2 * FURTHEST) * f->size + 8, stride};
    b.room = (char *)allocate(b.bytes);
    memset(b.room, 0x5a, b.bytes);
    b.first = b.room + (FURTHEST + (stride < 0 ? span - 1 : 0)) * f->size + shift;
    return b;
}

static char *element(const struct function *f, const struct buffer *b, size_t i)
{
    return b->first + (ptrdiff_t)i * b->stride * (ptrdiff_t)f->size;
}

/* The buffer's elements from an array, or to one. */
static void spread(const struct function *f, const struct buffer *b, const char *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        memcpy(element(f, b, i), from + i * f->size, f->size);
}

static void collect(const struct function *f, const struct buffer *b, char *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        memcpy(to + i * f->size, element(f, b, i), f->size);
}

/* What stood at the elements' places goes; the rest is to be what make put there. */
static void check_gaps(const struct function *f, const struct buffer *b, size_t n, const char *what)
{
    for (size_t i = 0; i < n; i++)
        memset(element(f, b, i), 0x5a, f->size);
    for (size_t i = 0; i < b->bytes; i++)
        if (b->room[i] != 0x5a)
            FAIL("%s, %s, n = %zu, stride %td: byte %zu between the elements was written", f->name, what, n,
                 b->stride, i);
}

static void one(const struct function *f, size_t n, ptrdiff_t dy_stride, ptrdiff_t x_stride, ptrdiff_t out_stride,
                size_t shift)
{
    struct buffer dy = make(f, n, dy_stride, shift), x = make(f, n, x_stride, shift * 3 % 8);
    struct buffer out = make(f, n, out_stride, shift * 5 % 8);
    char *dys = (char *)allocate(n * f->size), *xs = (char *)allocate(n * f->size);
    char *expected = (char *)allocate(n * f->size), *got = (char *)allocate(n * f->size);
    fill(f, dys, n, n + 1);
    fill(f, xs, n, n + 2);
    spread(f, &dy, dys, n);
    spread(f, &x, xs, n);
    collect(f, &dy, dys, n);
    collect(f, &x, xs, n);
    CHECK_EQUAL(GELU_OK, call(f, dys, xs, expected, n));
    CHECK_EQUAL(GELU_OK, call_strided(f, dy.first, dy_stride, x.first, x_stride, out.first, out_stride, n, f->form));
    collect(f, &out, got, n);
    check_bytes(f, expected, got, n, "strided");
    check_gaps(f, &out, n, "the output");
    collect(f, &x, got, n);
    check_bytes(f, xs, got, n, "x after the call");

    if (x_stride != 0) {
        CHECK_EQUAL(GELU_OK, call_strided(f, dy.first, dy_stride, x.first, x_stride, x.first, x_stride, n, f->form));
        collect(f, &x, got, n);
        check_bytes(f, expected, got, n, "in place of x");
        check_gaps(f, &x, n, "in place of x");
        spread(f, &x, xs, n);
    }
    if (f->backward && dy_stride != 0) {
        CHECK_EQUAL(GELU_OK, call_strided(f, dy.first, dy_stride, x.first, x_stride, dy.first, dy_stride, n, f->form));
        collect(f, &dy, got, n);
        check_bytes(f, expected, got, n, "in place of dy");
        check_gaps(f, &dy, n, "in place of dy");
    }
    free(dy.room);
    free(x.room);
    free(out.room);
    free(dys);
    free(xs);
    free(expected);
    free(got);
}

/* A matrix of rows x, dy and out, one beside the other. */
static void interleaved(const struct function *f)
{
    enum { ROWS = 1000 };
    char matrix[3 * ROWS * 8], dy[ROWS * 8], x[ROWS * 8], expected[ROWS * 8];
    fill(f, matrix, 3 * ROWS, 4);
    for (size_t i = 0; i < ROWS; i++) {
        put(f, x, i, get(f, matrix, 3 * i));
        put(f, dy, i, get(f, matrix, 3 * i + 1));
    }
    CHECK_EQUAL(GELU_OK, call(f, dy, x, expected, ROWS));
    CHECK_EQUAL(GELU_OK, call_strided(f, matrix + f->size, 3, matrix, 3, matrix + 2 * f->size, 3, ROWS, f->form));
    for (size_t i = 0; i < ROWS; i++) {
        CHECK_EQUAL(get(f, x, i), get(f, matrix, 3 * i));
        CHECK_EQUAL(get(f, dy, i), get(f, matrix, 3 * i + 1));
        CHECK_EQUAL(get(f, expected, i), get(f, matrix, 3 * i + 2));
    }
}

/* One element at the end of each page whose neighbours are inaccessible. */
static void inaccessible_gaps(const struct function *f)
{
    enum { COUNT = 40 };
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    ptrdiff_t stride = (ptrdiff_t)(2 * page / f->size);
    char x[COUNT * 8], dy[COUNT * 8], expected[COUNT * 8], got[COUNT * 8];
    char *pages = (char *)mmap(NULL, 2 * COUNT * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED);
    struct buffer b = {pages, pages + page - f->size, 2 * COUNT * page, stride};
    fill(f, x, COUNT, 8);
    fill(f, dy, COUNT, 9);
    spread(f, &b, x, COUNT);
    CHECK_EQUAL(GELU_OK, call(f, dy, x, expected, COUNT));
    for (size_t i = 0; i < COUNT; i++)
        CHECK_EQUAL(0, mprotect(pages + (2 * i + 1) * page, page, PROT_NONE));
    CHECK_EQUAL(GELU_OK, call_strided(f, dy, 1, b.first, stride, b.first, stride, COUNT, f->form));
    collect(f, &b, got, COUNT);
    check_bytes(f, expected, got, COUNT, "inaccessible pages between the elements");
    CHECK_EQUAL(0, munmap(pages, 2 * COUNT * page));
}

static void expect(const struct function *f, gelu_status expected, const void *dy, ptrdiff_t dy_stride, const void *x,
                   ptrdiff_t x_stride, void *out, ptrdiff_t out_stride, size_t n, const char *what)
{
    gelu_status got = call_strided(f, dy, dy_stride, x, x_stride, out, out_stride, n, f->form);
    if (got != expected)
        FAIL("%s, %s: expected status %d, got %d", f->name, what, expected, got);
}

static void errors(const struct function *f)
{
    enum { N = 16 };
    char room[40 * N * 8], before[sizeof room];
    char dy[N * 8], *middle = room + sizeof room / 2;
    const ptrdiff_t size = (ptrdiff_t)f->size;
    const size_t most = PTRDIFF_MAX / f->size;
    fill(f, room, sizeof room / f->size, 3);
    fill(f, dy, N, 4);
    memcpy(before, room, sizeof room);

    expect(f, GELU_OK, NULL, 0, NULL, 0, NULL, 0, 0, "n == 0");
    expect(f, GELU_ERROR_OVERLAP, dy, 1, room, 1, middle, 0, N, "an output of one place");
    expect(f, GELU_ERROR_OVERLAP, dy, 1, room, 1, middle, 0, 1, "an output of one place");
    expect(f, GELU_ERROR_OVERLAP, dy, 1, middle, 0, middle, 0, N, "in place of one element");
    expect(f, GELU_ERROR_OVERLAP, dy, 1, middle, 0, middle, 1, N, "over the one element");
    expect(f, GELU_ERROR_OVERLAP, dy, 1, middle, 1, middle, 2, N, "the same start, another stride");
    expect(f, GELU_ERROR_OVERLAP, dy, 1, middle, 1, middle + (N - 1) * size, -1, N, "the same elements backwards");
    expect(f, GELU_ERROR_OVERLAP, dy, 1, middle, 2, middle + 1, 2, N, "a part of an element");
    expect(f, GELU_ERROR_OVERLAP, dy, 1, middle, 2, middle + 2 * size, 2, N, "one element further");
    expect(f, GELU_ERROR_OVERLAP, dy, 1, middle, 3, middle + 20 * size, -5, N, "one element in common");
    if (f->backward) {
        expect(f, GELU_ERROR_OVERLAP, middle, 2, dy, 1, middle + 2 * size, 2, N, "over dy");
        expect(f, GELU_ERROR_OVERLAP, middle, 0, dy, 1, dy, 0, N, "an output of one place");
        expect(f, GELU_ERROR_NULL_POINTER, NULL, -1, room, 1, middle, 0, N, "NULL before overlap");
    }
    expect(f, GELU_ERROR_NULL_POINTER, dy, 1, NULL, -7, middle, 1, N, "NULL, backwards");
    expect(f, GELU_ERROR_NULL_POINTER, dy, 1, room, 1, NULL, 0, N, "NULL before overlap");
    expect(f, GELU_ERROR_SIZE, dy, 1, room, 1, NULL, PTRDIFF_MAX, 2, "size before NULL");
    expect(f, GELU_ERROR_SIZE, dy, 1, room, PTRDIFF_MIN, middle, 1, 2, "the largest stride");
    expect(f, GELU_ERROR_SIZE, dy, 1, room, 2, middle, 1, most / 2 + 2, "a large span");
    expect(f, GELU_ERROR_SIZE, dy, 0, room, 0, middle, 1, SIZE_MAX, "more elements than there can be");
    expect(f, GELU_ERROR_SIZE, dy, 1, (char *)(uintptr_t)32, -1, middle, 1, N, "before the start of memory");
    expect(f, GELU_ERROR_SIZE, dy, 1, room, 1, (char *)(UINTPTR_MAX - 32), 1, N, "past the end of memory");
    CHECK_EQUAL(GELU_ERROR_APPROXIMATION, call_strided(f, NULL, 0, NULL, 0, NULL, 0, 0, 2));
    if (memcmp(before, room, sizeof room) != 0)
        FAIL("%s: a call that failed wrote to a buffer", f->name);

    expect(f, GELU_OK, dy, 1, middle, 3, middle + 17 * size, -5, 4, "no element in common");
    expect(f, GELU_OK, dy, 1, middle, PTRDIFF_MIN, middle, PTRDIFF_MIN, 1, "one element, any stride");
    expect(f, GELU_OK, dy, 0, middle, 5, middle, -5, 1, "one element in place");
}

int main(void)
{
    gelu_set_num_threads(3);
    FOR_EACH_FUNCTION(f) {
        for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
            for (size_t j = 0; j < STRIDE_COUNT * STRIDE_COUNT; j++) {
                ptrdiff_t x = STRIDES[j % STRIDE_COUNT], out = STRIDES[j / STRIDE_COUNT];
                if (out != 0 && (LENGTHS[i] < 1000 || j % 7 == 0))
                    one(f, LENGTHS[i], STRIDES[(i + j) % STRIDE_COUNT], x, out, j % 8);
            }
        }
        interleaved(f);
        inaccessible_gaps(f);
        errors(f);
    }
    return 0;
}
