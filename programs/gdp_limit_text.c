/*
 * The central limit of a plan, as the last lines of "dosimeter gdp": an
 * approximation, marked as such, with its band if that is certified.
 */
#include "cli.h"

#include <math.h>

static void write_people(const dosi_gdp_limit *limit)
{
    char text[DOSI_NUMBER_BYTES], citation[DOSI_CITATION_BYTES];

    if (limit->mu_approx < HUGE_VAL)
        printf("limit mu about %.6g: an approximation, not a bound\n",
            limit->mu_approx);
    else
        puts("limit mu unknown");
    if (limit->has_band) {
        dosi_print_upper(text, limit->gamma.hi, 6);
        printf("  band       beta is that of mu ");
        cli_write_interval(limit->mu, 6);
        printf(" at alpha shifted by at most %s,\n", text);
        printf("             give or take %s\n", text);
    }
    dosi_citation(citation, limit->theorem);
    if (citation[0] != '\0')
        printf("  theorem    %s\n", citation);
    if (limit->reason != NULL)
        printf("  reason     %s\n", limit->reason);
}

static void write_json(const dosi_gdp_limit *limit)
{
    putchar('{');
    cli_json_key("limit", true);
    putchar('{');
    cli_json_key("mu_approx", true);
    cli_json_number(limit->mu_approx);
    if (limit->has_band) {
        cli_json_interval("mu", limit->mu, false);
        cli_json_interval("gamma", limit->gamma, false);
    }
    cli_json_theorem(limit->theorem);
    if (limit->reason != NULL)
        cli_json_text("reason", limit->reason, false);
    puts("}}");
}

int cli_write_limit(const struct cli_arguments *args, const dosi_plan *plan,
    struct cli_asking *asking)
{
    dosi_gdp_limit limit;
    dosi_error err;

    dosi_status found =
        dosi_gdp_limit_approx(&limit, plan, cli_asking_start(asking), &err);
    if (cli_asking_end(asking, NULL, 0, found, &err) != DOSI_OK)
        return cli_fail(args, &err, NULL, 0);
    if (cli_has(args, OPTION_JSON))
        write_json(&limit);
    else if (!cli_has(args, OPTION_QUIET))
        write_people(&limit);
    return CLI_YES;
}
