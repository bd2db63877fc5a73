/*
 * Minima of unimodal functions in doubles: bracketing by doubled steps, then
 * Brent's method. Nothing here is certified.
 */
#include "minimum.h"

#include <math.h>
#include <stdbool.h>

#define GOLDEN 0.3819660112501051
#define MAX_STEPS 80
/* distance from an end, in tolerances, to test for a minimum at the end */
#define END_TOLERANCES 1e3
/* relative change of f: smaller differences are rounding */
#define MIN_RELATIVE_CHANGE 0x1p-46

/* Three points, best first, with values. */
typedef struct brent {
    minimum_function f;
    const void *context;
    double a, b; /* the minimum lies between */
    double x, w, v;
    double fx, fw, fv;
    double step, before; /* the last step and the one before it */
    double tolerance;
} brent;

static double value_at(const brent *m, double x)
{
    double value = m->f(x, m->context);
    return isnan(value) ? HUGE_VAL : value;
}

/* Makes the point x, w or v. */
static void insert_point(brent *m, double u, double fu)
{
    if (fu <= m->fx) {
        m->v = m->w, m->fv = m->fw;
        m->w = m->x, m->fw = m->fx;
        m->x = u, m->fx = fu;
    } else if (fu <= m->fw || m->w == m->x) {
        m->v = m->w, m->fv = m->fw;
        m->w = u, m->fw = fu;
    } else if (fu <= m->fv || m->v == m->x || m->v == m->w) {
        m->v = u, m->fv = fu;
    }
}

/* Brackets the minimum from x on by steps that double while f falls; direction
 * -1 is to the left. */
static void bracket_minimum(brent *m, minimum_range range, double direction)
{
    double *ahead = direction > 0 ? &m->b : &m->a;
    double *behind = direction > 0 ? &m->a : &m->b;
    double end = direction > 0 ? range.high : range.low;
    for (double step = range.first; m->x != end; step *= 2) {
        double from = m->x, u = from + direction * step;
        *ahead = direction > 0 ? fmin(u, end) : fmax(u, end);
        double fu = value_at(m, *ahead);
        /* fu is not -inf, a minimum at which x would stay forever */
        bool is_blind = direction < 0 && fu == HUGE_VAL && m->fx == HUGE_VAL;
        bool falls = fu < m->fx || is_blind;
        insert_point(m, *ahead, fu);
        if (!falls)
            return;
        *behind = from;
    }
    *ahead = end;
    /* the minimum is at the end if f falls up to it */
    double inside = end - direction * END_TOLERANCES * range.tolerance;
    if (value_at(m, inside) > m->fx)
        *behind = end;
}

/* The next point: the minimum of the parabola through the points, or a golden
 * section step if that is outside or does not shrink fast enough. */
static double next_point(brent *m)
{
    double r = (m->x - m->w) * (m->fx - m->fv);
    double q = (m->x - m->v) * (m->fx - m->fw);
    double p = (m->x - m->v) * q - (m->x - m->w) * r;
    q = 2 * (q - r);
    double last = m->before;
    m->before = m->step;
    double step = -p / q;
    if (fabs(step) < fabs(last) / 2 && m->x + step > m->a &&
        m->x + step < m->b) {
        m->step = step;
    } else {
        m->before = (2 * m->x < m->a + m->b ? m->b : m->a) - m->x;
        m->step = GOLDEN * m->before;
    }
    double least = fmax(fabs(m->step), m->tolerance);
    return m->x + copysign(least, m->step);
}

static void update_bracket(brent *m, double u, double fu)
{
    /* f is infinite to the right */
    if (fu == HUGE_VAL && m->fx == HUGE_VAL && u > m->x) {
        m->b = u;
        return;
    }
    if (fu <= m->fx)
        *(u < m->x ? &m->b : &m->a) = m->x;
    else
        *(u < m->x ? &m->a : &m->b) = u;
    insert_point(m, u, fu);
}

minimum_point minimum_near(
    minimum_function f, const void *context, minimum_range range, double x)
{
    brent m = {.f = f, .context = context, .a = range.low, .b = range.high,
        .x = x, .w = x, .v = x, .tolerance = range.tolerance};
    m.fx = m.fw = m.fv = value_at(&m, x);
    if (range.first > 0) {
        bracket_minimum(&m, range, 1);
        if (m.x == x)
            bracket_minimum(&m, range, -1);
        m.step = m.before = m.b - m.a;
    }
    for (int i = 0; i < MAX_STEPS; i++) {
        double middle = m.a / 2 + m.b / 2;
        if (fabs(m.x - middle) + (m.b - m.a) / 2 <= 2 * m.tolerance)
            break;
        double u = next_point(&m), fu = value_at(&m, u);
        bool is_flat = fabs(fu - m.fx) <= MIN_RELATIVE_CHANGE * fabs(m.fx) &&
                       fabs(m.fw - m.fx) <= MIN_RELATIVE_CHANGE * fabs(m.fx) &&
                       m.w != m.x;
        update_bracket(&m, u, fu);
        if (is_flat)
            break;
    }
    return (minimum_point){m.x, m.fx};
}
