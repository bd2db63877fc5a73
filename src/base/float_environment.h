/*
 * The floating-point environment of a public call. Every bound is derived
 * for rounding to nearest with gradual underflow, and no exception may be
 * trapped. The caller may have set other modes with fesetround or
 * feenableexcept, and a shared library built with -ffast-math sets FTZ and
 * DAZ when it is loaded. So every public function that computes, compares,
 * reads or prints a number starts with
 *
 *     FLOAT_ENVIRONMENT_DEFAULT;
 *     FLOAT_ENVIRONMENT_DEFAULT_FOR(x);
 *
 * the second of these if it has an argument x of type double. Up to the end
 * of the function the environment is the default one; then the caller has
 * his own again, with its exception flags as they were. Calls may be nested.
 * tools/check-environment finds a public function without it.
 *
 * A compiler may move floating-point operations, but not accesses to memory,
 * across the two ends. Arguments in memory are read behind the first end and
 * results are written before the second; the argument x passes through memory
 * behind the first end, so that nothing is computed from it earlier.
 */
#ifndef DOSI_BASE_FLOAT_ENVIRONMENT_H
#define DOSI_BASE_FLOAT_ENVIRONMENT_H

#if defined(__x86_64__)

/*
 * MXCSR governs the arithmetic. The x87 control word does not, but the C
 * library's fegetround, printf and strtod may read it (glibc's do).
 */
typedef struct float_environment {
    unsigned mxcsr;
    unsigned short x87;
} float_environment;

#define MXCSR_MODES 0xffc0U /* rounding, masks, FTZ, DAZ: all but the flags */
#define MXCSR_DEFAULT 0x1f80U
#define X87_MODES 0x0f3fU /* rounding, precision, masks */
#define X87_DEFAULT 0x033fU

static inline float_environment float_environment_enter(void)
{
    float_environment caller;
    __asm__ volatile("stmxcsr %0" : "=m"(caller.mxcsr) : : "memory");
    __asm__ volatile("fnstcw %0" : "=m"(caller.x87) : : "memory");
    if ((caller.mxcsr & MXCSR_MODES) != MXCSR_DEFAULT) {
        unsigned mxcsr = (caller.mxcsr & ~MXCSR_MODES) | MXCSR_DEFAULT;
        __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory");
    }
    if ((caller.x87 & X87_MODES) != X87_DEFAULT) {
        unsigned short x87 = (unsigned short)(
            (caller.x87 & ~X87_MODES) | X87_DEFAULT);
        __asm__ volatile("fldcw %0" : : "m"(x87) : "memory");
    }
    return caller;
}

/* Nothing here computes on the x87, so its flags are the caller's. */
static inline void float_environment_leave(const float_environment *caller)
{
    __asm__ volatile("ldmxcsr %0" : : "m"(caller->mxcsr) : "memory");
    if ((caller->x87 & X87_MODES) != X87_DEFAULT)
        __asm__ volatile("fldcw %0" : : "m"(caller->x87) : "memory");
}

#elif defined(__wasm__) /* it has one environment, the default */

typedef char float_environment;

static inline float_environment float_environment_enter(void)
{
    return 0;
}

static inline void float_environment_leave(const float_environment *caller)
{
    (void)caller;
}

#else

#include <fenv.h>

typedef fenv_t float_environment;

static inline float_environment float_environment_enter(void)
{
    float_environment caller;
    (void)fegetenv(&caller);
    (void)fesetenv(FE_DFL_ENV);
    return caller;
}

static inline void float_environment_leave(const float_environment *caller)
{
    (void)fesetenv(caller);
}

#endif

#define FLOAT_ENVIRONMENT_DEFAULT \
    __attribute__((cleanup(float_environment_leave), unused)) \
    const float_environment float_environment_of_caller = \
        float_environment_enter()

#define FLOAT_ENVIRONMENT_DEFAULT_FOR(x) \
    FLOAT_ENVIRONMENT_DEFAULT; \
    __asm__ volatile("" : "+m"(x) : : "memory")

#endif
