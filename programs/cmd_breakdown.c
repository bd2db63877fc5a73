/*
 * dosimeter breakdown: what each part of a plan costs alone, what the plan
 * costs without it, and its share; as a table with bars, CSV, JSON or SVG.
 */
#include "breakdown.h"

#include <stdlib.h>
#include <string.h>

#include "jobs.h"
#include "svg_bars.h"

#define BAR_COLUMNS 20
#define DIGITS 6

/* Bars of a picture; the last one is what the others have together. */
#define MOST_BARS 40

/* ---- Writing ---------------------------------------------------------------
 */

static void percent_text(char text[16], double share)
{
    snprintf(text, 16, "%.1f %%", 100 * share);
}

/* The longest bar is that of the first part. */
static void write_bar(const struct breakdown *b, double share)
{
    double most = b->parts[0].share;
    int n = most > 0 ? (int)(share / most * BAR_COLUMNS + 0.5) : 0;

    for (int i = 0; i < BAR_COLUMNS; i++)
        putchar(i < n ? '#' : ' ');
}

static void write_table(const struct breakdown *b, const struct cli_asking *how)
{
    struct cli_bound all = cli_bound_of(b->question, &b->all, how);
    char share[16];
    char alone[DOSI_NUMBER_BYTES], without[DOSI_NUMBER_BYTES];
    int n = how->n_digits > 0 ? how->n_digits : DIGITS;

    cli_write_headline(b->question, b->given, &all, "");
    printf("  neighbours %s\n", cli_neighbours_name(b->all.neighbours));
    printf("  %7s  %-*s  %-12s %-12s %s\n", "share", BAR_COLUMNS, "", "alone",
        "without", "part");
    for (size_t i = 0; i < b->n; i++) {
        const struct breakdown_part *part = &b->parts[i];
        percent_text(share, part->share);
        dosi_print_upper(alone, part->alone.value.hi, n);
        dosi_print_upper(without, part->without.value.hi, n);
        printf("  %7s  ", b->has_shares ? share : "-");
        write_bar(b, part->share);
        printf("  %-12s %-12s %s\n", alone, without, part->text);
    }
    if (b->all.reason != NULL)
        printf("  reason     %s\n", b->all.reason);
    printf("  alone and without are upper ends, safe to report; a share is "
           "the mean of what\n  the part adds first and last, of all such "
           "means\n");
}

static void write_quoted(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++)
        printf(*text == '"' ? "\"\"" : "%c", *text);
    putchar('"');
}

static void write_csv(const struct breakdown *b)
{
    puts("part,alone_lower,alone_upper,without_lower,without_upper,share,"
         "label");
    for (size_t i = 0; i < b->n; i++) {
        const struct breakdown_part *part = &b->parts[i];
        const dosi_interval ends[] = {part->alone.value, part->without.value};
        const char *label = dosi_plan_label(part->plan);
        write_quoted(part->plain);
        for (size_t j = 0; j < 2; j++) {
            char text[DOSI_NUMBER_BYTES];
            dosi_print_lower(text, ends[j].lo, 17);
            printf(",%s", text);
            dosi_print_upper(text, ends[j].hi, 17);
            printf(",%s", text);
        }
        if (b->has_shares)
            printf(",%.6f,", part->share);
        else
            fputs(",,", stdout);
        if (label != NULL)
            write_quoted(label);
        putchar('\n');
    }
}

static void write_json(const struct breakdown *b)
{
    putchar('{');
    cli_json_text("query", cli_commands[b->question->command].name, true);
    cli_json_key(b->question->given, false);
    cli_json_number(b->given);
    cli_json_key("lower", false);
    cli_json_number(b->all.value.lo);
    cli_json_key("upper", false);
    cli_json_number(b->all.value.hi);
    cli_json_provenance(&b->all);
    cli_json_key("parts", false);
    putchar('[');
    for (size_t i = 0; i < b->n; i++) {
        const struct breakdown_part *part = &b->parts[i];
        fputs(i > 0 ? ",\n{" : "\n{", stdout);
        cli_json_text("part", part->plain, true);
        if (dosi_plan_label(part->plan) != NULL)
            cli_json_text("label", dosi_plan_label(part->plan), false);
        cli_json_interval("alone", part->alone.value, false);
        cli_json_interval("without", part->without.value, false);
        cli_json_key("share", false);
        if (b->has_shares)
            cli_json_number(part->share);
        else
            fputs("null", stdout);
        putchar('}');
    }
    puts("]}");
}

/* ---- The picture -----------------------------------------------------------
 */

struct bar_words {
    char text[64];
};

/* Fills in one bar a part; of many the last ones are one bar. */
static size_t make_bars(svg_bar *bars, struct bar_words *words,
    struct bar_words *others, const struct breakdown *b)
{
    size_t n = b->n > MOST_BARS ? MOST_BARS : b->n;

    for (size_t i = 0; i < n; i++) {
        const struct breakdown_part *part = &b->parts[i];
        bool is_rest = i + 1 < b->n && i + 1 == n;
        double share = part->share;
        char percent[16], alone[DOSI_NUMBER_BYTES];
        for (size_t j = i + 1; j < b->n && is_rest; j++)
            share += b->parts[j].share;
        percent_text(percent, share);
        dosi_print_upper(alone, part->alone.value.hi, 4);
        if (is_rest)
            snprintf(words[i].text, sizeof words[i].text, "%s", percent);
        else
            snprintf(words[i].text, sizeof words[i].text, "%s, alone %s",
                percent, alone);
        snprintf(others->text, sizeof others->text, "%zu others", b->n - i);
        bars[i] = (svg_bar){.name = is_rest ? others->text : part->text,
            .words = words[i].text,
            .length = share};
    }
    return n;
}

static int write_picture(
    const struct cli_arguments *args, const struct breakdown *b)
{
    svg_bar bars[MOST_BARS];
    struct bar_words words[MOST_BARS], others;
    struct cli_output output;
    char subtitle[256], upper[DOSI_NUMBER_BYTES], at[DOSI_NUMBER_BYTES];
    const char *title = cli_value(args, OPTION_TITLE);

    if (!b->has_shares) {
        cli_say("there is no picture where the plan or a part of it costs "
                "nothing or without bound");
        return CLI_UNABLE;
    }
    dosi_print_upper(upper, b->all.value.hi, DIGITS);
    dosi_print_exact(at, b->given);
    snprintf(subtitle, sizeof subtitle,
        "shares of %s <= %s at %s %s, neighbours %s", b->question->label, upper,
        b->question->given, at, cli_neighbours_name(b->all.neighbours));
    int status = cli_output_open(&output, cli_value(args, OPTION_OUTPUT));
    if (status != CLI_YES)
        return status;
    svg_bars_write(output.stream, title != NULL ? title : "What the parts cost",
        subtitle, bars, make_bars(bars, words, &others, b));
    return cli_output_close(&output, CLI_YES);
}

/* ---- The command -----------------------------------------------------------
 */

/* The one question that the options ask. */
static int read_question(const struct cli_question **question, double *given,
    const struct cli_arguments *args)
{
    *question = NULL;
    for (size_t i = 0; i < args->n_given; i++) {
        const struct cli_question *asked =
            cli_question_of(args->given[i].option);
        if (asked == NULL)
            continue;
        if (*question != NULL)
            return cli_usage(args, "one question at a time: one of --delta, "
                                   "--log-delta and --epsilon");
        *question = asked;
        int status = cli_number(given, args, &args->given[i]);
        if (status != CLI_YES)
            return status;
    }
    return *question != NULL ? CLI_YES : cli_question_missing(args);
}

static int write_breakdown(const struct cli_arguments *args,
    const struct breakdown *b, const struct cli_asking *how)
{
    if (cli_has(args, OPTION_OUTPUT)) {
        int status = write_picture(args, b);
        if (status != CLI_YES)
            return status;
    }
    if (cli_has(args, OPTION_JSON))
        write_json(b);
    else if (cli_has(args, OPTION_CSV))
        write_csv(b);
    else if (!cli_has(args, OPTION_OUTPUT))
        write_table(b, how);
    return cli_is_vacuous(b->question, &b->all) ? CLI_UNABLE : CLI_YES;
}

int cli_breakdown(const struct cli_arguments *args)
{
    const struct cli_question *question = NULL;
    struct breakdown breakdown = {0};
    struct cli_plan plan = {0};
    struct cli_asking how;
    size_t n_jobs = 1;
    double given = 0;
    dosi_error err;

    int status = cli_output_check(args, "svg", "a .svg file");
    if (status == CLI_YES)
        status = cli_text_check(args, OPTION_TITLE);
    if (status == CLI_YES)
        status = cli_asking_read(&how, args);
    if (status == CLI_YES)
        status = cli_jobs_read(&n_jobs, args, 0);
    if (status == CLI_YES)
        status = read_question(&question, &given, args);
    if (status == CLI_YES)
        status = cli_plan_read(&plan, args, args->operands[0]);
    if (status == CLI_YES)
        status = breakdown_make(&breakdown, plan.plan, question, given, &how,
                     n_jobs, &err) == DOSI_OK
                     ? write_breakdown(args, &breakdown, &how)
                     : cli_fail(args, &err, NULL, 0);
    breakdown_free(&breakdown);
    cli_plan_free(&plan);
    return status;
}
