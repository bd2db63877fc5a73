/*
 * Groups over samplers that have no law of their own. If all parts have groups
 * of one size, a chain of that many neighbours of the plan without groups
 * bounds the plan (T004-GB).
 */
#include "route.h"

#include <stdlib.h>

#include "mechanisms/plan_normal.h"
#include "profile/profile.h"

/* The group size that all parts share, or 1. */
static double shared_group(const dosi_plan *normal)
{
    double group = part_at(normal, 0).group;
    size_t n = part_count(normal);
    for (size_t i = 1; i < n; i++)
        if (part_at(normal, i).group != group)
            return 1;
    return group;
}

/* One part without its group. */
static dosi_status single_part(const dosi_plan **out, const part *p,
    const void *context, dosi_error *err)
{
    (void)context;
    return dosi_plan_new(out, DOSI_REPEAT, &p->count, 1, &p->node, 1, err);
}

/* The plan for neighbours one step apart, in normal form. */
static dosi_status without_groups(
    const dosi_plan **out, const dosi_plan *normal)
{
    const dosi_plan *sum = NULL;
    dosi_status status =
        plan_remake(&sum, normal, single_part, NULL, NULL);
    if (status == DOSI_OK)
        status = dosi_plan_normal(out, sum, NULL);
    dosi_plan_free(sum);
    return status;
}

typedef struct holder {
    const dosi_plan *plan;
} holder;

static void holder_free(void *object)
{
    holder *h = object;
    dosi_plan_free(h->plan);
    free(h);
}

/* The plan for neighbours one step apart, which the pool keeps. */
static const dosi_plan *step_plan(const dosi_plan *normal, profile_pool *pool)
{
    holder *h = calloc(1, sizeof *h);
    if (h == NULL || !profile_defer(pool, h, holder_free)) {
        pool->no_memory = pool->no_memory || h == NULL;
        return NULL;
    }
    dosi_status status = without_groups(&h->plan, normal);
    pool->no_memory = pool->no_memory || status == DOSI_ENOMEM;
    return h->plan;
}

void account_add_group(account_laws *laws,
    const privacy_profile *(*make)(const account_view *view),
    const account_view *view)
{
    profile_pool *pool = view->c.pool;
    const char *reason = pool->reason;
    double k = shared_group(view->normal);
    account_view step = *view;
    step.normal = k > 1 ? step_plan(view->normal, pool) : NULL;
    if (step.normal == NULL)
        return;
    step.c.add = false;
    const privacy_profile *base = make(&step), *other = NULL;
    bool both =
        part_plan_has_directions(step.normal, view->c.neighbours);
    step.c.add = true;
    if (both)
        other = make(&step);
    if (base != NULL && (!both || other != NULL))
        account_add(laws, profile_keep(pool, profile_group(base, other, k)),
            true, false, NULL);
    /* neighbours one step apart are a group, too */
    account_add_below(laws, view->c.add && both ? other : base);
    step.c.add = view->c.add;
    account_add_pairs(laws, base, make, &step);
    pool->reason = reason;
}
