/*
 * Asks a plan the same question at one or many values and writes the
 * answers: for people with their provenance, as CSV, or as JSON objects that
 * are those of a batch.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <math.h>
#include <string.h>
#include <time.h>

struct asking {
    const struct cli_arguments *args;
    struct cli_plan plan;
    dosi_options options;
    int n_digits;
    bool several;         /* whether more than one value is asked at */
    bool any;             /* whether previous holds an answer */
    dosi_answer previous; /* whose provenance has not been shown yet */
    int status;           /* of what was asked so far */
};

static const char *neighbours_name(dosi_neighbours neighbours)
{
    return neighbours == DOSI_REPLACE ? "replace" : "add_remove";
}

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

static void write_line(const char *label, const char *text)
{
    if (text != NULL && text[0] != '\0')
        printf("  %-10s %s\n", label, text);
}

static void write_provenance(const dosi_answer *answer)
{
    write_line("route", answer->route);
    write_line("theorem", answer->theorem);
    if (answer->order > 0)
        printf("  order      %.6g\n", answer->order);
    if (answer->lower_meaning[0] != '\0')
        printf("  lower end  of %s\n", answer->lower_meaning);
    write_line("reason", answer->reason);
    for (size_t i = 0; i < answer->n_assumptions; i++)
        write_line("assumed", answer->assumptions[i]);
}

/* Which ends are wanted: both unless just one of them was asked for. */
static bool wants(const struct asking *asking, enum cli_option_id end)
{
    enum cli_option_id other =
        end == OPTION_LOWER ? OPTION_UPPER : OPTION_LOWER;
    return cli_has(asking->args, end) || !cli_has(asking->args, other);
}

/* The interval, or the one end of it that is wanted, rounded outward. */
static void write_ends(const struct asking *asking, dosi_interval x)
{
    char text[DOSI_NUMBER_BYTES];
    int n_digits = asking->n_digits > 0 ? asking->n_digits : 12;

    if (wants(asking, OPTION_LOWER) && wants(asking, OPTION_UPPER)) {
        cli_write_interval(x, asking->n_digits);
        return;
    }
    if (wants(asking, OPTION_LOWER))
        dosi_print_lower(text, x.lo, n_digits);
    else
        dosi_print_upper(text, x.hi, n_digits);
    fputs(text, stdout);
}

/* One line a value; the provenance once for neighbours that share it. */
static void write_people(struct asking *asking,
    const struct cli_question *question, double given,
    const dosi_answer *answer)
{
    char text[DOSI_NUMBER_BYTES];

    if (asking->any && !same_provenance(&asking->previous, answer))
        write_provenance(&asking->previous);
    asking->any = true;
    asking->previous = *answer;
    printf("%s ", question->label);
    write_ends(asking, answer->value);
    dosi_print_exact(text, given);
    printf("   %s %s, neighbours %s\n", question->given, text,
        neighbours_name(answer->neighbours));
    if (question->option == OPTION_EPSILON && answer->value.lo == 0 &&
        answer->log_value.lo > -HUGE_VAL) {
        fputs("  log delta  ", stdout);
        cli_write_interval(answer->log_value, asking->n_digits);
        putchar('\n');
    }
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
    if (answer->log_value.lo > -HUGE_VAL || answer->log_value.hi < HUGE_VAL) {
        cli_json_key("log_lower", false);
        cli_json_number(answer->log_value.lo);
        cli_json_key("log_upper", false);
        cli_json_number(answer->log_value.hi);
    }
    cli_json_text("route", answer->route, false);
    cli_json_text("theorem", answer->theorem, false);
    if (answer->order > 0) {
        cli_json_key("renyi_order", false);
        cli_json_number(answer->order);
    }
    cli_json_text("neighbours", neighbours_name(answer->neighbours), false);
    cli_json_text("lower_meaning", answer->lower_meaning, false);
    if (answer->reason != NULL)
        cli_json_text("reason", answer->reason, false);
    cli_json_key("assumptions", false);
    putchar('[');
    for (size_t i = 0; i < answer->n_assumptions; i++) {
        fputs(i > 0 ? "," : "", stdout);
        cli_json_string(answer->assumptions[i], strlen(answer->assumptions[i]));
    }
    putchar(']');
    cli_json_key("elapsed_us", false);
    cli_json_number(elapsed_us);
    puts("}");
}

/* Whether no guarantee was certified although there may be one. */
static bool is_vacuous(
    const struct cli_question *question, const dosi_answer *answer)
{
    double lo = answer->value.lo;
    double hi = answer->value.hi;

    if (answer->reason == NULL)
        return false;
    return question->safe_is_lower
               ? lo <= question->trivial && hi > question->trivial
               : hi >= question->trivial && lo < question->trivial;
}

double cli_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + floor((double)now.tv_nsec / 1e3);
}

static void ask_at(
    struct asking *asking, const struct cli_question *question, double given)
{
    dosi_answer answer;
    dosi_error err;

    double start_us = cli_now_us();
    if (question->at(&answer, asking->plan.plan, given, &asking->options,
            &err) != DOSI_OK) {
        asking->status = cli_fail(asking->args, &err, NULL, 0);
        return;
    }
    if (cli_has(asking->args, OPTION_JSON))
        write_json(asking, question, given, &answer, cli_now_us() - start_us);
    else if (cli_has(asking->args, OPTION_CSV))
        write_csv(given, &answer);
    else
        write_people(asking, question, given, &answer);
    if (is_vacuous(question, &answer))
        asking->status = CLI_UNABLE;
}

/* --points N: at 0, 1/(N-1), ..., 1. */
static int ask_curve(struct asking *asking, const struct cli_question *question)
{
    long n;

    int status = cli_whole(&n, asking->args, OPTION_POINTS, 2, 1000000, 0);
    if (status != CLI_YES)
        return status;
    for (long i = 0; i < n; i++) {
        ask_at(asking, question, (double)i / (double)(n - 1));
        if (asking->status != CLI_YES && asking->status != CLI_UNABLE)
            break;
    }
    return asking->status;
}

static int ask_given(struct asking *asking,
    const struct cli_question *questions, size_t n_questions)
{
    const struct cli_arguments *args = asking->args;
    bool asked = false;

    for (size_t i = 0; i < args->n_given; i++)
        for (size_t j = 0; j < n_questions; j++) {
            double given;
            if (args->given[i].option != questions[j].option)
                continue;
            asked = true;
            int status = cli_number(&given, args, &args->given[i]);
            if (status != CLI_YES)
                return status;
            ask_at(asking, &questions[j], given);
            if (asking->status != CLI_YES && asking->status != CLI_UNABLE)
                return asking->status;
        }
    if (cli_has(args, OPTION_POINTS))
        return ask_curve(asking, &questions[0]);
    if (!asked && questions[0].option == OPTION_XI) {
        ask_at(asking, &questions[0], 0);
        return asking->status;
    }
    if (!asked)
        return cli_usage(args, "missing %s%s",
            cli_options[questions[0].option].name,
            questions[0].option == OPTION_DELTA   ? " or --log-delta"
            : questions[0].option == OPTION_ALPHA ? " or --points"
                                                  : "");
    return asking->status;
}

int cli_ask(const struct cli_arguments *args,
    const struct cli_question *questions, size_t n_questions)
{
    struct asking asking = {.args = args};
    long n_digits;

    int status = cli_question_options(&asking.options, args);
    if (status == CLI_YES)
        status = cli_whole(&n_digits, args, OPTION_DIGITS, 1, 17, 0);
    if (status != CLI_YES)
        return status;
    asking.n_digits = (int)n_digits;
    status = cli_plan_read(&asking.plan, args, args->operands[0]);
    size_t n_asked = 0;
    for (size_t i = 0; i < args->n_given; i++)
        n_asked += cli_options[args->given[i].option].repeats;
    asking.several = n_asked > 1 || cli_has(args, OPTION_POINTS);
    if (status == CLI_YES) {
        if (cli_has(args, OPTION_CSV) && !cli_has(args, OPTION_JSON))
            puts("alpha,lower,upper");
        status = ask_given(&asking, questions, n_questions);
        if (asking.any)
            write_provenance(&asking.previous);
    }
    cli_plan_free(&asking.plan);
    return status;
}
