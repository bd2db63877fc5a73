/*
 * dosimeter report: asks every question about a plan, then writes one page.
 */
#include "report_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A time limit is shared: the sections are asked in this order and have until
 * so much of it has passed; what one leaves is the next one's. */
#define EPSILON_UNTIL 0.4
#define ROUTES_UNTIL 0.6
#define STATEMENT_UNTIL 0.7
#define NUMBERS_UNTIL 0.8

/* Without a time limit, operations of every question after the first: a page
 * asks some hundred, and none of them is the headline. */
#define OTHER_OPERATIONS 5e7

/* ---- Numbers ---------------------------------------------------------------
 */

static void add_number(struct report *report, dosi_interval value,
    const char *reason, const char *name)
{
    struct report_number *at = &report->numbers[report->n_numbers++];

    *at = (struct report_number){.value = value, .reason = reason};
    snprintf(at->name, sizeof at->name, "%s", name);
}

static int ask_number(struct report *report, struct cli_asking *how,
    const dosi_plan *plan, enum cli_option_id option, double given,
    const char *name)
{
    dosi_answer answer;
    dosi_error err;

    dosi_status found =
        cli_asking_at(&answer, how, cli_question_of(option), plan, given, &err);
    if (found == DOSI_OK)
        add_number(report, answer.value, answer.reason, name);
    else if (cli_interrupted() ||
             (found != DOSI_EUNSUPPORTED && found != DOSI_EUNABLE))
        return cli_fail(report->args, &err, NULL, 0);
    return CLI_YES;
}

static void add_risk(struct report *report)
{
    const dosi_risk *risk = &report->statement.risk;
    char name[128], prior[DOSI_NUMBER_BYTES];

    statement_percent(prior, risk->prior);
    add_number(report, risk->advantage.value, risk->advantage.reason,
        "advantage: true minus false positive rate of the best attacker");
    add_number(report, risk->accuracy, NULL,
        "accuracy of the best attacker; a coin flip has 0.5");
    for (int i = 0; i < DOSI_RISK_RATES; i++) {
        snprintf(name, sizeof name,
            "true positive rate at a false positive rate of %g %%",
            100 * risk->false_positive[i]);
        add_number(report, risk->true_positive[i], NULL, name);
        if (report->epsilon.value.lo == HUGE_VAL)
            continue; /* other outputs leave no doubt, and the statement says */
        snprintf(name, sizeof name,
            "a belief of %s %% after a positive test at %g %%", prior,
            100 * risk->false_positive[i]);
        add_number(report, risk->posterior[i], NULL, name);
    }
}

static int ask_numbers(
    struct report *report, struct cli_asking *how, const dosi_plan *plan)
{
    const dosi_answer *epsilon = &report->statement.epsilon;
    char delta[DOSI_NUMBER_BYTES], name[96];

    dosi_print_exact(delta, report->statement.delta);
    snprintf(name, sizeof name, "epsilon at delta %s", delta);
    add_number(report, epsilon->value, epsilon->reason, name);
    int status = ask_number(report, how, plan, OPTION_FLOOR, 0,
        "mu of Gaussian differential privacy");
    if (status == CLI_YES)
        status = ask_number(report, how, plan, OPTION_FLOOR, 1e-6,
            "mu, among tests with both errors at least 1e-6");
    if (status == CLI_YES)
        status = ask_number(report, how, plan, OPTION_XI, 0,
            "rho of zero-concentrated differential privacy");
    if (status == CLI_YES)
        add_risk(report);
    return status;
}

/* ---- Curves ----------------------------------------------------------------
 */

/* Whether the plan has such a curve. */
static bool has_curve(enum curve_kind kind, const dosi_plan *plan)
{
    struct curve_source source;
    dosi_error err;

    return curve_source_of(&source, kind, plan, &err) == DOSI_OK &&
           (kind != CURVE_STEPS || source.count > 1);
}

/* What the route renyi says, or NULL. */
static const dosi_answer *renyi_answer(const struct routes *routes)
{
    for (size_t i = 0; i < routes->n; i++)
        if (strcmp(routes->said[i].route, "renyi") == 0 &&
            routes->said[i].err.status == DOSI_OK)
            return &routes->said[i].answer;
    return NULL;
}

/* Keeps the curve that was made last, or notes why it is not there. */
static void keep_curve(struct report *report)
{
    struct curve_plot *plot = &report->plots[report->n_plots - 1];
    const char *title = curve_kinds[plot->kind].title;
    const char *reason = NULL;
    bool is_drawn = plot->curves[0].n >= 2;

    if (plot->is_cut)
        reason = is_drawn ? "some points are left out, as the time limit was "
                            "reached"
                          : "left out, as the time limit was reached";
    if (is_drawn && !curves_say_something(plot)) {
        is_drawn = false;
        reason = "left out, as no point of it has a finite bound";
    }
    if (reason != NULL)
        report->gaps[report->n_gaps++] = (struct report_gap){title, reason};
    if (!is_drawn) {
        curves_free(plot);
        report->n_plots--;
    }
}

/* Every point asks anew: plans of many parts have fewer. */
#define MANY_PARTS 10
#define LEAST_POINTS 13

static size_t points_for(size_t n_points, const dosi_plan *plan)
{
    size_t n_parts = dosi_plan_child_count(plan);
    if (n_parts <= MANY_PARTS)
        return n_points;
    size_t fewer = n_points * MANY_PARTS / n_parts;
    return fewer > LEAST_POINTS ? fewer : LEAST_POINTS;
}

static int ask_curves(
    struct report *report, struct cli_asking *how, const dosi_plan *plan)
{
    static const enum curve_kind shown[] = {CURVE_PROFILE, CURVE_ROC,
        CURVE_TRADEOFF, CURVE_RENYI, CURVE_STEPS, CURVE_NOISE};
    const size_t n = sizeof shown / sizeof *shown;
    int status = CLI_YES;

    for (size_t i = 0; i < n; i++) {
        if (status != CLI_YES || !has_curve(shown[i], plan))
            continue;
        struct curve_plot *plot = &report->plots[report->n_plots++];
        *plot = curves_init(shown[i]);
        plot->n_points = points_for(plot->n_points, plan);
        plot->delta = report->statement.delta;
        plot->epsilon = &report->epsilon;
        plot->by_renyi = renyi_answer(&report->routes);
        plot->leaves_out = true;
        cli_asking_until(how,
            NUMBERS_UNTIL +
                (1 - NUMBERS_UNTIL) * (double)(i + 1) / (double)n);
        status = curves_add(plot, report->args, plan, report->label);
        if (status == CLI_YES)
            status = curves_make(plot, report->args, how);
        if (status == CLI_YES)
            keep_curve(report);
    }
    return status;
}

/* ---- The command -----------------------------------------------------------
 */

/* Epsilon by all routes together, then by each of the others alone. One that
 * had more time alone may do better; then its answer is the one. */
static int ask_epsilon(struct report *report, struct cli_asking *how,
    const dosi_plan *plan, double delta)
{
    const struct cli_question *question = cli_question_of(OPTION_DELTA);
    dosi_answer *epsilon = &report->epsilon;
    dosi_error err;

    cli_asking_until(how, EPSILON_UNTIL);
    if (cli_asking_at(epsilon, how, question, plan, delta, &err) != DOSI_OK)
        return cli_fail(report->args, &err, NULL, 0);
    if (!(how->limit_us > 0))
        how->options.max_operations = OTHER_OPERATIONS;
    cli_asking_until(how, ROUTES_UNTIL);
    int status = routes_ask(&report->routes, report->args, how, plan, question,
        delta, epsilon);
    if (status != CLI_YES)
        return status;
    dosi_answer best = report->routes.said[0].answer;
    if (report->routes.said[0].bounds &&
        best.value.hi < epsilon->value.hi) {
        if (best.value.lo < epsilon->value.lo) {
            best.value.lo = epsilon->value.lo;
            best.lower_meaning = epsilon->lower_meaning;
        }
        *epsilon = best;
    }
    return CLI_YES;
}

static int ask_all(struct report *report, struct cli_asking *how,
    const dosi_plan *plan, const struct statement_wanted *wanted)
{
    const struct cli_arguments *args = report->args;

    cli_progress_of("epsilon", 0, 0);
    int status = ask_epsilon(report, how, plan, wanted->delta);
    cli_progress_of("statement", 0, 0);
    cli_asking_until(how, STATEMENT_UNTIL);
    if (status == CLI_YES)
        status = statement_make(
            &report->statement, args, plan, wanted, &report->epsilon, how);
    cli_asking_until(how, NUMBERS_UNTIL);
    if (status == CLI_YES)
        status = ask_numbers(report, how, plan);
    if (status == CLI_YES)
        status = ask_curves(report, how, plan);
    cli_progress_clear();
    return status;
}

static int write_report(const struct report *report)
{
    struct cli_output output;

    int status =
        cli_output_open(&output, cli_value(report->args, OPTION_OUTPUT));
    if (status != CLI_YES)
        return status;
    report_page_write(output.stream, report);
    status = cli_output_close(&output, CLI_YES);
    if (status != CLI_YES || !cli_has(report->args, OPTION_JSON))
        return status;
    putchar('{');
    cli_json_text("output", output.path, true);
    cli_json_key("delta", false);
    cli_json_number(report->statement.delta);
    cli_json_interval("epsilon", report->statement.epsilon.value, false);
    puts("}");
    return CLI_YES;
}

static int make_report(struct report *report, struct cli_asking *how,
    struct cli_plan *plan, const struct statement_wanted *wanted)
{
    const dosi_plan *normal = NULL;
    dosi_error err;

    int status = ask_all(report, how, plan->plan, wanted);
    if (status != CLI_YES)
        return status;
    char *tree = cli_plan_text(plan->plan, DOSI_FORM_JSON, &err);
    if (tree == NULL ||
        dosi_plan_normal(&normal, plan->plan, &err) != DOSI_OK) {
        free(tree);
        return cli_fail(report->args, &err, NULL, 0);
    }
    report->tree = tree;
    report->hash = dosi_plan_hash(normal);
    status = write_report(report);
    if (status == CLI_YES && cli_is_vacuous(cli_question_of(OPTION_DELTA),
                                 &report->statement.epsilon))
        status = CLI_UNABLE;
    dosi_plan_free(normal);
    free(tree);
    return status;
}

int cli_report(const struct cli_arguments *args)
{
    const char *title = cli_value(args, OPTION_TITLE);
    struct cli_plan plan = {0};
    struct cli_asking how = {.options = DOSI_OPTIONS_INIT};
    struct statement_wanted wanted;

    if (cli_has(args, OPTION_JSON) && !cli_has(args, OPTION_OUTPUT))
        return cli_usage(args, "--json describes a file; --output is missing");
    struct report *report = calloc(1, sizeof *report);
    if (report == NULL)
        return cli_no_memory();
    report->args = args;
    report->title = title != NULL ? title : "Privacy report";
    int status = cli_output_check(args, "html htm", "a .html file");
    if (status == CLI_YES)
        status = cli_text_check(args, OPTION_TITLE);
    if (status == CLI_YES)
        status = cli_asking_read(&how, args);
    if (status == CLI_YES)
        cli_asking_keep(&how);
    if (status == CLI_YES)
        status = statement_read(&wanted, args);
    if (status == CLI_YES)
        status = cli_plan_read(&plan, args, args->operands[0]);
    char *label =
        status == CLI_YES ? cli_plan_label(&plan, args->operands[0]) : NULL;
    if (status == CLI_YES && label == NULL)
        status = cli_no_memory();
    report->label = label;
    if (status == CLI_YES)
        status = make_report(report, &how, &plan, &wanted);
    for (size_t i = 0; i < report->n_plots; i++)
        curves_free(&report->plots[i]);
    statement_free(&report->statement);
    routes_free(&report->routes);
    cli_plan_free(&plan);
    cli_asking_free(&how);
    free(label);
    free(report);
    return status;
}
