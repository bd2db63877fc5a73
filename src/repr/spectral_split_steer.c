/*
 * Steering for mixtures of shifted Gaussian noise, in plain doubles. Nothing
 * here is certified and nothing needs to be: every choice gives valid bounds
 * in spectral_split.c, a poor one only costs width or time.
 */
#include "spectral_split.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

#define MOST_SKETCH 40000
#define LEFT 11.0
#define MOST_PAIRS 6e6 /* of outer and inner nodes, for fewer runs than */
#define MANY_RUNS 100

/* ---- The sketch -------------------------------------------------------- */

static bool beside_resize(split *s, size_t n)
{
    double *room = malloc(4 * n * sizeof *room);
    if (room == NULL)
        return false;
    free(s->x);
    s->x = room;
    s->var_p = room + n;
    s->var_q = room + 2 * n;
    s->most_var_q = room + 3 * n;
    return true;
}

/* The ratio of the sketch is m = dZ/dy. */
static bool make_sketch(spectral_part *self, double most)
{
    split *s = split_of(self);
    if (s == NULL)
        return false;
    spectral_sketch *k = &self->sketch;
    double hi = s->mu * ((most + 1) * s->p.n +
                            most * split_at(s, LEFT).mean_q) + LEFT;
    double h = fmax(fmin(0.5, 0.7 / s->mu), (hi + LEFT) / MOST_SKETCH);
    size_t n = (size_t)((hi + LEFT) / h) + 2;
    if (!(hi < 1e9) || !spectral_sketch_resize(k, n, true))
        return false;
    if (!beside_resize(s, n)) {
        k->no_memory = true;
        k->n = 0; /* no sketch without what is beside it */
        return false;
    }
    double scale = log(h) - log(2 * pi) / 2;
    for (size_t i = 0; i < n; i++) {
        double x = -LEFT + (double)i * h;
        shifts_point p = shifts_at(&s->p, s->mu * x);
        shifts_point q = shifts_at(&s->q, -s->mu * x);
        k->log_weight[i] = scale - x * x / 2 + p.log_sum;
        k->loss[i] = p.log_sum - q.log_sum;
        k->ratio[i] = p.mean + q.mean;
        s->x[i] = x;
        s->var_p[i] = p.var;
        s->var_q[i] = q.var;
        s->most_var_q[i] =
            s->q.n > 0 ? q.mean * (1 - q.mean / s->q.whole) : 0;
    }
    k->most = most;
    return true;
}

bool split_rough(spectral_rough *out, spectral_part *self, double t)
{
    double most = self->sketch.n == 0 ? 4 : self->sketch.most;
    if (self->sketch.budget < 0)
        return false;
    while (t > most && most < 0x1p60)
        most *= 2;
    if ((self->sketch.n == 0 || most > self->sketch.most) &&
        !make_sketch(self, most))
        return false;
    *out = spectral_sketch_at(&self->sketch, t);
    self->sketch.budget -= (double)self->sketch.n;
    return true;
}

/* ---- Decay ------------------------------------------------------------- */

/* Roughly log |E e^(iaX)| for a variance, as of n equal trials. */
static double log_shrink(double n, double var, double s2)
{
    return n > 0 ? n * log1p(-s2 * fmin(var / n, 0.25)) / 2 : 0;
}

/* log E_alpha(u) of the rotation. */
static double rotated(spectral_part *self, double t, double alpha, double u)
{
    const split *s = self->split;
    spectral_sketch *k = &self->sketch;
    if (k->budget < 0)
        return 0;
    double sine = sin(alpha / 2), s2 = 4 * sine * sine, sum = 0;
    double turn = u * sin(alpha), looks = (double)k->n / 8;
    for (size_t i = 0; i < k->n; i++) {
        if (k->tilted[i] == 0)
            continue;
        double p = log_shrink(s->p.n, s->var_p[i], s2);
        double q = log_shrink(s->q.whole, s->var_q[i], s2);
        double e = (t + 1) * p - t * q - turn * k->ratio[i];
        sum += k->tilted[i] * expm1(e);
        looks += 4;
    }
    k->budget -= looks;
    return alpha * alpha / (2 * s->mu * s->mu) + log1p(sum);
}

/* Rotations that strips still fit beside, and whose cost beyond the nodes is
 * moderate. */
static double most_rotation(const spectral_part *self, double t)
{
    const split *s = self->split;
    double mean = split_at(s, -LEFT).mean_q;
    double cost = t * fmin(mean, s->q.whole / 4) / 2; /* of alpha^2 */
    double most = fmin(1.2, 0.7 * split_most_turn(s));
    return cost * most * most > 40 ? sqrt(40 / cost) : most;
}

/* The best rotation at u, looked for around mu^2 u E[m]. */
static double best_rotation(
    double *best, spectral_part *self, double t, double u)
{
    const spectral_sketch *k = &self->sketch;
    double mu = self->split->mu, mean = 0;
    for (size_t i = 0; i < k->n; i++)
        mean += k->tilted[i] * k->ratio[i];
    double most = most_rotation(self, t);
    double alpha = fmin(fmax(mu * mu * u * mean, 1e-12), most);
    double value = rotated(self, t, alpha, u);
    for (double factor = 1.6; factor > 0.5; factor = factor > 1 ? 0.625 : 0)
        for (int i = 0; i < 8; i++) {
            double next = fmin(alpha * factor, most);
            double there = rotated(self, t, next, u);
            if (!(there < value))
                break;
            alpha = next;
            value = there;
        }
    *best = alpha;
    return value;
}

double split_rough_decay(
    spectral_want *w, spectral_part *self, double t, double u)
{
    if (self->sketch.n == 0)
        return 0;
    if (self->sketch.tilted_at != t)
        (void)spectral_sketch_at(&self->sketch, t);
    spectral_sketch_weights(&self->sketch);
    double best = 0, most = self->split->mu < 1.1 ? 1 : 8;
    w->alpha = 0.7 * fmin(0.1, most_rotation(self, t));
    w->multiple = 1;
    for (double m = 1; m <= most; m *= 2) {
        double alpha, raw = best_rotation(&alpha, self, t, m * u);
        double value = raw < 0 ? spectral_multiple(raw, m) : 0;
        if (value < best) {
            best = value;
            w->alpha = alpha;
            w->multiple = m;
        }
    }
    return best;
}

/* ---- The rule ---------------------------------------------------------- */

/* Roughly the step that a strip allows for the tilted sketch, whose weights
 * add up to e^k0: the least over its nodes. */
static double strip_step(const spectral_part *self, const split_rule *r,
    double digits, double k0)
{
    const split *s = self->split;
    const spectral_sketch *k = &self->sketch;
    double factor = s->p.is_cut ? 1.4143 : 2 * tan(r->strip.b / 2) /
                                               r->strip.b;
    double spacing = s->x[1] - s->x[0], all = s->p.n + s->q.whole;
    double far = fmin(all, r->strip.most) * r->strip.b;
    double v = fmin(s->q.whole / 4, r->alpha > 0 ? 2 * k->ratio[0]
                                                 : r->strip.most);
    double by_noise = r->strip.b * r->strip.b / (2 * s->mu * s->mu);
    /* left of the cells the density is below e^-98 */
    double deep = digits + 4 - 98 + by_noise + r->outer * factor * far -
                  4 * r->t * v * log(cos((r->strip.b + r->alpha) / 2));
    double h = deep > 0 ? 2 * pi * far / all / (s->mu * deep) : HUGE_VAL;
    for (size_t i = 0; i < k->n; i++) {
        double m = k->ratio[i], b = r->strip.b;
        double log_g =
            k->log_weight[i] + r->t * k->loss[i] - k0 - log(spacing);
        if (log_g < -digits - 60)
            continue;
        if (m > r->strip.most)
            b *= r->strip.most / m;
        double a = b + r->alpha;
        v = s->most_var_q[i];
        double sine = sin(a / 2), bulge = 4 * v * sine * sine;
        double cost = -4 * v * log(cos(a / 2));
        if (bulge < 0.99)
            cost = fmin(cost, -log1p(-bulge) / 2);
        double need = digits + 4 + log_g + b * b / (2 * s->mu * s->mu) +
                      r->t * cost + r->outer * factor * b * m;
        if (need > 0)
            h = fmin(h, 2 * pi * b / (s->mu * need));
    }
    return h;
}

/* The best of some strips up to widest; turns by outer are what may make a
 * straight one short. */
static double best_step(split_strip *best, const spectral_part *self,
    split_rule *r, double digits, double k0, double widest)
{
    const split *s = self->split;
    double top = 0, largest = 0;
    for (size_t i = 0; i < self->sketch.n; i++)
        largest = fmax(largest, self->sketch.ratio[i]);
    for (int j = 0; j < 6; j++) {
        double most = j == 0 ? 2 * largest : largest * pow(0.25, j), last = 0;
        double b = widest;
        if (s->p.is_cut)
            b = fmin(b, sqrt(0.49 / fmin(most, s->p.n)));
        for (int i = 0; i < 12; i++, b *= 0.7) {
            r->strip = (split_strip){b, most};
            double h = strip_step(self, r, digits, k0);
            if (h > top) {
                top = h;
                *best = r->strip;
            }
            if (h < last) /* it is quasi-concave */
                break;
            last = h;
        }
        if (top >= 0.5)
            break;
    }
    return top;
}

static bool same_want(const spectral_want *a, const spectral_want *b)
{
    return a->t == b->t && a->reach == b->reach &&
           spectral_near(a) == spectral_near(b) &&
           (a->far > 0) == (b->far > 0) && a->digits == b->digits &&
           a->alpha == b->alpha;
}

/* A step of six bits: i h is exact. */
static double short_step(double h)
{
    int e = 0;
    double m = frexp(h, &e);
    return ldexp(floor(m * 64), e - 6);
}

/* Where the density tilted by t is e^-deep below its mass, on the left;
 * beyond the sketch the noise is all of it, mass being 1 or more. */
static double left_end(spectral_part *self, double t, double deep)
{
    spectral_sketch *k = &self->sketch;
    double least = spectral_sketch_at(k, t).k0 - deep;
    size_t i = 0;
    while (i + 1 < k->n && k->log_weight[i] + t * k->loss[i] < least)
        i++;
    return i > 0 ? self->split->x[i - 1] : fmin(-LEFT, -sqrt(2 * deep));
}

static double right_end(const spectral_part *self, double t, double deep)
{
    const split *s = self->split;
    double pull = s->mu * (t + 1) * s->p.n;
    pull += s->mu * t * split_at(s, pull).mean_q;
    return pull + sqrt(2 * deep) + 1;
}

static void choose_range(
    spectral_part *self, const spectral_want *w, double digits)
{
    const double tilts[3] = {0, w->t, w->t + w->reach};
    double lo = -1, hi = 1;
    for (int j = 0; j < 3; j++) {
        double deep = j == 1 ? digits : 20;
        lo = fmin(lo, left_end(self, tilts[j], deep));
        hi = fmax(hi, right_end(self, tilts[j], deep));
    }
    self->first = floor(lo / self->h);
    self->last = ceil(hi / self->h);
}

/* ---- The moved line ---------------------------------------------------- */

#define GROWTH 2.0 /* nats, that terms are greater by than their sum */
#define LEAST_GROWTH 0.5 /* where digits are scarce */
#define SCARCE 56
#define SPARE 10

/* The longest step of some turns; its edges are those of a strip of twice the
 * height for twice the step. */
static void choose_line(
    spectral_part *self, const spectral_want *w, double digits, double k0)
{
    const split *s = self->split;
    spectral_far *far = &self->far;
    double growth = digits > SCARCE ? LEAST_GROWTH : GROWTH;
    double most = s->p.is_cut ? fmin(0.49 * split_most_turn(s),
                                    sqrt(0.12 / s->p.n))
                              : 1.2;
    double alpha = fmin(sqrt(2 * growth) * s->mu, most);
    double top = 0, deep = digits + SPARE + growth;
    for (int i = 0; i < 16; i++, alpha *= 0.8) {
        split_rule r = {.t = w->t, .strip = {2 * alpha, HUGE_VAL}};
        double h = strip_step(self, &r, digits, k0) / 2;
        if (h < top)
            break;
        top = h;
        far->alpha = alpha;
    }
    far->h = short_step(fmin(top, 0.5));
    far->first = floor(fmin(left_end(self, w->t, deep), -1) / far->h);
    far->last = ceil(right_end(self, w->t, deep) / far->h);
}

double split_rough_far(const spectral_part *self)
{
    const spectral_sketch *k = &self->sketch;
    const double *x = self->split->x;
    const spectral_want *w = &self->chosen;
    double many = 0;
    if (!(self->h > 0 && self->far.h > 0))
        return HUGE_VAL;
    for (size_t i = 0; i < k->n; i++)
        many += k->log_weight[i] + w->t * k->loss[i] >
                        k->rough.k0 - w->digits - SPARE
                    ? 1
                    : 0;
    return many * (x[1] - x[0]) / self->far.h;
}

void split_choose(spectral_part *self, const spectral_want *w)
{
    if (self->h > 0 && same_want(&self->chosen, w))
        return;
    spectral_rough r, ahead;
    split *s = split_of(self);
    self->h = 0;
    if (s == NULL || !split_rough(&ahead, self, w->t + w->reach) ||
        !split_rough(&r, self, w->t))
        return;
    self->chosen = *w;
    double digits = w->digits + 1;
    split_rule rule = {.t = w->t, .outer = spectral_near(w)};
    double h = best_step(&s->strip, self, &rule, digits, r.k0,
        s->p.is_cut ? 1.5 : 2.3);
    rule = (split_rule){.t = w->t + w->reach, .strip = s->strip};
    h = fmin(h, strip_step(self, &rule, 18, ahead.k0));
    if (w->alpha > 0) {
        rule = (split_rule){.t = w->t, .alpha = w->alpha};
        double need = 8 + log(self->count) +
                      fmax(60, w->digits + 8) / self->count;
        double widest = fmin(0.99 * split_most_turn(s), 1.35) - w->alpha;
        h = fmin(h, best_step(&s->strip_alpha, self, &rule, need, r.k0,
                        widest));
    }
    self->h = short_step(fmin(h, 0.5));
    choose_range(self, w, digits);
    if (w->far > 0)
        choose_line(self, w, digits, r.k0);
}

double split_rough_nodes(spectral_part *self, const spectral_want *w)
{
    split_choose(self, w);
    if (!(self->h > 0))
        return HUGE_VAL;
    double all = self->last - self->first + 1;
    /* most of a long range is between two bumps and left out */
    double bump = 2 * sqrt(2 * (w->digits + log(all) + 3)) / self->h;
    double nodes = fmin(all, 1.5 * bump);
    /* a few runs have long contours, and no far rule: other routes know them
     * better */
    bool is_few = self->count < MANY_RUNS;
    return is_few && nodes * w->outer > MOST_PAIRS * w->step ? HUGE_VAL
                                                             : nodes;
}
