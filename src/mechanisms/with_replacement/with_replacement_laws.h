/*
 * Loss laws of samples with replacement: m draws out of n records take one
 * record k times with probability Bin(k; m, 1/n). The sampled plan is stated
 * under replace, whichever relation is asked for. Which law is used, and why
 * it may be composed: docs/theory/sampling.md, section 8.
 */
#ifndef DOSI_MECHANISMS_WITH_REPLACEMENT_WITH_REPLACEMENT_LAWS_H
#define DOSI_MECHANISMS_WITH_REPLACEMENT_WITH_REPLACEMENT_LAWS_H

#include "mechanisms/plan_laws.h"

/* The slot loss of with_replacement. */
bool with_replacement_loss(
    loss_law *out, const part *p, const mechanism_context *c);

/*
 * A finite law that bounds both directions, by group laws of the sampled plan.
 *
 * owns    the pool
 * source  T004-10, T004-11
 * fails   NULL with the reason in the pool
 */
const finite_law *with_replacement_finite(
    const part *p, const mechanism_context *c);

/* The greatest number of draws of one record that a mixture has a term for, in
 * all runs of the part; 0 if there would be too many terms. */
unsigned with_replacement_terms(const part *p);

#endif
