/*
 * dosimeter compare: the interval of every route, each asked alone, best first,
 * with its width, its time and its theorem.
 */
#include "route_answers.h"

#include <string.h>

struct comparing {
    const struct cli_arguments *args;
    struct cli_plan plan;
    struct cli_asking how;
    struct routes routes;
};

/* ---- Writing ---------------------------------------------------------------
 */

static void write_time(double elapsed_us)
{
    char text[24];

    if (elapsed_us < 1e3)
        snprintf(text, sizeof text, "%.0f us", elapsed_us);
    else if (elapsed_us < 1e6)
        snprintf(text, sizeof text, "%.3g ms", elapsed_us / 1e3);
    else
        snprintf(text, sizeof text, "%.4g s", elapsed_us / 1e6);
    printf("%8s  ", text);
}

/* What the end that is not safe refers to: to the mechanism if a route says
 * so of it. */
static const char *other_meaning(const struct comparing *c, bool safe_is_lower)
{
    const char *meaning = "";

    for (size_t i = 0; i < c->routes.n; i++) {
        const struct route_said *said = &c->routes.said[i];
        dosi_interval x = said->answer.value;
        if (said->err.status == DOSI_OK &&
            (safe_is_lower ? x.hi == c->routes.all.hi
                           : x.lo == c->routes.all.lo) &&
            strcmp(meaning, "the mechanism") != 0)
            meaning = said->answer.lower_meaning;
    }
    return meaning;
}

static void write_people(const struct comparing *c,
    const struct cli_question *question, double given)
{
    char text[CLI_INTERVAL_BYTES], ground[ROUTE_GROUND_BYTES];
    struct cli_bound b =
        cli_bound_of(question, &c->routes.said[0].answer, &c->how);

    b.value = c->routes.all;
    b.meaning = other_meaning(c, question->safe_is_lower);
    cli_write_headline(question, given, &b, "");
    printf("  neighbours %s\n",
        cli_neighbours_name(c->routes.said[0].answer.neighbours));
    printf("  %-9s %-30s %-8s %8s  %s\n", "route", question->label, "width",
        "time", "theorem");
    for (size_t i = 0; i < c->routes.n; i++) {
        const struct route_said *said = &c->routes.said[i];
        printf("  %-9s ", said->route);
        if (said->bounds || said->answer.value.lo > 0) {
            cli_interval_text(text, said->answer.value,
                cli_has(c->args, OPTION_DIGITS) ? c->how.n_digits : 0);
            printf("%-30s ", text);
            dosi_print_upper(text, said->width, 2);
            printf("%-8s ", text);
        } else {
            printf("%-30s %-8s ", "-", "-");
        }
        write_time(said->elapsed_us);
        route_ground(ground, said);
        puts(ground);
    }
}

static void write_quoted(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++)
        printf(*text == '"' ? "\"\"" : "%c", *text);
    putchar('"');
}

static void write_csv(const struct comparing *c,
    const struct cli_question *question, double given)
{
    char at[DOSI_NUMBER_BYTES], lower[DOSI_NUMBER_BYTES];
    char upper[DOSI_NUMBER_BYTES], width[DOSI_NUMBER_BYTES];

    dosi_print_exact(at, given);
    for (size_t i = 0; i < c->routes.n; i++) {
        const struct route_said *said = &c->routes.said[i];
        bool failed = said->err.status != DOSI_OK;
        dosi_print_lower(lower, said->answer.value.lo, 17);
        dosi_print_upper(upper, said->answer.value.hi, 17);
        dosi_print_upper(width, said->width, 2);
        printf("%s,%s,%s,%s,%s,%s,%s,%.0f,", question->label, question->given,
            at, said->route, failed ? "" : lower, failed ? "" : upper,
            failed ? "" : width, said->elapsed_us);
        write_quoted(said->bounds ? said->answer.theorem : "");
        putchar(',');
        write_quoted(route_reason(said));
        putchar('\n');
    }
}

static void write_said_json(const struct route_said *said, bool first)
{
    fputs(first ? "{" : ",\n{", stdout);
    cli_json_text("route", said->route, true);
    if (said->err.status == DOSI_OK) {
        cli_json_key("lower", false);
        cli_json_number(said->answer.value.lo);
        cli_json_key("upper", false);
        cli_json_number(said->answer.value.hi);
        cli_json_key("width", false);
        cli_json_number(said->width);
    }
    cli_json_key("bounds", false);
    fputs(said->bounds ? "true" : "false", stdout);
    cli_json_key("elapsed_us", false);
    cli_json_number(said->elapsed_us);
    if (said->bounds)
        cli_json_theorem(said->answer.theorem);
    if (said->bounds && said->answer.order > 0) {
        cli_json_key("renyi_order", false);
        cli_json_number(said->answer.order);
    }
    if (route_reason(said)[0] != '\0')
        cli_json_text("reason", route_reason(said), false);
    putchar('}');
}

static void write_json(const struct comparing *c,
    const struct cli_question *question, double given)
{
    putchar('{');
    cli_json_text("query", cli_commands[question->command].name, true);
    cli_json_key(question->given, false);
    cli_json_number(given);
    cli_json_key("lower", false);
    cli_json_number(c->routes.all.lo);
    cli_json_key("upper", false);
    cli_json_number(c->routes.all.hi);
    cli_json_text("neighbours",
        cli_neighbours_name(c->routes.said[0].answer.neighbours), false);
    cli_json_assumptions(&c->routes.said[0].answer);
    cli_json_key("routes", false);
    putchar('[');
    for (size_t i = 0; i < c->routes.n; i++)
        write_said_json(&c->routes.said[i], i == 0);
    puts("]}");
}

/* ---- The command -----------------------------------------------------------
 */

static int compare_at(struct comparing *c,
    const struct cli_question *question, double given)
{
    int status = routes_ask(
        &c->routes, c->args, &c->how, c->plan.plan, question, given, NULL);
    if (status == CLI_YES) {
        if (cli_has(c->args, OPTION_JSON))
            write_json(c, question, given);
        else if (cli_has(c->args, OPTION_CSV))
            write_csv(c, question, given);
        else
            write_people(c, question, given);
        status = c->routes.said[0].bounds ? CLI_YES : CLI_UNABLE;
    }
    routes_free(&c->routes);
    return status;
}

static int compare_given(struct comparing *c)
{
    int worst = CLI_YES;
    bool asked = false;

    for (size_t i = 0; i < c->args->n_given; i++) {
        const struct cli_question *question =
            cli_question_of(c->args->given[i].option);
        double given;
        if (question == NULL)
            continue;
        asked = true;
        int status = cli_number(&given, c->args, &c->args->given[i]);
        if (status == CLI_YES)
            status = compare_at(c, question, given);
        if (status != CLI_YES && status != CLI_UNABLE)
            return status;
        worst = status != CLI_YES ? status : worst;
    }
    return asked ? worst : cli_question_missing(c->args);
}

int cli_compare(const struct cli_arguments *args)
{
    struct comparing c = {.args = args};

    int status = cli_asking_read(&c.how, args);
    if (status != CLI_YES)
        return status;
    status = cli_plan_read(&c.plan, args, args->operands[0]);
    if (status == CLI_YES) {
        if (cli_has(args, OPTION_CSV) && !cli_has(args, OPTION_JSON))
            puts("query,given,at,route,lower,upper,width,elapsed_us,theorem,"
                 "reason");
        status = compare_given(&c);
    }
    cli_plan_free(&c.plan);
    return status;
}
