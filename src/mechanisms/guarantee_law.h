/*
 * Stated zCDP and Renyi guarantees as loss laws: a law whose delta is at
 * least what the guarantee allows at every epsilon dominates every mechanism
 * that keeps it, and so may be composed with anything. Bounds from above
 * only. Derivation: docs/theory/loss.md, section 3.
 */
#ifndef DOSI_MECHANISMS_GUARANTEE_LAW_H
#define DOSI_MECHANISMS_GUARANTEE_LAW_H

#include "mechanism.h"

/*
 * The law of D_order <= xi + rho order at every order, except with probability
 * leak.
 *
 * owns   the context's store or pool
 * fails  NULL with the reason in the pool
 */
const finite_law *guarantee_law_zcdp(
    const mechanism_zcdp_bound *stated, const mechanism_context *c);

/* The law of D_order <= divergence at one order, and so at every smaller one;
 * owns and fails as guarantee_law_zcdp. */
const finite_law *guarantee_law_renyi(
    double order, ball divergence, const mechanism_context *c);

#endif
