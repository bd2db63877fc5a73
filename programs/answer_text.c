/*
 * Answers for people. The first line gives the safe end with few digits,
 * rounded to its side, and in brackets what is known of the exact value; the
 * lines below it say what the answer rests on, in short or, with --verbose,
 * in full.
 */
#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_DIGITS 5
#define SURE_DIGITS 6  /* that both ends share, to call a value known */
#define MOST_DIGITS 12 /* of a value that is known */

struct cli_bound cli_bound_of(const struct cli_question *question,
    const dosi_answer *answer, const struct cli_asking *how)
{
    return (struct cli_bound){.value = answer->value,
        .safe_is_lower = question->safe_is_lower,
        .trivial = question->trivial,
        .meaning = answer->lower_meaning,
        .target = question->safe_is_lower ? -HUGE_VAL : HUGE_VAL,
        .n_digits = how->n_shown,
        .n_most = how->n_digits};
}

/* ---- Digits ----------------------------------------------------------------
 */

/* Significant digits of a printed number. */
static int count_digits(const char *text)
{
    int n = 0;

    for (; *text != '\0' && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (n > 0 || *text != '0'))
            n++;
    return n;
}

/* Rounded towards zero, to n digits. */
static void truncate(char text[DOSI_NUMBER_BYTES], double x, int n)
{
    if (x > 0)
        dosi_print_lower(text, x, n);
    else
        dosi_print_upper(text, x, n);
}

/* The zeros at the end that printing leaves out; false if zeros stand for
 * digits before the point that are not known. */
static bool pad_zeros(char text[CLI_VALUE_BYTES], int n)
{
    int n_missing = n - count_digits(text);
    size_t length = strlen(text);

    if (strchr(text, 'e') != NULL)
        return true;
    if (n_missing > 0 && strchr(text, '.') == NULL)
        text[length++] = '.';
    for (; n_missing > 0; n_missing--)
        text[length++] = '0';
    text[length] = '\0';
    return n_missing == 0;
}

/* The digits that both ends share, with "..."; false if they are few. */
static bool shared_digits(char text[CLI_VALUE_BYTES],
    const struct cli_bound *b)
{
    int most = b->n_most > 0 ? b->n_most : MOST_DIGITS;
    char other[DOSI_NUMBER_BYTES];
    dosi_interval x = b->value;

    if (!(x.lo > 0 || x.hi < 0) || isinf(x.lo) || isinf(x.hi))
        return false;
    for (int n = most; n >= SURE_DIGITS || n == most; n--) {
        truncate(text, x.lo, n);
        truncate(other, x.hi, n);
        if (strcmp(text, other) != 0)
            continue;
        bool good = pad_zeros(text, n);
        size_t n_digits = strcspn(text, "e"); /* d.ddd...e-30 */
        snprintf(other, sizeof other, "%s", text + n_digits);
        snprintf(text + n_digits, CLI_VALUE_BYTES - n_digits, "...%s", other);
        return good;
    }
    return false;
}

/* ---- The safe end ----------------------------------------------------------
 */

static double safe_end(const struct cli_bound *b)
{
    return b->safe_is_lower ? b->value.lo : b->value.hi;
}

/* Whether what is shown of the safe end meets the target if the end does. */
static bool shows_target(const struct cli_bound *b, const char *shown)
{
    double x = strtod(shown, NULL), end = safe_end(b);

    return b->safe_is_lower ? end < b->target || x >= b->target
                            : end > b->target || x <= b->target;
}

/* Few digits, or a little more where they show the width. */
static int shown_digits(const struct cli_bound *b)
{
    char text[CLI_VALUE_BYTES];
    int n = cli_interval_digits(b->value);

    if (b->n_digits > 0)
        return b->n_digits;
    return n > SHOWN_DIGITS && n <= SHOWN_DIGITS + 2 &&
                   !shared_digits(text, b)
               ? n
               : SHOWN_DIGITS;
}

/* A number of few digits that reads back as the end stands for it. */
static void end_text(char text[DOSI_NUMBER_BYTES], const struct cli_bound *b)
{
    int n = shown_digits(b);

    dosi_print_exact(text, safe_end(b));
    if (count_digits(text) <= n || safe_end(b) == b->target)
        return;
    do
        (b->safe_is_lower ? dosi_print_lower : dosi_print_upper)(
            text, safe_end(b), n);
    while (!shows_target(b, text) && ++n <= 17);
}

void cli_bound_text(char text[CLI_BOUND_BYTES], const struct cli_bound *b)
{
    char end[DOSI_NUMBER_BYTES];

    end_text(end, b);
    bool is_infinite = b->value.lo == b->value.hi && isinf(b->value.lo);
    snprintf(text, CLI_BOUND_BYTES, "%s %s",
        is_infinite        ? "="
        : b->safe_is_lower ? ">="
                           : "<=",
        end);
}

/* ---- What is known of the exact value --------------------------------------
 */

static bool is_of_class(const struct cli_bound *b)
{
    return strcmp(b->meaning, "the class") == 0;
}

static bool is_of_mechanism(const struct cli_bound *b)
{
    return strcmp(b->meaning, "the mechanism") == 0;
}

/* Whether the end that is not safe says anything. */
static bool is_other_known(const struct cli_bound *b)
{
    if (b->meaning[0] == '\0' || strncmp(b->meaning, "nothing", 7) == 0)
        return false;
    return b->safe_is_lower || b->value.lo != 0;
}

/* Where the safe end bounds nothing. */
static void say_trivial(char text[CLI_BRACKET_BYTES], const struct cli_bound *b)
{
    double other = b->safe_is_lower ? b->value.hi : b->value.lo;
    char number[DOSI_NUMBER_BYTES];

    dosi_print_exact(number, b->trivial);
    if (b->value.lo == b->value.hi && is_of_class(b)) {
        snprintf(text, CLI_BRACKET_BYTES,
            "the stated guarantees allow no better");
    } else if (b->value.lo == b->value.hi && isinf(b->trivial)) {
        snprintf(text, CLI_BRACKET_BYTES, "no finite bound holds");
    } else if (b->value.lo == b->value.hi) {
        snprintf(text, CLI_BRACKET_BYTES, "no bound %s %s holds",
            b->safe_is_lower ? "above" : "below", number);
    } else if (is_other_known(b)) {
        (b->safe_is_lower ? dosi_print_upper : dosi_print_lower)(
            number, other, SHOWN_DIGITS);
        snprintf(text, CLI_BRACKET_BYTES, "no bound was certified; it is at "
            "%s %s", b->safe_is_lower ? "most" : "least", number);
    } else {
        snprintf(text, CLI_BRACKET_BYTES, "no bound was certified");
    }
}

/* What is known of the value, without saying what the value is. */
static void value_text(char text[CLI_VALUE_BYTES], const struct cli_bound *b)
{
    char interval[CLI_INTERVAL_BYTES];

    if (b->value.lo == b->value.hi) {
        dosi_print_exact(text, b->value.lo);
    } else if (!shared_digits(text, b)) {
        cli_interval_text(interval, b->value, b->n_most);
        char *dots = strstr(interval, " .. ");
        snprintf(text, CLI_VALUE_BYTES, "between %.*s and %s",
            (int)(dots - interval), interval, dots + 4);
    }
}

void cli_bracket_text(char text[CLI_BRACKET_BYTES], const struct cli_bound *b)
{
    char value[CLI_VALUE_BYTES], end[DOSI_NUMBER_BYTES];

    text[0] = '\0';
    if (safe_end(b) == b->trivial) {
        say_trivial(text, b);
        return;
    }
    if (b->value.lo != b->value.hi && !is_other_known(b))
        return;
    value_text(value, b);
    end_text(end, b);
    bool is_shown = strcmp(value, end) == 0;
    bool is_between = strncmp(value, "between", 7) == 0;
    if (is_of_class(b))
        snprintf(text, CLI_BRACKET_BYTES,
            "worst case under the stated guarantees%s%s",
            is_shown     ? ""
            : is_between ? " "
                         : ": ",
            is_shown ? "" : value);
    else if (is_other_known(b) && !is_of_mechanism(b))
        snprintf(text, CLI_BRACKET_BYTES, "%s of %s", value, b->meaning);
    else
        snprintf(text, CLI_BRACKET_BYTES, "%s%s",
            is_shown     ? "exact"
            : is_between ? ""
                         : "exact value ",
            is_shown ? "" : value);
}

void cli_write_bound(const struct cli_bound *b, const char *between)
{
    char bound[CLI_BOUND_BYTES], bracket[CLI_BRACKET_BYTES];

    cli_bound_text(bound, b);
    cli_bracket_text(bracket, b);
    printf("%s%s%s%s", cli_style(STYLE_STRONG), bound,
        cli_style(STYLE_PLAIN), between);
    if (bracket[0] != '\0')
        printf("   %s(%s)%s", cli_style(STYLE_FAINT), bracket,
            cli_style(STYLE_PLAIN));
    putchar('\n');
}

void cli_write_headline(const struct cli_question *question, double given,
    const struct cli_bound *b, const char *also)
{
    char between[160], at[DOSI_NUMBER_BYTES];
    bool is_default = question->hides_zero && given == 0;

    dosi_print_exact(at, given);
    snprintf(between, sizeof between, "%s%s%s",
        is_default ? "" : question->condition, is_default ? "" : at, also);
    printf("%s ", question->label);
    cli_write_bound(b, between);
}

void cli_write_details(
    const struct cli_arguments *args, dosi_interval x, int n_digits)
{
    if (!cli_has(args, OPTION_DETAILS))
        return;
    fputs("  interval   ", stdout);
    cli_write_interval(x, n_digits);
    putchar('\n');
}

/* ---- What the answer rests on ----------------------------------------------
 */

/* How assumptions begin that say how records were chosen: the ones that are
 * most often not met. */
static const char *const on_samplers[] = {
    "every record was sampled", "every batch was drawn",
    "the mechanism that poisson samples"};

bool cli_is_on_sampler(const char *assumption)
{
    for (size_t i = 0; i < sizeof on_samplers / sizeof *on_samplers; i++)
        if (strncmp(assumption, on_samplers[i], strlen(on_samplers[i])) == 0)
            return true;
    return false;
}

static void write_line(const char *label, const char *text)
{
    if (text != NULL && text[0] != '\0')
        printf("  %-10s %s\n", label, text);
}

/* Those on samplers, or the others; returns how many there are. */
static size_t write_assumed(
    const dosi_answer *answer, bool on_sampler, bool writes)
{
    size_t n = 0;

    for (size_t i = 0; i < answer->n_assumptions; i++) {
        if (cli_is_on_sampler(answer->assumptions[i]) != on_sampler)
            continue;
        n++;
        if (writes)
            printf("  %sassumed%s    %s\n",
                cli_style(on_sampler ? STYLE_WARNING : STYLE_PLAIN),
                cli_style(STYLE_PLAIN), answer->assumptions[i]);
    }
    return n;
}

void cli_write_provenance(
    const struct cli_arguments *args, const dosi_answer *answer)
{
    bool in_full = cli_has(args, OPTION_DETAILS);
    char citation[DOSI_CITATION_BYTES];

    write_assumed(answer, true, true);
    write_line("neighbours", cli_neighbours_name(answer->neighbours));
    dosi_citation(citation, answer->theorem);
    if (in_full)
        write_line("route", cli_route_words(answer->route));
    write_line("theorem", citation);
    if (in_full && answer->order > 0)
        printf("  order      %.6g\n", answer->order);
    if (in_full && answer->lower_meaning[0] != '\0')
        printf("  lower end  of %s\n", answer->lower_meaning);
    write_line("reason", answer->reason);
    size_t n = write_assumed(answer, false, in_full);
    if (n > 0 && !in_full)
        printf("  assumed    %zu more; -v lists them\n", n);
}

const char *cli_route_words(const char *route)
{
    return strcmp(route, "closed") == 0 ? "closed form" : route;
}
