/*
 * Rényi divergences of a mechanism on a Poisson sample at every real order,
 * from the law of the base: Gaussian, Laplace and randomised response, in
 * both directions. Derivation: docs/theory/without_replacement.md, section 7.
 */
#ifndef DOSI_RENYI_POISSON_BASE_RENYI_H
#define DOSI_RENYI_POISSON_BASE_RENYI_H

#include "chi_divergence.h"
#include "num/ball.h"
#include "sampling/poisson_gaussian.h"

/*
 * log E_q (1 - rate + rate X)^s >= 0, X = p/q.
 *
 * requires  0 <= rate <= 1; s > 1 or s < 0
 * width     near 1e-20 relative
 * cost      Laplace: some 50 us a panel, of which there are about 8 a R for
 *           the parameter a, R = max(1, |s| share/10) with the share of p in
 *           the mixture where it is largest; unknown above 2^14 of them
 */
ball sampled_law_log_moment(const chi_law *law, ball rate, ball s);

/* D_order of the mixture and the base, order > 1, as sampled_gaussian.h
 * names the directions. */
ball sampled_law_renyi(
    sampled_side side, const chi_law *law, ball rate, ball order);

/*
 * log( 1 + s (s+1) int_0^inf (e^(s x) + e^(-(s+1) x)) d(x) dx ), d being the
 * profile of the mixture against the base: what the moments of both
 * directions would be if both had that profile. By parts it is
 *
 *     1 + E_q[ Y^(s+1) + Y^-s - Y - 1; Y > 1 ],  Y = 1 - rate + rate X.
 *
 * requires  0 < rate <= 1, s > 0; unknown for the Gaussian
 * source    T004-6.sym
 */
ball sampled_law_profile_moment(const chi_law *law, ball rate, ball s);

#endif
