/* Loading and unloading at run time; this program is not linked with the library, whose path is the first argument, the
 * second is the name of its gelu_forward_f32.
 * Loading changes nothing of the floating-point environment; 50 threads each load, call, unload and end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>

#include "check.h"
#include "fp_control.h"

enum { N = 1000000, TIMES = 50 };

typedef int32_t forward_f32(const float *, float *, size_t, int32_t);

static float x[N], y[N];
static const char *name;

/* GELU(-6) and GELU(1), each within one step of the correctly rounded value. */
static const float smallest[] = {-0x1.96c968p-28f, 0x1.aec4bcp-1f}, largest[] = {-0x1.96c964p-28f, 0x1.aec4c0p-1f};

static void *load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        FAIL("%s", dlerror());
    return library;
}

static void *load_call_unload(void *path)
{
    struct fp_state before;
    void *library, *symbol;
    forward_f32 *forward;
    set_control(CONTROL_DEFAULT | CONTROL_ROUNDING(1) | CONTROL_FTZ | CONTROL_DAZ);
    before = fp_state();
    library = load((const char *)path);
    check_fp_state(before, "dlopen");
    symbol = dlsym(library, name);
    CHECK(symbol != NULL);
    memcpy(&forward, &symbol, sizeof forward);
    memset(y, 0, sizeof y);
    CHECK_EQUAL(0, forward(x, y, N, 0));
    check_fp_state(before, "a call");
    CHECK_EQUAL(0, dlclose(library));
    check_fp_state(before, "dlclose");
    set_control(CONTROL_DEFAULT);
    for (size_t i = 0; i < N; i++)
        if (!(y[i] >= smallest[i % 2] && y[i] <= largest[i % 2]))
            FAIL("element %zu: expected %a .. %a, got %a", i, (double)smallest[i % 2], (double)largest[i % 2],
                 (double)y[i]);
    return NULL;
}

int main(int argc, char **argv)
{
    struct fp_state before = fp_state();
    CHECK_EQUAL(3, argc);
    name = argv[2];
    CHECK_EQUAL(0, dlclose(load(argv[1])));
    check_fp_state(before, "dlopen and dlclose in the main thread");
    for (size_t i = 0; i < N; i++)
        x[i] = i % 2 ? 1.0f : -6.0f;
    for (int i = 0; i < TIMES; i++) {
        pthread_t thread;
        CHECK_EQUAL(0, pthread_create(&thread, NULL, load_call_unload, argv[1]));
        CHECK_EQUAL(0, pthread_join(thread, NULL));
    }
    return 0;
}
