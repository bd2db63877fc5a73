/*
 * Guesses for piecewise analytic loss laws, in plain doubles: a sketch for the
 * cumulant, and the panels of the certified rule. Every choice gives valid
 * bounds in part_piecewise.c, a poor one costs width or time. Derivation:
 * docs/theory/contour_piecewise.md.
 */
#include "part_piecewise.h"

#define MAX_SKETCH_NODES 30000

/* The end of the sketch's panel that begins at x: panels are no longer than
 * noise and loss are smooth, and graded towards the ends of the law, where a
 * strong tilt concentrates it. */
static double sketch_edge(
    const pieces *s, double x, double end, double tilt)
{
    double r = s->is_gaussian ? s->rate : pieces_at(s, s->x_end).r;
    double finest = 16 / (1 + tilt * s->slope * r);
    double side = fmin(x - s->x_begin, (end - x) * 0.75);
    double w = fmin(fmin(3, 10 / s->slope), finest + side * 0.4);
    return x + w < end && x + w > x ? x + w : end;
}

/* Fills one branch; the column receives density over weight. */
static void sketch_branch(cumulant_sketch *k, size_t at,
    const pieces *s, double sign, double end, double tilt)
{
    for (double a = s->x_begin, b; a < end; a = b) {
        b = sketch_edge(s, a, end, tilt);
        for (int j = 0; j < PIECES_POINTS; j++, at++) {
            double half = (b - a) / 2;
            double mass = half * ball_mid(pieces_weight(j));
            double x = a + half * (1 + ball_mid(pieces_node(j)));
            pieces_point p = pieces_at(s, x);
            double base = s->is_gaussian ? -x * x / 2 : -x / 2;
            k->loss[at] = sign * p.l;
            k->log_weight[at] =
                s->log_scale + base + log(mass) + (sign > 0 ? p.l : 0);
            k->column[0][at] = 1 / (mass * s->slope * p.r);
        }
    }
}

static bool make_sketch(contour_part *self, double tilt)
{
    pieces *s = pieces_of(self);
    if (s == NULL)
        return false;
    double end = s->is_gaussian ? fmax((tilt + 1) * s->slope, s->x_begin) + 11
                                : s->x_end;
    size_t each = 0, branches = (size_t)s->n_branches;
    for (double x = s->x_begin; x < end; each += PIECES_POINTS) {
        if (each * branches > MAX_SKETCH_NODES)
            return false;
        x = sketch_edge(s, x, end, tilt);
    }
    pieces_atom atom[PIECES_ATOMS];
    size_t n_atoms = pieces_atoms(atom, self->law, ball_of(0));
    if (!contour_sketch_resize(
            &self->sketch, n_atoms + each * branches, 1))
        return false;
    for (size_t i = 0; i < n_atoms; i++) {
        self->sketch.loss[i] = ball_mid(atom[i].loss);
        self->sketch.log_weight[i] = ball_mid(atom[i].log_weight);
        self->sketch.column[0][i] = 0;
    }
    for (size_t i = 0; i < branches; i++)
        sketch_branch(&self->sketch, n_atoms + i * each, s, s->sign[i], end,
            tilt);
    self->sketch.max_tilt = tilt;
    s->guess_at = -1;
    return true;
}

bool pieces_guess_cumulant(cumulant_guess *out, contour_part *self, double t)
{
    double most = self->sketch.n == 0 ? 2 : self->sketch.max_tilt;
    while (t > most && most < 0x1p60)
        most *= 2;
    if ((self->sketch.n == 0 || most > self->sketch.max_tilt) &&
        !make_sketch(self, most))
        return false;
    *out = contour_sketch_at(&self->sketch, t);
    return true;
}

/* Guesses atoms and total variation of the sketch at its present tilt. */
static void guess_variation(contour_part *self)
{
    pieces *s = self->pieces;
    cumulant_sketch *k = &self->sketch;
    double last = 0;
    contour_sketch_weights(k);
    s->guess_atoms = s->guess_variation = 0;
    size_t first = 0;
    while (first < k->n && k->column[0][first] == 0)
        s->guess_atoms += k->tilted[first++];
    size_t each = (k->n - first) / (size_t)s->n_branches;
    for (size_t i = first; i < k->n; i++) {
        double f = k->tilted[i] * k->column[0][i];
        if (each > 0 && (i - first) % each == 0) {
            s->guess_variation += last;
            last = s->is_joined ? f : 0;
        }
        s->guess_variation += fabs(f - last);
        last = f;
    }
    s->guess_variation += last;
    s->guess_at = k->tilted_at;
}

double pieces_guess_decay(
    part_request *w, contour_part *self, double t, double u)
{
    (void)w;
    if (self->pieces == NULL || self->sketch.n == 0)
        return 0;
    if (self->pieces->guess_at != t) {
        self->pieces->guess_k = contour_sketch_at(&self->sketch, t).k0;
        guess_variation(self);
    }
    /* slightly more, so that the certified bound attains the guess */
    return pieces_log_decay(self->pieces->guess_atoms,
        self->pieces->guess_variation * 1.01, u);
}

/* The right end of the panels for Gaussian noise. */
static double last_edge(
    const pieces *s, const part_request *w, double log_target)
{
    const double tilts[] = {w->t, w->t + w->reach};
    double most = s->x_begin + 1;
    for (int i = 0; i < 2; i++) {
        double x = fmax(s->x_begin, (tilts[i] + 1) * s->slope) + 1;
        for (int j = 0; j < 400; j++, x += 0.125)
            if (pieces_log_beyond(s, x, tilts[i]) <= log_target)
                break;
        most = fmax(most, x);
    }
    return ceil(most * 8) / 8;
}

/* The best ellipse near the last one, or the first that is good enough; *rank
 * is its index in a list. */
static double best_ellipse(const pieces *s, int *rank, double a,
    double b, const part_request *w, double enough)
{
    int at = *rank;
    double best = pieces_panel_error(
        s, a, b, exp(0.2 * at), w->t, w->outer);
    for (int way = -1; way <= 1; way += 2)
        for (int i = 0; i < 16; i++) {
            if (best <= enough || at + way < 1 || at + way > 20)
                break;
            double next = pieces_panel_error(
                s, a, b, exp(0.2 * (at + way)), w->t, w->outer);
            if (!(next < best) && best < HUGE_VAL)
                break;
            best = next;
            at += way;
        }
    *rank = at;
    return best;
}

/* log of the errors that panels may have at t, and at t + reach. */
typedef struct panel_targets {
    double here, ahead;
} panel_targets;

#define AHEAD_DIGITS 16 /* nats, for M(t + reach) */

static bool is_accurate_ahead(const pieces *s, const part_request *w, double a,
    double b, int rank, double log_target)
{
    return pieces_panel_error(
               s, a, b, exp(0.2 * rank), w->t + w->reach, 0) <= log_target;
}

/* True if a panel is accurate enough at both tilts, with an ellipse that is
 * good enough, or with the best one. */
static bool is_accurate(const pieces *s, const part_request *w, double a,
    double b, int *rank, panel_targets most)
{
    if (!(best_ellipse(s, rank, a, b, w, most.here) <= most.here))
        return false;
    if (is_accurate_ahead(s, w, a, b, *rank, most.ahead))
        return true;
    (void)best_ellipse(s, rank, a, b, w, -HUGE_VAL);
    return is_accurate_ahead(s, w, a, b, *rank, most.ahead);
}

bool pieces_choose(contour_part *self, const part_request *w)
{
    pieces *s = self->pieces;
    cumulant_guess r, ahead;
    if (!pieces_guess_cumulant(&ahead, self, w->t + w->reach) ||
        !pieces_guess_cumulant(&r, self, w->t))
        return false;
    panel_targets most = {r.k0 - s->log_scale - w->digits - 3,
        ahead.k0 - s->log_scale - AHEAD_DIGITS};
    double end = s->is_gaussian ? last_edge(s, w, most.here) : s->x_end;
    double x = s->x_begin, width = fmin(end - x, 2 / s->slope);
    int rank = 7;
    s->n_panels = 0;
    s->edge[0] = x;
    while (x < end) {
        double next = x;
        if (s->n_panels == PIECES_MAX)
            return false;
        for (int i = 0; i < 40; i++, width *= 0.8) {
            next = width < 0.95 * (end - x) ? x + width : end;
            if (is_accurate(s, w, x, next, &rank, most))
                break;
        }
        if (!(next > x))
            return false;
        s->rho[s->n_panels++] = exp(0.2 * rank);
        s->edge[s->n_panels] = next;
        width = (next - x) * 1.4;
        x = next;
    }
    return true;
}

/* Guesses the nodes per unit of length near x, for one branch: the best of some
 * heights b of the ellipse, whose error falls by e^-need, 2n log rho = need. */
static double density_of_nodes(
    const pieces *s, const part_request *w, double x, double target)
{
    pieces_point at = pieces_at(s, x);
    double base = s->is_gaussian ? -x * x / 2 : -x / 2;
    double p = pieces_exponent(s->sign[0], w->t);
    double top = fmax(base + p * at.l - target, 0), best = HUGE_VAL;
    double b = fmin(3 / s->slope, 5);
    for (int i = 0; i < 24; i++, b *= 0.6) {
        double turn = fmin(at.r * exp(b * s->slope / 2), 1) * b * s->slope;
        double need = top + w->outer * turn +
                      (s->is_gaussian ? b * b / 2 : 0) + b * fabs(x) / 2;
        double rho = exp(fmin(need / (2 * PIECES_POINTS), 300));
        best = fmin(best, PIECES_POINTS * (rho - 1 / rho) / (4 * b));
    }
    return fmax(best, PIECES_POINTS * s->slope / 12);
}

double pieces_guess_nodes(contour_part *self, const part_request *w)
{
    const pieces *s = self->pieces;
    if (s == NULL)
        return 1000;
    double end = s->is_gaussian ? (w->t + w->reach + 1) * s->slope +
                                      sqrt(2 * w->digits) + 1
                                : s->x_end;
    double target = s->guess_k - s->log_scale - w->digits - 3, sum = 0;
    double step = (end - s->x_begin) / 32;
    for (int i = 0; i < 32; i++)
        sum += step *
               density_of_nodes(s, w, s->x_begin + (i + 0.5) * step, target);
    return s->n_branches * (sum + PIECES_POINTS);
}
