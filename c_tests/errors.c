/* The order of the checks, each check's limits, and that a call that fails writes nothing. */
#include "functions.h"

enum { N = 16, ROOM = 4 * N };

static const gelu_approximation WRONG_FORMS[] = {-1, 2, INT32_MAX, INT32_MIN};

/* A pointer that is never followed. */
static char *address(uintptr_t value)
{
    return (char *)value;
}

static void check_status(const struct function *f, gelu_status expected, gelu_status got, const char *what)
{
    if (expected != got)
        FAIL("%s, %s: expected status %d, got %d", f->name, what, expected, got);
}

/* Buffers with a known content, which is to stay. */
struct buffers {
    uint64_t dy[ROOM], x[ROOM], out[ROOM];
};

static void start(const struct function *f, struct buffers *buffers)
{
    size_t n = sizeof buffers->x / f->size;
    fill(f, buffers->dy, n, 1);
    fill(f, buffers->x, n, 2);
    fill(f, buffers->out, n, 3);
}

static void expect_error(const struct function *f, gelu_status expected, const void *dy, const void *x, void *out,
                         size_t n, gelu_approximation form, struct buffers *buffers, const char *what)
{
    struct buffers before = *buffers;
    check_status(f, expected, call_form(f, dy, x, out, n, form), what);
    if (memcmp(&before, buffers, sizeof before) != 0)
        FAIL("%s, %s: a call that failed wrote to a buffer", f->name, what);
}

static void approximations(const struct function *f, struct buffers *b)
{
    size_t lengths[] = {0, 1, N, SIZE_MAX};
    for (size_t i = 0; i < 4; i++) {
        for (size_t j = 0; j < 4; j++) {
            size_t n = lengths[j];
            gelu_approximation form = WRONG_FORMS[i];
            expect_error(f, GELU_ERROR_APPROXIMATION, b->dy, b->x, b->out, n, form, b, "approximation first");
            expect_error(f, GELU_ERROR_APPROXIMATION, NULL, NULL, NULL, n, form, b, "approximation before NULL");
            expect_error(f, GELU_ERROR_APPROXIMATION, b->dy, b->x, (char *)b->x + 1, n, form, b,
                         "approximation before overlap");
        }
    }
}

static void empty(const struct function *f, struct buffers *b)
{
    char *places[] = {NULL, address(1), address(3), address(UINTPTR_MAX), (char *)b->x, (char *)b->x + 1};
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 6; j++)
            for (size_t k = 0; k < 6; k++)
                expect_error(f, GELU_OK, places[i], places[j], places[k], 0, f->form, b, "n == 0");
}

static void sizes(const struct function *f, struct buffers *b)
{
    size_t most = PTRDIFF_MAX / f->size;
    /* The last two wrap around to a small number of bytes. */
    size_t lengths[] = {most + 1, SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / f->size + 1, SIZE_MAX / f->size + 2};
    for (size_t i = 0; i < 5; i++) {
        size_t n = lengths[i];
        expect_error(f, GELU_ERROR_SIZE, b->dy, b->x, b->out, n, f->form, b, "size");
        expect_error(f, GELU_ERROR_SIZE, NULL, NULL, NULL, n, f->form, b, "size before NULL");
        expect_error(f, GELU_ERROR_SIZE, b->dy, b->x, (char *)b->x + 1, n, f->form, b, "size before overlap");
    }
    /* The largest size passes this check and fails the next ones. */
    expect_error(f, GELU_ERROR_NULL_POINTER, NULL, NULL, NULL, most, f->form, b, "the largest size");
    expect_error(f, GELU_ERROR_OVERLAP, b->dy, b->x, b->out, most, f->form, b, "the largest size");
}

/* A buffer that would pass the end of the address space. */
static void wrap_around(const struct function *f, struct buffers *b)
{
    char *high = address(UINTPTR_MAX - N * f->size / 2);
    expect_error(f, GELU_ERROR_SIZE, b->dy, b->x, high, N, f->form, b, "an output at the end of memory");
    expect_error(f, GELU_ERROR_SIZE, b->dy, high, b->out, N, f->form, b, "an x at the end of memory");
    expect_error(f, GELU_ERROR_SIZE, b->dy, high, high, N, f->form, b, "in place at the end of memory");
    expect_error(f, GELU_ERROR_SIZE, b->dy, high, high + 1, N, f->form, b, "an overlap at the end of memory");
    expect_error(f, GELU_ERROR_SIZE, b->dy, NULL, high, N, f->form, b, "a NULL and the end of memory");
    expect_error(f, GELU_ERROR_SIZE, b->dy, high, NULL, N, f->form, b, "the end of memory and a NULL");
    if (f->backward)
        expect_error(f, GELU_ERROR_SIZE, high, b->x, b->out, N, f->form, b, "a dy at the end of memory");
}

static void nulls(const struct function *f, struct buffers *b)
{
    char *overlapping = (char *)b->x + f->size;
    for (int which = 1; which < 8; which++) {
        void *dy = which & 1 ? NULL : b->dy, *x = which & 2 ? NULL : b->x, *out = which & 4 ? NULL : b->out;
        if (which == 1 && !f->backward)
            continue; /* Forward has no dy. */
        expect_error(f, GELU_ERROR_NULL_POINTER, dy, x, out, 1, f->form, b, "NULL, n = 1");
        expect_error(f, GELU_ERROR_NULL_POINTER, dy, x, out, N, f->form, b, "NULL");
    }
    if (f->backward) {
        expect_error(f, GELU_ERROR_NULL_POINTER, NULL, b->x, overlapping, N, f->form, b, "NULL before overlap");
        expect_error(f, GELU_ERROR_NULL_POINTER, overlapping, NULL, b->x, N, f->form, b, "NULL before overlap");
    }
}

static void overlaps(const struct function *f, struct buffers *b)
{
    const ptrdiff_t size = (ptrdiff_t)f->size, length = N * size;
    const ptrdiff_t shifts[] = {1, 3, size - 1, size, size + 1, length / 2, length - size, length - 1};
    for (size_t i = 0; i < 8; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            char *in = (char *)b->x + ROOM * 8 / 2 - length / 2, *out = in + sign * shifts[i];
            expect_error(f, GELU_ERROR_OVERLAP, b->out, in, out, N, f->form, b, "output over x");
            if (!f->backward)
                continue;
            expect_error(f, GELU_ERROR_OVERLAP, in, b->out, out, N, f->form, b, "output over dy");
            /* One input exactly the output does not excuse the other. */
            expect_error(f, GELU_ERROR_OVERLAP, in, out, out, N, f->form, b, "output over dy, equal to x");
            expect_error(f, GELU_ERROR_OVERLAP, out, in, out, N, f->form, b, "output over x, equal to dy");
        }
    }
    /* Of one element only the bytes can overlap. */
    expect_error(f, GELU_ERROR_OVERLAP, b->dy, b->x, (char *)b->x + 1, 1, f->form, b, "one element");
    expect_error(f, GELU_ERROR_OVERLAP, b->dy, (char *)b->x + size - 1, b->x, 1, f->form, b, "one element");
}

/* Buffers that touch, end to start, do not overlap; the inputs may overlap each other in any way. */
static void allowed_neighbours(const struct function *f)
{
    char room[6 * N * 8], dy[N * 8], x[N * 8], expected[N * 8], *middle = room + 3 * N * 8;
    const ptrdiff_t length = (ptrdiff_t)(N * f->size);
    fill(f, room, 6 * N * 8 / f->size, 7);
    for (ptrdiff_t shift = -length; shift <= length; shift++) {
        for (int side = -1; side <= 1; side += 2) {
            /* dy and x share memory; out touches the first or the last of them. */
            char *other = middle + shift, *lowest = shift < 0 ? other : middle;
            char *highest = shift < 0 ? middle : other;
            char *out = side < 0 ? lowest - length : highest + length;
            memcpy(dy, other, (size_t)length);
            memcpy(x, middle, (size_t)length);
            check_status(f, GELU_OK, call(f, dy, x, expected, N), "apart");
            check_status(f, GELU_OK, call(f, other, middle, out, N), "touching");
            check_bytes(f, expected, out, N, "touching");
        }
    }
}

int main(void)
{
    static struct buffers buffers;
    FOR_EACH_FUNCTION(f) {
        start(f, &buffers);
        approximations(f, &buffers);
        empty(f, &buffers);
        sizes(f, &buffers);
        nulls(f, &buffers);
        overlaps(f, &buffers);
        wrap_around(f, &buffers);
        allowed_neighbours(f);
    }
    return 0;
}
