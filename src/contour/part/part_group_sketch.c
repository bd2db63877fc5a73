/*
 * Guesses for mixtures of shifted Gaussian noise in plain doubles: the cumulant
 * and the decay of the characteristic function, from a sketch of the noise on
 * few nodes. Nothing here is certified; the bounds are in part_group_bound.c.
 * Derivation: docs/theory/contour.md, section 9.
 */
#include "special/exp_sums.h"
#include "part_group.h"

static const double pi = 3.14159265358979323846;

#define MAX_SKETCH_NODES 40000

static double share_of_variance(double var, double zeros)
{
    return zeros > 0 ? fmin(var / zeros, 0.25) : 0;
}

static bool make_sketch(contour_part *self, double most)
{
    group *g = group_of(self);
    if (g == NULL)
        return false;
    cumulant_sketch *k = &self->sketch;
    double pull = (most + 1) * g->p.n + most * group_at(g, GROUP_LEFT).mean_q;
    double all = g->mu * pull + 2 * GROUP_LEFT;
    double h = fmax(fmin(0.5, 0.7 / g->mu), all / MAX_SKETCH_NODES);
    size_t n = (size_t)(all / h) + 2;
    if (!(all < 1e9) || !contour_sketch_resize(k, n, GROUP_COLUMNS))
        return false;
    g->spacing = h;
    double scale = log(h) - log(2 * pi) / 2;
    for (size_t i = 0; i < n; i++) {
        double x = group_sketch_x(g, i);
        shifts_point p = shifts_at(&g->p, g->mu * x);
        shifts_point q = shifts_at(&g->q, -g->mu * x);
        k->log_weight[i] = scale - x * x / 2 + p.log_sum;
        k->loss[i] = p.log_sum - q.log_sum;
        k->column[GROUP_MEAN_P][i] = p.mean;
        k->column[GROUP_VAR_P][i] = share_of_variance(p.var, g->p.n);
        k->column[GROUP_MEAN_Q][i] = q.mean;
        k->column[GROUP_VAR_Q][i] = share_of_variance(q.var, g->q.trials);
    }
    k->max_tilt = most;
    return true;
}

bool group_guess_cumulant(cumulant_guess *out, contour_part *self, double t)
{
    cumulant_sketch *k = &self->sketch;
    double most = k->n > 0 ? k->max_tilt : 16;
    if (k->budget < 0)
        return false;
    while (t > most && most < 0x1p60)
        most *= 2;
    if ((k->n == 0 || most > k->max_tilt) && !make_sketch(self, most))
        return false;
    *out = k->guess;
    if (k->tilted_at == t)
        return true;
    *out = contour_sketch_at(k, t);
    k->budget -= (double)k->n;
    return true;
}

#define BLOCK_NODES 64
#define DECAY_OPERATIONS 6 /* of a node */

PHASE_WIDE static void shift_exponents(double *restrict e,
    double *restrict rho2,
    const double *restrict mean, const double *restrict var, size_t n,
    double s2, double turn)
{
    for (size_t i = 0; i < n; i++) {
        rho2[i] = 1 - s2 * var[i];
        e[i] -= turn * mean[i] / sqrt(rho2[i]);
    }
}

/* Adds power log rho - u theta for a polynomial of equal zeros to e, n <=
 * BLOCK_NODES; turn is u sin alpha. */
static void add_shift_exponent(double *e, const cumulant_sketch *k,
    size_t column,
    size_t from, size_t n, double power, double s2, double turn)
{
    double log_rho2[BLOCK_NODES];
    if (power == 0)
        return;
    shift_exponents(e, log_rho2, k->significant_column[column] + from,
        k->significant_column[column + 1] + from, n, s2, turn);
    log_all(log_rho2, n);
    for (size_t i = 0; i < n; i++)
        e[i] += power / 2 * log_rho2[i];
}

/* log of the bound of |chi| at u by the line shifted by alpha. */
static double log_shifted_sum(contour_part *self, double t, double alpha,
    double u)
{
    const group *g = self->group;
    cumulant_sketch *k = &self->sketch;
    if (k->budget < 0)
        return 0;
    double sine = sin(alpha / 2), s2 = 4 * sine * sine, sum = 0;
    double turn = u * sin(alpha);
    for (size_t from = 0; from < k->n_significant; from += BLOCK_NODES) {
        size_t n =
            k->n_significant - from < BLOCK_NODES ? k->n_significant - from
            : BLOCK_NODES;
        double e[BLOCK_NODES] = {0};
        add_shift_exponent(e, k, GROUP_MEAN_P, from, n, (t + 1) * g->p.n, s2,
            turn);
        add_shift_exponent(e, k, GROUP_MEAN_Q, from, n, -t * g->q.trials, s2,
            turn);
        expm1_all(e, n);
        for (size_t i = 0; i < n; i++)
            sum += k->significant[from + i] * e[i];
    }
    k->budget -= 2 * (double)k->n_significant + 8;
    k->uncounted += DECAY_OPERATIONS * (double)k->n_significant;
    return alpha * alpha / (2 * g->mu * g->mu) + log1p(sum);
}

/* The greatest shift that leaves room for a strip and whose cost beyond the
 * nodes is moderate. */
static double max_shift(const group *g, double t)
{
    double mean = group_at(g, -GROUP_LEFT).mean_q;
    double cost = t * fmin(mean, g->q.trials / 4) / 2; /* of alpha^2 */
    double most = 0.89 * group_max_height(g);
    /* the remaining height bounds the cost */
    if (g->p.is_truncated || g->q.trials > 0)
        most = 0.7 * group_max_height(g);
    return cost * most * most > 40 ? sqrt(40 / cost) : most;
}

/* The best shift at u, searched for around mu^2 u E[m]. */
static double best_shift(
    double *best, contour_part *self, double t, double u, double most)
{
    const cumulant_sketch *k = &self->sketch;
    double mu = self->group->mu, mean = 0;
    for (size_t i = 0; i < k->n_significant; i++)
        mean += k->significant[i] * (k->significant_column[GROUP_MEAN_P][i] +
                                  k->significant_column[GROUP_MEAN_Q][i]);
    double alpha = fmin(fmax(mu * mu * u * mean, 1e-12), most);
    double value = log_shifted_sum(self, t, alpha, u);
    for (double factor = 1.6; factor > 0.5; factor = factor > 1 ? 0.625 : 0)
        for (int i = 0; i < 8; i++) {
            double next = fmin(alpha * factor, most);
            double there = log_shifted_sum(self, t, next, u);
            if (!(there < value))
                break;
            alpha = next;
            value = there;
        }
    *best = alpha;
    return value;
}

double group_guess_decay(
    part_request *w, contour_part *self, double t, double u)
{
    if (self->sketch.n == 0)
        return 0;
    if (self->sketch.tilted_at != t)
        (void)contour_sketch_at(&self->sketch, t);
    contour_sketch_weights(&self->sketch);
    double best = 0, turn = max_shift(self->group, t);
    double most = self->group->mu < 1.1 ? 1 : 8;
    /* near the multiple that was best last time */
    double first = fmax(w->multiple / 2, 1), last = fmin(w->multiple * 2, most);
    w->alpha = fmin(0.1, 0.7 * turn);
    w->multiple = 1;
    for (double m = first; m <= last; m *= 2) {
        double alpha, raw = best_shift(&alpha, self, t, m * u, turn);
        double value = raw < 0 ? contour_decay_from_multiple(raw, m) : 0;
        if (value < best) {
            best = value;
            w->alpha = alpha;
            w->multiple = m;
        }
    }
    return best;
}
