/*
 * Tail masses of LOSS_GROUP: mixtures of shifted normal laws on either side,
 * with the threshold of a loss found in the coordinate of the noise. Used by
 * loss_tails.c alone. Derivation: docs/theory/loss.md.
 */
#ifndef DOSI_LOSS_LOSS_GROUP_H
#define DOSI_LOSS_LOSS_GROUP_H

#include "loss_tails.h"

/* Encloses Bin(i; n, q) for i = 0..n, n <= LOSS_MAX_GROUP. */
void loss_group_weights(ball *weight, unsigned n, ball q);

/* Encloses the masses of P and Q above or below s. */
loss_tail loss_group_tail(loss_tails *c, ball s, bool upper);

#endif
