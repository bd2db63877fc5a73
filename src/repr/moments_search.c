/*
 * Both objectives have one minimiser when K is convex: K - lambda eps is
 * convex itself, and (c + K)/lambda falls and then rises, because
 * lambda K' - K - c grows. A minimum is therefore bracketed by three values,
 * and bounded below by lines that lie below K. Steps are steered by plain
 * doubles taken from differences of balls.
 */
#include "moments_search.h"

#include "num/minimum.h"

/* Relative spacing of the last bracket. */
#define SPACING 0x1p-36

/* ---- The objective ----------------------------------------------------- */

static ball objective(const moments_search *s, ball lambda, ball k)
{
    if (s->asks_epsilon)
        return ball_div(ball_add(s->given, k), lambda);
    return ball_sub(k, ball_mul(lambda, s->given));
}

moments_probe moments_probe_at(moments_search *s, double lambda)
{
    moments_probe p = {.lambda = lambda};
    p.k = moments_at(s->sum, ball_of(lambda));
    p.value = objective(s, ball_of(lambda), p.k);
    s->n_evaluations++;
    return p;
}

double moments_difference(const moments_probe *a, const moments_probe *b)
{
    if (ball_is_infinite(a->value) || ball_is_unknown(a->value))
        return ball_is_infinite(b->value) ? 0 : HUGE_VAL;
    if (ball_is_infinite(b->value) || ball_is_unknown(b->value))
        return -HUGE_VAL;
    return ball_mid(ball_sub(a->value, b->value));
}

/* ---- Steering ---------------------------------------------------------- */

typedef struct descent {
    moments_search *search;
    moments_probe from; /* values are differences to this */
} descent;

/* At lambda = 2^u. */
static double descent_at(double u, const void *context)
{
    const descent *d = context;
    moments_probe p = moments_probe_at(d->search, exp2(u));
    return moments_difference(&p, &d->from);
}

/* The least value in log lambda, to about 2^-13. The first start may lie so
 * high that differences to it lose all digits near the minimum. */
static moments_probe descend(moments_search *s, double start)
{
    start = fmin(fmax(start, s->low), s->high);
    descent d = {s, moments_probe_at(s, start)};
    while (ball_is_infinite(d.from.value) && start > s->low) {
        start = fmax(start / 2, s->low); /* K ends before */
        d.from = moments_probe_at(s, start);
    }
    minimum_range range = {log2(s->low), log2(s->high), 0.125, 1};
    for (int i = 0; i < 2; i++) {
        double u = minimum_near(
            descent_at, &d, range, log2(d.from.lambda)).x;
        d.from = moments_probe_at(s, fmin(fmax(exp2(u), s->low), s->high));
        range.first = 0.25;
        range.tolerance = 0x1p-13;
    }
    return d.from;
}

/* The lowest point of the parabola through three probes; NaN without one. */
static double vertex(const moments_probe p[3])
{
    double left = p[1].lambda - p[0].lambda;
    double right = p[2].lambda - p[1].lambda;
    double rise_left = moments_difference(&p[0], &p[1]);
    double rise_right = moments_difference(&p[2], &p[1]);
    double bend = left * rise_right + right * rise_left;
    double lean = right * right * rise_left - left * left * rise_right;
    return p[1].lambda + lean / (2 * bend);
}

/* A better guess from a parabola of the given relative spacing. */
static moments_probe polish(
    moments_search *s, moments_probe best, double spacing)
{
    moments_probe p[3] = {best, best, best};
    p[0] = moments_probe_at(s, fmax(best.lambda * (1 - spacing), s->low));
    p[2] = moments_probe_at(s, fmin(best.lambda * (1 + spacing), s->high));
    double x = vertex(p);
    double reach = 4 * spacing * best.lambda;
    if (!(fabs(x - best.lambda) <= reach)) /* NaN, too */
        return best;
    x = fmin(fmax(x, s->low), s->high);
    return moments_probe_at(s, x);
}

/* ---- Certified ends ---------------------------------------------------- */

/* A lower bound of the objective on [x, y] from the line through a and b,
 * which lies below the convex K outside [a, b]; objectives of lines are
 * monotone. */
static double line_bound(const moments_search *s, double x, double y,
    const moments_probe *a, const moments_probe *b)
{
    if (ball_is_infinite(a->k) || ball_is_infinite(b->k))
        return -HUGE_VAL;
    ball la = ball_of(a->lambda);
    ball slope =
        ball_div(ball_sub(b->k, a->k), ball_sub(ball_of(b->lambda), la));
    ball at_x = ball_mul(slope, ball_sub(ball_of(x), la));
    ball at_y = ball_mul(slope, ball_sub(ball_of(y), la));
    ball fx = objective(s, ball_of(x), ball_add(a->k, at_x));
    ball fy = objective(s, ball_of(y), ball_add(a->k, at_y));
    return fmin(ball_lower(fx), ball_lower(fy));
}

/* Goes from the guess to the left or right until the value is certainly
 * above that of the guess; true when that happens before the end. */
static bool close_side(moments_probe *end, moments_search *s,
    const moments_probe *guess, bool to_left)
{
    for (double h = SPACING;; h *= 8) {
        double x = to_left ? guess->lambda / (1 + h) : guess->lambda * (1 + h);
        x = fmin(fmax(x, s->low), s->high);
        *end = moments_probe_at(s, x);
        if (ball_less(guess->value, end->value))
            return true;
        if (x <= s->low || x >= s->high)
            return false;
    }
}

/* On [a, b] the line through b and c lies below K, or, when b is the right
 * end, the line through two points left of a. */
static double bound_left(moments_search *s, const moments_probe *a,
    const moments_probe *b, const moments_probe *c)
{
    if (!(a->lambda < b->lambda))
        return HUGE_VAL;
    if (c->lambda > b->lambda)
        return line_bound(s, a->lambda, b->lambda, b, c);
    double step = b->lambda - a->lambda;
    moments_probe far = moments_probe_at(s, fmax(a->lambda - step, s->low));
    return far.lambda < a->lambda ? line_bound(s, a->lambda, b->lambda, &far, a)
                                  : -HUGE_VAL;
}

static double bound_right(moments_search *s, const moments_probe *a,
    const moments_probe *b, const moments_probe *c)
{
    if (!(b->lambda < c->lambda))
        return HUGE_VAL;
    if (a->lambda < b->lambda)
        return line_bound(s, b->lambda, c->lambda, a, b);
    double step = c->lambda - b->lambda;
    moments_probe far = moments_probe_at(s, fmin(c->lambda + step, s->high));
    return far.lambda > c->lambda ? line_bound(s, b->lambda, c->lambda, c, &far)
                                  : -HUGE_VAL;
}

/* Above c the line through a and b lies below K: (given + K)/lambda is at
 * least what it gives at c or, for ever, its slope. */
static double bound_open(const moments_search *s, const moments_probe *a,
    const moments_probe *b, const moments_probe *c)
{
    if (!s->asks_epsilon || !(a->lambda < b->lambda))
        return -HUGE_VAL;
    ball run = ball_sub(ball_of(b->lambda), ball_of(a->lambda));
    ball slope = ball_div(ball_sub(b->k, a->k), run);
    return fmin(ball_lower(slope), line_bound(s, c->lambda, c->lambda, a, b));
}

/* Encloses the minimum and its place, given a guess. */
static void certify(
    moments_search *s, moments_optimum *out, const moments_probe *guess)
{
    moments_probe a, c;
    (void)close_side(&a, s, guess, true);
    bool is_closed = close_side(&c, s, guess, false);
    out->argument = (dosi_interval){a.lambda, c.lambda};
    double low =
        fmin(bound_left(s, &a, guess, &c), bound_right(s, &a, guess, &c));
    if (!is_closed && s->is_open) {
        out->argument.hi = HUGE_VAL;
        low = fmin(low, bound_open(s, &a, guess, &c));
    }
    double high = ball_upper(guess->value);
    out->least = (dosi_interval){fmin(low, high), high};
}

moments_optimum moments_minimum(moments_search *s, double start)
{
    moments_probe best = descend(s, start);
    for (double spacing = 0x1p-12; spacing > 0x1p-32; spacing *= 0x1p-8) {
        moments_probe finer = polish(s, best, spacing);
        if (moments_difference(&finer, &best) <= 0)
            best = finer;
    }
    moments_optimum out = {.value = best.value, .lambda = best.lambda};
    certify(s, &out, &best);
    out.n_evaluations = s->n_evaluations;
    return out;
}
