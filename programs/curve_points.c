/*
 * The points of curves: evenly spaced on the axis first, then between those
 * that are farthest apart, so that a bend or a fall is seen where it is.
 */
#include "curves.h"

#include <math.h>
#include <stdlib.h>

static double x_at(
    const struct curve_plot *plot, const struct curve *c, double t)
{
    double x = plot->x_is_log ? plot->from * pow(plot->to / plot->from, t)
                              : plot->from + t * (plot->to - plot->from);

    x = fmax(plot->from, fmin(plot->to, t == 1 ? plot->to : x));
    return c->source.is_whole ? round(x) : x;
}

bool curve_leaves_out(const struct curve_plot *plot, const dosi_answer *answer)
{
    dosi_interval x = answer->value;

    return plot->leaves_out && cli_is_out_of_time(answer) &&
           !(x.hi - x.lo <= 0.02 * x.hi);
}

/* ---- Answers ------------------------------------------------------------- */

/* Without a time limit: what one point may spend, and what the points of one
 * curve may together, of which there are fewer where it is spent. */
#define POINT_OPERATIONS 1e8
#define CURVE_OPERATIONS 2e9
#define LEAST_POINTS 13

/* Epsilon over steps and noise: there every point is a plan of its own, and
 * what it takes to build the laws of that many parts is as much again and
 * counts for nothing. What is left is asked briefly. */
#define EPSILON_PARTS 40
#define LEAST_EPSILONS 5
#define BRIEF_OPERATIONS 3e6

/* A curve of the library may spend as much as so many questions. */
#define CURVE_QUESTIONS 2

static bool has(const struct curve *c, double x)
{
    size_t i = curve_place_of(c, x);

    return i > 0 && c->x[i - 1] == x;
}

/* The answer at x, where there is none yet, becomes a point unless it is left
 * out. */
static void put_answer(struct curve_making *m, struct curve *c, double x,
    const dosi_answer *answer)
{
    bool is_left = curve_leaves_out(m->plot, answer);

    if (is_left || (c->n >= 2 && cli_is_out_of_time(answer)))
        m->plot->is_cut = true;
    if (is_left || has(c, x))
        return;
    curve_put(c, x, answer->value);
    c->neighbours = answer->neighbours;
}

static bool is_at_delta(const struct curve_plot *plot)
{
    return plot->kind == CURVE_STEPS || plot->kind == CURVE_NOISE;
}

static void note_spent(struct curve_making *m, struct curve *c)
{
    bool is_epsilon = is_at_delta(m->plot);
    double n_parts = is_epsilon ? curve_part_count(c->source.plan) : 0;
    double most = CURVE_OPERATIONS / (1 + n_parts / EPSILON_PARTS);
    size_t least = is_epsilon ? LEAST_EPSILONS : LEAST_POINTS;

    if (m->spent > most && m->how->limit_us == 0 && c->n >= least &&
        c->n < m->plot->n_points)
        c->is_spent = m->plot->is_spent = true;
}

/* Asks about the plan at x, unless that is the question of the plan itself
 * and answered already. */
static dosi_status answer_at(dosi_answer *out, struct curve_making *m,
    const struct curve *c, double x, dosi_error *err)
{
    static const enum cli_option_id asks[] = {[CURVE_RENYI] = OPTION_ORDER,
        [CURVE_STEPS] = OPTION_DELTA,
        [CURVE_NOISE] = OPTION_DELTA};
    const struct curve_plot *plot = m->plot;
    bool at_delta = is_at_delta(plot);
    double own = plot->kind == CURVE_STEPS ? c->source.count : c->source.value;
    const dosi_plan *plan;

    if (at_delta && plot->epsilon != NULL && x == own) {
        *out = *plot->epsilon;
        return DOSI_OK;
    }
    dosi_status status =
        curve_source_at(&plan, plot->kind, &c->source, x, err);
    if (status != DOSI_OK)
        return status;
    double most = m->how->options.max_operations; /* 0 without a time limit */
    if (most == 0)
        m->how->options.max_operations = POINT_OPERATIONS;
    status = cli_asking_at(out, m->how, cli_question_of(asks[plot->kind]), plan,
        at_delta ? plot->delta : x, err);
    m->how->options.max_operations = most;
    dosi_plan_free(plan);
    return status;
}

/* A question for each of n points that are not there yet. */
static int ask_each(
    struct curve_making *m, struct curve *c, const double *x, size_t n)
{
    struct curve_plot *plot = m->plot;
    dosi_answer answer;
    dosi_error err;

    for (size_t i = 0; i < n && !plot->is_cut && !c->is_spent; i++) {
        dosi_interval known = curve_monotone_ends(c, x[i]);
        if (has(c, x[i]))
            continue;
        if (known.lo == known.hi) {
            curve_put(c, x[i], known);
            continue;
        }
        cli_progress_of(curve_kinds[plot->kind].name, m->done++,
            plot->n_curves * plot->n_points);
        if (answer_at(&answer, m, c, x[i], &err) != DOSI_OK)
            return cli_fail(m->args, &err, NULL, 0);
        put_answer(m, c, x[i], &answer);
        note_spent(m, c);
    }
    return CLI_YES;
}

/* One question for n points of a privacy profile. */
static int ask_profile(
    struct curve_making *m, struct curve *c, const double *x, size_t n)
{
    struct curve_plot *plot = m->plot;
    double most = m->how->options.max_operations;
    dosi_error err;

    if (n == 0 || plot->is_cut || c->is_spent)
        return CLI_YES;
    dosi_answer *answers = calloc(n, sizeof *answers);
    if (answers == NULL)
        return cli_no_memory();
    cli_progress_of(curve_kinds[plot->kind].name, m->done,
        plot->n_curves * plot->n_points);
    m->done += n;
    if (most == 0)
        m->how->options.max_operations =
            fmax(CURVE_OPERATIONS - m->spent, POINT_OPERATIONS) /
            CURVE_QUESTIONS;
    dosi_status found =
        cli_asking_deltas(answers, m->how, c->source.plan, x, n, &err);
    m->how->options.max_operations = most;
    for (size_t i = 0; i < n && found == DOSI_OK; i++)
        put_answer(m, c, x[i], &answers[i]);
    note_spent(m, c);
    free(answers);
    return found == DOSI_OK ? CLI_YES : cli_fail(m->args, &err, NULL, 0);
}

static int ask(
    struct curve_making *m, struct curve *c, const double *x, size_t n)
{
    return m->plot->kind == CURVE_PROFILE ? ask_profile(m, c, x, n)
                                          : ask_each(m, c, x, n);
}

/* ---- Brief questions ----------------------------------------------------- */

/* What Rényi divergences say of epsilon at x, for little work. */
static dosi_status answer_briefly(dosi_interval *out, struct curve_making *m,
    const struct curve *c, double x, dosi_error *err)
{
    dosi_options *options = &m->how->options;
    const dosi_options kept = *options;
    dosi_answer answer;

    options->route = "renyi";
    options->width = 0;
    options->max_operations = BRIEF_OPERATIONS;
    dosi_status status = answer_at(&answer, m, c, x, err);
    *options = kept;
    *out = (dosi_interval){0, HUGE_VAL};
    if (status == DOSI_OK && answer.neighbours == c->neighbours)
        *out = answer.value;
    return status;
}

/* Where the work is spent, epsilon at what is left of n points is bounded by
 * brief questions, unless routes were chosen, and by neighbouring points. */
static int bound_rest(
    struct curve_making *m, struct curve *c, const double *x, size_t n)
{
    bool is_free = m->how->options.route == NULL;
    dosi_error err;

    for (size_t k = 0; k < n && c->n < m->plot->n_points; k++) {
        dosi_interval ends = curve_monotone_ends(c, x[k]);
        dosi_interval brief = {0, HUGE_VAL};
        if (has(c, x[k]))
            continue;
        if (is_free && ends.lo < ends.hi &&
            m->spent < CURVE_OPERATIONS &&
            answer_briefly(&brief, m, c, x[k], &err) != DOSI_OK)
            return cli_fail(m->args, &err, NULL, 0);
        ends.lo = fmax(ends.lo, brief.lo);
        ends.hi = fmin(ends.hi, brief.hi);
        if (ends.lo == 0 && ends.hi == HUGE_VAL)
            continue;
        curve_put(c, x[k], ends);
        m->plot->is_bounded = true;
    }
    return CLI_YES;
}

static int bound_curve(
    struct curve_making *m, struct curve *c, double *x, size_t n_even)
{
    dosi_error err = {.status = DOSI_EUNABLE,
        .offset = DOSI_NO_OFFSET,
        .message = "points of a curve contradict each other; please report "
                   "this plan"};

    int status = bound_rest(m, c, x, n_even);
    if (status == CLI_YES && c->n < m->plot->n_points)
        status = bound_rest(m, c, x,
            curve_gaps(x, m->plot, c, m->plot->n_points - c->n));
    if (status == CLI_YES && !curve_tighten(c))
        status = cli_fail(m->args, &err, NULL, 0);
    return status;
}

/* ---- Curves -------------------------------------------------------------- */

/* Evenly spaced points, coarse to fine, so that a curve which the clock cuts
 * reaches from one end to the other; ends first, then every 2^k-th. */
static void even_points(
    double *x, const struct curve_plot *plot, const struct curve *c, size_t n)
{
    size_t stride = 1, k = 0;

    x[k++] = x_at(plot, c, 0);
    x[k++] = x_at(plot, c, 1);
    while (stride < n)
        stride *= 2;
    for (; stride > 0; stride /= 2)
        for (size_t i = stride; i < n - 1; i += 2 * stride)
            x[k++] = x_at(plot, c, (double)i / (double)(n - 1));
}

/* Points that profiles ask for at once, of those that are left: their gaps are
 * laid anew after each time. */
#define PROFILE_SHARE 2

static int sample(struct curve_making *m, struct curve *c)
{
    struct curve_plot *plot = m->plot;
    size_t n_even = plot->n_points > 3 ? 2 * plot->n_points / 3 : 2;
    double *x = calloc(plot->n_points + 2, sizeof *x);

    if (x == NULL)
        return cli_no_memory();
    even_points(x, plot, c, n_even);
    int status = ask(m, c, x, n_even);
    while (status == CLI_YES && c->n < plot->n_points && !plot->is_cut &&
           !c->is_spent) {
        size_t n_before = c->n, n_left = plot->n_points - n_before;
        size_t n = plot->kind != CURVE_PROFILE ? 1
                   : n_left > plot->n_points / 8 ? n_left / PROFILE_SHARE
                                                 : n_left;
        n = curve_gaps(x, plot, c, n);
        if (n == 0)
            break;
        status = ask(m, c, x, n);
        if (c->n == n_before)
            break;
    }
    if (status == CLI_YES && c->is_spent && is_at_delta(plot))
        status = bound_curve(m, c, x, n_even);
    free(x);
    return status;
}

/* As dense close to 1, where beta is small, as close to 0. */
static void log_alphas(double *out, size_t n, double from)
{
    for (size_t i = 0; i < n; i++) {
        double t = 2 * (double)i / (double)(n - 1) - 1;
        double tail = from * pow(0.5 / from, 1 - fabs(t));
        out[i] = t < 0 ? tail : 1 - tail;
    }
}

/* One engine for the whole curve. */
static int sample_tests(struct curve_making *m, struct curve *c)
{
    struct curve_plot *plot = m->plot;
    size_t n = plot->n_points;
    bool is_all = plot->from == 0 && plot->to == 1;
    dosi_error err;
    dosi_answer *answers = calloc(n, sizeof *answers);

    if (answers == NULL)
        return cli_no_memory();
    for (size_t i = 0; i < n; i++)
        c->x[i] = x_at(plot, c, (double)i / (double)(n - 1));
    if (plot->kind == CURVE_TRADEOFF && plot->x_is_log && plot->from < 0.5 &&
        plot->to == 1)
        log_alphas(c->x, n, plot->from);
    if (is_all)
        dosi_tradeoff_alphas(c->x, n);
    cli_progress_of(curve_kinds[plot->kind].name, m->done / n, plot->n_curves);
    m->done += n;
    dosi_status found =
        cli_asking_curve(answers, m->how, c->source.plan, c->x, n, &err);
    for (size_t i = 0; i < n && found == DOSI_OK; i++) {
        dosi_interval v = answers[i].value;
        if (curve_leaves_out(plot, &answers[i])) {
            plot->is_cut = true;
            continue;
        }
        if (plot->kind == CURVE_ROC) /* 1 - v, rounded outward */
            v = (dosi_interval){fmax(0, nextafter(1 - v.hi, 0)),
                fmin(1, nextafter(1 - v.lo, 2))};
        c->x[c->n] = c->x[i];
        c->low[c->n] = v.lo;
        c->high[c->n] = v.hi;
        c->neighbours = answers[i].neighbours;
        c->n++;
    }
    free(answers);
    return found == DOSI_OK ? CLI_YES : cli_fail(m->args, &err, NULL, 0);
}

int curve_sample(struct curve_making *m, struct curve *c)
{
    enum curve_kind kind = m->plot->kind;
    bool is_test = kind == CURVE_TRADEOFF || kind == CURVE_ROC;

    return is_test ? sample_tests(m, c) : sample(m, c);
}
