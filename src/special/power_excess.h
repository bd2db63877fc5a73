/*
 * The excess of a power over its tangent in balls of one double (num/dball.h),
 * for moments
 *
 *     E X^s - 1 = E[ X^s - 1 - s (X - 1) ],  X = 1 - p + p e^L,
 *
 * of sampled laws with E X = 1. The terms are >= 0, so that their sum keeps the
 * digits of each.
 */
#ifndef DOSI_SPECIAL_POWER_EXCESS_H
#define DOSI_SPECIAL_POWER_EXCESS_H

#include "num/dball.h"
#include "num/scaled.h"

#define POWER_EXCESS_TERMS 13 /* terms of the series for small X - 1 */

/* Digits aimed at, in nats; and the greatest useful relative radius of the
 * logarithm of a moment. */
#define POWER_EXCESS_NATS 35.0
#define POWER_EXCESS_WIDEST 0x1p-30

/* Covers the rounding of logarithms up to 1e8. */
#define POWER_EXCESS_GUARD 1e-6

typedef struct power_excess {
    dball rate, keep;
    dball s, t;                        /* t = s - 1 */
    dball half_st;                     /* s t/2 > 0 */
    double ratios[POWER_EXCESS_TERMS]; /* (s - j)/(j + 1), j = 2, 3, ... */
} power_excess;

/*
 * Prepares the terms; false if the parameters are beyond doubles.
 *
 * requires  0 < rate <= 1; s > 1 or s < 0
 */
bool power_excess_make(power_excess *out, ball rate, ball s);

/* Encloses (X^s - 1 - s (X - 1)) e^base at L = loss, given moved = base + loss
 * with the digits it has. */
dball power_excess_at(
    const power_excess *q, dball base, dball loss, dball moved);

/* Encloses (sum +- rad) e^shift; unknown if log(1 + that) is too wide. */
scaled power_excess_scaled(double sum, double rad, double shift);

#endif
