/*
 * The one place where rounding is widened. Arithmetic is round-to-nearest
 * binary64; nobody touches the floating-point environment. A computed value
 * is moved one step outward, which covers the half unit of its rounding.
 */
#ifndef DOSI_NUM_ROUND_H
#define DOSI_NUM_ROUND_H

#include <assert.h>
#include <float.h>
#include <math.h>

#ifdef __FAST_MATH__
#error "Dosimeter's proofs need IEEE arithmetic: build without -ffast-math"
#endif

static_assert(FLT_RADIX == 2 && DBL_MANT_DIG == 53 && DBL_MAX_EXP == 1024,
    "binary64 is assumed");
static_assert(FLT_EVAL_METHOD == 0, "double expressions are rounded once");

/* Certainly >= the exact result that was rounded to nearest as x. */
static inline double round_up(double x)
{
    return isnan(x) ? HUGE_VAL : nextafter(x, HUGE_VAL);
}

/* Certainly <= the exact result that was rounded to nearest as x. */
static inline double round_down(double x)
{
    return isnan(x) ? -HUGE_VAL : nextafter(x, -HUGE_VAL);
}

#endif
