/*
 * Finding and filling the hole: the path from the root to it is built anew,
 * all that is beside the path is shared.
 */
#include "hole.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"

/* The index of the child that holds the hole; n_children for none. */
static size_t child_with_hole(const dosi_plan *plan)
{
    size_t i = 0;
    while (i < plan->n_children && !plan->children[i]->has_hole)
        i++;
    return i;
}

const dosi_plan *dosi_plan_hole(const dosi_plan *plan)
{
    while (plan->has_hole && plan->hole == PLAN_NO_HOLE)
        plan = plan->children[child_with_hole(plan)];
    return plan->has_hole ? plan : NULL;
}

/* The node with another number in its hole, or another child. */
static dosi_status rebuild(const dosi_plan **out, const dosi_plan *plan,
    double value, const dosi_plan *const *children, dosi_error *err)
{
    plan_spec spec = {.kind = plan->kind,
        .hole = PLAN_NO_HOLE,
        .label = plan->label,
        .children = children,
        .n_children = plan->n_children};
    memcpy(spec.parameters, plan->parameters, sizeof spec.parameters);
    if (plan->hole != PLAN_NO_HOLE)
        spec.parameters[plan->hole] = value;
    return dosi_plan_make(out, &spec, NULL, err);
}

static dosi_status fill(const dosi_plan **out, const dosi_plan *plan,
    double value, dosi_error *err)
{
    size_t which = child_with_hole(plan), n = plan->n_children;
    if (which == n)
        return rebuild(out, plan, value, plan->children, err);
    const dosi_plan *filled = NULL;
    const dosi_plan **children = malloc(n * sizeof(const dosi_plan *));
    if (children == NULL)
        return dosi_fail_memory(err);
    memcpy(children, plan->children, n * sizeof(const dosi_plan *));
    dosi_status status = fill(&filled, plan->children[which], value, err);
    if (status == DOSI_OK) {
        children[which] = filled;
        status = rebuild(out, plan, value, children, err);
    }
    dosi_plan_free(filled);
    free(children);
    return status;
}

dosi_status dosi_plan_fill(const dosi_plan **out, const dosi_plan *plan,
    double value, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(value);
    *out = NULL;
    if (!plan->has_hole)
        return dosi_fail(
            err, DOSI_EINVAL, "the plan has no hole \"?\" to be filled");
    return fill(out, plan, value, err);
}
