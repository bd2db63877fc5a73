/*
 * The first knots of a law: one for every so many nats of the mass above a
 * loss, and of the mass below it, some hundred. They stay in all later lists
 * and keep chords short wherever mass falls fast. They steer; nothing here is
 * certified.
 */
#include "list_tree.h"

#include <stdlib.h>
#include <string.h>

/* The evenly spaced knots that are added to a skeleton if nearly all mass lies
 * in a few atoms. */
#define EVEN_KNOTS 64

/* Knots beyond the last outcome that matters, in growing steps and up to this
 * many times the length of the law: a chord over a long cell would move nearly
 * all of its mass to the far end. */
#define TAIL_REACH 1.5
#define TAIL_FIRST_STEP 0.01
#define TAIL_STEP_GROWTH 1.6
#define MAX_TAIL_KNOTS 64 /* at most, and the ends */

typedef struct outcome {
    double loss, mass;
} outcome;

typedef struct outcomes {
    size_t n;
    outcome *at; /* rising */
} outcomes;

/* ---- Sorting ----------------------------------------------------------- */

static void merge_runs(outcome *to, const outcome *a, size_t n_a,
    const outcome *b, size_t n_b)
{
    size_t i = 0, j = 0;
    while (i < n_a && j < n_b)
        *to++ = b[j].loss < a[i].loss ? b[j++] : a[i++];
    memcpy(to, a + i, (n_a - i) * sizeof *a);
    memcpy(to + (n_a - i), b + j, (n_b - j) * sizeof *b);
}

/* Sorts outcomes that come in rising runs, run k ending before end[k]. */
static dosi_status sort_runs(
    outcomes *x, size_t *end, size_t n_runs, dosi_error *err)
{
    outcome *spare = malloc((x->n + 1) * sizeof *spare);
    if (spare == NULL)
        return dosi_fail_memory(err);
    for (; n_runs > 1; n_runs = (n_runs + 1) / 2) {
        size_t from = 0;
        for (size_t k = 0; k < n_runs; k += 2) {
            size_t mid = end[k], to = k + 1 < n_runs ? end[k + 1] : mid;
            merge_runs(spare + from, x->at + from, mid - from, x->at + mid,
                to - mid);
            end[k / 2] = from = to;
        }
        outcome *other = x->at;
        x->at = spare;
        spare = other;
    }
    free(spare);
    return DOSI_OK;
}

static int by_loss(const void *a, const void *b)
{
    double x = ((const outcome *)a)->loss, y = ((const outcome *)b)->loss;
    return (x > y) - (x < y);
}

/* ---- Knots ------------------------------------------------------------- */

typedef struct knot_row {
    size_t n;
    double *at;
} knot_row;

static void add_knot(knot_row *k, double at)
{
    if (k->n == 0 || at > k->at[k->n - 1])
        k->at[k->n++] = at;
}

/* The outcomes from *first on, n of them, that matter. */
static void leave_out_negligible(
    const outcomes *x, size_t *first, size_t *n, double negligible)
{
    *first = 0;
    *n = x->n;
    for (double sum = 0; *n > 2; --*n) {
        sum += x->at[*n - 1].mass;
        if (sum >= negligible)
            break;
    }
    for (double sum = 0; *first + 2 < *n; ++*first) {
        sum += x->at[*first].mass;
        if (sum >= negligible)
            break;
    }
}

/* One knot every step nats of the mass above, or of the mass below. */
static void add_by_mass(knot_row *k, const outcomes *x,
    const double *sums, size_t first, size_t n, const list_tree *t)
{
    double log_half = log(sums[first] / 2);
    double nats = 2 * log_half - log(x->at[first].mass) -
                  log(sums[n - 1]); /* of both tails */
    double step = fmax(t->step, nats / t->max_knots), last = -HUGE_VAL;
    double below = 0;
    add_knot(k, x->at[first].loss);
    for (size_t i = first + 1; i < n; i++) {
        below += x->at[i - 1].mass;
        double z = log_half - log(sums[i]); /* of the mass above */
        if (z < 0)
            z = log(below) - log_half;
        if (z - last >= step && x->at[i].loss > k->at[k->n - 1]) {
            add_knot(k, x->at[i].loss);
            last = z;
        }
    }
}

/* Knots from end on up to stop, in growing steps, the first as long as the
 * last between two knots. */
static void add_tail_knots(knot_row *k, double end, double stop, double longest)
{
    double gap = k->n > 1 ? k->at[k->n - 1] - k->at[k->n - 2] : longest;
    double step = fmin(gap, longest);
    for (int i = 0; i + 4 < MAX_TAIL_KNOTS && end + step < stop; i++) {
        add_knot(k, end + step);
        step *= TAIL_STEP_GROWTH;
    }
}

/* The ends: what is left out is near, or in the sum of the parts' ends. */
static void add_ends(knot_row *k, const list_node *x, const list_tree *t,
    const outcomes *from, size_t first, size_t n)
{
    double end = from->at[n - 1].loss;
    if (x->a != LIST_NONE) {
        const list_node *a = &t->nodes[x->a], *b = &t->nodes[x->b];
        double sum = a->knots[a->n_knots - 1] + b->knots[b->n_knots - 1];
        double reach = end - from->at[first].loss, stop = sum;
        if (first == 0)
            k->at[0] = fmin(k->at[0], a->knots[0] + b->knots[0]);
        if (n < from->n)
            stop = fmin(sum, end + TAIL_REACH * reach);
        add_tail_knots(k, end, stop, TAIL_FIRST_STEP * reach);
        if (n == from->n)
            end = fmax(end, sum);
    }
    end = fmax(end, k->at[k->n - 1]);
    add_knot(k, end + 1e-12 * (fabs(end) + 1e-6));
    if (k->n == 1)
        add_knot(k, k->at[0] + 1e-9);
}

/* The skeleton becomes the row with even knots between its ends, if there
 * are few. */
static dosi_status keep(list_node *x, const knot_row *k, dosi_error *err)
{
    size_t n = k->n < EVEN_KNOTS && !x->is_exact ? EVEN_KNOTS : 0, j = 1;
    x->skeleton = malloc((k->n + n) * sizeof *x->skeleton);
    x->knots = malloc((k->n + n) * sizeof *x->knots);
    if (x->skeleton == NULL || x->knots == NULL)
        return dosi_fail_memory(err);
    knot_row all = {0, x->skeleton};
    double lo = k->at[0], hi = k->at[k->n - 1];
    for (size_t i = 0; i < k->n; i++) {
        for (; j < n; j++) {
            double even = lo + (hi - lo) * (double)j / EVEN_KNOTS;
            if (!(even < k->at[i]))
                break;
            add_knot(&all, even);
        }
        add_knot(&all, k->at[i]);
    }
    x->n_skeleton = x->n_knots = all.n;
    memcpy(x->knots, x->skeleton, all.n * sizeof *x->knots);
    return DOSI_OK;
}

/* Laws with no more losses than this keep them all. */
#define EXACT_LOSSES 1024.0

double list_max_losses(const work_limits *limits)
{
    /* each pair, and room to sort them */
    return sqrt((double)work_bytes(limits) / (4 * sizeof(outcome)));
}

/* Losses that are relatively closer than this count as one: rounding may have
 * separated them. */
#define SAME_LOSS 1e-12

/* Adds one knot just below every loss if there are few; false if there are
 * many. */
static bool add_every_loss(knot_row *k, const outcomes *x, size_t first,
    size_t n, double max_losses)
{
    double most = fmax(fabs(x->at[first].loss), fabs(x->at[n - 1].loss));
    double same = SAME_LOSS * most + 1e-300, last = -HUGE_VAL;
    for (size_t i = first; i < n; i++) {
        if (x->at[i].loss - last <= 4 * same)
            continue;
        if ((double)k->n >= max_losses) {
            k->n = 0;
            return false;
        }
        last = x->at[i].loss;
        add_knot(k, last - same);
    }
    add_knot(k, x->at[n - 1].loss + same);
    return true;
}

static bool is_finite_law(const list_node *x, const list_tree *t)
{
    if (x->a == LIST_NONE)
        return !x->run->has_density;
    return t->nodes[x->a].is_exact && t->nodes[x->b].is_exact;
}

static dosi_status skeleton(list_node *x, const list_tree *t,
    const outcomes *from, double log_negligible, dosi_error *err)
{
    size_t first, n;
    double sum = 0, *sums = calloc(from->n + 1, sizeof *sums);
    knot_row k = {0, malloc((from->n + MAX_TAIL_KNOTS) * sizeof *k.at)};
    if (sums == NULL || k.at == NULL) {
        free(sums);
        free(k.at);
        return dosi_fail_memory(err);
    }
    leave_out_negligible(
        from, &first, &n, exp(list_log_stored(t, log_negligible)));
    for (size_t i = n; i-- > first;)
        sums[i] = sum += from->at[i].mass;
    x->is_exact = is_finite_law(x, t) &&
                  add_every_loss(&k, from, first, n,
                      fmin(EXACT_LOSSES, list_max_losses(t->limits)));
    if (!x->is_exact) {
        add_by_mass(&k, from, sums, first, n, t);
        add_ends(&k, x, t, from, first, n);
    }
    dosi_status status = keep(x, &k, err);
    free(sums);
    free(k.at);
    return status;
}

/* ---- One run ----------------------------------------------------------- */

static double variance_of(const outcomes *x)
{
    double mass = 0, mean = 0, sum = 0;
    for (size_t i = 0; i < x->n; i++) {
        double m = x->at[i].mass;
        mass += m;
        mean += m * x->at[i].loss;
    }
    for (size_t i = 0; i < x->n; i++) {
        double from_mean = x->at[i].loss - mean / mass;
        sum += x->at[i].mass * from_mean * from_mean;
    }
    return sum / mass;
}

static dosi_status outcomes_of_run(outcomes *out, const list_tree *t,
    const loss_tails *run, dosi_error *err)
{
    size_t n_atoms = loss_atom_count(run);
    loss_sketch *s = malloc(sizeof *s);
    *out = (outcomes){0, malloc((n_atoms + LOSS_SKETCH + 2) * sizeof *out->at)};
    if (s == NULL || out->at == NULL) {
        free(s);
        return dosi_fail_memory(err);
    }
    if (run->has_density) {
        loss_sketch_fill(s, run);
        for (size_t i = 0; i < s->n; i++) {
            double mass = exp(list_log_stored(t, s->log_mass[i]));
            if (mass > 0)
                out->at[out->n++] = (outcome){s->at[i], mass};
        }
    } else {
        for (; out->n < n_atoms; out->n++) {
            loss_atom a = loss_atom_at(run, out->n);
            out->at[out->n] =
                (outcome){ball_mid(a.at), ldexp(ball_mid(a.p), t->scale)};
        }
    }
    if (out->n == 0) /* all of it is at +inf */
        out->at[out->n++] = (outcome){0, 1};
    free(s);
    qsort(out->at, out->n, sizeof *out->at, by_loss);
    return DOSI_OK;
}

dosi_status list_knots_with_zero(list_node *x, dosi_error *err)
{
    size_t i = 0;
    while (i < x->n_knots && x->knots[i] < 0)
        i++;
    if (i == 0 || i == x->n_knots || x->knots[i] == 0)
        return DOSI_OK;
    double *more = realloc(x->knots, (x->n_knots + 1) * sizeof *more);
    if (more == NULL)
        return dosi_fail_memory(err);
    x->knots = more;
    memmove(more + i + 1, more + i, (x->n_knots - i) * sizeof *more);
    more[i] = 0;
    x->n_knots++;
    return DOSI_OK;
}

dosi_status list_skeleton_of_run(
    list_node *x, const list_tree *t, dosi_error *err)
{
    outcomes from;
    const loss_tails *run = x->run;
    dosi_status status = outcomes_of_run(&from, t, run, err);
    if (status == DOSI_OK) {
        x->variance = variance_of(&from);
        status = skeleton(
            x, t, &from,
            t->log_delta - LIST_NEGLIGIBLE - log(run->pair.count), err);
    }
    free(from.at);
    if (status != DOSI_OK || !run->has_density)
        return status;
    double most = ball_upper(loss_largest(run));
    double least = ball_lower(loss_smallest(run));
    double *end = &x->skeleton[x->n_skeleton - 1];
    if (most < HUGE_VAL && most > x->skeleton[x->n_skeleton - 2])
        *end = most;
    if (least > -HUGE_VAL && least < x->skeleton[0])
        x->skeleton[0] = least;
    memcpy(x->knots, x->skeleton, x->n_skeleton * sizeof *x->knots);
    return list_knots_with_zero(x, err);
}

/* The operations of sorting, for each pair. */
#define SORT_OPERATIONS 40

/* ---- Two laws ---------------------------------------------------------- */

dosi_status list_skeleton_of_pair(
    list_node *x, const list_tree *t, dosi_error *err)
{
    const list_law *a = &t->nodes[x->a].side[LIST_BELOW];
    const list_law *b = &t->nodes[x->b].side[LIST_BELOW];
    bool same = a == b;
    outcomes all = {0, malloc((a->n * b->n + 2) * sizeof *all.at)};
    size_t *end = malloc((a->n + 1) * sizeof *end);
    if (all.at == NULL || end == NULL) {
        free(all.at);
        free(end);
        return dosi_fail_memory(err);
    }
    dosi_status status = DOSI_OK;
    for (size_t i = 0; i < a->n; i++) {
        for (size_t j = same ? i : 0; j < b->n; j++) {
            double m = list_product(a->mass[i], b->mass[j], t->scale);
            m *= same && j > i ? 2 : 1;
            if (m > 0)
                all.at[all.n++] = (outcome){a->loss[i] + b->loss[j], m};
        }
        end[i] = all.n;
    }
    if (all.n == 0) /* all of it is at +inf */
        all.at[all.n++] = (outcome){0, 1};
    else
        status = sort_runs(&all, end, a->n, err);
    work_spend(t->limits, SORT_OPERATIONS * (double)all.n);
    if (status == DOSI_OK)
        status = skeleton(x, t, &all, t->log_delta - LIST_NEGLIGIBLE, err);
    free(all.at);
    free(end);
    return status;
}
