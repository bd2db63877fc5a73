/*
 * Whether the privacy loss of a plan is certainly unbounded, so that no finite
 * epsilon holds at delta 0. The losses of parts add, and no part has only
 * negative ones, so that one part with unbounded losses is enough. A sample
 * that may hold the record has unbounded losses if the law with the record
 * has; a law without the record is mixed with the other, so that outcomes of a
 * finite pair that only one law has are not found here.
 */
#include "plan_total.h"

static const char *find_unbounded(
    const dosi_plan *normal, bool is_sampled, const mechanism_context *c)
{
    const char *reason = NULL;
    size_t n = part_count(normal);
    part p;

    for (size_t i = 0; i < n && reason == NULL; i++) {
        p = part_at(normal, i);
        const mechanism_type *type = mechanism_of(&p);
        bool is_sample = dosi_plan_child_count(p.node) > 0;
        /* the rate, or the size of the batch */
        if (is_sample && part_parameter(&p, 0) > 0)
            reason = find_unbounded(dosi_plan_child(p.node, 0), true, c);
        else if (!is_sample && type->unbounded != NULL)
            reason = type->unbounded(&p, is_sampled, c);
    }
    return reason;
}

const char *plan_unbounded(const dosi_plan *normal, const mechanism_context *c)
{
    return find_unbounded(normal, false, c);
}
