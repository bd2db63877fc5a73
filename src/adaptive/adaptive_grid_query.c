/*
 * Interpolation between lattice points: enclosures of log delta and of epsilon
 * from a lattice of adaptive_grid.h. Upper bounds use chords, lower bounds the
 * convexity of the profile. Derivation: docs/theory/adaptive.md.
 */
#include "adaptive_grid.h"

#include <math.h>

#include "profile/profile_inverse.h"

/* Returns the lattice point at or before x; *share receives (e^(x - point) -
 * 1)/(e^step - 1), in [0, 1]. */
static ptrdiff_t point_before(ball *share, const adaptive_side *s, double x)
{
    ptrdiff_t i = (ptrdiff_t)floor(x / s->step);
    if (x < (double)i * s->step)
        i--;
    ball behind = ball_sub(ball_of(x), ball_of((double)i * s->step));
    *share = ball_div(ball_expm1(behind), ball_expm1(ball_of(s->step)));
    return i;
}

static bool is_within(const adaptive_grid *r, const adaptive_side *s, double x)
{
    return fabs(x) < (double)r->end * s->step;
}

/* Upper bound of G at any real x, by the chord between two points. */
static double upper_at(const adaptive_grid *r, double x)
{
    const adaptive_side *s = &r->upper;
    if (x < 0 && r->method->is_symmetric) /* G(X) = X G(1/X) */
        return ball_upper(
            ball_mul_d(ball_exp(ball_of(x)), upper_at(r, -x)));
    if (!is_within(r, s, x))
        return s->value[x > 0 ? r->end : -r->end];
    ball share;
    ptrdiff_t i = point_before(&share, s, x);
    ball a = ball_of(s->value[i]), b = ball_of(s->value[i + 1]);
    return ball_upper(ball_add(a, ball_mul(share, ball_sub(b, a))));
}

/* Adds to G the part of (1 - X)_+ that is linear on one side of 0: H on the
 * right, H - (1 - X) on the left. The result is convex in X. */
static ball convex_part(double g, double x, bool right)
{
    if (right ? x < 0 : x > 0)
        return ball_add(ball_of(g), ball_abs(ball_expm1(ball_of(x))));
    return ball_of(g);
}

/* Lower bound of G, for x >= 0 if it is symmetric. H is convex: lines from the
 * two nearest points, with the slopes from upper bounds at the points beyond,
 * are lower bounds. Monotonicity gives another: G falls from 0 on, and rises up
 * to 0. */
static double lower_at(const adaptive_grid *r, double x)
{
    const adaptive_side *s = &r->lower;
    if (!is_within(r, s, x))
        return 0;
    ball share, e_h = ball_exp(ball_of(s->step));
    bool right = x >= 0;
    ptrdiff_t i = point_before(&share, s, x);
    double at[4], least = s->value[right ? i + 1 : i];
    for (int j = 0; j < 4; j++)
        at[j] = (double)(i - 1 + j) * s->step;
    ball before = convex_part(upper_at(r, at[0]), at[0], right);
    ball here = convex_part(s->value[i], at[1], right);
    ball next = convex_part(s->value[i + 1], at[2], right);
    ball behind = convex_part(upper_at(r, at[3]), at[3], right);
    /* from point to point steps of X grow by e^h */
    ball back = ball_div(ball_sub(ball_of(1), share), e_h);
    ball one = ball_add(
        here, ball_mul(ball_mul(ball_sub(here, before), e_h), share));
    ball other = ball_add(next, ball_mul(ball_sub(next, behind), back));
    return fmax(fmax(ball_lower(one), ball_lower(other)), least);
}

/* One end of log delta at a double x: the logarithm of (1 - e^x)_+ + G(X), or
 * with an added record of (1 - e^x)_+ + X G(1/X). */
static double log_at(const adaptive_grid *r, double x, bool add, bool up)
{
    if (r->method->is_symmetric)
        add = x < 0;
    double at = add ? -x : x, g = up ? upper_at(r, at) : lower_at(r, at);
    if (x >= 0 && !(g > 0))
        return -HUGE_VAL;
    ball y = ball_of(g);
    if (x < 0)
        y = ball_log(ball_add(ball_neg(ball_expm1(ball_of(x))),
            add ? ball_mul(ball_exp(ball_of(x)), y) : y));
    else
        y = add ? ball_add_d(ball_log(y), x) : ball_log(y);
    return up ? fmin(ball_upper(y), 0) : ball_lower(y);
}

dosi_interval adaptive_grid_log_delta(
    const adaptive_grid *r, ball eps, bool add)
{
    dosi_interval x = ball_interval(eps);
    return (dosi_interval){
        log_at(r, x.hi, add, false), log_at(r, x.lo, add, true)};
}

static dosi_interval log_removed(double eps, const void *r)
{
    return adaptive_grid_log_delta(r, ball_of(eps), false);
}

static dosi_interval log_added(double eps, const void *r)
{
    return adaptive_grid_log_delta(r, ball_of(eps), true);
}

dosi_interval adaptive_grid_epsilon(
    const adaptive_grid *r, ball log_delta, bool add)
{
    const dosi_interval within = {
        0, ball_upper(adaptive_max_loss(&r->of, add))};
    return profile_inverse(
        add ? log_added : log_removed, r, log_delta, within);
}
