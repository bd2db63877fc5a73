/*
 * Choices for mixtures of shifted Gaussian noise, in plain doubles: strips,
 * steps, ranges and shifted lines. Nothing here is certified: every choice
 * gives valid bounds in part_group.c, a poor one costs width or time.
 * Derivation: docs/theory/contour.md, section 9.
 */
#include "part_group.h"

#include "part_dd.h"

static const double pi = 3.14159265358979323846;

/* A straight strip serves up to STRAIGHT_PAIRS pairs of nodes: any other takes
 * as long to find and certify. Making a node costs about NODE_PAIRS pairs. */
#define STRAIGHT_PAIRS 4e4
#define NODE_PAIRS 80

/* The largest step whose error on a straight strip is below e^-digits; *best
 * receives the strip. */
static double straight_step(group_strip *best, const group *g, group_rule *r,
    double digits, double widest)
{
    double top = 0, least = fmin(widest / 32, g->mu);
    double factor = pow(0.98 * widest / least, 1 / 39.0);
    r->strip = (group_strip){.b = least, .is_straight = true};
    for (int i = 0; i < 40; i++, r->strip.b *= factor) {
        double need = digits + group_straight_cost(g, r);
        double h = 2 * pi * r->strip.b / (g->mu * need);
        if (h > top) {
            top = h;
            *best = r->strip;
        }
    }
    return top;
}

#define STRIP_OPERATIONS 10 /* of a node */

/* Guesses the largest step that a strip allows for the tilted sketch, whose
 * weights add up to e^k0: the least over its nodes. */
static double strip_step(
    contour_part *self, const group_rule *r, double digits, double k0)
{
    const group *g = self->group;
    const cumulant_sketch *k = &self->sketch;
    self->sketch.uncounted += STRIP_OPERATIONS * (double)k->n;
    double all = g->p.n + g->q.trials, b = r->strip.b;
    double far = fmin(all, r->strip.max_slope);
    double v = fmin(g->q.trials / 4,
        r->alpha > 0 ? 2 * k->column[GROUP_MEAN_Q][0] : r->strip.max_slope);
    /* left of the cells the density is below e^-98 */
    double deep = digits + 4 - 98 + b * b / (2 * g->mu * g->mu) +
                  r->outer * group_max_angle(g, far, b) -
                  4 * r->t * v * log(cos((b + r->alpha) / 2));
    double h = HUGE_VAL, fall = exp(-g->mu * GROUP_MIN_CELL);
    double less = k0 + log(g->spacing);
    if (deep > 0)
        h = 2 * pi * far * b / all / (g->mu * deep);
    for (size_t i = 0; i < k->n; i++) {
        double q = k->column[GROUP_MEAN_Q][i],
               m = k->column[GROUP_MEAN_P][i] + q;
        double log_g = k->log_weight[i] + r->t * k->loss[i] - less;
        if (log_g < -digits - 60)
            continue;
        double height = m > r->strip.max_slope ? b * r->strip.max_slope / m : b;
        double need =
            digits + 4 + log_g + height * height / (2 * g->mu * g->mu);
        if (r->outer > 0)
            need += r->outer * group_max_angle(g, m, height);
        if (q > 0)
            need += r->t * group_shrink_cost(
                               q * (1 - q / g->q.trials), height + r->alpha);
        height *= m > r->strip.max_slope ? fall : 1;
        if (need > 0)
            h = fmin(h, 2 * pi * height / (g->mu * need));
    }
    return h;
}

#define MAX_HEIGHT 1.35  /* the decay by B pays for a shift up to this height */
#define MOMENT_DIGITS 18 /* nats, for M(t + reach) */

/* The largest step among several strips: a straight one, and if its step is
 * less than enough also strips with bounds by cells, of constant height, or
 * such that e^{iuZ} grows by a bounded number of nats. */
static double best_step(group_strip *best, contour_part *self,
    group_rule *r, double digits, double k0, double enough)
{
    static const double growths[] = {HUGE_VAL, 40, 10};
    const group *g = self->group;
    bool is_shifted = r->alpha > 0;
    double limit = is_shifted || g->p.is_truncated ? group_max_height(g) : 3;
    double widest = is_shifted     ? fmin(0.99 * limit, MAX_HEIGHT) - r->alpha
                    : g->p.is_truncated ? 1.5
                                  : 2.3;
    double h = straight_step(best, g, r, digits, limit - r->alpha);
    if (h >= enough || !(widest > 0))
        return h;
    for (size_t j = 0; j < (r->outer > 0 ? 3 : 1); j++) {
        double b = widest, last = 0;
        for (int i = 0; i < 12; i++, b *= 0.7) {
            double most = growths[j] / (r->outer * b);
            if (r->outer == 0)
                most = HUGE_VAL;
            if (g->p.is_truncated && b * b * fmin(most, g->p.n) > 0.49)
                continue;
            r->strip = (group_strip){b, most, digits, false};
            double step = strip_step(self, r, digits, k0);
            if (step > 1.05 * h) {
                h = step;
                *best = r->strip;
            }
            if (step < last) /* the step is quasi-concave in b */
                break;
            last = step;
        }
    }
    return h;
}

static bool same_request(const part_request *a, const part_request *b)
{
    return a->t == b->t && a->reach == b->reach &&
           contour_unshifted_outer(a) == contour_unshifted_outer(b) &&
           (a->shifted_from > 0) == (b->shifted_from > 0) &&
           a->digits == b->digits &&
           a->alpha == b->alpha;
}

/* Rounds a step down to six bits, so that i h is exact. */
static double short_step(double h)
{
    int e = 0;
    double m = frexp(h, &e);
    return ldexp(floor(m * 64), e - 6);
}

/* The left end of the nodes: there the density tilted by t is e^-deep below its
 * mass e^k0. Beyond the sketch the noise alone decides, as the mass is at least
 * 1. */
static double left_end(
    const contour_part *self, double t, double k0, double deep)
{
    const cumulant_sketch *k = &self->sketch;
    size_t i = 0;
    while (i + 1 < k->n && k->log_weight[i] + t * k->loss[i] < k0 - deep)
        i++;
    return i > 0 ? group_sketch_x(self->group, i - 1)
                 : fmin(-GROUP_LEFT, -sqrt(2 * deep));
}

static double right_end(const group *g, double t, double deep)
{
    double pull = g->mu * (t + 1) * g->p.n;
    pull += g->mu * t * group_at(g, pull).mean_q;
    return pull + sqrt(2 * deep) + 1;
}

/* The ends of the nodes for the tilts t and t + reach, whose cumulants are
 * k0. */
static void choose_range(double *lo, double *hi, const contour_part *self,
    const part_request *w, const double k0[2])
{
    const double tilts[2] = {w->t, w->t + w->reach};
    *lo = -1;
    *hi = 1;
    for (int j = 0; j < 2; j++) {
        double deep = j == 0 ? w->digits + 1 : 20;
        *lo = fmin(*lo, left_end(self, tilts[j], k0[j], deep));
        *hi = fmax(*hi, right_end(self->group, tilts[j], deep));
    }
}

#define LINE_GROWTH 2.0 /* nats by which terms exceed their sum */
/* Nats by which the ends of the shifted line are below the digits wanted. */
#define LINE_RESERVE 10

/* The largest step over several shifts. The edges are those of a strip of twice
 * the height for twice the step, straight if B has at most one trial. */
static void choose_line(
    contour_part *self, const part_request *w, double digits, double k0)
{
    group *g = self->group;
    shifted_line *shifted = &self->shifted;
    double most = g->p.is_truncated
                      ? fmin(0.49 * group_max_height(g), sqrt(0.12 / g->p.n))
                      : 1.45;
    double alpha = fmin(sqrt(2 * LINE_GROWTH) * g->mu, most), top = 0;
    g->is_straight = !(g->q.trials > 1);
    for (int i = 0; i < 16; i++, alpha *= 0.8) {
        group_rule r = {
            .t = w->t, .strip = {2 * alpha, HUGE_VAL, 0, g->is_straight}};
        double need = digits + group_straight_cost(g, &r);
        double h = g->is_straight ? 2 * pi * alpha / (g->mu * need)
                                  : strip_step(self, &r, digits, k0) / 2;
        if (h < top)
            break;
        top = h;
        shifted->alpha = alpha;
    }
    double deep = digits + LINE_RESERVE + LINE_GROWTH;
    shifted->h = short_step(fmin(top, 0.5));
    shifted->first =
        floor(fmin(left_end(self, w->t, k0, deep), -1) / shifted->h);
    shifted->last = ceil(right_end(g, w->t, deep) / shifted->h);
}

double group_guess_shifted_nodes(const contour_part *self)
{
    const cumulant_sketch *k = &self->sketch;
    const group *g = self->group;
    const part_request *w = &g->chosen;
    double many = 0;
    if (!(g->h > 0 && self->shifted.h > 0 &&
            self->shifted.last - self->shifted.first < DD_MAX_NODES))
        return HUGE_VAL;
    for (size_t i = 0; i < k->n; i++)
        many += k->log_weight[i] + w->t * k->loss[i] >
                        k->guess.k0 - w->digits - LINE_RESERVE
                    ? 1
                    : 0;
    return many * g->spacing / self->shifted.h;
}

void group_choose(contour_part *self, const part_request *w)
{
    group *g = group_of(self);
    if (g == NULL || (g->h > 0 && same_request(&g->chosen, w)))
        return;
    cumulant_guess r, ahead;
    g->h = 0;
    if (!group_guess_cumulant(&ahead, self, w->t + w->reach) ||
        !group_guess_cumulant(&r, self, w->t))
        return;
    g->chosen = *w;
    const double k0[2] = {r.k0, ahead.k0};
    double digits = w->digits + 1, lo, hi, outer = contour_unshifted_outer(w);
    choose_range(&lo, &hi, self, w, k0);
    group_rule rule = {.t = w->t, .outer = outer};
    double enough = (hi - lo) * (NODE_PAIRS + outer / w->step) / STRAIGHT_PAIRS;
    double h = best_step(&g->strip, self, &rule, digits, r.k0, enough);
    rule = (group_rule){.t = w->t + w->reach};
    h = fmin(h,
        best_step(&g->strip_moment, self, &rule, MOMENT_DIGITS, ahead.k0, h));
    if (w->alpha > 0) {
        rule = (group_rule){.t = w->t, .alpha = w->alpha};
        double need =
            8 + log(self->count) + fmax(60, w->digits + 8) / self->count;
        h = fmin(h, best_step(&g->strip_alpha, self, &rule, need, r.k0, h));
    }
    g->h = short_step(fmin(h, 0.5));
    g->first = floor(lo / g->h);
    g->last = ceil(hi / g->h);
    if (w->shifted_from > 0)
        choose_line(self, w, digits, r.k0);
}

double group_guess_nodes(contour_part *self, const part_request *w)
{
    group_choose(self, w);
    const group *g = self->group;
    if (g == NULL || !(g->h > 0))
        return HUGE_VAL;
    double all = g->last - g->first + 1;
    /* most of a long range is between two bumps and dropped */
    double bump = 2 * sqrt(2 * (w->digits + log(all) + 3)) / g->h;
    double nodes = fmin(all, 1.5 * bump);
    return nodes;
}
