/*
 * Reads CSV (RFC 4180) record by record, in place.
 */
#include "csv_text.h"

#include <stdbool.h>
#include <string.h>

/* Cuts one field off, without its quotes. Returns the sign behind it: a
 * comma, the end of the line or '\0'; '"' for a quote that is not closed. */
static char take_field(char **out, struct csv_table *t)
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

const char *csv_next(struct csv_record *out, struct csv_table *t)
{
    do {
        *out = (struct csv_record){.line = t->line};
        char behind = ',';
        while (behind == ',' && !(out->n == 0 && *t->rest == '\0')) {
            if (out->n == CSV_MAX_COLUMNS)
                return "more than 32 columns";
            behind = take_field(&out->cells[out->n++], t);
            if (behind == '"')
                return "a quoted field must end in a quote and a comma or line "
                       "end";
        }
    } while (out->n == 1 && out->cells[0][0] == '\0');
    return NULL;
}

const char *csv_open(struct csv_table *t, char *text)
{
    bool has_mark = strncmp(text, "\xef\xbb\xbf", 3) == 0;

    *t = (struct csv_table){.rest = text + (has_mark ? 3 : 0), .line = 1};
    return csv_next(&t->header, t);
}

const char *csv_cell(const struct csv_table *t, const struct csv_record *r,
    const char *column)
{
    for (size_t i = 0; i < r->n && i < t->header.n; i++)
        if (strcmp(t->header.cells[i], column) == 0)
            return r->cells[i];
    return "";
}

const char *csv_twice(const struct csv_table *t)
{
    for (size_t i = 0; i < t->header.n; i++)
        for (size_t j = 0; j < i; j++)
            if (strcmp(t->header.cells[i], t->header.cells[j]) == 0)
                return t->header.cells[i];
    return NULL;
}
