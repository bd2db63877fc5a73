/*
 * Parts of a plan in normal form, and which of its directions may differ. The
 * kind table says so of each kind.
 */
#include "plan_part.h"

#include "plan/kinds.h"

size_t part_count(const dosi_plan *normal)
{
    return dosi_plan_kind(normal) == DOSI_COMPOSE
               ? dosi_plan_child_count(normal)
               : 1;
}

part part_at(const dosi_plan *normal, size_t index)
{
    const dosi_plan *node = dosi_plan_kind(normal) == DOSI_COMPOSE
                                ? dosi_plan_child(normal, index)
                                : normal;
    part p = {node, 1, 1};
    if (dosi_plan_kind(p.node) == DOSI_REPEAT) {
        p.count = dosi_plan_parameter(p.node, 0);
        p.node = dosi_plan_child(p.node, 0);
    }
    if (dosi_plan_kind(p.node) == DOSI_GROUP) {
        p.group = dosi_plan_parameter(p.node, 0);
        p.node = dosi_plan_child(p.node, 0);
    }
    return p;
}

bool part_plan_is_asymmetric(const dosi_plan *plan)
{
    if (dosi_kind_row(dosi_plan_kind(plan))->is_asymmetric)
        return true;
    size_t n = dosi_plan_child_count(plan);
    for (size_t i = 0; i < n; i++)
        if (part_plan_is_asymmetric(dosi_plan_child(plan, i)))
            return true;
    return false;
}

bool part_plan_has_directions(
    const dosi_plan *plan, dosi_neighbours neighbours)
{
    const kind_row *row = dosi_kind_row(dosi_plan_kind(plan));
    size_t n = dosi_plan_child_count(plan);
    if (n == 0)
        return row->is_asymmetric;
    if (row->has_directions && neighbours == DOSI_ADD_REMOVE)
        return true;
    for (size_t i = 0; i < n; i++)
        if (part_plan_has_directions(dosi_plan_child(plan, i), neighbours))
            return true;
    return false;
}

bool part_plan_removal_is_worse(const dosi_plan *normal)
{
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        const kind_row *row = dosi_kind_row(dosi_plan_kind(p.node));
        bool is_sample = row->role == KIND_SAMPLER && row->is_asymmetric;
        const dosi_plan *symmetric = is_sample && p.group == 1
                                         ? dosi_plan_child(p.node, 0)
                                         : p.node;
        if (part_plan_is_asymmetric(symmetric) ||
            dosi_kind_row(dosi_plan_kind(symmetric))->has_directions)
            return false;
    }
    return true;
}
