/*
 * Reads model files of training as settings and parameters. The values of the
 * settings are checked by the functions that make a model of them.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/c_locale.h"
#include "base/error.h"
#include "base/float_environment.h"
#include "dosimeter/json.h"
#include "json_text.h"

static const char format_name[] = "dosimeter model 1";

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

static void put_number(dosi_buffer *b, const cJSON *number)
{
    char text[DOSI_NUMBER_BYTES];
    dosi_buffer_bytes(b, text, dosi_print_exact(text, number->valuedouble));
}

/* Moves the text into the model; false if memory ran out. */
static bool keep(dosi_json_model *model, dosi_buffer *b)
{
    char **settings = realloc(
        model->settings, (model->n_settings + 1) * sizeof *settings);
    if (settings != NULL)
        model->settings = settings;
    if (settings == NULL || b->failed) {
        dosi_buffer_free(b);
        return false;
    }
    settings[model->n_settings++] = b->text;
    return true;
}

static dosi_status wrong(const char *what, dosi_error *err)
{
    return dosi_fail(err, DOSI_EINVAL, "model file: %s", what);
}

static dosi_status keep_text(dosi_json_model *model, const char *setting,
    const char *text, dosi_error *err)
{
    dosi_buffer b = {0};
    dosi_buffer_text(&b, setting);
    dosi_buffer_text(&b, text);
    return keep(model, &b) ? DOSI_OK : dosi_fail_memory(err);
}

/* Reads a setting NAME:LO..HI. */
static dosi_status keep_range(dosi_json_model *model, const char *setting,
    const char *name, const cJSON *lower, const cJSON *upper, dosi_error *err)
{
    dosi_buffer b = {0};
    if (!cJSON_IsNumber(lower) || !cJSON_IsNumber(upper))
        return wrong("bounds must be numbers", err);
    dosi_buffer_text(&b, setting);
    put_name(&b, name);
    dosi_buffer_text(&b, ":");
    put_number(&b, lower);
    dosi_buffer_text(&b, "..");
    put_number(&b, upper);
    return keep(model, &b) ? DOSI_OK : dosi_fail_memory(err);
}

static dosi_status keep_categories(dosi_json_model *model, const char *name,
    const cJSON *list, dosi_error *err)
{
    dosi_buffer b = {0};
    const cJSON *item;
    if (!cJSON_IsArray(list))
        return wrong("categories must be a list of texts", err);
    dosi_buffer_text(&b, "categories ");
    put_name(&b, name);
    dosi_buffer_text(&b, ":");
    cJSON_ArrayForEach (item, list) {
        if (!cJSON_IsString(item)) {
            dosi_buffer_free(&b);
            return wrong("categories must be a list of texts", err);
        }
        dosi_buffer_text(&b, item == list->child ? "" : ",");
        put_name(&b, item->valuestring);
    }
    return keep(model, &b) ? DOSI_OK : dosi_fail_memory(err);
}

static dosi_status keep_feature(
    dosi_json_model *model, const cJSON *feature, dosi_error *err)
{
    const char *name = json_string(json_member(feature, "name"));
    const cJSON *categories = json_member(feature, "categories");
    const cJSON *missing = json_member(feature, "missing");
    dosi_buffer b = {0};
    if (name == NULL)
        return wrong("a feature must have a name", err);
    if (categories != NULL)
        return keep_categories(model, name, categories, err);
    dosi_status status = keep_range(model, "feature ", name,
        json_member(feature, "lower"), json_member(feature, "upper"), err);
    if (status != DOSI_OK || !cJSON_IsNumber(missing))
        return status;
    dosi_buffer_text(&b, "missing ");
    put_name(&b, name);
    dosi_buffer_text(&b, ":");
    put_number(&b, missing);
    return keep(model, &b) ? DOSI_OK : dosi_fail_memory(err);
}

static dosi_status read_settings(
    dosi_json_model *model, const cJSON *object, dosi_error *err)
{
    const char *format = json_string(json_member(object, "format"));
    const char *kind = json_string(json_member(object, "model"));
    const char *label = json_string(json_member(object, "label"));
    const cJSON *features = json_member(object, "features"), *feature;
    const cJSON *classes = json_member(object, "classes");
    if (format == NULL || strcmp(format, format_name) != 0)
        return dosi_fail(err, DOSI_EINVAL,
            "model file: the format must be \"%s\"", format_name);
    if (kind == NULL || label == NULL || !cJSON_IsArray(features))
        return wrong("model, label and features must be there", err);
    dosi_status status = keep_text(model, "model ", kind, err);
    if (status == DOSI_OK && classes == NULL)
        status = keep_range(model, "label ", label,
            json_member(object, "label_lower"),
            json_member(object, "label_upper"), err);
    if (status == DOSI_OK && classes != NULL) {
        dosi_buffer b = {0};
        dosi_buffer_text(&b, "label ");
        put_name(&b, label);
        status = keep(model, &b) ? keep_categories(model, label, classes, err)
                                 : dosi_fail_memory(err);
    }
    cJSON_ArrayForEach (feature, features)
        if (status == DOSI_OK)
            status = keep_feature(model, feature, err);
    return status;
}

/* ---- Parameters ---------------------------------------------------------- */

/* Reads one row of a layer, written as hexadecimal texts. */
static dosi_status read_row(dosi_json_model *model, const cJSON *row,
    size_t n, dosi_error *err)
{
    const cJSON *item;
    if (!cJSON_IsArray(row) || (size_t)cJSON_GetArraySize(row) != n)
        return wrong("a row of a layer must have its inputs and a bias", err);
    double *longer = realloc(model->parameters,
        (model->n_parameters + n) * sizeof *longer);
    if (longer == NULL)
        return dosi_fail_memory(err);
    model->parameters = longer;
    cJSON_ArrayForEach (item, row) {
        char *end;
        const char *text = json_string(item);
        if (text == NULL || *text == '\0')
            return wrong("parameters must be texts such as \"0x1.8p-3\"", err);
        longer[model->n_parameters] = strtod(text, &end);
        if (*end != '\0')
            return wrong("parameters must be texts such as \"0x1.8p-3\"", err);
        model->n_parameters++;
    }
    return DOSI_OK;
}

static dosi_status read_layer(
    dosi_json_model *model, const cJSON *layer, dosi_error *err)
{
    const cJSON *inputs = json_member(layer, "inputs");
    const cJSON *outputs = json_member(layer, "outputs");
    const cJSON *rows = json_member(layer, "weights_then_bias"), *row;
    dosi_status status = DOSI_OK;
    if (!cJSON_IsNumber(inputs) || !cJSON_IsNumber(outputs) ||
        !cJSON_IsArray(rows) || !(inputs->valuedouble >= 1) ||
        !(inputs->valuedouble <= 1e9) ||
        cJSON_GetArraySize(rows) != outputs->valuedouble)
        return wrong(
            "a layer must have inputs, outputs and a row for each output",
            err);
    cJSON_ArrayForEach (row, rows)
        if (status == DOSI_OK)
            status = read_row(
                model, row, (size_t)inputs->valuedouble + 1, err);
    return status;
}

static dosi_status read_model(
    dosi_json_model *model, const cJSON *object, dosi_error *err)
{
    const cJSON *layers = json_member(object, "layers"), *layer;
    dosi_status status = read_settings(model, object, err);
    if (status == DOSI_OK && !cJSON_IsArray(layers))
        status = wrong("layers must be a list", err);
    c_locale before = dosi_c_locale_enter();
    cJSON_ArrayForEach (layer, layers)
        if (status == DOSI_OK)
            status = read_layer(model, layer, err);
    dosi_c_locale_leave(before);
    return status;
}

dosi_status dosi_json_read_model(dosi_json_model **out, const char *text,
    size_t n_bytes, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_json_model *model = calloc(1, sizeof *model);
    cJSON *object = NULL;
    *out = NULL;
    if (model == NULL)
        return dosi_fail_memory(err);
    dosi_status status = json_text_read(&object, text, n_bytes, err);
    if (status == DOSI_OK)
        status = read_model(model, object, err);
    cJSON_Delete(object);
    if (status == DOSI_OK)
        *out = model;
    else
        dosi_json_model_free(model);
    return status;
}

void dosi_json_model_free(dosi_json_model *model)
{
    if (model == NULL)
        return;
    for (size_t i = 0; i < model->n_settings; i++)
        free(model->settings[i]);
    free(model->settings);
    free(model->parameters);
    free(model);
}
