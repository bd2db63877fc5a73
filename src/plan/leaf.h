/*
 * Mechanisms that lose nothing, and mechanisms that protect nothing. Both are
 * decided on the parameters as they are, without rounding.
 */
#ifndef DOSI_PLAN_LEAF_H
#define DOSI_PLAN_LEAF_H

#include "plan.h"

/* Whether the two laws of a leaf are certainly equal: its row bounds the loss
 * by 0, or its lists are equal. false for a leaf with the hole. */
bool dosi_leaf_has_no_loss(const dosi_plan *leaf);

/* Whether the two laws of a leaf may be disjoint: its row has a leak of 1.
 * false for a leaf with the hole. */
bool dosi_leaf_has_no_privacy(const dosi_plan *leaf);

#endif
