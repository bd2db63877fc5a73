/*
 * The range over which curves show what matters of their plans.
 */
#include "curves.h"

#include <math.h>

struct ranging {
    struct curve_plot *plot;
    const struct cli_arguments *args;
    struct cli_asking *how;
};

/* Epsilon at the smallest delta shown, or at the first where it is finite,
 * with some room behind. */
static int reach_of(double *out, const struct ranging *m, const dosi_plan *plan)
{
    const struct cli_question *question = cli_question_of(OPTION_DELTA);
    const dosi_answer *known = m->plot->epsilon;
    dosi_answer answer;
    dosi_error err;

    for (double delta = m->plot->floor; delta < 0.5; delta *= 10) {
        if (cli_asking_at(&answer, m->how, question, plan, delta, &err) !=
            DOSI_OK)
            return cli_fail(m->args, &err, NULL, 0);
        if (cli_is_out_of_time(&answer) && known != NULL)
            answer.value.hi = fmin(answer.value.hi, 1.5 * known->value.hi);
        *out = answer.value.hi * (delta > m->plot->floor ? 1.25 : 1);
        if (*out < HUGE_VAL)
            return CLI_YES;
    }
    *out = 0;
    return CLI_YES;
}

static int range_of_profile(const struct ranging *m)
{
    struct curve_plot *plot = m->plot;
    double most = 0;

    plot->floor = 1e-12;
    while (plot->delta > 0 && plot->delta < 10 * plot->floor &&
           plot->floor > 1e-300)
        plot->floor *= 1e-4;
    for (size_t i = 0; i < plot->n_curves && plot->to == 0; i++) {
        double reach = 0;
        int status = reach_of(&reach, m, plot->curves[i].source.plan);
        if (status != CLI_YES)
            return status;
        most = fmax(most, reach);
    }
    if (plot->to == 0)
        plot->to = most > plot->from ? most : plot->from + 1;
    return CLI_YES;
}

static void range_of_steps(struct curve_plot *plot)
{
    double most = 0;

    for (size_t i = 0; i < plot->n_curves; i++)
        most = fmax(most, plot->curves[i].source.count);
    plot->from = plot->from > 0 ? plot->from : 1;
    if (plot->to == 0)
        plot->to = fmax(most > 1 ? most : most > 0 ? 100 : 1000, plot->from);
    plot->from = ceil(plot->from);
    plot->to = floor(plot->to);
}

/* Four times less and four times more than the plans have. */
static int range_of_noise(
    struct curve_plot *plot, const struct cli_arguments *args)
{
    double least = HUGE_VAL;
    double most = 0;

    for (size_t i = 0; i < plot->n_curves; i++) {
        const struct curve_source *source = &plot->curves[i].source;
        if (source->value > 0) {
            least = fmin(least, source->value / 4);
            most = fmax(most, source->value * 4);
        }
    }
    if (most == 0 && (plot->from == 0 || plot->to == 0))
        return cli_usage(args, "a plan with a hole needs --from and --to");
    plot->from = plot->from > 0 ? plot->from : least;
    plot->to = plot->to > 0 ? plot->to : most;
    return CLI_YES;
}

int curves_find_range(struct curve_plot *plot, const struct cli_arguments *args,
    struct cli_asking *how)
{
    struct ranging m = {plot, args, how};
    int status = CLI_YES;

    switch (plot->kind) {
    case CURVE_PROFILE:
        status = range_of_profile(&m);
        break;
    case CURVE_TRADEOFF:
    case CURVE_ROC:
        plot->to = plot->to > 0 ? fmin(plot->to, 1) : 1;
        plot->from = plot->from == 0 && plot->x_is_log ? 1e-6 : plot->from;
        break;
    case CURVE_RENYI:
        plot->from = plot->from > 0 ? plot->from : 1.1;
        plot->to = plot->to > 0 ? plot->to : fmax(256, 4 * plot->from);
        break;
    case CURVE_STEPS:
        range_of_steps(plot);
        break;
    case CURVE_NOISE:
        status = range_of_noise(plot, args);
        break;
    case CURVE_KINDS:
        break;
    }
    if (status == CLI_YES && plot->x_is_log && plot->from == 0)
        plot->from = plot->to / 1e3;
    if (status == CLI_YES && !(plot->from < plot->to))
        status = cli_usage(args, "--from must be below --to, got %g and %g",
            plot->from, plot->to);
    return status;
}
