/* Storage of records, and rows from arrays. */
#include "records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "records_store.h"

void records_start(
    struct records *records, struct schema *schema, bool needs_label)
{
    *records = (struct records){.schema = schema,
        .needs_label = needs_label,
        .csv = {.delimiter = schema->delimiter, .is_exact = true}};
}

void records_free(struct records *records)
{
    csv_free(&records->csv);
    free(records->inputs);
    free(records->labels);
    free(records->is_good);
    free(records->ends);
    free(records->keys);
    *records = (struct records){0};
}

/* ---- Room --------------------------------------------------------------- */

/* An array made longer; NULL: no memory, and the array is as it was. */
static void *longer(void *array, size_t n, size_t size)
{
    if (size != 0 && n > SIZE_MAX / 2 / size)
        return NULL;
    return realloc(array, n * size + 1);
}

dosi_status records_resolve(struct records *records,
    const struct name_list *header, dosi_error *err)
{
    struct schema *schema = records->schema;
    dosi_status status =
        schema_resolve(schema, header, records->needs_label, err);

    if (status != DOSI_OK)
        return status;
    records->stride = schema_n_inputs(schema) + 1;
    records->n_keys = schema->user == NULL ? 0 : 1 + schema->orders.n;
    records->is_resolved = true;
    return DOSI_OK;
}

static bool make_room(struct records *r)
{
    size_t n = r->n_rows < 32 ? 64 : r->n_rows + r->n_rows / 2;
    double *inputs = longer(r->inputs, n * r->stride, sizeof *inputs);

    if (inputs != NULL)
        r->inputs = inputs;
    double *labels = longer(r->labels, n, sizeof *labels);
    if (labels != NULL)
        r->labels = labels;
    uint8_t *is_good = longer(r->is_good, n, sizeof *is_good);
    if (is_good != NULL)
        r->is_good = is_good;
    size_t *ends = longer(r->ends, n * r->n_keys, sizeof *ends);
    if (ends != NULL)
        r->ends = ends;
    if (inputs == NULL || labels == NULL || is_good == NULL || ends == NULL)
        return false;
    r->capacity = n;
    return true;
}

double *records_row_new(
    double **label, uint8_t **is_good, struct records *records)
{
    size_t n = records->n_rows;

    if (n == records->capacity && !make_room(records))
        return NULL;
    double *inputs = records->inputs + n * records->stride;
    *label = &records->labels[n];
    *is_good = &records->is_good[n];
    inputs[records->stride - 1] = 1;
    records->n_rows++;
    return inputs;
}

dosi_status records_key_add(struct records *records, size_t key,
    const char *bytes, size_t n, dosi_error *err)
{
    if (n > records->key_capacity - records->n_key_bytes) {
        size_t more = 2 * (records->n_key_bytes + n) + 64;
        char *keys = longer(records->keys, more, 1);
        if (keys == NULL)
            return dosi_fail_memory(err);
        records->keys = keys;
        records->key_capacity = more;
    }
    if (n > 0)
        memcpy(records->keys + records->n_key_bytes, bytes, n);
    records->n_key_bytes += n;
    records->ends[(records->n_rows - 1) * records->n_keys + key] =
        records->n_key_bytes;
    return DOSI_OK;
}

/* ---- Arrays ------------------------------------------------------------- */

/* Columns 1, 2, ..., then label and user under their names. */
static dosi_status resolve_arrays(
    struct records *records, size_t n_features, dosi_error *err)
{
    const struct schema *schema = records->schema;
    struct name_list header = {0};
    char name[24];
    bool good = true;

    for (size_t i = 0; i < n_features && good; i++) {
        int n = snprintf(name, sizeof name, "%zu", i + 1);
        good = name_list_add(&header, name, (size_t)n);
    }
    if (schema->label != NULL)
        good = good &&
               name_list_add(&header, schema->label, strlen(schema->label));
    if (schema->user != NULL)
        good = good &&
               name_list_add(&header, schema->user, strlen(schema->user));
    dosi_status status = good ? records_resolve(records, &header, err)
                              : dosi_fail_memory(err);
    name_list_free(&header);
    return status;
}

static dosi_status check_arrays(struct records *records, size_t n_features,
    const double *labels, const int64_t *users, dosi_error *err)
{
    if (records->csv.is_begun || (records->is_resolved && !records->is_array))
        return dosi_fail(
            err, DOSI_EINVAL, "rows of arrays are not mixed with CSV");
    if (records->needs_label && labels == NULL)
        return dosi_fail(err, DOSI_EINVAL, "there are no labels");
    if ((records->schema->user != NULL) != (users != NULL))
        return dosi_fail(
            err, DOSI_EINVAL, "users are given if, and only if, user is set");
    records->is_array = true;
    if (!records->is_resolved)
        return resolve_arrays(records, n_features, err);
    size_t n_columns = records->schema->n_columns;
    size_t n_named = n_features + (records->schema->label != NULL) +
                     (records->schema->user != NULL);
    if (n_named != n_columns)
        return dosi_fail(err, DOSI_EINVAL,
            "rows have %zu features, not %zu as before", n_features,
            n_features + n_columns - n_named);
    return DOSI_OK;
}

static dosi_status add_row(struct records *records, const double *features,
    const double *label, const int64_t *user, dosi_error *err)
{
    const struct schema *schema = records->schema;
    uint8_t *is_good = NULL;
    double *at = NULL;
    double *inputs = records_row_new(&at, &is_good, records);
    bool good = true;

    if (inputs == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < schema->n_features; i++) {
        const struct schema_feature *feature = &schema->features[i];
        good = feature_of_number(
                   inputs, feature, features[feature->column]) &&
               good;
        inputs += feature->categories.n > 0 ? feature->categories.n : 1;
    }
    *at = 0;
    if (label != NULL)
        good = label_of_number(at, schema, *label) && good;
    *is_good = good;
    if (user == NULL)
        return DOSI_OK;
    char key[sizeof *user];
    memcpy(key, user, sizeof key);
    return records_key_add(records, 0, key, sizeof key, err);
}

dosi_status records_rows(struct records *records, const double *features,
    size_t n_features, const double *labels, const int64_t *users,
    size_t n_rows, dosi_error *err)
{
    dosi_status status =
        check_arrays(records, n_features, labels, users, err);

    if (status == DOSI_OK && records->schema->orders.n > 0)
        status = dosi_fail(err, DOSI_EINVAL,
            "order is for CSV; rows of arrays have file-order");
    for (size_t i = 0; i < n_rows && status == DOSI_OK; i++) {
        status = add_row(records, features + i * n_features,
            labels == NULL ? NULL : labels + i,
            users == NULL ? NULL : users + i, err);
        records->n_lines += status == DOSI_OK;
    }
    return status;
}
