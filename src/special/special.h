/*
 * The normal law and its Mills ratio as balls. Every function is enclosed over
 * the whole ball given; at an exact argument the relative error is below 5e-28,
 * in the tails too (as long as the value is in range). Derivations:
 * docs/theory/noise.md.
 *
 *     phi(x) = exp(-x^2/2) / sqrt(2 pi)      density
 *     sf(x) = Pr[N > x],  cdf(x) = Pr[N <= x]
 *     R(x) = sf(x) / phi(x)                  Mills ratio, falling
 *     S(x) = -R'(x) = 1 - x R(x) > 0         minus its slope, falling
 */
#ifndef DOSI_SPECIAL_SPECIAL_H
#define DOSI_SPECIAL_SPECIAL_H

#include "num/ball.h"

/* Density, tails and their logarithms.
 *
 * width  relative error below 5e-28 at exact arguments, while in range */
ball ball_normal_pdf(ball x);
ball ball_normal_sf(ball x);      /* relative accuracy in the upper tail */
ball ball_normal_cdf(ball x);     /* relative accuracy in the lower tail */
ball ball_log_normal_sf(ball x);  /* any x; sf may underflow */
ball ball_log_normal_cdf(ball x); /* any x; cdf may underflow */
ball ball_log_normal_pdf(ball x);

ball ball_mills(ball x);       /* R; unknown below about -37.6 (overflow) */
ball ball_mills_slope(ball x); /* S; relative accuracy for large x */

/* Encloses R(a) - R(a + w) for w >= 0, with relative accuracy however small w
 * is. */
ball ball_mills_drop(ball a, ball w);

ball ball_erf(ball x); /* relative accuracy near 0 */

/*
 * Encloses the x with sf(x) = p: p in (0, 1), or p = exp(log_p) with log_p < 0.
 * At p = 0 it is +inf, at p = 1 -inf; unknown outside. The lower quantile is
 * its negative. If p is above 1/2 and 1 - p is known, pass 1 - p: isf(p) =
 * -isf(1 - p).
 */
ball ball_normal_isf(ball p);
ball ball_normal_isf_log(ball log_p);

/* Plain doubles without a guarantee (see also mills.h). */
double log_normal_sf_approx(double x);
double normal_isf_log_approx(double log_p); /* x with log sf(x) = log_p */

#endif
