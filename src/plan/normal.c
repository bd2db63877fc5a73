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

#define MAX_COUNT ((uint64_t)1 << 53)

/* A mechanism, sampler, or group of one, and how often it occurs. */
typedef struct part {
    const dosi_plan *what;
    uint64_t count;
} part;

typedef struct part_list {
    part *items;
    size_t n;
    size_t capacity;
    bool nonprivate; /* nonprivate() is among them */
} part_list;

/* Exact up to MAX_COUNT; anything above it for what is above. */
static uint64_t count_multiply(uint64_t a, uint64_t b)
{
    return a > MAX_COUNT / b ? MAX_COUNT + 1 : a * b;
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

static void parts_free(part_list *parts)
{
    for (size_t i = 0; i < parts->n; i++)
        dosi_plan_free(parts->items[i].what);
    free(parts->items);
    *parts = (part_list){0};
}

static dosi_status fail_count(dosi_error *err)
{
    return dosi_fail(err, DOSI_EINVAL,
        "repeat: the total count of a mechanism must be at most 2^53");
}

/* Adds a part, which it retains. */
static dosi_status parts_add(
    part_list *parts, const dosi_plan *what, uint64_t count, dosi_error *err)
{
    if (count > MAX_COUNT)
        return fail_count(err);
    if (parts->n == parts->capacity) {
        size_t capacity = parts->capacity == 0 ? 4 : 2 * parts->capacity;
        part *items = realloc(parts->items, capacity * sizeof *items);
        if (items == NULL)
            return dosi_fail_memory(err);
        parts->items = items;
        parts->capacity = capacity;
    }
    parts->items[parts->n++] = (part){dosi_plan_retain(what), count};
    return DOSI_OK;
}

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
        return parts_add(parts, what, count, err);
    if (group > MAX_COUNT)
        return dosi_fail(err, DOSI_EINVAL,
            "group: nested sizes must multiply to at most 2^53");
    const double size = (double)group;
    const dosi_plan *grouped = NULL;
    dosi_status status =
        dosi_plan_new(&grouped, DOSI_GROUP, &size, 1, &what, 1, err);
    if (status == DOSI_OK)
        status = parts_add(parts, grouped, count, err);
    dosi_plan_free(grouped);
    return status;
}

static dosi_status collect_leaf(part_list *parts, const dosi_plan *leaf,
    uint64_t count, uint64_t group, dosi_error *err)
{
    if (dosi_leaf_has_no_loss(leaf))
        return DOSI_OK;
    if (dosi_leaf_has_no_privacy(leaf)) {
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
        status = parts_add(parts, normal, 1, err);
    dosi_plan_free(normal);
    dosi_plan_free(child);
    return status;
}

/* Adds the parts of count runs of group(group, plan). */
static dosi_status collect(part_list *parts, const dosi_plan *plan,
    uint64_t count, uint64_t group, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    switch (plan->kind) {
    case DOSI_COMPOSE:
        for (size_t i = 0; i < plan->n_children && status == DOSI_OK; i++)
            status = collect(parts, plan->children[i], count, group, err);
        return status;
    case DOSI_REPEAT:
        if (plan->hole != PLAN_NO_HOLE)
            return collect_hole(parts, plan, count, group, err);
        return collect(parts, plan->children[0],
            count_multiply(count, count_of(plan)), group, err);
    case DOSI_GROUP:
        if (plan->hole != PLAN_NO_HOLE)
            return collect_hole(parts, plan, count, group, err);
        return collect(parts, plan->children[0], count,
            count_multiply(group, count_of(plan)), err);
    case DOSI_POISSON:
    case DOSI_WITHOUT_REPLACEMENT:
    case DOSI_WITH_REPLACEMENT:
        return collect_sampler(parts, plan, count, group, err);
    case DOSI_GAUSSIAN:
    case DOSI_LAPLACE:
    case DOSI_DISCRETE_GAUSSIAN:
    case DOSI_DISCRETE_LAPLACE:
    case DOSI_RANDOMIZED_RESPONSE:
    case DOSI_EXPONENTIAL:
    case DOSI_PURE:
    case DOSI_APPROX:
    case DOSI_ZCDP:
    case DOSI_RENYI:
    case DOSI_GDP:
    case DOSI_PMF:
    case DOSI_NONPRIVATE:
    case DOSI_LOSS:
        break;
    }
    return collect_leaf(parts, plan, count, group, err);
}

/* ---- Building ---------------------------------------------------------- */

/* Nothing matters beside nonprivate() but the part that holds the hole. */
static dosi_status parts_absorb(part_list *parts, dosi_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < parts->n; i++)
        if (parts->items[i].what->has_hole)
            parts->items[n++] = parts->items[i];
        else
            dosi_plan_free(parts->items[i].what);
    parts->n = n;
    const dosi_plan *nonprivate = NULL;
    dosi_status status =
        dosi_plan_new(&nonprivate, DOSI_NONPRIVATE, NULL, 0, NULL, 0, err);
    if (status == DOSI_OK)
        status = parts_add(parts, nonprivate, 1, err);
    dosi_plan_free(nonprivate);
    return status;
}

static int part_compare(const void *a, const void *b)
{
    return dosi_plan_compare(((const part *)a)->what, ((const part *)b)->what);
}

/* Sorts and adds up the counts of equal parts. */
static dosi_status parts_merge(part_list *parts, dosi_error *err)
{
    if (parts->n < 2)
        return DOSI_OK;
    qsort(parts->items, parts->n, sizeof *parts->items, part_compare);
    size_t n = 1;
    for (size_t i = 1; i < parts->n; i++) {
        part *last = &parts->items[n - 1], *next = &parts->items[i];
        if (!dosi_plan_equal(last->what, next->what)) {
            parts->items[n++] = *next;
            continue;
        }
        last->count += next->count; /* saturation keeps this below 2^64 */
        if (last->count > MAX_COUNT)
            last->count = MAX_COUNT + 1;
        dosi_plan_free(next->what);
    }
    parts->n = n;
    for (size_t i = 0; i < n; i++)
        if (parts->items[i].count > MAX_COUNT)
            return fail_count(err);
    return DOSI_OK;
}

/* Turns a part with a count into a repetition. */
static dosi_status part_apply_count(part *p, dosi_error *err)
{
    if (p->count == 1)
        return DOSI_OK;
    const dosi_plan *repeated = NULL;
    dosi_status status =
        dosi_plan_repeat(&repeated, p->what, (double)p->count, err);
    if (status != DOSI_OK)
        return status;
    dosi_plan_free(p->what);
    *p = (part){repeated, 1};
    return DOSI_OK;
}

static dosi_status parts_compose(
    const dosi_plan **out, const part_list *parts, dosi_error *err)
{
    if (parts->n <= 1)
        return dosi_plan_compose(
            out, parts->n == 1 ? &parts->items[0].what : NULL, parts->n, err);
    const dosi_plan **children = malloc(parts->n * sizeof(const dosi_plan *));
    if (children == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < parts->n; i++)
        children[i] = parts->items[i].what;
    dosi_status status = dosi_plan_compose(out, children, parts->n, err);
    free(children);
    return status;
}

/* The normal form of count runs of group(group, plan). */
static dosi_status normal_of(const dosi_plan **out, const dosi_plan *plan,
    uint64_t count, uint64_t group, dosi_error *err)
{
    part_list parts = {0};
    *out = NULL;
    dosi_status status = collect(&parts, plan, count, group, err);
    if (status == DOSI_OK && parts.nonprivate)
        status = parts_absorb(&parts, err);
    if (status == DOSI_OK)
        status = parts_merge(&parts, err);
    for (size_t i = 0; i < parts.n && status == DOSI_OK; i++)
        status = part_apply_count(&parts.items[i], err);
    if (status == DOSI_OK)
        status = parts_compose(out, &parts, err);
    parts_free(&parts);
    return status;
}

dosi_status dosi_plan_normal(
    const dosi_plan **out, const dosi_plan *plan, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    return normal_of(out, plan, 1, 1, err);
}
