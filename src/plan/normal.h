/*
 * The normal form of a plan: a sum of distinct parts in a fixed order, each
 * with its count. A part is a mechanism, or a sampler over a normal form;
 * groups stand directly on them.
 *
 * The rules (docs/plans.md says why each is exact):
 *     flatten        (A + B) + C = A + B + C,  (A + B) * k = A * k + B * k
 *     counts         A * j * k = A * jk,  A * j + A * k = A * (j + k)
 *     groups         move inwards over + and *, nested sizes multiply
 *     identities     A * 1, group(1, A) and without_replacement(n, n, A)
 *                    are A
 *     no loss        pure(0) and its likes, poisson(0, A), samplers and
 *                    groups of no loss vanish; what is left of nothing is
 *                    pure(0)
 *     no privacy     approx(e, 1) and zcdp(r, x, 1) are nonprivate(), and so
 *                    is a composition that holds it, and a group of it
 *     other names    approx(e, 0) is pure(e)
 *
 * No rule changes a number inexactly. A part with the hole is never dropped
 * and its hole never computed with: counts and groups move below it.
 */
#ifndef DOSI_PLAN_NORMAL_H
#define DOSI_PLAN_NORMAL_H

#include "plan.h"

/* Whether the plan is pure(0), which is what no loss looks like when normal. */
bool dosi_plan_is_nothing(const dosi_plan *plan);

#endif
