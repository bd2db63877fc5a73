/* CSV bytes to lines to fields. */
#include "csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "bytes.h"

dosi_status csv_new(
    struct csv *out, const struct table_layout *layout, dosi_error *err)
{
    *out = (struct csv){
        .delimiter = layout->delimiter, .is_exact = layout->has_header};
    out->position = calloc(layout->n_columns + 1, sizeof *out->position);
    return out->position != NULL ? DOSI_OK : dosi_fail_memory(err);
}

void csv_free(struct csv *csv)
{
    free(csv->fields);
    free(csv->position);
    free(csv->line);
    free(csv->unquoted);
    *csv = (struct csv){.delimiter = 0};
}

/* ---- Lines ------------------------------------------------------------- */

/* Stores the part of a line that may be needed: one byte more than a
 * line has, for its CR. */
static void line_keep(struct csv *csv, const char *bytes, size_t n)
{
    if (csv->is_long || n == 0)
        return;
    if (n > CSV_MAX_LINE + 1 - csv->n_line) {
        csv->is_long = true;
        return;
    }
    size_t needed = csv->n_line + n;
    if (needed > csv->line_capacity) {
        size_t wider = 2 * needed;
        char *more = realloc(csv->line, wider);
        if (more == NULL) {
            csv->is_out_of_memory = true;
            return;
        }
        csv->line = more;
        csv->line_capacity = wider;
    }
    memcpy(csv->line + csv->n_line, bytes, n);
    csv->n_line = needed;
}

static void line_trim(struct table_bytes *line, bool *is_long)
{
    if (line->n > 0 && line->bytes[line->n - 1] == '\r')
        line->n--;
    *is_long |= line->n > CSV_MAX_LINE;
}

static void line_take(struct csv *csv, struct table_bytes *line, bool *is_long)
{
    *line = (struct table_bytes){csv->line, csv->n_line};
    *is_long = csv->is_long;
    csv->n_line = 0;
    csv->is_long = false;
    line_trim(line, is_long);
}

bool csv_next(struct csv *csv, struct table_bytes *chunk,
    struct table_bytes *line, bool *is_long)
{
    if (chunk->n == 0)
        return false;
    const char *bytes = chunk->bytes, *end = memchr(bytes, '\n', chunk->n);
    size_t n = end != NULL ? (size_t)(end - bytes) : chunk->n;
    size_t n_used = n + (end != NULL);
    *chunk = (struct table_bytes){bytes + n_used, chunk->n - n_used};
    if (end != NULL && csv->n_line == 0 && !csv->is_long) {
        *line = (struct table_bytes){bytes, n};
        *is_long = false;
        line_trim(line, is_long);
        return true;
    }
    line_keep(csv, bytes, n);
    if (end == NULL)
        return false;
    line_take(csv, line, is_long);
    return true;
}

bool csv_last(struct csv *csv, struct table_bytes *line, bool *is_long)
{
    if (csv->n_line == 0 && !csv->is_long)
        return false;
    line_take(csv, line, is_long);
    return true;
}

/* ---- Fields ------------------------------------------------------------ */

/* Copies a field of n bytes without the second of doubled quotes. */
static bool field_unquote(
    struct csv *csv, struct table_bytes *field, size_t *used, size_t line_bytes)
{
    if (csv->unquoted_capacity < line_bytes) { /* so it is the first one */
        char *more = realloc(csv->unquoted, line_bytes);
        if (more == NULL)
            return false;
        csv->unquoted = more;
        csv->unquoted_capacity = line_bytes;
    }
    char *out = csv->unquoted + *used;
    size_t n = 0;
    for (size_t i = 0; i < field->n; i++) {
        out[n++] = field->bytes[i];
        i += field->bytes[i] == '"';
    }
    *field = (struct table_bytes){out, n};
    *used += n;
    return true;
}

/* The end of the quoted field whose first byte after the quote is s: its
 * closing quote, or NULL. */
static const char *quoted_end(const char *s, const char *end, bool *has_doubled)
{
    *has_doubled = false;
    for (;;) {
        s = s < end ? memchr(s, '"', (size_t)(end - s)) : NULL;
        if (s == NULL || s + 1 == end || s[1] != '"')
            return s;
        *has_doubled = true;
        s += 2;
    }
}

static enum csv_fault fields_split(
    struct csv *csv, struct table_bytes line, size_t *n_fields)
{
    size_t n = 0, used = 0;
    *n_fields = 0;
    if (line.n == 0)
        return CSV_EMPTY;
    const char *s = line.bytes, *end = s + line.n;
    char delimiter = csv->delimiter;
    for (;; s++, n++) {
        const char *first = s;
        struct table_bytes field;
        if (s < end && *s == '"') {
            bool has_doubled;
            const char *close = quoted_end(s + 1, end, &has_doubled);
            if (close == NULL || (close + 1 < end && close[1] != delimiter))
                return CSV_QUOTE;
            field = (struct table_bytes){s + 1, (size_t)(close - s - 1)};
            s = close + 1;
            if (has_doubled && n < csv->n_wanted &&
                !field_unquote(csv, &field, &used, line.n)) {
                csv->is_out_of_memory = true;
                return CSV_QUOTE;
            }
        } else {
            while (s < end && *s != delimiter)
                s++;
            field = (struct table_bytes){first, (size_t)(s - first)};
        }
        if (n < csv->n_wanted)
            csv->fields[n] = field;
        if (s == end)
            break;
    }
    *n_fields = n + 1;
    return CSV_ROW;
}

enum csv_fault csv_split(struct csv *csv, struct table_bytes line)
{
    size_t n;
    enum csv_fault fault = fields_split(csv, line, &n);
    bool fits = csv->is_exact ? n == csv->n_fields : n >= csv->n_fields;
    return fault == CSV_ROW && !fits ? CSV_FIELDS : fault;
}

/* ---- Header ------------------------------------------------------------ */

dosi_status csv_columns(struct csv *csv, size_t n, dosi_error *err)
{
    csv->n_fields = n;
    csv->n_wanted = n;
    csv->fields = calloc(n + 1, sizeof *csv->fields);
    csv->is_open = csv->fields != NULL;
    return csv->is_open ? DOSI_OK : dosi_fail_memory(err);
}

dosi_status csv_header(
    struct csv *csv, struct table_bytes header, dosi_error *err)
{
    if (header.n >= 3 && memcmp(header.bytes, "\xef\xbb\xbf", 3) == 0)
        header = (struct table_bytes){header.bytes + 3, header.n - 3};
    size_t n = 1; /* at most */
    for (size_t i = 0; i < header.n; i++)
        n += header.bytes[i] == csv->delimiter;
    dosi_status status = csv_columns(csv, n, err);
    if (status != DOSI_OK)
        return status;
    enum csv_fault fault = fields_split(csv, header, &csv->n_fields);
    csv->n_wanted = csv->n_fields;
    if (csv->is_out_of_memory)
        return dosi_fail_memory(err);
    if (fault != CSV_ROW && fault != CSV_EMPTY)
        return dosi_fail(err, DOSI_EINVAL,
            "the header is not a line of CSV: a quote is not closed");
    return DOSI_OK;
}

/* A column by its name, without bytes that a message may not have. */
static dosi_status column_fail(
    const char *name, const char *rule, dosi_error *err)
{
    char shown[64];
    size_t n = 0;
    for (; n < sizeof shown - 1 && name[n] != '\0'; n++)
        shown[n] = name[n] >= 0x20 && name[n] < 0x7f ? name[n] : '?';
    shown[n] = '\0';
    return dosi_fail(err, DOSI_EINVAL, "column %s %s", shown, rule);
}

/* The number that a column without a header has as its name. */
static bool position_read(size_t *out, const char *name)
{
    size_t position = 0;
    const char *s = name;
    for (; *s >= '0' && *s <= '9' && position < CSV_MAX_LINE; s++)
        position = 10 * position + (size_t)(*s - '0');
    *out = position - 1;
    return *s == '\0' && position > 0 && name[0] != '0' &&
           position <= CSV_MAX_LINE;
}

static dosi_status columns_number(
    struct csv *csv, const struct table_layout *layout, dosi_error *err)
{
    for (size_t c = 0; c < layout->n_columns; c++) {
        const char *name = layout->columns[c].name;
        if (!position_read(&csv->position[c], name))
            return column_fail(name,
                "is not there: without a header columns are 1, 2, ...", err);
        if (csv->position[c] >= csv->n_fields)
            csv->n_fields = csv->position[c] + 1;
    }
    return csv_columns(csv, csv->n_fields, err);
}

/* The position of each column among the fields of the header. */
static dosi_status columns_find(
    struct csv *csv, const struct table_layout *layout, dosi_error *err)
{
    csv->n_wanted = 0;
    for (size_t c = 0; c < layout->n_columns; c++) {
        const char *name = layout->columns[c].name;
        struct table_bytes wanted = {name, strlen(name)};
        size_t n_found = 0;
        for (size_t f = 0; f < csv->n_fields; f++) {
            if (!bytes_equal(csv->fields[f], wanted))
                continue;
            csv->position[c] = f;
            n_found++;
        }
        if (n_found != 1)
            return column_fail(name,
                n_found == 0 ? "is not in the header"
                             : "is in the header more than once",
                err);
        if (csv->position[c] >= csv->n_wanted)
            csv->n_wanted = csv->position[c] + 1;
    }
    return DOSI_OK;
}

dosi_status csv_open(struct csv *csv, const struct table_layout *layout,
    struct table_bytes header, dosi_error *err)
{
    if (!layout->has_header)
        return columns_number(csv, layout, err);
    dosi_status status = csv_header(csv, header, err);
    return status == DOSI_OK ? columns_find(csv, layout, err) : status;
}
