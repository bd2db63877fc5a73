/*
 * The loss laws of a whole plan, each with its count, which the contour and the
 * list compose. All Gaussians are one of them. Which laws plans with samplers
 * have, and what attains them: docs/theory/loss.md.
 *
 * Of the k records of a group over a sampler, b may be added and k - b removed.
 * The k + 1 splits are different laws of the whole plan, and the worst of them
 * is the answer. The context's split is b; for k = 1 it is the context's
 * direction.
 *
 * A fixed-size sample under replace has a law that dominates all neighbours,
 * and two pairs, base against mixture and the reverse, which some neighbours
 * attain. The first is attained, too, if one step runs alone; composed, it is
 * an upper bound and the pairs are lower bounds (docs/theory/tradeoff.md,
 * section 11). The context's attained selects the pairs. Classes of bounded
 * range likewise have laws that dominate them and laws of members
 * (docs/theory/adaptive.md), and so have stated guarantees. With attained, a
 * part without such a law is left out, and the law of the others is a lower
 * bound of the plan.
 */
#ifndef DOSI_MECHANISMS_PLAN_LAWS_H
#define DOSI_MECHANISMS_PLAN_LAWS_H

#include "mechanism.h"

typedef struct plan_laws {
    size_t n;
    loss_law *items;
    attainment flag; /* of the whole plan */
    size_t n_pools;
    profile_pool *pools; /* own what the items borrow */
} plan_laws;

/*
 * The laws of a plan in normal form, without a hole.
 *
 * cost   a few enumerations; adaptive runs and finite laws are kept by the
 *        context
 * owns   *out, freed with plan_laws_free in any case
 * fails  false with the reason in the context's pool if a part has no law
 */
bool plan_laws_of(
    plan_laws *out, const dosi_plan *normal, const mechanism_context *c);
void plan_laws_free(plan_laws *all);

/*
 * The number of ordered pairs of neighbours whose laws may differ: 1 for a
 * symmetric plan, 2 for removal and addition, k + 1 for groups of k over
 * samplers; 0 if such groups differ in size, or if k > 64. The i-th pair is
 * that of the context with add = (i == 1) and split = i.
 */
size_t plan_laws_splits(const dosi_plan *normal, dosi_neighbours neighbours);

/* A direction answers for half of the splits of 64 records. */
#define PLAN_LAWS_MAX_SPLITS 33

/*
 * The laws of every split that the context's direction answers for: half of
 * them if there are more than two, else split 0 in that direction.
 *
 * owns   *n of all, each freed with plan_laws_free in any case
 * fails  false with the reason in the pool
 */
bool plan_laws_of_splits(plan_laws all[PLAN_LAWS_MAX_SPLITS], size_t *n,
    const dosi_plan *normal, const mechanism_context *c);

/* The law of one run of a plan that is sampled. fails  false with the reason
 * in the pool */
bool plan_laws_base(
    loss_law *out, const dosi_plan *plan, const mechanism_context *c);

/* The law of a base P against its mixture with the base Q of a neighbour,
 * (1 - rate) P + rate Q, in the context's direction. */
bool plan_laws_mixture(
    loss_law *out, const loss_law *base, ball rate, const mechanism_context *c);

/* Whether the plan holds samplers whose law is only a bound while pairs are
 * attained, and no class whose law is only a bound once composed. */
bool plan_has_attained_pairs(
    const dosi_plan *normal, dosi_neighbours neighbours);

/* Whether the plan holds a class of mechanisms whose law is only a bound once
 * composed, while members are known. */
bool plan_has_class_members(const dosi_plan *normal);

/* The noise of a plan that is one run of one mechanism; NOISE_OTHER for any
 * other plan. */
mechanism_noise plan_noise(const dosi_plan *plan);

/* plan_laws_mixture of a finite law; NULL with the reason in the pool. */
const finite_law *plan_laws_finite_mixture(
    const finite_law *base, ball rate, const mechanism_context *c);

#endif
