/*
 * Laws of one run on a sample whose neighbours are not those of Poisson
 * sampling under add/remove: draws with replacement, and Poisson samples
 * under replace. Which pair stands for what: docs/theory/sampling.md,
 * section 8.
 */
#ifndef DOSI_PROFILE_PROFILE_SAMPLED_H
#define DOSI_PROFILE_PROFILE_SAMPLED_H

#include "profile.h"
#include "noise/base_profile.h"

/* m draws out of n records, one replaced, or n >= 2 and one added or removed
 * (T004-10, T004-11); the base's profile is under replace. Symmetric. */
privacy_profile profile_with_replacement(
    const base_profile *base, double m, double n);

/* Gaussian or Laplace noise, one of n >= 2 records added or removed: exact
 * (X004-11.gauss and the counting lemma of docs/theory/couplings.md). */
privacy_profile profile_with_replacement_pair(
    const base_profile *base, double m, double n, bool add);

/* Gaussian noise on a Poisson sample, one record replaced; theta belongs to
 * one record added or removed. Symmetric, exact (docs/theory/loss.md). */
privacy_profile profile_poisson_replace(ball theta, ball rate);

#endif
