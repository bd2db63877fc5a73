/*
 * Poisson samples under replace over any base: a bound from what the base
 * loses to one record, added or removed, and to two (X004-PS.ra), made a law
 * by its convex hull. Derivation: docs/theory/sampling.md, section 8.
 */
#ifndef DOSI_MECHANISMS_POISSON_POISSON_REPLACE_UPPER_H
#define DOSI_MECHANISMS_POISSON_POISSON_REPLACE_UPPER_H

#include "mechanisms/mechanism.h"

/* The law. owns  the pool. fails  NULL with the reason in the pool */
const finite_law *poisson_replace_upper(
    const part *p, const mechanism_context *c);

#endif
