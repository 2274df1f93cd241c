/* The caller's floating-point environment changes no result, raises no signal, and is the same after the call;
 * in the main thread and in another, on the caller's thread alone and with workers. */
#define _GNU_SOURCE
#include <math.h>
#include <pthread.h>

#include "fp_control.h"
#include "functions.h"

/* The large one is split over threads. */
enum { SMALL = 300, LARGE = 20011 };

static uint64_t dy[8][LARGE], x[8][LARGE], expected[8][LARGE];

/* Inputs that raise every exception somewhere: NaN of both kinds, infinities, subnormals, results that underflow,
 * huge values. */
static void fill_with_everything(const struct function *f, uint64_t *dys, uint64_t *xs)
{
    uint64_t infinity = bits_of(f, INFINITY), sign = UINT64_C(1) << (f->size * 8 - 1);
    uint64_t largest = infinity - 1, quiet = UINT64_C(1) << (f->size == 4 ? 22 : 51);
    const uint64_t special[] = {infinity,           infinity | sign,      infinity | quiet, infinity | 1,
                                infinity | 1 | sign, 0,                   sign,             1,
                                1 | sign,           0x12345,              largest,          largest | sign,
                                bits_of(f, 1e-30),  bits_of(f, -13.9),    bits_of(f, -38.2), bits_of(f, -10.7),
                                bits_of(f, -21.4),  bits_of(f, f->size == 4 ? 1e-38 : 3e-308)};
    const size_t count = sizeof special / sizeof *special;
    fill(f, dys, LARGE, 3);
    fill(f, xs, LARGE, 4);
    for (size_t i = 0; i < LARGE; i += 3) {
        put(f, xs, i, special[i / 3 % count]);
        if (i % 2)
            put(f, dys, i, special[i / 5 % count]);
    }
}

/* No floating-point operation of this file runs between the two changes of the register. */
static void calls_under(uint64_t control, const char *what)
{
    uint64_t *out = (uint64_t *)allocate(LARGE * 8);
    for (int i = 0; i < 8; i++) {
        const struct function *f = &FUNCTIONS[i];
        for (size_t n = SMALL; n <= LARGE; n += LARGE - SMALL) {
            uint64_t usual = get_control(), after;
            struct fp_state before;
            gelu_status status;
            memset(out, 0, LARGE * 8);
            set_control(control);
            before = fp_state();
            status = call(f, dy[i], x[i], out, n);
            after = get_control();
            check_fp_state(before, what);
            set_control(usual);
            CHECK_EQUAL(GELU_OK, status);
            CHECK_EQUAL(control, after);
            check_bytes(f, expected[i], out, n, what);
        }
    }
    free(out);
}

/* The other functions, whose first calls read the environment and files. */
static void other_functions_under(uint64_t control, const char *what)
{
    uint64_t usual = get_control();
    struct fp_state before;
    size_t threads;
    set_control(control);
    before = fp_state();
    gelu_isa();
    gelu_version();
    gelu_status_string(7);
    threads = gelu_get_num_threads();
    gelu_set_num_threads(3);
    gelu_shutdown();
    check_fp_state(before, what);
    set_control(usual);
    CHECK(threads >= 1);
}

/* A processor may not have every bit. */
static int has(uint64_t control)
{
    uint64_t usual = get_control(), got;
    set_control(control);
    got = get_control();
    set_control(usual);
    return got == control;
}

static void try(uint64_t control, const char *what)
{
    if (!has(control))
        return;
    /* Without flags and with all of them: neither is one added nor one taken away. */
    calls_under(control, what);
    calls_under(control | CONTROL_FLAGS, what);
    other_functions_under(control, what);
}

static void *every_environment(void *argument)
{
    static const char *const names[] = {"rounding mode 0", "rounding mode 1", "rounding mode 2", "rounding mode 3"};
    /* Unmasked first: the workers are made in it. */
    try(CONTROL_UNMASKED, "unmasked exceptions");
    for (unsigned mode = 0; mode < 4; mode++)
        try(CONTROL_DEFAULT | CONTROL_ROUNDING(mode), names[mode]);
    try(CONTROL_DEFAULT | CONTROL_FTZ, "flush to zero");
    try(CONTROL_DEFAULT | CONTROL_DAZ, "denormals are zero");
    try(CONTROL_DEFAULT | CONTROL_FTZ | CONTROL_DAZ | CONTROL_ROUNDING(1), "all of them");
    return argument;
}

/* The same through the C library, which sets the x87 unit as well. */
static void *standard_functions(void *argument)
{
    static const int modes[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
    fenv_t usual;
    CHECK_EQUAL(0, fegetenv(&usual));
    for (int i = 0; i < 4; i++) {
        CHECK_EQUAL(0, fesetround(modes[i]));
        CHECK_EQUAL(0, feraiseexcept(i % 2 ? FE_INEXACT | FE_UNDERFLOW : FE_DIVBYZERO));
        calls_under(get_control(), "fesetround");
        CHECK_EQUAL(modes[i], fegetround());
    }
    CHECK_EQUAL(0, fesetenv(&usual));
    feclearexcept(FE_ALL_EXCEPT);
    /* -1 where the processor has no traps. */
    if (feenableexcept(FE_ALL_EXCEPT) != -1) {
        calls_under(get_control(), "feenableexcept");
        CHECK_EQUAL(FE_ALL_EXCEPT, fegetexcept());
    }
    CHECK_EQUAL(0, fesetenv(&usual));
    return argument;
}

int main(void)
{
    pthread_t thread;
    struct fp_state start = fp_state();
    CHECK_EQUAL(CONTROL_DEFAULT, start.control);
    for (int i = 0; i < 8; i++)
        fill_with_everything(&FUNCTIONS[i], dy[i], x[i]);
    set_control(CONTROL_DEFAULT);
    /* The first calls of all, so that what they set up is done in it as well. */
    if (has(CONTROL_UNMASKED))
        other_functions_under(CONTROL_UNMASKED, "the first calls");
    gelu_set_num_threads(1);
    for (int i = 0; i < 8; i++)
        CHECK_EQUAL(GELU_OK, call(&FUNCTIONS[i], dy[i], x[i], expected[i], LARGE));
    gelu_set_num_threads(3);

    every_environment(NULL);
    standard_functions(NULL);
    CHECK_EQUAL(0, pthread_create(&thread, NULL, every_environment, NULL));
    CHECK_EQUAL(0, pthread_join(thread, NULL));
    CHECK_EQUAL(0, pthread_create(&thread, NULL, standard_functions, NULL));
    CHECK_EQUAL(0, pthread_join(thread, NULL));
    return 0;
}
