/*
 * One Poisson-sampled record far out on the contour: the shifted line of
 * contour_group_line.c in doubles. One rule with few nodes is good for every
 * u, and its terms go from one outer node to the next by one complex product
 * each. Derivation: docs/theory/contour.md, section 4.
 */
#include "part_group.h"

#include <stdlib.h>

#include "base/error.h"
#include "special/exp_sums.h"
#include "special/disc_row.h"

#define UNIT 0x1p-53
#define ARRAYS 10
#define MOST_ANGLE 0x1p25 /* of phase_turn_all */
#define SPARE 12 /* nats below what is wanted: where a node is dropped */

/* One law on its line, over M(t): M = E[(1 + v)^p], xi = sign x. */
typedef struct far_line {
    double mu, odds, log_odds, p, alpha, sine, cosine;
    double sign;     /* of the loss in l */
    double constant; /* of log_size */
    double size;     /* of its terms */
    double relative; /* error of odds, and of the constant */
} far_line;

/* A node: its term at u is e^{log_size - u damp + i (u turn + phase)}, and
 * errs by at most fixed + u moving of that. */
typedef struct far_node {
    double log_size, damp, turn, phase, fixed, moving;
} far_node;

static far_line line_of(const contour_part *self)
{
    const loss_law *pair = self->law;
    double sign = contour_added(pair) > 0 ? -1 : 1, alpha = self->far.alpha;
    double p = sign < 0 ? -self->want.t : self->want.t + 1;
    double mu = ball_mid(pair->parameter), q = ball_mid(pair->rate);
    double growth = alpha * alpha / (2 * mu * mu), keep = log1p(-q);
    double shift = ball_mid(self->cumulant), log_h = log(self->far.h);
    return (far_line){.mu = mu,
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
 * With k = q e^y/(1-q), 1 + k e^{i alpha} = e^{A + iB}; d(A + iB) is at most
 * R = k/|1 + k e^{i alpha}| times the error of y, 6 units of mu |xi| + mu^2,
 * and that of the odds. Else A errs by 24 units of itself, and B by what
 * |sin| of the angle between it and the true one is found to be, within 48
 * units. The sums below round those figures up. Where k > e^300, A = log k and
 * B = alpha but for 2/k, and log k errs by less than 24 units of itself.
 */
static far_node node_at(const far_line *f, double xi)
{
    double push = f->mu * f->mu / 2, y = f->mu * xi - push;
    double a = y + f->log_odds, b = f->alpha, miss = UNIT, ratio = 1;
    if (!(a > 300)) {
        double k = f->odds * exp(y), x = k * (2 * f->cosine + k);
        double modulus = sqrt(1 + x);
        double top = k * f->sine, side = 1 + k * f->cosine;
        a = log1p(x) / 2;
        b = atan2(top, side);
        miss = fabs(top * cos(b) - side * sin(b)) / modulus;
        ratio = k / modulus;
    }
    double slide = ratio * (8 * UNIT * (fabs(f->mu * xi) + push) + f->relative);
    double of_b = 2 * miss + 64 * UNIT * b, of_a = 32 * UNIT * a;
    double sway = xi * f->alpha / f->mu, turned = f->p * b - sway;
    double reach = fabs(f->p) * (a + b) + fabs(sway) + xi * xi + f->size;
    return (far_node){.log_size = f->constant - xi * xi / 2 + f->p * a,
        .damp = b,
        .turn = f->sign * a,
        .phase = f->sign * turned,
        .fixed = fabs(f->p) * (2 * slide + of_a + of_b) + 10 * UNIT * reach +
                 f->relative + 48 * UNIT,
        .moving = 4 * (slide + of_a + of_b)};
}

/* ---- The rule ---------------------------------------------------------- */

/* Room for n nodes, none yet; false without memory. */
static bool make_room(shifted_rule *far, size_t n)
{
    n = (n + PHASE_LANES - 1) / PHASE_LANES * PHASE_LANES;
    double *room = malloc(ARRAYS * n * sizeof *room);
    if (room == NULL)
        return false;
    free(far->storage);
    far->storage = room;
    far->log_size = room;
    far->damp = room + n;
    far->turn = room + 2 * n;
    far->phase = room + 3 * n;
    far->step_re = room + 4 * n;
    far->step_im = room + 5 * n;
    far->re = room + 6 * n;
    far->im = room + 7 * n;
    far->size = room + 8 * n;
    far->angle = room + 9 * n;
    far->n = 0;
    return true;
}

static void keep_node(shifted_rule *far, const far_node *v, double step)
{
    size_t i = far->n++;
    double size = exp(-step * v->damp), angle = step * v->turn;
    far->log_size[i] = v->log_size;
    far->damp[i] = v->damp;
    far->turn[i] = v->turn;
    far->phase[i] = v->phase;
    far->step_re[i] = size * cos(angle);
    far->step_im[i] = size * sin(angle);
}

/* A product of FAR_ROW steps: each step's factor errs by 17 units and what
 * moves, the product by 3; then the sum over n nodes. For u >= from,
 * e^{-u b/2} <= e^{-from b/2} and u e^{-u b/2} <= 0.74/b. */
static double node_error(const far_node *v, double from, size_t n)
{
    double more = (21.0 * FAR_ROW + (double)n / PHASE_LANES + 16) * UNIT;
    double size = exp(v->log_size - from * v->damp / 2);
    return size * (v->fixed + more + v->moving * 0.75 / v->damp);
}

/* Nodes that matter at from, and what all errors come to: those whose losses
 * are greatest come last, since they are damped most. */
static void fill(contour_part *self, const far_line *f, size_t n_all)
{
    shifted_rule *far = &self->far;
    double from = self->want.far, least = -self->want.digits - SPARE;
    double rounded = 0, dropped = 0;
    for (size_t i = 0; i < n_all; i++) {
        double at =
            f->sign > 0 ? far->first + (double)i : far->last - (double)i;
        far_node v = node_at(f, f->sign * at * far->h);
        double log_term = v.log_size - from * v.damp;
        if (log_term < least) {
            dropped += exp(log_term);
            continue;
        }
        rounded += node_error(&v, from, n_all);
        keep_node(far, &v, self->want.step);
    }
    /* those that far_powers leaves out */
    dropped += (double)far->n * exp(least);
    far->error =
        (rounded + dropped + group_line_error(self)) * (1 + 1e-6) + DBL_MIN;
    if (!(far->error < 1)) /* NaN, too */
        far->error = 1;
}

dosi_status shifted_rule_tilt(bool *found, contour_part *self, dosi_error *err)
{
    shifted_rule *far = &self->far;
    double mu = self->group->mu;
    double ends = fmax(fabs(far->first), fabs(far->last)) * far->h;
    *found = false;
    if (!(mu * ends + mu * mu < 300) || !(far->last - far->first < 200000))
        return DOSI_OK;
    size_t n_all = (size_t)(far->last - far->first) + 1;
    if (!make_room(far, n_all))
        return dosi_fail_memory(err);
    far_line f = line_of(self);
    fill(self, &f, n_all);
    *found = far->error < 1;
    return DOSI_OK;
}

/* ---- Sums -------------------------------------------------------------- */

/* Logarithms of sizes, and angles, at u. */
PHASE_WIDE static void put_row(double *restrict size, double *restrict angle,
    const shifted_rule *far, size_t n, double u)
{
    const double *restrict damp = far->damp, *restrict turn = far->turn;
    const double *restrict log_size = far->log_size;
    const double *restrict phase = far->phase;
    for (size_t i = 0; i < n; i++) {
        size[i] = log_size[i] - u * damp[i];
        angle[i] = u * turn[i] + phase[i];
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

/* The terms at u, dropping nodes from the end that no longer count: their
 * damping only grows with u. How many are left, padded with nothing. */
static size_t start_row(const shifted_rule *far, double least, double u)
{
    size_t n = far->n;
    while (n > 0 && far->log_size[n - 1] - u * far->damp[n - 1] < least)
        n--;
    size_t whole = (n + PHASE_LANES - 1) / PHASE_LANES * PHASE_LANES;
    double most = 0;
    put_row(far->size, far->angle, far, n, u);
    for (size_t i = 0; i < n; i++) {
        double angle = fabs(far->angle[i]);
        most = angle > most ? angle : most;
    }
    for (size_t i = n; i < whole; i++)
        far->angle[i] = 0;
    exp_all(far->size, n);
    if (most <= MOST_ANGLE)
        phase_turn_all(far->re, far->im, far->angle, whole);
    for (size_t i = 0; i < n && !(most <= MOST_ANGLE); i++) {
        far->re[i] = cos(far->angle[i]);
        far->im[i] = sin(far->angle[i]);
    }
    scale_row(far->re, far->im, far->size, n);
    for (size_t i = n; i < whole; i++)
        far->re[i] = far->im[i] = 0;
    for (size_t i = far->n; i < whole; i++) /* there are none */
        far->step_re[i] = far->step_im[i] = 0;
    return whole;
}

/* Adds the terms up at all nodes of a row, moving on by one step from each to
 * the next, in lanes. */
PHASE_WIDE static void add_row(double *restrict sum_re, double *restrict sum_im,
    const shifted_rule *far, size_t n)
{
    double lane_re[FAR_ROW][PHASE_LANES] = {{0}};
    double lane_im[FAR_ROW][PHASE_LANES] = {{0}};
    for (size_t i = 0; i < n; i += PHASE_LANES) {
        double a[PHASE_LANES], b[PHASE_LANES], c[PHASE_LANES], d[PHASE_LANES];
        for (size_t l = 0; l < PHASE_LANES; l++) {
            a[l] = far->re[i + l];
            b[l] = far->im[i + l];
            c[l] = far->step_re[i + l];
            d[l] = far->step_im[i + l];
        }
        for (size_t j = 0; j < FAR_ROW; j++)
            for (size_t l = 0; l < PHASE_LANES; l++) {
                double x = a[l], y = b[l];
                lane_re[j][l] += x;
                lane_im[j][l] += y;
                a[l] = x * c[l] - y * d[l];
                b[l] = x * d[l] + y * c[l];
            }
    }
    for (size_t j = 0; j < FAR_ROW; j++) {
        sum_re[j] = sum_im[j] = 0;
        for (size_t l = 0; l < PHASE_LANES; l++) {
            sum_re[j] += lane_re[j][l];
            sum_im[j] += lane_im[j][l];
        }
    }
}

void shifted_rule_powers(
    disc out[FAR_ROW], const contour_part *self, double u, size_t n)
{
    disc_row z;
    double least = -self->want.digits - SPARE;
    add_row(z.re, z.im, &self->far, start_row(&self->far, least, u));
    for (size_t j = 0; j < FAR_ROW; j++) {
        z.re[j] -= 1; /* |sum| <= 1 + error, so that this rounds by 2 units */
        z.rad[j] = self->far.error + 0x1p-51;
    }
    disc_row_powers(out, &z, self->count, n);
}
