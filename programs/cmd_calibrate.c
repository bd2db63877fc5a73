/*
 * dosimeter calibrate: the number for the hole of a plan that costs least
 * and still meets every target. Printed are that number, the one beside it
 * that is not safe, and one of few digits on the safe side, each with its
 * certified answer.
 */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What may be wanted, and the options that say so. */
static const struct wanted {
    const char *label, *given;
    const char *relation;
    dosi_target_kind kind;
    enum cli_option_id value, at; /* at: OPTION_COUNT for none */
    bool at_defaults;             /* to 0 */
} wanted[] = {
    {"epsilon", "delta", "<=", DOSI_TARGET_EPSILON, OPTION_MOST_EPSILON,
        OPTION_DELTA, false},
    {"epsilon", "log_delta", "<=", DOSI_TARGET_EPSILON_LOG,
        OPTION_MOST_EPSILON, OPTION_LOG_DELTA, false},
    {"beta", "alpha", ">=", DOSI_TARGET_TRADEOFF, OPTION_BETA, OPTION_ALPHA,
        false},
    {"renyi", "order", "<=", DOSI_TARGET_RENYI, OPTION_MOST_RENYI,
        OPTION_ORDER, false},
    {"rho", "xi", "<=", DOSI_TARGET_ZCDP, OPTION_RHO, OPTION_XI, true},
    {"mu", "floor", "<=", DOSI_TARGET_GDP, OPTION_MU, OPTION_FLOOR, true},
    {"advantage", NULL, "<=", DOSI_TARGET_ADVANTAGE, OPTION_ADVANTAGE,
        OPTION_COUNT, true},
};

#define N_WANTED (sizeof wanted / sizeof *wanted)

struct calibrating {
    const struct cli_arguments *args;
    struct cli_asking how;
    struct cli_plan plan;
    dosi_target *targets; /* with the row of each */
    const struct wanted **rows;
    size_t n_targets;
    dosi_calibration found;
    char *filled; /* the plan with the number */
};

/* ---- Targets ---------------------------------------------------------------
 */

/* Whether an option gives the value, or else the place, of a target. */
static bool gives(enum cli_option_id option, bool value)
{
    for (size_t i = 0; i < N_WANTED; i++)
        if (option == (value ? wanted[i].value : wanted[i].at))
            return true;
    return false;
}

/* The row of a value with the place that follows it in rank, if any. */
static const struct wanted *row_of(
    enum cli_option_id value, const struct cli_given *at)
{
    for (size_t i = 0; i < N_WANTED; i++)
        if (wanted[i].value == value &&
            (at == NULL || wanted[i].at == at->option))
            return &wanted[i];
    return NULL;
}

/* The option of that rank, from 0, among those that place such a value. */
static const struct cli_given *place_of_rank(
    const struct cli_arguments *args, enum cli_option_id value, size_t rank)
{
    for (size_t i = 0; i < args->n_given; i++)
        if (row_of(value, &args->given[i]) != NULL && rank-- == 0)
            return &args->given[i];
    return NULL;
}

static int read_target(
    struct calibrating *c, const struct cli_given *value, size_t rank)
{
    const struct cli_given *at = place_of_rank(c->args, value->option, rank);
    const struct cli_given *first = place_of_rank(c->args, value->option, 0);
    const struct wanted *row = row_of(value->option, at);
    dosi_target *target = &c->targets[c->n_targets];

    if (at == NULL && (first != NULL || !row->at_defaults))
        return cli_usage(c->args, "each %s needs a %s of its own",
            cli_options[row->value].name, cli_options[row->at].name);
    *target = (dosi_target){.kind = row->kind};
    int status = cli_number(&target->value, c->args, value);
    if (status == CLI_YES && at != NULL)
        status = cli_number(&target->at, c->args, at);
    c->rows[c->n_targets++] = row;
    return status;
}

/* How many values of the option, or places of such a value, were given. */
static size_t count(
    const struct cli_arguments *args, enum cli_option_id value, bool places)
{
    size_t n = 0;

    for (size_t i = 0; i < args->n_given; i++)
        n += places ? row_of(value, &args->given[i]) != NULL
                    : args->given[i].option == value;
    return n;
}

static int read_targets(struct calibrating *c)
{
    const struct cli_arguments *args = c->args;
    int status = CLI_YES;

    c->targets = calloc(args->n_given + 1, sizeof *c->targets);
    c->rows = calloc(args->n_given + 1, sizeof(const struct wanted *));
    if (c->targets == NULL || c->rows == NULL)
        return cli_no_memory();
    for (size_t i = 0; i < args->n_given && status == CLI_YES; i++) {
        const struct cli_given *given = &args->given[i];
        size_t rank = 0;
        for (size_t j = 0; j < i; j++)
            rank += args->given[j].option == given->option;
        if (gives(given->option, true))
            status = read_target(c, given, rank);
    }
    for (size_t i = 0; i < N_WANTED && status == CLI_YES; i++)
        if (wanted[i].at != OPTION_COUNT &&
            count(args, wanted[i].value, true) >
                count(args, wanted[i].value, false))
            status = cli_usage(args, "each %s needs a %s of its own",
                cli_options[wanted[i].at].name,
                cli_options[wanted[i].value].name);
    if (status == CLI_YES && c->n_targets == 0)
        status = cli_usage(args, "missing a target, as --epsilon with --delta");
    return status;
}

/* ---- Writing ---------------------------------------------------------------
 */

static void write_target(const struct calibrating *c, size_t i)
{
    char text[DOSI_NUMBER_BYTES];

    dosi_print_exact(text, c->targets[i].value);
    printf("%s %s %s", c->rows[i]->label, c->rows[i]->relation, text);
    if (c->rows[i]->given == NULL)
        return;
    dosi_print_exact(text, c->targets[i].at);
    printf(" at %s %s", c->rows[i]->given, text);
}

/* Digits that were asked for, or as many as show which target is met. */
static void write_row(const struct calibrating *c, double x,
    const dosi_answer *answer, const char *meaning)
{
    const dosi_target *target = &c->targets[c->found.binding];
    char number[DOSI_NUMBER_BYTES], interval[CLI_INTERVAL_BYTES];

    dosi_print_exact(number, x);
    if (c->how.n_digits > 0)
        cli_interval_text(interval, answer->value, c->how.n_digits);
    else
        cli_interval_against(interval, answer->value, 12, target->value,
            target->kind == DOSI_TARGET_TRADEOFF);
    printf("  %-22s %-31s %s\n", number, interval, meaning);
}

static void write_people(const struct calibrating *c)
{
    const dosi_calibration *found = &c->found;
    dosi_kind_info kind = dosi_kind_at(found->kind);
    const char *name = kind.parameters[found->parameter].name;
    bool is_up =
        kind.parameters[found->parameter].safer == DOSI_SAFER_GREATER;
    char text[DOSI_NUMBER_BYTES];

    dosi_print_exact(text, found->value);
    printf("%s %s   ", name, text);
    write_target(c, found->binding);
    printf(", neighbours %s\n", cli_neighbours_name(found->answer.neighbours));
    printf("  %-22s %s\n", name, c->rows[found->binding]->label);
    if (found->rounded != found->value)
        write_row(c, found->rounded, &found->rounded_answer,
            is_up ? "rounded up" : "rounded down");
    write_row(c, found->value, &found->answer,
        is_up ? "the smallest safe value" : "the largest safe value");
    if (found->beyond != found->value)
        write_row(c, found->beyond, &found->beyond_answer,
            "the next value, not safe");
    for (size_t i = 0; i < c->n_targets && c->n_targets > 1; i++) {
        fputs("  target     ", stdout);
        write_target(c, i);
        puts(i == found->binding ? ", binding" : "");
    }
    if (found->reason != NULL)
        printf("  ends       %s\n", found->reason);
    printf("  plan       %s\n", c->filled);
    cli_write_provenance(&found->answer);
}

static void json_answer(const dosi_answer *answer)
{
    cli_json_key("answer", false);
    putchar('{');
    cli_json_key("lower", true);
    cli_json_number(answer->value.lo);
    cli_json_key("upper", false);
    cli_json_number(answer->value.hi);
    cli_json_provenance(answer);
    putchar('}');
}

static void json_number(const char *name, double x)
{
    cli_json_key(name, false);
    cli_json_number(x);
}

static void write_json(const struct calibrating *c)
{
    const dosi_calibration *found = &c->found;
    dosi_kind_info kind = dosi_kind_at(found->kind);

    putchar('{');
    cli_json_text("kind", kind.name, true);
    cli_json_text("parameter", kind.parameters[found->parameter].name, false);
    json_number("value", found->value);
    json_number("beyond", found->beyond);
    json_number("rounded", found->rounded);
    json_number("binding", (double)found->binding);
    json_answer(&found->answer);
    cli_json_interval("beyond_answer", found->beyond_answer.value, false);
    cli_json_interval("rounded_answer", found->rounded_answer.value, false);
    if (found->reason != NULL)
        cli_json_text("reason", found->reason, false);
    cli_json_text("plan", c->filled, false);
    json_number("elapsed_us", c->how.elapsed_us);
    puts("}");
}

/* ---- The command -----------------------------------------------------------
 */

static int solve(struct calibrating *c)
{
    const dosi_plan *filled = NULL;
    dosi_error err;

    dosi_status status = dosi_calibrate(&c->found, c->plan.plan, c->targets,
        c->n_targets, cli_asking_start(&c->how), &err);
    status = cli_asking_end(&c->how, NULL, 0, status, &err);
    if (status == DOSI_OK)
        status = dosi_plan_fill(&filled, c->plan.plan, c->found.value, &err);
    if (status == DOSI_OK) {
        c->filled = cli_plan_text(filled, DOSI_FORM_TEXT, &err);
        status = c->filled != NULL ? DOSI_OK : err.status;
    }
    dosi_plan_free(filled);
    return status == DOSI_OK ? CLI_YES : cli_fail(c->args, &err, NULL, 0);
}

int cli_calibrate(const struct cli_arguments *args)
{
    struct calibrating c = {.args = args};

    int status = cli_asking_read(&c.how, args);
    if (status == CLI_YES)
        status = read_targets(&c);
    if (status == CLI_YES)
        status = cli_plan_read(&c.plan, args, args->operands[0]);
    if (status == CLI_YES)
        status = solve(&c);
    if (status == CLI_YES && cli_has(args, OPTION_JSON))
        write_json(&c);
    else if (status == CLI_YES)
        write_people(&c);
    cli_plan_free(&c.plan);
    free(c.filled);
    free(c.rows);
    free(c.targets);
    return status;
}
