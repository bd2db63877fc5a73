/*
 * The sums of amplify_profile.c over Gaussian noise in plain doubles: unknown
 * for other noise, for is_full, and where doubles are not enough. Derivation:
 * docs/theory/couplings.md, sections 4 and 5.
 */
#ifndef DOSI_REPR_AMPLIFY_QUICK_H
#define DOSI_REPR_AMPLIFY_QUICK_H

#include "amplify_profile.h"
#include "binomial_mix.h"

/* sum_(k >= 1) w_k delta_k(eps), white box. */
scaled amplify_quick_draws(
    const amplified *a, const binomial_mix *mix, ball eps);

/* sum_j w_j delta(log(1 + (n/k) growth)), k = j + 1, growth >= 0. */
scaled amplify_quick_sharp(
    const amplified *a, const binomial_mix *mix, ball growth);

/* sum_j w_j delta(base + log(n/k - 1)), k = j + 1. */
scaled amplify_quick_split(
    const amplified *a, const binomial_mix *mix, ball base);

#endif
