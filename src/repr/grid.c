#include "grid.h"

#include <stdlib.h>

#include "grid_ask.h"
#include "grid_lattice.h"
#include "grid_steer.h"

/* Cells of densities that all rounds may build, a quarter of a second of
 * work; and where the caller wants more than the default width. */
#define MAX_CELLS 0x1p17
#define MAX_WANTED_CELLS 0x1p19
/* And points of a transform. */
#define MAX_FIRST_POINTS 0x1p20
#define MAX_POINTS 0x1p22
#define MAX_ROUNDS 5

typedef enum ask_kind { ASK_DELTA, ASK_EPSILON, ASK_TRADEOFF } ask_kind;

typedef struct question {
    ask_kind kind;
    double argument; /* epsilon or alpha */
    ball log_delta;
} question;

typedef struct engine {
    const question *q;
    size_t n;
    loss_cells *parts;
    grid_sketch sketch;
    work_limits *limits;
    double count;  /* runs in all */
    grid_place at;
    dosi_interval best;
    bool is_full;  /* memory or time keep the spacing coarse */
    bool is_short; /* and it is memory */
    double cells;  /* that may still be built */
    double points; /* that a window may have */
    bool is_exact; /* all is on points */
} engine;

/* ---- Starting ---------------------------------------------------------- */

static dosi_status engine_start(engine *e, const question *q,
    const loss *parts, size_t n, work_limits *limits, dosi_error *err)
{
    *e = (engine){.q = q, .n = n, .limits = limits};
    bool wanted = work_width(limits) < WORK_WIDTH;
    e->cells = wanted ? MAX_WANTED_CELLS : MAX_CELLS;
    e->points = wanted ? MAX_POINTS : MAX_FIRST_POINTS;
    e->parts = malloc(n * sizeof *e->parts);
    e->sketch.parts = malloc(n * sizeof *e->sketch.parts);
    if (e->parts == NULL || e->sketch.parts == NULL)
        return dosi_fail_memory(err);
    e->sketch.n = n;
    double log_keep = 0;
    for (size_t i = 0; i < n; i++) {
        loss_cells_init(&e->parts[i], &parts[i]);
        loss_sketch_fill(&e->sketch.parts[i], &e->parts[i]);
        e->count += parts[i].count;
        log_keep += parts[i].count *
                    log1p(-fmin(ball_mid(e->parts[i].p_inf), 1));
    }
    e->sketch.p_inf = -expm1(log_keep);
    if (e->count > GRID_MAX_COUNT)
        return dosi_fail(err, DOSI_EUNABLE,
            "grid: more than %g runs lose too many digits", GRID_MAX_COUNT);
    return DOSI_OK;
}

static void engine_free(engine *e)
{
    free(e->parts);
    free(e->sketch.parts);
}

static void steer(engine *e)
{
    const question *q = e->q;
    double finite;
    switch (q->kind) {
    case ASK_DELTA:
        e->at = grid_place_at_epsilon(&e->sketch, q->argument);
        break;
    case ASK_EPSILON:
        /* what +inf leaves to the finite losses */
        finite = ball_mid(q->log_delta);
        if (e->sketch.p_inf > 0 && log(e->sketch.p_inf) < finite)
            finite += log1p(-exp(log(e->sketch.p_inf) - finite));
        e->at = grid_place_at_delta(&e->sketch, finite);
        break;
    case ASK_TRADEOFF:
        e->at = grid_place_at_alpha(&e->sketch, log(q->argument));
        break;
    }
}

/* The width wanted, of log delta. */
static double wanted_log_width(const engine *e)
{
    double width = work_width(e->limits);
    switch (e->q->kind) {
    case ASK_DELTA:
        break;
    case ASK_EPSILON:
        return width * fmax(e->at.epsilon, 1e-9) * fmax(e->at.t, 1e-3);
    case ASK_TRADEOFF:
        return width;
    }
    return width;
}

/* ---- One round --------------------------------------------------------- */

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

static double part_left(const engine *e, size_t i)
{
    if (e->parts[i].pair.noise != LOSS_GAUSSIAN)
        return ball_mid(e->parts[i].least);
    double share = log(work_width(e->limits)) - 20 -
                   log(e->parts[i].pair.count);
    return fmax(grid_cut_below(&e->sketch.parts[i], e->at.t, share),
        ball_mid(e->parts[i].least));
}

static double part_right(const engine *e, size_t i)
{
    if (e->parts[i].pair.noise != LOSS_GAUSSIAN)
        return ball_mid(e->parts[i].most);
    double mass = fmin(e->at.log_delta, 0) + log(work_width(e->limits)) -
                  10 - log(e->parts[i].pair.count);
    return fmin(grid_cut_above(&e->sketch.parts[i], mass),
        ball_mid(e->parts[i].most));
}

typedef struct round_cost {
    double cells, points, bytes;
} round_cost;

/* Of a round with spacing h. */
static round_cost cost_of(const engine *e, const grid_window *w, double h)
{
    double cells = 0, points = 0;
    for (size_t i = 0; i < e->n; i++) {
        const loss_cells *c = &e->parts[i];
        double span = c->has_density
                          ? part_right(e, i) - part_left(e, i)
                          : ball_mid(loss_most(c)) - ball_mid(loss_least(c));
        if (c->has_density)
            cells += span / h * cell_cost(c);
        points += span / h + 4;
    }
    double n = exp2(ceil(log2((w->hi - w->lo) / h + 16)));
    double bytes = GRID_POINT_BYTES * n + 2 * sizeof(double) * points;
    return (round_cost){cells, n, bytes};
}

static bool fits(engine *e, const grid_window *w, double h)
{
    round_cost cost = cost_of(e, w, h);
    e->is_short = cost.bytes > (double)work_bytes(e->limits);
    return cost.cells <= e->cells && cost.points <= e->points &&
           !e->is_short;
}

static round_plan plan_round(engine *e, double h)
{
    round_plan p;
    double width = wanted_log_width(e);
    double t = fmax(e->at.t, 1e-3);
    p.window = grid_window_at(
        &e->sketch, &e->at, e->at.log_core + log(fmin(width, 1)) - 7);
    p.window.lo = fmin(p.window.lo, e->at.epsilon);
    p.window.hi = fmax(p.window.hi, e->at.epsilon);
    if (e->q->kind == ASK_TRADEOFF)
        p.window.lo -= 4 * sqrt(e->at.variance);
    p.tolerance = fmax(1e-3 * width / (t * e->count), 0x1p-80);
    bool is_short = false;
    for (int i = 0; i < 200 && !fits(e, &p.window, h); i++) {
        h *= 1.25;
        e->is_full = true;
        is_short = is_short || e->is_short;
    }
    p.lattice = grid_lattice_choose(e->parts, e->n, h, p.tolerance, true);
    if (!p.lattice.is_exact || !fits(e, &p.window, ball_mid(p.lattice.h)))
        p.lattice =
            grid_lattice_choose(e->parts, e->n, h, p.tolerance, false);
    e->is_exact = p.lattice.is_exact;
    e->is_short = is_short;
    double built = cost_of(e, &p.window, ball_mid(p.lattice.h)).cells;
    e->cells = fmax(e->cells - built, 0);
    return p;
}

static dosi_status build_laws(grid_law *laws, const engine *e,
    const round_plan *p, grid_share *share, dosi_error *err)
{
    double most = (double)work_bytes(e->limits) / 16;
    for (size_t i = 0; i < e->n; i++) {
        bool normal = e->parts[i].pair.noise == LOSS_GAUSSIAN;
        if (normal)
            grid_share_fill(share, &e->sketch.parts[i], e->at.t);
        grid_points points = {.h = p->lattice.h,
            .offset = grid_lattice_offset(&e->parts[i], p->lattice.h),
            .slack = p->tolerance,
            .left = part_left(e, i),
            .right = part_right(e, i),
            .most = (size_t)fmin(most, 4 * MAX_POINTS),
            .share = normal ? share : NULL,
            .longest = 0.5 / fmax(p->window.a_lo, p->window.a_hi)};
        dosi_status status = grid_law_build(
            &laws[i], &e->parts[i], &points, e->limits, err);
        if (status != DOSI_OK)
            return status;
    }
    return DOSI_OK;
}

/* The window in points: as wide as steering says, or all there is. */
static grid_working working_of(const engine *e, const round_plan *p,
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
    if (last - first + 1 <= fmax(n, 1024)) { /* all there is */
        lo = first;
        n = fmax(exp2(ceil(log2(last - first + 1))), 16);
    }
    double spare = n - (hi - lo + 1);
    lo = fmax(lo - floor(spare / 4), first);
    return (grid_working){.tilt = e->at.t * h,
        .first = (int64_t)lo,
        .n = (size_t)n,
        .a_lo = p->window.a_lo * h,
        .a_hi = p->window.a_hi * h};
}

static dosi_interval ask(const engine *e, const grid_total *total)
{
    switch (e->q->kind) {
    case ASK_DELTA:
        break;
    case ASK_EPSILON:
        return grid_ask_epsilon(total, e->q->log_delta, e->at.epsilon);
    case ASK_TRADEOFF:
        return grid_ask_tradeoff(total, e->q->argument, e->at.epsilon);
    }
    return grid_ask_log_delta(total, e->q->argument);
}

/* Composes the laws and asks. */
static dosi_status ask_laws(engine *e, const round_plan *p,
    const grid_law *laws, dosi_error *err)
{
    grid_working w = working_of(e, p, laws);
    if ((double)w.n > 2 * MAX_POINTS)
        return dosi_fail(err, DOSI_EUNABLE, "grid: too many points");
    grid_total total;
    dosi_status status = grid_total_make(
        &total, laws, e->n, p->lattice.h, &w, e->limits, err);
    if (status == DOSI_OK)
        e->best = iv_meet(e->best, ask(e, &total));
    grid_total_free(&total);
    return status;
}

static dosi_status run_round(engine *e, double h, dosi_error *err)
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

/* ---- Refining ---------------------------------------------------------- */

static double width_of(const engine *e)
{
    double lo = e->best.lo, hi = e->best.hi;
    if (lo == hi)
        return 0;
    if (e->q->kind == ASK_DELTA)
        return hi - lo;
    return (hi - lo) / fmax(fabs(lo), fabs(hi));
}

static void learn(engine *e)
{
    if (e->q->kind == ASK_DELTA && e->best.lo > -HUGE_VAL)
        e->at.log_delta = e->best.lo;
    if (e->q->kind == ASK_EPSILON && e->best.hi < HUGE_VAL)
        e->at.epsilon = (e->best.lo + e->best.hi) / 2;
}

/* d log delta is about t (t + 1) k h^2 / 8. */
static double first_spacing(const engine *e)
{
    /* atoms are taken to lie on points */
    double t = e->at.t, k = fmax(grid_smooth_runs(&e->sketch, t), 1e-3);
    double h = sqrt(8 * fmin(wanted_log_width(e), 0.5) / (t * (t + 1) * k));
    /* never coarser than the whole, nor finer than could ever fit */
    return fmax(fmin(0.8 * h, 0.25 * sqrt(e->at.variance)), 1e-12);
}

static dosi_status refine(engine *e, dosi_error *err)
{
    double h = first_spacing(e), before = HUGE_VAL;
    double wanted = work_width(e->limits);
    double all_cells = e->cells;
    int in_vain = 0;
    for (int i = 0; i < MAX_ROUNDS; i++) {
        e->is_full = i > 0 && e->cells < all_cells / 4;
        if (e->is_full)
            break; /* too few are left for a finer round */
        dosi_status status = run_round(e, h, i == 0 ? err : NULL);
        if (status == DOSI_EUNABLE)
            e->is_full = true;
        if (status == DOSI_ENOMEM || (i == 0 && status != DOSI_OK))
            return status;
        double width = width_of(e);
        if (status != DOSI_OK || width <= wanted || e->is_exact ||
            e->is_full || work_stopped(e->limits))
            break;
        in_vain = i > 0 && !(width < 0.8 * before) ? in_vain + 1 : 0;
        if (in_vain == 2)
            break;
        before = width;
        learn(e);
        double finer = fmin(0.9 * sqrt(wanted / width), 0.7);
        h *= fmax(in_vain > 0 ? fmin(finer, 0.4) : finer, 1.0 / 16);
    }
    if (e->is_full && width_of(e) > wanted) {
        if (e->is_short)
            work_is_short(e->limits);
        else
            work_is_long(e->limits);
    }
    return DOSI_OK;
}

static dosi_status answer(dosi_interval *out, const question *q,
    const loss *parts, size_t n, dosi_interval start, work_limits *limits,
    dosi_error *err)
{
    engine e;
    dosi_status status = engine_start(&e, q, parts, n, limits, err);
    e.best = start;
    if (status == DOSI_OK) {
        steer(&e);
        status = refine(&e, err);
    }
    *out = e.best;
    engine_free(&e);
    return status;
}

/* ---- Questions --------------------------------------------------------- */

/* Whether no finite loss of the total exceeds epsilon: delta is the mass at
 * +inf then. */
static bool is_beyond(dosi_interval *out, const loss *parts, size_t n,
    double epsilon)
{
    ball most = ball_of(0), log_keep = ball_of(0);
    for (size_t i = 0; i < n; i++) {
        loss_cells c;
        loss_cells_init(&c, &parts[i]);
        most = ball_add(most, ball_mul_d(loss_most(&c), parts[i].count));
        log_keep = ball_add(log_keep,
            ball_mul_d(ball_log1p(ball_neg(c.p_inf)), parts[i].count));
    }
    if (!ball_less_equal(most, ball_of(epsilon)))
        return false;
    *out = law_log_mass(ball_neg(ball_expm1(log_keep)));
    return true;
}

dosi_status grid_log_delta(dosi_interval *out, const loss *parts, size_t n,
    double epsilon, work_limits *limits, dosi_error *err)
{
    if (is_beyond(out, parts, n, epsilon))
        return DOSI_OK;
    question q = {.kind = ASK_DELTA, .argument = epsilon};
    return answer(out, &q, parts, n, (dosi_interval){-HUGE_VAL, 0}, limits,
        err);
}

dosi_status grid_epsilon(dosi_interval *out, const loss *parts, size_t n,
    ball log_delta, work_limits *limits, dosi_error *err)
{
    question q = {.kind = ASK_EPSILON, .log_delta = log_delta};
    return answer(
        out, &q, parts, n, (dosi_interval){0, HUGE_VAL}, limits, err);
}

dosi_status grid_tradeoff(dosi_interval *out, const loss *parts, size_t n,
    double alpha, work_limits *limits, dosi_error *err)
{
    question q = {.kind = ASK_TRADEOFF, .argument = alpha};
    *out = (dosi_interval){0, round_up(1 - alpha)};
    if (!(alpha > 0 && alpha < 1)) {
        if (alpha == 1)
            *out = iv_point(0);
        else
            *out = (dosi_interval){0, 1};
        return DOSI_OK;
    }
    return answer(out, &q, parts, n, *out, limits, err);
}
