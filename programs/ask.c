/*
 * Asks a plan the same question at one or many values and writes the
 * answers: for people with their provenance, as CSV, or as JSON objects that
 * are those of a batch.
 */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of gdp, where none is given. */
#define DEFAULT_FLOOR 1e-6

struct asking {
    const struct cli_arguments *args;
    struct cli_plan plan;
    struct cli_asking how;
    bool several;         /* whether more than one value is asked at */
    bool any;             /* whether previous holds an answer */
    dosi_answer previous; /* whose provenance has not been shown yet */
    bool vacuous;         /* whether some answer bounds nothing */
    int status;           /* of what was asked so far */
};

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_provenance(const dosi_answer *a, const dosi_answer *b)
{
    if (!same_text(a->route, b->route) || !same_text(a->theorem, b->theorem) ||
        !same_text(a->lower_meaning, b->lower_meaning) ||
        !same_text(a->reason, b->reason) ||
        a->n_assumptions != b->n_assumptions || a->order != b->order)
        return false;
    for (size_t i = 0; i < a->n_assumptions; i++)
        if (!same_text(a->assumptions[i], b->assumptions[i]))
            return false;
    return true;
}

/* Which ends are wanted: both unless just one of them was asked for. */
static bool wants(const struct asking *asking, enum cli_option_id end)
{
    enum cli_option_id other =
        end == OPTION_LOWER ? OPTION_UPPER : OPTION_LOWER;
    return cli_has(asking->args, end) || !cli_has(asking->args, other);
}

/* The bound to print: of one end alone nothing is said of the other. */
static struct cli_bound bound_of(const struct asking *asking,
    const struct cli_question *question, const dosi_answer *answer)
{
    struct cli_bound b = cli_bound_of(question, answer, &asking->how);

    if (!wants(asking, OPTION_LOWER) || !wants(asking, OPTION_UPPER))
        b.meaning = "";
    if (!wants(asking, OPTION_UPPER)) {
        b.safe_is_lower = true;
        b.trivial = b.target = -HUGE_VAL;
    }
    return b;
}

/* One line a value; the provenance once for neighbours that share it. */
static void write_people(struct asking *asking,
    const struct cli_question *question, double given,
    const dosi_answer *answer)
{
    struct cli_bound b = bound_of(asking, question, answer);

    if (asking->any && !same_provenance(&asking->previous, answer))
        cli_write_provenance(asking->args, &asking->previous);
    asking->any = true;
    asking->previous = *answer;
    cli_write_headline(question, given, &b, "");
    cli_write_details(asking->args, answer->value, asking->how.n_digits);
    if (question->option == OPTION_EPSILON && answer->value.lo == 0 &&
        answer->log_value.lo > -HUGE_VAL) {
        b.value = answer->log_value;
        b.trivial = HUGE_VAL;
        fputs("  log delta  ", stdout);
        cli_write_bound(&b, "");
        cli_write_details(asking->args, b.value, asking->how.n_digits);
    }
}

/* The safe end alone; of both, if just one end was asked for, that one. */
static void write_quiet(const struct asking *asking,
    const struct cli_question *question, const dosi_answer *answer)
{
    struct cli_bound b = bound_of(asking, question, answer);
    char text[DOSI_NUMBER_BYTES];

    if (b.safe_is_lower)
        dosi_print_lower(text, b.value.lo, 17);
    else
        dosi_print_upper(text, b.value.hi, 17);
    puts(text);
}

static void write_csv(double given, const dosi_answer *answer)
{
    char text[DOSI_NUMBER_BYTES];

    dosi_print_exact(text, given);
    printf("%s,", text);
    dosi_print_lower(text, answer->value.lo, 17);
    printf("%s,", text);
    dosi_print_upper(text, answer->value.hi, 17);
    puts(text);
}

void cli_json_assumptions(const dosi_answer *answer)
{
    cli_json_key("assumptions", false);
    putchar('[');
    for (size_t i = 0; i < answer->n_assumptions; i++) {
        fputs(i > 0 ? "," : "", stdout);
        cli_json_string(answer->assumptions[i], strlen(answer->assumptions[i]));
    }
    putchar(']');
}

/* What follows the ends in the object of a batch. */
void cli_json_provenance(const dosi_answer *answer)
{
    if (answer->log_value.lo > -HUGE_VAL || answer->log_value.hi < HUGE_VAL) {
        cli_json_key("log_lower", false);
        cli_json_number(answer->log_value.lo);
        cli_json_key("log_upper", false);
        cli_json_number(answer->log_value.hi);
    }
    cli_json_text("route", answer->route, false);
    cli_json_theorem(answer->theorem);
    if (answer->order > 0) {
        cli_json_key("renyi_order", false);
        cli_json_number(answer->order);
    }
    cli_json_text("neighbours", cli_neighbours_name(answer->neighbours), false);
    cli_json_text("lower_meaning", answer->lower_meaning, false);
    if (answer->reason != NULL)
        cli_json_text("reason", answer->reason, false);
    cli_json_assumptions(answer);
}

/* The object of a batch; led by the value asked at when there are several. */
static void write_json(const struct asking *asking,
    const struct cli_question *question, double given,
    const dosi_answer *answer, double elapsed_us)
{
    putchar('{');
    if (asking->several) {
        cli_json_key(question->given, true);
        cli_json_number(given);
    }
    bool lower = wants(asking, OPTION_LOWER);
    if (lower) {
        cli_json_key("lower", !asking->several);
        cli_json_number(answer->value.lo);
    }
    if (wants(asking, OPTION_UPPER)) {
        cli_json_key("upper", !asking->several && !lower);
        cli_json_number(answer->value.hi);
    }
    cli_json_provenance(answer);
    cli_json_key("elapsed_us", false);
    cli_json_number(elapsed_us);
    puts("}");
}

static void write_answer(struct asking *asking,
    const struct cli_question *question, double given,
    const dosi_answer *answer)
{
    if (cli_has(asking->args, OPTION_JSON))
        write_json(
            asking, question, given, answer, asking->how.elapsed_us);
    else if (cli_has(asking->args, OPTION_CSV))
        write_csv(given, answer);
    else if (cli_has(asking->args, OPTION_QUIET))
        write_quiet(asking, question, answer);
    else
        write_people(asking, question, given, answer);
    if (cli_is_vacuous(question, answer))
        asking->vacuous = true;
}

static void ask_at(
    struct asking *asking, const struct cli_question *question, double given)
{
    dosi_answer answer;
    dosi_error err;

    if (cli_asking_at(&answer, &asking->how, question, asking->plan.plan,
            given, &err) != DOSI_OK)
        asking->status = cli_fail(asking->args, &err, NULL, 0);
    else
        write_answer(asking, question, given, &answer);
}

/* --points N, one engine for all. */
static int ask_curve(struct asking *asking, const struct cli_question *question)
{
    dosi_error err;
    long n;

    int status = cli_whole(&n, asking->args, OPTION_POINTS, 2, 1000000, 0);
    if (status != CLI_YES)
        return status;
    double *alphas = calloc((size_t)n, sizeof *alphas);
    dosi_answer *answers = calloc((size_t)n, sizeof *answers);
    if (alphas == NULL || answers == NULL) {
        free(alphas);
        free(answers);
        return cli_no_memory();
    }
    dosi_tradeoff_alphas(alphas, (size_t)n);
    if (cli_asking_curve(answers, &asking->how, asking->plan.plan, alphas,
            (size_t)n, &err) != DOSI_OK)
        asking->status = cli_fail(asking->args, &err, NULL, 0);
    asking->how.elapsed_us = floor(asking->how.elapsed_us / (double)n);
    for (long i = 0; i < n && asking->status == CLI_YES; i++)
        write_answer(asking, question, alphas[i], &answers[i]);
    free(alphas);
    free(answers);
    return asking->status;
}

/* Reads every number of a list a,b,c, and asks at it or not. */
static int walk_list(struct asking *asking, const struct cli_given *given,
    const struct cli_question *question, bool asks)
{
    const char *rest = given->value;

    while (rest != NULL) {
        char text[64];
        double at;
        size_t length = strcspn(rest, ",");
        struct cli_given one = {given->option, rest};
        if (rest[length] == ',' || rest != given->value) {
            snprintf(text, sizeof text, "%.*s",
                length < sizeof text ? (int)length : 0, rest);
            one.value = text;
        }
        int status = cli_number(&at, asking->args, &one);
        if (status != CLI_YES)
            return status;
        if (asks)
            ask_at(asking, question, at);
        if (asking->status != CLI_YES && asking->status != CLI_UNABLE)
            return asking->status;
        rest = rest[length] == ',' ? rest + length + 1 : NULL;
    }
    return asking->status;
}

/* Whether a list of deltas is rather one number with a decimal comma: two
 * values without a point, the first of digits alone. */
static bool is_decimal_comma(const struct cli_given *given)
{
    static const char digits[] = "0123456789";
    size_t n = strspn(given->value, digits);

    if (given->option != OPTION_DELTA || n == 0 || given->value[n] != ',')
        return false;
    const char *behind = given->value + n + 1;
    return strspn(behind, digits) > 0 && strpbrk(behind, ",.") == NULL;
}

/* Nothing is answered unless all of the list is numbers. */
static int ask_list(struct asking *asking, const struct cli_given *given,
    const struct cli_question *question)
{
    if (is_decimal_comma(given))
        return cli_usage(asking->args,
            "%s needs numbers, got \"%s\"; the decimal sign is a point, and a "
            "comma is between numbers",
            cli_options[given->option].name, given->value);
    int status = walk_list(asking, given, question, false);

    return status == CLI_YES || status == CLI_UNABLE
               ? walk_list(asking, given, question, true)
               : status;
}

static int ask_given(struct asking *asking)
{
    const struct cli_arguments *args = asking->args;
    bool asked = false;

    if (args->command == COMMAND_GDP)
        ask_at(asking, cli_question_of(OPTION_FLOOR), 0);
    if (asking->status != CLI_YES && asking->status != CLI_UNABLE)
        return asking->status;
    for (size_t i = 0; i < args->n_given; i++) {
        const struct cli_question *question =
            cli_question_of(args->given[i].option);
        if (question == NULL)
            continue;
        asked = true;
        int status = ask_list(asking, &args->given[i], question);
        if (status != CLI_YES && status != CLI_UNABLE)
            return status;
    }
    if (cli_has(args, OPTION_POINTS))
        return ask_curve(asking, cli_question_of(OPTION_ALPHA));
    if (!asked && args->command == COMMAND_ZCDP)
        ask_at(asking, cli_question_of(OPTION_XI), 0);
    else if (!asked && args->command == COMMAND_GDP)
        ask_at(asking, cli_question_of(OPTION_FLOOR), DEFAULT_FLOOR);
    else if (!asked)
        return cli_question_missing(args);
    return asking->status;
}

int cli_ask(const struct cli_arguments *args)
{
    struct asking asking = {.args = args};

    if (cli_has(args, OPTION_ALPHA) && cli_has(args, OPTION_POINTS))
        return cli_usage(args, "either --alpha or --points");
    int status = cli_asking_read(&asking.how, args);
    if (status != CLI_YES)
        return status;
    cli_asking_keep(&asking.how);
    status = cli_plan_read(&asking.plan, args, args->operands[0]);
    size_t n_asked = 0;
    for (size_t i = 0; i < args->n_given; i++)
        if (cli_options[args->given[i].option].repeats)
            n_asked += strchr(args->given[i].value, ',') != NULL ? 2 : 1;
    asking.several = n_asked > 1 || cli_has(args, OPTION_POINTS) ||
                     args->command == COMMAND_GDP;
    if (status == CLI_YES) {
        if (cli_has(args, OPTION_CSV) && !cli_has(args, OPTION_JSON))
            puts("alpha,lower,upper");
        status = ask_given(&asking);
        if (asking.any)
            cli_write_provenance(args, &asking.previous);
        if (status == CLI_YES && args->command == COMMAND_GDP)
            status = cli_write_limit(args, asking.plan.plan, &asking.how);
    }
    if (status == CLI_YES && asking.vacuous)
        status = CLI_UNABLE;
    cli_plan_free(&asking.plan);
    cli_asking_free(&asking.how);
    return status;
}
