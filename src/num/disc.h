/*
 * A ball of one double: a midpoint with a radius, for sums of many terms of
 * which a dozen digits are enough. Some ten times as fast as num/ball.h. The
 * C library's functions are trusted as far as num/elem.h says.
 *
 * Charges: a rounded operation is off by at most 2^-53 of its result, or by
 * 2^-1075 where it underflows; a library function by ELEM_ULPS = 4 steps,
 * each at most 2^-52 of the result. DISC_UNIT and DISC_LIBRARY are more than
 * that, and absorb that a radius is itself rounded. Overflow leaves an
 * infinite or NaN radius behind, which stays: who reads a disc asks
 * disc_is_known.
 */
#ifndef DOSI_NUM_DISC_H
#define DOSI_NUM_DISC_H

#include <stdbool.h>

#include "ball.h"

typedef struct disc {
    double mid;
    double rad;
} disc;

#define DISC_UNIT 0x1p-52
#define DISC_LIBRARY 0x1p-49
#define DISC_TINY 0x1p-1060
#define DISC_SLACK (1 + 0x1p-47) /* of a few operations on radii */

static inline disc disc_of(double x)
{
    return (disc){x, 0};
}

/* Contains the ball. */
static inline disc disc_of_ball(ball x)
{
    double mid = x.hi + x.lo;
    return (disc){mid, (fabs(mid) * DISC_UNIT + x.rad) * DISC_SLACK};
}

static inline bool disc_is_known(disc x)
{
    return fabs(x.mid) <= DBL_MAX && x.rad <= DBL_MAX;
}

static inline disc disc_neg(disc a)
{
    return (disc){-a.mid, a.rad};
}

static inline disc disc_add(disc a, disc b)
{
    double mid = a.mid + b.mid;
    return (disc){
        mid, (a.rad + b.rad + fabs(mid) * DISC_UNIT) * DISC_SLACK};
}

static inline disc disc_sub(disc a, disc b)
{
    return disc_add(a, disc_neg(b));
}

static inline disc disc_mul(disc a, disc b)
{
    double mid = a.mid * b.mid;
    double rad = fabs(a.mid) * b.rad + (fabs(b.mid) + b.rad) * a.rad;
    return (disc){
        mid, (rad + fabs(mid) * DISC_UNIT) * DISC_SLACK + DISC_TINY};
}

/* |e^(m+d) - e^m| <= e^m (r + r^2) for |d| <= r <= 1. */
static inline disc disc_exp(disc x)
{
    double mid = exp(x.mid), r = x.rad;
    double most = r <= 1 ? r + r * r : HUGE_VAL;
    return (disc){
        mid, mid * (most + DISC_LIBRARY) * DISC_SLACK + DISC_TINY};
}

static inline disc disc_expm1(disc x)
{
    double mid = expm1(x.mid), r = x.rad;
    double most = r <= 1 ? r + r * r : HUGE_VAL;
    double slope = fabs(mid + 1) + DISC_LIBRARY; /* >= e^m, but for slack */
    double rad = slope * most + fabs(mid) * DISC_LIBRARY;
    return (disc){mid, rad * DISC_SLACK + DISC_TINY};
}

/* |log(1 + m + d) - log(1 + m)| <= r/(1 + m - r). */
static inline disc disc_log1p(disc x)
{
    double mid = log1p(x.mid), least = 1 + x.mid - x.rad;
    double rad = x.rad / least + fabs(mid) * DISC_LIBRARY;
    bool far = least > 4 * x.rad; /* so that least keeps its digits */
    return (disc){mid, far ? rad * DISC_SLACK + DISC_TINY : HUGE_VAL};
}

static inline disc disc_log(disc x)
{
    double mid = log(x.mid), least = x.mid - x.rad;
    double rad = x.rad / least + fabs(mid) * DISC_LIBRARY;
    bool far = least > 4 * x.rad;
    return (disc){mid, far ? rad * DISC_SLACK + DISC_TINY : HUGE_VAL};
}

#endif
