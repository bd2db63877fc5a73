/*
 * Convex functions minus their tangent, with relative accuracy even if the two
 * nearly cancel. Renyi divergences of close laws are sums of such terms, all of
 * them >= 0.
 */
#ifndef DOSI_SPECIAL_EXCESS_H
#define DOSI_SPECIAL_EXCESS_H

#include "num/ball.h"

/* Encloses e^x - 1 - x >= 0. */
ball excess_exp(ball x);

/*
 * Encloses x^s - 1 - s v with x = 1 + v, which is >= 0 unless 0 < s < 1. Both x
 * and v are given, each with the digits it has: v may be tiny, or x.
 *
 * requires  x >= 0; the result is infinite for x = 0 and s < 0
 * width     a few hundred units of the ball, also for s near 0 or 1 and for
 *           tiny v; unknown if the power overflows
 */
ball excess_power(ball s, ball v, ball x);

/* Encloses log( sinh(x/2) / (x/2) ) = x^2/24 - x^4/2880 + ... >= 0. */
ball excess_log_sinhc(ball x);

#endif
