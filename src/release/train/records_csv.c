/*
 * Records from CSV: the lines and fields of release/table/csv.h, the numbers of
 * release/table/number.h. A line that is no row there is none here.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "num/decimal.h"
#include "records_store.h"
#include "release/table/reader/number.h"

/* ---- Values ------------------------------------------------------------- */

#define MAX_DIGITS 60 /* of a number; those after them are dropped */

/* A double next to the number in a field, the largest for one beyond it, or
 * NaN if there is none. */
static double field_number(struct table_bytes field, char decimal)
{
    char text[MAX_DIGITS + 40];
    struct number x;
    size_t n = 0, n_used;
    double value;

    if (!number_read(&x, field.bytes, field.n, decimal))
        return NAN;
    text[n++] = x.is_negative ? '-' : '+';
    text[n++] = '0';
    text[n++] = '.';
    for (size_t i = 0; i < x.n && i < MAX_DIGITS; i++)
        text[n++] = (char)('0' + number_digit(&x, i));
    n += (size_t)snprintf(text + n, sizeof text - n, "e%" PRId64, x.point);
    (void)decimal_read(&value, text, n, &n_used);
    return fmax(-DBL_MAX, fmin(value, DBL_MAX));
}

/* The index of a field among names, or NaN. */
static double field_index(
    struct table_bytes field, const struct name_list *names)
{
    size_t i = name_list_find(names, field.bytes, field.n);

    return i < names->n ? (double)i : NAN;
}

static dosi_status add_keys(struct records *records, dosi_error *err)
{
    const struct schema *schema = records->schema;
    struct table_bytes id = records->csv.fields[schema->user_column];
    dosi_status status =
        records_key_add(records, 0, id.bytes, id.n, err);

    for (size_t i = 0; i < schema->orders.n && status == DOSI_OK; i++) {
        struct table_bytes key = records->csv.fields[schema->order_columns[i]];
        status = records_key_add(records, 1 + i, key.bytes, key.n, err);
    }
    return status;
}

/* The fields as a row. */
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
        struct table_bytes field = records->csv.fields[feature->column];
        size_t n = feature->categories.n;
        double x = n > 0 ? field_index(field, &feature->categories)
                         : field_number(field, schema->decimal);
        good = feature_of_number(inputs, feature, x) && good;
        inputs += n > 0 ? n : 1;
    }
    *label = 0;
    if (records->needs_label) {
        struct table_bytes field = records->csv.fields[schema->label_column];
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

/* ---- Lines -------------------------------------------------------------- */

static dosi_status resolve_header(struct records *records, dosi_error *err)
{
    const struct csv *csv = &records->csv;
    struct name_list header = {0};
    bool good = true;

    for (size_t i = 0; i < csv->n_fields && good; i++)
        good = name_list_add(
            &header, csv->fields[i].bytes, csv->fields[i].n);
    dosi_status status = good ? records_resolve(records, &header, err)
                              : dosi_fail_memory(err);
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
    if (status == DOSI_OK)
        status = csv_columns(&records->csv, header.n, err);
    name_list_free(&header);
    return status;
}

static dosi_status take_line(struct records *records, struct table_bytes line,
    bool is_long, dosi_error *err)
{
    struct csv *csv = &records->csv;

    if (!records->is_resolved) {
        if (is_long)
            return dosi_fail(err, DOSI_EINVAL,
                "the header is longer than %d bytes", CSV_MAX_LINE);
        dosi_status status = csv_header(csv, line, err);
        return status == DOSI_OK ? resolve_header(records, err) : status;
    }
    records->n_lines++;
    enum csv_fault fault = is_long ? CSV_LONG : csv_split(csv, line);
    if (csv->is_out_of_memory)
        return dosi_fail_memory(err);
    if (fault == CSV_ROW)
        return add_fields(records, err);
    return records->keeps_lines ? add_no_row(records, err) : DOSI_OK;
}

static dosi_status begin(struct records *records, dosi_error *err)
{
    if (records->csv.is_begun)
        return DOSI_OK;
    records->csv.is_begun = true;
    return records->schema->has_header ? DOSI_OK
                                       : resolve_numbered(records, err);
}

dosi_status records_csv(
    struct records *records, const char *bytes, size_t n, dosi_error *err)
{
    struct table_bytes chunk = {bytes, n}, line;
    bool is_long;

    if (records->is_array)
        return dosi_fail(
            err, DOSI_EINVAL, "rows of arrays are not mixed with CSV");
    dosi_status status = begin(records, err);
    while (status == DOSI_OK &&
           csv_next(&records->csv, &chunk, &line, &is_long))
        status = take_line(records, line, is_long, err);
    if (status == DOSI_OK && records->csv.is_out_of_memory)
        status = dosi_fail_memory(err);
    return status;
}

dosi_status records_end(struct records *records, dosi_error *err)
{
    struct table_bytes line;
    bool is_long;

    if (records->is_array)
        return DOSI_OK;
    dosi_status status = begin(records, err);
    if (status == DOSI_OK && csv_last(&records->csv, &line, &is_long))
        status = take_line(records, line, is_long, err);
    if (status == DOSI_OK && !records->is_resolved)
        status = dosi_fail(err, DOSI_EINVAL, "there is no header");
    return status;
}
