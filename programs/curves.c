/*
 * The points of curves: evenly spaced on the axis first, then between those
 * that are farthest apart, so that a bend or a fall is seen where it is.
 */
#include "curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct curve_kind_info curve_kinds[CURVE_KINDS] = {
    [CURVE_PROFILE] = {"profile", "Privacy profile", "epsilon", "delta", "ε",
        "δ", false, true, false, false},
    [CURVE_TRADEOFF] = {"tradeoff", "Trade-off curve", "alpha", "beta",
        "type I error α", "type II error β", false, false, true, false},
    [CURVE_ROC] = {"roc", "Best attacker", "false_positive", "true_positive",
        "false positive rate", "true positive rate", true, true, false, false},
    [CURVE_RENYI] = {"renyi", "Rényi divergence", "order", "divergence",
        "order", "divergence", true, true, false, false},
    [CURVE_STEPS] = {"steps", "Epsilon over steps", "steps", "epsilon", "steps",
        "ε", false, false, false, true},
    [CURVE_NOISE] = {"noise", "Epsilon over noise", NULL, "epsilon", "noise",
        "ε", true, true, false, true},
};

struct making {
    struct curve_plot *plot;
    const struct cli_arguments *args;
    struct cli_asking *how;
    size_t done; /* points, of all curves */
    double spent; /* operations, on one curve */
};

struct curve_plot curves_init(enum curve_kind kind)
{
    return (struct curve_plot){.kind = kind,
        .n_points = 101,
        .x_is_log = curve_kinds[kind].x_is_log,
        .y_is_log = curve_kinds[kind].y_is_log};
}

int curves_add(struct curve_plot *plot, const struct cli_arguments *args,
    const dosi_plan *plan, const char *label)
{
    struct curve_source source;
    dosi_error err;

    if (curve_source_of(&source, plot->kind, plan, &err) != DOSI_OK)
        return cli_fail(args, &err, NULL, 0);
    source.label = label;
    struct curve *c = &plot->curves[plot->n_curves];
    *c = (struct curve){.source = source, .mark_x = NAN};
    c->x = calloc(plot->n_points, sizeof *c->x);
    c->low = calloc(plot->n_points, sizeof *c->low);
    c->high = calloc(plot->n_points, sizeof *c->high);
    plot->n_curves++;
    return c->x != NULL && c->low != NULL && c->high != NULL ? CLI_YES
                                                             : cli_no_memory();
}

void curves_free(struct curve_plot *plot)
{
    for (size_t i = 0; i < plot->n_curves; i++) {
        free(plot->curves[i].x);
        free(plot->curves[i].low);
        free(plot->curves[i].high);
    }
}

const char *curves_x_name(const struct curve_plot *plot)
{
    const char *name = curve_kinds[plot->kind].x_name;

    if (name != NULL)
        return name;
    name = plot->curves[0].source.parameter;
    for (size_t i = 1; i < plot->n_curves; i++)
        if (strcmp(plot->curves[i].source.parameter, name) != 0)
            return "noise";
    return name;
}

/* ---- Points ----------------------------------------------------------------
 */

static double x_at(
    const struct curve_plot *plot, const struct curve *c, double t)
{
    double x = plot->x_is_log ? plot->from * pow(plot->to / plot->from, t)
                              : plot->from + t * (plot->to - plot->from);

    x = fmax(plot->from, fmin(plot->to, t == 1 ? plot->to : x));
    return c->source.is_whole ? round(x) : x;
}

bool curves_say_something(const struct curve_plot *plot)
{
    bool lower = curve_kinds[plot->kind].safe_is_lower;

    for (size_t i = 0; i < plot->n_curves; i++)
        for (size_t j = 0; j < plot->curves[i].n; j++)
            if (lower || plot->curves[i].high[j] < HUGE_VAL)
                return true;
    return false;
}

/* Whether the clock ended the answer while its interval was wide enough to be
 * seen in a picture. */
static bool is_left_out(
    const struct curve_plot *plot, const dosi_answer *answer)
{
    dosi_interval x = answer->value;

    return plot->leaves_out && cli_is_out_of_time(answer) &&
           !(x.hi - x.lo <= 0.02 * x.hi);
}

/* Without a time limit: what one point may spend, and what the points of one
 * curve may together, of which there are fewer where it is spent. */
#define POINT_OPERATIONS 1e8
#define CURVE_OPERATIONS 2e9
#define LEAST_POINTS 13

/* Asks about the plan at x, unless that is the question of the plan itself
 * and answered already. */
static dosi_status ask_at(dosi_answer *out, struct making *m,
    const struct curve *c, double x, dosi_error *err)
{
    static const enum cli_option_id asks[] = {[CURVE_PROFILE] = OPTION_EPSILON,
        [CURVE_RENYI] = OPTION_ORDER,
        [CURVE_STEPS] = OPTION_DELTA,
        [CURVE_NOISE] = OPTION_DELTA};
    const struct curve_plot *plot = m->plot;
    bool at_delta = plot->kind == CURVE_STEPS || plot->kind == CURVE_NOISE;
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

/* The answer at x becomes point i, others move up. */
static int insert(struct making *m, struct curve *c, size_t i, double x)
{
    struct curve_plot *plot = m->plot;
    dosi_answer answer;
    dosi_error err;

    cli_progress_of(curve_kinds[plot->kind].name, m->done++,
        plot->n_curves * plot->n_points);
    if (ask_at(&answer, m, c, x, &err) != DOSI_OK)
        return cli_fail(m->args, &err, NULL, 0);
    bool is_left = is_left_out(plot, &answer);
    if (is_left || (c->n >= 2 && cli_is_out_of_time(&answer)))
        plot->is_cut = true;
    if (is_left)
        return CLI_YES;
    size_t n_behind = (c->n - i) * sizeof(double);
    memmove(c->x + i + 1, c->x + i, n_behind);
    memmove(c->low + i + 1, c->low + i, n_behind);
    memmove(c->high + i + 1, c->high + i, n_behind);
    c->x[i] = x;
    c->low[i] = answer.value.lo;
    c->high[i] = answer.value.hi;
    c->neighbours = answer.neighbours;
    c->n++;
    if (m->spent > CURVE_OPERATIONS && m->how->limit_us == 0 &&
        c->n >= LEAST_POINTS && c->n < plot->n_points)
        c->is_spent = plot->is_spent = true;
    return CLI_YES;
}

/* Where a value stands between the ends of the axis, 0 to 1. */
static double height_of(
    const struct curve_plot *plot, double v, double least, double most)
{
    if (plot->y_is_log && v > 0 && v < HUGE_VAL)
        v = log10(v);
    else if (plot->y_is_log)
        v = v > 0 ? HUGE_VAL : -HUGE_VAL;
    return (fmin(most, fmax(least, v)) - least) / (most - least);
}

/* The lowest and the highest point, in log10 on such an axis. */
static void ends_of(double *least, double *most, const struct curve_plot *plot,
    const struct curve *c)
{
    *least = plot->kind == CURVE_PROFILE && plot->y_is_log ? log10(plot->floor)
                                                           : HUGE_VAL;
    *most = plot->kind == CURVE_PROFILE ? 0 : -HUGE_VAL;
    for (size_t i = 0; i < c->n && plot->kind != CURVE_PROFILE; i++) {
        double v = c->high[i];
        if (!(v < HUGE_VAL) || (plot->y_is_log && v <= 0))
            continue;
        v = plot->y_is_log ? log10(v) : v;
        *least = fmin(*least, v);
        *most = fmax(*most, v);
    }
    if (plot->kind == CURVE_PROFILE && !plot->y_is_log) {
        *least = 0;
        *most = 1;
    }
    if (!(*least < *most))
        *most = *least + 1;
}

/* The pair of neighbours that are farthest apart in height; 0: near enough. */
static size_t widest_gap(const struct curve_plot *plot, const struct curve *c)
{
    double width =
        plot->x_is_log ? log(plot->to / plot->from) : plot->to - plot->from;
    double least = 0, most = 1, largest = 0.02;
    size_t found = 0;

    ends_of(&least, &most, plot, c);
    for (size_t i = 1; i < c->n; i++) {
        double gap =
            plot->x_is_log ? log(c->x[i] / c->x[i - 1]) : c->x[i] - c->x[i - 1];
        double fall = fabs(height_of(plot, c->high[i], least, most) -
                           height_of(plot, c->high[i - 1], least, most));
        if (c->source.is_whole && c->x[i] - c->x[i - 1] < 2)
            continue;
        if (fall > largest && gap > width / 2000) {
            largest = fall;
            found = i;
        }
    }
    return found;
}

/* Inserts the point at x in its place, unless it is there. */
static int insert_at(struct making *m, struct curve *c, double x)
{
    size_t i = c->n;

    while (i > 0 && c->x[i - 1] > x)
        i--;
    return i > 0 && c->x[i - 1] == x ? CLI_YES : insert(m, c, i, x);
}

/* Evenly spaced points, coarse to fine, so that a curve which the clock cuts
 * reaches from one end to the other; ends first, then every 2^k-th. */
static int sample_evenly(struct making *m, struct curve *c, size_t n)
{
    const struct curve_plot *plot = m->plot;
    size_t stride = 1;
    int status = insert_at(m, c, x_at(plot, c, 0));

    if (status == CLI_YES)
        status = insert_at(m, c, x_at(plot, c, 1));
    while (stride < n)
        stride *= 2;
    for (; stride > 0; stride /= 2)
        for (size_t i = stride; i < n - 1; i += 2 * stride)
            if (status == CLI_YES && !plot->is_cut && !c->is_spent)
                status =
                    insert_at(m, c, x_at(plot, c, (double)i / (double)(n - 1)));
    return status;
}

static int sample(struct making *m, struct curve *c)
{
    const struct curve_plot *plot = m->plot;
    size_t n_even = plot->n_points > 3 ? 2 * plot->n_points / 3 : 2;
    int status = sample_evenly(m, c, n_even);

    while (status == CLI_YES && c->n < plot->n_points && !plot->is_cut &&
           !c->is_spent) {
        size_t i = widest_gap(plot, c);
        if (i == 0)
            break;
        double x = plot->x_is_log ? sqrt(c->x[i - 1] * c->x[i])
                                  : (c->x[i - 1] + c->x[i]) / 2;
        status = insert(m, c, i, c->source.is_whole ? floor(x) : x);
    }
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
static int sample_tests(struct making *m, struct curve *c)
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
        if (is_left_out(plot, &answers[i])) {
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

/* ---- Marks -----------------------------------------------------------------
 */

/* The point that the plan and --delta name. */
static int find_mark(struct making *m, struct curve *c)
{
    const struct curve_plot *plot = m->plot;
    const dosi_answer *known =
        plot->kind == CURVE_RENYI ? NULL : plot->epsilon;
    struct cli_asking how = *m->how;
    dosi_answer answer;
    dosi_error err;

    if (plot->delta == 0 || plot->kind == CURVE_TRADEOFF ||
        plot->kind == CURVE_ROC || dosi_plan_has_hole(c->source.plan))
        return CLI_YES;
    how.options.stop_context = &how;
    if (plot->kind == CURVE_RENYI)
        how.options.route = "renyi"; /* whose order is wanted */
    if (known != NULL)
        answer = *known;
    else if (cli_asking_at(&answer, &how, cli_question_of(OPTION_DELTA),
                 c->source.plan, plot->delta, &err) != DOSI_OK)
        return cli_fail(m->args, &err, NULL, 0);
    c->mark_y = answer.value.hi;
    if (plot->kind == CURVE_STEPS) {
        c->mark_x = c->source.count;
    } else if (plot->kind == CURVE_NOISE) {
        c->mark_x = c->source.value;
    } else if (plot->kind == CURVE_PROFILE) {
        c->mark_x = answer.value.hi;
        c->mark_y = plot->delta;
    } else if (plot->kind == CURVE_RENYI && answer.order > 1) {
        c->mark_x = answer.order;
        if (cli_asking_at(&answer, m->how, cli_question_of(OPTION_ORDER),
                c->source.plan, c->mark_x, &err) != DOSI_OK)
            return cli_fail(m->args, &err, NULL, 0);
        c->mark_y = answer.value.hi;
        if (is_left_out(plot, &answer))
            c->mark_x = NAN;
    }
    return CLI_YES;
}

int curves_make(struct curve_plot *plot, const struct cli_arguments *args,
    struct cli_asking *how)
{
    struct making m = {plot, args, how, 0, 0};
    bool tests = plot->kind == CURVE_TRADEOFF || plot->kind == CURVE_ROC;
    const char *route = how->options.route;

    how->is_whole = true;
    int status = curves_find_range(plot, args, how);
    for (size_t i = 0; i < plot->n_curves && status == CLI_YES; i++) {
        struct curve *c = &plot->curves[i];
        how->options.route = c->source.route != NULL ? c->source.route : route;
        how->options.operations = &m.spent;
        m.spent = 0;
        status = tests ? sample_tests(&m, c) : sample(&m, c);
        if (status == CLI_YES)
            status = find_mark(&m, c);
    }
    how->options.route = route;
    how->options.operations = NULL;
    cli_progress_clear();
    return status;
}
