/*
 * The Gaussian pair P = N(mu, 1), Q = N(0, 1), mu = sensitivity / sigma >= 0.
 * Its privacy loss is N(mu^2/2, mu^2) under P and N(-mu^2/2, mu^2) under Q;
 * composition adds mu^2, so every all-Gaussian plan is one of these pairs.
 * With a = eps/mu - mu/2 and b = eps/mu + mu/2 the hockey stick is
 *
 *     delta(eps) = sf(a) - e^eps sf(b) = phi(a) (R(a) - R(b)).
 *
 * Parameters are balls; every answer encloses the values at all their
 * points. For exact parameters with mu in [1e-12, 1e4], eps in [0, 1e5] the
 * relative width of each answer, and of exp of a logarithm that is in range,
 * is below 1e-20. source [BW18] Thm 8; docs/theory/noise.md.
 */
#ifndef DOSI_NOISE_GAUSSIAN_H
#define DOSI_NOISE_GAUSSIAN_H

#include "num/ball.h"

/* Enclose delta, log delta and log(1 - delta) at any real eps, each with
 * relative accuracy. mu = 0 is the pair of equal laws, mu = inf a disjoint
 * one. */
ball gauss_delta(ball mu, ball eps);
ball gauss_log_delta(ball mu, ball eps);
ball gauss_log_1m_delta(ball mu, ball eps);

/* Enclose P[loss > s] and Q[loss > s], and the logarithm of the latter. */
ball gauss_tail_p(ball mu, ball s);
ball gauss_tail_q(ball mu, ball s);
ball gauss_log_tail_q(ball mu, ball s);

/* Encloses the smallest eps >= 0 with log delta(eps) <= log_delta: 0 if the
 * total variation is small enough, inf if delta = 0 and mu > 0. */
dosi_interval gauss_epsilon(ball mu, ball log_delta);

/* Encloses the mu with log delta(eps) = log_delta, for eps >= 0: the largest at
 * which (eps, delta) holds. 0 if delta = 0, inf if delta >= 1. */
dosi_interval gauss_mu(ball eps, ball log_delta);

/* Encloses the least type II error of a test of level alpha in [0, 1],
 * cdf(isf(alpha) - mu). */
ball gauss_tradeoff(ball mu, ball alpha);

#endif
