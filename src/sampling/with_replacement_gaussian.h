/*
 * Gaussian noise on m draws with replacement out of n records, remove/add
 * neighbours, exactly: sum_k w_k N(k theta, 1) against N(0, 1) with
 * w_k = Bin(k; m, 1/n), in both directions. Derivation:
 * docs/theory/couplings.md, section 6.
 */
#ifndef DOSI_SAMPLING_WITH_REPLACEMENT_GAUSSIAN_H
#define DOSI_SAMPLING_WITH_REPLACEMENT_GAUSSIAN_H

#include "base/work_limits.h"
#include "num/scaled.h"
#include "poisson_gaussian.h"

/*
 * delta at eps >= 0. With e_k(t) = k theta t - (k theta)^2/2 and S(t) =
 * sum_k w_k exp(e_k(t)), the likelihood ratio, and d the Gaussian profile,
 *
 *     mixture first   sum_k w_k d(k theta, e_k)   at S(t) = e^eps
 *     base first      e^eps sum_k w_k exp(e_k) d(k theta, -e_k)
 *                                                 at S(t) = e^-eps,
 *                     0 where w_0 >= e^-eps.
 *
 * requires  theta > 0; n >= 2 and m >= 1 whole
 * width     near 1e-20 relative, except for eps next to -log w_0
 * source    X004-11.gauss
 */
scaled with_replacement_gaussian_delta(
    sampled_side side, double n, double m, ball theta, ball eps,
    work_limits *limits);

#endif
