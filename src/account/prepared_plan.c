/*
 * Preparing a plan: its directions are opened and closed, and a route makes its
 * laws of a direction when it is first asked. docs/theory/account.md, "Routes".
 */
#include "prepared_plan.h"

#include <string.h>

#include "mechanisms/plan_laws.h"

bool prepared_is_discrete(const dosi_plan *normal, bool lattices)
{
    bool found = true;
    size_t n = part_count(normal);
    for (size_t i = 0; i < n && found; i++) {
        const dosi_plan *node = part_at(normal, i).node;
        mechanism_support support = mechanism_of_node(node)->support;
        found = dosi_plan_child_count(node) > 0
                    ? prepared_is_discrete(dosi_plan_child(node, 0), lattices)
                    : support == SUPPORT_FINITE ||
                          (lattices && support == SUPPORT_LATTICE);
    }
    return found;
}

void prepared_make_laws(prepared_direction *d, size_t index)
{
    prepared_route *made = &d->routes[index];
    if (made->made)
        return;
    work_limits *limits = d->pool.limits;
    double pause = limits->pause, spent = limits->spent;
    d->pool.reason = NULL;
    limits->pause = 0;
    account_route_at(index)->route->laws(&made->laws, &d->view);
    if (pause > 0)
        limits->pause = pause + (limits->spent - spent);
    made->reason = d->pool.reason;
    made->made = !d->pool.no_memory;
    d->made_after_stop = d->made_after_stop || limits->stopped;
}

/* Sets what belongs to one question, and is not kept for the next. */
static void prepared_begin(prepared_plan *d, const dosi_options *opt)
{
    d->only = opt->route;
    d->width = opt->width;
    d->settled_by = d->best = PREPARED_MAX_ROUTES;
    d->is_curve = false;
    d->n_ahead = d->share = 1;
    d->is_search = false;
    d->max_cost = d->max_cost_narrow = 0;
    d->reuses = false;
    d->stop_reason = NULL;
    d->skips_pairs = false;
    d->guarantee_only = opt->guarantee_only != 0;
    d->limits = (work_limits){.width = WORK_WIDTH,
        .max_bytes = opt->max_bytes > 0 ? opt->max_bytes : WORK_BYTES,
        .stop = opt->stop,
        .stop_context = opt->stop_context,
        .budget = opt->max_operations};
}

void prepared_open(prepared_plan *d, const dosi_plan *normal,
    const dosi_options *opt, finite_store *finite_laws)
{
    prepared_begin(d, opt);
    d->normal = normal;
    d->n_directions = part_plan_has_directions(normal, opt->neighbours) ? 2 : 1;
    d->has_pairs = plan_has_attained_pairs(normal, opt->neighbours);
    d->is_finite = prepared_is_discrete(normal, false);
    d->ranges = (adaptive_cache){0};
    for (int i = 0; i < d->n_directions; i++) {
        prepared_direction *one = &d->directions[i];
        profile_pool_init(&one->pool);
        one->pool.limits = &d->limits;
        one->made_after_stop = false;
        one->curve = (account_curve){0};
        memset(one->routes, 0, sizeof one->routes);
        one->view = (account_view){normal,
            {.neighbours = opt->neighbours,
                .add = i == 1,
                .max_terms = opt->max_terms,
                .pool = &one->pool,
                .ranges = &d->ranges,
                .finite_laws = finite_laws},
            &one->curve};
    }
}

void prepared_resume(prepared_plan *d, const dosi_options *opt)
{
    prepared_begin(d, opt);
    prepared_forget(d);
}

void prepared_forget(prepared_plan *d)
{
    for (int i = 0; i < d->n_directions; i++) {
        prepared_direction *one = &d->directions[i];
        one->curve = (account_curve){0};
        for (size_t j = 0; j < one->pool.n_laws; j++) {
            const privacy_profile *kept = &one->pool.laws[j];
            if (kept->type->forget != NULL)
                kept->type->forget(kept);
        }
    }
}

void prepared_close(prepared_plan *d)
{
    for (int i = 0; i < d->n_directions; i++)
        profile_pool_free(&d->directions[i].pool);
    adaptive_cache_free(&d->ranges);
}
