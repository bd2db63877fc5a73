/*
 * A ball of one double: a midpoint with a radius, for sums of many terms that
 * need a dozen digits. Some ten times as fast as num/ball.h. The C library's
 * functions are trusted within the allowance of num/elem.h.
 *
 * Charges: a rounded operation is off by at most 2^-53 of its result, or by
 * 2^-1075 if it underflows; a library function by ELEM_ULPS = 4 steps, each at
 * most 2^-52 of the result. DBALL_UNIT and DBALL_LIBRARY are greater, and
 * absorb the rounding of the radius. Overflow leaves an infinite or NaN radius,
 * which stays: readers of a dball test dball_is_known.
 */
#ifndef DOSI_NUM_DBALL_H
#define DOSI_NUM_DBALL_H

#include <stdbool.h>

#include "ball.h"

typedef struct dball {
    double mid;
    double rad;
} dball;

#define DBALL_UNIT 0x1p-52
#define DBALL_LIBRARY 0x1p-49
#define DBALL_TINY 0x1p-1060
#define DBALL_SLACK (1 + 0x1p-47) /* of a few operations on radii */

static inline dball dball_of(double x)
{
    return (dball){x, 0};
}

/* A dball that contains the ball. */
static inline dball dball_of_ball(ball x)
{
    double mid = x.hi + x.lo;
    return (dball){mid, (fabs(mid) * DBALL_UNIT + x.rad) * DBALL_SLACK};
}

static inline bool dball_is_known(dball x)
{
    return fabs(x.mid) <= DBL_MAX && x.rad <= DBL_MAX;
}

static inline dball dball_neg(dball a)
{
    return (dball){-a.mid, a.rad};
}

static inline dball dball_add(dball a, dball b)
{
    double mid = a.mid + b.mid;
    return (dball){
        mid, (a.rad + b.rad + fabs(mid) * DBALL_UNIT) * DBALL_SLACK};
}

static inline dball dball_sub(dball a, dball b)
{
    return dball_add(a, dball_neg(b));
}

static inline dball dball_mul(dball a, dball b)
{
    double mid = a.mid * b.mid;
    double rad = fabs(a.mid) * b.rad + (fabs(b.mid) + b.rad) * a.rad;
    return (dball){
        mid, (rad + fabs(mid) * DBALL_UNIT) * DBALL_SLACK + DBALL_TINY};
}

/* |e^(m+d) - e^m| <= e^m (r + r^2) for |d| <= r <= 1. */
static inline dball dball_exp(dball x)
{
    double mid = exp(x.mid), r = x.rad;
    double most = r <= 1 ? r + r * r : HUGE_VAL;
    return (dball){
        mid, mid * (most + DBALL_LIBRARY) * DBALL_SLACK + DBALL_TINY};
}

static inline dball dball_expm1(dball x)
{
    double mid = expm1(x.mid), r = x.rad;
    double most = r <= 1 ? r + r * r : HUGE_VAL;
    double slope = fabs(mid + 1) + DBALL_LIBRARY; /* >= e^m up to DBALL_SLACK */
    double rad = slope * most + fabs(mid) * DBALL_LIBRARY;
    return (dball){mid, rad * DBALL_SLACK + DBALL_TINY};
}

/* |log(1 + m + d) - log(1 + m)| <= r/(1 + m - r). */
static inline dball dball_log1p(dball x)
{
    double mid = log1p(x.mid), least = 1 + x.mid - x.rad;
    double rad = x.rad / least + fabs(mid) * DBALL_LIBRARY;
    bool is_clear = least > 4 * x.rad; /* then least keeps its digits */
    return (dball){mid, is_clear ? rad * DBALL_SLACK + DBALL_TINY : HUGE_VAL};
}

static inline dball dball_log(dball x)
{
    double mid = log(x.mid), least = x.mid - x.rad;
    double rad = x.rad / least + fabs(mid) * DBALL_LIBRARY;
    bool is_clear = least > 4 * x.rad;
    return (dball){mid, is_clear ? rad * DBALL_SLACK + DBALL_TINY : HUGE_VAL};
}

#endif
