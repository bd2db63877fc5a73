/*
 * The one place where rounding is widened. Arithmetic is round-to-nearest
 * binary64; no code here changes the floating-point environment. A computed
 * value is moved one step outward, which covers the half unit of its rounding.
 */
#ifndef DOSI_NUM_ROUND_H
#define DOSI_NUM_ROUND_H

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "Dosimeter's proofs need IEEE arithmetic: build without -ffast-math"
#endif

static_assert(FLT_RADIX == 2 && DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024,
    "binary64 is assumed");
static_assert(FLT_EVAL_METHOD == 0, "double expressions are rounded once");
static_assert(sizeof(double) == sizeof(int64_t), "binary64 is assumed");

/*
 * The n-th double above x (below it for n < 0), stopping at the infinities:
 * nextafter, n times. The bits of a double order like sign and magnitude.
 *
 * requires  x not NaN, |n| < 2^60
 */
static inline double round_steps(double x, int64_t n)
{
    const int64_t infinity = 0x7ff0000000000000;
    int64_t i;
    memcpy(&i, &x, sizeof i);
    i = i < 0 ? INT64_MIN - i : i; /* -0 and 0 are both 0 */
    i += n;
    i = i > infinity ? infinity : i < -infinity ? -infinity : i;
    i = i < 0 ? INT64_MIN - i : i;
    memcpy(&x, &i, sizeof x);
    return x;
}

/* Certainly >= the exact result that was rounded to nearest as x. */
static inline double round_up(double x)
{
    return isnan(x) ? HUGE_VAL : round_steps(x, 1);
}

/* Certainly <= the exact result that was rounded to nearest as x. */
static inline double round_down(double x)
{
    return isnan(x) ? -HUGE_VAL : round_steps(x, -1);
}

#endif
