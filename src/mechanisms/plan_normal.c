/*
 * The normal form of a plan under one relation. The plan inside a Poisson
 * sampler is stated for a record added or removed. A sampler of rate 1 takes
 * every record: poisson(1, A) is A under that relation, and under replace one
 * record is removed and one added, so that every mechanism of A loses what it
 * loses to a group of two. The plan inside a fixed-size sampler is stated for
 * a record replaced.
 */
#include "plan_normal.h"

#include <stdlib.h>

#include "base/error.h"
#include "plan/kinds.h"

/* The neighbours that a plan is asked about. */
typedef struct neighbourhood {
    dosi_neighbours neighbours;
    double records; /* in which they differ for its mechanisms: 1 or 2 */
} neighbourhood;

static bool takes_all(const dosi_plan *node)
{
    return dosi_plan_kind(node) == DOSI_POISSON &&
           dosi_plan_parameter(node, 0) == 1;
}

static bool holds_full_sample(const dosi_plan *plan)
{
    size_t n = dosi_plan_child_count(plan);
    bool found = takes_all(plan);
    for (size_t i = 0; i < n && !found; i++)
        found = holds_full_sample(dosi_plan_child(plan, i));
    return found;
}

static dosi_status plan_for(const dosi_plan **out, const dosi_plan *normal,
    neighbourhood how, dosi_error *err);

/* A mechanism for its records, or a sampler with its plan made anew. */
static dosi_status node_for(const dosi_plan **out, const dosi_plan *node,
    neighbourhood how, dosi_error *err)
{
    if (dosi_plan_child_count(node) == 0)
        return dosi_plan_new(
            out, DOSI_GROUP, &how.records, 1, &node, 1, err);
    dosi_kind kind = dosi_plan_kind(node);
    const kind_row *row = dosi_kind_row(kind);
    const dosi_plan *child = dosi_plan_child(node, 0), *within = NULL;
    if (takes_all(node)) {
        neighbourhood all = {how.neighbours,
            how.neighbours == DOSI_REPLACE ? 2 : 1};
        return plan_for(out, child, all, err);
    }
    neighbourhood base = {row->samples_under, 1};
    dosi_status status = plan_for(&within, child, base, err);
    double parameters[DOSI_MAX_PARAMETERS];
    for (size_t i = 0; i < row->n_parameters; i++)
        parameters[i] = dosi_plan_parameter(node, i);
    if (status == DOSI_OK)
        status =
            dosi_plan_new(
                out, kind, parameters, row->n_parameters, &within, 1, err);
    dosi_plan_free(within);
    return status;
}

static dosi_status part_for(const dosi_plan **out, const part *p,
    const void *context, dosi_error *err)
{
    const neighbourhood *how = context;
    const dosi_plan *node = NULL, *group = NULL;
    dosi_status status = node_for(&node, p->node, *how, err);
    if (status == DOSI_OK)
        status = dosi_plan_new(
            &group, DOSI_GROUP, &p->group, 1, &node, 1, err);
    if (status == DOSI_OK)
        status = dosi_plan_new(
            out, DOSI_REPEAT, &p->count, 1, &group, 1, err);
    dosi_plan_free(group);
    dosi_plan_free(node);
    return status;
}

static dosi_status plan_for(const dosi_plan **out, const dosi_plan *normal,
    neighbourhood how, dosi_error *err)
{
    return plan_remake(out, normal, part_for, &how, err);
}

dosi_status plan_for_group(
    const dosi_plan **out, const dosi_plan *plan, double k, dosi_error *err)
{
    const dosi_plan *group = NULL;
    *out = NULL;
    dosi_status status =
        dosi_plan_new(&group, DOSI_GROUP, &k, 1, &plan, 1, err);
    if (status == DOSI_OK)
        status = dosi_plan_normal(out, group, err);
    dosi_plan_free(group);
    return status;
}

dosi_status plan_remake(const dosi_plan **out, const dosi_plan *normal,
    plan_make_part make, const void *context, dosi_error *err)
{
    size_t n = part_count(normal), made = 0;
    const dosi_plan **parts = malloc(n * sizeof(const dosi_plan *));
    dosi_status status = parts != NULL ? DOSI_OK : dosi_fail_memory(err);
    while (status == DOSI_OK && made < n) {
        part p = part_at(normal, made);
        status = make(&parts[made], &p, context, err);
        made += status == DOSI_OK;
    }
    if (status == DOSI_OK)
        status = dosi_plan_new(out, DOSI_COMPOSE, NULL, 0, parts, n, err);
    for (size_t i = 0; parts != NULL && i < made; i++)
        dosi_plan_free(parts[i]);
    free(parts);
    return status;
}

dosi_status plan_normal_under(const dosi_plan **out, const dosi_plan *plan,
    dosi_neighbours neighbours, dosi_error *err)
{
    const dosi_plan *normal = NULL, *own = NULL;
    dosi_status status = dosi_plan_normal(&normal, plan, err);
    if (status != DOSI_OK || !holds_full_sample(normal)) {
        *out = normal;
        return status;
    }
    status = plan_for(&own, normal, (neighbourhood){neighbours, 1}, err);
    if (status == DOSI_OK)
        status = dosi_plan_normal(out, own, err);
    dosi_plan_free(own);
    dosi_plan_free(normal);
    return status;
}
