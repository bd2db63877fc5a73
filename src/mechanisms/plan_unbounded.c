/*
 * Whether the privacy loss of a plan has no bound for certain, so that no
 * finite epsilon holds at delta 0. Losses of parts add up, and each part has
 * losses of at least 0: one part without a bound is enough. A sample that may
 * hold the record has none if the law with the record has losses without a
 * bound; a law without the record that has some is mixed with the other, and
 * so finite pairs are not told here.
 */
#include "plan_total.h"

static const char *find_unbounded(
    const dosi_plan *normal, bool is_sampled, const mechanism_context *c)
{
    const char *reason = NULL;
    size_t n = part_count(normal);

    for (size_t i = 0; i < n && reason == NULL; i++) {
        part p = part_at(normal, i);
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
