/*
 * Steering for Poisson-sampled Gaussian noise, in plain doubles. Nothing here
 * is certified and nothing needs to be: every choice gives valid bounds in
 * spectral_sampled.c, a poor one only costs width or time.
 */
#include "num/exp_sums.h"
#include "spectral_part.h"

static const double pi = 3.14159265358979323846;

#define MOST_SKETCH 40000

/* Pairs of nodes up to which a straight strip will do: a curved one takes as
 * long to find and certify. To make a node costs some NODE_PAIRS. */
#define MANY_PAIRS 4e4
#define NODE_PAIRS 80

/* p: M = E[(1+v)^p]. */
static double exponent_at(const loss *pair, double t)
{
    return pair->map == LOSS_ADD ? -t : t + 1;
}

/* A range of noise coordinates that holds the law tilted up to p. */
static void noise_range(
    double *lo, double *hi, double mu, double p, double spread)
{
    *lo = -spread + (p < 0 ? p * mu : 0);
    *hi = spread + (p > 0 ? p * mu : 0);
}

/* Where phi (1+v)^p, p < 0, has fallen e^-digits below its top. */
static double left_end(const loss *pair, double p, double digits)
{
    double mu = ball_mid(pair->parameter), q = ball_mid(pair->rate);
    double top = -HUGE_VAL;
    for (int i = 2; i > -2000; i--) {
        double xi = i / 4.0;
        double l = log1p(q * expm1(mu * xi - mu * mu / 2));
        double g = -xi * xi / 2 + p * l;
        top = fmax(top, g);
        if (g < top - digits - 2 && xi < -1)
            return xi;
    }
    return p * mu - sqrt(2 * digits) - 1;
}

static bool make_sketch(spectral_part *self, double most)
{
    const loss *pair = self->law;
    spectral_sketch *s = &self->sketch;
    double mu = ball_mid(pair->parameter), q = ball_mid(pair->rate), lo, hi;
    double p = exponent_at(pair, most);
    noise_range(&lo, &hi, mu, p, 11);
    if (p < 0)
        lo = left_end(pair, p, 60);
    double h = fmax(fmin(0.5, 0.7 / mu), (hi - lo) / MOST_SKETCH);
    size_t n = (size_t)((hi - lo) / h) + 2;
    if (!(n <= MOST_SKETCH + 2) || !spectral_sketch_resize(s, n, true))
        return false;
    double scale = log(h) - log(2 * pi) / 2;
    for (size_t i = 0; i < n; i++) {
        double xi = lo + (double)i * h, y = mu * xi - mu * mu / 2;
        double l = y < 300 ? log1p(q * expm1(y)) : y + log(q);
        bool add = pair->map == LOSS_ADD;
        s->log_weight[i] = scale - xi * xi / 2 + (add ? 0 : l);
        s->loss[i] = add ? -l : l;
        s->ratio[i] = q * exp(y - l);
    }
    s->most = most;
    return true;
}

bool spectral_sampled_rough(
    spectral_rough *out, spectral_part *self, double t)
{
    double most = self->sketch.n == 0 ? 16 : self->sketch.most;
    if (self->sketch.budget < 0)
        return false;
    while (t > most && most < 0x1p60)
        most *= 2;
    if ((self->sketch.n == 0 || most > self->sketch.most) &&
        !make_sketch(self, most))
        return false;
    *out = self->sketch.rough;
    if (self->sketch.tilted_at == t)
        return true;
    *out = spectral_sketch_at(&self->sketch, t);
    self->sketch.budget -= (double)self->sketch.n;
    return true;
}

#define BLOCK 64

PHASE_WIDE static void turn_nodes(double *restrict rho2,
    double *restrict pull, const double *restrict ratio, size_t n, double s2,
    double turn)
{
    for (size_t i = 0; i < n; i++) {
        rho2[i] = 1 - s2 * ratio[i] * (1 - ratio[i]);
        pull[i] = turn * ratio[i] / sqrt(rho2[i]);
    }
}

/* E[e^(p log rho - u theta) - 1] over some of the nodes, n <= BLOCK. */
static double excess_of(const double *weight, const double *ratio,
    double p, double s2, double turn, size_t n)
{
    double log_rho2[BLOCK], e[BLOCK], sum = 0;
    turn_nodes(log_rho2, e, ratio, n, s2, turn);
    log_all(log_rho2, n);
    for (size_t i = 0; i < n; i++)
        e[i] = p * log_rho2[i] / 2 - e[i];
    expm1_all(e, n);
    for (size_t i = 0; i < n; i++)
        sum += weight[i] * e[i];
    return sum;
}

/* log E_alpha(u) of the rotation. */
static double rotated(
    spectral_part *self, double p, double alpha, double u)
{
    spectral_sketch *s = &self->sketch;
    if (s->budget < 0)
        return 0;
    double mu = ball_mid(self->law->parameter);
    double sine = sin(alpha / 2), s2 = 4 * sine * sine, sum = 0;
    for (size_t i = 0; i < s->n_heavy; i += BLOCK) {
        size_t rest = s->n_heavy - i;
        sum += excess_of(s->heavy + i, s->heavy_ratio + i, p, s2,
            u * sin(alpha), rest < BLOCK ? rest : BLOCK);
    }
    s->budget -= 2 * (double)s->n_heavy + 8;
    return alpha * alpha / (2 * mu * mu) + log1p(sum);
}

/* Rotations that strips still fit beside: pi/2, and |p| log(1/cos), are the
 * limits. */
static double most_rotation(double p)
{
    return p < -160 ? sqrt(8 * 40 / -p) : 1.4;
}

/* The best rotation at u, looked for around mu^2 u E[r]. */
static double best_rotation(
    double *best, spectral_part *self, double p, double u)
{
    const spectral_sketch *s = &self->sketch;
    double mu = ball_mid(self->law->parameter), mean = 0;
    for (size_t i = 0; i < s->n_heavy; i++)
        mean += s->heavy[i] * s->heavy_ratio[i];
    double most = most_rotation(p);
    double alpha = fmin(fmax(mu * mu * u * mean, 1e-12), most);
    double value = rotated(self, p, alpha, u);
    for (double factor = 1.6; factor > 0.5; factor = factor > 1 ? 0.625 : 0)
        for (int i = 0; i < 8; i++) {
            double next = fmin(alpha * factor, most);
            double there = rotated(self, p, next, u);
            if (!(there < value))
                break;
            alpha = next;
            value = there;
        }
    *best = alpha;
    return value;
}

double spectral_sampled_rough_decay(
    spectral_want *w, spectral_part *self, double t, double u)
{
    if (self->sketch.tilted_at != t)
        (void)spectral_sketch_at(&self->sketch, t);
    spectral_sketch_weights(&self->sketch);
    double p = exponent_at(self->law, t), best = 0;
    double most = ball_mid(self->law->parameter) < 1.1 ? 1 : 8;
    /* not far from the last one that was best */
    double first = fmax(w->multiple / 2, 1), last = fmin(w->multiple * 2, most);
    w->alpha = 0.1;
    w->multiple = 1;
    for (double m = first; m <= last; m *= 2) {
        double alpha, raw = best_rotation(&alpha, self, p, m * u);
        double value = raw < 0 ? spectral_multiple(raw, m) : 0;
        if (value < best) {
            best = value;
            w->alpha = alpha;
            w->multiple = m;
        }
    }
    return best;
}

/* log(1/cos(b/2)^|p|) for p < 0: what the inverse power costs in a strip. */
static double strip_cost(double p, double b)
{
    return p < 0 ? p * log(cos(b / 2)) : 0;
}

/* The largest step whose quadrature error on a straight strip is below
 * e^-digits, and the strip that proves it. */
static double straight_step(double *strip, const spectral_strip *s,
    double alpha, double widest)
{
    double mu = ball_mid(s->pair->parameter);
    double best = 0, least = fmin(widest / 32, mu);
    for (int i = 0; i < 40; i++) { /* from least to just below widest */
        double b = least * pow(0.98 * widest / least, i / 39.0);
        double need = s->digits + s->outer * b + strip_cost(s->p, alpha + b) +
                      (alpha * alpha + b * b) / (2 * mu * mu);
        double h = 2 * pi * b / (mu * need);
        if (h > best) {
            best = h;
            *strip = b;
        }
    }
    return best;
}

/* The same on curved ones, if they allow more than h. */
static double curved_step(
    spectral_part *self, const spectral_strip *s, double least, double h)
{
    double mu = ball_mid(s->pair->parameter);
    for (double b = fmin(1.5, 8 * mu); b > 0.1 * mu && b > 0.01; b *= 0.5)
        for (double growth = least; growth < 30; growth *= 4) {
            spectral_strip trial = *s;
            trial.b = b;
            trial.r0 = growth / (s->outer * b);
            double step = spectral_strip_step(&trial);
            if (step > 1.05 * h) {
                h = step;
                self->strip = b;
                self->strip_ratio = trial.r0;
            }
        }
    return h;
}

static bool same_want(const spectral_want *a, const spectral_want *b)
{
    return a->t == b->t && a->reach == b->reach && a->outer == b->outer &&
           a->digits == b->digits && a->alpha == b->alpha &&
           a->far == b->far;
}

/* A step of six bits: i h is exact. */
static double short_step(double h)
{
    int e = 0;
    double m = frexp(h, &e);
    return ldexp(floor(m * 64), e - 6);
}

/* The rotation of the far rule, which may cost e^2 in size, and its step. */
static void choose_far(spectral_part *self, const spectral_want *w)
{
    double mu = ball_mid(self->law->parameter);
    double p = exponent_at(self->law, w->t), digits = w->digits + 1;
    double best = 0, alpha = fmin(2 * mu, 1.45), lo, hi;
    for (int i = 0; i < 16; i++, alpha *= 0.8) {
        double edge = 2 * alpha * alpha / (mu * mu) + 1;
        if (p < 0)
            edge += p * log(cos(alpha));
        double h = 2 * pi * alpha / (mu * (digits + edge));
        if (h > best) {
            best = h;
            self->far.alpha = alpha;
        }
    }
    self->far.h = short_step(fmin(best, 0.5));
    noise_range(&lo, &hi, mu, p, sqrt(2 * digits) + 3);
    if (p < 0)
        lo = left_end(self->law, p, digits + 4);
    self->far.first = floor(lo / self->far.h);
    self->far.last = ceil(hi / self->far.h);
}

double spectral_sampled_rough_far(const spectral_part *self)
{
    return self->far.last - self->far.first + 1;
}

void spectral_sampled_choose(spectral_part *self, const spectral_want *w)
{
    if (self->h > 0 && same_want(&self->chosen, w))
        return;
    self->chosen = *w;
    const loss *pair = self->law;
    double mu = ball_mid(pair->parameter);
    double p = exponent_at(pair, w->t + w->reach);
    double digits = w->digits + 1;
    spectral_strip s = {pair, p, spectral_near(w), digits, 0, 0};
    double h = straight_step(&self->strip, &s, 0, 3.1), lo, hi;
    noise_range(&lo, &hi, mu, p, sqrt(2 * digits) + 1);
    if (p < 0) /* the pull is |p| mu r, and r falls to the left */
        lo = left_end(pair, p, digits);
    double pairs = (hi - lo) / h * (NODE_PAIRS + s.outer / w->step);
    self->strip_ratio = 0;
    if (!(pairs <= MANY_PAIRS) && s.outer * self->strip > digits)
        h = curved_step(self, &s, w->far > 0 ? 20 : 5, h);
    if (w->alpha > 0) {
        s.digits = 8 + log(self->count) + 60 / self->count;
        s.outer = 0;
        h = fmin(h, straight_step(&self->strip_alpha, &s, w->alpha,
                        pi / 2 - w->alpha));
    }
    self->h = short_step(fmin(h, 0.5));
    if (w->far > 0)
        choose_far(self, w);
    self->first = floor(lo / self->h);
    self->last = ceil(hi / self->h);
}

double spectral_sampled_rough_nodes(
    spectral_part *self, const spectral_want *w)
{
    spectral_sampled_choose(self, w);
    double all = self->last - self->first + 1;
    /* most of a long range is between two bumps and left out */
    double bump = 2 * sqrt(2 * (w->digits + log(all) + 3)) / self->h;
    return fmin(all, 1.5 * bump);
}
