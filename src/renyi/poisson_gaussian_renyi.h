/*
 * Rényi divergences of one round of Gaussian noise on a Poisson sample,
 * exactly, in both directions. Derivation: docs/theory/sampling.md, sections 5
 * and 6.
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
 * width     some 1e-14 relative; of the finite sum, 1e-24 order/1000
 * cost      some 30 (1 + mu) nodes of 0.1 us; unknown above 2^20 of them
 * source    D000-sgm.rdp_add_exact, D000-sgm.rdp_rem_exact
 */
ball sampled_gaussian_renyi(sampled_side side, ball rate, ball mu, ball order);

/*
 * The divergence of sampled_gaussian_renyi by the trapezoid sum at every order,
 * for sums of thousands of them.
 *
 * requires  0 <= rate <= 1, mu >= 0, order > 1
 * cost      unknown above 2^14 nodes
 */
ball sampled_gaussian_renyi_quick(
    sampled_side side, ball rate, ball mu, ball order);

#endif
