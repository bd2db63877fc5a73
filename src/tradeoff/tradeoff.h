/*
 * Trade-off functions: f(alpha) is the least type II error of a test of type I
 * error alpha, 1 - f the ROC curve. Larger f are more private; f = 1 - alpha is
 * perfect privacy. An error is represented together with 1 minus it, since
 * either may be tiny. Derivation: docs/theory/tradeoff.md.
 */
#ifndef DOSI_TRADEOFF_TRADEOFF_H
#define DOSI_TRADEOFF_TRADEOFF_H

#include <stdbool.h>
#include <stddef.h>

#include "num/ball.h"

/* value + rest = 1. */
typedef struct share {
    ball value;
    ball rest;
} share;

/* The share of a probability given by a double; exact, as 1 - x is a
 * double-double. */
share share_of(double x);

/* ---- (eps, delta) ------------------------------------------------------- */

/*
 * f_{eps,delta}(alpha) = max{0, 1-delta-e^eps alpha, e^-eps (1-delta-alpha)};
 * value is f, rest the power.
 *
 * requires  eps >= 0, 0 <= delta <= 1
 * source    T001-E4
 */
share tradeoff_approx(ball eps, ball delta, share alpha);

/*
 * The fixed point (1 - delta)/(1 + e^eps) of f_{eps,delta}, and its total
 * variation delta + (1 - delta) tanh(eps/2).
 *
 * requires  eps >= 0, 0 <= delta <= 1
 * source    T001-E4
 */
ball tradeoff_approx_fixed(ball eps, ball delta);
ball tradeoff_approx_tv(ball eps, ball delta);

/*
 * f_{eps,delta} for groups of k: 1 - h^k for h = 1 - f. h is the minimum of two
 * increasing lines, so the first steps of the iteration use one and all others
 * the other; both have closed forms.
 *
 * requires  k whole, at most 2^53
 * source    docs/theory/tradeoff.md, section 1
 */
share tradeoff_approx_group(ball eps, ball delta, double k, share alpha);

/* ---- Gaussian ----------------------------------------------------------- */

/*
 * G_mu(alpha): value = cdf(isf(alpha) - mu), rest = cdf(mu - isf(alpha)).
 *
 * requires  mu >= 0
 * source    T001-E5
 */
share tradeoff_gauss(ball mu, share alpha);

/*
 * The total variation Phi(mu/2) - Phi(-mu/2) of G_mu.
 *
 * requires  mu >= 0
 * source    T001-E5
 */
ball tradeoff_gauss_tv(ball mu);

/*
 * The least mu for which eps-DP implies mu-GDP: -2 Phi^-1(1/(1+e^eps)).
 *
 * requires  eps >= 0
 * source    T001-X3
 */
ball tradeoff_pure_to_mu(ball eps);

/* ---- Laplace, a = distance / scale -------------------------------------- */

/*
 * The largest distance, over alpha, from the Laplace curve of a = k eps to the
 * curve of groups of k of pure eps-DP: (1 + e^-eps) tanh(eps/2)^2 / 4. Both
 * curves are convex and the second is piecewise linear, below the first; all
 * its vertices (x e^-(j eps), x e^-((k-1-j) eps)), x = 1/(1+e^eps), lie where
 * the first is e^-a/(4 alpha), and the gap grows with j.
 *
 * requires  eps >= 0
 * source    T001-P7; docs/theory/tradeoff.md, section 1
 */
ball tradeoff_group_gap(ball eps);

/* ---- Products ----------------------------------------------------------- */

/*
 * G_mu composed with f_{0,1-keep}: keep G_mu(alpha/keep), 0 beyond keep.
 *
 * source    T001-E12
 */
ball tradeoff_gauss_leaky(ball mu, ball keep, ball alpha);

#endif
