/*
 * Rényi divergences of a mechanism on a Poisson sample at every real order,
 * from the law of the base: Gaussian, Laplace and randomised response, in
 * both directions. Derivation: docs/theory/sampling.md, sections 6 and 7, and
 * docs/theory/without_replacement.md, section 7.
 */
#ifndef DOSI_RENYI_POISSON_BASE_RENYI_H
#define DOSI_RENYI_POISSON_BASE_RENYI_H

#include "chi_divergence.h"
#include "poisson_gaussian_moment.h"
#include "sampling/poisson_gaussian.h"

/*
 * log E_q (1 - rate + rate X)^s >= 0, X = p/q.
 *
 * requires  0 <= rate <= 1; s > 1 or s < 0
 * width     Gaussian and Laplace: some 1e-14 relative, at most 2^-30;
 *           response: near 1e-22
 * cost      of sampled_log_moment and sampled_laplace_excess
 */
ball sampled_law_log_moment(const chi_law *law, ball rate, ball s);

/*
 * The Rényi divergence of the mixture and the base in the given direction. Over
 * Gaussian noise whole orders up to 1024 of the mixture first are summed
 * (T000-34), except by the quick form, for sums of thousands of them: it
 * integrates all orders, and is unknown above SAMPLED_FEW_NODES.
 *
 * requires  0 <= rate <= 1, order > 1
 * width     as sampled_law_log_moment, and so the cost; of sums 1e-24
 * source    D000-sgm.rdp_add_exact, D000-sgm.rdp_rem_exact
 */
ball sampled_law_renyi(
    sampled_side side, const chi_law *law, ball rate, ball order);
ball sampled_law_renyi_quick(
    sampled_side side, const chi_law *law, ball rate, ball order);
ball sampled_gaussian_renyi(sampled_side side, ball rate, ball mu, ball order);

/*
 * log( 1 + s (s+1) int_0^inf (e^(s x) + e^(-(s+1) x)) d(x) dx ), d being the
 * profile of the mixture against the base: the moment of a symmetric pair with
 * that profile. Integrated by parts it is
 *
 *     1 + E_q[ Y^(s+1) + Y^-s - Y - 1; Y > 1 ],  Y = 1 - rate + rate X.
 *
 * requires  0 < rate <= 1, s > 0; unknown for the Gaussian
 * source    T004-6.sym
 */
ball sampled_law_profile_moment(const chi_law *law, ball rate, ball s);

#endif
