/* The floating-point control and status registers of this thread, as they are. */
#ifndef FP_CONTROL_H
#define FP_CONTROL_H

#include <fenv.h>
#include <stdint.h>

#include "check.h"

#if defined(__x86_64__)
#include <xmmintrin.h>

/* MXCSR: everything is in one register. */
static inline uint64_t get_control(void)
{
    return _mm_getcsr();
}

static inline void set_control(uint64_t control)
{
    _mm_setcsr((unsigned)control);
}

#define CONTROL_DEFAULT 0x1f80u
#define CONTROL_ROUNDING(mode) ((uint64_t)(mode) << 13)
#define CONTROL_FTZ 0x8000u
#define CONTROL_DAZ 0x0040u
#define CONTROL_FLAGS 0x003fu
/* No exception masked, the one for subnormal operands neither. */
#define CONTROL_UNMASKED 0u

#elif defined(__aarch64__)

/* FPCR in the upper half, FPSR in the lower. */
static inline uint64_t get_control(void)
{
    uint64_t control, status;
    __asm__ volatile("mrs %0, fpcr" : "=r"(control));
    __asm__ volatile("mrs %0, fpsr" : "=r"(status));
    return control << 32 | status;
}

static inline void set_control(uint64_t control)
{
    __asm__ volatile("msr fpcr, %0" : : "r"(control >> 32));
    __asm__ volatile("msr fpsr, %0" : : "r"(control & 0xffffffffu));
}

#define CONTROL_DEFAULT 0u
#define CONTROL_ROUNDING(mode) ((uint64_t)(mode) << 54)
/* FZ flushes inputs and results. */
#define CONTROL_FTZ (UINT64_C(1) << 56)
#define CONTROL_DAZ (UINT64_C(1) << 56)
#define CONTROL_FLAGS 0x9fu
/* A processor without traps ignores these bits. */
#define CONTROL_UNMASKED (UINT64_C(0x9f00) << 32)

#else
#error "no floating-point control for this processor"
#endif

/* What of it the standard functions see; on x86-64 they look at the x87 unit too. */
struct fp_state {
    uint64_t control;
    int rounding, exceptions;
    unsigned short x87;
};

static inline struct fp_state fp_state(void)
{
    struct fp_state state;
    state.control = get_control();
    state.rounding = fegetround();
    state.exceptions = fetestexcept(FE_ALL_EXCEPT);
    state.x87 = 0;
#if defined(__x86_64__)
    __asm__ volatile("fnstcw %0" : "=m"(state.x87));
#endif
    return state;
}

static inline void check_fp_state(struct fp_state before, const char *what)
{
    struct fp_state after = fp_state();
    if (before.control != after.control)
        FAIL("%s: expected the control register %#llx, got %#llx", what, (unsigned long long)before.control,
             (unsigned long long)after.control);
    if (before.rounding != after.rounding || before.exceptions != after.exceptions || before.x87 != after.x87)
        FAIL("%s: expected rounding %#x, exceptions %#x, x87 %#x, got %#x, %#x, %#x", what,
             (unsigned)before.rounding, (unsigned)before.exceptions, before.x87, (unsigned)after.rounding,
             (unsigned)after.exceptions, after.x87);
}

#endif
