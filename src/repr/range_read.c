/*
 * What runs of bounded range say of delta between the points of their lattice,
 * and of epsilon. See range_lattice.h.
 */
#include "range_lattice.h"

#include <math.h>

double range_lattice_point(const range_lattice *r, size_t i)
{
    return (double)i * r->upper.step;
}

/* The point at or before x >= 0, and where x lies behind it: e^(x - point) - 1
 * over e^step - 1, in [0, 1]. */
static ptrdiff_t point_before(ball *share, const range_side *s, double x)
{
    ptrdiff_t i = (ptrdiff_t)floor(x / s->step);
    if (x < (double)i * s->step)
        i--;
    ball behind = ball_sub(ball_of(x), ball_of((double)i * s->step));
    *share = ball_div(ball_expm1(behind), ball_expm1(ball_of(s->step)));
    return i;
}

/* H(e^x), x >= 0, by the chord between two points. */
static double upper_at(const range_lattice *r, double x)
{
    const range_side *s = &r->upper;
    if (!(x < (double)r->top * s->step))
        return r->rest;
    ball share;
    ptrdiff_t i = point_before(&share, s, x);
    ball fall = ball_sub(ball_of(s->value[i]), ball_of(s->value[i + 1]));
    double y = ball_upper(
        ball_sub(ball_of(s->value[i]), ball_mul(share, fall)));
    return y >= 0 ? fmin(y, s->value[i]) : s->value[i];
}

/* H at the point before, from below; and on by the slope from the point before
 * that one, from above, as H is convex; or H at the next point. */
static double lower_at(const range_lattice *r, double x)
{
    const range_side *s = &r->lower;
    if (!(x < (double)r->top * s->step))
        return 0;
    ball share;
    ptrdiff_t i = point_before(&share, s, x);
    double h = s->step, next = s->value[i + 1];
    ball before = i > 0 ? ball_of(upper_at(r, (double)(i - 1) * h))
                        : ball_add(ball_neg(ball_expm1(ball_of(-h))),
                              ball_mul_d(ball_exp(ball_of(-h)),
                                  upper_at(r, h)));
    ball here = ball_of(s->value[i]);
    /* from point to point steps grow by e^h */
    ball fall = ball_mul(
        ball_mul(ball_sub(before, here), ball_exp(ball_of(h))), share);
    double y = ball_lower(ball_sub(here, fall));
    return y > next ? y : next;
}

/* From either side at a double, any real one: H(X) = 1 - X + X H(1/X). */
static ball value_at(const range_lattice *r, double x, bool up)
{
    double y = up ? upper_at(r, fabs(x)) : lower_at(r, fabs(x));
    if (x >= 0)
        return ball_of(y);
    return ball_add(ball_neg(ball_expm1(ball_of(x))),
        ball_mul_d(ball_exp(ball_of(x)), y));
}

dosi_interval range_lattice_log_delta(const range_lattice *r, ball eps)
{
    dosi_interval x = ball_interval(eps);
    ball most = value_at(r, x.lo, true), least = value_at(r, x.hi, false);
    dosi_interval out = {-HUGE_VAL, -HUGE_VAL};
    if (ball_is_positive(least))
        out.lo = ball_lower(ball_log(least));
    if (!ball_is_zero(most))
        out.hi = fmin(ball_upper(ball_log(most)), 0);
    return out;
}

/* Whether delta at x is certainly at most that, or certainly above it. */
static bool is_beyond(
    const range_lattice *r, double x, dosi_interval target, bool up)
{
    double y = up ? upper_at(r, x) : lower_at(r, x);
    if (!(y > 0))
        return up;
    ball log_y = ball_log(ball_of(y));
    return up ? ball_upper(log_y) <= target.lo : ball_lower(log_y) > target.hi;
}

/* The least double, or the greatest, for which that holds; at first it does
 * not hold at from, but holds at to. */
static double last_beyond(const range_lattice *r, double from, double to,
    dosi_interval target, bool up)
{
    for (;;) {
        double mid = from + (to - from) / 2;
        if (mid == from || mid == to)
            return to;
        if (is_beyond(r, mid, target, up))
            to = mid;
        else
            from = mid;
    }
}

dosi_interval range_lattice_epsilon(const range_lattice *r, ball log_delta)
{
    dosi_interval target = ball_interval(log_delta), out = {0, HUGE_VAL};
    double most = (double)r->top * r->upper.step;
    if (is_beyond(r, 0, target, true))
        return iv_point(0);
    if (is_beyond(r, most, target, true))
        out.hi = last_beyond(r, 0, most, target, true);
    if (is_beyond(r, 0, target, false))
        out.lo = last_beyond(
            r, (double)r->top * r->lower.step, 0, target, false);
    return out;
}
