/* An output that is exactly an input gets the bits of a call out of place; any byte alignment works; inputs may
 * lie on read-only pages. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "functions.h"

/* The last two are large enough for several threads. */
static const size_t LENGTHS[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100, 131, 1000, 10007, 50021};

struct work {
    size_t n;
    /* The inputs, the output out of place, and room for a call at any alignment. */
    char *dy, *x, *expected, *a, *b, *c;
};

static void in_place(const struct function *f, const struct work *w, size_t shift)
{
    size_t bytes = w->n * f->size;
    char *a = w->a + shift, *b = w->b + shift;

    memcpy(a, w->x, bytes);
    CHECK_EQUAL(GELU_OK, call(f, w->dy, a, a, w->n));
    check_bytes(f, w->expected, a, w->n, "output == x");
    if (!f->backward)
        return;
    memcpy(a, w->dy, bytes);
    memcpy(b, w->x, bytes);
    CHECK_EQUAL(GELU_OK, call(f, a, b, a, w->n));
    check_bytes(f, w->expected, a, w->n, "dx == dy");
    check_bytes(f, w->x, b, w->n, "x after dx == dy");
}

/* dy, x and dx one and the same, against the same values apart. */
static void all_in_one(const struct function *f, const struct work *w, size_t shift)
{
    size_t bytes = w->n * f->size;
    char *a = w->a + shift, *b = w->b + shift;
    if (!f->backward)
        return;
    memcpy(a, w->x, bytes);
    CHECK_EQUAL(GELU_OK, call(f, a, a, b, w->n));
    check_bytes(f, w->x, a, w->n, "dy == x is only read");
    CHECK_EQUAL(GELU_OK, call(f, w->x, w->x, w->c, w->n));
    check_bytes(f, w->c, b, w->n, "dy == x");
    CHECK_EQUAL(GELU_OK, call(f, a, a, a, w->n));
    check_bytes(f, b, a, w->n, "dx == dy == x");
}

/* Each buffer at an alignment of its own, with the bytes around the output unchanged. */
static void misaligned(const struct function *f, const struct work *w, size_t shift)
{
    size_t bytes = w->n * f->size, shifts[3] = {shift, shift * 3 % 8, shift * 5 % 8};
    char *dy = w->a + shifts[0], *x = w->b + shifts[1], *out = w->c + 64 + shifts[2];
    memcpy(dy, w->dy, bytes);
    memcpy(x, w->x, bytes);
    memset(w->c, 0x5a, bytes + 192);
    CHECK_EQUAL(GELU_OK, call(f, dy, x, out, w->n));
    check_bytes(f, w->expected, out, w->n, "misaligned");
    for (char *byte = w->c; byte < w->c + bytes + 192; byte++)
        if ((byte < out || byte >= out + bytes) && *byte != 0x5a)
            FAIL("%s, n = %zu: the byte %td after the start of the output was written", f->name, w->n, byte - out);
}

static void read_only_inputs(const struct function *f, const struct work *w)
{
    size_t bytes = w->n * f->size;
    char *pages = (char *)mmap(NULL, 2 * bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(pages != MAP_FAILED);
    memcpy(pages, w->dy, bytes);
    memcpy(pages + bytes, w->x, bytes);
    CHECK_EQUAL(0, mprotect(pages, 2 * bytes, PROT_READ));
    CHECK_EQUAL(GELU_OK, call(f, pages, pages + bytes, w->a, w->n));
    check_bytes(f, w->expected, w->a, w->n, "inputs on read-only pages");
    CHECK_EQUAL(0, munmap(pages, 2 * bytes));
}

int main(void)
{
    /* So that the long ones are split, on a machine with one core too. */
    gelu_set_num_threads(3);
    FOR_EACH_FUNCTION(f) {
        for (size_t i = 0; i < sizeof LENGTHS / sizeof *LENGTHS; i++) {
            size_t n = LENGTHS[i], room = n * f->size + 256;
            struct work w = {n,
                             (char *)allocate(room),
                             (char *)allocate(room),
                             (char *)allocate(room),
                             (char *)allocate(room),
                             (char *)allocate(room),
                             (char *)allocate(room)};
            fill(f, w.dy, n, 5 + i);
            fill(f, w.x, n, 90 + i);
            CHECK_EQUAL(GELU_OK, call(f, w.dy, w.x, w.expected, n));
            for (size_t shift = 0; shift < 8; shift += n > 1000 ? 3 : 1) {
                in_place(f, &w, shift);
                all_in_one(f, &w, shift);
                misaligned(f, &w, shift);
            }
            read_only_inputs(f, &w);
            free(w.dy);
            free(w.x);
            free(w.expected);
            free(w.a);
            free(w.b);
            free(w.c);
        }
    }
    return 0;
}
