/*
 * Composition theorems for k adaptively chosen mechanisms with stated
 * (epsilon, delta) guarantees. A running total holds the four sums that every
 * theorem needs; each function encloses its formula. Derivations:
 * docs/theory/composition_theorems.md.
 */
#ifndef DOSI_RENYI_COMPOSITION_THEOREMS_H
#define DOSI_RENYI_COMPOSITION_THEOREMS_H

#include "num/ball.h"

/* Sums over the mechanisms added so far. */
typedef struct approx_total {
    ball eps;      /* sum of eps_j */
    ball squares;  /* sum of eps_j^2 */
    ball delta;    /* sum of delta_j */
    ball log_keep; /* sum of log(1 - delta_j) */
} approx_total;

approx_total approx_total_empty(void);

/*
 * The total with count more (eps, delta)-DP mechanisms.
 *
 * requires  count >= 0, eps >= 0 (inf allowed), 0 <= delta <= 1
 */
approx_total approx_total_add(
    approx_total total, ball eps, ball delta, ball count);

/*
 * The slack: the part of a target delta left for the tail of the composed loss.
 *
 *     linear   delta - sum delta_j
 *     product  1 - (1 - delta) / prod (1 - delta_j), never smaller
 *
 * If it is negative no epsilon is certified; at 0 only the sum of eps_j is.
 * Equality is recognised if the sums are exact in double-double.
 *
 * source  T000-22
 */
dosi_interval approx_slack(const approx_total *total, ball delta);
dosi_interval approx_slack_product(const approx_total *total, ball delta);

/*
 * Epsilon at a given slack: the sum of eps_j (T000-01), or if smaller
 *
 *     advanced  S/2 + sqrt(2 log(1/slack) S), S = sum eps_j^2   (T000-22)
 *     cdp       T000-14 at rho = S/2 and delta = slack
 *
 * A negative slack gives +inf; if the slack may be negative the upper end is
 * +inf.
 */
dosi_interval approx_epsilon(const approx_total *total, dosi_interval slack);
dosi_interval approx_epsilon_cdp(
    const approx_total *total, dosi_interval slack);

/*
 * The logarithm of delta at eps: 1 - (1 - tail) prod (1 - delta_j), where tail
 * is 0 from the sum of eps_j on and otherwise that of T000-14 at rho = S/2.
 */
dosi_interval approx_log_delta(const approx_total *total, ball eps);

/* T000-18 by itself: S/2 + sqrt(2 log(1/delta) S), which may exceed the sum of
 * eps_j. */
ball approx_advanced_epsilon(ball squares, ball log_delta);

/*
 * The inverse of approx_advanced_epsilon, -(eps - S/2)^2 / (2S).
 *
 * requires  eps >= S/2
 * source    T000-18
 */
ball approx_advanced_log_delta(ball squares, ball eps);

/*
 * The older theorem: k e (exp(e) - 1) + e sqrt(2 k log(1/delta)), e = eps.
 *
 * source    N000-15
 */
ball approx_older_epsilon(ball count, ball eps, ball log_delta);

/* ---- Budgets ----------------------------------------------------------- */

/*
 * sqrt(2 rho / k): the epsilon of each of k pure queries within a budget of
 * rho.
 *
 * source  T000-18
 */
ball approx_query_epsilon(ball count, ball rho);

/*
 * sqrt(k / (2 rho)): the Laplace scale of each of k queries of sensitivity 1.
 *
 * source  S000-4.1
 */
ball approx_query_scale(ball count, ball rho);

/* ---- The dominating (eps, delta)-DP mechanism, T000-24 ----------------- */

/*
 * The probabilities (1 - delta) e^eps / (e^eps + 1) of the true answer and
 * (1 - delta) / (e^eps + 1) of the false one.
 *
 * requires  eps >= 0, 0 <= delta <= 1
 * source    T000-24
 */
ball approx_truth_probability(ball eps, ball delta);
ball approx_lie_probability(ball eps, ball delta);

/* ---- Neighbours, S000-6.2 ---------------------------------------------- */

/*
 * The guarantee under replacement that follows from (eps, delta) under
 * add/remove: (2 eps, (1 + e^eps) delta).
 *
 * source    S000-6.2
 */
ball approx_replace_epsilon(ball eps);
ball approx_replace_delta(ball eps, ball delta);

#endif
