/*
 * One round of the grid: a spacing, a window and a lattice that fit the
 * limits, the laws on it, their total, and what it says.
 */
#include "grid_engine.h"

#include <stdlib.h>

#include "grid_ask.h"
#include "grid_beside.h"
#include "grid_classes.h"
#include "grid_lattice.h"

double grid_wanted_log_width(const grid_engine *e)
{
    double width = work_width(e->limits);
    switch (e->q->kind) {
    case GRID_ASK_DELTA:
        break;
    case GRID_ASK_EPSILON:
        return width * fmax(e->at.epsilon, 1e-9) *
               fmax(e->beside != NULL ? e->beside->slope : e->at.t, 1e-3);
    case GRID_ASK_TRADEOFF:
        return width;
    }
    return width;
}

bool grid_part_is_cut(const loss_cells *c)
{
    return c->pair.noise == LOSS_GAUSSIAN || c->pair.noise == LOSS_FINITE;
}

double grid_part_right(const grid_engine *e, size_t i)
{
    const loss_cells *c = &e->parts[i];
    if (!grid_part_is_cut(c))
        return ball_mid(c->most);
    double mass = fmin(e->at.log_delta, 0) + log(work_width(e->limits)) -
                  10 - log(c->pair.count);
    return fmin(grid_cut_above(&e->whole.parts[i], mass),
        ball_mid(loss_most(c)));
}

typedef struct round_plan {
    grid_lattice lattice;
    grid_window window;
    double tolerance;
} round_plan;

/* Roughly: most cells of a normal law are long ones. */
static double cell_cost(const loss_cells *c)
{
    const loss *p = &c->pair;
    double cost = p->noise == LOSS_GAUSSIAN ? 0.25 : 1;
    if (p->map == LOSS_DRAWN)
        return cost * p->removed;
    return p->map == LOSS_SPLIT ? cost * 2 * (2 + p->removed + p->added)
                                : cost;
}

static double part_left(const grid_engine *e, size_t i)
{
    const loss_cells *c = &e->parts[i];
    if (!grid_part_is_cut(c))
        return ball_mid(c->least);
    double share = log(work_width(e->limits)) - 20 - log(c->pair.count);
    /* of classes every one has the bulk of the runs */
    double t = e->classes != NULL ? 0 : e->at.t;
    if (!c->has_density)
        return grid_atoms_below(&e->sketch.parts[i], t, share);
    return fmax(grid_cut_below(&e->sketch.parts[i], t, share),
        ball_mid(c->least));
}

typedef struct round_cost {
    double cells, points, bytes, operations;
} round_cost;

/* A round may spend this share of the operations that are left: the other
 * direction and finer rounds follow. */
#define ROUND_SHARE (1.0 / 3)

/* Of a round with spacing h. */
static round_cost cost_of(const grid_engine *e, const grid_window *w, double h)
{
    double cells = 0, points = 0;
    for (size_t i = 0; i < e->n; i++) {
        const loss_cells *c = &e->parts[i];
        double span = grid_part_right(e, i) - part_left(e, i);
        if (c->has_density)
            cells += span / h * cell_cost(c);
        points += span / h + 4;
    }
    double n = exp2(ceil(log2((w->hi - w->lo) / h + 16)));
    double bytes = (GRID_POINT_BYTES + GRID_POINT_Q_BYTES) * n;
    if (e->classes != NULL)
        n = grid_classes_points(e->classes, e->n, h, &bytes);
    bytes += 3 * sizeof(double) * points;
    double laws = GRID_LAW_OPERATIONS * (double)e->n;
    double operations =
        GRID_CELL_OPERATIONS * cells + (laws + GRID_READ_OPERATIONS) * n;
    return (round_cost){cells, n, bytes, operations};
}

static bool fits(grid_engine *e, const grid_window *w, double h)
{
    round_cost cost = cost_of(e, w, h);
    e->is_short = cost.bytes > (double)work_bytes(e->limits);
    return cost.cells <= e->cells && cost.points <= e->points &&
           cost.operations <= ROUND_SHARE * work_left(e->limits) &&
           !e->is_short;
}

/* The least spacing up to h that fits, or about that. */
static double least_fitting(grid_engine *e, const grid_window *w, double h)
{
    for (int i = 0; i < 24 && fits(e, w, h / 1.2); i++)
        h /= 1.2;
    return h;
}

static round_plan plan_round(grid_engine *e, double h)
{
    round_plan p;
    double width = grid_wanted_log_width(e);
    double t = fmax(e->at.t, 1e-3);
    p.window = grid_window_at(
        &e->sketch, &e->at, e->at.log_core + log(fmin(width, 1)) - 7);
    p.window.lo = fmin(p.window.lo,
        e->beside != NULL ? grid_beside_least(e->beside, e->at.epsilon)
                          : e->at.epsilon);
    if (e->beside == NULL)
        p.window.hi = fmax(p.window.hi, e->at.epsilon);
    if (e->q->kind == GRID_ASK_TRADEOFF)
        p.window.lo -= 4 * sqrt(e->at.variance);
    p.tolerance = fmax(1e-3 * width / (t * e->count), 0x1p-80);
    bool is_short = false;
    for (int i = 0; i < 200 && !fits(e, &p.window, h); i++) {
        h *= 1.25;
        e->is_full = true;
        is_short = is_short || e->is_short;
    }
    p.lattice = grid_lattice_choose(e->parts, e->n, h, 0, p.tolerance, true);
    if (!p.lattice.is_exact || !fits(e, &p.window, ball_mid(p.lattice.h)))
        p.lattice = grid_lattice_choose(e->parts, e->n, h,
            least_fitting(e, &p.window, h), p.tolerance, false);
    e->is_exact = p.lattice.is_exact;
    e->spacing = ball_mid(p.lattice.h);
    e->is_short = is_short;
    double built = cost_of(e, &p.window, ball_mid(p.lattice.h)).cells;
    e->cells = fmax(e->cells - built, 0);
    return p;
}

static grid_points points_of(
    const grid_engine *e, const round_plan *p, size_t i)
{
    double most = (double)work_bytes(e->limits) / 24;
    return (grid_points){.h = p->lattice.h,
        .offset = grid_lattice_offset(&e->parts[i], p->lattice.h),
        .slack = p->tolerance,
        .left = part_left(e, i),
        .right = grid_part_right(e, i),
        .most = (size_t)fmin(most, 4 * GRID_MAX_POINTS),
        .longest = 0.5 / fmax(p->window.a_lo, p->window.a_hi)};
}

static dosi_status build_laws(grid_law *laws, const grid_engine *e,
    const round_plan *p, grid_share *share, dosi_error *err)
{
    bool with_q = false, rounds = false;
    for (size_t i = 0; i < e->n; i++) {
        grid_points points = points_of(e, p, i);
        with_q = with_q || grid_law_is_loose(&e->parts[i], &points);
        rounds = rounds || grid_lattice_has_heap(&e->parts[i], points.h);
    }
    for (size_t i = 0; i < e->n; i++) {
        grid_points points = points_of(e, p, i);
        points.with_q = with_q || rounds;
        points.rounds = rounds;
        if (e->parts[i].pair.noise == LOSS_GAUSSIAN && e->classes == NULL) {
            grid_share_fill(share, &e->sketch.parts[i], e->at.t);
            points.share = share;
        }
        dosi_status status = grid_law_build(
            &laws[i], &e->parts[i], &points, e->limits, err);
        if (status != DOSI_OK)
            return status;
    }
    return DOSI_OK;
}

/* The window in points: as wide as steering says, or all there is; without a
 * point where indices are too large. */
static grid_working working_of(const grid_engine *e, const round_plan *p,
    const grid_law *laws)
{
    double h = ball_mid(p->lattice.h), offset = 0, first = 0, last = 0;
    for (size_t i = 0; i < e->n; i++) {
        double top = (double)laws[i].first + (double)(laws[i].n - 1);
        offset += laws[i].count * ball_mid(laws[i].offset);
        first += laws[i].count * (double)laws[i].first;
        last += laws[i].count * top;
    }
    double lo = fmax(floor((p->window.lo - offset) / h) - 4, first);
    double hi = fmin(ceil((p->window.hi - offset) / h) + 4, last);
    hi = fmax(hi, lo);
    double n = fmax(exp2(ceil(log2(hi - lo + 1))), 16);
    /* all there is, where that is little more: nothing lies outside then */
    if (last - first + 1 <= fmax(n, fmin(4 * n + 4096, 0x1p18))) {
        lo = first;
        n = fmax(exp2(ceil(log2(last - first + 1))), 16);
    }
    double spare = n - (hi - lo + 1);
    lo = fmax(lo - floor(spare / 4), first);
    if (!grid_has_indices(lo, n))
        return (grid_working){.n = 0};
    return (grid_working){.tilt = e->at.t * h,
        .first = (int64_t)lo,
        .n = (size_t)n,
        .a_lo = p->window.a_lo * h,
        .a_hi = p->window.a_hi * h};
}

static dosi_interval ask(const grid_engine *e, const grid_total *total)
{
    switch (e->q->kind) {
    case GRID_ASK_DELTA:
        break;
    case GRID_ASK_EPSILON:
        return grid_ask_epsilon(total, e->q->log_delta, e->at.epsilon);
    case GRID_ASK_TRADEOFF:
        return grid_ask_tradeoff(total, e->q->argument, e->at.epsilon);
    }
    return grid_ask_log_delta(total, e->q->argument);
}

/* With the parts that are not on the lattice. */
static dosi_status ask_beside(
    grid_engine *e, const grid_total *total, dosi_error *err)
{
    dosi_interval found = {-HUGE_VAL, HUGE_VAL};
    dosi_status status = grid_beside_load(e->beside, total, err);
    if (status == DOSI_OK)
        status = grid_beside_ask(
            &found, e->beside, e->q, e->at.epsilon, err);
    if (status == DOSI_OK)
        e->best = iv_meet(e->best, found);
    return status;
}

/* Composes the laws and asks. */
static dosi_status ask_laws(grid_engine *e, const round_plan *p,
    const grid_law *laws, dosi_error *err)
{
    if (e->classes != NULL)
        return grid_classes_ask(e, laws, p->lattice.h, err);
    grid_working w = working_of(e, p, laws);
    if (w.n == 0 || (double)w.n > 2 * GRID_MAX_POINTS)
        return dosi_fail(err, DOSI_EUNABLE, "grid: too many points");
    e->transformed += (double)w.n;
    work_spend(e->limits, GRID_READ_OPERATIONS * (double)w.n);
    grid_total total;
    dosi_status status = grid_total_make(
        &total, laws, e->n, p->lattice.h, &w, e->limits, err);
    if (status == DOSI_OK && e->beside != NULL)
        status = ask_beside(e, &total, err);
    else if (status == DOSI_OK)
        e->best = iv_meet(e->best, ask(e, &total));
    grid_total_free(&total);
    return status;
}

dosi_status grid_round(grid_engine *e, double h, dosi_error *err)
{
    round_plan p = plan_round(e, h);
    grid_share *share = malloc(sizeof *share);
    grid_law *laws = calloc(e->n, sizeof *laws);
    if (laws == NULL || share == NULL) {
        free(laws);
        free(share);
        return dosi_fail_memory(err);
    }
    dosi_status status = build_laws(laws, e, &p, share, err);
    free(share);
    if (status == DOSI_OK)
        status = ask_laws(e, &p, laws, err);
    for (size_t i = 0; i < e->n; i++)
        grid_law_free(&laws[i]);
    free(laws);
    return status;
}
