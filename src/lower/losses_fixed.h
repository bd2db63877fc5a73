/*
 * Loss laws of samples of fixed size under replace: the law that dominates all
 * neighbours, and those of pairs that some neighbours attain. Derivation:
 * docs/theory/loss_laws.md, section 1.
 */
#ifndef DOSI_LOWER_LOSSES_FIXED_H
#define DOSI_LOWER_LOSSES_FIXED_H

#include "losses.h"

/* The loss slot of without_replacement. */
bool losses_fixed_size(loss *out, const part *p, const lower_context *c);

/* The law of a sample of fixed size (T004-9) under replace, from that of a
 * symmetric base; NULL with the reason in the pool. */
const atoms *losses_fixed_atoms(
    const atoms *base, ball rate, const lower_context *c);

#endif
