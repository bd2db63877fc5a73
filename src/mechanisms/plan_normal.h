/*
 * The normal form of a plan under a neighbouring relation, and plans made anew
 * part by part.
 */
#ifndef DOSI_MECHANISMS_PLAN_NORMAL_H
#define DOSI_MECHANISMS_PLAN_NORMAL_H

#include "plan_part.h"

/* The normal form under a relation: a Poisson sample of everything is gone.
 * requires  no hole */
DOSI_CHECK dosi_status plan_normal_under(const dosi_plan **out,
    const dosi_plan *plan, dosi_neighbours neighbours, dosi_error *err);

/* Makes something of one part. */
typedef dosi_status (*plan_make_part)(const dosi_plan **out,
    const part *p, const void *context, dosi_error *err);

/* The plan with every part made anew, not in normal form. */
DOSI_CHECK dosi_status plan_remake(const dosi_plan **out,
    const dosi_plan *normal, plan_make_part make, const void *context,
    dosi_error *err);

#endif
