/*
 * Poisson samples under replace from below: pairs that some neighbours
 * attain. Over additive noise the record moves the answer one way before and
 * the other way after; over anything else it is there before and counts for
 * nothing after. Derivation: docs/theory/sampling.md, section 8.
 */
#ifndef DOSI_MECHANISMS_POISSON_POISSON_REPLACE_LOWER_H
#define DOSI_MECHANISMS_POISSON_POISSON_REPLACE_LOWER_H

#include "mechanisms/mechanism.h"

/* The loss law of a pair that is attained. fails  false with the reason in the
 * pool */
bool poisson_replace_lower(
    loss_law *out, const part *p, const mechanism_context *c);

#endif
