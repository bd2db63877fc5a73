/*
 * Which columns a model reads and how a record becomes its inputs: numbers
 * mapped by public bounds to [0, 1], declared categories to one input each.
 */
#ifndef DOSI_RELEASE_TRAIN_SCHEMA_H
#define DOSI_RELEASE_TRAIN_SCHEMA_H

#include <stdint.h>

#include "network.h"
#include "value_text.h"

#define SCHEMA_NONE ((size_t)-1)

struct schema_feature {
    char *name;
    size_t column;               /* once the columns are known */
    double lo, hi;               /* bounds of a number */
    struct name_list categories; /* of a text: one input each */
    bool has_missing;
    double missing; /* what a missing number counts as */
};

enum schema_model {
    MODEL_UNKNOWN,
    MODEL_LINEAR,
    MODEL_LOGISTIC,
    MODEL_SOFTMAX,
    MODEL_MLP
};

struct schema {
    enum schema_model model;
    size_t hidden[NETWORK_MAX_LAYERS - 1];
    size_t n_hidden;
    char *label;
    size_t label_column;
    bool label_is_number; /* label_lo .. label_hi, else classes */
    double label_lo, label_hi;
    struct name_list classes;
    struct schema_feature *features;
    size_t n_features;
    bool has_bounds; /* of all columns that have no other role */
    double lo, hi;
    char *user; /* or NULL */
    size_t user_column;
    struct name_list orders;
    size_t *order_columns;
    char delimiter, decimal;
    bool has_header;
    size_t n_columns; /* 0: given by the header */
};

void schema_free(struct schema *schema);

/* The feature of that name, made if it is not there; NULL: no memory. */
struct schema_feature *schema_feature_of(
    struct schema *schema, const char *name);

/* The feature of that name, or NULL. */
struct schema_feature *schema_feature_find(
    const struct schema *schema, const char *name);

/*
 * Finds the columns in a header; without one they are 1, 2, ... up to
 * n_columns. Columns without another role become features when there are
 * bounds of all. The label is required if wanted.
 *
 * fails  DOSI_EINVAL for a column that is not there or there twice, which it
 *        names; it never shows the header
 */
dosi_status schema_resolve(struct schema *schema,
    const struct name_list *header, bool needs_label, dosi_error *err);

size_t schema_n_inputs(const struct schema *schema);

/* The network of the model. requires  resolved */
dosi_status schema_network(
    struct network *out, const struct schema *schema, dosi_error *err);

/* A feature's inputs from a number, NaN being missing; false: the record has
 * no inputs. The number of a feature with categories is their index. */
bool feature_of_number(
    double *inputs, const struct schema_feature *feature, double x);

/* The label from a number; false: the record has none. */
bool label_of_number(double *out, const struct schema *schema, double x);

/* "softmax", "mlp:32,16". requires  room for 64 bytes */
void schema_model_text(char *text, const struct schema *schema);

#endif
