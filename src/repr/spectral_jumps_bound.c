/*
 * What sums over the nodes of a class leave out: the trapezoid rule's error,
 * what lies beyond the range, and how W decays. In doubles that are rounded
 * to the safe side by jump_slack and by what is added to logarithms.
 * Derivation: docs/theory/spectral.md, section 9.
 */
#include "spectral_jumps_line.h"

static const double pi = 3.14159265358979323846;

#define LOG_ROOT 0.91893853320467274178 /* log(2 pi)/2 */
#define REAL_HEIGHT 3.5 /* of strips, in taus */
#define FINE_SLACK 1e-11
#define SAFE 1e-6 /* more than a few operations on logarithms err by */

/* ---- Edges of the strip ------------------------------------------------ */

/* Height eta of an edge: eta0 where the ratio r is at most r0, eta0 r0/r
 * beyond. It falls with x, and its slope is at most mu eta. */
typedef struct jump_strip {
    double p, outer;
    double eta0, r0;
} jump_strip;

static double height_of(const jump_strip *s, double ratio)
{
    return ratio > s->r0 ? s->eta0 * s->r0 / ratio : s->eta0;
}

static double log_period(const jump_line *line, double eta)
{
    return jump_log_expm1(2 * pi * eta / line->h);
}

/* An upper bound of arg w(y + i beta), 0 <= beta <= pi/2, rising with r and
 * beta: its tangent is r sin(beta)/(1 - r + r cos(beta)), and cos(beta) >=
 * 1 - beta^2/2. */
static double turn_upper(double ratio, double beta)
{
    double rest = 1 - ratio * beta * beta / 2;
    double turn = ratio * beta / fmax(rest, 0x1p-20);
    return fmin(turn, beta) * (1 + 1e-9);
}

/* log of w^p e^(outer theta) and all that depends on the edge, between two
 * points of losses and ratios that rise: each factor at its worse end. The
 * edge is longer than its shadow by at most sqrt(1 + (pi/2)^2) < e^0.63, and
 * there are two of them, of which one has e^(-u theta) <= 1. */
static double log_lifted(const jump_line *line, const jump_strip *s,
    double left, double right, double l)
{
    double high = height_of(s, left), low = height_of(s, right);
    double beta = fmin(line->part->mu * high, pi / 2);
    return s->p * l + s->outer * turn_upper(right, beta) +
           jump_log_growth(line->part, high) - log_period(line, low) + 1.33;
}

/* Where growth less period is least, up to a height in y. */
static double best_height(const jump_line *line, double most)
{
    double curve = 1 + 1 / (line->part->tau * line->part->tau);
    return fmin(2 * pi / (line->h * curve), most / line->part->mu);
}

/* ---- Beyond the range -------------------------------------------------- */

static double ratio_at(const jump_part *part, double x, double l)
{
    double y = part->mu * x - part->mu * part->mu / 2;
    return fmin(part->q * exp(y - l) * (1 + 1e-9), 1);
}

/* The cut at c ends at X, where its last node is, and strips around the nodes
 * end half a step beyond. What is on the side of a strip, and between: log of
 * eta + h, more than all that counts for, times phi w^p s_c e^(outer theta) at
 * its greatest, s_c <= e^(-z^2/2)/2. */
static double log_side(
    const jump_line *line, const jump_strip *s, double cut)
{
    const jump_part *part = line->part;
    double x = (cut + JUMP_REACH) * part->tau, beyond = x + line->h / 2;
    double l = jump_loss_at(part, beyond), positive = fmax(x, 0);
    double ratio = ratio_at(part, beyond, l);
    double eta = height_of(s, ratio_at(part, x, jump_loss_at(part, x)) *
                                  (1 - 1e-8));
    double beta = fmin(part->mu * eta, pi / 2);
    return log(eta + line->h) - LOG_ROOT - positive * positive / 2 -
           JUMP_REACH * JUMP_REACH / 2 - log(2) +
           jump_log_growth(part, eta) + s->p * l +
           s->outer * turn_upper(ratio, beta) + SAFE;
}

static double log_sides(const jump_law *own, const jump_strip *s)
{
    double side = log_side(&own->line, s, own->cut);
    return own->is_jump
               ? jump_log_add(side, log_side(&own->line, s, own->low))
               : side;
}

/* Left of the nodes w and theta rise. Of S phi integrates to Phi(x) <=
 * phi(x)/|x|. Of W, s_b - s_a <= e^(-z^2/2)/2; either phi integrates to less
 * than 1, of which nodes make at most 2, or the logarithm of the product has
 * a slope of at least z/tau - x. Nodes of what rises add up to no more than
 * its integral. */
static double log_left(const jump_law *own, const jump_strip *s)
{
    const jump_line *line = &own->line;
    double x = jump_line_x(line, 0), mass = HUGE_VAL;
    double log_phi = -LOG_ROOT - x * x / 2;
    if (own->is_jump) {
        double z = own->low - x / line->part->tau;
        double slope = z / line->part->tau - x;
        mass = -z * z / 2;
        if (slope > 0)
            mass = fmin(mass, mass + log_phi - log(2 * slope));
    } else if (x < -1) {
        mass = log_phi - log(-x);
    }
    double l = jump_loss_at(line->part, x);
    double grown = s->p * l;
    if (s->eta0 > 0)
        grown = log_lifted(line, s, 0, ratio_at(line->part, x, l), l);
    return mass + grown + SAFE;
}

/* Where the rule is used at u = 0: high enough, but not so that sides
 * matter. */
static jump_strip upright(const jump_line *line, double p, double most)
{
    double eta = fmin(
        best_height(line, most), REAL_HEIGHT * line->part->tau);
    return (jump_strip){p, 0, eta, 1};
}

double jump_log_rest(const jump_law *own, double v, double eta)
{
    jump_strip real = {v + 1, 0, 0, 1}, moved = {v + 1, 0, eta, 1};
    double growth = jump_log_growth(own->line.part, eta);
    return jump_log_add(
               log_left(own, &real) + growth, log_sides(own, &moved)) +
           jump_slack(&own->line, v);
}

double jump_loss_error(const jump_line *line, size_t i)
{
    double x = jump_line_x(line, i);
    return 0x1p-49 * line->ratio[i] *
           (line->part->mu * fabs(x) + line->part->mu * line->part->mu + 4);
}

/* What jump_log_sum errs by: where p is great and losses are small, the mean of
 * what its terms err by is far less than jump_slack, their greatest. */
static double sum_slack(const jump_law *own, double v, double log_sum)
{
    const jump_line *line = &own->line;
    double whole = jump_slack(line, v), p = v + 1, sum = 0, most = 0;
    if (!(whole > FINE_SLACK))
        return whole;
    for (size_t i = 0; i < line->n; i++) {
        double e = line->height[i] + p * line->loss[i] - log_sum;
        double off = p * (jump_loss_error(line, i) +
                             0x1p-48 * fabs(line->loss[i]));
        if (e < -50)
            continue;
        sum += exp(e) * off;
        most = fmax(most, off);
    }
    bool is_better = most < 0.1 && sum < whole; /* not NaN */
    return is_better ? jump_slack(line, 0) + 1.2 * sum : whole;
}

double jump_log_upper(const jump_law *own, double v)
{
    const jump_line *line = &own->line;
    double mean, sum = jump_log_sum(&mean, own, v);
    jump_strip s = upright(line, v + 1, 3.1);
    double rule = log(2) + jump_log_growth(line->part, s.eta0) -
                  log_period(line, s.eta0) + SAFE;
    /* M <= (sum + rest)/(1 - rule) */
    double more = rule < -1 ? -log1p(-exp(rule)) : HUGE_VAL;
    return jump_log_add(sum, jump_log_rest(own, v, s.eta0)) + more +
           sum_slack(own, v, sum);
}

/* ---- The rule up to u = outer ------------------------------------------ */

/* s_a falls; s_b - s_a rises up to the middle of the cuts and then falls. */
static double log_most(const jump_law *own, size_t i)
{
    const jump_line *line = &own->line;
    double middle =
        (own->low + own->cut) / 2 * line->per - line->first;
    if (!own->is_jump)
        return line->more[i];
    if ((double)i < middle && (double)(i + 1) > middle)
        return 0;
    return fmax(line->more[i], line->more[i + 1]);
}

/* log of the integral over both edges; 0 is a node. */
static double log_edges(const jump_law *own, const jump_strip *s)
{
    const jump_line *line = &own->line;
    double top = -HUGE_VAL, sum = DBL_MIN;
    /* the same for all up to r0, but for w^p and the turn */
    double low = log_lifted(line, s, 0, 0, 0);
    double beta = fmin(line->part->mu * s->eta0, pi / 2);
    for (size_t i = 0; i + 1 < line->n; i++) {
        double next = line->ratio[i + 1], l = line->loss[i + 1];
        double lifted = next > s->r0
                            ? log_lifted(line, s, line->ratio[i], next, l)
                            : low + s->p * l +
                                  s->outer * turn_upper(next, beta);
        double e = fmax(line->base[i], line->base[i + 1]) +
                   log_most(own, i) + lifted;
        if (e > top) {
            sum *= exp(top - e);
            top = e;
        }
        sum += exp(e - top);
    }
    double inner = top + log(sum) + jump_slack(line, s->p) + SAFE +
                   1e-9 * s->outer * s->eta0 * line->part->mu;
    double rest = jump_log_add(log_left(own, s), log_sides(own, s));
    return jump_log_add(inner, rest + jump_slack(line, s->p));
}

double jump_log_error(
    const jump_law *own, double t, double outer, double enough)
{
    static const double shares[] = {1, 0.6, 0.36, 0.2};
    const jump_line *line = &own->line;
    double best = best_height(line, pi / 2), least = HUGE_VAL;
    double r0 = fmin(pi / (line->h * line->part->mu * outer), 1);
    for (size_t i = 0;
        i < sizeof shares / sizeof *shares && !(least < enough); i++) {
        jump_strip s = {t + 1, outer, best * shares[i], r0};
        least = fmin(least, log_edges(own, &s));
    }
    return jump_log_add(least, jump_log_rest(own, t, 0));
}

/* ---- Decay ------------------------------------------------------------- */

double jump_log_decay(
    const jump_law *own, double t, double alpha, double outer)
{
    const jump_line *line = &own->line;
    double p = t + 1, half = sin(alpha / 2), s2 = 4 * half * half;
    double turn = outer * sin(alpha), sum = 0, mean;
    double top = jump_log_sum(&mean, own, t);
    double growth = jump_log_growth(line->part, alpha / line->part->mu);
    jump_strip strip = upright(line, p, pi / 2 - alpha);
    double rule = log(2) + jump_log_growth(line->part, strip.eta0) -
                  log_period(line, strip.eta0) + SAFE;
    if (!(alpha < 1.5 && rule < -1))
        return HUGE_VAL;
    double off = jump_ratio_error(line);
    for (size_t i = 0; i < line->n; i++) {
        /* rho^2 = 1 - gap; theta >= sin theta = r sin(alpha)/rho */
        double e = line->height[i] + p * line->loss[i] - top;
        if (e < -120)
            continue;
        double r = line->ratio[i], gap = s2 * r * (1 - r);
        double log_rho = log1p(-gap) / 2, pull = turn * r / sqrt(1 - gap);
        double slack = 8 * off * (fabs(p * log_rho) + pull) +
                       4 * off * p * s2 / (1 - gap);
        sum += exp(e + p * log_rho - pull + slack);
    }
    /* of each node that was passed over */
    sum += (double)line->n * exp(-120);
    /* of the rule for these moduli, and the way up to the turned line */
    double rest = jump_log_add(jump_log_rest(own, t, strip.eta0),
        rule + jump_log_upper(own, t));
    double inner = growth + jump_log_add(top + log(sum), rest);
    return jump_log_add(inner,
               jump_log_rest(own, t, alpha / line->part->mu)) + SAFE +
           jump_slack(line, t);
}
