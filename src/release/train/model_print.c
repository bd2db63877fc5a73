/*
 * The model file: JSON with shapes, bounds, categories and hexadecimal
 * parameters, and what the model cost. dosi_json_read_model reads it.
 */
#include <stdio.h>
#include <string.h>

#include "base/buffer.h"
#include "base/c_locale.h"
#include "base/error.h"
#include "base/float_environment.h"
#include "model.h"

static void put_key(dosi_buffer *b, const char *name, const char *before)
{
    dosi_buffer_text(b, before);
    dosi_buffer_json_string(b, name, strlen(name));
    dosi_buffer_text(b, ":");
}

static void put_text(dosi_buffer *b, const char *name, const char *text)
{
    put_key(b, name, ",\n");
    dosi_buffer_json_string(b, text, strlen(text));
}

/* Bounds and missing values are finite. */
static void put_number(
    dosi_buffer *b, const char *name, double x, const char *before)
{
    char text[DOSI_NUMBER_BYTES];

    put_key(b, name, before);
    dosi_buffer_bytes(b, text, dosi_print_exact(text, x));
}

static void put_names(
    dosi_buffer *b, const char *name, const struct name_list *list)
{
    put_key(b, name, ",\n");
    for (size_t i = 0; i < list->n; i++) {
        dosi_buffer_text(b, i == 0 ? "[" : ",");
        dosi_buffer_json_string(b, list->names[i], strlen(list->names[i]));
    }
    dosi_buffer_text(b, list->n == 0 ? "[]" : "]");
}

static void put_feature(dosi_buffer *b, const struct schema_feature *feature)
{
    put_key(b, "name", "{");
    dosi_buffer_json_string(b, feature->name, strlen(feature->name));
    if (feature->categories.n > 0) {
        put_names(b, "categories", &feature->categories);
    } else {
        put_number(b, "lower", feature->lo, ",");
        put_number(b, "upper", feature->hi, ",");
        if (feature->has_missing)
            put_number(b, "missing", feature->missing, ",");
    }
    dosi_buffer_text(b, "}");
}

/* Parameters as hexadecimal texts; what is not finite is "inf" or "nan". */
static void put_layers(dosi_buffer *b, const dosi_model *model)
{
    char text[64];

    put_key(b, "layers", ",\n");
    for (size_t l = 0; l < model->network.n_layers; l++) {
        const struct network_layer *layer = &model->network.layers[l];
        const double *w = model->parameters + layer->first;
        snprintf(text, sizeof text, "%s{\"inputs\":%zu,\"outputs\":%zu,",
            l == 0 ? "[" : ",\n", layer->n_in, layer->n_out);
        dosi_buffer_text(b, text);
        put_key(b, "weights_then_bias", "");
        for (size_t i = 0; i < layer->n_out; i++) {
            dosi_buffer_text(b, i == 0 ? "[\n[" : ",\n[");
            for (size_t j = 0; j <= layer->n_in; j++) {
                snprintf(text, sizeof text, "%s\"%a\"", j == 0 ? "" : ",",
                    *w++);
                dosi_buffer_text(b, text);
            }
            dosi_buffer_text(b, "]");
        }
        dosi_buffer_text(b, "]}");
    }
    dosi_buffer_text(b, "]");
}

static void put_cost(dosi_buffer *b, const dosi_model *model)
{
    char text[DOSI_NUMBER_BYTES];
    bool is_finite = model->epsilon.hi < 1e308;

    put_text(b, "plan", model->plan);
    put_text(b, "neighbours",
        model->neighbours == DOSI_REPLACE ? "replace" : "add_remove");
    put_text(b, "unit", model->unit);
    put_number(b, "delta", model->delta, ",\n");
    put_key(b, "epsilon", ",\n");
    put_number(b, "lower", model->epsilon.lo, "{");
    put_key(b, "upper", ",");
    if (is_finite) {
        dosi_print_exact(text, model->epsilon.hi);
        dosi_buffer_text(b, text);
    } else {
        dosi_buffer_text(b, "\"inf\"");
    }
    dosi_buffer_text(b, "}");
    put_names(b, "assumptions", &model->assumptions);
}

static void put_model(dosi_buffer *b, const dosi_model *model)
{
    const struct schema *schema = &model->schema;
    char kind[64];

    schema_model_text(kind, schema);
    dosi_buffer_text(b, "{\"format\":\"dosimeter model 1\"");
    put_text(b, "version", dosi_version());
    put_text(b, "model", kind);
    put_text(b, "label", schema->label);
    if (schema->label_is_number) {
        put_number(b, "label_lower", schema->label_lo, ",\n");
        put_number(b, "label_upper", schema->label_hi, ",\n");
    } else {
        put_names(b, "classes", &schema->classes);
    }
    put_key(b, "features", ",\n");
    for (size_t i = 0; i < schema->n_features; i++) {
        dosi_buffer_text(b, i == 0 ? "[" : ",\n");
        put_feature(b, &schema->features[i]);
    }
    dosi_buffer_text(b, "]");
    if (model->plan != NULL)
        put_cost(b, model);
    put_layers(b, model);
    dosi_buffer_text(b, "}\n");
}

dosi_status dosi_model_print(char *text, size_t size, size_t *length,
    const dosi_model *model, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_buffer b = {0};
    c_locale before = dosi_c_locale_enter();

    put_model(&b, model);
    dosi_c_locale_leave(before);
    *length = b.length;
    dosi_status status = b.failed ? dosi_fail_memory(err) : DOSI_OK;
    if (status == DOSI_OK && size > 0) {
        size_t n = b.length < size ? b.length : size - 1;
        memcpy(text, b.text, n);
        text[n] = '\0';
    }
    dosi_buffer_free(&b);
    return status;
}
