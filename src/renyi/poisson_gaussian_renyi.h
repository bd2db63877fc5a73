/*
 * Rényi divergences of one round of Gaussian noise on a Poisson sample,
 * exactly, in both directions. Derivation: docs/theory/sampling.md, sections 5
 * to 7.
 */
#ifndef DOSI_RENYI_POISSON_GAUSSIAN_RENYI_H
#define DOSI_RENYI_POISSON_GAUSSIAN_RENYI_H

#include "sampling/poisson_gaussian.h"

/*
 * Rényi divergence at a real order > 1, from
 *
 *     E (1 - p + p e^(mu Y - mu^2/2))^s,  Y normal,
 *
 * with s = order (mixture first) or 1 - order (base first), by a trapezoid
 * sum whose error is bounded on a strip; for whole orders up to 1024 and the
 * mixture first, by the finite sum of T000-34.
 *
 * requires  0 <= rate <= 1, mu >= 0, order > 1
 * width     about 1e-20 relative
 * cost      some 100 (1 + mu) nodes; unknown above 2^21 of them
 * source    D000-sgm.rdp_add_exact, D000-sgm.rdp_rem_exact
 */
ball sampled_gaussian_renyi(sampled_side side, ball rate, ball mu, ball order);

/*
 * The divergence of sampled_gaussian_renyi with twelve digits where doubles
 * suffice, and in balls elsewhere.
 *
 * requires  0 <= rate <= 1, mu >= 0, order > 1
 * cost      some 20 times less than sampled_gaussian_renyi in doubles; unknown
 *           if it took more than some 50 ms
 */
ball sampled_gaussian_renyi_quick(
    sampled_side side, ball rate, ball mu, ball order);

#endif
