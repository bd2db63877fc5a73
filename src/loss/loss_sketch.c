/*
 * Loss laws as points in plain doubles: they guide choices and certify nothing.
 * Gaussian noise has a midpoint rule in the coordinate of the noise, which is
 * accurate to many digits; bounded noise has the middles of cells.
 */
#include "loss_tails.h"

#define NORMAL_POINTS 640
#define NORMAL_REACH 39.0
#define SKETCH_CELLS 256

static void sketch_add(loss_sketch *out, double at, double log_mass)
{
    if (out->n == LOSS_SKETCH || !(log_mass > -745) || !(fabs(at) < 1e300))
        return;
    out->at[out->n] = at;
    out->log_mass[out->n++] = log_mass;
}

static double log_add(double a, double b)
{
    double most = fmax(a, b);
    return most > -HUGE_VAL ? most + log1p(exp(-fabs(a - b))) : most;
}

/* log(1 - q + q e^l). */
static double log_mix(double q, double l)
{
    return l < 30 ? log1p(q * expm1(l)) : log_add(log1p(-q), log(q) + l);
}

/* Adds the points of one base loss l, where Q has the mass e^log_q. */
static void sketch_mapped(
    loss_sketch *out, const loss_law *pair, double l, double log_q)
{
    double q = ball_mid(pair->rate), m = log_mix(q, l);
    switch (pair->map) {
    case LOSS_PLAIN:
        sketch_add(out, l, log_q + l);
        break;
    case LOSS_MIXTURE_FIRST:
        sketch_add(out, m, log_q + m);
        break;
    case LOSS_BASE_FIRST:
        sketch_add(out, -m, log_q);
        break;
    case LOSS_WITHOUT_REPLACEMENT:
    case LOSS_WITH_REPLACEMENT:
        if (l <= 0)
            break;
        sketch_add(out, m, log_q + m);
        sketch_add(out, -m, log_q);
        break;
    case LOSS_GROUP:
        break;
    }
}

/* log of sum_i w_i e^(i t - i^2 mu^2/2). */
static double log_shifts(const ball *weight, unsigned n, double t, double mu)
{
    double sum = -HUGE_VAL;
    for (unsigned i = 0; i <= n; i++)
        sum = log_add(
            sum, log(ball_mid(weight[i])) + i * t - 0.5 * i * i * mu * mu);
    return sum;
}

static void sketch_normal(loss_sketch *out, const loss_tails *c)
{
    const loss_law *pair = &c->pair;
    double mu = ball_mid(pair->parameter);
    double left = -NORMAL_REACH - (double)pair->added * mu;
    double right = NORMAL_REACH + fmax(1, (double)pair->removed) * mu;
    int n = pair->map == LOSS_WITHOUT_REPLACEMENT ? NORMAL_POINTS / 2
                                                  : NORMAL_POINTS;
    double step = (right - left) / n;
    for (int i = 0; i < n; i++) {
        double y = left + (i + 0.5) * step;
        double log_n = -0.5 * y * y - 0.918938533204672742 + log(step);
        if (pair->map != LOSS_GROUP) {
            sketch_mapped(out, pair, mu * y - 0.5 * mu * mu, log_n);
            continue;
        }
        double p = log_shifts(c->removed, pair->removed, mu * y, mu);
        double q = log_shifts(c->added, pair->added, -mu * y, mu);
        sketch_add(out, p - q, log_n + p);
    }
}

static void sketch_bounded(loss_sketch *out, const loss_tails *c)
{
    double a = ball_mid(c->pair.parameter), step = 2 * a / SKETCH_CELLS;
    double scale = c->pair.noise == LOSS_LAPLACE ? 0.25 : -0.5 / expm1(-a);
    for (int i = 0; i < SKETCH_CELLS; i++) {
        double l = -a + (i + 0.5) * step;
        double log_q = log(scale * step) - (l + a) / 2;
        sketch_mapped(out, &c->pair, l, log_q);
    }
}

/* Adds points at positive losses of the base; k = 1, which has most of the
 * mass, gets most points. */
static void sketch_with_replacement(loss_sketch *out, const loss_tails *c)
{
    unsigned n_terms = c->pair.removed;
    for (unsigned k = 1; k <= n_terms; k++) {
        int n = k == 1 ? SKETCH_CELLS : SKETCH_CELLS / (int)(n_terms + 1) + 4;
        double a = k * ball_mid(c->pair.parameter), mu = a;
        bool normal = c->pair.noise == LOSS_GAUSSIAN;
        double share = log(ball_mid(c->removed[k]));
        double step = (normal ? NORMAL_REACH + mu / 2 : a) / n;
        double scale = c->pair.noise == LOSS_LAPLACE ? 0.25 : -0.5 / expm1(-a);
        for (int i = 0; i < n; i++) {
            double x = (i + 0.5) * step, y = mu / 2 + x;
            if (normal)
                sketch_mapped(out, &c->pair, mu * x,
                    share - 0.5 * y * y - 0.918938533204672742 + log(step));
            else
                sketch_mapped(
                    out, &c->pair, x, share + log(scale * step) - (x + a) / 2);
        }
    }
}

static void sketch_density(loss_sketch *out, const loss_tails *c)
{
    if (c->pair.map == LOSS_WITH_REPLACEMENT) {
        sketch_with_replacement(out, c);
        return;
    }
    switch (c->pair.noise) {
    case LOSS_GAUSSIAN:
        sketch_normal(out, c);
        break;
    case LOSS_LAPLACE:
    case LOSS_EXPONENTIAL:
        sketch_bounded(out, c);
        break;
    case LOSS_FINITE:
        break;
    }
}

void loss_sketch_fill(loss_sketch *out, const loss_tails *c)
{
    out->n = 0;
    out->count = c->pair.count;
    sketch_density(out, c);
    out->n_smooth = out->n;
    size_t n = loss_atom_count(c), every =
        1 + n / (LOSS_SKETCH - SKETCH_CELLS - 8);
    for (size_t i = 0; i < n; i += every) {
        loss_atom a = loss_atom_at(c, i);
        double more = every > 1 ? log((double)every) : 0;
        sketch_add(out, ball_mid(a.at), log(ball_mid(a.p)) + more);
    }
}
