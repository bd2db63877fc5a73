/*
 * The order in which laws are composed, and where their knots lie. Nothing here
 * needs a proof: every choice gives valid lists. docs/theory/list.md, section
 * 5.
 */
#include "list_tree.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "list_run.h"

/* Nats of mass between two knots of the skeleton, of few parts and of many. */
#define SKELETON_STEP 0.5
#define SKELETON_STEP_MANY 0.8
#define MANY_PARTS 8

/* About the largest number of knots of a skeleton; fewer if memory is short. */
#define MAX_SKELETON_KNOTS 300.0

/* Masses are doubles without a common factor down to this log delta. */
#define LIST_MIN_LOG_DELTA_UNSCALED (-650.0)

double list_log_stored(const list_tree *t, double log_mass)
{
    return log_mass + t->scale * 0.6931471805599453; /* log 2 */
}

/* ---- Growing ----------------------------------------------------------- */

static list_knots knots_of(const list_node *x)
{
    return (list_knots){x->n_knots, x->knots};
}

static dosi_status fill_side(list_tree *t, list_node *x, list_side side,
    dosi_error *err)
{
    list_law_free(&x->side[side]);
    return list_compose(&x->side[side], &t->nodes[x->a].side[side],
        &t->nodes[x->b].side[side], knots_of(x), side,
        exp(list_log_stored(t, t->log_delta - LIST_NEGLIGIBLE)), t->limits,
        err);
}

static dosi_status fill_run(list_tree *t, list_node *x, dosi_error *err)
{
    list_law_free(&x->side[LIST_BELOW]);
    list_law_free(&x->side[LIST_ABOVE]);
    dosi_status status =
        list_run(x->side, x->run, knots_of(x), t->limits, err);
    for (int side = LIST_BELOW; side <= LIST_ABOVE; side++)
        list_take_out(&x->side[side], t->scale);
    return status;
}

static dosi_status add_node(
    list_tree *t, size_t *out, list_node added, dosi_error *err)
{
    if (t->n == t->room) {
        size_t room = 2 * t->room + 16;
        list_node *more = realloc(t->nodes, room * sizeof *more);
        if (more == NULL)
            return dosi_fail_memory(err);
        t->nodes = more;
        t->room = room;
    }
    list_node *x = &t->nodes[t->n];
    *x = added;
    *out = t->n++;
    if (work_stopped(t->limits))
        return dosi_fail(err, DOSI_EUNABLE, "lists: the work was stopped");
    dosi_status status;
    if (x->a == LIST_NONE) {
        status = list_skeleton_of_run(x, t, err);
        return status == DOSI_OK ? fill_run(t, x, err) : status;
    }
    x->variance = t->nodes[x->a].variance + t->nodes[x->b].variance;
    status = list_skeleton_of_pair(x, t, err);
    return status == DOSI_OK ? fill_side(t, x, LIST_BELOW, err) : status;
}

static dosi_status add_pair(
    list_tree *t, size_t *out, size_t a, size_t b, dosi_error *err)
{
    return add_node(t, out, (list_node){.a = a, .b = b}, err);
}

/* count >= 1 runs of a law, by squaring. */
static dosi_status add_power(list_tree *t, size_t *out, size_t base,
    double count, dosi_error *err)
{
    uint64_t k = (uint64_t)count;
    int bits = 0;
    dosi_status status = DOSI_OK;
    *out = base;
    while (k >> bits > 1)
        bits++;
    while (bits-- > 0 && status == DOSI_OK) {
        status = add_pair(t, out, *out, *out, err);
        if (status == DOSI_OK && (k >> bits & 1) != 0)
            status = add_pair(t, out, *out, base, err);
    }
    return status;
}

/* Laws that are still to be composed. */
typedef struct open_laws {
    size_t n;
    size_t *at;
} open_laws;

/* One part alone is left as two halves. */
static dosi_status add_part(list_tree *t, open_laws *open, loss_tails *run,
    bool alone, dosi_error *err)
{
    size_t base = 0, half = 0;
    double count = run->pair.count;
    list_node one = {.a = LIST_NONE, .b = LIST_NONE, .run = run};
    dosi_status status = add_node(t, &base, one, err);
    if (status != DOSI_OK)
        return status;
    bool halves = alone && count > 1;
    status = add_power(t, &half, base, halves ? floor(count / 2) : count, err);
    if (status != DOSI_OK)
        return status;
    open->at[open->n++] = half;
    if (!halves)
        return DOSI_OK;
    if (fmod(count, 2) == 1)
        status = add_pair(t, &half, half, base, err);
    open->at[open->n++] = half;
    return status;
}

/* Takes the open law of least variance out. */
static size_t take_least(open_laws *open, const list_tree *t)
{
    size_t least = 0;
    for (size_t i = 1; i < open->n; i++)
        if (t->nodes[open->at[i]].variance <
            t->nodes[open->at[least]].variance)
            least = i;
    size_t taken = open->at[least];
    open->at[least] = open->at[--open->n];
    return taken;
}

static dosi_status grow(
    list_tree *t, open_laws *open, loss_tails *runs, size_t n, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (size_t i = 0; i < n && status == DOSI_OK; i++)
        status = add_part(t, open, &runs[i], n == 1, err);
    while (open->n > 2 && status == DOSI_OK) {
        size_t a = take_least(open, t), b = take_least(open, t), both;
        status = add_pair(t, &both, a, b, err);
        open->at[open->n++] = both;
    }
    t->last[0] = open->n > 1 ? open->at[1] : LIST_NONE;
    t->last[1] = open->n > 0 ? open->at[0] : LIST_NONE;
    return status;
}

dosi_status list_tree_new(list_tree *out, loss_tails *runs, size_t n,
    double log_delta, work_limits *limits, dosi_error *err)
{
    *out = (list_tree){.log_delta = log_delta,
        .scale = log_delta < LIST_MIN_LOG_DELTA_UNSCALED ? LIST_SCALE : 0,
        .step = n > MANY_PARTS ? SKELETON_STEP_MANY : SKELETON_STEP,
        .max_knots = fmin(MAX_SKELETON_KNOTS, list_max_losses(limits) / 2),
        .limits = limits};
    open_laws open = {0, malloc((n + 2) * sizeof *open.at)};
    if (open.at == NULL)
        return dosi_fail_memory(err);
    dosi_status status = grow(out, &open, runs, n, err);
    free(open.at);
    return status;
}

void list_tree_free(list_tree *t)
{
    for (size_t k = 0; k < t->n; k++) {
        list_node *x = &t->nodes[k];
        list_law_free(&x->side[LIST_BELOW]);
        list_law_free(&x->side[LIST_ABOVE]);
        free(x->skeleton);
        free(x->knots);
        free(x->influence);
    }
    free(t->nodes);
    *t = (list_tree){0};
}

dosi_status list_tree_fill(list_tree *t, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (size_t k = 0; k < t->n && status == DOSI_OK; k++) {
        list_node *x = &t->nodes[k];
        if (x->a == LIST_NONE) {
            status = fill_run(t, x, err);
            continue;
        }
        for (int side = LIST_BELOW; side <= LIST_ABOVE && status == DOSI_OK;
             side++)
            status = fill_side(t, x, (list_side)side, err);
    }
    return status;
}

/* ---- Refining ---------------------------------------------------------- */

/* The share of the knots that lie evenly over the outcomes. */
#define EVEN_SHARE 0.15

#define MIN_KNOTS 40.0
#define MAX_KNOTS 40000.0

/* The memory of a law for each knot: lists, knots, influence and cells. */
#define KNOT_BYTES 160.0

/* The products that one knot counts as if nothing is composed. */
#define PRODUCTS_PER_KNOT 2000.0

/* Places n knots by the shares of the outcomes; returns how many. */
static size_t place(double *knots, size_t room, const list_node *x,
    const double *share, double sum, double n)
{
    const list_law *own = &x->side[LIST_BELOW];
    size_t m = own->n, k = 0;
    double lo = x->knots[0], hi = x->knots[x->n_knots - 1], left = 0;
    knots[k++] = lo;
    for (size_t i = 0; i < m; i++) {
        double a = i == 0 ? lo : (own->loss[i - 1] + own->loss[i]) / 2;
        double b = i + 1 == m ? fmin(hi, 2 * own->loss[i] - a)
                              : (own->loss[i] + own->loss[i + 1]) / 2;
        double here = n * ((1 - EVEN_SHARE) * share[i] / sum +
                              EVEN_SHARE / (double)m);
        double at = 0;
        while (b > a && left + (here - at) >= 1 && k + 2 < room) {
            at += 1 - left;
            left = 0;
            double knot = a + (b - a) * at / here;
            if (knot > knots[k - 1] && knot < hi)
                knots[k++] = knot;
        }
        left += here - at;
    }
    knots[k++] = hi;
    return k;
}

/* The knots and those of the skeleton between them, in one row. */
static dosi_status join(
    list_node *x, const double *knots, size_t n, dosi_error *err)
{
    double *all = malloc((n + x->n_skeleton) * sizeof *all);
    size_t k = 0;
    if (all == NULL)
        return dosi_fail_memory(err);
    double lo = knots[0], hi = knots[n - 1];
    for (size_t i = 0, j = 0; i < n || j < x->n_skeleton;) {
        bool own = j == x->n_skeleton ||
                   (i < n && knots[i] <= x->skeleton[j]);
        double at = own ? knots[i++] : x->skeleton[j++];
        if (at >= lo && at <= hi && (k == 0 || at > all[k - 1]))
            all[k++] = at;
    }
    free(x->knots);
    x->knots = all;
    x->n_knots = k;
    return DOSI_OK;
}

static dosi_status lay(list_node *x, const double *share, double sum, double n,
    dosi_error *err)
{
    size_t room = (size_t)n + x->n_knots + 8;
    double *knots = malloc(room * sizeof *knots);
    if (knots == NULL)
        return dosi_fail_memory(err);
    dosi_status status =
        join(x, knots, place(knots, room, x, share, sum, n), err);
    free(knots);
    if (status == DOSI_OK && x->a == LIST_NONE && x->run->has_density)
        status = list_knots_with_zero(x, err);
    return status;
}

/* The factor by which all sizes have to grow for so many products: of laws
 * that keep their size, the number of outcomes is taken as it is. */
static double factor_for(
    const list_tree *t, const double *size, double products)
{
    double square = 0, linear = 0, fixed = 0; /* in the factor */
    for (size_t k = 0; k < t->n; k++) {
        const list_node *x = &t->nodes[k];
        if (x->a == LIST_NONE)
            continue;
        const list_node *a = &t->nodes[x->a], *b = &t->nodes[x->b];
        double n_a = a->is_exact ? (double)a->side[LIST_BELOW].n : size[x->a];
        double n_b = b->is_exact ? (double)b->side[LIST_BELOW].n : size[x->b];
        double both = n_a * n_b * (x->a == x->b ? 0.5 : 1);
        if (a->is_exact && b->is_exact)
            fixed += both;
        else if (a->is_exact || b->is_exact)
            linear += both;
        else
            square += both;
    }
    double left = fmax(products - fixed, 0);
    if (square > 0)
        return 2 * left /
               (linear + sqrt(linear * linear + 4 * square * left));
    return linear > 0 ? left / linear : HUGE_VAL;
}

/* How many knots a law gets: some, whatever was shared out. */
static double knots_for(const list_tree *t, double size, double products)
{
    double fit = (double)work_bytes(t->limits) / (KNOT_BYTES * (double)t->n);
    if (!(size < HUGE_VAL)) /* nothing is composed */
        size = products / PRODUCTS_PER_KNOT;
    if (size > fit)
        work_note_memory_bound(t->limits);
    return fmin(fmax(fmin(size, fit), MIN_KNOTS), MAX_KNOTS);
}

/* Places the knots of all laws. size and share have room for the sums of the
 * laws, and for the shares of the largest of them. */
static dosi_status lay_all(list_tree *t, double products, double *size,
    double *share, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (size_t k = 0; k < t->n; k++)
        size[k] = list_shares(share, &t->nodes[k], t);
    double factor = factor_for(t, size, products);
    for (size_t k = 0; k < t->n && status == DOSI_OK; k++) {
        list_node *x = &t->nodes[k];
        if (x->is_exact || !(size[k] > 0 && size[k] < HUGE_VAL))
            continue;
        (void)list_shares(share, x, t);
        status = lay(x, share, size[k],
            knots_for(t, factor * size[k], products), err);
    }
    return status;
}

dosi_status list_tree_refine(
    list_tree *t, double epsilon, double products, dosi_error *err)
{
    size_t most = 0;
    for (size_t k = 0; k < t->n; k++)
        if (t->nodes[k].side[LIST_BELOW].n > most)
            most = t->nodes[k].side[LIST_BELOW].n;
    double *size = malloc((t->n + most + 1) * sizeof *size);
    if (size == NULL)
        return dosi_fail_memory(err);
    dosi_status status = list_influences(t, epsilon, err);
    if (status == DOSI_OK)
        status = lay_all(t, products, size, size + t->n, err);
    free(size);
    return status;
}
