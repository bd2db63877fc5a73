/*
 * Laws and guarantees of whole plans in normal form: exact laws, products that
 * bound a plan from either side, and sums of the guarantees of its parts.
 * Samplers ask the same of the plan that they sample.
 *
 * Functions that return bool give false, and those that return a pointer NULL,
 * with the reason in the context's pool, which owns what is returned.
 */
#ifndef DOSI_MECHANISMS_PLAN_TOTAL_H
#define DOSI_MECHANISMS_PLAN_TOTAL_H

#include "mechanism.h"

/* Whether all parts are Gaussian: then mu = sqrt(sum of count mu_j^2). */
bool total_gaussian(ball *mu, attainment *flag, const dosi_plan *normal,
    const mechanism_context *c);

/* The exact law in closed form: of one run of one mechanism, of Gaussians, or
 * of k runs of one randomized response. */
const privacy_profile *total_closed(
    const dosi_plan *normal, const mechanism_context *c);

/*
 * A law that dominates the plan (MECHANISM_UPPER), or one that the plan
 * dominates, from which parts without a product are left out. *exact says that
 * it is the plan's own law.
 *
 * cost   enumerations of at most max_terms of the context
 */
const privacy_profile *total_product(bool *exact, mechanism_side side,
    const dosi_plan *normal, const mechanism_context *c);

/* The law of total_closed, or else that of total_product if it is exact. */
const privacy_profile *total_exact(
    const dosi_plan *normal, const mechanism_context *c);

/* A lower bound of the profile by the product of the parts' affinities, the
 * sums of sqrt(P Q); NULL if no part has one.
 *
 * cost   one product for each part, whatever their counts */
const privacy_profile *total_affinity(
    const dosi_plan *normal, const mechanism_context *c);

/* A finite law from one side. A lower bound takes the sign of a Gaussian in
 * its place. */
const finite_law *total_finite(bool *exact, mechanism_side side,
    const dosi_plan *normal, const mechanism_context *c);

/* The Renyi divergence of the plan: the sum over the parts of count times
 * their divergences. */
bool total_renyi(mechanism_renyi_bound *out, ball order,
    const dosi_plan *normal, const mechanism_context *c);

/* A lower bound of the divergence that the plan attains, +inf if it leaks.
 * Parts without a curve at the order are left out, and what is left never
 * diverges more. */
double total_renyi_least(
    ball order, const dosi_plan *normal, const mechanism_context *c);

/* The upper end of total_renyi with few digits: it steers a search and
 * certifies nothing. NaN if the curve of a part is not smooth. */
double total_renyi_approx(
    double order, const dosi_plan *normal, const mechanism_context *c);

/* The zCDP guarantee of the plan: the sum of those of the parts. */
bool total_zcdp(mechanism_zcdp_bound *out, const dosi_plan *normal,
    const mechanism_context *c);

/* The slot zcdp of a sampler: a mixture diverges no more than the worst of
 * its components. source  T000-33.6 */
bool total_sampled_zcdp(
    mechanism_zcdp_bound *out, const part *p, const mechanism_context *c);

/* The reason why the losses of the plan are certainly unbounded, in some
 * direction; NULL if they may be bounded. */
const char *plan_unbounded(const dosi_plan *normal, const mechanism_context *c);

/* The (eps, delta) guarantee of the plan by basic composition of those of the
 * parts. */
bool total_guarantee(ball *eps, ball *delta, const dosi_plan *normal,
    const mechanism_context *c);

#endif
