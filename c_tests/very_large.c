/* 2^31 + 7 elements, float backward and double forward: right at both ends, in between, around element 2^31 and
 * around byte 2^32.
 *
 * The memory stays small: the inputs are one file in memory mapped again and again, and so is the output, but for
 * windows of pages of their own, whose content is compared with that of small calls. The period divides neither 2^31
 * nor 2^32 bytes, so that an offset cut to 31 or 32 bits meets other values; and as input and output repeat
 * together, all writers of a shared element write the same bits, which are compared too. */
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

#include "functions.h"

/* A prime number of pages of 64 KiB; dy starts SHIFT bytes after x. */
enum { PAGE = 1 << 16, PERIOD = 509 * PAGE, SHIFT = 101 * PAGE, WINDOW = 1 << 20, WINDOWS = 5 };

static const size_t N = ((size_t)1 << 31) + 7;

static char expected[PERIOD];

static int file_in_memory(const char *name)
{
    int file = memfd_create(name, 0);
    CHECK(file >= 0);
    CHECK_EQUAL(0, ftruncate(file, PERIOD));
    return file;
}

static void map(char *at, size_t bytes, int file)
{
    int flags = MAP_FIXED | (file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED);
    if (mmap(at, bytes, PROT_READ | PROT_WRITE, flags, file, 0) != (void *)at)
        FAIL("mmap of %zu bytes", bytes);
}

/* Room for `bytes`, the file in every period of it. */
static char *repeated(int file, size_t bytes)
{
    void *room = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        FAIL("the address space has no %zu bytes", bytes);
    for (size_t at = 0; at < bytes; at += PERIOD)
        map((char *)room + at, PERIOD, file);
    return (char *)room;
}

static void check_function(const struct function *f, int input, int output)
{
    size_t bytes = N * f->size, room = (bytes / PERIOD + 2) * PERIOD, element = ((size_t)1 << 31) * f->size;
    /* The last one holds the end and what is behind it. */
    size_t windows[WINDOWS] = {0, ((size_t)1 << 32) - WINDOW / 2, bytes / 3 / WINDOW * WINDOW,
                               element - WINDOW, element};
    char *inputs = repeated(input, room + PERIOD), *out = repeated(output, room);
    char *x = inputs, *dy = inputs + SHIFT;
    fill(f, inputs, PERIOD / f->size, f->size);
    memset(out, 0x5a, PERIOD);
    for (int i = 0; i < WINDOWS; i++) {
        map(out + windows[i], WINDOW, -1);
        memset(out + windows[i], 0x5a, WINDOW);
    }

    CHECK_EQUAL(GELU_OK, call(f, dy, x, out, N));

    for (int i = 0; i < WINDOWS; i++) {
        size_t length = windows[i] + WINDOW <= bytes ? WINDOW : bytes - windows[i];
        char what[64];
        snprintf(what, sizeof what, "from byte %zu on", windows[i]);
        CHECK_EQUAL(GELU_OK, call(f, dy + windows[i], x + windows[i], expected, length / f->size));
        check_bytes(f, expected, out + windows[i], length / f->size, what);
        for (size_t k = length; k < WINDOW; k++)
            if (out[windows[i] + k] != 0x5a)
                FAIL("%s: written %zu bytes behind the end", f->name, k - length);
    }
    /* The second period has no window. */
    CHECK_EQUAL(GELU_OK, call(f, dy, x, expected, PERIOD / f->size));
    check_bytes(f, expected, out + PERIOD, PERIOD / f->size, "between the windows");

    CHECK_EQUAL(0, munmap(inputs, room + PERIOD));
    CHECK_EQUAL(0, munmap(out, room));
    CHECK_EQUAL(GELU_ERROR_SIZE, call(f, expected, expected, expected, (size_t)PTRDIFF_MAX / f->size + 1));
    CHECK_EQUAL(GELU_ERROR_SIZE, call(f, expected, expected, expected, SIZE_MAX));
}

int main(void)
{
    int input = file_in_memory("input"), output = file_in_memory("output");
    /* Float backward and double forward: the walk through so many pages is what takes the time. */
    check_function(FUNCTIONS + 5, input, output);
    check_function(FUNCTIONS + 3, input, output);
    return 0;
}
