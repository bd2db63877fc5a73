/*
 * The masses of LOSS_SPLIT: mixtures of shifted normal laws on either side,
 * with the threshold of a loss found in the noise's own coordinate. Used by
 * loss_cells.c alone.
 */
#ifndef DOSI_LOSS_LOSS_GROUP_H
#define DOSI_LOSS_LOSS_GROUP_H

#include "loss_tails.h"

/* Bin(i; n, q) for i = 0..n. */
void loss_split_weights(ball *weight, unsigned n, ball q);

/* What lies above or below s. */
loss_tail loss_split_tail(loss_cells *c, ball s, bool upper);

#endif
