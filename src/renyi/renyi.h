/*
 * Rényi divergences and Rényi differential privacy: the curves of single
 * mechanisms, composition, group privacy, mixtures, and the conversion to
 * (epsilon, delta). Curves of finite pairs are in finite/finite_law.h.
 *
 * An order is a ball so that derived orders (alpha (alpha'-1)/(alpha'-alpha))
 * keep their digits; order = +inf gives the largest loss. Every divergence is
 * enclosed with relative accuracy for tiny parameters and orders near 1, and
 * without overflow for large ones. Derivations: docs/theory/sampling.md.
 */
#ifndef DOSI_RENYI_RENYI_H
#define DOSI_RENYI_RENYI_H

#include <stddef.h>

#include "num/ball.h"

/* ---- Curves of single mechanisms, order >= 1 (1 is Kullback-Leibler) ---- */

/*
 * Gaussian noise, rho = (m - m')^2 / (2 sigma^2): order rho.
 *
 * source    T000-33.4
 */
ball renyi_gaussian(ball order, ball rho);

/*
 * Laplace noise with a likelihood ratio of at most e^eps.
 *
 * requires  eps >= 0
 * source    docs/theory/sampling.md, section 1
 */
ball renyi_laplace(ball order, ball eps);

/*
 * Randomised response over `categories` answers, the true one e^eps times as
 * likely as any other. Two categories dominate every eps-DP pair.
 *
 * requires  eps >= 0, categories >= 2
 * source    docs/theory/sampling.md, section 1
 */
ball renyi_rr(ball order, ball eps, double categories);

/*
 * The dominating law of an eps-bounded-range mechanism under composition:
 * K(z) = log( sinh((z + 1/2) eps) / ((2z + 1) sinh(eps/2)) ).
 *
 * requires  eps >= 0
 * source    docs/theory/sampling.md, section 1
 */
ball renyi_exponential(ball order, ball eps);

/*
 * The largest divergence of one eps-bounded-range mechanism (exponential
 * mechanism), attained by a pair of two atoms; at most order eps^2/8.
 *
 * requires  eps >= 0
 * source    [DDR20]; docs/theory/sampling.md, section 1
 */
ball renyi_bounded_range(ball order, ball eps);

/*
 * Mean and variance of the loss of binary randomised response,
 * eps tanh(eps/2) and eps^2 / cosh(eps/2)^2.
 *
 * requires  eps >= 0
 */
ball renyi_rr_mean_loss(ball eps);
ball renyi_rr_variance_loss(ball eps);

/* ---- Rules -------------------------------------------------------------- */

/*
 * The bound order/8 (d_pq + d_qp)^2 of the divergence, for losses in
 * [-d_qp, d_pq].
 *
 * source    T000-33.5
 */
ball renyi_pure_bound(ball order, ball d_pq, ball d_qp);

/*
 * Bound of the divergence of mixtures with weights 1-s and s of pairs with
 * divergences d1 and d2 at the order; at order 1 the convex combination.
 *
 * requires  0 <= s <= 1
 * source    T000-33.6
 */
ball renyi_mixture(ball order, ball s, ball d1, ball d2);

/*
 * Group privacy: D_order(P||R) <= factor D_partner(P||Q) + D_other(Q||R).
 *
 * requires  1 < order < other
 * source    T000-33.7
 */
ball renyi_group_partner(ball order, ball other);
ball renyi_group_factor(ball other);
ball renyi_group_zcdp(ball rho1, ball rho2); /* (sqrt rho1 + sqrt rho2)^2 */

/* ---- Conversion to (epsilon, delta) [T000-33.8], order > 1 -------------- */

/*
 * The sharp forms. They are not clamped: log delta may be positive, epsilon
 * negative.
 *
 * requires  order > 1
 * source    T000-33.8
 */
ball renyi_log_delta(ball order, ball divergence, ball eps);
ball renyi_epsilon(ball order, ball divergence, ball log_delta);

/*
 * The simple forms, without the terms in log(order).
 *
 * requires  order > 1
 * source    T000-33.8
 */
ball renyi_log_delta_simple(ball order, ball divergence, ball eps);
ball renyi_epsilon_simple(ball order, ball divergence, ball log_delta);

#endif
