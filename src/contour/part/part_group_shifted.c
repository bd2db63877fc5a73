/*
 * The shifted line of part_group_dd.c in doubles, for one Poisson-sampled
 * record at large u. One rule with few nodes serves every u, and the terms at u
 * + D are those at u times one factor each. Derivation: docs/theory/contour.md,
 * section 4.
 */
#include "part_group.h"

#include <stdlib.h>

#include "base/error.h"
#include "special/exp_sums.h"
#include "special/disc_row.h"

#define UNIT 0x1p-53
#define NODE_ARRAYS 10
#define MAX_PHASE_ANGLE 0x1p25 /* largest angle for phase_cos_sin */
/* nats below the digits wanted at which a node is dropped */
#define DROP_RESERVE 12

/* One law on its shifted line, over M(t): M = E[(1 + v)^p], xi = sign x. */
typedef struct node_line {
    double mu, odds, log_odds, p, alpha, sine, cosine;
    double sign;     /* of the loss as a function of l */
    double constant; /* of log_size */
    double size;     /* sum of the moduli of the terms of constant */
    double relative; /* error of odds and of constant */
} node_line;

/* A node: its term at u is e^{log_size - u damping + i (u frequency + phase)},
 * with a relative error of at most fixed + u moving. */
typedef struct shifted_node {
    double log_size, damping, frequency, phase, fixed, moving;
} shifted_node;

static node_line line_of(const contour_part *self)
{
    const loss_law *pair = self->law;
    double sign = contour_added(pair) > 0 ? -1 : 1, alpha = self->shifted.alpha;
    double p = sign < 0 ? -self->want.t : self->want.t + 1;
    double mu = ball_mid(pair->parameter), q = ball_mid(pair->rate);
    double growth = alpha * alpha / (2 * mu * mu), keep = log1p(-q);
    double shift = ball_mid(self->cumulant), log_h = log(self->shifted.h);
    return (node_line){.mu = mu,
        .odds = q / (1 - q),
        .log_odds = log(q / (1 - q)),
        .p = p,
        .alpha = alpha,
        .sine = sin(alpha),
        .cosine = cos(alpha),
        .sign = sign,
        .constant = log_h - 0.91893853320467274178 + growth + p * keep - shift,
        .size = fabs(log_h) + 1 + growth + fabs(p * keep) + fabs(shift),
        .relative = self->cumulant.rad + (16 + 4 / (1 - q)) * UNIT +
                    fabs(p) * 4 * UNIT * q / (1 - q)};
}

/*
 * With k = q e^y/(1-q), 1 + k e^{i alpha} = e^{A + iB}; d(A + iB) is at most R
 * = k/|1 + k e^{i alpha}| times the error of y, 6 units of mu |xi| + mu^2, and
 * that of the odds. Besides, A errs by 24 units of itself, and B by |sin| of
 * the angle between it and the true one, found within 48 units. The sums below
 * round those figures up. For k > e^300, A = log k and B = alpha up to 2/k, and
 * log k errs by less than 24 units of itself.
 */
static shifted_node node_at(const node_line *f, double xi)
{
    double push = f->mu * f->mu / 2, y = f->mu * xi - push;
    double a = y + f->log_odds, b = f->alpha, sine_error = UNIT, ratio = 1;
    if (!(a > 300)) {
        double k = f->odds * exp(y), x = k * (2 * f->cosine + k);
        double modulus = sqrt(1 + x);
        double top = k * f->sine, side = 1 + k * f->cosine;
        a = log1p(x) / 2;
        b = atan2(top, side);
        sine_error = fabs(top * cos(b) - side * sin(b)) / modulus;
        ratio = k / modulus;
    }
    double shared_error =
        ratio * (8 * UNIT * (fabs(f->mu * xi) + push) + f->relative);
    double of_b = 2 * sine_error + 64 * UNIT * b, of_a = 32 * UNIT * a;
    double noise_phase = xi * f->alpha / f->mu;
    double all_phases = f->p * b - noise_phase;
    double reach = fabs(f->p) * (a + b) + fabs(noise_phase) + xi * xi + f->size;
    return (shifted_node){.log_size = f->constant - xi * xi / 2 + f->p * a,
        .damping = b,
        .frequency = f->sign * a,
        .phase = f->sign * all_phases,
        .fixed = fabs(f->p) * (2 * shared_error + of_a + of_b) +
                 10 * UNIT * reach + f->relative + 48 * UNIT,
        .moving = 4 * (shared_error + of_a + of_b)};
}

/* Makes room for n nodes; false without memory. */
static bool make_room(shifted_rule *shifted, size_t n)
{
    n = (n + PHASE_LANES - 1) / PHASE_LANES * PHASE_LANES;
    double *room = malloc(NODE_ARRAYS * n * sizeof *room);
    if (room == NULL)
        return false;
    free(shifted->storage);
    shifted->storage = room;
    shifted->log_size = room;
    shifted->damping = room + n;
    shifted->frequency = room + 2 * n;
    shifted->phase = room + 3 * n;
    shifted->step_re = room + 4 * n;
    shifted->step_im = room + 5 * n;
    shifted->re = room + 6 * n;
    shifted->im = room + 7 * n;
    shifted->size = room + 8 * n;
    shifted->angle = room + 9 * n;
    shifted->n = 0;
    return true;
}

static void keep_node(shifted_rule *shifted, const shifted_node *v, double step)
{
    size_t i = shifted->n++;
    double size = exp(-step * v->damping), angle = step * v->frequency;
    shifted->log_size[i] = v->log_size;
    shifted->damping[i] = v->damping;
    shifted->frequency[i] = v->frequency;
    shifted->phase[i] = v->phase;
    shifted->step_re[i] = size * cos(angle);
    shifted->step_im[i] = size * sin(angle);
}

/* The error of a node's term for u >= from: over SHIFTED_ROW steps each factor
 * errs by 17 units and by moving, each product by 3; then the sum over n nodes.
 * For u >= from, e^{-u b/2} <= e^{-from b/2} and u e^{-u b/2} <= 0.74/b. */
static double node_error(const shifted_node *v, double from, size_t n)
{
    double more = (21.0 * SHIFTED_ROW + (double)n / PHASE_LANES + 16) * UNIT;
    double size = exp(v->log_size - from * v->damping / 2);
    return size * (v->fixed + more + v->moving * 0.75 / v->damping);
}

/* Stores the nodes that are significant at u = shifted_from, and bounds all
 * errors. Nodes with the greatest losses come last, as they decay fastest. */
static void fill(contour_part *self, const node_line *f, size_t n_all)
{
    shifted_rule *shifted = &self->shifted;
    double from = self->want.shifted_from, least =
        -self->want.digits - DROP_RESERVE;
    double rounded = 0, dropped = 0;
    for (size_t i = 0; i < n_all; i++) {
        double at =
            f->sign > 0 ? shifted->first + (double)i
            : shifted->last - (double)i;
        shifted_node v = node_at(f, f->sign * at * shifted->h);
        double log_term = v.log_size - from * v.damping;
        if (log_term < least) {
            dropped += exp(log_term);
            continue;
        }
        rounded += node_error(&v, from, n_all);
        keep_node(shifted, &v, self->want.step);
    }
    /* those that shifted_rule_powers drops */
    dropped += (double)shifted->n * exp(least);
    shifted->error =
        (rounded + dropped + group_line_error(self)) * (1 + 1e-6) + DBL_MIN;
    if (!(shifted->error < 1)) /* also for NaN */
        shifted->error = 1;
}

dosi_status shifted_rule_tilt(bool *found, contour_part *self, dosi_error *err)
{
    shifted_rule *shifted = &self->shifted;
    double mu = self->group->mu;
    double ends = fmax(fabs(shifted->first), fabs(shifted->last)) * shifted->h;
    *found = false;
    if (!(mu * ends + mu * mu < 300) ||
        !(shifted->last - shifted->first < 200000))
        return DOSI_OK;
    size_t n_all = (size_t)(shifted->last - shifted->first) + 1;
    if (!make_room(shifted, n_all))
        return dosi_fail_memory(err);
    node_line f = line_of(self);
    fill(self, &f, n_all);
    *found = shifted->error < 1;
    return DOSI_OK;
}

/* Logarithms of moduli, and angles, at u. */
PHASE_WIDE static void put_row(double *restrict size, double *restrict angle,
    const shifted_rule *shifted, size_t n, double u)
{
    const double *restrict damping = shifted->damping, *restrict frequency =
        shifted->frequency;
    const double *restrict log_size = shifted->log_size;
    const double *restrict phase = shifted->phase;
    for (size_t i = 0; i < n; i++) {
        size[i] = log_size[i] - u * damping[i];
        angle[i] = u * frequency[i] + phase[i];
    }
}

PHASE_WIDE static void scale_row(double *restrict re, double *restrict im,
    const double *restrict size, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        re[i] *= size[i];
        im[i] *= size[i];
    }
}

/* Makes the terms at u and drops nodes from the end whose terms are negligible:
 * their decay grows with u. Returns the number of nodes left, padded with
 * zeros. */
static size_t start_row(const shifted_rule *shifted, double least, double u)
{
    size_t n = shifted->n;
    while (n > 0 &&
        shifted->log_size[n - 1] - u * shifted->damping[n - 1] < least)
        n--;
    size_t trials = (n + PHASE_LANES - 1) / PHASE_LANES * PHASE_LANES;
    double most = 0;
    put_row(shifted->size, shifted->angle, shifted, n, u);
    for (size_t i = 0; i < n; i++) {
        double angle = fabs(shifted->angle[i]);
        most = angle > most ? angle : most;
    }
    for (size_t i = n; i < trials; i++)
        shifted->angle[i] = 0;
    exp_all(shifted->size, n);
    if (most <= MAX_PHASE_ANGLE)
        phase_cos_sin(shifted->re, shifted->im, shifted->angle, trials);
    for (size_t i = 0; i < n && !(most <= MAX_PHASE_ANGLE); i++) {
        shifted->re[i] = cos(shifted->angle[i]);
        shifted->im[i] = sin(shifted->angle[i]);
    }
    scale_row(shifted->re, shifted->im, shifted->size, n);
    for (size_t i = n; i < trials; i++)
        shifted->re[i] = shifted->im[i] = 0;
    for (size_t i = shifted->n; i < trials; i++) /* factors of the padding */
        shifted->step_re[i] = shifted->step_im[i] = 0;
    return trials;
}

/* Sums the terms at all u of a row, advancing by one step from each to the
 * next, in lanes. */
PHASE_WIDE static void add_row(double *restrict sum_re, double *restrict sum_im,
    const shifted_rule *shifted, size_t n)
{
    double lane_re[SHIFTED_ROW][PHASE_LANES] = {{0}};
    double lane_im[SHIFTED_ROW][PHASE_LANES] = {{0}};
    for (size_t i = 0; i < n; i += PHASE_LANES) {
        double a[PHASE_LANES], b[PHASE_LANES], c[PHASE_LANES], d[PHASE_LANES];
        for (size_t l = 0; l < PHASE_LANES; l++) {
            a[l] = shifted->re[i + l];
            b[l] = shifted->im[i + l];
            c[l] = shifted->step_re[i + l];
            d[l] = shifted->step_im[i + l];
        }
        for (size_t j = 0; j < SHIFTED_ROW; j++)
            for (size_t l = 0; l < PHASE_LANES; l++) {
                double x = a[l], y = b[l];
                lane_re[j][l] += x;
                lane_im[j][l] += y;
                a[l] = x * c[l] - y * d[l];
                b[l] = x * d[l] + y * c[l];
            }
    }
    for (size_t j = 0; j < SHIFTED_ROW; j++) {
        sum_re[j] = sum_im[j] = 0;
        for (size_t l = 0; l < PHASE_LANES; l++) {
            sum_re[j] += lane_re[j][l];
            sum_im[j] += lane_im[j][l];
        }
    }
}

void shifted_rule_powers(
    disc out[SHIFTED_ROW], const contour_part *self, double u, size_t n)
{
    disc_row z;
    double least = -self->want.digits - DROP_RESERVE;
    add_row(z.re, z.im, &self->shifted, start_row(&self->shifted, least, u));
    for (size_t j = 0; j < SHIFTED_ROW; j++) {
        z.re[j] -= 1; /* |sum| <= 1 + error, so that this rounds by 2 units */
        z.rad[j] = self->shifted.error + 0x1p-51;
    }
    disc_row_powers(out, &z, self->count, n);
}
