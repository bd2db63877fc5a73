/*
 * Samples with replacement: m draws out of n records draw one record k times
 * with probability w_k = Bin(k; m, 1/n). LOSS_WITH_REPLACEMENT is the mixture
 * over k >= 1, with shares w_k/eta, of fixed-size samples of rate eta = 1 - w_0
 * and parameter k times as large (T004-10). Used by loss_tails.c and by
 * contour/part. Derivation: docs/theory/sampling.md, section 8.
 */
#ifndef DOSI_LOSS_LOSS_WITH_REPLACEMENT_H
#define DOSI_LOSS_LOSS_WITH_REPLACEMENT_H

#include "loss_tails.h"

/*
 * The least n >= 1 for which the weights beyond n add up to at most e^log_rest;
 * 0 if LOSS_MAX_GROUP does not suffice.
 *
 * requires  draws >= 1, population >= 2, both integers
 */
unsigned loss_with_replacement_terms(
    double draws, double population, double log_rest);

/* Encloses w_k for k = 0..n in weight, and returns the sum of all w_k beyond
 * n. */
ball loss_with_replacement_weights(
    ball *weight, unsigned n, double draws, double population);

/* Encloses P[L = +inf] of a law other than LOSS_FINITE. */
ball loss_with_replacement_lost(const loss_law *pair);

/* Fills weights, base_delta and p_inf of LOSS_WITH_REPLACEMENT, and of
 * LOSS_GROUP with draws. */
void loss_with_replacement_init(loss_tails *c);

/* Encloses the masses of the density above or below s. */
loss_tail loss_with_replacement_tail(const loss_tails *c, ball s, bool upper);

#endif
