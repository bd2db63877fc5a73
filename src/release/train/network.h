/*
 * The models of training as layered networks: linear, logistic and softmax
 * regression have one layer, mlp has tanh layers before it. A record's
 * gradient is a function of that record and the parameters, bit for bit: a
 * fixed sequence of IEEE operations whose lanes run over outputs or inputs of
 * one record. docs/theory/release_training.md 3.
 */
#ifndef DOSI_RELEASE_TRAIN_NETWORK_H
#define DOSI_RELEASE_TRAIN_NETWORK_H

#include "clip.h"
#include "dosimeter/release.h"

#define NETWORK_MAX_LAYERS 3

enum network_head {
    HEAD_LINEAR,   /* squared loss, residual cut to [-1, 1] */
    HEAD_LOGISTIC, /* one output, two classes */
    HEAD_SOFTMAX
};

/* Parameters of a layer: n_out rows of n_in weights and a bias. */
struct network_layer {
    size_t n_in, n_out;
    size_t first;  /* of its parameters */
    size_t stride; /* n_out rounded up to whole lanes */
};

struct network {
    enum network_head head;
    size_t n_layers;
    struct network_layer layers[NETWORK_MAX_LAYERS];
    size_t n_parameters;
    size_t n_outputs;
};

/* hidden holds the widths of n_hidden tanh layers.
 * fails  DOSI_EINVAL for more than 2^26 parameters */
dosi_status network_shape(struct network *out, enum network_head head,
    size_t n_inputs, const size_t *hidden, size_t n_hidden, size_t n_outputs,
    dosi_error *err);

/* Zero for one layer, else uniform(+-sqrt(6 / (in + out))), biases 0, by a
 * public generator. */
void network_initial(
    double *parameters, const struct network *network, uint64_t seed);

/* Parameters arranged for the passes, and their working memory. */
struct network_pass {
    const struct network *network;
    const double *parameters;              /* the caller's */
    double *weights[NETWORK_MAX_LAYERS];  /* (n_in + 1) rows of stride */
    double *inputs[NETWORK_MAX_LAYERS];   /* n_in + 1, the last one 1 */
    double *deltas[NETWORK_MAX_LAYERS];   /* stride */
    double *outputs;                       /* of the last layer */
};

dosi_status network_pass_new(struct network_pass **out,
    const struct network *network, dosi_error *err);
void network_pass_free(struct network_pass *pass);

/* Takes the parameters over, which stay as they are during passes. */
void network_pass_set(struct network_pass *pass, const double *parameters);

/* Scores of the head for one record. x has n_in + 1 numbers, the last 1. */
const double *network_scores(struct network_pass *pass, const double *x);

/* Probabilities of classes (two for a logistic head), or the value. */
void network_predict(double *out, struct network_pass *pass, const double *x);

/* z of one record: its gradient on the grid, to be added by clip_add; false:
 * it counts for nothing. The label is the index of its class, or a value in
 * [0, 1]. */
bool network_gradient(int32_t *z, struct network_pass *pass, const double *x,
    double label, const struct clip_grid *grid);

/* The gradient itself, for tests. */
void network_gradient_exact(
    double *g, struct network_pass *pass, const double *x, double label);

#endif
