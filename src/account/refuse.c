/*
 * Plans that no theorem covers are refused: a sampler under the wrong
 * relation, and a sampler inside another whose samples are stated for another
 * relation. Each refusal says why and offers the nearest question that has an
 * answer. An answer lists what it takes on trust.
 */
#include "account.h"

#include <assert.h>
#include <string.h>

#include "base/error.h"
#include "plan/kinds.h"

/* Refuses a node; sampler is the innermost one around it, or NULL. */
static dosi_status refuse_within(const dosi_plan *node,
    const kind_row *sampler, dosi_neighbours neighbours, dosi_error *err)
{
    const kind_row *row = dosi_kind_row(dosi_plan_kind(node));
    const mechanism_type *type = mechanism_of_node(node);
    dosi_status status = type != NULL && type->refuse != NULL
                             ? type->refuse(node, neighbours, err)
                             : DOSI_OK;
    if (status != DOSI_OK)
        return status;
    if (row->role == KIND_SAMPLER) {
        if (sampler != NULL && row->samples_under != sampler->samples_under)
            return dosi_fail(err, DOSI_EUNSUPPORTED,
                "%s inside %s has no theorem, since the relation of the "
                "sampled data changes; leave out one of the two samplers",
                row->name, sampler->name);
        sampler = row;
    }
    size_t n = dosi_plan_child_count(node);
    for (size_t i = 0; i < n && status == DOSI_OK; i++)
        status = refuse_within(
            dosi_plan_child(node, i), sampler, neighbours, err);
    return status;
}

dosi_status account_refuse(
    const dosi_plan *normal, dosi_neighbours neighbours, dosi_error *err)
{
    return refuse_within(normal, NULL, neighbours, err);
}

/* ---- Assumptions ------------------------------------------------------- */

static const char is_fixed[] =
    "the plan was fixed in advance; within it, later steps may depend on "
    "earlier answers";
static const char is_in_groups[] = "no group is larger than its stated size";

/* An answer has at most one assumption of each kind, one of a sampler under
 * replace, and these two. */
static_assert(DOSI_KIND_COUNT + 3 <= DOSI_MAX_ASSUMPTIONS,
    "an answer has room for all of them");

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
        if (out->neighbours == DOSI_REPLACE)
            assume(out, mechanism_of(&p)->assumption_on_replace);
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
