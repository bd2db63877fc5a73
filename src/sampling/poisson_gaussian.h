/*
 * One round of Gaussian noise on a Poisson sample, exactly: the mixture
 * (1-p) N(0,1) + p N(mu,1) against N(0,1), in both directions. Add/remove
 * neighbours; mu = distance/sigma. Derivation: docs/theory/sampling.md,
 * sections 5 and 6.
 */
#ifndef DOSI_SAMPLING_POISSON_GAUSSIAN_H
#define DOSI_SAMPLING_POISSON_GAUSSIAN_H

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

#endif
