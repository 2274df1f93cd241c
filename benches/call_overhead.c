/*
 * What a call costs, from C: ns per call of libgelu for short buffers beside one libm call, or ns per element
 * over the size of the buffer beside memcpy. One thread, minimum of many repetitions. Prints a line of JSON.
 *
 *     cc -O2 -Iinclude benches/call_overhead.c -ldl -lm -o call_overhead
 *     ./call_overhead target/release/libgelu.so calls
 *     ./call_overhead target/release/libgelu.so sizes [SECONDS]
 *
 * SECONDS is the time for each size, 0.3 without it.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <gelu.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POINTS = 1024, LONGEST = 64, ROUNDS = 400 };

typedef gelu_status forward_f32(const float *, float *, size_t, gelu_approximation);
typedef gelu_status forward_f64(const double *, double *, size_t, gelu_approximation);
typedef gelu_status backward_f32(const float *, const float *, float *, size_t, gelu_approximation);
typedef gelu_status backward_f64(const double *, const double *, double *, size_t, gelu_approximation);

static forward_f32 *gelu_f32;
static forward_f64 *gelu_f64;
static backward_f32 *gradient_f32;
static backward_f64 *gradient_f64;

static float x32[POINTS + LONGEST], y32[POINTS + LONGEST];
static double x64[POINTS + LONGEST], y64[POINTS + LONGEST];

/* Through pointers that the compiler cannot follow, so that the calls stay. */
static float (*volatile libm_erff)(float) = erff;
static double (*volatile libm_erf)(double) = erf;
static void *(*volatile libc_memcpy)(void *, const void *, size_t) = memcpy;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

/* N(0, 1) by the sum of twelve uniform numbers of a linear congruential generator; ends at 6. */
static double normal(void)
{
    static uint64_t state = 1;
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        sum += (double)(state >> 11) / 9007199254740992.0;
    }
    return sum;
}

static void *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return found;
}

/* POINTS calls of `n` elements of one function, each on another element. */
static void pass(int function, int form, size_t n)
{
    switch (function) {
    case 0: {
        float (*erf_call)(float) = libm_erff;
        for (size_t i = 0; i < POINTS; i++)
            y32[i] = erf_call(x32[i]);
        break;
    }
    case 1:
        for (size_t i = 0; i < POINTS; i++)
            gelu_f32(x32 + i, y32 + i, n, form);
        break;
    case 2:
        for (size_t i = 0; i < POINTS; i++)
            gradient_f32(x32 + i, x32 + i, y32 + i, n, form);
        break;
    case 3: {
        double (*erf_call)(double) = libm_erf;
        for (size_t i = 0; i < POINTS; i++)
            y64[i] = erf_call(x64[i]);
        break;
    }
    case 4:
        for (size_t i = 0; i < POINTS; i++)
            gelu_f64(x64 + i, y64 + i, n, form);
        break;
    default:
        for (size_t i = 0; i < POINTS; i++)
            gradient_f64(x64 + i, x64 + i, y64 + i, n, form);
        break;
    }
}

static void calls(void)
{
    static const char *const names[] = {"erff", "forward_f32", "backward_f32", "erf", "forward_f64", "backward_f64"};
    static const size_t lengths[] = {1, 2, 4, 8, 16, 32, 64};
    enum { LENGTHS = sizeof lengths / sizeof *lengths };
    double best[6][2][LENGTHS];

    for (int i = 0; i < 6 * 2 * LENGTHS; i++)
        (&best[0][0][0])[i] = INFINITY;
    for (int round = 0; round < ROUNDS; round++)
        for (int function = 0; function < 6; function++)
            for (int form = 0; form < (function % 3 == 0 ? 1 : 2); form++)
                for (int i = 0; i < (function % 3 == 0 ? 1 : LENGTHS); i++) {
                    double start, taken;
                    pass(function, form, lengths[i]);
                    start = now();
                    pass(function, form, lengths[i]);
                    taken = (now() - start) / POINTS;
                    if (taken < best[function][form][i])
                        best[function][form][i] = taken;
                }
    printf("\"lengths\": [1, 2, 4, 8, 16, 32, 64], \"ns\": {");
    for (int function = 0; function < 6; function++) {
        if (function % 3 == 0) {
            printf("%s\"%s\": %.3f", function ? ", " : "", names[function], best[function][0][0]);
            continue;
        }
        for (int form = 0; form < 2; form++) {
            printf(", \"%s_%s\": [", names[function], form ? "tanh" : "none");
            for (int i = 0; i < LENGTHS; i++)
                printf("%s%.3f", i ? ", " : "", best[function][form][i]);
            printf("]");
        }
    }
    printf("}");
}

/* ns per element of one call over 2^4 to 2^25 floats, and of memcpy. */
static void sizes(double seconds)
{
    size_t most = (size_t)1 << 25;
    float *x = malloc(most * sizeof *x), *y = malloc(most * sizeof *y);

    if (x == NULL || y == NULL) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    for (size_t i = 0; i < most; i++)
        x[i] = x32[i % POINTS] + (float)(i / POINTS % 64) * 1e-3f;
    memset(y, 0, most * sizeof *y);
    printf("\"points\": [");
    for (size_t n = 16; n <= most; n *= 2) {
        size_t repeat = n < 65536 ? 65536 / n : 1;
        double best[2] = {INFINITY, INFINITY}, begin = now();
        for (int round = 0; round < 3 || now() - begin < 1e9 * seconds; round++)
            for (int which = 0; which < 2; which++) {
                double start = now(), taken;
                for (size_t i = 0; i < repeat; i++) {
                    if (which == 0)
                        gelu_f32(x, y, n, GELU_APPROXIMATION_NONE);
                    else
                        libc_memcpy(y, x, n * sizeof *y);
                }
                taken = (now() - start) / (double)(repeat * n);
                if (taken < best[which])
                    best[which] = taken;
            }
        printf("%s[%zu, %.5f, %.5f]", n > 16 ? ", " : "", n, best[0], best[1]);
    }
    printf("]");
}

int main(int argc, char **argv)
{
    void *library;

    if (argc < 3 || argc > 4 || (strcmp(argv[2], "calls") != 0 && strcmp(argv[2], "sizes") != 0)) {
        fprintf(stderr, "usage: %s path/to/libgelu.so calls|sizes [SECONDS]\n", argv[0]);
        return 2;
    }
    library = dlopen(argv[1], RTLD_NOW);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    *(void **)&gelu_f32 = symbol(library, "gelu_forward_f32");
    *(void **)&gelu_f64 = symbol(library, "gelu_forward_f64");
    *(void **)&gradient_f32 = symbol(library, "gelu_backward_f32");
    *(void **)&gradient_f64 = symbol(library, "gelu_backward_f64");
    {
        const char *(*isa)(void);
        void (*set_threads)(size_t);
        *(void **)&isa = symbol(library, "gelu_isa");
        *(void **)&set_threads = symbol(library, "gelu_set_num_threads");
        set_threads(1);
        printf("{\"isa\": \"%s\", ", isa());
    }
    for (int i = 0; i < POINTS + LONGEST; i++) {
        x64[i] = normal();
        x32[i] = (float)x64[i];
    }
    if (strcmp(argv[2], "calls") == 0)
        calls();
    else
        sizes(argc == 4 ? atof(argv[3]) : 0.3);
    printf("}\n");
    return 0;
}
