/*
 * Curves of others, from a CSV in the columns that plot writes, drawn with
 * those of plans. Nothing about them is certified here.
 */
#include "curves.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "csv_text.h"

__attribute__((format(printf, 3, 4))) static int fail_at(
    const struct cli_arguments *args, unsigned long line, const char *format,
    ...)
{
    char message[DOSI_MESSAGE_BYTES];
    va_list list;

    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    return cli_usage(args, "line %lu of %s: %s", line,
        cli_value(args, OPTION_OVERLAY), message);
}

static int check_header(const struct curve_plot *plot,
    const struct cli_arguments *args, const struct csv_table *table)
{
    const char *columns[] = {"plan", curves_x_name(plot), "lower", "upper"};
    const struct csv_record *header = &table->header;

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        bool has_column = false;
        for (size_t j = 0; j < header->n; j++)
            has_column |= strcmp(header->cells[j], columns[i]) == 0;
        if (!has_column)
            return fail_at(args, header->line,
                "the columns must be plan,%s,lower,upper, and \"%s\" is not "
                "there",
                columns[1], columns[i]);
    }
    return CLI_YES;
}

/* The curve of this label, which is made if it is new. */
static int find_curve(struct curve **out, struct curve_plot *plot,
    const struct cli_arguments *args, const struct csv_record *r,
    const char *label)
{
    size_t first = plot->n_curves - plot->n_overlays;

    for (size_t i = first; i < plot->n_curves; i++)
        if (strcmp(plot->curves[i].source.label, label) == 0) {
            *out = &plot->curves[i];
            return CLI_YES;
        }
    if (plot->n_curves == SVG_STYLES)
        return fail_at(
            args, r->line, "a picture has at most %d curves", SVG_STYLES);
    *out = &plot->curves[plot->n_curves++];
    plot->n_overlays++;
    **out = (struct curve){.source = {.label = label},
        .neighbours = plot->curves[0].neighbours,
        .mark_x = NAN};
    return CLI_YES;
}

static int add_point(struct curve *c, const struct cli_arguments *args,
    const struct csv_record *r, const double *v)
{
    double **to[] = {&c->x, &c->low, &c->high};

    if (c->n > 0 && !(v[0] > c->x[c->n - 1]))
        return fail_at(args, r->line, "%g must be above %g, the point before",
            v[0], c->x[c->n - 1]);
    if (!(v[1] <= v[2]))
        return fail_at(args, r->line,
            "lower must be at most upper, got %g, %g", v[1], v[2]);
    for (size_t i = 0; i < 3; i++) {
        double *larger = realloc(*to[i], (c->n + 1) * sizeof *larger);
        if (larger == NULL)
            return cli_no_memory();
        *to[i] = larger;
        larger[c->n] = v[i];
    }
    c->n++;
    return CLI_YES;
}

static int add_record(struct curve_plot *plot, const struct cli_arguments *args,
    const struct csv_table *table, const struct csv_record *r)
{
    const char *columns[] = {curves_x_name(plot), "lower", "upper"};
    struct curve *c = NULL;
    double v[3];

    for (size_t i = 0; i < 3; i++) {
        const char *text = csv_cell(table, r, columns[i]);
        if (!cli_number_parse(&v[i], text) || isnan(v[i]))
            return fail_at(args, r->line, "%s needs a number, got \"%s\"",
                columns[i], text);
    }
    int status = find_curve(&c, plot, args, r, csv_cell(table, r, "plan"));
    return c != NULL ? add_point(c, args, r, v) : status;
}

int curves_overlay(
    struct curve_plot *plot, const struct cli_arguments *args, char *text)
{
    struct csv_table table;
    struct csv_record record;

    const char *reason = csv_open(&table, text);
    int status = reason == NULL
                     ? check_header(plot, args, &table)
                     : fail_at(args, table.header.line, "%s", reason);
    while (status == CLI_YES) {
        reason = csv_next(&record, &table);
        if (reason != NULL)
            return fail_at(args, record.line, "%s", reason);
        if (record.n == 0)
            break;
        status = add_record(plot, args, &table, &record);
    }
    return status;
}
