/*
 * The excess of a power over its tangent in num/dball.h, for moments
 *
 *     E X^s - 1 = E[ X^s - 1 - s (X - 1) ],  X = 1 - p + p e^L,
 *
 * of sampled laws with E X = 1. The terms are >= 0, so that their sum keeps
 * the digits of each.
 */
#ifndef DOSI_SPECIAL_POWER_EXCESS_H
#define DOSI_SPECIAL_POWER_EXCESS_H

#include "num/dball.h"

#define QUICK_SERIES 13 /* factors of the series for small X - 1 */

/* Digits aimed at, in nats; and the relative radius of the logarithm of a
 * moment that is still of use. */
#define QUICK_NATS 35.0
#define QUICK_WIDEST 0x1p-36

/* Covers the rounding of logarithms up to 1e8. */
#define QUICK_GUARD 1e-6

typedef struct quick_excess {
    dball rate, keep;
    dball s, t;    /* t = s - 1 */
    dball half_st; /* s t/2 > 0 */
    double ratios[QUICK_SERIES]; /* (s - j)/(j + 1), j = 2, 3, ... */
} quick_excess;

/*
 * False when the parameters are beyond doubles.
 *
 * requires  0 < rate < 1; s > 1 or s < 0
 */
bool quick_excess_start(quick_excess *out, ball rate, ball s);

/* (X^s - 1 - s (X - 1)) e^base. */
dball quick_excess_at(const quick_excess *q, dball base, dball loss);

/* log(1 + integral e^shift); unknown when that is too wide. */
ball quick_log_moment(ball integral, double shift);

#endif
