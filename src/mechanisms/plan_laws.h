/*
 * A whole plan as a list of loss laws, each with its count: what the tight
 * routes compose. Gaussians are merged into one. Which laws of a plan with
 * samplers exist, and what they are attained by: docs/theory/loss.md.
 *
 * Records of a group over a sampler may be removed or added, a of them and
 * b = k - a: all k + 1 splits are different laws of the whole plan, and the
 * worst is the answer. The context's split says b; for k = 1 the context's
 * direction does.
 *
 * A fixed-size sample under replace has two kinds of laws: one dominates all
 * neighbours, and each of two pairs, base against mixture, is attained by
 * some. Where one step runs alone the first is attained, too; composed, it is
 * an upper bound and the pairs are lower ones (docs/theory/tradeoff.md,
 * section 11). The context's attained chooses. Classes of bounded range have
 * laws that dominate them and laws of members likewise
 * (docs/theory/adaptive.md), and so have stated guarantees. A part that
 * has no attained law is left out of the plan then, whose law is a lower bound
 * all the same.
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
 * false with the reason in the context's pool where a part has no law.
 *
 * owns  *out, freed with plan_laws_free in any case
 */
bool plan_laws_of(
    plan_laws *out, const dosi_plan *normal, const mechanism_context *c);
void plan_laws_free(plan_laws *all);

/*
 * How many ordered pairs of neighbours the plan has that may differ in their
 * law: 1 where it is symmetric, 2 for removal and addition, k + 1 for groups
 * of k over samplers; 0 where such groups differ in size, or k > 64. The
 * i-th of them is the context with add = (i == 1), and split = i.
 */
size_t plan_laws_splits(const dosi_plan *normal, dosi_neighbours neighbours);

/* Half of the splits of 64 records. */
#define PLAN_LAWS_MAX_SPLITS 33

/*
 * The laws of every split that the direction of the context answers for: half
 * of them where there are more than two, else split 0 in its direction. False
 * with the reason in the pool.
 *
 * owns  *n of all, each freed with plan_laws_free in any case
 */
bool plan_laws_of_splits(plan_laws all[PLAN_LAWS_MAX_SPLITS], size_t *n,
    const dosi_plan *normal, const mechanism_context *c);

/* The law of one run of what a sampler samples; false with the reason in the
 * pool. */
bool plan_laws_base(
    loss_law *out, const dosi_plan *plan, const mechanism_context *c);

/* The base against its mixture with what it is under a neighbour, in the
 * order of the context. */
bool plan_laws_mixture(
    loss_law *out, const loss_law *base, ball rate, const mechanism_context *c);

/* Whether the plan holds samples whose law is a bound while pairs are
 * attained, and no other part whose law is a mere bound once composed. */
bool plan_has_attained_pairs(
    const dosi_plan *normal, dosi_neighbours neighbours);

/* Whether it holds classes of mechanisms whose law is a bound once composed,
 * while members are known. */
bool plan_has_class_members(const dosi_plan *normal);

/* The noise of a plan that is one run of one mechanism; NOISE_OTHER for any
 * other plan. */
mechanism_noise plan_noise(const dosi_plan *plan);

/* The law of base against mixture, in the context's direction; likewise. */
const finite_law *plan_laws_finite_mixture(
    const finite_law *base, ball rate, const mechanism_context *c);

#endif
