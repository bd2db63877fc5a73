#include "grid_classes.h"

#include <stdlib.h>

#include "grid_ask.h"
#include "grid_class.h"
#include "grid_top.h"

/* Rounds, parts and runs of densities at most, points of all their transforms,
 * and those up to which rounds in vain are no loss. */
#define MAX_ROUNDS 6
#define MAX_PARTS 16
#define MAX_DENSITIES 1000.0
#define MAX_ALL_POINTS 0x1p22
#define CHEAP 0x1p18
/* The first spacing is coarser by that, to learn where to cut. */
#define FIRST_FINER (1.0 / 3)
#define FINEST (1.0 / 16)
/* Where an epsilon is known well; and how far off a guess may be. */
#define KNOWN 0.01
#define UNKNOWN 0.15

/* The totals of all classes, the lowest first, which has what is at +inf. */
typedef struct class_totals {
    size_t n; /* but for the top */
    grid_total one[GRID_MAX_CLASSES];
    bool has_top;
    grid_top top;
} class_totals;

/* ---- Asking ------------------------------------------------------------ */

/*
 * delta is the sum of what the classes add, all of which is not negative; a
 * test may reject other totals in one class than in another, as the jumps of
 * single runs are known to it.
 */
static double classes_end(
    const void *of, double epsilon, bool up, double *slope)
{
    const class_totals *c = of;
    double each[GRID_MAX_CLASSES + 1], fall[GRID_MAX_CLASSES + 1];
    double most = -HUGE_VAL, sum = 0;
    size_t n = c->n;
    for (size_t i = 0; i < n; i++)
        each[i] = grid_delta_end(&c->one[i], epsilon, up, &fall[i]);
    if (c->has_top) {
        each[n] = grid_top_end(&c->top, epsilon, up, &fall[n]);
        n++;
    }
    for (size_t i = 0; i < n; i++)
        most = fmax(most, isnan(each[i]) ? (up ? 0 : -HUGE_VAL) : each[i]);
    *slope = 0;
    if (!(most > -HUGE_VAL && most < 0))
        return most;
    ball all = ball_of(most);
    bool is_first = true;
    for (size_t i = 0; i < n; i++) {
        if (!(each[i] > -HUGE_VAL))
            continue;
        double share = exp(each[i] - most);
        sum += share;
        *slope += share * fall[i];
        all =
            is_first ? ball_of(each[i]) : ball_logaddexp(all, ball_of(each[i]));
        is_first = false;
    }
    *slope /= sum;
    return up ? fmin(ball_upper(all), 0) : ball_lower(all);
}

static dosi_interval ask(const grid_engine *e, const class_totals *c)
{
    if (e->q->kind == GRID_ASK_EPSILON)
        return grid_ask_epsilon_by(classes_end, c, c->one[0].lo.inf,
            e->q->log_delta, e->classes->epsilon);
    double slope, epsilon = e->q->argument;
    dosi_interval v;
    v.hi = classes_end(c, epsilon, true, &slope);
    double lo = classes_end(c, epsilon, false, &slope);
    /* more than rounding above the other end: nothing is certain below */
    v.lo = lo <= v.hi + 1e-9 ? fmin(lo, v.hi) : -HUGE_VAL;
    return v;
}

/* ---- Composing --------------------------------------------------------- */

static double points_of(const grid_window *w, double h)
{
    return fmax(exp2(ceil(log2((w->hi - w->lo) / h + 16))), 16);
}

/* Of so many laws, compared with one. */
static double work_of(size_t n_laws)
{
    return 0.5 * (double)(n_laws + 1);
}

double grid_classes_points(
    const grid_classes *c, size_t n_laws, double h, double *bytes)
{
    double most = 0, all = 0;
    for (size_t i = 0; i < c->n; i++) {
        double n = points_of(&c->one[i].window, h);
        most = fmax(most, n);
        all += n;
    }
    /* the lowest is a total like others */
    *bytes = GRID_CLASS_KEPT * all + GRID_CLASS_BYTES * most +
             (GRID_POINT_BYTES + GRID_POINT_Q_BYTES) *
                 points_of(&c->one[0].window, h);
    return fmax(most, 0.25 * all * work_of(n_laws));
}

/* The window in points; without one where indices are too large. */
static grid_working working_of(
    const grid_class_plan *c, double h, double offset)
{
    double n = points_of(&c->window, h);
    double lo = floor((c->window.lo - offset) / h) - 4;
    double spare = n - (c->window.hi - c->window.lo) / h - 8;
    if (!grid_has_indices(lo, n))
        return (grid_working){.n = 0};
    return (grid_working){.tilt = c->t * h,
        .first = (int64_t)(lo - floor(fmax(spare, 0) / 2)),
        .n = (size_t)n,
        .a_lo = c->window.a_lo * h,
        .a_hi = c->window.a_hi * h};
}

/* The next class of a law begins where the last one ended, and ends at a loss,
 * or with the law where there is no other. */
static grid_cut next_cut(
    const grid_law *g, int64_t from, double to, double h, bool is_last)
{
    double most = (double)g->first + (double)(g->n - 1);
    double b = floor((to - ball_mid(g->offset)) / h + 0.5);
    b = is_last ? most : fmin(fmax(b, (double)from), most);
    return (grid_cut){from, (int64_t)b};
}

/* All that no run takes beyond b, as a total of laws that end there. */
static dosi_status bulk_make(grid_total *out, const grid_law *laws,
    const grid_cut *cuts, size_t n, ball h, const grid_working *w,
    work_limits *limits, dosi_error *err)
{
    *out = (grid_total){.n = 0};
    grid_law *ended = malloc((n + 1) * sizeof *ended);
    if (ended == NULL)
        return dosi_fail_memory(err);
    bool is_empty = false;
    for (size_t i = 0; i < n; i++) {
        ended[i] = laws[i];
        ended[i].n = (size_t)(cuts[i].b - laws[i].first + 1);
        is_empty = is_empty || ended[i].n == 0;
    }
    dosi_status status =
        is_empty ? dosi_fail(err, DOSI_EUNABLE, "grid: a class is empty")
                 : grid_total_make(out, ended, n, h, w, limits, err);
    free(ended);
    return status;
}

static dosi_status compose(class_totals *all, grid_engine *e,
    const grid_law *laws, ball h, dosi_error *err)
{
    const grid_classes *c = e->classes;
    grid_cut cuts[MAX_PARTS];
    double offset = 0;
    for (size_t i = 0; i < e->n; i++) {
        offset += laws[i].count * ball_mid(laws[i].offset);
        cuts[i].b = laws[i].first - 1;
    }
    for (size_t j = 0; j < c->n; j++) {
        bool is_last = j + 1 == c->n && !c->has_top;
        grid_working w = working_of(&c->one[j], ball_mid(h), offset);
        if (w.n == 0)
            return dosi_fail(err, DOSI_EUNABLE, "grid: too many points");
        for (size_t i = 0; i < e->n; i++)
            cuts[i] = next_cut(
                &laws[i], cuts[i].b, c->one[j].to, ball_mid(h), is_last);
        e->transformed += (double)w.n * work_of(e->n);
        dosi_status status = j == 0 ? bulk_make(&all->one[0], laws, cuts, e->n,
                                          h, &w, e->limits, err)
                                    : grid_class_make(&all->one[j], laws, cuts,
                                          e->n, h, &w, e->limits, err);
        all->n = j + 1;
        if (status != DOSI_OK)
            return status;
    }
    all->has_top = c->has_top;
    for (size_t i = 0; i < e->n; i++)
        cuts[i].a = cuts[i].b;
    if (c->has_top && !grid_top_make(&all->top, laws, cuts, e->n, h, c->order))
        return dosi_fail(
            err, DOSI_EUNABLE, "grid: a law left the range of doubles");
    return DOSI_OK;
}

dosi_status grid_classes_ask(
    grid_engine *e, const grid_law *laws, ball h, dosi_error *err)
{
    class_totals *all = calloc(1, sizeof *all);
    if (all == NULL)
        return dosi_fail_memory(err);
    dosi_status status = compose(all, e, laws, h, err);
    if (status == DOSI_OK)
        e->best = iv_meet(e->best, ask(e, all));
    for (size_t i = 0; i < all->n; i++)
        grid_total_free(&all->one[i]);
    free(all);
    return status;
}

/* ---- Rounds ------------------------------------------------------------ */

/* Roughly the epsilon asked about, or asked for, and log delta there, which
 * tells what is too rare to matter. */
static bool guess(double *epsilon, double *log_delta, grid_engine *e)
{
    if (e->q->kind == GRID_ASK_DELTA) {
        *epsilon = e->q->argument;
        *log_delta = grid_classes_log_delta(&e->whole, *epsilon);
        e->at.log_delta = *log_delta;
        grid_cut_sketch(e);
        return !isnan(*log_delta);
    }
    *log_delta = ball_mid(e->q->log_delta);
    *epsilon = fmax(e->at.epsilon, 1e-6);
    if (e->best.hi < HUGE_VAL)
        *epsilon = fmin(fmax(*epsilon, e->best.lo), e->best.hi);
    if (!(grid_width_of(e) < KNOWN))
        *epsilon = grid_classes_epsilon(&e->sketch, *log_delta, *epsilon);
    return !isnan(*epsilon);
}

/* What is known by now, where it is known better; one end may be. */
static void learn(double *epsilon, double *log_delta, const grid_engine *e)
{
    bool known = grid_width_of(e) < KNOWN;
    if (e->q->kind == GRID_ASK_EPSILON)
        *epsilon =
            known ? e->best.hi : fmin(fmax(*epsilon, e->best.lo), e->best.hi);
    else if (known)
        *log_delta = e->best.hi;
}

/* Chooses classes there, for what the transform may err by. */
static bool choose(
    grid_classes *c, grid_engine *e, double epsilon, double log_delta)
{
    double width = fmin(grid_wanted_log_width(e), 1);
    /* the l2-norm of the weights of a test is (2 t h)^(-1/2), and t h about
     * (8 width / runs)^(1/2) */
    double weights = sqrt(0.5 * sqrt(e->count / (8 * width)));
    double digits =
        log(0.05 * width / (4e-15 * (e->count + 16) * fmax(weights, 1)));
    bool known = grid_width_of(e) < KNOWN;
    double margin = epsilon * (known ? KNOWN : UNKNOWN);
    if (e->q->kind == GRID_ASK_DELTA)
        margin = 0;
    bool ok = grid_classes_choose(c, &e->sketch, epsilon, margin, log_delta,
        fmin(fmax(digits, 1), 16), log(width) - 7);
    e->at.t = c->slope;
    e->at.epsilon = epsilon;
    e->at.log_delta = log_delta;
    return ok;
}

/* d log delta is about t (t + 1) k h^2 / 8. */
static double spacing_of(const grid_engine *e, const grid_classes *c)
{
    double runs = fmax(grid_smooth_runs(&e->sketch, c->slope), 1);
    double width = fmin(grid_wanted_log_width(e), 0.5);
    return 0.7 * sqrt(8 * width / (c->curve * runs));
}

/* The spacing of the next round, by the last one's width. Where delta falls in
 * steps, as few jumps are possible at all, it may have to be far finer. */
static double next_spacing(const grid_engine *e, double width, int in_vain)
{
    double finer = FINEST;
    if (width < KNOWN)
        finer = fmin(0.9 * sqrt(work_width(e->limits) / width), 0.7);
    else if (in_vain == 0)
        finer = FIRST_FINER;
    return e->spacing * fmax(in_vain > 0 ? fmin(finer, 0.4) : finer, FINEST);
}

static dosi_status rounds(grid_engine *e, grid_classes *c, double epsilon,
    double log_delta, bool *tried, dosi_error *err)
{
    double wanted = work_width(e->limits), before = grid_width_of(e), h = 0;
    bool known = before < KNOWN;
    for (int i = 0, in_vain = 0; i < MAX_ROUNDS; i++) {
        e->classes = NULL;
        learn(&epsilon, &log_delta, e);
        if (!choose(c, e, epsilon, log_delta))
            return dosi_fail_memory(err);
        if (c->n + (c->has_top ? 1 : 0) < 2 || !(c->slope > 0))
            return DOSI_OK;
        *tried = true;
        e->classes = c;
        e->is_full = false;
        if (i == 0)
            h = spacing_of(e, c) / (known ? 1 : FIRST_FINER);
        dosi_status status = grid_round(e, h, err);
        double width = grid_width_of(e);
        if (status != DOSI_OK || width <= wanted || e->is_exact ||
            (e->is_full && width < KNOWN) || work_stopped(e->limits) ||
            e->transformed > MAX_ALL_POINTS)
            return status;
        bool cheap = e->transformed < CHEAP;
        in_vain = width >= 0.8 * before || isnan(width) ? in_vain + 1 : 0;
        if (in_vain > (cheap ? 3 : width < KNOWN ? 1 : 0))
            return DOSI_OK;
        before = width;
        h = next_spacing(e, width, in_vain);
    }
    return DOSI_OK;
}

/* Trade-offs and negative epsilons have one tilt; many runs of a density want
 * more cells than there may be. */
static bool is_served(const grid_engine *e)
{
    double runs = 0;
    for (size_t i = 0; i < e->n; i++)
        if (e->parts[i].has_density)
            runs += e->parts[i].pair.count;
    return e->q->kind != GRID_ASK_TRADEOFF && e->n <= MAX_PARTS &&
           runs <= MAX_DENSITIES &&
           !(e->q->kind == GRID_ASK_DELTA && e->q->argument < 0);
}

dosi_status grid_classes_answer(grid_engine *e, bool *tried, dosi_error *err)
{
    if (!is_served(e))
        return DOSI_OK;
    grid_classes *c = malloc(sizeof *c);
    double epsilon, log_delta;
    grid_place at = e->at;
    if (c == NULL || !guess(&epsilon, &log_delta, e)) {
        free(c);
        return dosi_fail_memory(err);
    }
    bool was_full = e->is_full, was_exact = e->is_exact;
    dosi_status status = rounds(e, c, epsilon, log_delta, tried, err);
    if (status == DOSI_EUNABLE)
        status = DOSI_OK; /* what is known so far */
    e->classes = NULL;
    e->at = at;
    grid_cut_sketch(e);
    e->is_full = e->is_full || was_full;
    e->is_exact = was_exact;
    free(c);
    return status;
}
