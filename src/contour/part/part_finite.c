/*
 * Finite loss laws on the contour: the atoms are the nodes, except those of
 * negligible weight, and |chi| need not decay. Derivation:
 * docs/theory/contour.md, sections 2 and 6.
 */
#include "part.h"

#include <stdlib.h>

#include "base/error.h"
#include "num/ends.h"

/* log of an upper bound of the mass of an atom. */
static double log_mass_upper(const finite_law *atoms, size_t i)
{
    scaled mass = finite_mass(atoms, i);
    double m = ball_upper(mass.m);
    return m > 0 ? log(m) + (double)mass.e * 0.69314718055994530942
                 : -HUGE_VAL;
}

size_t contour_finite_count(const loss_law *pair)
{
    return pair->kept > 0 ? pair->kept : finite_count(pair->finite);
}

ball contour_finite_infinite_mass(const loss_law *pair)
{
    ball p_inf = finite_p_inf(pair->finite);
    size_t n = contour_finite_count(pair);
    if (n == finite_count(pair->finite))
        return p_inf;
    return ball_hull(p_inf, ball_add(p_inf, finite_mass_from(pair->finite, n)));
}

static bool finite_guess(cumulant_guess *out, contour_part *self, double t)
{
    const finite_law *atoms = self->law->finite;
    size_t n = contour_finite_count(self->law);
    if (self->sketch.n == 0) {
        if (n == 0 || !contour_sketch_resize(&self->sketch, n, 0))
            return false;
        for (size_t i = 0; i < n; i++) {
            self->sketch.log_weight[i] = log_mass_upper(atoms, i);
            self->sketch.loss[i] = ball_mid(finite_loss(atoms, i));
        }
    }
    *out = contour_sketch_at(&self->sketch, t);
    return true;
}

/* The greatest value of log mass + s loss over the atoms; *error receives the
 * error of any of these values. */
static double top_at(double *error, const contour_part *self, double s)
{
    const cumulant_sketch *k = &self->sketch;
    double top = -HUGE_VAL;
    *error = 0;
    for (size_t i = 0; i < k->n; i++) {
        double rad = finite_loss(self->law->finite, i).rad;
        top = fmax(top, k->log_weight[i] + s * k->loss[i]);
        if (k->log_weight[i] > -HUGE_VAL)
            *error = fmax(*error,
                0x1p-48 * (fabs(k->log_weight[i]) + fabs(s * k->loss[i])) +
                    2 * s * rad);
    }
    return top;
}

/* Marks the atoms that are significant at t, or less so at t + reach;
 * returns their number. The sums of the others, e^log_skipped, are rounded up:
 * the 1e-3 that is added covers the summation. */
static size_t choose_atoms(bool *keep, contour_part *self)
{
    const cumulant_sketch *k = &self->sketch;
    const part_request *w = &self->want;
    const double s[2] = {w->t, w->t + w->reach};
    const double deep = log((double)k->n) + 3;
    const double depth[2] = {w->digits + deep, 16};
    double top[2], error[2], sum[2] = {0, 0};
    size_t n = 0;
    for (int j = 0; j < 2; j++)
        top[j] = top_at(&error[j], self, s[j]);
    for (size_t i = 0; i < k->n; i++) {
        double g[2];
        for (int j = 0; j < 2; j++) {
            g[j] = k->log_weight[i] + s[j] * k->loss[i] - top[j];
            keep[i] = keep[i] || g[j] > -depth[j];
        }
        for (int j = 0; !keep[i] && j < 2; j++)
            sum[j] += exp(g[j]);
        n += keep[i] ? 1 : 0;
    }
    for (int j = 0; j < 2; j++) {
        /* DBL_MIN covers underflow */
        double log_sum = log(sum[j] + DBL_MIN) + top[j] + 1e-3 + error[j];
        self->log_skipped[j] = n == k->n       ? -HUGE_VAL
                               : isnan(log_sum) ? HUGE_VAL
                                                : log_sum;
    }
    return n;
}

static double finite_guess_nodes(
    contour_part *self, const part_request *w)
{
    double top = -HUGE_VAL, n = 0;
    const cumulant_sketch *k = &self->sketch;
    for (size_t i = 0; i < k->n; i++)
        top = fmax(top, k->log_weight[i] + w->t * k->loss[i]);
    for (size_t i = 0; i < k->n; i++)
        if (k->log_weight[i] + w->t * k->loss[i] > top - w->digits - 8)
            n++;
    return n;
}

/* Makes the nodes: weights e^(t loss) mass e^-top and losses of the atoms
 * kept. */
static void make_nodes(contour_part *self, ball *weight, ball *losses,
    const bool *keep, double top)
{
    const finite_law *atoms = self->law->finite;
    size_t n = 0;
    for (size_t i = 0; i < self->sketch.n; i++) {
        if (!keep[i])
            continue;
        losses[n] = finite_loss(atoms, i);
        ball tilt = ball_mul_d(losses[n], self->want.t);
        weight[n++] = scaled_ball(scaled_mul(
            finite_mass(atoms, i), scaled_exp(ball_sub_d(tilt, top))));
    }
}

static void fill(contour_part *self, const ball *weight, const ball *losses,
    size_t n, double top)
{
    cumulant_guess r = contour_sketch_at(&self->sketch, self->want.t);
    self->error = 0;
    contour_nodes_fill(
        self, weight, losses, n, sqrt(self->count * fabs(r.k2)) / 2 + 1e-300);
    self->shift = top;
    self->cumulant = ball_add_d(ball_log(self->moment), top);
    /* the dropped atoms are a share s of the sum at u = 0 and move both sums by
     * no more, hence their quotient by 2s/(1-s) */
    ball log_share =
        ball_sub(ball_of(contour_log_skipped(self, 0)), self->cumulant);
    double share = self->log_skipped[0] > -HUGE_VAL
                       ? ball_upper(ball_exp(log_share))
                       : 0;
    if (!(share < 0.1))
        self->cumulant = ball_unknown();
    if (share > 0) {
        self->error += 3 * share;
        self->cumulant = ball_add(self->cumulant,
            ball_of_interval(iv_make(0, share)));
    }
}

static dosi_status finite_tilt(bool *found, contour_part *self,
    const part_request *w, dosi_error *err)
{
    size_t all = contour_finite_count(self->law);
    *found = false;
    self->want = *w;
    cumulant_guess rough;
    if (!finite_guess(&rough, self, w->t))
        return DOSI_OK;
    bool *keep = calloc(all, sizeof *keep);
    if (keep == NULL)
        return dosi_fail_memory(err);
    size_t n = choose_atoms(keep, self);
    ball *weight = malloc((2 * n + 1) * sizeof *weight);
    if (weight == NULL || !contour_nodes_resize(self, n, false)) {
        free(weight);
        free(keep);
        return dosi_fail_memory(err);
    }
    double error, top = top_at(&error, self, w->t);
    make_nodes(self, weight, weight + n, keep, top);
    fill(self, weight, weight + n, n, top);
    free(weight);
    free(keep);
    *found = !ball_is_unknown(self->cumulant) &&
             !ball_is_unknown(self->mean) &&
             self->want.outer <= phase_reach(&self->nodes);
    return DOSI_OK;
}

/* Bounds K(t + a) by log of the sum over the nodes, K(t) + a mean + log sum g
 * e^{a c}, and that of the dropped atoms. */
static double finite_cumulant_upper(const contour_part *self, double a)
{
    ball nodes = ball_add_d(ball_log(self->moment), self->shift);
    nodes = ball_add(nodes, ball_mul_d(self->mean, a));
    nodes = ball_add_d(nodes, contour_nodes_log_sum(self, a));
    double rest = contour_log_skipped(self, a);
    if (!(rest > -HUGE_VAL))
        return ball_upper(nodes);
    return ball_upper(ball_logaddexp(nodes, ball_of(rest)));
}

static ball finite_largest_loss(const loss_law *pair)
{
    size_t n = contour_finite_count(pair);
    return n > 0 ? finite_loss(pair->finite, n - 1) : ball_of(-HUGE_VAL);
}

const contour_type contour_finite = {
    .guess_cumulant = finite_guess,
    .guess_nodes = finite_guess_nodes,
    .tilt = finite_tilt,
    .power = contour_nodes_power,
    .cumulant_upper = finite_cumulant_upper,
    .largest_loss = finite_largest_loss,
};
