/*
 * Passes of one record through a network, docs/theory/release_training.md 3.
 * Every sum over inputs or outputs is taken in the order of its index, lane
 * by lane of the other side.
 */
#include "network.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "elementary.h"

#define LANES 4
#define MAX_PARAMETERS ((size_t)1 << 26)

/* ---- Shape and first state ---------------------------------------------- */

dosi_status network_shape(struct network *out, enum network_head head,
    size_t n_inputs, const size_t *hidden, size_t n_hidden, size_t n_outputs,
    dosi_error *err)
{
    size_t n_in = n_inputs;

    *out = (struct network){.head = head, .n_outputs = n_outputs};
    out->n_layers = n_hidden + 1;
    for (size_t l = 0; l < out->n_layers; l++) {
        size_t n_out = l < n_hidden ? hidden[l] : n_outputs;
        if (n_in > MAX_PARAMETERS || n_out > MAX_PARAMETERS ||
            n_out * (n_in + 1) > MAX_PARAMETERS - out->n_parameters)
            return dosi_fail(err, DOSI_EINVAL,
                "the model has more than %zu parameters", MAX_PARAMETERS);
        out->layers[l] = (struct network_layer){n_in, n_out,
            out->n_parameters, (n_out + LANES - 1) / LANES * LANES};
        out->n_parameters += n_out * (n_in + 1);
        n_in = n_out;
    }
    return DOSI_OK;
}

/* SplitMix64; public, for initial weights alone. */
static uint64_t next_public(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

void network_initial(
    double *parameters, const struct network *network, uint64_t seed)
{
    uint64_t state = seed;

    memset(parameters, 0, network->n_parameters * sizeof *parameters);
    for (size_t l = 0; network->n_layers > 1 && l < network->n_layers; l++) {
        const struct network_layer *layer = &network->layers[l];
        double reach = sqrt(6 / (double)(layer->n_in + layer->n_out));
        double *w = parameters + layer->first;
        for (size_t i = 0; i < layer->n_out; i++, w++)
            for (size_t j = 0; j < layer->n_in; j++) {
                double u = (double)(next_public(&state) >> 11) * 0x1p-52;
                *w++ = reach * (u - 1);
            }
    }
}

/* ---- Working memory ----------------------------------------------------- */

dosi_status network_pass_new(struct network_pass **out,
    const struct network *network, dosi_error *err)
{
    struct network_pass *pass = calloc(1, sizeof *pass);
    bool good = pass != NULL;

    *out = NULL;
    for (size_t l = 0; good && l < network->n_layers; l++) {
        const struct network_layer *layer = &network->layers[l];
        pass->weights[l] = calloc(
            (layer->n_in + 1) * layer->stride, sizeof *pass->weights[l]);
        pass->inputs[l] = calloc(layer->n_in + 1, sizeof *pass->inputs[l]);
        pass->deltas[l] = calloc(layer->stride, sizeof *pass->deltas[l]);
        good = pass->weights[l] != NULL && pass->inputs[l] != NULL &&
               pass->deltas[l] != NULL;
        if (good)
            pass->inputs[l][layer->n_in] = 1;
    }
    size_t last = network->layers[network->n_layers - 1].stride;
    if (good)
        pass->outputs = calloc(last, sizeof *pass->outputs);
    if (!good || pass->outputs == NULL) {
        network_pass_free(pass);
        return dosi_fail_memory(err);
    }
    pass->network = network;
    *out = pass;
    return DOSI_OK;
}

void network_pass_free(struct network_pass *pass)
{
    if (pass == NULL)
        return;
    for (size_t l = 0; l < NETWORK_MAX_LAYERS; l++) {
        free(pass->weights[l]);
        free(pass->inputs[l]);
        free(pass->deltas[l]);
    }
    free(pass->outputs);
    free(pass);
}

void network_pass_set(struct network_pass *pass, const double *parameters)
{
    const struct network *network = pass->network;

    pass->parameters = parameters;
    for (size_t l = 0; l < network->n_layers; l++) {
        const struct network_layer *layer = &network->layers[l];
        const double *w = parameters + layer->first;
        for (size_t i = 0; i < layer->n_out; i++)
            for (size_t j = 0; j <= layer->n_in; j++)
                pass->weights[l][j * layer->stride + i] = *w++;
    }
}

/* ---- Forward ----------------------------------------------------------- */

/* out_i = sum_j weights[j][i] x_j in the order of j; lanes over outputs. The
 * width is the number of sums computed at once, not their order. */
#define APPLY_LANES(width) \
    for (; begin + (width) <= stride; begin += (width)) { \
        double lanes[width] = {0}; \
        const double *w = weights + begin; \
        for (size_t j = 0; j < n; j++, w += stride) \
            for (size_t k = 0; k < (width); k++) \
                lanes[k] += w[k] * x[j]; \
        for (size_t k = 0; k < (width); k++) \
            out[begin + k] = lanes[k]; \
    }

CLIP_WIDE static void layer_apply(double *restrict out,
    const double *restrict weights, const double *restrict x, size_t n,
    size_t stride)
{
    size_t begin = 0;

    APPLY_LANES(32)
    APPLY_LANES(16)
    APPLY_LANES(LANES)
}

CLIP_WIDE static void tanh_apply(double *out, const double *in, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = element_tanh(in[i]);
}

const double *network_scores(struct network_pass *pass, const double *x)
{
    const struct network *network = pass->network;
    size_t last = network->n_layers - 1;

    /* Scores of hidden layers use the memory of their deltas. */
    for (size_t l = 0; l < last; l++) {
        const struct network_layer *layer = &network->layers[l];
        layer_apply(pass->deltas[l], pass->weights[l],
            l == 0 ? x : pass->inputs[l], layer->n_in + 1, layer->stride);
        tanh_apply(pass->inputs[l + 1], pass->deltas[l], layer->n_out);
    }
    layer_apply(pass->outputs, pass->weights[last],
        last == 0 ? x : pass->inputs[last], network->layers[last].n_in + 1,
        network->layers[last].stride);
    return pass->outputs;
}

/* p_i = exp(s_i - max) / sum. */
CLIP_WIDE static void softmax(double *p, const double *scores, size_t n)
{
    double greatest = scores[0];
    double sum = 0;

    for (size_t i = 1; i < n; i++)
        greatest = scores[i] > greatest ? scores[i] : greatest;
    for (size_t i = 0; i < n; i++)
        p[i] = element_exp(scores[i] - greatest);
    for (size_t i = 0; i < n; i++)
        sum += p[i];
    for (size_t i = 0; i < n; i++)
        p[i] /= sum;
}

void network_predict(double *out, struct network_pass *pass, const double *x)
{
    const struct network *network = pass->network;
    const double *scores = network_scores(pass, x);

    switch (network->head) {
    case HEAD_LINEAR:
        out[0] = scores[0];
        return;
    case HEAD_LOGISTIC:
        out[0] = element_logistic(-scores[0]);
        out[1] = element_logistic(scores[0]);
        return;
    case HEAD_SOFTMAX:
        softmax(out, scores, network->n_outputs);
        return;
    }
}

/* ---- Backward ----------------------------------------------------------- */

/* The derivative of the loss by the scores. */
static void head_delta(
    double *delta, const struct network *network, double *scores, double label)
{
    switch (network->head) {
    case HEAD_LINEAR: {
        double residual = scores[0] - label; /* NaN stays NaN */
        residual = residual > 1 ? 1 : residual;
        delta[0] = residual < -1 ? -1 : residual;
        return;
    }
    case HEAD_LOGISTIC:
        delta[0] = element_logistic(scores[0]) - label;
        return;
    case HEAD_SOFTMAX:
        softmax(delta, scores, network->n_outputs);
        delta[(size_t)label] -= 1;
        return;
    }
}

/* below_j = (1 - h_j^2) sum_i w[i][j] delta_i, in the order of i; lanes over
 * inputs. */
CLIP_WIDE static void layer_back(double *restrict below,
    const double *restrict w, const double *restrict delta,
    const double *restrict h, size_t n_in, size_t n_out)
{
    for (size_t j = 0; j < n_in; j++)
        below[j] = 0;
    for (size_t i = 0; i < n_out; i++, w += n_in + 1)
        for (size_t j = 0; j < n_in; j++)
            below[j] += w[j] * delta[i];
    for (size_t j = 0; j < n_in; j++)
        below[j] *= 1 - h[j] * h[j];
}

static void all_deltas(
    struct network_pass *pass, const double *x, double label)
{
    const struct network *network = pass->network;
    size_t last = network->n_layers - 1;

    network_scores(pass, x);
    head_delta(pass->deltas[last], network, pass->outputs, label);
    for (size_t l = last; l > 0; l--) {
        const struct network_layer *layer = &network->layers[l];
        layer_back(pass->deltas[l - 1], pass->parameters + layer->first,
            pass->deltas[l], pass->inputs[l], layer->n_in, layer->n_out);
    }
}

bool network_gradient(int32_t *z, struct network_pass *pass, const double *x,
    double label, const struct clip_grid *grid)
{
    const struct network *network = pass->network;
    double of_input[NETWORK_MAX_LAYERS];
    double squares = 0;
    bool good = true;

    all_deltas(pass, x, label);
    /* |delta x^T|^2 = |delta|^2 |x|^2 for the matrix of a layer. */
    for (size_t l = 0; l < network->n_layers; l++) {
        const struct network_layer *layer = &network->layers[l];
        const double *in = l == 0 ? x : pass->inputs[l];
        of_input[l] = clip_squares(in, layer->n_in + 1);
        squares += clip_squares(pass->deltas[l], layer->n_out) * of_input[l];
    }
    double f = clip_factor(grid, squares);
    for (size_t l = 0; l < network->n_layers && good; l++) {
        const struct network_layer *layer = &network->layers[l];
        const double *in = l == 0 ? x : pass->inputs[l];
        good = clip_outer(z + layer->first, pass->deltas[l], layer->n_out, in,
            layer->n_in + 1, of_input[l], f, grid->radius);
    }
    return good;
}

void network_gradient_exact(
    double *g, struct network_pass *pass, const double *x, double label)
{
    const struct network *network = pass->network;

    all_deltas(pass, x, label);
    for (size_t l = 0; l < network->n_layers; l++) {
        const struct network_layer *layer = &network->layers[l];
        const double *in = l == 0 ? x : pass->inputs[l];
        for (size_t i = 0; i < layer->n_out; i++)
            for (size_t j = 0; j <= layer->n_in; j++)
                *g++ = pass->deltas[l][i] * in[j];
    }
}
