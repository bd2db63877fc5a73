/*
 * Loss laws of samples with replacement: m draws out of n records meet one
 * record k times with probability Bin(k; m, 1/n). What is sampled is known
 * under replace, whichever relation is asked for. Which law is used, and why
 * it may be composed: docs/theory/sampling.md, section 8.
 */
#ifndef DOSI_MECHANISMS_WITH_REPLACEMENT_WITH_REPLACEMENT_LAWS_H
#define DOSI_MECHANISMS_WITH_REPLACEMENT_WITH_REPLACEMENT_LAWS_H

#include "mechanisms/plan_laws.h"

/* The loss slot of with_replacement. */
bool with_replacement_loss(
    loss_law *out, const part *p, const mechanism_context *c);

/*
 * The law by atoms, from group laws of what is sampled (T004-10, T004-11):
 * a bound in both directions. NULL with the reason in the pool.
 */
const finite_law *with_replacement_finite(
    const part *p, const mechanism_context *c);

/* How many hits of a record are told apart in count runs; 0: too many. */
unsigned with_replacement_terms(const part *p);

#endif
