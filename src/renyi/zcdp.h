/*
 * Zero-concentrated differential privacy: rho bounds the moments of the privacy
 * loss, E[exp(t Z)] <= exp(t (t + 1) rho) for every t >= 0. Moment bounds, rho
 * of other guarantees, and the conversions to (epsilon, delta). Each function
 * encloses the value of its formula over all points of the given balls; delta
 * is given by its logarithm. Derivations: docs/theory/zcdp.md.
 *
 * rho = 0 gives epsilon = 0 and delta = 0; log_delta >= 0 gives epsilon = 0.
 */
#ifndef DOSI_RENYI_ZCDP_H
#define DOSI_RENYI_ZCDP_H

#include "num/ball.h"

/* ---- Moments ----------------------------------------------------------- */

/*
 * The bound t (t + 1) rho of log E[exp(t Z)].
 *
 * source    T000-11
 */
ball zcdp_log_moment(ball rho, ball t);

/*
 * The bound t mean + t^2 eps^2 / 2 of log E[exp(t Z)], if |Z| <= eps.
 *
 * source    T000-17
 */
ball zcdp_log_moment_bounded(ball t, ball mean, ball eps);

/*
 * rho = eps^2 / 2 of an eps-DP mechanism.
 *
 * source    T000-16
 */
ball zcdp_of_pure(ball eps);

/*
 * rho = (sens / sigma)^2 / 2 of Gaussian noise.
 *
 * source    T000-12
 */
ball zcdp_of_gaussian(ball sens, ball sigma);

/* ---- The sharp conversion, T000-14 ------------------------------------- */

/*
 * The bound of log delta at one t > 0,
 *
 *     g(t) = t ((t + 1) rho - eps - log(1 + 1/t)) - log(1 + t),
 *
 * and the weaker bound t (t + 1) rho - eps t.
 *
 * source  T000-14
 */
ball zcdp_log_delta_at(ball rho, ball eps, ball t);
ball zcdp_log_delta_at_simple(ball rho, ball eps, ball t);

/**
 * Encloses inf_{t > 0} g(t), the smallest bound of zcdp_log_delta_at.
 *
 * requires  rho >= 0, eps >= 0
 * width     near 1e-15 relative, wherever the value is a normal double
 * cost      one bracketed root, about six logarithms
 * source    T000-14
 */
dosi_interval zcdp_log_delta(ball rho, ball eps);

/**
 * Encloses the least epsilon that T000-14 certifies at delta,
 *
 *     inf_{t > 0} (t + 1) rho - log(1 + 1/t) + (L - log(1 + t)) / t
 *
 * with L = -log delta. It may be negative; zcdp_epsilon is the larger of it and
 * 0.
 *
 * requires  rho >= 0
 */
dosi_interval zcdp_epsilon_unclamped(ball rho, ball log_delta);
dosi_interval zcdp_epsilon(ball rho, ball log_delta);

/*
 * Encloses the order 1 + t that attains zcdp_epsilon_unclamped.
 *
 * requires  rho > 0, log_delta < 0
 * source    T000-14
 */
dosi_interval zcdp_alpha(ball rho, ball log_delta);

/*
 * Encloses the largest rho with zcdp_epsilon(rho, log_delta) <= eps.
 *
 * requires  eps >= 0, log_delta < 0
 * source    T000-14
 */
dosi_interval zcdp_rho(ball eps, ball log_delta);

/* ---- The readable conversion, T000-15 ---------------------------------- */

/*
 * epsilon = rho + 2 sqrt(rho L), L = -log delta.
 *
 * source    T000-15
 */
ball zcdp_epsilon_simple(ball rho, ball log_delta);

/*
 * log delta = -(eps - rho)^2 / (4 rho).
 *
 * requires  eps >= rho
 * source    T000-15
 */
ball zcdp_log_delta_simple(ball rho, ball eps);

/*
 * rho = (sqrt(L + eps) - sqrt L)^2, sufficient for (eps, delta).
 *
 * source    T000-15
 */
ball zcdp_rho_simple(ball eps, ball log_delta);

/*
 * lower: eps^2 / (4 L + 4 eps), sufficient for (eps, delta); upper:
 * eps^2 / (4 L), which is NOT sufficient.
 *
 * source  T000-15
 */
ball zcdp_rho_simple_lower(ball eps, ball log_delta);
ball zcdp_rho_simple_upper(ball eps, ball log_delta);

/*
 * The Gaussian variance 2 sens^2 (L + eps) / eps^2, sufficient for
 * (eps, delta).
 *
 * requires  eps > 0
 * source    T000-15
 */
ball zcdp_variance_simple(ball eps, ball log_delta, ball sens);

#endif
