/*
 * Kernels of the Mills ratio R(x) = int_0^inf exp(-x s - s^2/2) ds at exact
 * double-double points: Taylor rows below 6.25, the continued fraction above.
 * All derivatives alternate in sign (R is completely monotone), and
 *
 *     r_n = |R^(n)| / |R^(n-1)| = n / (x + r_(n+1)),   r_n falls with x,
 *     r_n <= g_n(x) = (sqrt(x^2 + 4n) - x) / 2          for every real x.
 *
 * Proofs and error bounds: docs/theory/noise.md.
 */
#ifndef DOSI_SPECIAL_MILLS_H
#define DOSI_SPECIAL_MILLS_H

#include "num/ball.h"

/* The least x, or a, that the kernels take. */
#define MILLS_MIN_X (-0.25)

/* Encloses R(x). */
ball mills_at(dd x);

/* Encloses the mean of S = -R' over [a, a + w], w >= 0: (R(a) - R(a + w)) / w,
 * and S(a) for w = 0; relative accuracy however small w is. */
ball mills_mean_slope_at(dd a, dd w);

/* >= r_n at every point >= x; n = 1 bounds |(log R)'|, n = 2 |(log S)'|. */
double mills_ratio_upper(int n, double x);

/* Midpoints of R and of the mean slope, without a guarantee; mills_approx takes
 * any x. */
double mills_approx(double x);
double mills_mean_slope_approx(double a, double w);

#endif
