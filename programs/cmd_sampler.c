/*
 * dosimeter sampler: a plan run on a sample whose sampler is a table.
 */
#include "cli.h"

#include <math.h>

#include "dosimeter/json.h"

static void write_people(
    const dosi_sampler_answer *a, double epsilon, int n_digits)
{
    char text[DOSI_NUMBER_BYTES], citation[DOSI_CITATION_BYTES];

    struct cli_bound b = {.value = a->delta,
        .trivial = 1,
        .meaning = "",
        .target = HUGE_VAL,
        .n_digits = n_digits};

    cli_write_headline(cli_question_of(OPTION_EPSILON), epsilon, &b, "");
    printf("  neighbours          %s\n", cli_neighbours_name(a->neighbours));
    dosi_print_upper(text, a->coupling.hi, n_digits > 0 ? n_digits : 12);
    printf("  by transport alone  delta <= %s\n", text);
    fputs("  total variation     ", stdout);
    cli_write_interval(a->eta, n_digits);
    fputs("\n  base epsilon        ", stdout);
    cli_write_interval(a->base_epsilon, n_digits);
    printf("\n  nearest partners    with the shared part %s, with the other "
           "%s\n",
        a->shared_is_nearest ? "yes" : "no",
        a->other_is_nearest ? "yes" : "no");
    dosi_citation(citation, a->theorem);
    printf("  theorem             %s\n", citation);
}

static void write_json(const dosi_sampler_answer *a, double epsilon)
{
    putchar('{');
    cli_json_key("epsilon", true);
    cli_json_number(epsilon);
    cli_json_key("delta_upper", false);
    cli_json_number(a->delta.hi);
    cli_json_key("transport_upper", false);
    cli_json_number(a->coupling.hi);
    cli_json_interval("total_variation", a->eta, false);
    cli_json_interval("base_epsilon", a->base_epsilon, false);
    printf(",\"shared_is_nearest\":%s,\"other_is_nearest\":%s",
        a->shared_is_nearest ? "true" : "false",
        a->other_is_nearest ? "true" : "false");
    cli_json_theorem(a->theorem);
    cli_json_text("neighbours", cli_neighbours_name(a->neighbours), false);
    puts("}");
}

static int answer_all(const struct cli_arguments *args,
    struct cli_asking *how, const dosi_sampler *sampler,
    const dosi_plan *plan, int n_digits)
{
    int status = CLI_YES;

    for (size_t i = 0; i < args->n_given && status == CLI_YES; i++) {
        dosi_sampler_answer a;
        dosi_error err;
        double epsilon;
        if (args->given[i].option != OPTION_EPSILON)
            continue;
        status = cli_number(&epsilon, args, &args->given[i]);
        if (status != CLI_YES)
            break;
        dosi_status found = dosi_sampler_delta_at_epsilon(
            &a, sampler, plan, epsilon, cli_asking_start(how), &err);
        if (cli_asking_end(how, NULL, 0, found, &err) != DOSI_OK)
            return cli_fail(args, &err, NULL, 0);
        if (cli_has(args, OPTION_JSON))
            write_json(&a, epsilon);
        else
            write_people(&a, epsilon, n_digits);
    }
    return status;
}

int cli_sampler(const struct cli_arguments *args)
{
    struct cli_asking how;
    struct cli_plan table = {0}, plan = {0};
    dosi_sampler *sampler = NULL;
    dosi_error err;

    if (!cli_has(args, OPTION_EPSILON))
        return cli_usage(args, "missing --epsilon");
    int status = cli_asking_read(&how, args);
    if (status == CLI_YES)
        status = cli_text_read(&table, args->operands[0]);
    if (status == CLI_YES)
        status = cli_plan_read(&plan, args, args->operands[1]);
    if (status == CLI_YES &&
        dosi_json_read_sampler(&sampler, table.text, table.n_bytes,
            how.options.neighbours, &err) != DOSI_OK)
        status = cli_fail(args, &err, table.text, table.n_bytes);
    if (status == CLI_YES)
        status = answer_all(args, &how, sampler, plan.plan, how.n_digits);
    dosi_sampler_free(sampler);
    cli_plan_free(&table);
    cli_plan_free(&plan);
    return status;
}
