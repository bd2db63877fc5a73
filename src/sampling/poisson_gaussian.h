/*
 * One round of Gaussian noise on a Poisson sample, exactly: the mixture
 * (1-p) N(0,1) + p N(mu,1) against N(0,1), in both directions, for one record
 * added or removed; mu = distance/sigma. Derivation: docs/theory/sampling.md,
 * section 5.
 */
#ifndef DOSI_SAMPLING_POISSON_GAUSSIAN_H
#define DOSI_SAMPLING_POISSON_GAUSSIAN_H

#include "num/ball.h"

/* Which of the two laws comes first. The formulary's rows follow [Ste22], where
 * mixture against base is called "add" and base against mixture "rem"; the
 * accountant calls the former a removed record, the latter an added one. */
typedef enum sampled_side {
    SAMPLED_MIXTURE_FIRST,
    SAMPLED_BASE_FIRST
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
