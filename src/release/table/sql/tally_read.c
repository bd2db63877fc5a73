/*
 * Reads the tally of an engine from CSV: every row is checked against the shape
 * of the statement before anything is added.
 */
#include "tally_read.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tally_cells.h"

#define FIELD_PART 0
#define FIELD_CELL 1
#define FIELD_FIRST 2 /* n0; total is after the last of them */

struct tally_reader {
    const struct table_layout *layout;
    struct tally_shape shape;
    char (*names)[TALLY_NAME_BYTES]; /* of the part of each item */
    struct tally_cells cells;
    struct table_bytes *fields; /* of the current row */
    size_t n_fields;
};

void tally_reader_free(struct tally_reader *reader)
{
    if (reader == NULL)
        return;
    tally_cells_free(&reader->cells);
    tally_shape_free(&reader->shape);
    free(reader->names);
    free(reader->fields);
    free(reader);
}

dosi_status tally_reader_new(struct tally_reader **out,
    const struct table_layout *layout, dosi_error *err)
{
    struct tally_reader *reader = calloc(1, sizeof *reader);
    *out = NULL;
    if (reader == NULL)
        return dosi_fail_memory(err);
    reader->layout = layout;
    dosi_status status = tally_shape_new(&reader->shape, layout, err);
    if (status == DOSI_OK)
        status = tally_cells_new(&reader->cells, layout, err);
    reader->n_fields = reader->shape.n_columns + 3;
    reader->fields = calloc(reader->n_fields, sizeof *reader->fields);
    reader->names = calloc(layout->n_items + 1, sizeof *reader->names);
    if (status == DOSI_OK &&
        (reader->fields == NULL || reader->names == NULL))
        status = dosi_fail_memory(err);
    if (status != DOSI_OK) {
        tally_reader_free(reader);
        return status;
    }
    for (size_t i = 0; i < layout->n_items; i++)
        tally_part_name(reader->names[i], &reader->shape, i);
    *out = reader;
    return DOSI_OK;
}

/* ---- Fields ---- */

static bool is_text(struct table_bytes field, const char *text)
{
    return field.n == strlen(text) && memcmp(field.bytes, text, field.n) == 0;
}

static bool is_null(struct table_bytes field)
{
    return field.n == 0 || is_text(field, "NULL") || is_text(field, "null") ||
           is_text(field, "\\N") || is_text(field, "None");
}

/* At most 38 digits, which 128 bits hold; NULL is 0, as a sum of nothing. */
static bool read_integer(int128 *out, struct table_bytes field)
{
    bool is_negative = field.n > 0 && field.bytes[0] == '-';
    size_t first = is_negative ? 1 : 0;
    *out = 0;
    if (is_null(field))
        return true;
    if (field.n == first || field.n > first + 38)
        return false;
    for (size_t i = first; i < field.n; i++) {
        if (field.bytes[i] < '0' || field.bytes[i] > '9')
            return false;
        *out = *out * 10 + (field.bytes[i] - '0');
    }
    if (is_negative)
        *out = -*out;
    return true;
}

/* The fields of a line; false if their number is wrong. No field of an
 * answer holds a quote, a comma or a line end. */
static bool split_line(struct tally_reader *reader, struct table_bytes line)
{
    size_t at = 0;
    for (size_t f = 0; f < reader->n_fields; f++) {
        const char *start = line.bytes + at;
        const char *comma = memchr(start, ',', line.n - at);
        size_t n = comma != NULL ? (size_t)(comma - start) : line.n - at;
        bool is_last = f + 1 == reader->n_fields;
        if ((comma == NULL) != is_last)
            return false;
        at += n + 1;
        if (n >= 2 && start[0] == '"' && start[n - 1] == '"') {
            start++;
            n -= 2;
        }
        if (memchr(start, '"', n) != NULL)
            return false;
        reader->fields[f] = (struct table_bytes){start, n};
    }
    return true;
}

/* The next line without its end; false after the last one. */
static bool next_line(
    struct table_bytes *line, const char **at, const char *end)
{
    if (*at == end)
        return false;
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    size_t n = (size_t)((stop != NULL ? stop : end) - *at);
    *line = (struct table_bytes){*at, n};
    *at = stop != NULL ? stop + 1 : end;
    if (n > 0 && line->bytes[n - 1] == '\r')
        line->n--;
    return true;
}

/* ---- Rows ---- */

static dosi_status refuse(dosi_error *err)
{
    return dosi_fail(err, DOSI_EINVAL,
        "tally: a row is malformed; it must be comma-separated, with the "
        "columns that the statement asks for");
}

/* Adds an integer of an item; only checks it if tally is NULL. */
static dosi_status add_item(struct table_tally *tally,
    struct tally_reader *reader, size_t i, struct table_bytes cell,
    struct table_bytes decimal, dosi_error *err)
{
    const struct table_item *item = &reader->layout->items[i];
    const struct tally_place *place = &reader->shape.places[i];
    int128 count;
    struct tally_cell found;
    if (!read_integer(&count, decimal) ||
        !tally_cell_read(
            &found, &reader->cells, item, place->rules, is_null(cell), cell))
        return refuse(err);
    if (tally == NULL || !found.is_cell)
        return DOSI_OK;
    if (item->unknown != TABLE_NONE)
        return tally_unknown_add(
            &tally->unknown[item->unknown], found.name, count, err);
    int128 *integer = &tally->integers[item->first + found.index];
    *integer = (int128)((uint128)*integer + (uint128)count); /* may wrap */
    return DOSI_OK;
}

static dosi_status add_row(struct table_tally *tally,
    struct tally_reader *reader, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    for (size_t i = 0; status == DOSI_OK && i < reader->layout->n_items; i++)
        if (is_text(reader->fields[FIELD_PART], reader->names[i]))
            status = add_item(tally, reader, i, reader->fields[FIELD_CELL],
                reader->fields[FIELD_FIRST + reader->shape.places[i].column],
                err);
    return status;
}

/* ---- The answer ---- */

struct seen {
    int128 n_rows, total; /* rows, and what each row says of that */
    size_t n_queries;
    bool is_other; /* the digest of another statement */
    bool is_cut;   /* two rows do not agree on the total */
};

static bool is_before_rows(const struct seen *seen, struct table_bytes line)
{
    return seen->n_rows == 0 &&
           (is_text(line, "SET") ||
               (line.n >= 9 && memcmp(line.bytes, "part,cell", 9) == 0) ||
               (line.n >= 13 &&
                   memcmp(line.bytes, "\"part\",\"cell\"", 13) == 0));
}

static void see_row(
    struct seen *seen, const struct tally_reader *reader, const char *digest)
{
    int128 total;
    if (!read_integer(&total, reader->fields[reader->n_fields - 1]))
        total = -1;
    seen->is_cut |= seen->n_rows > 0 && total != seen->total;
    seen->total = total;
    seen->n_rows++;
    if (is_text(reader->fields[FIELD_PART], "query")) {
        seen->n_queries++;
        seen->is_other |= !is_text(reader->fields[FIELD_CELL], digest);
    }
}

static dosi_status check_seen(const struct seen *seen, dosi_error *err)
{
    if (seen->is_other)
        return dosi_fail(err, DOSI_EINVAL,
            "tally: it answers another statement");
    if (seen->n_queries != 1 || seen->is_cut || seen->total != seen->n_rows)
        return dosi_fail(err, DOSI_EINVAL,
            "tally: it is incomplete; the engine or the pipe stopped early");
    return DOSI_OK;
}

static dosi_status each_row(struct seen *seen, struct table_tally *tally,
    struct tally_reader *reader, const char *digest, struct table_bytes text,
    dosi_error *err)
{
    dosi_status status = DOSI_OK;
    const char *at = text.bytes, *end = text.bytes + text.n;
    struct table_bytes line;
    *seen = (struct seen){0};
    while (status == DOSI_OK && next_line(&line, &at, end)) {
        if (line.n == 0 || is_before_rows(seen, line))
            continue;
        if (!split_line(reader, line))
            return refuse(err);
        see_row(seen, reader, digest);
        status = add_row(tally, reader, err);
    }
    return status;
}

dosi_status tally_read(struct table_tally *tally, struct tally_reader *reader,
    const char *digest, const char *bytes, size_t n, dosi_error *err)
{
    struct seen seen;
    struct table_bytes text = {n > 0 ? bytes : "", n};
    dosi_status status = each_row(&seen, NULL, reader, digest, text, err);
    if (status == DOSI_OK)
        status = check_seen(&seen, err);
    if (status == DOSI_OK)
        status = each_row(&seen, tally, reader, digest, text, err);
    for (size_t u = 0; u < reader->layout->n_unknown; u++)
        tally_unknown_merge(&tally->unknown[u]);
    return status;
}

dosi_status tally_add(struct table_tally *tally, struct tally_reader *reader,
    const char *part, struct table_bytes cell, const char *decimal,
    dosi_error *err)
{
    const char *column = strrchr(part, '/');
    struct table_bytes integer = {decimal, strlen(decimal)};
    bool is_found = false;
    dosi_status status = DOSI_OK;
    for (size_t i = 0; status == DOSI_OK && i < reader->layout->n_items;
         i++) {
        const char *name = reader->names[i];
        if (column == NULL || column[1] != 'n' ||
            strlen(name) != (size_t)(column - part) ||
            memcmp(name, part, strlen(name)) != 0)
            continue;
        char *end;
        unsigned long number = strtoul(column + 2, &end, 10);
        if (end == column + 2 || *end != '\0' ||
            number != reader->shape.places[i].column)
            continue;
        is_found = true;
        status = add_item(tally, reader, i, cell, integer, err);
    }
    if (status == DOSI_OK && !is_found)
        return dosi_fail(err, DOSI_EINVAL,
            "tally: the query has no such part; a part is as \"rows/n0\"");
    for (size_t u = 0; u < reader->layout->n_unknown; u++)
        tally_unknown_merge(&tally->unknown[u]);
    return status;
}
