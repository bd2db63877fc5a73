/*
 * Interval arithmetic on dosi_interval: for all x in X and y in Y, x op y is in
 * X op Y. Ends are rounded to nearest and moved one step outward. The interval
 * [-inf, inf] means unknown and is the answer if an operation is not defined on
 * all of its arguments.
 */
#ifndef DOSI_NUM_INTERVAL_H
#define DOSI_NUM_INTERVAL_H

#include <stdbool.h>

#include "dosimeter.h"
#include "round.h"

static inline dosi_interval iv_point(double x)
{
    return isnan(x) ? (dosi_interval){-HUGE_VAL, HUGE_VAL}
                    : (dosi_interval){x, x};
}

/* The interval of the given ends; a NaN end, or lo > hi, means unknown. */
static inline dosi_interval iv_make(double lo, double hi)
{
    return lo <= hi ? (dosi_interval){lo, hi}
                    : (dosi_interval){-HUGE_VAL, HUGE_VAL};
}

static inline dosi_interval iv_unknown(void)
{
    return (dosi_interval){-HUGE_VAL, HUGE_VAL};
}

static inline bool iv_contains(dosi_interval a, double x)
{
    return a.lo <= x && x <= a.hi;
}

/* The intersection of two enclosures of one number; a if b contradicts it. */
static inline dosi_interval iv_meet(dosi_interval a, dosi_interval b)
{
    double lo = a.lo > b.lo ? a.lo : b.lo;
    double hi = a.hi < b.hi ? a.hi : b.hi;
    return lo <= hi ? (dosi_interval){lo, hi} : a;
}

static inline dosi_interval iv_hull(dosi_interval a, dosi_interval b)
{
    return (dosi_interval){
        a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

/* Encloses max(x, y). */
static inline dosi_interval iv_max(dosi_interval a, dosi_interval b)
{
    return (dosi_interval){
        a.lo > b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

static inline dosi_interval iv_min(dosi_interval a, dosi_interval b)
{
    return (dosi_interval){
        a.lo < b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

static inline dosi_interval iv_neg(dosi_interval a)
{
    return (dosi_interval){-a.hi, -a.lo};
}

/* A rounded sum of 0 is exact: sums do not underflow. */
static inline dosi_interval iv_add(dosi_interval a, dosi_interval b)
{
    double lo = a.lo + b.lo, hi = a.hi + b.hi;
    return (dosi_interval){
        lo == 0 ? 0 : round_down(lo), hi == 0 ? 0 : round_up(hi)};
}

static inline dosi_interval iv_sub(dosi_interval a, dosi_interval b)
{
    return iv_add(a, iv_neg(b));
}

/* 0 * inf is 0 here: an infinite end stands for arbitrarily large reals. */
static inline double iv_end_product(double x, double y)
{
    return x == 0 || y == 0 ? 0 : x * y;
}

/* Rounded ends, but not across 0 if the signs of a and b forbid it. */
static inline dosi_interval iv_mul(dosi_interval a, dosi_interval b)
{
    double p = iv_end_product(a.lo, b.lo), q = iv_end_product(a.lo, b.hi);
    double r = iv_end_product(a.hi, b.lo), s = iv_end_product(a.hi, b.hi);
    double lo = round_down(fmin(fmin(p, q), fmin(r, s)));
    double hi = round_up(fmax(fmax(p, q), fmax(r, s)));
    bool same = (a.lo >= 0 && b.lo >= 0) || (a.hi <= 0 && b.hi <= 0);
    bool opposite = (a.lo >= 0 && b.hi <= 0) || (a.hi <= 0 && b.lo >= 0);
    return (dosi_interval){
        same && lo < 0 ? 0 : lo, opposite && hi > 0 ? 0 : hi};
}

/* Unknown if b contains 0. */
static inline dosi_interval iv_div(dosi_interval a, dosi_interval b)
{
    if (b.hi < 0)
        return iv_div(iv_neg(a), iv_neg(b));
    if (!(b.lo > 0))
        return iv_unknown();
    /* a/y falls in y > 0 for a >= 0 and rises for a < 0 */
    double lo = round_down(a.lo / (a.lo >= 0 ? b.hi : b.lo));
    double hi = round_up(a.hi / (a.hi >= 0 ? b.lo : b.hi));
    return (dosi_interval){
        a.lo >= 0 ? fmax(lo, 0) : lo, a.hi <= 0 ? fmin(hi, 0) : hi};
}

#endif
