/*
 * The table of targets and how options give them: the value by one option,
 * where it is asked by another, in the order of the command line.
 */
#include "targets.h"

#include <stdlib.h>

const struct cli_target_row cli_target_rows[CLI_TARGET_ROWS] = {
    {"epsilon", "delta", "<=", DOSI_TARGET_EPSILON, OPTION_MOST_EPSILON,
        OPTION_DELTA, false},
    {"epsilon", "log_delta", "<=", DOSI_TARGET_EPSILON_LOG, OPTION_MOST_EPSILON,
        OPTION_LOG_DELTA, false},
    {"beta", "alpha", ">=", DOSI_TARGET_TRADEOFF, OPTION_BETA, OPTION_ALPHA,
        false},
    {"renyi", "order", "<=", DOSI_TARGET_RENYI, OPTION_MOST_RENYI, OPTION_ORDER,
        false},
    {"rho", "xi", "<=", DOSI_TARGET_ZCDP, OPTION_RHO, OPTION_XI, true},
    {"mu", "floor", "<=", DOSI_TARGET_GDP, OPTION_MU, OPTION_FLOOR, true},
    {"advantage", NULL, "<=", DOSI_TARGET_ADVANTAGE, OPTION_ADVANTAGE,
        OPTION_COUNT, true},
};

const struct cli_target_row *cli_target_row(dosi_target_kind kind)
{
    for (size_t i = 0; i < CLI_TARGET_ROWS; i++)
        if (cli_target_rows[i].kind == kind)
            return &cli_target_rows[i];
    return NULL;
}

/* Whether an option gives the value of a target. */
static bool gives_value(enum cli_option_id option)
{
    for (size_t i = 0; i < CLI_TARGET_ROWS; i++)
        if (option == cli_target_rows[i].value)
            return true;
    return false;
}

/* The row of a value with the place that follows it in rank, if any. */
static const struct cli_target_row *row_of(
    enum cli_option_id value, const struct cli_given *at)
{
    for (size_t i = 0; i < CLI_TARGET_ROWS; i++)
        if (cli_target_rows[i].value == value &&
            (at == NULL || cli_target_rows[i].at == at->option))
            return &cli_target_rows[i];
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

static int read_target(struct cli_targets *out,
    const struct cli_arguments *args, const struct cli_given *value,
    size_t rank)
{
    const struct cli_given *at = place_of_rank(args, value->option, rank);
    const struct cli_given *first = place_of_rank(args, value->option, 0);
    const struct cli_target_row *row = row_of(value->option, at);
    dosi_target *target = &out->all[out->n];

    if (at == NULL && (first != NULL || !row->at_defaults))
        return cli_usage(args, "each %s needs a %s of its own",
            cli_options[row->value].name, cli_options[row->at].name);
    *target = (dosi_target){.kind = row->kind};
    int status = cli_number(&target->value, args, value);
    if (status == CLI_YES && at != NULL)
        status = cli_number(&target->at, args, at);
    out->n++;
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

int cli_targets_read(struct cli_targets *out, const struct cli_arguments *args)
{
    int status = CLI_YES;

    *out = (struct cli_targets){0};
    out->all = calloc(args->n_given + 1, sizeof *out->all);
    if (out->all == NULL)
        return cli_no_memory();
    for (size_t i = 0; i < args->n_given && status == CLI_YES; i++) {
        const struct cli_given *given = &args->given[i];
        size_t rank = 0;
        for (size_t j = 0; j < i; j++)
            rank += args->given[j].option == given->option;
        if (gives_value(given->option))
            status = read_target(out, args, given, rank);
    }
    for (size_t i = 0; i < CLI_TARGET_ROWS && status == CLI_YES; i++) {
        const struct cli_target_row *row = &cli_target_rows[i];
        if (row->at != OPTION_COUNT &&
            count(args, row->value, true) > count(args, row->value, false))
            status = cli_usage(args, "each %s needs a %s of its own",
                cli_options[row->at].name, cli_options[row->value].name);
    }
    if (status == CLI_YES && out->n == 0)
        status = cli_usage(args, "missing a target, as --epsilon with --delta");
    return status;
}

void cli_targets_free(struct cli_targets *targets)
{
    free(targets->all);
}

void cli_target_text(char text[CLI_TARGET_BYTES], const dosi_target *target)
{
    const struct cli_target_row *row = cli_target_row(target->kind);
    char value[DOSI_NUMBER_BYTES], at[DOSI_NUMBER_BYTES];

    dosi_print_exact(value, target->value);
    dosi_print_exact(at, target->at);
    snprintf(text, CLI_TARGET_BYTES, "%s %s %s%s%s%s%s", row->label,
        row->relation, value, row->given != NULL ? " at " : "",
        row->given != NULL ? row->given : "", row->given != NULL ? " " : "",
        row->given != NULL ? at : "");
}
