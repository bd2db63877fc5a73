/*
 * Laws of whole plans in normal form: the exact ones where they are known,
 * and products of easy factors from above and below. Samplers lower the plan
 * they sample through the same functions.
 */
#ifndef DOSI_MECHANISMS_PLAN_TOTAL_H
#define DOSI_MECHANISMS_PLAN_TOTAL_H

#include "mechanism.h"

/* Whether all parts are Gaussian, and mu = sqrt(sum of count mu_j^2). */
bool total_gaussian(ball *mu, attainment *flag, const dosi_plan *normal,
    const mechanism_context *c);

/* The exact law by closed forms: one run of one mechanism, all Gaussian, k
 * equal responses. NULL with the reason in the pool. */
const privacy_profile *total_closed(
    const dosi_plan *normal, const mechanism_context *c);

/*
 * A law that dominates the plan (MECHANISM_UPPER), or one that it dominates; in
 * the latter parts without a view are left out. *exact says that it is the
 * plan's own law. NULL with the reason in the pool.
 */
const privacy_profile *total_product(bool *exact, mechanism_side side,
    const dosi_plan *normal, const mechanism_context *c);

/* total_closed, or else an exact total_product. */
const privacy_profile *total_exact(
    const dosi_plan *normal, const mechanism_context *c);

/* What the parts' affinities, multiplied, say from below; NULL where no part
 * has one. Cheap for any number of runs. */
const privacy_profile *total_affinity(
    const dosi_plan *normal, const mechanism_context *c);

/* A finite law from one side; a Gaussian is bounded from below by its sign. */
const finite_law *total_finite(bool *exact, mechanism_side side,
    const dosi_plan *normal, const mechanism_context *c);

/* Sum over the parts of count times their curves. */
bool total_renyi(mechanism_renyi_bound *out, ball order,
    const dosi_plan *normal, const mechanism_context *c);

/* What the plan attains at least, +inf where it leaks. Parts without a curve
 * at the order are left out, which never diverges more. */
double total_renyi_least(
    ball order, const dosi_plan *normal, const mechanism_context *c);

/* Roughly its upper end, to steer by, from every stride-th part; NaN when one
 * has no such value. */
double total_renyi_approx(double order, size_t stride, const dosi_plan *normal,
    const mechanism_context *c);

/* Sum of the parts' lines. */
bool total_zcdp(mechanism_zcdp_bound *out, const dosi_plan *normal,
    const mechanism_context *c);

/* The zcdp slot of a sampler: a mixture diverges no more than the worst of
 * its parts, T000-33.6. */
bool total_sampled_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c);

/* Why the losses of the plan have no bound for certain, in some direction; NULL
 * where they may have one. */
const char *plan_unbounded(const dosi_plan *normal, const mechanism_context *c);

/* Basic composition of the parts' boxes. */
bool total_guarantee(ball *eps, ball *delta, const dosi_plan *normal,
    const mechanism_context *c);

#endif
