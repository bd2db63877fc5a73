/*
 * Privacy profiles of one run on a sample drawn with replacement, and on a
 * Poisson sample under replace. The dominating pairs are derived in
 * docs/theory/sampling.md, section 8.
 */
#ifndef DOSI_PROFILE_PROFILE_SAMPLED_H
#define DOSI_PROFILE_PROFILE_SAMPLED_H

#include "profile.h"
#include "noise/base_profile.h"

/*
 * m draws out of n records, one replaced, or added or removed. Symmetric.
 *
 * requires  n >= 2 if a record is added or removed; the profile of the base is
 *           under replace
 * source    T004-10, T004-11
 */
privacy_profile profile_with_replacement(
    const base_profile *base, double m, double n);

/*
 * The exact profile of m draws out of n records, one removed or added.
 *
 * requires  Gaussian or Laplace noise as the base, n >= 2
 * source    X004-11.gauss; counting lemma, docs/theory/couplings.md, section 6
 */
privacy_profile profile_with_replacement_pair(
    const base_profile *base, double m, double n, bool is_added);

/*
 * The exact profile of Gaussian noise on a Poisson sample, one record replaced.
 * Symmetric.
 *
 * requires  theta is distance over sigma for one record added or removed
 * source    splitting lemma, docs/theory/loss.md, section 1
 */
privacy_profile profile_poisson_replace(ball theta, ball rate);

#endif
