/*
 * The settings of training, one text each as "learning-rate 2": read by a
 * table, checked as a whole before any data.
 */
#ifndef DOSI_RELEASE_TRAIN_TRAIN_SETTINGS_H
#define DOSI_RELEASE_TRAIN_TRAIN_SETTINGS_H

#include "schema.h"

enum train_sampler {
    TRAIN_POISSON,
    TRAIN_WITHOUT_REPLACEMENT
};

enum train_optimizer {
    TRAIN_SGD,
    TRAIN_ADAM
};

enum train_schedule {
    SCHEDULE_CONSTANT,
    SCHEDULE_LINEAR, /* falls to 0 after the last step */
    SCHEDULE_SQRT    /* 1 / sqrt(t) */
};

struct train_settings {
    struct schema schema;
    double examples; /* whole; 0: not declared */
    bool examples_are_counted;
    double batch, steps; /* whole */
    char *epochs;        /* as given, or NULL */
    double clip;
    double grid_bits;
    double noise;   /* deviation / clip; 0: calibrated for epsilon */
    double epsilon; /* -1: not given */
    double delta;
    enum train_sampler sampler;
    enum train_optimizer optimizer;
    enum train_schedule schedule;
    double learning_rate, momentum, weight_decay;
    double beta1, beta2;
    double init_seed; /* whole */
    bool neighbours_given;
    dosi_neighbours neighbours;
    double max_rows; /* 0: not given */
    bool is_file_order;
    bool unit_is_user;
    char *checkpoint; /* or NULL */
    double checkpoint_every;
    bool resumes;
    bool is_moved; /* the checkpoint is the only copy */
    struct name_list texts; /* what a checkpoint must agree with, sorted */
};

enum train_use {
    TRAIN_OF_RUN = 1,   /* a training run */
    TRAIN_OF_MODEL = 2, /* a model file */
    TRAIN_OF_FILE = 4   /* how a file is written */
};

/* Reads each text by the table; nothing is checked across settings. */
dosi_status train_settings_take(struct train_settings *out,
    const char *const *texts, size_t n, unsigned use, dosi_error *err);

/* Checks the settings of a training run. fails  DOSI_EINVAL, DOSI_EUNSUPPORTED,
 * DOSI_ENOMEM; freed in any case */
dosi_status train_settings_read(struct train_settings *out,
    const char *const *texts, size_t n, dosi_error *err);
void train_settings_free(struct train_settings *settings);

/* Model and columns alone, of a model file. */
dosi_status train_settings_model(struct schema *out, const char *const *texts,
    size_t n, dosi_error *err);

/* Settings of the format of a file: delimiter, decimal, no-header, columns. */
dosi_status train_settings_file(struct schema *out, const char *const *texts,
    size_t n, dosi_error *err);

/* Steps of so many examples: those of steps, or of epochs rounded up; 0 when
 * there are more than 2^53. */
double train_settings_steps(
    const struct train_settings *settings, double examples);

#endif
