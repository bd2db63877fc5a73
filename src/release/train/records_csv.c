/*
 * Records from CSV. A line ends with LF, one CR before it is dropped; a
 * quoted field may contain delimiters but no line end, so that nobody's stray
 * quote takes other people's lines (R105-7). A line with an unclosed quote,
 * a wrong number of fields or over 1 MB, and an empty one, is no row.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "num/decimal.h"
#include "records_store.h"

/* ---- Fields ----------------------------------------------------------------
 */

/* The field at *at, unquoted in place; *at moves to the delimiter behind it
 * or to the end. False: a quote is not closed. */
static bool take_field(
    struct field *out, char **at, char *end, char delimiter)
{
    char *from = *at, *to = *at;

    out->text = from;
    if (from == end || *from != '"') {
        char *stop = memchr(from, delimiter, (size_t)(end - from));
        *at = stop == NULL ? end : stop;
        out->n = (size_t)(*at - from);
        return true;
    }
    for (from++; from < end; from++) {
        if (*from == '"' && (++from == end || *from != '"')) {
            out->n = (size_t)(to - out->text);
            *at = from;
            return from == end || *from == delimiter;
        }
        *to++ = *from;
    }
    return false;
}

/* At most n fields of a line; their number, n + 1 if there are more, or 0 if
 * a quote is not closed. */
static size_t split_line(
    struct field *fields, size_t n, char *line, char *end, char delimiter)
{
    struct field rest;

    for (size_t i = 0; i <= n; i++) {
        if (!take_field(i < n ? &fields[i] : &rest, &line, end, delimiter))
            return 0;
        if (line == end)
            return i + 1;
        line++;
    }
    return n + 1;
}

/* ---- Values ----------------------------------------------------------------
 */

/* The nearest double of a field, or NaN if it holds no number. */
static double field_number(struct field field, char decimal)
{
    char *begin = field.text, *end = field.text + field.n;
    size_t n_used;
    double x;

    while (begin < end && (*begin == ' ' || *begin == '\t'))
        begin++;
    while (begin < end && (end[-1] == ' ' || end[-1] == '\t'))
        end--;
    if (begin == end)
        return NAN;
    if (decimal != '.') {
        for (char *c = begin; c < end; c++) {
            if (*c == '.')
                return NAN;
            *c = *c == decimal ? '.' : *c;
        }
    }
    size_t n = (size_t)(end - begin);
    return decimal_read(&x, begin, n, &n_used) && n_used == n ? x : NAN;
}

/* The index of a field among names, or NaN. */
static double field_index(struct field field, const struct name_list *names)
{
    size_t i = name_list_find(names, field.text, field.n);

    return i < names->n ? (double)i : NAN;
}

static dosi_status add_keys(struct records *records, dosi_error *err)
{
    const struct schema *schema = records->schema;
    struct field id = records->fields[schema->user_column];
    dosi_status status =
        records_key_add(records, 0, id.text, id.n, err);

    for (size_t i = 0; i < schema->orders.n && status == DOSI_OK; i++) {
        struct field key = records->fields[schema->order_columns[i]];
        status = records_key_add(records, 1 + i, key.text, key.n, err);
    }
    return status;
}

/* The fields as a row. Keys are kept before numbers are read, which changes
 * the decimal signs in place. */
static dosi_status add_fields(struct records *records, dosi_error *err)
{
    const struct schema *schema = records->schema;
    uint8_t *is_good = NULL;
    double *label = NULL;
    double *inputs = records_row_new(&label, &is_good, records);
    bool good = true;

    if (inputs == NULL)
        return dosi_fail_memory(err);
    dosi_status status =
        schema->user != NULL ? add_keys(records, err) : DOSI_OK;
    if (status != DOSI_OK)
        return status;
    for (size_t i = 0; i < schema->n_features; i++) {
        const struct schema_feature *feature = &schema->features[i];
        struct field field = records->fields[feature->column];
        size_t n = feature->categories.n;
        double x = n > 0 ? field_index(field, &feature->categories)
                         : field_number(field, schema->decimal);
        good = feature_of_number(inputs, feature, x) && good;
        inputs += n > 0 ? n : 1;
    }
    *label = 0;
    if (records->needs_label) {
        struct field field = records->fields[schema->label_column];
        double x = schema->label_is_number
                       ? field_number(field, schema->decimal)
                       : field_index(field, &schema->classes);
        good = label_of_number(label, schema, x) && good;
    }
    *is_good = good;
    return DOSI_OK;
}

/* A row that is not good, in place of a line that is no row. */
static dosi_status add_no_row(struct records *records, dosi_error *err)
{
    uint8_t *is_good = NULL;
    double *label = NULL;
    double *inputs = records_row_new(&label, &is_good, records);

    if (inputs == NULL)
        return dosi_fail_memory(err);
    memset(inputs, 0, (records->stride - 1) * sizeof *inputs);
    *label = 0;
    *is_good = 0;
    return DOSI_OK;
}

/* ---- Lines -----------------------------------------------------------------
 */

static dosi_status read_header(
    struct records *records, char *line, char *end, dosi_error *err)
{
    struct name_list header = {0};
    dosi_status status = DOSI_OK;

    if (end - line >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0)
        line += 3;
    for (;; line++) {
        struct field field;
        if (!take_field(&field, &line, end, records->schema->delimiter))
            status = dosi_fail(
                err, DOSI_EINVAL, "the header is no line of CSV");
        else if (!name_list_add(&header, field.text, field.n))
            status = dosi_fail_memory(err);
        if (status != DOSI_OK || line == end)
            break;
    }
    if (status == DOSI_OK)
        status = records_resolve(records, &header, err);
    name_list_free(&header);
    return status;
}

static dosi_status resolve_numbered(struct records *records, dosi_error *err)
{
    struct name_list header = {0};
    char name[24];
    bool good = true;

    for (size_t i = 0; i < records->schema->n_columns && good; i++) {
        int n = snprintf(name, sizeof name, "%zu", i + 1);
        good = name_list_add(&header, name, (size_t)n);
    }
    dosi_status status = good ? records_resolve(records, &header, err)
                              : dosi_fail_memory(err);
    name_list_free(&header);
    return status;
}

/* One line without its LF. */
static dosi_status take_line(
    struct records *records, char *line, size_t n, dosi_error *err)
{
    const struct schema *schema = records->schema;
    bool is_too_long = records->is_too_long;

    records->is_too_long = false;
    if (n > 0 && line[n - 1] == '\r')
        n--;
    if (!records->is_resolved)
        return is_too_long
                   ? dosi_fail(err, DOSI_EINVAL, "the header is too long")
                   : read_header(records, line, line + n, err);
    records->n_lines++;
    if (is_too_long || n == 0 ||
        split_line(records->fields, schema->n_columns, line, line + n,
            schema->delimiter) != schema->n_columns)
        return records->keeps_lines ? add_no_row(records, err) : DOSI_OK;
    return add_fields(records, err);
}

/* Keeps the beginning of a line, or that it is too long. */
static dosi_status keep(
    struct records *records, const char *bytes, size_t n, dosi_error *err)
{
    if (n > RECORDS_LONGEST_LINE - records->n_line) {
        records->is_too_long = true;
        n = RECORDS_LONGEST_LINE - records->n_line;
    }
    if (records->n_line + n > records->line_capacity) {
        size_t more = 2 * (records->n_line + n) + 256;
        char *line = realloc(records->line, more);
        if (line == NULL)
            return dosi_fail_memory(err);
        records->line = line;
        records->line_capacity = more;
    }
    if (n > 0)
        memcpy(records->line + records->n_line, bytes, n);
    records->n_line += n;
    return DOSI_OK;
}

dosi_status records_csv(
    struct records *records, const char *bytes, size_t n, dosi_error *err)
{
    dosi_status status = DOSI_OK;

    if (records->is_array)
        return dosi_fail(
            err, DOSI_EINVAL, "rows of arrays are not mixed with CSV");
    if (!records->is_resolved && !records->schema->has_header)
        status = resolve_numbered(records, err);
    while (n > 0 && status == DOSI_OK) {
        const char *stop = memchr(bytes, '\n', n);
        size_t part = stop == NULL ? n : (size_t)(stop - bytes);
        status = keep(records, bytes, part, err);
        if (status == DOSI_OK && stop != NULL) {
            status = take_line(records, records->line, records->n_line, err);
            records->n_line = 0;
        }
        part += stop != NULL;
        bytes += part;
        n -= part;
    }
    return status;
}

dosi_status records_end(struct records *records, dosi_error *err)
{
    dosi_status status = DOSI_OK;

    if (records->is_array)
        return DOSI_OK;
    if (records->n_line > 0 || records->is_too_long)
        status = take_line(records, records->line, records->n_line, err);
    records->n_line = 0;
    if (status == DOSI_OK && !records->is_resolved &&
        !records->schema->has_header)
        status = resolve_numbered(records, err);
    if (status == DOSI_OK && !records->is_resolved)
        status = dosi_fail(err, DOSI_EINVAL, "there is no header");
    return status;
}
