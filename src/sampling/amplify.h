/*
 * Privacy amplification by Poisson sampling in closed form: pure and
 * approximate DP, the analytic Rényi bounds, and their limits. rate is the
 * sampling probability p. Derivations and the corrected misprints of the
 * source: docs/theory/sampling.md, section 4.
 */
#ifndef DOSI_SAMPLING_AMPLIFY_H
#define DOSI_SAMPLING_AMPLIFY_H

#include "num/ball.h"

/* ---- (eps, delta) [T000-29], 0 <= rate <= 1, eps >= 0 (inf allowed) ----- */

ball amplify_epsilon(ball rate, ball eps);        /* log(1 + p (e^eps - 1)) */
ball amplify_delta(ball rate, ball delta);        /* p delta */
ball amplify_epsilon_simple(ball rate, ball eps); /* p (e^eps - 1) */

/* Base against mixture, an added record (the removal direction of [Ste22]):
 * -log(1 - p + p e^-eps) and p e^-eps delta / (1 - p + p e^-eps). */
ball amplify_epsilon_base_first(ball rate, ball eps);
ball amplify_delta_base_first(ball rate, ball eps, ball delta);

/*
 * The epsilon of the base at which the sample reaches the target:
 * log(1 + (e^target - 1)/p). Negative for a target in (log(1 - p), 0).
 *
 * requires  rate > 0; unknown unless target is certainly above log(1 - p)
 */
ball amplify_base_epsilon(ball rate, ball target);

/* ---- Weights that bound base against mixture [T000-35] ------------------ */

/*
 * (2a-1) p / ((2a-1) p + 3 (1-p)), a the order.
 *
 * requires  0 <= rate <= 1, order > 1
 * source    T000-35
 */
ball amplify_lambda(ball rate, ball order);

/* ---- Scalar steps of the proofs [T000-36, 37, 39, 40] ------------------- */

/*
 * 1/(1 - p + p/x), at most 1 - p + p x.
 *
 * source  T000-36
 */
ball amplify_harmonic(ball rate, ball x);
ball amplify_mean(ball rate, ball x);

/*
 * 3 (1-p) (1-p+px)^v + v p ((1-p)/x + p)^3, at least 3 (1-p) + v p.
 *
 * source  T000-37
 */
ball amplify_cubic(ball rate, ball x, ball v);
ball amplify_cubic_floor(ball rate, ball v);

/*
 * power = (1-p+px)^a. If amplify_quadratic_applies it is at most quadratic =
 * 1 + a p (x-1) + (e/2) a (a-1) p^2 (x-1)^2. If p <= 1 - 1/e and 1 < a <= omega
 * it is at most quadratic_tail = quadratic + ((a-1) p x)^omega.
 *
 * source  T000-39, T000-40
 */
ball amplify_power(ball rate, ball x, ball order);
ball amplify_quadratic(ball rate, ball x, ball order);
ball amplify_quadratic_tail(ball rate, ball x, ball order, ball omega);

/* Whether certainly p <= 1 - 1/e. */
bool amplify_rate_is_small(ball rate);

/*
 * Whether quadratic certainly bounds power: p <= 1 - 1/e, x >= 0, order > 1,
 * and order <= 2 or p x <= max{p, (1-p)/(order-2)}.
 *
 * source  T000-39
 */
bool amplify_quadratic_applies(ball rate, ball x, ball order);

/* ---- Analytic Rényi bounds for a rho-zCDP base -------------------------- */

/* min{ log(1/p)/(4 rho), 1 + p^(-1/4) } [T000-38]. */
ball amplify_omega(ball rate, ball rho);

/* Whether certainly (order, amplify_slope order)-Rényi privacy holds for
 * 1 < order < omega: p <= 1/2, rho <= 1, omega >= 3 + 2 log rho / log p. */
bool amplify_slope_applies(ball rate, ball rho);
ball amplify_slope(ball rate, ball rho); /* 10 p^2 rho */

/*
 * The lower bound order rho - order/(order-1) log(1/p) of the divergence.
 *
 * requires  order > 1
 * source    S000-6.6
 */
ball amplify_limit_lower(ball rate, ball rho, ball order);

/*
 * The bound [T000-41] for a base with D_a = a rho, and its linear form.
 *
 * requires  p <= 1 - 1/e, 1 < order <= omega
 * width     values that exceed the range of doubles are unknown
 */
ball amplify_analytic(ball rate, ball rho, ball order, ball omega);
ball amplify_analytic_linear(ball rate, ball rho, ball order, ball omega);

/*
 * The omega that minimises amplify_analytic,
 * max{order, 1/2 - log((order-1) p)/(2 rho)}, and the bound there.
 *
 * source  T000-41
 */
ball amplify_analytic_omega(ball rate, ball rho, ball order);
ball amplify_analytic_best(ball rate, ball rho, ball order);

/*
 * The bound for any divergence d of the base at the order, and its relaxed
 * form.
 *
 * requires  order > 1
 * source    T000-42
 */
ball amplify_large_order(ball rate, ball order, ball d);
ball amplify_large_order_relaxed(ball rate, ball order, ball d);

/* ---- A sampled mean of n values in [0, 1] [S000-6.6] -------------------- */

/*
 * rho of the mean of all data, 1/(2 n^2 s^2); rho of the mean of a sample,
 * 1/(2 p^2 n^2 s^2); and the squared error of the latter, s^2 + (1-p)/(p n).
 *
 * source  S000-6.6
 */
ball amplify_mean_rho(ball n, ball sigma);
ball amplify_mean_rho_sampled(ball n, ball rate, ball sigma);
ball amplify_mean_error(ball n, ball rate, ball sigma);

#endif
