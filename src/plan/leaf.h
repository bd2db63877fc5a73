/*
 * Mechanisms at the two ends: those that lose nothing, and those that keep
 * nothing. Decided on the numbers as they are, without rounding.
 */
#ifndef DOSI_PLAN_LEAF_H
#define DOSI_PLAN_LEAF_H

#include "plan.h"

/* Whether the two laws of a leaf are the same; no for a hole. */
bool dosi_leaf_has_no_loss(const dosi_plan *leaf);

/* Whether they are told apart by certainty; no for a hole. */
bool dosi_leaf_has_no_privacy(const dosi_plan *leaf);

#endif
