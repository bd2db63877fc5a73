/* Models as values, and what they predict. */
#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/float_environment.h"
#include "records.h"
#include "train_settings.h"

/* ---- Making ------------------------------------------------------------- */

static dosi_status copy_parameters(dosi_model *model, const double *parameters,
    size_t n_parameters, dosi_error *err)
{
    size_t n = model->network.n_parameters;

    if (n != n_parameters)
        return dosi_fail(err, DOSI_EINVAL,
            "the model has %zu parameters, got %zu", n, n_parameters);
    model->parameters = malloc(n * sizeof *model->parameters);
    if (model->parameters == NULL)
        return dosi_fail_memory(err);
    memcpy(model->parameters, parameters, n * sizeof *model->parameters);
    return DOSI_OK;
}

dosi_status model_new(dosi_model **out, const char *const *settings,
    size_t n_settings, const double *parameters, size_t n_parameters,
    dosi_error *err)
{
    dosi_model *model = calloc(1, sizeof *model);

    *out = NULL;
    if (model == NULL)
        return dosi_fail_memory(err);
    dosi_status status =
        train_settings_model(&model->schema, settings, n_settings, err);
    if (status == DOSI_OK)
        status = schema_network(&model->network, &model->schema, err);
    if (status == DOSI_OK)
        status = copy_parameters(model, parameters, n_parameters, err);
    if (status == DOSI_OK)
        *out = model;
    else
        dosi_model_free(model);
    return status;
}

dosi_status dosi_model_new(dosi_model **out, const char *const *settings,
    size_t n_settings, const double *parameters, size_t n_parameters,
    dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    return model_new(
        out, settings, n_settings, parameters, n_parameters, err);
}

void dosi_model_free(dosi_model *model)
{
    if (model == NULL)
        return;
    schema_free(&model->schema);
    free(model->parameters);
    free(model->plan);
    name_list_free(&model->assumptions);
    free(model);
}

/* ---- Settings ----------------------------------------------------------- */

static void put_name(dosi_buffer *b, const char *name)
{
    dosi_buffer_text(b, "\"");
    for (; *name != '\0'; name++) {
        dosi_buffer_bytes(b, name, 1);
        if (*name == '"')
            dosi_buffer_text(b, "\"");
    }
    dosi_buffer_text(b, "\"");
}

static void put_number(dosi_buffer *b, double x)
{
    char text[DOSI_NUMBER_BYTES];

    dosi_buffer_bytes(b, text, dosi_print_exact(text, x));
}

static void put_range(dosi_buffer *b, double lo, double hi)
{
    put_number(b, lo);
    dosi_buffer_text(b, "..");
    put_number(b, hi);
}

static void put_names(dosi_buffer *b, const struct name_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        dosi_buffer_text(b, i == 0 ? "" : ",");
        put_name(b, list->names[i]);
    }
}

/* Moves the text to the list and empties it. */
static bool keep(struct name_list *out, dosi_buffer *b)
{
    bool good =
        !b->failed && b->length > 0 && name_list_add(out, b->text, b->length);

    dosi_buffer_free(b);
    *b = (dosi_buffer){0};
    return good;
}

static bool keep_label(
    struct name_list *out, dosi_buffer *b, const struct schema *schema)
{
    dosi_buffer_text(b, "label ");
    put_name(b, schema->label);
    if (schema->label_is_number) {
        dosi_buffer_text(b, ":");
        put_range(b, schema->label_lo, schema->label_hi);
        return keep(out, b);
    }
    if (!keep(out, b))
        return false;
    dosi_buffer_text(b, "categories ");
    put_name(b, schema->label);
    dosi_buffer_text(b, ":");
    put_names(b, &schema->classes);
    return keep(out, b);
}

static bool keep_feature(struct name_list *out, dosi_buffer *b,
    const struct schema_feature *feature)
{
    bool is_text = feature->categories.n > 0;

    dosi_buffer_text(b, is_text ? "categories " : "feature ");
    put_name(b, feature->name);
    dosi_buffer_text(b, ":");
    if (is_text)
        put_names(b, &feature->categories);
    else
        put_range(b, feature->lo, feature->hi);
    if (!keep(out, b))
        return false;
    if (!feature->has_missing)
        return true;
    dosi_buffer_text(b, "missing ");
    put_name(b, feature->name);
    dosi_buffer_text(b, ":");
    put_number(b, feature->missing);
    return keep(out, b);
}

dosi_status model_settings(
    struct name_list *out, const struct schema *schema, dosi_error *err)
{
    char model[64];
    dosi_buffer b = {0};

    *out = (struct name_list){0};
    schema_model_text(model, schema);
    dosi_buffer_text(&b, "model ");
    dosi_buffer_text(&b, model);
    bool good = keep(out, &b) && keep_label(out, &b, schema);
    for (size_t i = 0; i < schema->n_features && good; i++)
        good = keep_feature(out, &b, &schema->features[i]);
    dosi_buffer_free(&b);
    return good ? DOSI_OK : dosi_fail_memory(err);
}

/* ---- Questions ---------------------------------------------------------- */

size_t dosi_model_feature_count(const dosi_model *model)
{
    return model->schema.n_features;
}

const char *dosi_model_feature(const dosi_model *model, size_t index)
{
    return model->schema.features[index].name;
}

const char *dosi_model_label(const dosi_model *model)
{
    return model->schema.label;
}

size_t dosi_model_output_count(const dosi_model *model)
{
    return model->schema.label_is_number ? 1 : model->schema.classes.n;
}

const char *dosi_model_class(const dosi_model *model, size_t index)
{
    return index < model->schema.classes.n ? model->schema.classes.names[index]
                                           : NULL;
}

/* ---- Predictions -------------------------------------------------------- */

/* A value in the unit of the label. */
static double from_unit(double x, const struct schema *schema)
{
    return schema->label_lo + x * (schema->label_hi - schema->label_lo);
}

static void predict_row(double *out, const dosi_model *model,
    struct network_pass *pass, const double *inputs, bool is_good)
{
    size_t n = dosi_model_output_count(model);

    if (is_good)
        network_predict(out, pass, inputs);
    for (size_t i = 0; i < n && !is_good; i++)
        out[i] = NAN;
    if (is_good && model->schema.label_is_number)
        out[0] = from_unit(out[0], &model->schema);
}

static dosi_status new_pass(
    struct network_pass **out, const dosi_model *model, dosi_error *err)
{
    dosi_status status = network_pass_new(out, &model->network, err);

    if (status == DOSI_OK)
        network_pass_set(*out, model->parameters);
    return status;
}

dosi_status dosi_model_predict(double *out, const dosi_model *model,
    const double *features, size_t n_features, size_t n_rows, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    const struct schema *schema = &model->schema;
    size_t n_inputs = schema_n_inputs(schema);
    struct network_pass *pass = NULL;

    if (n_features != schema->n_features)
        return dosi_fail(err, DOSI_EINVAL,
            "the model has %zu features, got %zu", schema->n_features,
            n_features);
    double *inputs = calloc(n_inputs + 1, sizeof *inputs);
    if (inputs == NULL)
        return dosi_fail_memory(err);
    inputs[n_inputs] = 1;
    dosi_status status = new_pass(&pass, model, err);
    for (size_t r = 0; r < n_rows && status == DOSI_OK; r++) {
        bool good = true;
        double *at = inputs;
        for (size_t i = 0; i < n_features; i++) {
            const struct schema_feature *feature = &schema->features[i];
            good = feature_of_number(
                       at, feature, features[r * n_features + i]) &&
                   good;
            at += feature->categories.n > 0 ? feature->categories.n : 1;
        }
        predict_row(out + r * dosi_model_output_count(model), model, pass,
            inputs, good);
    }
    network_pass_free(pass);
    free(inputs);
    return status;
}

/* ---- Files to predict from ---------------------------------------------- */

struct dosi_model_rows {
    dosi_model *own; /* a copy whose columns are found in this file */
    struct records records;
};

dosi_status dosi_model_rows_new(dosi_model_rows **out, const dosi_model *model,
    int with_labels, const char *const *settings, size_t n_settings,
    dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_model_rows *rows = calloc(1, sizeof *rows);
    struct name_list texts = {0};
    struct schema file = {0};

    *out = NULL;
    if (rows == NULL)
        return dosi_fail_memory(err);
    dosi_status status =
        train_settings_file(&file, settings, n_settings, err);
    if (status == DOSI_OK)
        status = model_settings(&texts, &model->schema, err);
    if (status == DOSI_OK)
        status = model_new(&rows->own, (const char *const *)texts.names,
            texts.n, model->parameters, model->network.n_parameters, err);
    if (status == DOSI_OK && rows->own != NULL) {
        struct schema *schema = &rows->own->schema;
        schema->delimiter = file.delimiter;
        schema->decimal = file.decimal;
        schema->has_header = file.has_header;
        schema->n_columns = file.n_columns;
        records_start(&rows->records, schema, with_labels != 0);
        rows->records.keeps_lines = true;
        *out = rows;
    } else {
        dosi_model_rows_free(rows);
    }
    name_list_free(&texts);
    schema_free(&file);
    return status;
}

void dosi_model_rows_free(dosi_model_rows *rows)
{
    if (rows == NULL)
        return;
    records_free(&rows->records);
    dosi_model_free(rows->own);
    free(rows);
}

dosi_status dosi_model_rows_read_csv(
    dosi_model_rows *rows, const char *bytes, size_t n, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    return records_csv(&rows->records, bytes, n, err);
}

dosi_status dosi_model_rows_end(
    size_t *n_rows, dosi_model_rows *rows, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_status status = records_end(&rows->records, err);

    *n_rows = rows->records.n_rows;
    return status;
}

dosi_status dosi_model_rows_predict(double *out, double *labels,
    const dosi_model *model, const dosi_model_rows *rows, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    const struct records *records = &rows->records;
    const struct schema *schema = &rows->own->schema;
    size_t n_outputs = dosi_model_output_count(model);
    struct network_pass *pass = NULL;

    if (schema_n_inputs(&model->schema) != schema_n_inputs(schema) ||
        model->network.n_parameters != rows->own->network.n_parameters)
        return dosi_fail(
            err, DOSI_EINVAL, "the rows were read for another model");
    dosi_status status = new_pass(&pass, model, err);

    for (size_t r = 0; r < records->n_rows && status == DOSI_OK; r++) {
        bool good = records->is_good[r];
        predict_row(out + r * n_outputs, model, pass,
            records->inputs + r * records->stride, good);
        if (labels != NULL)
            labels[r] = !good                     ? NAN
                        : schema->label_is_number
                            ? from_unit(records->labels[r], schema)
                            : records->labels[r];
    }
    network_pass_free(pass);
    return status;
}
