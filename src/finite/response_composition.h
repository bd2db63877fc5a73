/*
 * Optimal composition of k equal (eps0, delta0) guarantees [KOV15]: the loss of
 * the worst mechanism is +inf with probability 1 - (1 - delta0)^k and otherwise
 * z_l = (2 l - k) eps0 with l binomial(k, p), p = e^eps0 / (1 + e^eps0). Sums
 * of O(sqrt k) terms with rigorous geometric tails, in logarithms throughout.
 * Also exactly k-fold randomized response and the discrete Laplace mechanism
 * (delta0 = 0). The pair is symmetric: one law for both directions. Derivation:
 * docs/theory/finite.md. All functions:
 *
 * requires  k an integer in [0, 2^53], eps0 >= 0 finite, 0 <= delta0 <= 1
 * cost      at most max_terms terms a sum (0: 2^20); if more are needed the
 *           answer is unknown, and *done is false. k = 1e6 takes a few thousand
 *           terms.
 */
#ifndef DOSI_FINITE_RESPONSE_COMPOSITION_H
#define DOSI_FINITE_RESPONSE_COMPOSITION_H

#include "num/ball.h"

#include <stddef.h>

#define RESPONSE_MAX_TERMS ((size_t)1 << 20)

/*
 * Encloses the smallest delta for which the composition is (eps, delta)-DP, any
 * real eps: 1 - (1 - delta0)^k (1 - sum_l pmf_l max(0, 1 - e^(eps - z_l))).
 */
ball optimal_composition_delta(
    double k, ball eps0, ball delta0, ball eps, size_t max_terms);

/* Encloses log delta, also if delta underflows; -inf if delta is 0. */
dosi_interval optimal_composition_log_delta(
    double k, ball eps0, ball delta0, ball eps, size_t max_terms);

/*
 * Encloses the smallest eps >= 0 for which the composition is (eps, delta)-DP;
 * [inf, inf] if delta < 1 - (1 - delta0)^k; otherwise at most k eps0.
 *
 * delta is given together with its logarithm: the first is exact if the caller
 * has a double, the second serves if delta underflows.
 */
dosi_interval optimal_composition_epsilon(double k, ball eps0, ball delta0,
    ball delta, ball log_delta, size_t max_terms, bool *done);

/* Encloses log P[Z = z_l] = k log(1 - delta0) + log C(k, l) p^l (1 - p)^(k -
 * l). */
ball optimal_composition_log_pmf(double k, double l, ball eps0, ball delta0);

/* Encloses the smallest type II error at type I error alpha in [0, 1], exact
 * and piecewise linear. The safe end is the lower one; unknown is [0, 1]. */
dosi_interval optimal_composition_tradeoff(double k, ball eps0, ball delta0,
    double alpha, size_t max_terms, bool *done);

#endif
