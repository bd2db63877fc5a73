/*
 * Poisson samples under replace from below: pairs that some neighbours
 * attain. Over additive noise the record moves the answer one way before and
 * the other way after; over anything else it is there before and counts for
 * nothing after. Derivation: docs/theory/subsampling.md, section 8.
 */
#ifndef DOSI_LOWER_LOSSES_REPLACED_H
#define DOSI_LOWER_LOSSES_REPLACED_H

#include "lower.h"

/* A law that is attained; false with the reason in the pool. */
bool losses_replaced(loss *out, const part *p, const lower_context *c);

#endif
