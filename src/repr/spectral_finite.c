/*
 * Finite laws: the atoms are the nodes, exactly, and nothing decays.
 */
#include "spectral_part.h"

#include <stdlib.h>

#include "base/error.h"

static bool finite_rough(spectral_rough *out, spectral_part *self, double t)
{
    const atoms *pair = self->law->finite;
    size_t n = atoms_count(pair);
    if (self->sketch.n == 0) {
        if (n == 0 || !spectral_sketch_resize(&self->sketch, n, false))
            return false;
        for (size_t i = 0; i < n; i++) {
            self->sketch.log_weight[i] = ball_mid(atoms_log_mass(pair, i));
            self->sketch.loss[i] = ball_mid(atoms_loss(pair, i));
        }
    }
    *out = spectral_sketch_at(&self->sketch, t);
    return true;
}

static double finite_rough_nodes(
    spectral_part *self, const spectral_want *w)
{
    (void)w;
    return (double)atoms_count(self->law->finite);
}

static dosi_status finite_tilt(bool *found, spectral_part *self,
    const spectral_want *w, dosi_error *err)
{
    const atoms *pair = self->law->finite;
    size_t n = atoms_count(pair);
    self->want = *w;
    self->error = 0;
    *found = false;
    ball *weight = malloc(2 * n * sizeof *weight);
    if (weight == NULL || !spectral_nodes_resize(self, n, false)) {
        free(weight);
        return dosi_fail_memory(err);
    }
    ball *losses = weight + n, t = ball_of(w->t);
    double top = -HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        losses[i] = atoms_loss(pair, i);
        weight[i] = ball_add(atoms_log_mass(pair, i), ball_mul(t, losses[i]));
        top = fmax(top, weight[i].hi);
    }
    for (size_t i = 0; i < n; i++)
        weight[i] = ball_exp(ball_sub_d(weight[i], top));
    spectral_rough r = spectral_sketch_at(&self->sketch, w->t);
    spectral_nodes_fill(
        self, weight, losses, n, sqrt(self->count * fabs(r.k2)) / 2 + 1e-300);
    self->cumulant = ball_add_d(ball_log(self->moment), top);
    free(weight);
    *found = !ball_is_unknown(self->cumulant) &&
             !ball_is_unknown(self->mean);
    return DOSI_OK;
}

/* K(t) + a mean + log sum g e^{a c}. */
static double finite_cumulant_upper(const spectral_part *self, double a)
{
    ball base = ball_add(self->cumulant, ball_mul_d(self->mean, a));
    return ball_upper(ball_add_d(base, spectral_nodes_log_sum(self, a)));
}

static ball finite_largest(const loss *pair)
{
    size_t n = atoms_count(pair->finite);
    return n > 0 ? atoms_loss(pair->finite, n - 1) : ball_of(-HUGE_VAL);
}

const spectral_type spectral_finite = {
    .rough = finite_rough,
    .rough_nodes = finite_rough_nodes,
    .tilt = finite_tilt,
    .power = spectral_nodes_power,
    .cumulant_upper = finite_cumulant_upper,
    .largest = finite_largest,
};
