/*
 * Curves of plans: the table of their kinds, their memory, the points that plan
 * and --delta name; curve_points.c finds the others.
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

bool curves_say_something(const struct curve_plot *plot)
{
    bool lower = curve_kinds[plot->kind].safe_is_lower;

    for (size_t i = 0; i < plot->n_curves; i++)
        for (size_t j = 0; j < plot->curves[i].n; j++)
            if (lower || plot->curves[i].high[j] < HUGE_VAL)
                return true;
    return false;
}

/* ---- Marks -----------------------------------------------------------------
 */

/* What it may spend where the work of its curve is spent. */
#define MARK_OPERATIONS 1e8

/* The point that the plan and --delta name. */
static int find_mark(struct curve_making *m, struct curve *c)
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
    if (c->is_spent && how.options.max_operations == 0)
        how.options.max_operations = MARK_OPERATIONS;
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
        if (curve_leaves_out(plot, &answer))
            c->mark_x = NAN;
    }
    return CLI_YES;
}

int curves_make(struct curve_plot *plot, const struct cli_arguments *args,
    struct cli_asking *how)
{
    struct curve_making m = {plot, args, how, 0, 0};
    const char *route = how->options.route;

    how->is_whole = true;
    int status = curves_find_range(plot, args, how);
    for (size_t i = 0; i < plot->n_curves && status == CLI_YES; i++) {
        struct curve *c = &plot->curves[i];
        how->options.route = c->source.route != NULL ? c->source.route : route;
        how->options.operations = &m.spent;
        m.spent = 0;
        status = curve_sample(&m, c);
        if (status == CLI_YES)
            status = find_mark(&m, c);
    }
    how->options.route = route;
    how->options.operations = NULL;
    cli_progress_clear();
    return status;
}
