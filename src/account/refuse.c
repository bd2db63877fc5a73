/*
 * What is refused, because no theorem covers it: a sampler under the wrong
 * relation, and samplers within samplers of another kind. Each refusal says
 * why and offers the nearest question that has an answer.
 */
#include "account.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"

static bool is_batch(dosi_kind kind)
{
    return kind == DOSI_WITHOUT_REPLACEMENT || kind == DOSI_WITH_REPLACEMENT;
}

static dosi_status refuse_sampler(const dosi_plan *node,
    dosi_neighbours neighbours, dosi_error *err)
{
    dosi_kind kind = dosi_plan_kind(node);
    if (kind == DOSI_WITHOUT_REPLACEMENT && neighbours == DOSI_ADD_REMOVE)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "without_replacement has no theorem under add_remove, where the "
            "population's size is private; ask under replace, or use "
            "poisson(batch/population, M)");
    if (kind == DOSI_WITH_REPLACEMENT && neighbours == DOSI_ADD_REMOVE &&
        dosi_plan_parameter(node, 1) < 2)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "with_replacement has no theorem under add_remove for a "
            "population of 1, whose neighbour is empty; ask under replace");
    return DOSI_OK;
}

/* above: the sampler that the node stands in, or DOSI_COMPOSE for none. */
static dosi_status refuse_within(const dosi_plan *node, dosi_kind above,
    dosi_neighbours neighbours, dosi_error *err)
{
    dosi_kind kind = dosi_plan_kind(node);
    dosi_status status = refuse_sampler(node, neighbours, err);
    if (status != DOSI_OK)
        return status;
    if ((kind == DOSI_POISSON && is_batch(above)) ||
        (is_batch(kind) && above == DOSI_POISSON))
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "%s inside %s has no theorem, since the relation of the sampled "
            "data changes; leave out one of the two samplers",
            dosi_kind_at(kind).name, dosi_kind_at(above).name);
    if (kind == DOSI_POISSON || is_batch(kind))
        above = kind;
    size_t n = dosi_plan_child_count(node);
    for (size_t i = 0; i < n && status == DOSI_OK; i++)
        status = refuse_within(
            dosi_plan_child(node, i), above, neighbours, err);
    return status;
}

dosi_status account_refuse(
    const dosi_plan *normal, dosi_neighbours neighbours, dosi_error *err)
{
    return refuse_within(normal, DOSI_COMPOSE, neighbours, err);
}

/* ---- What is taken on trust -------------------------------------------- */

static const char is_fixed[] =
    "the plan was fixed in advance; within it, later steps may depend on "
    "earlier answers";
static const char is_replaced[] =
    "the mechanism that poisson samples is stated for one record added or "
    "removed, although one is replaced";
static const char is_in_groups[] = "no group is larger than its stated size";

/* One of each kind, and these three: none is ever left out. */
static_assert(DOSI_KIND_COUNT + 3 <= DOSI_MAX_ASSUMPTIONS,
    "an answer has room for every assumption");

static void assume(dosi_answer *out, const char *assumption)
{
    if (assumption == NULL)
        return;
    for (size_t i = 0; i < out->n_assumptions; i++)
        if (strcmp(out->assumptions[i], assumption) == 0)
            return;
    assert(out->n_assumptions < DOSI_MAX_ASSUMPTIONS);
    out->assumptions[out->n_assumptions++] = assumption;
}

static void assume_parts(dosi_answer *out, const dosi_plan *normal)
{
    size_t n = part_count(normal);
    for (size_t i = 0; i < n; i++) {
        part p = part_at(normal, i);
        assume(out, mechanism_of(&p)->assumption);
        if (dosi_plan_kind(p.node) == DOSI_POISSON &&
            out->neighbours == DOSI_REPLACE)
            assume(out, is_replaced);
        if (p.group > 1)
            assume(out, is_in_groups);
        if (dosi_plan_child_count(p.node) > 0)
            assume_parts(out, dosi_plan_child(p.node, 0));
    }
}

void account_assumptions(dosi_answer *out, const dosi_plan *normal)
{
    out->n_assumptions = 0;
    if (part_count(normal) > 1 || part_at(normal, 0).count > 1)
        assume(out, is_fixed);
    assume_parts(out, normal);
}
