/*
 * dosimeter risk: a plan's trade-off curve as risks of membership inference.
 */
#include "cli.h"

#include <math.h>

static void write_line(const char *label, dosi_interval x, int n_digits)
{
    printf("%-34s ", label);
    cli_write_interval(x, n_digits);
    putchar('\n');
}

static void write_people(const dosi_risk *risk, int n_digits)
{
    const dosi_answer *from = &risk->advantage;
    char label[64], prior[DOSI_NUMBER_BYTES];

    dosi_print_exact(prior, risk->prior);
    write_line("advantage", from->value, n_digits);
    write_line("accuracy", risk->accuracy, n_digits);
    snprintf(label, sizeof label, "accuracy from prior %s", prior);
    write_line(label, risk->prior_accuracy, n_digits);
    for (int i = 0; i < DOSI_RISK_RATES; i++) {
        snprintf(label, sizeof label, "true positives at %g %% false",
            100 * risk->false_positive[i]);
        write_line(label, risk->true_positive[i], n_digits);
        snprintf(label, sizeof label, "  posterior from prior %s", prior);
        write_line(label, risk->posterior[i], n_digits);
    }
    printf("  neighbours %s\n", cli_neighbours_name(from->neighbours));
    printf("  route      %s\n", from->route);
    if (from->lower_meaning[0] != '\0')
        printf("  lower ends of %s\n", from->lower_meaning);
    if (from->reason != NULL)
        printf("  reason     %s\n", from->reason);
    for (size_t i = 0; i < from->n_assumptions; i++)
        printf("  assumed    %s\n", from->assumptions[i]);
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
            write_people(&risk, how.n_digits);
    }
    cli_plan_free(&plan);
    return status;
}
