/*
 * dosimeter formula eval --batch: lines id,params[,value] on standard input,
 * lines id,params,lower,upper or id,params,error,STATUS: message on stdout.
 * With --check a value has to lie in its interval.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One line, cut at its commas in place. */
struct row {
    unsigned long number;
    char *id;
    char *params;
    char *value; /* NULL when the line has no third field */
};

struct tally {
    unsigned long n_passed;
    unsigned long n_failed;
    double widest;
};

static bool row_cut(struct row *row, char *line, dosi_error *err)
{
    row->id = line;
    row->params = line + strcspn(line, ",");
    row->value = NULL;
    if (*row->params == '\0') {
        *err = (dosi_error){.status = DOSI_ESYNTAX,
            .offset = DOSI_NO_OFFSET,
            .message = "a line is id,params or id,params,value"};
        return false;
    }
    *row->params++ = '\0';
    char *comma = strchr(row->params, ',');
    if (comma != NULL) {
        *comma = '\0';
        row->value = comma + 1;
    }
    return true;
}

static void write_csv(
    const struct row *row, dosi_interval x, const dosi_error *err)
{
    char lower[DOSI_NUMBER_BYTES];
    char upper[DOSI_NUMBER_BYTES];

    printf("%s,%s,", row->id, row->params);
    if (err != NULL) {
        printf("error,%s: %s\n", dosi_status_name(err->status), err->message);
        return;
    }
    dosi_print_lower(lower, x.lo, 17);
    dosi_print_upper(upper, x.hi, 17);
    printf("%s,%s\n", lower, upper);
}

static void write_json(
    const struct row *row, dosi_interval x, const dosi_error *err)
{
    putchar('{');
    cli_json_text("id", row->id, true);
    cli_json_text("params", row->params, false);
    if (err != NULL) {
        cli_json_key("error", false);
        putchar('{');
        cli_json_text("status", dosi_status_name(err->status), true);
        cli_json_text("message", err->message, false);
        puts("}}");
        return;
    }
    cli_json_key("lower", false);
    cli_json_number(x.lo);
    cli_json_key("upper", false);
    cli_json_number(x.hi);
    puts("}");
}

/* Counts the row and says on stderr why it failed. */
static void check(struct tally *tally, const struct row *row, dosi_interval x,
    const dosi_error *err, bool verbose)
{
    bool readable = true;
    const char *why = err != NULL ? err->message : "no value to compare with";

    if (err == NULL && row->value != NULL) {
        bool inside = cli_contains(x, row->value, &readable);
        why = inside     ? NULL
              : readable ? "the value is outside"
                         : "the value is not a number";
    }
    if (err == NULL && x.hi > x.lo) {
        double scale = fmax(fabs(x.lo), fabs(x.hi));
        double width = scale < HUGE_VAL ? (x.hi - x.lo) / scale : HUGE_VAL;
        tally->widest = fmax(tally->widest, width);
        if (verbose)
            cli_say("line %lu: %s: relative width %.3g", row->number, row->id,
                width);
    }
    if (why == NULL) {
        tally->n_passed++;
        return;
    }
    tally->n_failed++;
    cli_say("line %lu: %s: %s: %s", row->number, row->id,
        row->value != NULL ? row->value : "-", why);
}

static void answer(struct tally *tally, const struct cli_arguments *args,
    char *line, size_t n, unsigned long number)
{
    struct row row = {.number = number, .id = line, .params = line + n};
    dosi_interval x = {-HUGE_VAL, HUGE_VAL};
    dosi_error err = {.status = DOSI_OK};

    if (strlen(line) != n)
        err = (dosi_error){.status = DOSI_ESYNTAX,
            .offset = DOSI_NO_OFFSET,
            .message = "the line holds a zero byte"};
    else if (row_cut(&row, line, &err))
        err.status = dosi_formula_eval(&x, row.id, row.params, &err);
    for (char *c = err.message; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?'; /* the message quotes what it was given */
    const dosi_error *fault = err.status != DOSI_OK ? &err : NULL;
    if (cli_has(args, OPTION_JSON))
        write_json(&row, x, fault);
    else
        write_csv(&row, x, fault);
    if (cli_has(args, OPTION_CHECK))
        check(tally, &row, x, fault, cli_has(args, OPTION_VERBOSE));
}

static int finish(const struct tally *tally, const struct cli_arguments *args)
{
    if (!cli_has(args, OPTION_CHECK))
        return CLI_YES;
    if (cli_has(args, OPTION_VERBOSE))
        cli_say("largest relative width %.3g", tally->widest);
    if (cli_has(args, OPTION_JSON))
        printf("{\"passed\":%lu,\"failed\":%lu}\n", tally->n_passed,
            tally->n_failed);
    else
        printf("%lu passed, %lu failed\n", tally->n_passed, tally->n_failed);
    return tally->n_failed > 0 ? CLI_NO : CLI_YES;
}

int cli_formula_batch(const struct cli_arguments *args)
{
    struct tally tally = {0};
    char *line = NULL;
    size_t capacity = 0;
    unsigned long number = 0;
    int status = CLI_YES;
    ssize_t got;

    errno = 0;
    while (status == CLI_YES && (got = getline(&line, &capacity, stdin)) >= 0) {
        size_t n = (size_t)got;
        number++;
        while (n > 0 && (line[n - 1] == '\n' || line[n - 1] == '\r'))
            line[--n] = '\0';
        if (n == 0 || strcmp(line, "id,params,value") == 0 ||
            strcmp(line, "id,params") == 0)
            continue;
        answer(&tally, args, line, n, number);
        if (ferror(stdout))
            status = cli_flush();
    }
    if (status == CLI_YES && !feof(stdin)) {
        cli_say("cannot read standard input: %s", strerror(errno));
        status = CLI_SYSTEM;
    }
    free(line);
    return status != CLI_YES ? status : finish(&tally, args);
}
