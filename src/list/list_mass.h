/*
 * Masses of any size: a double with a power of two taken out,
 *
 *     m 2^(-480 scale),   scale >= 0,
 *
 * where 2^-480 < m, and m <= 1 unless scale is 0; 0 is m = 0. The product of
 * two such m is above 2^-960: nothing underflows, and every operation here
 * errs relatively by one rounding, LIST_ROUND, at the most.
 * docs/theory/list.md, section 2.
 */
#ifndef DOSI_LIST_LIST_MASS_H
#define DOSI_LIST_LIST_MASS_H

#include <math.h>
#include <stdbool.h>

#include "num/elem.h"
#include "num/round.h"

typedef struct list_mass {
    double m;
    int scale;
} list_mass;

#define LIST_UNIT 0x1p-480
#define LIST_UNIT_BITS 480
#define LIST_UNIT_NATS 332.71064666877375 /* 480 log 2 */

/* Exact: m >= 0, or NaN, in units of 2^(-480 scale). */
static inline list_mass list_mass_in(double m, int scale)
{
    if (!(m > 0))
        return (list_mass){m, 0};
    for (; m <= LIST_UNIT; scale++)
        m /= LIST_UNIT;
    for (; m > 1 && scale > 0; scale--)
        m *= LIST_UNIT;
    return (list_mass){m, scale};
}

static inline list_mass list_mass_of(double x)
{
    return list_mass_in(x, 0);
}

static inline list_mass list_mass_mul(list_mass a, list_mass b)
{
    return list_mass_in(a.m * b.m, a.scale + b.scale);
}

/* Units that are two apart or more leave the larger as it is, rounded to
 * nearest: the smaller is below 2^-480 of it. */
static inline list_mass list_mass_add(list_mass a, list_mass b)
{
    if (a.m == 0 || (b.m != 0 && b.scale < a.scale)) {
        list_mass other = a;
        a = b;
        b = other;
    }
    if (b.m == 0 || b.scale > a.scale + 1)
        return a;
    double m = b.scale == a.scale ? b.m : b.m * LIST_UNIT;
    return list_mass_in(a.m + m, a.scale);
}

/* Certainly no less, or no more, than what was rounded once. */
static inline list_mass list_mass_up(list_mass a)
{
    return a.m == 0 ? a : list_mass_in(round_up(a.m), a.scale);
}
static inline list_mass list_mass_down(list_mass a)
{
    return a.m == 0 ? a : list_mass_in(round_down(a.m), a.scale);
}

static inline bool list_mass_less(list_mass a, list_mass b)
{
    if (a.m == 0 || b.m == 0 || a.scale == b.scale)
        return a.m < b.m;
    return a.scale > b.scale;
}

/* An approximation, which steers and certifies nothing. */
static inline double list_mass_log(list_mass a)
{
    return log(a.m) - LIST_UNIT_NATS * a.scale;
}
static inline list_mass list_mass_exp(double x)
{
    double scale = fmax(floor(-x / LIST_UNIT_NATS), 0);
    return list_mass_in(exp(x + LIST_UNIT_NATS * scale), (int)scale);
}

/* Encloses the logarithm of a mass above 0. */
static inline dosi_interval list_mass_log_ends(list_mass a)
{
    dosi_interval unit = iv_log(iv_point(LIST_UNIT));
    return iv_add(iv_log(iv_point(a.m)), iv_mul(iv_point(a.scale), unit));
}

/* A double on the safe side. */
static inline double list_mass_double(list_mass a, bool up)
{
    double x = a.scale < 3 ? ldexp(a.m, -LIST_UNIT_BITS * a.scale) : 0;
    if (a.scale == 0 || a.m == 0)
        return a.m;
    return up ? round_up(x) : fmax(round_down(x), 0);
}

#endif
