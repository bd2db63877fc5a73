#include "grid.h"

#include <stdlib.h>

#include "grid_beside.h"
#include "grid_classes.h"
#include "grid_engine.h"
#include "grid_lattice.h"

/* Cells of densities that all rounds may build, a quarter of a second of
 * work; and where the caller wants more than the default width. */
#define MAX_CELLS 0x1p17
#define MAX_WANTED_CELLS 0x1p19
/* And points of a transform. */
#define MAX_FIRST_POINTS 0x1p20
#define MAX_TRANSFORMED 0x1p20 /* by all rounds but the last */
#define MAX_ROUNDS 5
/* Classes of jumps are tried where a round misses the width by more, and delta
 * is so small that one tilt may lack digits. */
#define CLASSES_WIDTH 4
#define CLASSES_LOG_DELTA (-20.0)
/* Where they have said so much one tilt has nothing to add. */
#define CLASSES_DO 1e-3

/* ---- Starting ---------------------------------------------------------- */

/* Atoms without a lattice cost as much as a density. */
static void sketch_part(grid_engine *e, size_t i)
{
    const loss_cells *c = &e->parts[i];
    loss_sketch *out = &e->whole.parts[i];
    loss_sketch_fill(out, c);
    if (!c->has_density && !grid_lattice_has_unit(c)) {
        out->n_smooth = out->n;
        e->is_loose = true;
    }
}

dosi_status grid_engine_start(grid_engine *e, const grid_question *q,
    const loss *parts, size_t n, work_limits *limits, dosi_error *err)
{
    *e = (grid_engine){.q = q, .n = n, .limits = limits};
    bool wanted = work_width(limits) < WORK_WIDTH;
    e->cells = wanted ? MAX_WANTED_CELLS : MAX_CELLS;
    e->points = wanted ? GRID_MAX_POINTS : MAX_FIRST_POINTS;
    e->parts = malloc(n * sizeof *e->parts);
    e->whole.parts = malloc(n * sizeof *e->whole.parts);
    e->sketch.parts = malloc(n * sizeof *e->sketch.parts);
    if (e->parts == NULL || e->whole.parts == NULL || e->sketch.parts == NULL)
        return dosi_fail_memory(err);
    e->whole.n = e->sketch.n = n;
    double log_keep = 0;
    for (size_t i = 0; i < n; i++) {
        loss_cells_init(&e->parts[i], &parts[i]);
        sketch_part(e, i);
        e->count += parts[i].count;
        log_keep += parts[i].count *
                    log1p(-fmin(ball_mid(e->parts[i].p_inf), 1));
    }
    e->whole.p_inf = e->sketch.p_inf = -expm1(log_keep);
    return DOSI_OK;
}

void grid_engine_free(grid_engine *e)
{
    free(e->parts);
    free(e->whole.parts);
    free(e->sketch.parts);
}

static grid_place place_of(const grid_question *q, const grid_sketch *s)
{
    double finite;
    switch (q->kind) {
    case GRID_ASK_DELTA:
        break;
    case GRID_ASK_EPSILON:
        /* what +inf leaves to the finite losses */
        finite = ball_mid(q->log_delta);
        if (s->p_inf > 0 && log(s->p_inf) < finite)
            finite += log1p(-exp(log(s->p_inf) - finite));
        return grid_place_at_delta(s, finite);
    case GRID_ASK_TRADEOFF:
        return grid_place_at_alpha(s, log(q->argument));
    }
    return grid_place_at_epsilon(s, q->argument);
}

void grid_cut_sketch(grid_engine *e)
{
    for (size_t i = 0; i < e->n; i++)
        grid_sketch_cut(&e->sketch.parts[i], &e->whole.parts[i],
            grid_part_is_cut(&e->parts[i]) ? grid_part_right(e, i) : HUGE_VAL);
}

static void steer(grid_engine *e)
{
    e->at = place_of(e->q, &e->whole);
    if (e->q->kind == GRID_ASK_EPSILON)
        e->at.log_delta = ball_mid(e->q->log_delta);
    double log_delta = e->at.log_delta;
    grid_cut_sketch(e);
    e->at = place_of(e->q, &e->sketch);
    e->at.log_delta = fmin(e->at.log_delta, log_delta);
}

/* ---- Refining ---------------------------------------------------------- */

double grid_width_of(const grid_engine *e)
{
    double lo = e->best.lo, hi = e->best.hi;
    if (lo == hi)
        return 0;
    if (e->q->kind == GRID_ASK_DELTA)
        return hi - lo;
    return (hi - lo) / fmax(fabs(lo), fabs(hi));
}

static void learn(grid_engine *e)
{
    if (e->q->kind == GRID_ASK_DELTA && e->best.hi < e->at.log_delta - 1) {
        e->at.log_delta = e->best.hi; /* rarer jumps count than was known */
        grid_cut_sketch(e);
    }
    if (e->q->kind == GRID_ASK_DELTA && e->best.lo > -HUGE_VAL)
        e->at.log_delta = e->best.lo;
    if (e->q->kind == GRID_ASK_EPSILON && e->best.hi < HUGE_VAL) {
        /* the saddle's guess is poor where a rare jump decides */
        double log_delta = e->at.log_delta;
        double epsilon = e->best.lo > e->best.hi / 2
                             ? (e->best.lo + e->best.hi) / 2
                             : e->best.hi;
        if (fabs(epsilon - e->at.epsilon) > 0.02 * epsilon)
            e->at = grid_place_at_epsilon(&e->sketch, epsilon);
        e->at.epsilon = epsilon;
        e->at.log_delta = log_delta;
    }
}

/* d log delta is about t (t + 1) k h^2 / 8. */
static double first_spacing(const grid_engine *e)
{
    /* atoms are taken to lie on points */
    double t = e->at.t, k = fmax(grid_smooth_runs(&e->sketch, t), 1e-3);
    double width = fmin(grid_wanted_log_width(e), 0.5);
    double h = sqrt(8 * width / (t * (t + 1) * k));
    /* a width that was asked for is a duty: rather once too fine than twice */
    bool wanted = work_width(e->limits) < WORK_WIDTH;
    h *= e->is_loose ? 0.6 : wanted ? 0.5 : 0.8;
    /* never coarser than the whole, nor finer than could ever fit */
    return fmax(fmin(h, 0.25 * sqrt(e->at.variance)), 1e-12);
}

/* Whether the tilted total is broader than tails of any kind but heavy ones
 * make it: (t sd)^2 is 2 |log delta| for a normal law. */
static bool is_heavy(const grid_engine *e)
{
    return e->at.t * e->at.t * e->at.variance > 3 * fabs(e->at.log_delta);
}

/* At once where one tilt will not do, or where a round has missed the width by
 * far. */
static dosi_status try_classes(grid_engine *e, bool *tried, dosi_error *err)
{
    bool rounded = e->transformed > 0;
    if (*tried || e->beside != NULL || work_stopped(e->limits) ||
        !(e->at.log_delta < CLASSES_LOG_DELTA) || (!rounded && !is_heavy(e)) ||
        grid_width_of(e) <= CLASSES_WIDTH * work_width(e->limits))
        return DOSI_OK;
    if (rounded)
        learn(e);
    return grid_classes_answer(e, tried, err);
}

/* What keeps the answer wide, if anything does. */
static void say_why(const grid_engine *e)
{
    if (!e->is_full || grid_width_of(e) <= work_width(e->limits))
        return;
    if (e->is_short)
        work_is_short(e->limits);
    else
        work_is_long(e->limits);
}

static dosi_status refine(grid_engine *e, dosi_error *err)
{
    double h = first_spacing(e), before = HUGE_VAL;
    double wanted = work_width(e->limits);
    double all_cells = e->cells;
    int in_vain = 0;
    bool tried = false;
    if (e->count > GRID_MAX_COUNT)
        return dosi_fail(err, DOSI_EUNABLE,
            "grid: more than %g runs lose too many digits", GRID_MAX_COUNT);
    dosi_status first = try_classes(e, &tried, err);
    if (first != DOSI_OK || (tried && grid_width_of(e) < CLASSES_DO)) {
        say_why(e);
        return first;
    }
    for (int i = 0; i < MAX_ROUNDS; i++) {
        e->is_full = i > 0 && (e->cells < all_cells / 4 ||
                                  e->transformed > MAX_TRANSFORMED);
        if (e->is_full)
            break; /* too few are left for a finer round */
        dosi_status status = grid_round(e, h, i == 0 ? err : NULL);
        if (status == DOSI_EUNABLE)
            e->is_full = true;
        if (status == DOSI_ENOMEM || (i == 0 && status != DOSI_OK))
            return status;
        if (i == 0)
            status = try_classes(e, &tried, err);
        if (status == DOSI_ENOMEM)
            return status;
        double width = grid_width_of(e);
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
    say_why(e);
    return DOSI_OK;
}

static dosi_status answer(dosi_interval *out, const grid_question *q,
    const loss *parts, size_t n, dosi_interval start, work_limits *limits,
    dosi_error *err)
{
    grid_engine e;
    dosi_status status = grid_engine_start(&e, q, parts, n, limits, err);
    e.best = start;
    bool beside =
        q->kind != GRID_ASK_TRADEOFF && grid_beside_applies(parts, n);
    if (status == DOSI_OK) {
        steer(&e);
        if (beside)
            status = grid_beside_answer(&e, parts, n, err);
    }
    /* below an upper end that is infinite a width is no number */
    if (status == DOSI_OK &&
        (!beside || !(grid_width_of(&e) <= work_width(limits)))) {
        status = refine(&e, err);
        if (beside && status == DOSI_EUNABLE)
            status = DOSI_OK; /* what is known so far */
    }
    *out = e.best;
    grid_engine_free(&e);
    return status;
}

double grid_runs(const loss *parts, size_t n)
{
    bool beside = grid_beside_applies(parts, n);
    double count = 0;
    for (size_t i = 0; i < n; i++)
        if (!beside || !profile_table_takes(&parts[i]))
            count += parts[i].count;
    return count;
}

/* ---- Questions --------------------------------------------------------- */

/* The greatest finite loss of the total, and the mass at +inf. */
static ball greatest(ball *p_inf, const loss *parts, size_t n)
{
    ball most = ball_of(0), log_keep = ball_of(0);
    for (size_t i = 0; i < n; i++) {
        loss_cells c;
        loss_cells_init(&c, &parts[i]);
        most = ball_add(most, ball_mul_d(loss_most(&c), parts[i].count));
        log_keep = ball_add(log_keep,
            ball_mul_d(ball_log1p(ball_neg(c.p_inf)), parts[i].count));
    }
    *p_inf = ball_neg(ball_expm1(log_keep));
    return most;
}

dosi_interval grid_log_floor(const loss *parts, size_t n)
{
    ball p_inf;
    (void)greatest(&p_inf, parts, n);
    return law_log_mass(p_inf);
}

/* Whether no finite loss exceeds epsilon: delta is the mass at +inf then. */
static bool is_beyond(dosi_interval *out, const loss *parts, size_t n,
    double epsilon)
{
    ball p_inf;
    if (!ball_less_equal(greatest(&p_inf, parts, n), ball_of(epsilon)))
        return false;
    *out = law_log_mass(p_inf);
    return true;
}

/* The atom at the greatest loss of a law; false where there is none. */
static bool top_atom(loss_atom *out, const loss *pair)
{
    loss_cells c;
    loss_cells_init(&c, pair);
    size_t n = loss_atom_count(&c);
    if (n == 0 || pair->map == LOSS_DRAWN ||
        (c.has_density && pair->noise != LOSS_LAPLACE))
        return false;
    *out = loss_atom_at(&c, c.has_density ? 1 : n - 1);
    return ball_is_positive(out->p);
}

/* The test that rejects where every run has its greatest loss: with their sum
 * L and the probability p of that, delta(eps) >= p (1 - e^(eps - L)), so that
 * epsilon >= L + log(1 - delta/p). */
static double epsilon_by_tops(const loss *parts, size_t n, ball log_delta)
{
    ball most = ball_of(0), log_mass = ball_of(0);
    for (size_t i = 0; i < n; i++) {
        loss_atom a;
        if (!top_atom(&a, &parts[i]))
            return 0;
        most = ball_add(most, ball_mul_d(a.at, parts[i].count));
        log_mass =
            ball_add(log_mass, ball_mul_d(ball_log(a.p), parts[i].count));
    }
    ball gap = ball_sub(log_delta, log_mass);
    if (!ball_is_negative(gap))
        return 0;
    return fmax(ball_lower(ball_add(most, ball_log1mexp(gap))), 0);
}

dosi_status grid_log_delta(dosi_interval *out, const loss *parts, size_t n,
    double epsilon, work_limits *limits, dosi_error *err)
{
    if (is_beyond(out, parts, n, epsilon))
        return DOSI_OK;
    grid_question q = {.kind = GRID_ASK_DELTA, .argument = epsilon};
    return answer(out, &q, parts, n, (dosi_interval){-HUGE_VAL, 0}, limits,
        err);
}

dosi_status grid_epsilon(dosi_interval *out, const loss *parts, size_t n,
    ball log_delta, work_limits *limits, dosi_error *err)
{
    grid_question q = {.kind = GRID_ASK_EPSILON, .log_delta = log_delta};
    dosi_interval start = {0, HUGE_VAL};
    ball p_inf, most = greatest(&p_inf, parts, n);
    if (law_log_mass(p_inf).hi <= ball_lower(log_delta))
        start.hi = fmax(ball_upper(most), 0);
    start.lo = fmin(epsilon_by_tops(parts, n, log_delta), start.hi);
    *out = start;
    if (start.hi < HUGE_VAL &&
        start.hi - start.lo <= work_width(limits) * start.hi)
        return DOSI_OK; /* the greatest losses decide */
    return answer(out, &q, parts, n, start, limits, err);
}

dosi_status grid_tradeoff(dosi_interval *out, const loss *parts, size_t n,
    double alpha, work_limits *limits, dosi_error *err)
{
    grid_question q = {.kind = GRID_ASK_TRADEOFF, .argument = alpha};
    *out = (dosi_interval){0, fmin(round_up(1 - alpha), 1)};
    if (!(alpha > 0 && alpha < 1)) {
        if (alpha == 1)
            *out = iv_point(0);
        else
            *out = (dosi_interval){0, 1};
        return DOSI_OK;
    }
    return answer(out, &q, parts, n, *out, limits, err);
}
