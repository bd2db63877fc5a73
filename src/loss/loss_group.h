/*
 * The masses of LOSS_GROUP: mixtures of shifted normal laws on either side,
 * with the threshold of a loss found in the noise's own coordinate. Used by
 * loss_tails.c alone.
 */
#ifndef DOSI_LOSS_LOSS_GROUP_H
#define DOSI_LOSS_LOSS_GROUP_H

#include "loss_tails.h"

/* Bin(i; n, q) for i = 0..n. */
void loss_group_weights(ball *weight, unsigned n, ball q);

/* What lies above or below s. */
loss_tail loss_group_tail(loss_tails *c, ball s, bool upper);

#endif
