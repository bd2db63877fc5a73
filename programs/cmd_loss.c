/*
 * dosimeter loss: a whole plan as one loss law by points, which is a plan
 * again: it may be kept in a file, read by others, and composed.
 */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_POINTS 1000
#define MAX_POINTS 100000
#define DEFAULT_TAIL 1e-15

/* What the masses lack to 1, where +inf is not listed. */
static double mass_at_infinity(const dosi_plan *law, size_t which)
{
    size_t n;
    const double *at = dosi_plan_list(law, which, &n);
    double rest = 1;

    for (size_t i = 0; i < n; i++)
        if (at[i] == HUGE_VAL)
            return at[n + i];
    for (size_t i = 0; i < n; i++)
        rest -= at[n + i];
    return fmax(rest, 0);
}

/* The relation that the options come to for this plan. */
static dosi_neighbours relation_of(
    const dosi_plan *plan, struct cli_asking *asking)
{
    dosi_options quick = *cli_asking_start(asking);
    dosi_answer answer;

    quick.route = "approx";
    if (dosi_delta_at_epsilon(&answer, plan, 0, &quick, NULL) != DOSI_OK)
        return quick.neighbours;
    return answer.neighbours;
}

static void write_about(const dosi_plan *law, const char *text,
    dosi_neighbours neighbours, bool upper, double tail)
{
    fputs(",\"about\":{", stdout);
    cli_json_text("plan", text, true);
    cli_json_text("side", upper ? "upper" : "lower", false);
    cli_json_text("certifies",
        upper ? "it loses at least as much privacy as the plan, also under "
                "composition: upper ends are safe"
              : "it loses at most as much privacy as the plan, also under "
                "composition: lower ends are valid",
        false);
    cli_json_text("neighbours", cli_neighbours_name(neighbours), false);
    cli_json_key("tail", false);
    cli_json_number(tail);
    cli_json_key("mass_at_infinity_about", false);
    cli_json_number(mass_at_infinity(law, 0));
    cli_json_key("add_mass_at_infinity_about", false);
    cli_json_number(mass_at_infinity(law, 2));
    fputs("}}\n", stdout);
}

static int write_law(const struct cli_arguments *args, const dosi_plan *law,
    const dosi_plan *plan, struct cli_asking *asking, bool upper, double tail)
{
    bool json = cli_has(args, OPTION_JSON);
    dosi_error err;
    char *text = cli_plan_text(
        law, json ? DOSI_FORM_JSON : DOSI_FORM_TEXT, &err);
    char *whole = cli_plan_text(plan, DOSI_FORM_TEXT, &err);

    if (text == NULL || whole == NULL) {
        free(text);
        free(whole);
        return cli_fail(args, &err, NULL, 0);
    }
    size_t n = strlen(text);
    if (json) { /* all but the closing brace, and what it is */
        fwrite(text, 1, n - 1, stdout);
        write_about(law, whole, relation_of(plan, asking), upper, tail);
    } else {
        puts(text);
    }
    free(text);
    free(whole);
    return CLI_YES;
}

static int read_side(bool *upper, const struct cli_arguments *args)
{
    const char *side = cli_value(args, OPTION_SIDE);

    if (side == NULL)
        return cli_usage(args, "missing --side upper or --side lower");
    *upper = strcmp(side, "upper") == 0;
    if (!*upper && strcmp(side, "lower") != 0)
        return cli_usage(
            args, "--side must be upper or lower, got \"%s\"", side);
    return CLI_YES;
}

int cli_loss(const struct cli_arguments *args)
{
    const dosi_plan *law = NULL;
    struct cli_asking asking;
    struct cli_plan plan = {0};
    bool upper = true;
    long points = DEFAULT_POINTS;
    double tail = 0;
    dosi_error err;

    int status = read_side(&upper, args);
    if (status == CLI_YES)
        status = cli_asking_read(&asking, args);
    if (status == CLI_YES)
        status = cli_whole(&points, args, OPTION_LOSS_POINTS, 2, MAX_POINTS,
            DEFAULT_POINTS);
    if (status == CLI_YES)
        status = cli_positive(&tail, args, OPTION_TAIL);
    if (status == CLI_YES)
        status = cli_plan_read(&plan, args, args->operands[0]);
    if (status != CLI_YES)
        goto done;
    tail = tail > 0 ? tail : DEFAULT_TAIL;
    dosi_status found = dosi_loss_of_plan(&law, plan.plan,
        upper ? DOSI_SIDE_UPPER : DOSI_SIDE_LOWER, (size_t)points, tail,
        cli_asking_start(&asking), &err);
    if (cli_asking_end(&asking, NULL, 0, found, &err) != DOSI_OK)
        status = cli_fail(args, &err, plan.text, plan.n_bytes);
    else
        status = write_law(args, law, plan.plan, &asking, upper, tail);
done:
    dosi_plan_free(law);
    cli_plan_free(&plan);
    return status;
}
