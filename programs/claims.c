/*
 * Claims from the options of one call, or out of JSON, and what every claim
 * has to be wherever it comes from.
 */
#define _POSIX_C_SOURCE 200809L
#include "claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dosimeter/json.h"

int claims_add(struct claims *out, struct claim claim)
{
    struct claim *all = realloc(out->all, (out->n + 1) * sizeof *all);

    if (all == NULL) {
        free(claim.label);
        dosi_plan_free(claim.plan);
        return cli_no_memory();
    }
    out->all = all;
    all[out->n++] = claim;
    return CLI_YES;
}

void claims_free(struct claims *claims)
{
    for (size_t i = 0; i < claims->n; i++) {
        free(claims->all[i].label);
        dosi_plan_free(claims->all[i].plan);
    }
    free(claims->all);
}

static int read_options(struct claims *out, const struct cli_arguments *args)
{
    struct cli_targets targets = {0};
    struct cli_plan plan = {0};
    dosi_neighbours neighbours = DOSI_NATURAL;

    int status = cli_targets_read(&targets, args);
    if (status == CLI_YES)
        status = cli_neighbours_read(&neighbours, args);
    if (status == CLI_YES)
        status = cli_plan_read(&plan, args, args->operands[0]);
    for (size_t i = 0; i < targets.n && status == CLI_YES; i++)
        status =
            claims_add(out, (struct claim){.plan = dosi_plan_retain(plan.plan),
                                .neighbours = neighbours,
                                .target = targets.all[i]});
    cli_plan_free(&plan);
    cli_targets_free(&targets);
    return status;
}

static int read_json(struct claims *out, const struct cli_arguments *args,
    const struct cli_plan *file, dosi_neighbours neighbours)
{
    dosi_json_claims *read;
    dosi_error err;
    int status = CLI_YES;

    if (dosi_json_read_claims(
            &read, file->text, file->n_bytes, neighbours, &err) != DOSI_OK)
        return cli_fail(args, &err, file->text, file->n_bytes);
    for (size_t i = 0; i < read->n && status == CLI_YES; i++) {
        dosi_json_claim *from = &read->claims[i];
        struct claim claim = {.plan = dosi_plan_retain(from->plan),
            .neighbours = from->neighbours,
            .target = from->target};
        if (from->label != NULL) {
            claim.label = strdup(from->label);
            status = claim.label == NULL ? cli_no_memory() : CLI_YES;
        }
        int added = claims_add(out, claim);
        status = status == CLI_YES ? added : status;
    }
    dosi_json_claims_free(read);
    return status;
}

static int read_file(struct claims *out, const struct cli_arguments *args)
{
    const char *path = cli_value(args, OPTION_CLAIMS);
    struct cli_plan file = {0};
    dosi_neighbours neighbours = DOSI_NATURAL;

    int status = cli_neighbours_read(&neighbours, args);
    if (status == CLI_YES)
        status = cli_file_read(&file, path);
    if (status == CLI_YES) {
        const char *start = file.text + strspn(file.text, " \t\r\n");
        bool is_json = *start == '[' || *start == '{';
        if (!is_json && strlen(file.text) != file.n_bytes)
            status = cli_usage(args, "the claims have a NUL byte");
        else
            status = is_json
                         ? read_json(out, args, &file, neighbours)
                         : claims_read_csv(out, args, file.text, neighbours);
    }
    cli_plan_free(&file);
    return status;
}

/* A claim is a number that an answer can be compared with. */
static int check_values(
    const struct claims *claims, const struct cli_arguments *args)
{
    for (size_t i = 0; i < claims->n; i++) {
        const dosi_target *target = &claims->all[i].target;
        if (!(target->value >= 0 && target->value < HUGE_VAL))
            return cli_usage(args,
                "claim %zu: %s must be non-negative and finite, got %g", i + 1,
                cli_target_row(target->kind)->label, target->value);
    }
    return CLI_YES;
}

int claims_read(struct claims *out, const struct cli_arguments *args)
{
    bool file = cli_has(args, OPTION_CLAIMS);

    *out = (struct claims){0};
    if (file && args->n_operands > 0)
        return cli_usage(args, "either PLAN or --claims");
    if (!file && args->n_operands == 0)
        return cli_usage(args, "missing PLAN or --claims");
    for (size_t i = 0; i < CLI_TARGET_ROWS && file; i++)
        if (cli_has(args, cli_target_rows[i].value))
            return cli_usage(args, "%s does not apply with --claims",
                cli_options[cli_target_rows[i].value].name);
    int status = file ? read_file(out, args) : read_options(out, args);
    return status == CLI_YES ? check_values(out, args) : status;
}
