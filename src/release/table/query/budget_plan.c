/*
 * The plan of a query from its parts, and the parameters of the parts from a
 * plan of the same form. Derivation: docs/theory/release_table.md, section 4.
 */
#include "budget_plan.h"

#include <stdlib.h>

#include "base/error.h"

/* ---- Parts in turn ----------------------------------------------------- */

static struct table_part *part_at(
    dosi_table_query *q, size_t *statistic, size_t *part)
{
    while (*statistic < q->n_statistics &&
           *part >= q->statistics[*statistic].n_parts) {
        ++*statistic;
        *part = 0;
    }
    return *statistic < q->n_statistics
               ? &q->statistics[*statistic].parts[*part]
               : NULL;
}

struct table_part *budget_first(
    dosi_table_query *q, size_t *statistic, size_t *part)
{
    *statistic = *part = 0;
    return part_at(q, statistic, part);
}

struct table_part *budget_next(
    dosi_table_query *q, size_t *statistic, size_t *part)
{
    ++*part;
    return part_at(q, statistic, part);
}

/* ---- Making ------------------------------------------------------------ */

static dosi_kind leaf_kind(
    const dosi_table_query *q, const struct table_part *part)
{
    if (part->leaf == LEAF_CHOICE)
        return q->settings.permute_and_flip ? DOSI_PURE : DOSI_EXPONENTIAL;
    if (q->settings.is_gaussian)
        return DOSI_GAUSSIAN;
    return part->leaf == LEAF_COUNT ? DOSI_DISCRETE_LAPLACE : DOSI_LAPLACE;
}

/* The integer distance of discrete noise is in the plan; 1: nothing. */
static double group_of(
    const dosi_table_query *q, const struct table_part *part)
{
    return leaf_kind(q, part) == DOSI_DISCRETE_LAPLACE
               ? (double)(int64_t)part->distance
               : 1;
}

/* Replaces *plan by one made of it. */
static dosi_status wrap(const dosi_plan **plan, dosi_kind kind,
    double parameter, dosi_error *err)
{
    const dosi_plan *inner = *plan;
    dosi_status status =
        dosi_plan_new(plan, kind, &parameter, 1, &inner, 1, err);
    dosi_plan_free(inner);
    return status;
}

/* (leaf + approx(0, d)) */
static dosi_status add_threshold(
    const dosi_plan **plan, double d, dosi_error *err)
{
    const double parameters[] = {0, d};
    const dosi_plan *parts[] = {*plan, NULL};
    *plan = NULL;
    dosi_status status = dosi_plan_new(
        &parts[1], DOSI_APPROX, parameters, 2, NULL, 0, err);
    if (status == DOSI_OK)
        status = dosi_plan_compose(plan, parts, 2, err);
    dosi_plan_free(parts[0]);
    dosi_plan_free(parts[1]);
    return status;
}

static dosi_status plan_of_part(const dosi_plan **out,
    const dosi_table_query *q, const struct table_part *part, dosi_error *err)
{
    double group = group_of(q, part);
    dosi_status status = dosi_plan_new(
        out, leaf_kind(q, part), &part->parameter, 1, NULL, 0, err);
    if (status == DOSI_OK && group > 1)
        status = wrap(out, DOSI_GROUP, group, err);
    if (status == DOSI_OK && part->has_threshold)
        status = add_threshold(out, part->d, err);
    if (status == DOSI_OK && part->copies > 1)
        status = wrap(out, DOSI_REPEAT, (double)part->copies, err);
    return status;
}

dosi_status budget_plan(
    const dosi_plan **out, const dosi_table_query *q, dosi_error *err)
{
    size_t most = q->n_statistics * STATISTIC_MAX_PARTS, n = 0;
    const dosi_plan **parts = calloc(most + 1, sizeof(void *));
    dosi_status status = DOSI_OK;
    *out = NULL;
    if (parts == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < q->n_statistics; i++)
        for (size_t j = 0; j < q->statistics[i].n_parts; j++)
            if (status == DOSI_OK)
                status = plan_of_part(
                    &parts[n++], q, &q->statistics[i].parts[j], err);
    if (status == DOSI_OK && n == 1)
        *out = dosi_plan_retain(parts[0]);
    else if (status == DOSI_OK)
        status = dosi_plan_compose(out, parts, n, err);
    for (size_t i = 0; i < n; i++)
        dosi_plan_free(parts[i]);
    free(parts);
    return status;
}

/* ---- Matching ---------------------------------------------------------- */

struct terms {
    const dosi_plan **plans; /* borrowed */
    size_t n;
};

/* The terms of sums within sums, in their order. */
static dosi_status flatten(
    struct terms *out, const dosi_plan *plan, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    if (dosi_plan_kind(plan) == DOSI_COMPOSE) {
        size_t n = dosi_plan_child_count(plan);
        for (size_t i = 0; i < n && status == DOSI_OK; i++)
            status = flatten(out, dosi_plan_child(plan, i), err);
        return status;
    }
    void *more = text_more(out->plans, out->n, sizeof(void *));
    if (more == NULL)
        return dosi_fail_memory(err);
    out->plans = more;
    out->plans[out->n++] = plan;
    return DOSI_OK;
}

/* Whether two plans differ in nothing but the numbers that may be chosen. */
static bool same_form(const dosi_plan *a, const dosi_plan *b)
{
    dosi_kind kind = dosi_plan_kind(a);
    size_t n = dosi_plan_child_count(a);
    if (kind != dosi_plan_kind(b) || n != dosi_plan_child_count(b))
        return false;
    bool is_fixed =
        kind == DOSI_GROUP || kind == DOSI_REPEAT || kind == DOSI_APPROX;
    if (is_fixed && dosi_plan_parameter(a, 0) != dosi_plan_parameter(b, 0))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!same_form(dosi_plan_child(a, i), dosi_plan_child(b, i)))
            return false;
    return true;
}

static dosi_status refuse_term(dosi_error *err, size_t term,
    const dosi_plan *wanted, const dosi_plan *given)
{
    char form[80], text[80];
    size_t length;
    dosi_status status = dosi_plan_print(
        form, sizeof form, &length, wanted, DOSI_FORM_TEXT, err);
    if (status == DOSI_OK)
        status = dosi_plan_print(
            text, sizeof text, &length, given, DOSI_FORM_TEXT, err);
    if (status != DOSI_OK)
        return status;
    return dosi_fail(err, DOSI_EINVAL,
        "plan: term %zu must be of the form %s, got %s", term + 1, form,
        text);
}

static dosi_status compare(
    const struct terms *wanted, const struct terms *given, dosi_error *err)
{
    if (wanted->n != given->n)
        return dosi_fail(err, DOSI_EINVAL,
            "plan: must have %zu terms, as plan-only prints them, got %zu",
            wanted->n, given->n);
    for (size_t i = 0; i < wanted->n; i++)
        if (!same_form(wanted->plans[i], given->plans[i]))
            return refuse_term(err, i, wanted->plans[i], given->plans[i]);
    return DOSI_OK;
}

/* The parameters of a part, whose form was compared. */
static void take_term(const dosi_table_query *q, struct table_part *part,
    const struct terms *given, size_t *at)
{
    const dosi_plan *leaf = given->plans[(*at)++];
    const dosi_plan *threshold = NULL;
    if (part->copies > 1)
        leaf = dosi_plan_child(leaf, 0);
    if (part->has_threshold && part->copies > 1) {
        threshold = dosi_plan_child(leaf, 1);
        leaf = dosi_plan_child(leaf, 0);
    } else if (part->has_threshold) {
        threshold = given->plans[(*at)++];
    }
    if (group_of(q, part) > 1)
        leaf = dosi_plan_child(leaf, 0);
    part->parameter = dosi_plan_parameter(leaf, 0);
    if (threshold != NULL)
        part->d = dosi_plan_parameter(threshold, 1);
}

dosi_status budget_match(
    dosi_table_query *q, const dosi_plan *given, dosi_error *err)
{
    struct terms wanted = {0}, terms = {0};
    const dosi_plan *form = NULL;
    size_t i, j, at = 0;
    for (struct table_part *p = budget_first(q, &i, &j); p != NULL;
         p = budget_next(q, &i, &j)) {
        p->parameter = 1;
        p->d = 0.5;
    }
    dosi_status status = budget_plan(&form, q, err);
    if (status == DOSI_OK)
        status = flatten(&wanted, form, err);
    if (status == DOSI_OK)
        status = flatten(&terms, given, err);
    if (status == DOSI_OK)
        status = compare(&wanted, &terms, err);
    struct table_part *part = budget_first(q, &i, &j);
    for (; status == DOSI_OK && part != NULL && at < terms.n;
         part = budget_next(q, &i, &j))
        take_term(q, part, &terms, &at);
    dosi_plan_free(form);
    free(wanted.plans);
    free(terms.plans);
    return status;
}
