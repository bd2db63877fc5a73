/*
 * dosimeter risk: a plan's trade-off curve as risks of membership inference.
 */
#include "cli.h"

#include <math.h>

/* Every row is a probability, of which the upper end is safe to report. */
static void write_line(const char *label, dosi_interval x,
    const dosi_risk *risk, const struct cli_asking *how)
{
    struct cli_bound b = {.value = x,
        .trivial = 1,
        .meaning = risk->advantage.lower_meaning,
        .target = HUGE_VAL,
        .n_digits = how->n_shown,
        .n_most = how->n_digits};

    printf("%-34s ", label);
    cli_write_bound(&b, "");
}

static void write_people(const struct cli_arguments *args,
    const dosi_risk *risk, const struct cli_asking *how)
{
    char label[64], prior[DOSI_NUMBER_BYTES];

    dosi_print_exact(prior, risk->prior);
    write_line("advantage", risk->advantage.value, risk, how);
    write_line("accuracy", risk->accuracy, risk, how);
    snprintf(label, sizeof label, "accuracy from prior %s", prior);
    write_line(label, risk->prior_accuracy, risk, how);
    for (int i = 0; i < DOSI_RISK_RATES; i++) {
        snprintf(label, sizeof label, "true positives at %g %% false",
            100 * risk->false_positive[i]);
        write_line(label, risk->true_positive[i], risk, how);
        snprintf(label, sizeof label, "  posterior from prior %s", prior);
        write_line(label, risk->posterior[i], risk, how);
    }
    cli_write_provenance(args, &risk->advantage);
}

void cli_json_tests(const dosi_risk *risk)
{
    cli_json_key("tests", false);
    putchar('[');
    for (int i = 0; i < DOSI_RISK_RATES; i++) {
        fputs(i > 0 ? ",{" : "{", stdout);
        cli_json_key("false_positive", true);
        cli_json_number(risk->false_positive[i]);
        cli_json_interval("true_positive", risk->true_positive[i], false);
        cli_json_interval("posterior", risk->posterior[i], false);
        putchar('}');
    }
    putchar(']');
}

/* The object of a batch: all numbers rest on what the advantage does. */
static void write_json(const dosi_risk *risk)
{
    dosi_answer origin = risk->advantage;

    origin.log_value = (dosi_interval){-HUGE_VAL, HUGE_VAL};
    putchar('{');
    cli_json_interval("advantage", risk->advantage.value, true);
    cli_json_interval("accuracy", risk->accuracy, false);
    cli_json_key("prior", false);
    cli_json_number(risk->prior);
    cli_json_interval("prior_accuracy", risk->prior_accuracy, false);
    cli_json_tests(risk);
    cli_json_provenance(&origin);
    puts("}");
}

int cli_risk(const struct cli_arguments *args)
{
    struct cli_given given = {OPTION_PRIOR, cli_value(args, OPTION_PRIOR)};
    struct cli_asking how;
    struct cli_plan plan = {0};
    double prior = 0.5;
    dosi_risk risk;
    dosi_error err;

    int status = cli_asking_read(&how, args);
    if (status == CLI_YES && given.value != NULL)
        status = cli_number(&prior, args, &given);
    if (status == CLI_YES)
        status = cli_plan_read(&plan, args, args->operands[0]);
    if (status == CLI_YES) {
        dosi_status found = dosi_risk_of_plan(
            &risk, plan.plan, prior, cli_asking_start(&how), &err);
        if (cli_asking_end(&how, &risk.advantage, 1, found, &err) != DOSI_OK)
            status = cli_fail(args, &err, NULL, 0);
        else if (cli_has(args, OPTION_JSON))
            write_json(&risk);
        else
            write_people(args, &risk, &how);
    }
    cli_plan_free(&plan);
    return status;
}
