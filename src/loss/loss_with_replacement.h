/*
 * The masses of samples with replacement: m draws out of n records meet one
 * record k times with probability w_k = Bin(k; m, 1/n). LOSS_WITH_REPLACEMENT
 * is the mixture over k >= 1, with shares w_k/eta, of fixed-size samples of
 * rate eta = 1 - w_0 whose noise is k times as telling (T004-10). Derivation:
 * docs/theory/sampling.md, section 8. Used by loss_tails.c and the
 * spectral mixture.
 */
#ifndef DOSI_LOSS_LOSS_WITH_REPLACEMENT_H
#define DOSI_LOSS_LOSS_WITH_REPLACEMENT_H

#include "loss_tails.h"

/*
 * How many k are told apart for what is left to be at most e^log_rest:
 * the least such number of at least 1, or 0 where LOSS_MAX_GROUP do not
 * suffice.
 *
 * requires  draws >= 1, population >= 2, whole
 */
unsigned loss_with_replacement_terms(
    double draws, double population, double log_rest);

/* w_k for k = 0..n, and the sum of all beyond n. */
ball loss_with_replacement_weights(
    ball *weight, unsigned n, double draws, double population);

/* P[L = +inf] of a law that is not finite. */
ball loss_with_replacement_lost(const loss_law *pair);

/* Fills weights, base_delta and p_inf of LOSS_WITH_REPLACEMENT, and of
 * LOSS_GROUP with draws. */
void loss_with_replacement_init(loss_tails *c);

/* What lies above or below s. */
loss_tail loss_with_replacement_tail(const loss_tails *c, ball s, bool upper);

#endif
