/*
 * One round of Gaussian noise on a Poisson sample, exactly: the mixture
 * (1-p) N(0,1) + p N(mu,1) against N(0,1), in both directions. Add/remove
 * neighbours; mu = distance/sigma. Derivation: docs/theory/subsampling.md,
 * sections 5 and 6.
 */
#ifndef DOSI_REPR_SAMPLED_GAUSSIAN_H
#define DOSI_REPR_SAMPLED_GAUSSIAN_H

#include "num/ball.h"

/* Which of the two laws comes first. */
typedef enum sampled_side {
    SAMPLED_MIXTURE_FIRST, /* mixture against base: the "add" rows */
    SAMPLED_BASE_FIRST     /* base against mixture: the "rem" rows */
} sampled_side;

/*
 * Privacy profile at eps >= 0, with d the profile of the Gaussian:
 *
 *     mixture first   p d(log(1 + (e^eps - 1)/p))
 *     base first      c d(eps + log(p/c)),  c = 1 - (1-p) e^eps;  0 if c <= 0
 *
 * requires  0 <= rate <= 1, mu >= 0, eps >= 0
 * source    D000-sgm.delta_add, D000-sgm.delta_rem
 */
ball sampled_gaussian_delta(sampled_side side, ball rate, ball mu, ball eps);
ball sampled_gaussian_log_delta(
    sampled_side side, ball rate, ball mu, ball eps);

/*
 * Rényi divergence at a real order > 1, from
 *
 *     E (1 - p + p e^(mu Y - mu^2/2))^s,  Y normal,
 *
 * with s = order (mixture first) or 1 - order (base first), by a trapezoid
 * sum whose error is bounded on a strip. Whole orders up to 1024 with the
 * mixture first are the finite sum of T000-34.
 *
 * requires  0 <= rate <= 1, mu >= 0, order > 1
 * width     about 1e-20 relative
 * cost      some 100 (1 + mu) nodes; unknown when that exceeds 2^21
 * source    D000-sgm.rdp_add_exact, D000-sgm.rdp_rem_exact
 */
ball sampled_gaussian_renyi(sampled_side side, ball rate, ball mu, ball order);

/* The same with a dozen digits, some 20 times as fast where it can; unknown
 * where it would take more than some 50 ms. */
ball sampled_gaussian_renyi_quick(
    sampled_side side, ball rate, ball mu, ball order);

#endif
