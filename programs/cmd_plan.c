/*
 * dosimeter plan: the normal form of a plan, as text with its hash, as JSON,
 * or as an event tree of dp_accounting.
 */
#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>

static int show_normal(
    const struct cli_arguments *args, const dosi_plan *normal)
{
    dosi_form form = cli_has(args, OPTION_EVENTS) ? DOSI_FORM_EVENTS
                     : cli_has(args, OPTION_JSON) ? DOSI_FORM_JSON
                                                  : DOSI_FORM_TEXT;
    dosi_error err;

    char *text = cli_plan_text(normal, form, &err);
    if (text == NULL)
        return cli_fail(args, &err, NULL, 0);
    puts(text);
    free(text);
    if (form == DOSI_FORM_TEXT)
        printf("hash %016" PRIx64 "\n", dosi_plan_hash(normal));
    return CLI_YES;
}

int cli_plan(const struct cli_arguments *args)
{
    const dosi_plan *normal = NULL;
    struct cli_plan plan;
    dosi_error err;

    int status = cli_plan_read(&plan, args, args->operands[0]);
    if (status != CLI_YES)
        goto done;
    if (dosi_plan_normal(&normal, plan.plan, &err) != DOSI_OK)
        status = cli_fail(args, &err, plan.text, plan.n_bytes);
    else
        status = show_normal(args, normal);
done:
    dosi_plan_free(normal);
    cli_plan_free(&plan);
    return status;
}
