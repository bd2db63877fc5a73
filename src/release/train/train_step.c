/*
 * One step: a sample by exact coins, the exact sum of clipped gradients, exact
 * noise, and the update, which is post-processing.
 * docs/theory/release_training.md 1.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "release/coins.h"
#include "train_run.h"

/* ---- The sum ------------------------------------------------------------ */

/* Adds what unit i contributes: a function of its rows and the parameters. */
static void unit_add(dosi_training *t, size_t i)
{
    const struct records *r = &t->records;
    size_t n = t->network.n_parameters;
    size_t begin = i == 0 ? 0 : t->people.ends[i - 1];
    uint64_t *sum = t->sum;

    if (t->settings.unit_is_user) {
        sum = t->person;
        memset(sum, 0, n * sizeof *sum);
    }
    for (size_t k = begin; k < t->people.ends[i]; k++) {
        size_t row = t->people.members[k];
        if (!r->is_good[row])
            continue;
        if (network_gradient(t->z, t->pass, r->inputs + row * r->stride,
                r->labels[row], &t->grid))
            (void)clip_add(sum, t->z, n, t->grid.bits);
    }
    if (t->settings.unit_is_user &&
        clip_integers(t->z, t->row, t->person, n, &t->grid))
        (void)clip_add(t->sum, t->z, n, t->grid.bits);
}

static dosi_status sum_sample(
    dosi_training *t, struct words *w, dosi_error *err)
{
    size_t n_units = t->people.n_units;
    size_t m = (size_t)t->settings.batch;

    memset(t->sum, 0, t->network.n_parameters * sizeof *t->sum);
    if (t->settings.sampler == TRAIN_POISSON) {
        poisson_sample(t->member, n_units, t->rate, w);
        for (size_t i = 0; i < n_units; i++)
            if (t->member[i])
                unit_add(t, i);
        return DOSI_OK;
    }
    dosi_status status =
        uniform_subset(t->subset, m, (size_t)t->examples, w, err);
    if (status != DOSI_OK)
        return status;
    /* The members beyond the units are lines that are no row: z = 0. The law
     * of the sum is a function of the multiset of all z. */
    for (size_t i = 0; i < m; i++)
        if (t->subset[i] < n_units)
            unit_add(t, t->subset[i]);
    return DOSI_OK;
}

/* ---- The update --------------------------------------------------------- */

static double learning_rate(
    const struct train_settings *s, double step, double steps)
{
    switch (s->schedule) {
    case SCHEDULE_CONSTANT:
        return s->learning_rate;
    case SCHEDULE_LINEAR:
        return s->learning_rate * (1 - (step - 1) / steps);
    case SCHEDULE_SQRT:
        return s->learning_rate / sqrt(step);
    }
    return s->learning_rate;
}

/* x^n for a whole n, by squaring. */
static double power(double x, double n)
{
    double result = 1;

    for (uint64_t k = (uint64_t)n; k > 0; k >>= 1, x *= x)
        if (k & 1)
            result *= x;
    return result;
}

void train_update(struct train_state *state, const int64_t *noisy,
    const struct train_settings *settings, double steps)
{
    const struct train_settings *s = settings;
    double unit = ldexp(s->clip, -(int)s->grid_bits) / s->batch;
    double rate = learning_rate(s, state->used, steps);
    double *theta = state->parameters, *u = state->first, *w = state->second;
    bool is_adam = s->optimizer == TRAIN_ADAM;

    state->n_updates++;
    double mean_share = 1 - power(s->beta1, state->n_updates);
    double square_share = 1 - power(s->beta2, state->n_updates);
    for (size_t j = 0; j < state->n_parameters; j++) {
        double v = unit * (double)noisy[j];
        double move;
        if (is_adam) {
            u[j] = s->beta1 * u[j] + (1 - s->beta1) * v;
            w[j] = s->beta2 * w[j] + (1 - s->beta2) * v * v;
            move = u[j] / mean_share / (sqrt(w[j] / square_share) + 1e-8);
        } else {
            u[j] = s->momentum * u[j] + v;
            move = u[j];
        }
        theta[j] -= rate * (move + s->weight_decay * theta[j]);
    }
}

/* ---- The step ----------------------------------------------------------- */

dosi_status train_step(dosi_training *t, struct words *w, dosi_error *err)
{
    size_t n = t->network.n_parameters;
    dosi_status status;

    /* The step is used up on the disk before a word of it is drawn. */
    t->state.used++;
    status = checkpoint_reserve(&t->checkpoint, t->state.used, err);
    if (status != DOSI_OK)
        return status;
    network_pass_set(t->pass, t->state.parameters);
    status = sum_sample(t, w, err);
    if (status == DOSI_OK)
        status = noise_draw(t->noisy, n, t->noise, w, err);
    if (status == DOSI_OK)
        status = words_check(w, err);
    if (status == DOSI_OK) {
        for (size_t j = 0; j < n; j++)
            t->noisy[j] = (int64_t)(t->sum[j] + (uint64_t)t->noisy[j]);
        train_update(&t->state, t->noisy, &t->settings, t->steps);
    }
    memset(t->sum, 0, n * sizeof *t->sum);
    memset(t->noisy, 0, n * sizeof *t->noisy);
    return status;
}
