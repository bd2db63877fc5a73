/*
 * Claims out of CSV: a header names the columns, among them plan.
 */
#define _POSIX_C_SOURCE 200809L
#include "claims.h"
#include "csv_text.h"
#include "plan_files.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    const struct cli_arguments *args;
    struct csv_table table;
};

__attribute__((format(printf, 3, 4))) static int fail_at(
    const struct reading *t, unsigned long line, const char *format, ...)
{
    char message[DOSI_MESSAGE_BYTES];
    va_list list;

    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return cli_usage(t->args, "line %lu of the claims: %s", line, message);
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

static int check_header(const struct reading *t)
{
    const struct csv_record *header = &t->table.header;
    const char *twice = csv_twice(&t->table);
    bool has_plan = false;

    for (size_t i = 0; i < header->n; i++) {
        const char *name = header->cells[i];
        if (!is_column(name))
            return fail_at(t, header->line,
                "no column is called \"%s\"; they are label, plan, "
                "neighbours, and targets as epsilon and delta",
                name);
        has_plan = has_plan || strcmp(name, "plan") == 0;
    }
    if (twice != NULL)
        return fail_at(
            t, header->line, "the column \"%s\" is there twice", twice);
    return has_plan ? CLI_YES
                    : fail_at(t, header->line,
                          "the header has no column \"plan\"");
}

static int read_number(double *out, const struct reading *t,
    const struct csv_record *r, const char *column)
{
    const char *text = csv_cell(&t->table, r, column);

    *out = 0;
    if (text[0] != '\0' && !cli_number_parse(out, text))
        return fail_at(
            t, r->line, "%s needs a number, got \"%s\"", column, text);
    return CLI_YES;
}

/* The cells of a target are all cells of a record except the claim's own. */
static int read_target(
    dosi_target *out, const struct reading *t, const struct csv_record *r)
{
    size_t n_cells = 0;

    for (size_t i = 0; i < r->n; i++)
        n_cells += r->cells[i][0] != '\0';
    for (size_t i = 0; i < N_OWN; i++)
        n_cells -= csv_cell(&t->table, r, own[i])[0] != '\0';
    for (size_t i = 0; i < CLI_TARGET_ROWS; i++) {
        const struct cli_target_row *row = &cli_target_rows[i];
        bool has_at = row->given != NULL &&
                      csv_cell(&t->table, r, row->given)[0] != '\0';
        if (csv_cell(&t->table, r, row->label)[0] == '\0' ||
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

/* The plan of a claim; files that it includes are in the folder of the claims'
 * file. */
static int read_plan(const dosi_plan **out, const struct reading *t,
    const struct csv_record *r, dosi_neighbours neighbours)
{
    const char *text = csv_cell(&t->table, r, "plan");
    const char *path = cli_value(t->args, OPTION_CLAIMS);
    struct plan_failure failure = {0};
    int status = CLI_YES;

    if (plan_text_read(out, path, text, strlen(text), neighbours, &failure) !=
        DOSI_OK) {
        bool is_inside =
            failure.name != NULL && strcmp(failure.name, path) != 0;
        status = fail_at(t, r->line, "%.100s%s%s",
            is_inside ? failure.name : "", is_inside ? ": " : "",
            failure.err.message);
    }
    plan_failure_free(&failure);
    return status;
}

static int read_claim(struct claim *out, const struct reading *t,
    const struct csv_record *r, dosi_neighbours neighbours)
{
    const char *word = csv_cell(&t->table, r, "neighbours");
    const char *label = csv_cell(&t->table, r, "label");

    if (r->n > t->table.header.n)
        return fail_at(t, r->line,
            "%zu fields under %zu columns; a plan "
            "with a comma needs quotes",
            r->n, t->table.header.n);
    word = word[0] != '\0' ? word : csv_cell(&t->table, r, "neighbors");
    out->neighbours = neighbours;
    if (word[0] != '\0' && !cli_neighbours_find(&out->neighbours, word))
        return fail_at(t, r->line,
            "neighbours is add_remove or replace, got \"%s\"", word);
    int status = read_target(&out->target, t, r);
    if (status != CLI_YES)
        return status;
    status = read_plan(&out->plan, t, r, out->neighbours);
    if (status != CLI_YES)
        return status;
    out->label = label[0] != '\0' ? strdup(label) : NULL;
    return label[0] != '\0' && out->label == NULL ? cli_no_memory() : CLI_YES;
}

int claims_read_csv(struct claims *out, const struct cli_arguments *args,
    char *text, dosi_neighbours neighbours)
{
    struct reading t = {.args = args};
    struct csv_record r;

    const char *reason = csv_open(&t.table, text);
    int status = reason == NULL
                     ? check_header(&t)
                     : fail_at(&t, t.table.header.line, "%s", reason);
    while (status == CLI_YES) {
        struct claim claim = {0};
        reason = csv_next(&r, &t.table);
        if (reason != NULL)
            return fail_at(&t, r.line, "%s", reason);
        if (r.n == 0)
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
