/*
 * Loss laws of samples of fixed size under replace: the law that dominates all
 * neighbours, and those of pairs that some neighbours attain. Derivation:
 * docs/theory/loss.md, section 1.
 */
#ifndef DOSI_MECHANISMS_WITHOUT_REPLACEMENT_WITHOUT_REPLACEMENT_LAWS_H
#define DOSI_MECHANISMS_WITHOUT_REPLACEMENT_WITHOUT_REPLACEMENT_LAWS_H

#include "mechanisms/plan_laws.h"

/* The slot loss of without_replacement. */
bool without_replacement_loss(
    loss_law *out, const part *p, const mechanism_context *c);

/*
 * The finite law of a fixed-size sample under replace, of a symmetric base.
 *
 * owns    the pool
 * source  T004-9
 * fails   NULL with the reason in the pool
 */
const finite_law *without_replacement_finite(
    const finite_law *base, ball rate, const mechanism_context *c);

#endif
