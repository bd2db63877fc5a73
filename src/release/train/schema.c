/* Columns, features and labels of a model. */
#include "schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* ---- Features ----------------------------------------------------------- */

static void feature_free(struct schema_feature *feature)
{
    free(feature->name);
    name_list_free(&feature->categories);
}

void schema_free(struct schema *schema)
{
    for (size_t i = 0; i < schema->n_features; i++)
        feature_free(&schema->features[i]);
    free(schema->features);
    free(schema->label);
    free(schema->user);
    free(schema->order_columns);
    name_list_free(&schema->classes);
    name_list_free(&schema->orders);
    *schema = (struct schema){0};
}

struct schema_feature *schema_feature_find(
    const struct schema *schema, const char *name)
{
    for (size_t i = 0; i < schema->n_features; i++)
        if (strcmp(schema->features[i].name, name) == 0)
            return &schema->features[i];
    return NULL;
}

struct schema_feature *schema_feature_of(
    struct schema *schema, const char *name)
{
    struct schema_feature *found = schema_feature_find(schema, name);
    char *copy = NULL;
    size_t size = strlen(name) + 1;

    if (found != NULL)
        return found;
    found = realloc(
        schema->features, (schema->n_features + 1) * sizeof *found);
    if (found != NULL) {
        schema->features = found;
        copy = malloc(size);
    }
    if (copy == NULL)
        return NULL;
    memcpy(copy, name, size);
    found += schema->n_features++;
    *found = (struct schema_feature){.name = copy, .column = SCHEMA_NONE};
    return found;
}

/* ---- Columns ------------------------------------------------------------ */

static dosi_status find_column(size_t *out, const struct name_list *header,
    const char *name, dosi_error *err)
{
    size_t n = strlen(name);

    *out = name_list_find(header, name, n);
    if (*out == header->n)
        return dosi_fail(
            err, DOSI_EINVAL, "there is no column \"%s\"", name);
    for (size_t i = *out + 1; i < header->n; i++)
        if (strcmp(header->names[i], name) == 0)
            return dosi_fail(
                err, DOSI_EINVAL, "there are two columns \"%s\"", name);
    return DOSI_OK;
}

static bool has_role(const struct schema *schema, const char *name)
{
    return (schema->label != NULL && strcmp(schema->label, name) == 0) ||
           (schema->user != NULL && strcmp(schema->user, name) == 0) ||
           name_list_find(&schema->orders, name, strlen(name)) <
               schema->orders.n;
}

/* Features for the columns that have no role, with the bounds of all. */
static dosi_status add_bounded(
    struct schema *schema, const struct name_list *header, dosi_error *err)
{
    for (size_t i = 0; i < header->n; i++) {
        const char *name = header->names[i];
        size_t first = name_list_find(header, name, strlen(name));
        if (has_role(schema, name) ||
            (first == i && schema_feature_find(schema, name) != NULL))
            continue;
        /* The name was not declared, and may be of somebody's record if the
         * file has no header. */
        if (first < i)
            return dosi_fail(err, DOSI_EINVAL,
                "columns %zu and %zu of the header have one name", first + 1,
                i + 1);
        struct schema_feature *feature = schema_feature_of(schema, name);
        if (feature == NULL)
            return dosi_fail_memory(err);
        feature->lo = schema->lo;
        feature->hi = schema->hi;
    }
    return DOSI_OK;
}

static int by_column(const void *a, const void *b)
{
    size_t x = ((const struct schema_feature *)a)->column;
    size_t y = ((const struct schema_feature *)b)->column;

    return (x > y) - (x < y);
}

static dosi_status find_orders(
    struct schema *schema, const struct name_list *header, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    size_t n = schema->orders.n;

    free(schema->order_columns);
    schema->order_columns = calloc(n + 1, sizeof *schema->order_columns);
    if (schema->order_columns == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < n && status == DOSI_OK; i++)
        status = find_column(&schema->order_columns[i], header,
            schema->orders.names[i], err);
    return status;
}

dosi_status schema_resolve(struct schema *schema,
    const struct name_list *header, bool needs_label, dosi_error *err)
{
    dosi_status status = DOSI_OK;

    schema->label_column = SCHEMA_NONE;
    schema->user_column = SCHEMA_NONE;
    schema->n_columns = header->n;
    if (schema->has_bounds)
        status = add_bounded(schema, header, err);
    for (size_t i = 0; i < schema->n_features && status == DOSI_OK; i++)
        status = find_column(&schema->features[i].column, header,
            schema->features[i].name, err);
    if (status == DOSI_OK && needs_label)
        status =
            find_column(&schema->label_column, header, schema->label, err);
    if (status == DOSI_OK && schema->user != NULL)
        status = find_column(&schema->user_column, header, schema->user, err);
    if (status == DOSI_OK)
        status = find_orders(schema, header, err);
    if (status == DOSI_OK && schema->n_features == 0)
        status = dosi_fail(
            err, DOSI_EINVAL, "there is no column besides the label");
    /* In the order of the header, however the settings were ordered; what a
     * model file says stays as it is. */
    if (status == DOSI_OK && needs_label)
        qsort(schema->features, schema->n_features, sizeof *schema->features,
            by_column);
    return status;
}

/* ---- The network -------------------------------------------------------- */

size_t schema_n_inputs(const struct schema *schema)
{
    size_t n = 0;

    for (size_t i = 0; i < schema->n_features; i++)
        n += schema->features[i].categories.n > 0
                 ? schema->features[i].categories.n
                 : 1;
    return n;
}

dosi_status schema_network(
    struct network *out, const struct schema *schema, dosi_error *err)
{
    enum network_head head = schema->label_is_number ? HEAD_LINEAR
                             : schema->model == MODEL_LOGISTIC
                                 ? HEAD_LOGISTIC
                                 : HEAD_SOFTMAX;
    size_t n_outputs = head == HEAD_SOFTMAX ? schema->classes.n : 1;

    return network_shape(out, head, schema_n_inputs(schema), schema->hidden,
        schema->n_hidden, n_outputs, err);
}

/* (x - lo) / (hi - lo) of what is cut to the bounds; never -0. */
static double to_unit(double x, double lo, double hi)
{
    x = x < lo ? lo : x;
    x = x > hi ? hi : x;
    return (x / 2 - lo / 2) / (hi / 2 - lo / 2) + 0.0;
}

bool feature_of_number(
    double *inputs, const struct schema_feature *feature, double x)
{
    size_t n = feature->categories.n;

    if (n == 0) {
        if (!(fabs(x) < HUGE_VAL)) {
            if (!feature->has_missing)
                return false;
            x = feature->missing;
        }
        inputs[0] = to_unit(x, feature->lo, feature->hi);
        return true;
    }
    /* A value in no category counts nowhere: all inputs are 0. */
    for (size_t i = 0; i < n; i++)
        inputs[i] = x == (double)i ? 1 : 0;
    return true;
}

bool label_of_number(double *out, const struct schema *schema, double x)
{
    *out = 0;
    if (!(fabs(x) < HUGE_VAL))
        return false;
    if (schema->label_is_number) {
        *out = to_unit(x, schema->label_lo, schema->label_hi);
        return true;
    }
    if (!(x >= 0 && x < (double)schema->classes.n && x == floor(x)))
        return false;
    *out = x + 0.0;
    return true;
}

void schema_model_text(char *text, const struct schema *schema)
{
    static const char *const names[] = {[MODEL_UNKNOWN] = "",
        [MODEL_LINEAR] = "linear",
        [MODEL_LOGISTIC] = "logistic",
        [MODEL_SOFTMAX] = "softmax",
        [MODEL_MLP] = "mlp"};
    int n = snprintf(text, 64, "%s", names[schema->model]);

    for (size_t i = 0; i < schema->n_hidden; i++)
        n += snprintf(text + n, 64 - (size_t)n, "%c%zu", i == 0 ? ':' : ',',
            schema->hidden[i]);
}
