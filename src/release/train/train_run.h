/* A training run: its settings, data, plan and public state. */
#ifndef DOSI_RELEASE_TRAIN_TRAIN_RUN_H
#define DOSI_RELEASE_TRAIN_TRAIN_RUN_H

#include "checkpoint.h"
#include "train_people.h"
#include "release/noise.h"

#define TRAIN_ASSUMPTIONS 6

/* The state of training, public from its start. */
struct train_state {
    double used;        /* steps whose noise may have been drawn */
    double n_updates;   /* steps that the parameters have */
    size_t n_parameters;
    double *parameters;
    double *first;  /* momentum, or mean of gradients */
    double *second; /* mean of their squares; of adam */
};

struct dosi_training {
    struct train_settings settings;
    struct records records;
    struct train_people people;
    bool is_started;

    double examples, steps, rate; /* rate = batch / examples */
    double sigma;
    const dosi_plan *plan;
    dosi_interval epsilon;
    dosi_options accounting;
    dosi_noise *noise;
    const char *assumptions[TRAIN_ASSUMPTIONS];
    size_t n_assumptions;
    char unit_text[200];

    struct network network;
    struct network_pass *pass;
    struct clip_grid grid;
    struct train_state state;
    struct checkpoint checkpoint;

    uint8_t *member;  /* of units: Poisson samples */
    size_t *subset;   /* of units: samples of fixed size */
    uint64_t *sum;    /* modulo 2^64 */
    uint64_t *person; /* the sum of one person's rows */
    double *row;      /* working memory of their clipping */
    int32_t *z;
    int64_t *noisy;
};

/* Plan, sigma, epsilon and noise from the settings and examples.
 * fails  as dosi_training_new */
dosi_status train_account(dosi_training *t, dosi_error *err);

/* One step from words that are open; words_check is done here. */
dosi_status train_step(dosi_training *t, struct words *w, dosi_error *err);

/* Parameters by the noisy sum Y of one step, docs/theory/release_training.md
 * 1: nothing of the data enters. */
void train_update(struct train_state *state, const int64_t *noisy,
    const struct train_settings *settings, double steps);

#endif
