#include "plan_part.h"

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
    dosi_kind kind = dosi_plan_kind(plan);
    if (kind == DOSI_PMF || kind == DOSI_LOSS || kind == DOSI_POISSON)
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
    dosi_kind kind = dosi_plan_kind(plan);
    bool sampled = kind == DOSI_POISSON || kind == DOSI_WITH_REPLACEMENT;
    if (sampled && neighbours == DOSI_ADD_REMOVE)
        return true;
    if (!sampled && dosi_plan_child_count(plan) == 0)
        return part_plan_is_asymmetric(plan);
    size_t n = dosi_plan_child_count(plan);
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
        const dosi_plan *symmetric =
            dosi_plan_kind(p.node) == DOSI_POISSON && p.group == 1
                ? dosi_plan_child(p.node, 0)
                : p.node;
        if (part_plan_is_asymmetric(symmetric) ||
            dosi_plan_kind(symmetric) == DOSI_WITH_REPLACEMENT)
            return false;
    }
    return true;
}

const dosi_plan *part_poisson_base(const part *p)
{
    const dosi_plan *plan = dosi_plan_child(p->node, 0);
    while (dosi_plan_kind(plan) == DOSI_POISSON)
        plan = dosi_plan_child(plan, 0);
    return plan;
}
