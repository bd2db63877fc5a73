/*
 * The normal form of a plan under a neighbouring relation, and plans that are
 * made anew part by part.
 */
#ifndef DOSI_MECHANISMS_PLAN_NORMAL_H
#define DOSI_MECHANISMS_PLAN_NORMAL_H

#include "plan_part.h"

/*
 * The normal form under a relation, without Poisson samplers of rate 1.
 *
 * requires  a plan without a hole
 * owns      *out
 * fails     DOSI_EINVAL for counts beyond 2^53, DOSI_ENOMEM
 */
DOSI_CHECK dosi_status plan_normal_under(const dosi_plan **out,
    const dosi_plan *plan, dosi_neighbours neighbours, dosi_error *err);

/*
 * The normal form of group(k, plan), the plan for neighbours that differ in k
 * records.
 *
 * requires  a plan without a hole, k a whole number from 1 to 2^53
 * owns      *out, NULL after failure
 * fails     DOSI_EINVAL for groups that grow beyond 2^53, DOSI_ENOMEM
 */
DOSI_CHECK dosi_status plan_for_group(
    const dosi_plan **out, const dosi_plan *plan, double k, dosi_error *err);

/* Makes a plan of one part, which the caller owns. */
typedef dosi_status (*plan_make_part)(const dosi_plan **out,
    const part *p, const void *context, dosi_error *err);

/*
 * The sum of the plans that are made of the parts, not in normal form.
 *
 * owns   *out
 * fails  DOSI_ENOMEM, and as make does
 */
DOSI_CHECK dosi_status plan_remake(const dosi_plan **out,
    const dosi_plan *normal, plan_make_part make, const void *context,
    dosi_error *err);

#endif
