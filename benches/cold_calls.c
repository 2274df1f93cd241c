/*
 * What a call costs when the caches are cold: µs of one call on n warm elements after walking over another buffer, as
 * between two calls of a program that runs matrix products. Prints a table in Markdown and the same figures as CSV.
 *
 *     cc -O2 -Iinclude benches/cold_calls.c -ldl -lm -o cold_calls
 *     ./cold_calls target/release/libgelu.so [--walks 0,8,64] [--repeat 101] [--peer NAME=path.so:symbol]...
 *
 * A peer is a float kernel for the exact form forward, void f(size_t bytes, const float *x, float *y, const void *),
 * which is the signature of XNNPACK's micro-kernels. `make bench-cold` builds and runs this.
 *
 * The method, for each figure --repeat times, all functions and peers in turn, and then the median:
 *
 * 1. New numbers from N(0, 1) are copied to x and dy, so that no branch is learnt from the same data.
 * 2. Every line of the other buffer is read, one after the other. 8 MiB evict the first and second level of cache:
 *    what the call needs of tables, code and stack then comes from the last level, if that is larger. 64 MiB evict
 *    that too, where it has no more than about 32 MiB; others want a longer walk. With a walk of 0 the same call was
 *    made just before. Lines are read and not written, so that no write-back goes on during the call, and in order,
 *    since what a prefetcher brings in advance evicts as well. The walk also takes the pages of the tables out of
 *    the translation buffers, as the weights of a product do.
 * 3. 64 Ki no-operations are run. The code of a call is thereby evicted from the first level where that does not
 *    follow the second, and from the cache of decoded instructions. What branch predictors know stays.
 * 4. The buffers of the call are read, and the output written, line by line, the argument last: they are as warm as
 *    their size allows. Nothing warms the stack below the call.
 * 5. The clock is read twice, so that its own code is warm, and again after the call. The median of two readings
 *    without a call between them is subtracted.
 *
 * The buffers begin at different places of a page. The process stays on one core and uses one thread.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <gelu.h>
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LEAST = 256, LENGTHS = 7, MOST = LEAST << (LENGTHS - 1), POOL = 1 << 18, LINE = 64, PAGE = 4096 };
enum { FUNCTIONS = 6, CONTESTANTS = FUNCTIONS + 8, WALKS = 8, REPEATS = 1001 };

typedef void code(void);
typedef gelu_status forward(const void *, void *, size_t, gelu_approximation);
typedef gelu_status backward(const void *, const void *, void *, size_t, gelu_approximation);
typedef void kernel(size_t, const float *, float *, const void *);

struct contestant {
    const char *name, *function, *symbol;
    int form;
    size_t size; /* of an element */
    code *entry;
};

static struct contestant contestants[CONTESTANTS] = {
    {"libgelu", "f32 forward none", "gelu_forward_f32", GELU_APPROXIMATION_NONE, 4, NULL},
    {"libgelu", "f32 backward none", "gelu_backward_f32", GELU_APPROXIMATION_NONE, 4, NULL},
    {"libgelu", "f32 forward tanh", "gelu_forward_f32", GELU_APPROXIMATION_TANH, 4, NULL},
    {"libgelu", "f32 backward tanh", "gelu_backward_f32", GELU_APPROXIMATION_TANH, 4, NULL},
    {"libgelu", "f64 forward none", "gelu_forward_f64", GELU_APPROXIMATION_NONE, 8, NULL},
    {"libgelu", "f64 forward tanh", "gelu_forward_f64", GELU_APPROXIMATION_TANH, 8, NULL},
};
static int contestant_count = FUNCTIONS;

static float pool32[POOL];
static double pool64[POOL];
static char *x, *dy, *y, *other;
static double median_us[CONTESTANTS][WALKS][LENGTHS];

static void fail(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

static uint64_t random_bits(void)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 11;
}

/* N(0, 1) by the sum of twelve uniform numbers; ends at 6. */
static double normal(void)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)random_bits() / 9007199254740992.0;
    return sum;
}

static code *symbol(const char *path, const char *name)
{
    void *library = dlopen(path, RTLD_NOW), *found = library == NULL ? NULL : dlsym(library, name);
    code *entry;

    if (found == NULL)
        fail(dlerror());
    *(void **)&entry = found;
    return entry;
}

static void read_lines(const char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE)
        (void)*(const volatile char *)(from + i);
}

static void write_lines(char *to, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE)
        *(volatile char *)(to + i) = 0;
}

static __attribute__((noinline)) void run_other_code(void)
{
#if defined __GNUC__ && !defined __wasm__
    __asm__ volatile(".rept 65536\n\tnop\n\t.endr");
#endif
}

static void call(const struct contestant *who, size_t n)
{
    if (who >= contestants + FUNCTIONS)
        ((kernel *)who->entry)(n * sizeof(float), (const float *)x, (float *)y, NULL);
    else if (strstr(who->function, "backward") == NULL)
        ((forward *)who->entry)(x, y, n, who->form);
    else
        ((backward *)who->entry)(dy, x, y, n, who->form);
}

static void new_numbers(const struct contestant *who, size_t n)
{
    const char *pool = who->size == 4 ? (const char *)pool32 : (const char *)pool64;
    memcpy(x, pool + random_bits() % (POOL - MOST) * who->size, n * who->size);
    memcpy(dy, pool + random_bits() % (POOL - MOST) * who->size, n * who->size);
}

/* ns of one call, as the head of this file says; without `who` of no call. */
static double measure(const struct contestant *who, size_t n, size_t walk)
{
    size_t bytes = n * (who == NULL ? 4 : who->size);
    double start;

    new_numbers(who == NULL ? contestants : who, n);
    if (walk != 0) {
        read_lines(other, walk);
        run_other_code();
    } else if (who != NULL)
        call(who, n);
    write_lines(y, bytes);
    read_lines(dy, who != NULL && strstr(who->function, "backward") != NULL ? bytes : 0);
    read_lines(x, bytes);
    start = now();
    start = now();
    if (who != NULL)
        call(who, n);
    return now() - start;
}

static int ascending(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return (p > q) - (p < q);
}

static double median(double *samples, int count)
{
    qsort(samples, (size_t)count, sizeof *samples, ascending);
    return samples[count / 2];
}

/* A peer that computes something else would make the table worthless. */
static void check_peers(void)
{
    static float expected[LEAST];

    new_numbers(contestants, LEAST);
    call(contestants, LEAST);
    memcpy(expected, y, sizeof expected);
    for (int who = FUNCTIONS; who < contestant_count; who++) {
        memset(y, 0, sizeof expected);
        call(&contestants[who], LEAST);
        for (int i = 0; i < LEAST; i++)
            if (!(fabsf(((float *)y)[i] - expected[i]) < 1e-3f))
                fail("a peer computes something else");
    }
}

/* The lengths in turn as well, since a processor's clock can change between them. */
static void measure_all(const size_t *walks, int walk_count, int repeat)
{
    static double samples[CONTESTANTS][LENGTHS][REPEATS], nothing[REPEATS];

    for (int walk = 0; walk < walk_count; walk++) {
        double clock_ns;
        for (int i = 0; i < repeat; i++) {
            nothing[i] = measure(NULL, LEAST, walks[walk] << 20);
            for (int length = 0; length < LENGTHS; length++)
                for (int who = 0; who < contestant_count; who++)
                    samples[who][length][i] =
                        measure(&contestants[who], (size_t)LEAST << length, walks[walk] << 20);
        }
        clock_ns = median(nothing, repeat);
        for (int who = 0; who < contestant_count; who++)
            for (int length = 0; length < LENGTHS; length++)
                median_us[who][walk][length] = (median(samples[who][length], repeat) - clock_ns) / 1000;
    }
}

static void print(const size_t *walks, int walk_count)
{
    printf("| µs of one call | after |");
    for (int length = 0; length < LENGTHS; length++)
        printf(" %d |", LEAST << length);
    printf("\n|---|---|");
    for (int length = 0; length < LENGTHS; length++)
        printf("---|");
    for (int who = 0; who < contestant_count; who++)
        for (int walk = 0; walk < walk_count; walk++) {
            printf("\n| %s %s |", contestants[who].name, contestants[who].function);
            printf(walks[walk] != 0 ? " %zu MiB |" : " the same call |", walks[walk]);
            for (int length = 0; length < LENGTHS; length++)
                printf(" %.2f |", median_us[who][walk][length]);
        }
    printf("\n\ncontestant,function,walk_mib,n,us\n");
    for (int who = 0; who < contestant_count; who++)
        for (int walk = 0; walk < walk_count; walk++)
            for (int length = 0; length < LENGTHS; length++)
                printf("%s,%s,%zu,%d,%.4f\n", contestants[who].name, contestants[who].function, walks[walk],
                       LEAST << length, median_us[who][walk][length]);
}

static void add_peer(char *text)
{
    char *path = strchr(text, '='), *name = strrchr(text, ':');

    if (path == NULL || name == NULL || name < path || contestant_count == CONTESTANTS)
        fail("--peer NAME=path.so:symbol, at most eight");
    *path++ = *name++ = '\0';
    contestants[contestant_count++] =
        (struct contestant){text, "f32 forward none", name, GELU_APPROXIMATION_NONE, 4, symbol(path, name)};
}

int main(int argc, char **argv)
{
    size_t walks[WALKS] = {0, 8, 64}, longest = 0;
    int walk_count = 3, repeat = 101;

    if (argc < 2 || argc % 2 != 0)
        fail("usage: cold_calls path/to/libgelu.so [--walks MIB,...] [--repeat N] [--peer NAME=path.so:symbol]...");
    for (int i = 2; i < argc; i += 2)
        if (strcmp(argv[i], "--peer") == 0)
            add_peer(argv[i + 1]);
        else if (strcmp(argv[i], "--repeat") == 0)
            repeat = atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--walks") == 0) {
            walk_count = 0;
            for (char *text = strtok(argv[i + 1], ","); text != NULL && walk_count < WALKS; text = strtok(NULL, ","))
                walks[walk_count++] = strtoul(text, NULL, 10);
        } else
            fail("an unknown option");
    if (repeat < 1 || repeat > REPEATS || walk_count == 0)
        fail("--repeat from 1 to 1001, --walks from 1 to 8");
    for (int i = 0; i < walk_count; i++)
        longest = walks[i] > longest ? walks[i] : longest;
#ifdef __linux__
    {
        cpu_set_t here;
        CPU_ZERO(&here);
        CPU_SET((size_t)sched_getcpu(), &here);
        sched_setaffinity(0, sizeof here, &here);
    }
#endif
    for (int who = 0; who < FUNCTIONS; who++)
        contestants[who].entry = symbol(argv[1], contestants[who].symbol);
    ((void (*)(size_t))symbol(argv[1], "gelu_set_num_threads"))(1);
    {
        size_t each = MOST * sizeof(double) + PAGE;
        char *block = aligned_alloc(PAGE, 4 * each);
        other = malloc((longest << 20) + PAGE);
        if (block == NULL || other == NULL)
            fail("out of memory");
        x = block;
        dy = block + each + 1088;
        y = block + 2 * each + 2176;
        /* Written, so that each page is one of its own and not the shared page of zeros. */
        memset(other, 1, (longest << 20) + PAGE);
        memset(block, 0, 4 * each);
    }
    for (int i = 0; i < POOL; i++) {
        pool64[i] = normal();
        pool32[i] = (float)pool64[i];
    }
    check_peers();
    measure_all(walks, walk_count, repeat);
    print(walks, walk_count);
    return 0;
}
