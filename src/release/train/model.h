/* A model: columns, network and parameters, and what they cost. */
#ifndef DOSI_RELEASE_TRAIN_MODEL_H
#define DOSI_RELEASE_TRAIN_MODEL_H

#include "schema.h"

struct dosi_model {
    struct schema schema;
    struct network network;
    double *parameters;
    /* Of a model trained by this library; plan is NULL for others. */
    char *plan;
    double delta;
    dosi_interval epsilon;
    dosi_neighbours neighbours;
    const char *unit;
    struct name_list assumptions;
};

/* From the settings of a model; parameters are copied. */
dosi_status model_new(dosi_model **out, const char *const *settings,
    size_t n_settings, const double *parameters, size_t n_parameters,
    dosi_error *err);

/* The settings of a model as texts, which read back as an equal schema. */
dosi_status model_settings(
    struct name_list *out, const struct schema *schema, dosi_error *err);

#endif
