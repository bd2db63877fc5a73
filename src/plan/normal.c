/*
 * Normal form: one walk collects the parts of a composition with their counts
 * and group sizes, then they are sorted and merged.
 */
#include "normal.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "leaf.h"
#include "parts.h"

/* Exact up to PARTS_MAX_COUNT; anything above it for what is above. */
static uint64_t count_multiply(uint64_t a, uint64_t b)
{
    return a > PARTS_MAX_COUNT / b ? PARTS_MAX_COUNT + 1 : a * b;
}

static uint64_t count_of(const dosi_plan *plan)
{
    return (uint64_t)plan->parameters[0];
}

bool dosi_plan_is_nothing(const dosi_plan *plan)
{
    return plan->kind == DOSI_PURE && plan->parameters[0] == 0;
}

/* ---- Collecting -------------------------------------------------------- */

/* A wrapper like the given one, on another child. */
static dosi_status wrapper_on(const dosi_plan **out, const dosi_plan *wrapper,
    const dosi_plan *child, dosi_error *err)
{
    if (child == wrapper->children[0]) {
        *out = dosi_plan_retain(wrapper);
        return DOSI_OK;
    }
    plan_spec spec = {.kind = wrapper->kind,
        .hole = wrapper->hole,
        .children = &child,
        .n_children = 1};
    for (size_t i = 0; i < DOSI_MAX_PARAMETERS; i++)
        spec.parameters[i] = wrapper->parameters[i];
    return dosi_plan_make(out, &spec, NULL, err);
}

/* Adds a mechanism or sampler seen through its counts and groups. */
static dosi_status parts_add_group(part_list *parts, const dosi_plan *what,
    uint64_t count, uint64_t group, dosi_error *err)
{
    if (group == 1)
        return dosi_parts_add(parts, what, count, err);
    if (group > PARTS_MAX_COUNT)
        return dosi_fail(err, DOSI_EINVAL,
            "group: nested sizes must multiply to at most 2^53");
    const double size = (double)group;
    const dosi_plan *grouped = NULL;
    dosi_status status =
        dosi_plan_new(&grouped, DOSI_GROUP, &size, 1, &what, 1, err);
    if (status == DOSI_OK)
        status = dosi_parts_add(parts, grouped, count, err);
    dosi_plan_free(grouped);
    return status;
}

static dosi_status parts_add_nonprivate(part_list *parts, dosi_error *err)
{
    const dosi_plan *nonprivate = NULL;
    dosi_status status =
        dosi_plan_new(&nonprivate, DOSI_NONPRIVATE, NULL, 0, NULL, 0, err);
    if (status == DOSI_OK)
        status = dosi_parts_add(parts, nonprivate, 1, err);
    dosi_plan_free(nonprivate);
    return status;
}

static dosi_status collect_leaf(part_list *parts, const dosi_plan *leaf,
    uint64_t count, uint64_t group, dosi_error *err)
{
    if (dosi_leaf_has_no_loss(leaf))
        return DOSI_OK;
    if (dosi_leaf_has_no_privacy(leaf)) {
        if (parts->use == LABELS_PART && parts->label != NULL)
            return parts_add_nonprivate(parts, err);
        parts->nonprivate = true;
        return DOSI_OK;
    }
    if (leaf->kind != DOSI_APPROX || leaf->has_hole || leaf->parameters[1] != 0)
        return parts_add_group(parts, leaf, count, group, err);
    const dosi_plan *pure = NULL;
    dosi_status status =
        dosi_plan_new(&pure, DOSI_PURE, leaf->parameters, 1, NULL, 0, err);
    if (status == DOSI_OK)
        status = parts_add_group(parts, pure, count, group, err);
    dosi_plan_free(pure);
    return status;
}

static dosi_status normal_of(const dosi_plan **out, const dosi_plan *plan,
    uint64_t count, uint64_t group, dosi_error *err);
static dosi_status collect(part_list *parts, const dosi_plan *plan,
    uint64_t count, uint64_t group, dosi_error *err);

/* The sampler takes every record once, and what it samples is stated for the
 * same neighbours. */
static bool sampler_takes_all(const dosi_plan *sampler)
{
    const double *x = sampler->parameters; /* false at the hole, a NaN */
    return sampler->kind == DOSI_WITHOUT_REPLACEMENT && x[0] == x[1];
}

/* Multiplies *rate by another if the product is a double. It is one if no
 * error is left, which fma finds unless that error falls below 2^-1074. */
static bool rate_multiply(double *rate, double by)
{
    double product = *rate * by;
    if (*rate != 1 && by != 1 &&
        !(product >= 0x1p-960 && fma(*rate, by, -product) == 0))
        return false;
    *rate = product;
    return true;
}

/* The sampler on a plan in normal form. A Poisson sample of a Poisson sample
 * is one: a record is in both independently of all others. */
static dosi_status sampler_on(const dosi_plan **out, const dosi_plan *sampler,
    const dosi_plan *normal, dosi_error *err)
{
    double rate = sampler->parameters[0];
    const dosi_plan *base = normal;
    while (sampler->kind == DOSI_POISSON && base->kind == DOSI_POISSON &&
           sampler->hole == PLAN_NO_HOLE && base->hole == PLAN_NO_HOLE &&
           rate_multiply(&rate, base->parameters[0]))
        base = base->children[0];
    return base == normal
               ? wrapper_on(out, sampler, normal, err)
               : dosi_plan_new(out, DOSI_POISSON, &rate, 1, &base, 1, err);
}

static dosi_status collect_sampler(part_list *parts, const dosi_plan *sampler,
    uint64_t count, uint64_t group, dosi_error *err)
{
    if (sampler_takes_all(sampler))
        return collect(parts, sampler->children[0], count, group, err);
    if (sampler->kind == DOSI_POISSON && sampler->parameters[0] == 0 &&
        !sampler->has_hole)
        return DOSI_OK;
    const dosi_plan *child = NULL, *normal = NULL;
    dosi_status status = normal_of(&child, sampler->children[0], 1, 1, err);
    if (status != DOSI_OK)
        return status;
    assert(child != NULL);
    /* what does not depend on the data does not depend on a sample of it */
    if (!dosi_plan_is_nothing(child) || sampler->has_hole) {
        status = sampler_on(&normal, sampler, child, err);
        if (status == DOSI_OK)
            status = parts_add_group(parts, normal, count, group, err);
    }
    dosi_plan_free(normal);
    dosi_plan_free(child);
    return status;
}

/* A count or group size that is the hole: all others move below it. */
static dosi_status collect_hole(part_list *parts, const dosi_plan *wrapper,
    uint64_t count, uint64_t group, dosi_error *err)
{
    const dosi_plan *child = NULL, *normal = NULL;
    dosi_status status =
        normal_of(&child, wrapper->children[0], count, group, err);
    if (status == DOSI_OK)
        status = wrapper_on(&normal, wrapper, child, err);
    if (status == DOSI_OK)
        status = dosi_parts_add(parts, normal, 1, err);
    dosi_plan_free(normal);
    dosi_plan_free(child);
    return status;
}

static dosi_status collect_kind(part_list *parts, const dosi_plan *plan,
    uint64_t count, uint64_t group, dosi_error *err)
{
    kind_role role = dosi_kind_row(plan->kind)->role;
    if (role == KIND_SAMPLER)
        return collect_sampler(parts, plan, count, group, err);
    if (role != KIND_CONNECTIVE)
        return collect_leaf(parts, plan, count, group, err);
    if (plan->kind != DOSI_COMPOSE && plan->hole != PLAN_NO_HOLE)
        return collect_hole(parts, plan, count, group, err);
    if (plan->kind == DOSI_REPEAT)
        count = count_multiply(count, count_of(plan));
    if (plan->kind == DOSI_GROUP)
        group = count_multiply(group, count_of(plan));
    dosi_status status = DOSI_OK;
    for (size_t i = 0; i < plan->n_children && status == DOSI_OK; i++)
        status = collect(parts, plan->children[i], count, group, err);
    return status;
}

/* Adds the parts of count runs of group(group, plan). */
static dosi_status collect(part_list *parts, const dosi_plan *plan,
    uint64_t count, uint64_t group, dosi_error *err)
{
    bool is_outermost = parts->label == NULL && parts->use != LABELS_DROPPED;
    if (is_outermost)
        parts->label = plan->label;
    dosi_status status = collect_kind(parts, plan, count, group, err);
    if (is_outermost)
        parts->label = NULL;
    return status;
}

/* ---- Building ---------------------------------------------------------- */

/* Nothing matters beside nonprivate() but the part that holds the hole, and
 * what a label speaks of. */
static dosi_status parts_absorb(part_list *parts, dosi_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < parts->n; i++)
        if (parts->items[i].what->has_hole ||
            (parts->use == LABELS_PART && parts->items[i].label != NULL))
            parts->items[n++] = parts->items[i];
        else
            dosi_plan_free(parts->items[i].what);
    parts->n = n;
    return parts_add_nonprivate(parts, err);
}

/* The normal form of count runs of group(group, plan). */
static dosi_status form_of(const dosi_plan **out, const dosi_plan *plan,
    uint64_t count, uint64_t group, label_use use, dosi_error *err)
{
    part_list parts = {.use = use};
    *out = NULL;
    dosi_status status = collect(&parts, plan, count, group, err);
    parts.label = NULL;
    if (status == DOSI_OK && parts.nonprivate)
        status = parts_absorb(&parts, err);
    if (status == DOSI_OK)
        status = dosi_parts_merge(&parts, err);
    if (status == DOSI_OK)
        status = dosi_parts_finish(&parts, err);
    if (status == DOSI_OK && use == LABELS_PART)
        status = dosi_parts_group(&parts, err);
    if (status == DOSI_OK)
        status = dosi_parts_compose(out, &parts, err);
    dosi_parts_free(&parts);
    return status;
}

/* Of what is inside a part. */
static dosi_status normal_of(const dosi_plan **out, const dosi_plan *plan,
    uint64_t count, uint64_t group, dosi_error *err)
{
    return form_of(out, plan, count, group, LABELS_DROPPED, err);
}

dosi_status dosi_plan_normal(
    const dosi_plan **out, const dosi_plan *plan, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    return form_of(out, plan, 1, 1, LABELS_KEPT, err);
}

dosi_status dosi_plan_parts(
    const dosi_plan **out, const dosi_plan *plan, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    return form_of(out, plan, 1, 1, LABELS_PART, err);
}
