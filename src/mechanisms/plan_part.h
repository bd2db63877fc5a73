/*
 * The parts of a plan in normal form: a normal plan is a sum of mechanisms
 * and samplers, each with a count and a group size.
 */
#ifndef DOSI_MECHANISMS_PLAN_PART_H
#define DOSI_MECHANISMS_PLAN_PART_H

#include <stdbool.h>
#include <stddef.h>

#include "dosimeter.h"

typedef struct part {
    const dosi_plan *node; /* a mechanism or a sampler, borrowed */
    double count;          /* how often it runs, >= 1 */
    double group;          /* how many records neighbours differ in, >= 1 */
} part;

/* requires  a plan in normal form, without a hole */
size_t part_count(const dosi_plan *normal);
part part_at(const dosi_plan *normal, size_t index);

/* Whether removing a record and adding one may be different pairs of laws. */
bool part_plan_is_asymmetric(const dosi_plan *plan);

/* Whether the plan has two directions under a relation. A sampler whose
 * samples vary in size has, under add_remove, whatever it samples. */
bool part_plan_has_directions(
    const dosi_plan *plan, dosi_neighbours neighbours);

/* Whether removal is the worse direction at every Renyi order: true if every
 * asymmetric part is a Poisson sample of a symmetric plan. source  T000-35 */
bool part_plan_removal_is_worse(const dosi_plan *normal);

/* The i-th parameter of the part's node. */
static inline double part_parameter(const part *p, size_t i)
{
    return dosi_plan_parameter(p->node, i);
}

#endif
