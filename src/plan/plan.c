/*
 * Plan nodes: making, checking, sharing, comparing.
 */
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "lists.h"

/* ---- Checking ---------------------------------------------------------- */

static dosi_status children_check(
    const plan_spec *spec, const kind_row *row, dosi_error *err)
{
    if (spec->kind != DOSI_COMPOSE && spec->n_children != row->n_children)
        return dosi_fail(err, DOSI_EINVAL, "%s: takes %s mechanism, got %zu",
            row->name, row->n_children == 0 ? "no" : "one", spec->n_children);
    for (size_t i = 0; i < spec->n_children; i++)
        if (spec->children[i] == NULL)
            return dosi_fail(err, DOSI_EINVAL,
                "%s: mechanism number %zu is missing", row->name, i + 1);
    return DOSI_OK;
}

/*
 * Levels of the new node above its highest child. A repetition adds one only
 * on top of another without hole: the normal form, which turns equal parts
 * into counts and moves counts below a hole, must not grow.
 */
static unsigned levels_added(const plan_spec *spec)
{
    if (spec->kind != DOSI_REPEAT)
        return 1;
    const dosi_plan *child = spec->children[0];
    return child->kind == DOSI_REPEAT && child->hole == PLAN_NO_HOLE &&
           spec->hole == PLAN_NO_HOLE;
}

/* Fills in what a node knows of all that is below it. */
static dosi_status node_measure(dosi_plan *node, const plan_spec *spec,
    const kind_row *row, dosi_error *err)
{
    bool is_wrapper = spec->kind == DOSI_COMPOSE || spec->kind == DOSI_REPEAT ||
                      spec->kind == DOSI_GROUP;
    unsigned levels = 0;
    size_t size = is_wrapper ? 0 : 1, n_holes = spec->hole != PLAN_NO_HOLE;

    for (size_t i = 0; i < DOSI_MAX_PARAMETERS; i++)
        size += spec->n_lists[i] > PLAN_MAX_SIZE ? PLAN_MAX_SIZE + 1
                                                 : spec->n_lists[i];
    for (size_t i = 0; i < spec->n_children && size <= PLAN_MAX_SIZE; i++) {
        const dosi_plan *child = spec->children[i];
        levels = child->levels > levels ? child->levels : levels;
        size += child->size;
        n_holes += child->has_hole;
    }
    node->levels = levels + levels_added(spec);
    node->size = size;
    node->has_hole = n_holes > 0;
    if (size > PLAN_MAX_SIZE)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: a plan must have at most 2^24 parts", row->name);
    if (node->levels > PLAN_MAX_LEVELS)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: a plan must be nested at most %d levels deep", row->name,
            PLAN_MAX_LEVELS);
    if (n_holes > 1)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: a plan must have at most one hole, got %zu", row->name,
            n_holes);
    return DOSI_OK;
}

/* ---- Making ------------------------------------------------------------ */

/* One zero only, so that equal numbers have equal text. */
static double without_sign_of_zero(double x)
{
    return x == 0 ? 0 : x;
}

static dosi_status node_copy_lists(
    dosi_plan *node, const plan_spec *spec, dosi_error *err)
{
    node->n_list[0] = spec->n_lists[0];
    node->n_list[1] = spec->n_lists[2];
    node->list = malloc(plan_list_size(node) * sizeof *node->list);
    if (node->list == NULL)
        return dosi_fail_memory(err);
    double *to = node->list;
    for (size_t k = 0; k < DOSI_MAX_PARAMETERS; k++)
        for (size_t i = 0; i < spec->n_lists[k]; i++)
            *to++ = without_sign_of_zero(spec->lists[k][i]);
    return DOSI_OK;
}

static dosi_status node_copy_label(
    dosi_plan *node, const char *label, dosi_error *err)
{
    size_t n = strlen(label) + 1;
    node->label = malloc(n);
    if (node->label == NULL)
        return dosi_fail_memory(err);
    memcpy(node->label, label, n);
    return DOSI_OK;
}

static dosi_status node_new(const dosi_plan **out, const plan_spec *spec,
    const kind_row *row, dosi_error *err)
{
    if (spec->n_children > PLAN_MAX_SIZE)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: a plan must have at most 2^24 parts", row->name);
    dosi_plan *node =
        malloc(sizeof *node + spec->n_children * sizeof(const dosi_plan *));
    if (node == NULL)
        return dosi_fail_memory(err);
    atomic_init(&node->n_references, 1);
    node->self = node;
    node->kind = spec->kind;
    node->hole = spec->hole;
    node->list = NULL;
    node->n_list[0] = node->n_list[1] = 0;
    node->label = NULL;
    for (size_t i = 0; i < DOSI_MAX_PARAMETERS; i++)
        node->parameters[i] = i == spec->hole ? (double)NAN
                              : i < row->n_parameters
                                  ? without_sign_of_zero(spec->parameters[i])
                                  : 0;
    dosi_status status = node_measure(node, spec, row, err);
    if (status == DOSI_OK && row->n_parameters > 0 &&
        row->parameters[0].is_list)
        status = node_copy_lists(node, spec, err);
    if (status == DOSI_OK && spec->label != NULL)
        status = node_copy_label(node, spec->label, err);
    if (status != DOSI_OK) {
        free(node->list);
        free(node);
        return status;
    }
    node->n_children = spec->n_children;
    for (size_t i = 0; i < spec->n_children; i++)
        node->children[i] = dosi_plan_retain(spec->children[i]);
    *out = node;
    return DOSI_OK;
}

dosi_status dosi_plan_make(const dosi_plan **out, const plan_spec *spec,
    size_t *culprit, dosi_error *err)
{
    size_t ignored = PLAN_NO_HOLE;
    size_t *where = culprit != NULL ? culprit : &ignored;
    const kind_row *row = dosi_kind_row(spec->kind);

    *out = NULL;
    *where = PLAN_NO_HOLE;
    if (row == NULL)
        return dosi_fail(err, DOSI_EINVAL, "plan: there is no kind number %d",
            (int)spec->kind);
    dosi_status status = children_check(spec, row, err);
    if (status == DOSI_OK)
        status = dosi_kind_check(
            spec->kind, spec->parameters, spec->hole, where, err);
    if (status == DOSI_OK)
        status = dosi_lists_check(spec, where, err);
    if (status != DOSI_OK)
        return status;
    *where = PLAN_NO_HOLE;
    if (spec->kind == DOSI_COMPOSE && spec->n_children == 1) {
        *out = dosi_plan_retain(spec->children[0]);
        return DOSI_OK;
    }
    if (spec->kind == DOSI_COMPOSE && spec->n_children == 0) {
        const plan_spec nothing = {.kind = DOSI_PURE, .hole = PLAN_NO_HOLE};
        return node_new(out, &nothing, dosi_kind_row(DOSI_PURE), err);
    }
    return node_new(out, spec, row, err);
}

dosi_status dosi_plan_new(const dosi_plan **out, dosi_kind kind,
    const double *parameters, size_t n_parameters,
    const dosi_plan *const *children, size_t n_children, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    const kind_row *row = dosi_kind_row(kind);
    *out = NULL;
    if (row != NULL && row->n_parameters > 0 && row->parameters[0].is_list)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: its parameters are lists, not numbers", row->name);
    if (row != NULL && n_parameters != row->n_parameters)
        return dosi_fail(err, DOSI_EINVAL, "%s: takes %zu parameter%s, got %zu",
            row->name, row->n_parameters, row->n_parameters == 1 ? "" : "s",
            n_parameters);
    plan_spec spec = {.kind = kind,
        .hole = PLAN_NO_HOLE,
        .children = children,
        .n_children = n_children};
    for (size_t i = 0; row != NULL && i < n_parameters; i++)
        spec.parameters[i] = parameters[i];
    return dosi_plan_make(out, &spec, NULL, err);
}

dosi_status dosi_plan_pmf(const dosi_plan **out, const double *p,
    const double *q, size_t n, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    const plan_spec spec = {.kind = DOSI_PMF,
        .hole = PLAN_NO_HOLE,
        .lists = {p, q},
        .n_lists = {n, n}};
    return dosi_plan_make(out, &spec, NULL, err);
}

dosi_status dosi_plan_loss(const dosi_plan **out,
    const dosi_loss_list *remove, const dosi_loss_list *add, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    plan_spec spec = {.kind = DOSI_LOSS,
        .hole = PLAN_NO_HOLE,
        .lists = {remove->losses, remove->masses},
        .n_lists = {remove->n, remove->n}};
    if (add != NULL) {
        spec.lists[2] = add->losses;
        spec.lists[3] = add->masses;
        spec.n_lists[2] = spec.n_lists[3] = add->n;
    }
    return dosi_plan_make(out, &spec, NULL, err);
}

dosi_status dosi_plan_gaussian(
    const dosi_plan **out, double sigma, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(sigma);
    return dosi_plan_new(out, DOSI_GAUSSIAN, &sigma, 1, NULL, 0, err);
}

dosi_status dosi_plan_poisson(
    const dosi_plan **out, double rate, const dosi_plan *base, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(rate);
    return dosi_plan_new(out, DOSI_POISSON, &rate, 1, &base, 1, err);
}

dosi_status dosi_plan_repeat(
    const dosi_plan **out, const dosi_plan *base, double count, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT_FOR(count);
    return dosi_plan_new(out, DOSI_REPEAT, &count, 1, &base, 1, err);
}

dosi_status dosi_plan_compose(const dosi_plan **out,
    const dosi_plan *const *parts, size_t n_parts, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    return dosi_plan_new(out, DOSI_COMPOSE, NULL, 0, parts, n_parts, err);
}

/* ---- Sharing ----------------------------------------------------------- */

const dosi_plan *dosi_plan_retain(const dosi_plan *plan)
{
    if (plan != NULL)
        atomic_fetch_add_explicit(
            &plan->self->n_references, 1, memory_order_relaxed);
    return plan;
}

void dosi_plan_free(const dosi_plan *plan)
{
    if (plan == NULL)
        return;
    dosi_plan *node = plan->self;
    /* the last holder must see all that the others did before they let go */
    if (atomic_fetch_sub_explicit(
            &node->n_references, 1, memory_order_acq_rel) > 1)
        return;
    for (size_t i = 0; i < node->n_children; i++)
        dosi_plan_free(node->children[i]);
    free(node->list);
    free(node->label);
    free(node);
}

/* ---- Reading ----------------------------------------------------------- */

dosi_kind dosi_plan_kind(const dosi_plan *plan)
{
    return plan->kind;
}

double dosi_plan_parameter(const dosi_plan *plan, size_t index)
{
    return index < dosi_kind_row(plan->kind)->n_parameters && plan->list == NULL
               ? plan->parameters[index]
               : (double)NAN;
}

size_t dosi_plan_child_count(const dosi_plan *plan)
{
    return plan->n_children;
}

const dosi_plan *dosi_plan_child(const dosi_plan *plan, size_t index)
{
    return index < plan->n_children ? plan->children[index] : NULL;
}

const double *dosi_plan_list(const dosi_plan *plan, size_t index, size_t *n)
{
    *n = plan->list != NULL && index < DOSI_MAX_PARAMETERS
             ? plan->n_list[index / 2]
             : 0;
    if (*n == 0)
        return NULL;
    size_t before = index / 2 * 2 * plan->n_list[0];
    return plan->list + before + index % 2 * *n;
}

int dosi_plan_has_hole(const dosi_plan *plan)
{
    return plan->has_hole;
}

/* ---- Comparing --------------------------------------------------------- */

static int order_of(double a, double b)
{
    return (a > b) - (a < b);
}

int dosi_plan_compare(const dosi_plan *a, const dosi_plan *b)
{
    if (a == b)
        return 0;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->hole != b->hole) /* PLAN_NO_HOLE is the greatest index */
        return a->hole > b->hole ? -1 : 1;
    for (size_t i = 0; i < DOSI_MAX_PARAMETERS; i++) {
        int order = order_of(a->parameters[i], b->parameters[i]);
        if (order != 0)
            return order;
    }
    for (size_t i = 0; i < 2; i++)
        if (a->n_list[i] != b->n_list[i])
            return a->n_list[i] < b->n_list[i] ? -1 : 1;
    for (size_t i = 0; i < plan_list_size(a); i++)
        if (a->list[i] != b->list[i])
            return order_of(a->list[i], b->list[i]);
    for (size_t i = 0; i < a->n_children && i < b->n_children; i++) {
        int order = dosi_plan_compare(a->children[i], b->children[i]);
        if (order != 0)
            return order;
    }
    return (a->n_children > b->n_children) - (a->n_children < b->n_children);
}

int dosi_plan_equal(const dosi_plan *a, const dosi_plan *b)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    return dosi_plan_compare(a, b) == 0;
}
