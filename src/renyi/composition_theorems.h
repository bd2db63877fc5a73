/*
 * (epsilon, delta)-differential privacy as a currency: what k adaptively
 * chosen mechanisms with stated guarantees cost together. A running total
 * keeps the four sums that every composition rule needs; each rule encloses
 * its formula. Derivations: docs/theory/composition_theorems.md.
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

/* The total with count more (eps, delta)-DP mechanisms; count >= 0,
 * eps >= 0 (inf too), 0 <= delta <= 1. */
approx_total approx_total_add(
    approx_total total, ball eps, ball delta, ball count);

/*
 * What a target delta leaves for the tail of the composed loss:
 *
 *     linear   delta - sum delta_j
 *     product  1 - (1 - delta) / prod (1 - delta_j), never smaller
 *
 * Where it is negative no epsilon is certified; at 0 only the sum of eps_j
 * is. Equality is recognised where the sums are exact in double-double.
 */
dosi_interval approx_slack(const approx_total *total, ball delta);
dosi_interval approx_slack_product(const approx_total *total, ball delta);

/*
 * Epsilon at that slack: the sum of eps_j (T000-01), or if smaller
 *
 *     advanced  S/2 + sqrt(2 log(1/slack) S), S = sum eps_j^2   (T000-22)
 *     cdp       T000-14 at rho = S/2 and delta = slack
 *
 * Negative slack: +inf. Slack that may be negative: up to +inf.
 */
dosi_interval approx_epsilon(const approx_total *total, dosi_interval slack);
dosi_interval approx_epsilon_cdp(
    const approx_total *total, dosi_interval slack);

/*
 * Delta at eps of the same rules in product form, the least that they
 * certify: 1 - (1 - tail) prod (1 - delta_j), where tail is 0 from the sum
 * of eps_j on and else that of T000-14 at rho = S/2.
 */
dosi_interval approx_log_delta(const approx_total *total, ball eps);

/* T000-18 alone: S/2 + sqrt(2 log(1/delta) S), not below the plain sum. */
ball approx_advanced_epsilon(ball squares, ball log_delta);

/* Its inverse -(eps - S/2)^2 / (2S); requires eps >= S/2. */
ball approx_advanced_log_delta(ball squares, ball eps);

/* N000-15, the older rule: k e (exp(e) - 1) + e sqrt(2 k log(1/delta)). */
ball approx_older_epsilon(ball count, ball eps, ball log_delta);

/* ---- Budgets ----------------------------------------------------------- */

/* sqrt(2 rho / k): what each of k pure queries may spend of rho. */
ball approx_query_epsilon(ball count, ball rho);

/* sqrt(k / (2 rho)): the Laplace scale of each of k queries of
 * sensitivity 1. */
ball approx_query_scale(ball count, ball rho);

/* ---- The worst (eps, delta)-DP mechanism, T000-24 ---------------------- */

/* (1 - delta) e^eps / (e^eps + 1) and (1 - delta) / (e^eps + 1). */
ball approx_truth_probability(ball eps, ball delta);
ball approx_lie_probability(ball eps, ball delta);

/* ---- Neighbours, S000-6.2 ---------------------------------------------- */

/* What (eps, delta) under add/remove is under replacement:
 * (2 eps, (1 + e^eps) delta). */
ball approx_replace_epsilon(ball eps);
ball approx_replace_delta(ball eps, ball delta);

#endif
