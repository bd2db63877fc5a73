/*
 * dosimeter report: asks all there is to ask of a plan, then writes one page.
 */
#include "report_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
    char name[96];

    add_number(report, risk->advantage.value, risk->advantage.reason,
        "advantage: true less false positive rate of the best attacker");
    add_number(report, risk->accuracy, NULL,
        "accuracy of the best attacker; a coin has 0.5");
    for (int i = 0; i < DOSI_RISK_RATES; i++) {
        snprintf(name, sizeof name,
            "true positive rate at a false positive rate of %g %%",
            100 * risk->false_positive[i]);
        add_number(report, risk->true_positive[i], NULL, name);
        snprintf(name, sizeof name,
            "a belief of %g %% after a positive test at %g %%",
            100 * risk->prior, 100 * risk->false_positive[i]);
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
            "mu, of tests with both errors at least 1e-6");
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

static int ask_curves(
    struct report *report, struct cli_asking *how, const dosi_plan *plan)
{
    static const enum curve_kind shown[] = {CURVE_PROFILE, CURVE_ROC,
        CURVE_TRADEOFF, CURVE_RENYI, CURVE_STEPS, CURVE_NOISE};
    int status = CLI_YES;

    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
        if (status != CLI_YES || !has_curve(shown[i], plan))
            continue;
        struct curve_plot *plot = &report->plots[report->n_plots++];
        *plot = curves_init(shown[i]);
        plot->delta = report->statement.delta;
        status = curves_add(plot, report->args, plan, report->label);
        if (status == CLI_YES)
            status = curves_make(plot, report->args, how);
    }
    return status;
}

/* ---- The command -----------------------------------------------------------
 */

struct wanted {
    double delta, prior;
    long n_people;
};

static int read_wanted(struct wanted *out, const struct cli_arguments *args)
{
    size_t n = 0;

    *out = (struct wanted){.prior = 0.5};
    int status = cli_whole(&out->n_people, args, OPTION_PEOPLE, 1, 1L << 53, 0);
    for (size_t i = 0; i < args->n_given && status == CLI_YES; i++) {
        const struct cli_given *given = &args->given[i];
        if (given->option == OPTION_PRIOR)
            status = cli_number(&out->prior, args, given);
        if (given->option != OPTION_DELTA)
            continue;
        if (n++ > 0)
            return cli_usage(args, "--delta is given twice");
        status = cli_number(&out->delta, args, given);
    }
    if (status == CLI_YES && n == 0)
        status = cli_question_missing(args);
    return status;
}

static int ask_all(struct report *report, struct cli_asking *how,
    const dosi_plan *plan, const struct wanted *wanted)
{
    const struct cli_arguments *args = report->args;

    how->is_whole = true;
    cli_progress_of("statement", 0, 0);
    int status = statement_make(&report->statement, args, plan, wanted->delta,
        wanted->prior, (double)wanted->n_people, how);
    if (status == CLI_YES)
        status = ask_numbers(report, how, plan);
    if (status == CLI_YES)
        status = ask_curves(report, how, plan);
    if (status == CLI_YES)
        status = routes_ask(&report->routes, args, how, plan,
            cli_question_of(OPTION_DELTA), wanted->delta);
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
    struct cli_plan *plan, const struct wanted *wanted)
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
    struct cli_asking how;
    struct wanted wanted;

    if (cli_has(args, OPTION_JSON) && !cli_has(args, OPTION_OUTPUT))
        return cli_usage(args, "--json tells of a file; --output is missing");
    struct report *report = calloc(1, sizeof *report);
    if (report == NULL)
        return cli_no_memory();
    report->args = args;
    report->title = title != NULL ? title : "Privacy report";
    int status = cli_text_check(args, OPTION_TITLE);
    if (status == CLI_YES)
        status = cli_asking_read(&how, args);
    if (status == CLI_YES)
        status = read_wanted(&wanted, args);
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
    free(label);
    free(report);
    return status;
}
