/*
 * Claims out of CSV (RFC 4180): a header names the columns, among them plan;
 * a field with a comma, such as most plans, is in double quotes.
 */
#define _POSIX_C_SOURCE 200809L
#include "claims.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 32

/* One record, cut at its commas in place. */
struct record {
    unsigned long line; /* of its start, from 1 */
    char *cells[MOST_COLUMNS];
    size_t n;
};

struct table {
    const struct cli_arguments *args;
    char *rest; /* what is not read yet */
    unsigned long line;
    struct record header;
};

__attribute__((format(printf, 3, 4))) static int fail_at(
    const struct table *t, unsigned long line, const char *format, ...)
{
    char message[DOSI_MESSAGE_BYTES];
    va_list list;

    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return cli_usage(t->args, "line %lu of the claims: %s", line, message);
}

/* Cuts one field off, without its quotes. Returns the sign behind it: a
 * comma, the end of the line or '\0'; '"' for a quote that is not closed. */
static char take_field(char **out, struct table *t)
{
    char *from = t->rest, *to = t->rest;
    bool quoted = *from == '"', closed = !quoted;

    *out = to;
    from += quoted;
    while (*from != '\0' && (quoted || strchr(",\r\n", *from) == NULL)) {
        if (quoted && *from == '"' && *++from != '"') {
            closed = true; /* two quotes are one that is meant */
            break;
        }
        t->line += *from == '\n';
        *to++ = *from++;
    }
    char behind = *from; /* strchr finds the end of the text, too */
    if (!closed || strchr(",\r\n", behind) == NULL)
        return '"';
    if (behind == '\r' && from[1] == '\n')
        behind = *++from;
    t->rest = from + (behind != '\0');
    t->line += behind == '\n';
    *to = '\0';
    return behind;
}

/* The next record that is not blank; one without cells at the end. */
static int take_record(struct record *out, struct table *t)
{
    do {
        *out = (struct record){.line = t->line};
        char behind = ',';
        while (behind == ',' && !(out->n == 0 && *t->rest == '\0')) {
            if (out->n == MOST_COLUMNS)
                return fail_at(
                    t, out->line, "more than %d columns", MOST_COLUMNS);
            behind = take_field(&out->cells[out->n++], t);
            if (behind == '"')
                return fail_at(t, out->line,
                    "a quoted field must end in a quote and a comma or line "
                    "end");
        }
    } while (out->n == 1 && out->cells[0][0] == '\0');
    return CLI_YES;
}

/* The cell of a column, or "" where there is none. */
static const char *cell(
    const struct table *t, const struct record *r, const char *column)
{
    for (size_t i = 0; i < r->n && i < t->header.n; i++)
        if (strcmp(t->header.cells[i], column) == 0)
            return r->cells[i];
    return "";
}

/* The columns that are not a target's. */
static const char *const own[] = {"label", "plan", "neighbours", "neighbors"};

#define N_OWN (sizeof own / sizeof *own)

static bool is_column(const char *name)
{
    for (size_t i = 0; i < N_OWN; i++)
        if (strcmp(name, own[i]) == 0)
            return true;
    for (size_t i = 0; i < CLI_TARGET_ROWS; i++)
        if (strcmp(name, cli_target_rows[i].label) == 0 ||
            (cli_target_rows[i].given != NULL &&
                strcmp(name, cli_target_rows[i].given) == 0))
            return true;
    return false;
}

static int check_header(const struct table *t)
{
    bool has_plan = false;

    for (size_t i = 0; i < t->header.n; i++) {
        const char *name = t->header.cells[i];
        if (!is_column(name))
            return fail_at(t, t->header.line,
                "no column is called \"%s\"; they are label, plan, "
                "neighbours, and targets as epsilon and delta",
                name);
        for (size_t j = 0; j < i; j++)
            if (strcmp(name, t->header.cells[j]) == 0)
                return fail_at(t, t->header.line,
                    "the column \"%s\" is there twice", name);
        has_plan = has_plan || strcmp(name, "plan") == 0;
    }
    return has_plan ? CLI_YES
                    : fail_at(t, t->header.line,
                          "the header has no column \"plan\"");
}

static int read_number(double *out, const struct table *t,
    const struct record *r, const char *column)
{
    const char *text = cell(t, r, column);

    *out = 0;
    if (text[0] != '\0' && !cli_number_parse(out, text))
        return fail_at(
            t, r->line, "%s needs a number, got \"%s\"", column, text);
    return CLI_YES;
}

/* The cells of a target are all that a record has but for its own. */
static int read_target(
    dosi_target *out, const struct table *t, const struct record *r)
{
    size_t n_cells = 0;

    for (size_t i = 0; i < r->n; i++)
        n_cells += r->cells[i][0] != '\0';
    for (size_t i = 0; i < N_OWN; i++)
        n_cells -= cell(t, r, own[i])[0] != '\0';
    for (size_t i = 0; i < CLI_TARGET_ROWS; i++) {
        const struct cli_target_row *row = &cli_target_rows[i];
        bool has_at = row->given != NULL && cell(t, r, row->given)[0] != '\0';
        if (cell(t, r, row->label)[0] == '\0' ||
            !(has_at || row->at_defaults) || n_cells != 1u + has_at)
            continue;
        *out = (dosi_target){.kind = row->kind};
        int status = read_number(&out->value, t, r, row->label);
        if (status == CLI_YES && has_at)
            status = read_number(&out->at, t, r, row->given);
        return status;
    }
    return fail_at(t, r->line,
        "one target is needed: epsilon and delta or log_delta, beta and "
        "alpha, renyi and order, rho, mu or advantage");
}

static int read_claim(struct claim *out, const struct table *t,
    const struct record *r, dosi_neighbours neighbours)
{
    const char *word = cell(t, r, "neighbours");
    const char *label = cell(t, r, "label"), *plan = cell(t, r, "plan");
    dosi_error err;

    if (r->n > t->header.n)
        return fail_at(t, r->line,
            "%zu fields under %zu columns; a plan "
            "with a comma needs quotes",
            r->n, t->header.n);
    word = word[0] != '\0' ? word : cell(t, r, "neighbors");
    out->neighbours = neighbours;
    if (word[0] != '\0' && !cli_neighbours_find(&out->neighbours, word))
        return fail_at(t, r->line,
            "neighbours is add_remove or replace, got \"%s\"", word);
    int status = read_target(&out->target, t, r);
    if (status != CLI_YES)
        return status;
    if (dosi_plan_parse(&out->plan, plan, strlen(plan), &err) != DOSI_OK)
        return fail_at(t, r->line, "%s", err.message);
    out->label = label[0] != '\0' ? strdup(label) : NULL;
    return label[0] != '\0' && out->label == NULL ? cli_no_memory() : CLI_YES;
}

int claims_read_csv(struct claims *out, const struct cli_arguments *args,
    char *text, dosi_neighbours neighbours)
{
    struct table t = {.args = args, .rest = text, .line = 1};
    struct record r;

    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        t.rest += 3; /* what some programs put before UTF-8 */
    int status = take_record(&t.header, &t);
    if (status == CLI_YES)
        status = check_header(&t);
    while (status == CLI_YES) {
        struct claim claim = {0};
        status = take_record(&r, &t);
        if (status != CLI_YES || r.n == 0)
            break;
        status = read_claim(&claim, &t, &r, neighbours);
        int added = claims_add(out, claim);
        status = status == CLI_YES ? added : status;
    }
    if (status == CLI_YES && out->n == 0)
        status = cli_usage(
            args, "there is no claim in %s", cli_value(args, OPTION_CLAIMS));
    return status;
}
