/*
 * What the options ask a statement about, and a prior as it was given.
 */
#include "statement.h"

#include <stdlib.h>

int statement_read(
    struct statement_wanted *out, const struct cli_arguments *args)
{
    long n_people;
    size_t n = 0;

    *out = (struct statement_wanted){.prior = 0.5};
    int status = cli_whole(&n_people, args, OPTION_PEOPLE, 1, 1L << 53, 0);
    out->n_people = status == CLI_YES ? (double)n_people : 0;
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
    else if (status == CLI_YES && out->delta == 0 &&
             args->command != COMMAND_EXPLAIN)
        status = cli_usage(args,
            "--delta must be greater than 0 and less than 1, got 0; epsilon "
            "at delta 0 is what \"dosimeter epsilon\" tells");
    return status;
}

void statement_percent(char *text, double p)
{
    for (int n = 2; n <= 17; n++) { /* 50, not 5e+01 */
        snprintf(text, DOSI_NUMBER_BYTES, "%.*g", n, 100 * p);
        if (strtod(text, NULL) / 100 == p)
            return;
    }
}
