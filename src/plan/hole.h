/*
 * The hole of a plan: where it is. Filling it is public, dosi_plan_fill of
 * dosimeter.h.
 */
#ifndef DOSI_PLAN_HOLE_H
#define DOSI_PLAN_HOLE_H

#include "plan.h"

/* The node whose own parameter, node->hole, is the hole; borrowed. NULL for a
 * plan without one. */
const dosi_plan *dosi_plan_hole(const dosi_plan *plan);

#endif
