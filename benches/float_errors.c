/*
 * The error of the four float functions over the floats, in units in the last place (ULP), against libgelu's double
 * functions, which are within a ULP of double: the worst one with its argument, and the largest in each bin of x.
 * Takes every STEP-th of the finite floats by their bits; 1 takes them all. Prints a line of JSON; what it has found so
 * far goes to the standard error.
 *
 *     cc -O3 -Iinclude benches/float_errors.c -ldl -lm -lpthread -o float_errors
 *     ./float_errors target/release/libgelu.so 1
 *     ./float_errors target/release/libgelu.so 101 libm_loop.so
 *
 * With a third argument the floats come from there: benches/peers/libm_loop.c, compiled as a shared library.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <gelu.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LOW (-15.0f)
#define HIGH 6.0f
/* The floats with the same upper 16 bits are a block. CHUNK of them at a time stay in the cache. */
enum { BINS = 400, BLOCK = 1 << 16, BLOCKS = 1 << 16, CHUNK = 2048, MOST_THREADS = 64 };

typedef gelu_status forward_f32(const float *, float *, size_t, gelu_approximation);
typedef gelu_status backward_f32(const float *, const float *, float *, size_t, gelu_approximation);
typedef gelu_status forward_f64(const double *, double *, size_t, gelu_approximation);
typedef gelu_status backward_f64(const double *, const double *, double *, size_t, gelu_approximation);
typedef void plain_forward(const float *, float *, size_t);
typedef void plain_backward(const float *, const float *, float *, size_t);

struct function {
    const char *name;
    int backward;
    gelu_approximation form;
};

static const struct function FUNCTIONS[] = {
    {"forward_none", 0, GELU_APPROXIMATION_NONE},
    {"backward_none", 1, GELU_APPROXIMATION_NONE},
    {"forward_tanh", 0, GELU_APPROXIMATION_TANH},
    {"backward_tanh", 1, GELU_APPROXIMATION_TANH},
};

static forward_f32 *forward_float;
static backward_f32 *backward_float;
static forward_f64 *forward_double;
static backward_f64 *backward_double;
static void *other;
static uint32_t step;

/* What one thread works on and has found. */
struct work {
    const struct function *function;
    void *plain; /* the function of the other library */
    float dy[CHUNK], x[CHUNK], got[CHUNK];
    double wide_dy[CHUNK], wide[CHUNK], exact[CHUNK], error[CHUNK];
    double worst, bins[BINS];
    float worst_x;
    uint64_t count;
};

static atomic_uint next_block;

static void *symbol(void *library, const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return found;
}

static void *open_library(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    if (library == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
    return library;
}

static void call(struct work *work, size_t n)
{
    const struct function *function = work->function;
    gelu_status status = GELU_OK;
    if (function->backward)
        status |= backward_double(work->wide_dy, work->wide, work->exact, n, function->form);
    else
        status |= forward_double(work->wide, work->exact, n, function->form);
    if (work->plain != NULL && function->backward)
        (*(plain_backward **)&work->plain)(work->dy, work->x, work->got, n);
    else if (work->plain != NULL)
        (*(plain_forward **)&work->plain)(work->x, work->got, n);
    else if (function->backward)
        status |= backward_float(work->dy, work->x, work->got, n, function->form);
    else
        status |= forward_float(work->x, work->got, n, function->form);
    if (status != GELU_OK) {
        fprintf(stderr, "%s failed\n", function->name);
        exit(1);
    }
}

/* |got - exact| / ulp(exact), the subnormal spacing at the bottom; infinite where `got` is not finite. */
static double ulps(float got, double exact)
{
    uint64_t bits, exponent;
    double per_ulp, error;
    memcpy(&bits, &exact, sizeof bits);
    exponent = bits >> 52 & 0x7ff;
    if (exponent < 1023 - 126)
        exponent = 1023 - 126;
    bits = (2 * 1023 + 23 - exponent) << 52; /* 2 to the power 23 - exponent */
    memcpy(&per_ulp, &bits, sizeof bits);
    error = fabs((double)got - exact) * per_ulp;
    return error == error ? error : (double)INFINITY;
}

static int bin_of(float x)
{
    return x < LOW || x >= HIGH ? -1 : (int)((x - LOW) * (BINS / (HIGH - LOW)));
}

static void take(struct work *work, int bin, double error)
{
    if (bin >= 0 && bin < BINS && error > work->bins[bin])
        work->bins[bin] = error;
}

/* The errors of the first n arguments of the chunk, which lie in order. */
static void check_chunk(struct work *work, size_t n)
{
    double most = 0;
    int bin = bin_of(work->x[0]);

    call(work, n);
    for (size_t i = 0; i < n; i++)
        work->error[i] = ulps(work->got[i], work->exact[i]);
    for (size_t i = 0; i < n; i++)
        most = work->error[i] > most ? work->error[i] : most;
    if (bin == bin_of(work->x[n - 1]))
        take(work, bin, most);
    else
        for (size_t i = 0; i < n; i++)
            take(work, bin_of(work->x[i]), work->error[i]);
    if (most > work->worst)
        for (size_t i = 0; i < n; i++)
            if (work->error[i] > work->worst) {
                work->worst = work->error[i];
                work->worst_x = work->x[i];
            }
    work->count += n;
}

static void check_block(struct work *work, uint32_t block)
{
    uint32_t first = block * BLOCK, low = (step - first % step) % step;
    while (low < BLOCK) {
        size_t n = 0;
        for (; n < CHUNK && low < BLOCK; low += step, n++) {
            uint32_t bits = first + low;
            memcpy(&work->x[n], &bits, sizeof bits);
            work->wide[n] = work->x[n];
        }
        check_chunk(work, n);
    }
}

static void *run(void *argument)
{
    struct work *work = argument;
    uint32_t block;
    while ((block = atomic_fetch_add(&next_block, 1)) < BLOCKS) {
        if ((block & 0x7fff) < 0x7f80) /* beyond are infinities and NaN */
            check_block(work, block);
        if (block % 1024 == 0 && isatty(2))
            fprintf(stderr, "\r%s: %u %%  ", work->function->name, 100 * block / BLOCKS);
    }
    return NULL;
}

static void check(const struct function *function, struct work *works, size_t threads)
{
    pthread_t ids[MOST_THREADS];
    struct work *all = &works[0];
    char name[32];
    uint32_t bits;

    atomic_store(&next_block, 0);
    snprintf(name, sizeof name, "%s_f32", function->name);
    for (size_t i = 0; i < threads; i++) {
        works[i].function = function;
        works[i].plain = other != NULL ? symbol(other, name) : NULL;
        works[i].worst = -1;
        works[i].count = 0;
        memset(works[i].bins, 0, sizeof works[i].bins);
    }
    for (size_t i = 1; i < threads; i++)
        if (pthread_create(&ids[i], NULL, run, &works[i]) != 0) {
            fprintf(stderr, "no thread can be made\n");
            exit(1);
        }
    run(all);
    for (size_t i = 1; i < threads; i++) {
        pthread_join(ids[i], NULL);
        for (int bin = 0; bin < BINS; bin++)
            take(all, bin, works[i].bins[bin]);
        if (works[i].worst > all->worst) {
            all->worst = works[i].worst;
            all->worst_x = works[i].worst_x;
        }
        all->count += works[i].count;
    }
    memcpy(&bits, &all->worst_x, sizeof bits);
    fprintf(stderr, "%s%s: at most %.4f ULP, at %.9g (0x%08x), of %llu floats\n", isatty(2) ? "\r" : "",
            function->name, all->worst, all->worst_x, bits, (unsigned long long)all->count);
    /* "Infinity" is what Python reads and writes, C's inf is not. */
    printf("\"%s\": {\"count\": %llu, \"error\": %s", function->name, (unsigned long long)all->count,
           isinf(all->worst) ? "Infinity" : "");
    if (!isinf(all->worst))
        printf("%.6f", all->worst);
    printf(", \"x\": \"%a\", \"bins\": [", all->worst_x);
    for (int bin = 0; bin < BINS; bin++)
        printf(isinf(all->bins[bin]) ? "%sInfinity" : "%s%.4g", bin > 0 ? ", " : "", all->bins[bin]);
    printf("]}");
}

int main(int argc, char **argv)
{
    const size_t functions = sizeof FUNCTIONS / sizeof *FUNCTIONS;
    void *library;
    struct work *works;
    size_t threads;
    size_t (*get_threads)(void);
    void (*set_threads)(size_t);
    const char *(*isa)(void);

    step = argc == 3 || argc == 4 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    if (step < 1 || step >= BLOCK) {
        fprintf(stderr, "usage: float_errors path/to/libgelu.so STEP [path/to/libm_loop.so]\n");
        return 2;
    }
    library = open_library(argv[1]);
    other = argc == 4 ? open_library(argv[3]) : NULL;
    *(void **)&forward_float = symbol(library, "gelu_forward_f32");
    *(void **)&backward_float = symbol(library, "gelu_backward_f32");
    *(void **)&forward_double = symbol(library, "gelu_forward_f64");
    *(void **)&backward_double = symbol(library, "gelu_backward_f64");
    *(void **)&get_threads = symbol(library, "gelu_get_num_threads");
    *(void **)&set_threads = symbol(library, "gelu_set_num_threads");
    *(void **)&isa = symbol(library, "gelu_isa");
    threads = get_threads() < MOST_THREADS ? get_threads() : MOST_THREADS;
    set_threads(1);
    works = malloc(threads * sizeof *works);
    if (works == NULL) {
        fprintf(stderr, "out of memory\n");
        return 1;
    }
    for (size_t i = 0; i < threads; i++)
        for (size_t j = 0; j < CHUNK; j++)
            works[i].dy[j] = works[i].wide_dy[j] = 1;
    printf("{\"isa\": \"%s\", \"step\": %u, \"low\": %g, \"high\": %g, \"functions\": {", isa(), step, LOW, HIGH);
    for (size_t i = 0; i < functions; i++) {
        printf("%s", i > 0 ? ", " : "");
        check(&FUNCTIONS[i], works, threads);
    }
    printf("}}\n");
    free(works);
    return 0;
}
