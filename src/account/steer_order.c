/*
 * A smooth curve is nearly a power of the order, so a cubic through its
 * logarithm at a few orders says where the bound is least; every value that
 * is asked for joins the cubic. Brent's method, which asks more often, does
 * the rest: curves with kinks, and the least value of the cubic.
 */
#include "steer_order.h"

#include <math.h>

#define TOLERANCE 1e-5 /* in u, where the bound is flat */
#define SHARP 1e-9     /* where it may end at a cliff */
#define MAX_STEPS 80
#define GOLDEN 0.3819660112501051
#define MAX_POINTS 24
#define MAX_GAP 3.0 /* between points that a cubic joins */
#define NO_CURVE 710.0 /* a logarithm whose exponential is infinite */

double steer_bound(const steer_problem *p, double u, double log_cumulant)
{
    double t = exp2(u), log_order = log1p(t), at = p->argument;
    double cumulant = exp(log_cumulant), gain = log(t) - log_order;
    double value = p->for_epsilon
                       ? (cumulant - at - log_order) / t + gain
                       : cumulant + t * (gain - at) - log_order;
    return isnan(value) ? HUGE_VAL : value;
}

static double greatest(const steer_problem *p)
{
    return fmax(log2(p->most - 1), p->lowest + 1);
}

/* ---- Brent's method ---------------------------------------------------- */

/* Three points, best first, with values. */
typedef struct brent {
    double a, b; /* the least lies between */
    double x, w, v;
    double fx, fw, fv;
    double step, before; /* the last one and the one before that */
    double tolerance;
} brent;

/* To the least of the parabola through the points, or by the golden section
 * when that is outside or does not shrink fast enough. */
static double brent_next(brent *m)
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

static void brent_learn(brent *m, double u, double fu)
{
    if (fu <= m->fx) {
        *(u < m->x ? &m->b : &m->a) = m->x;
        m->v = m->w, m->fv = m->fw;
        m->w = m->x, m->fw = m->fx;
        m->x = u, m->fx = fu;
        return;
    }
    *(u < m->x ? &m->a : &m->b) = u;
    if (fu <= m->fw || m->w == m->x) {
        m->v = m->w, m->fv = m->fw;
        m->w = u, m->fw = fu;
    } else if (fu <= m->fv || m->v == m->x || m->v == m->w) {
        m->v = u, m->fv = fu;
    }
}

double steer_least(steer_function bound, const void *context,
    steer_range range, double u)
{
    double fu = bound(u, context);
    brent m = {range.low, range.high, u, u, u, fu, fu, fu, 0, 0,
        range.tolerance};
    for (int i = 0; i < range.n_steps; i++) {
        double middle = m.a / 2 + m.b / 2;
        if (fabs(m.x - middle) + (m.b - m.a) / 2 <= 2 * m.tolerance)
            break;
        u = brent_next(&m);
        fu = bound(u, context);
        /* beyond the curves: to smaller orders */
        if (fu == HUGE_VAL && m.fx == HUGE_VAL && u > m.x) {
            m.b = u;
            continue;
        }
        brent_learn(&m, u, fu);
    }
    return m.x;
}

static double asked_bound(double u, const void *context)
{
    const steer_problem *p = context;
    return steer_bound(p, u, p->log_cumulant(u, p->context));
}

static steer_result plain_search(const steer_problem *p)
{
    double high = greatest(p);
    double u = p->lowest + GOLDEN * (high - p->lowest);
    u = steer_least(asked_bound, p,
        (steer_range){p->lowest, high, SHARP, MAX_STEPS}, u);
    return (steer_result){fmin(1 + exp2(u), p->most), asked_bound(u, p)};
}

/* ---- The cubic --------------------------------------------------------- */

/* Where the curve was asked, in order of u. */
typedef struct model {
    const steer_problem *problem;
    size_t n;
    size_t best;
    double u[MAX_POINTS];
    double log_cumulant[MAX_POINTS];
    double bound[MAX_POINTS];
} model;

/* Asks the curve at u, which is no point yet. */
static void learn(model *m, double u)
{
    double value =
        fmin(m->problem->log_cumulant(u, m->problem->context), NO_CURVE);
    size_t i = m->n++;
    for (; i > 0 && m->u[i - 1] > u; i--) {
        m->u[i] = m->u[i - 1];
        m->log_cumulant[i] = m->log_cumulant[i - 1];
        m->bound[i] = m->bound[i - 1];
    }
    m->u[i] = u;
    m->log_cumulant[i] = value;
    m->bound[i] = steer_bound(m->problem, u, value);
    m->best = 0;
    for (size_t j = 1; j < m->n; j++)
        if (m->bound[j] < m->bound[m->best])
            m->best = j;
}

/* The bound by the cubic through four points about the best; Neville. */
static double modelled_bound(double u, const void *context)
{
    const model *m = context;
    size_t n = m->n < 4 ? m->n : 4;
    size_t first = m->best > 1 ? m->best - (u < m->u[m->best] ? 2 : 1)
                               : 0;
    first = first + n > m->n ? m->n - n : first;
    double value[4];
    for (size_t i = 0; i < n; i++)
        value[i] = m->log_cumulant[first + i];
    for (size_t k = 1; k < n; k++)
        for (size_t i = 0; i + k < n; i++) {
            double a = m->u[first + i], b = m->u[first + i + k];
            value[i] = ((u - a) * value[i + 1] + (b - u) * value[i]) /
                       (b - a);
        }
    return steer_bound(m->problem, u, value[0]);
}

/* Where to ask next: between the neighbours of the best point, or a step
 * further out than all. */
static double next_point(const model *m, double high)
{
    size_t i = m->best;
    double x = m->u[i];
    double a = i > 0 ? m->u[i - 1] : fmax(x - MAX_GAP, m->problem->lowest);
    double b = i + 1 < m->n ? m->u[i + 1] : fmin(x + MAX_GAP, high);
    bool blind = !(m->bound[i] < HUGE_VAL) ||
                 (i + 1 < m->n && !(m->bound[i + 1] < HUGE_VAL));
    if (b - a > 2 * MAX_GAP || (blind && b - a > 1))
        return b - x > x - a ? x + (b - x) / 2 : x - (x - a) / 2;
    double u = steer_least(modelled_bound, m,
        (steer_range){a, b, TOLERANCE / 10, MAX_STEPS}, x);
    return high - u <= 2 * TOLERANCE ? high : u;
}

/* Whether the bound jumps next to the best point, from one phase of a curve
 * to another: the cubic knows nothing of the edge. */
static bool at_cliff(const model *m)
{
    size_t first = m->best > 0 ? m->best - 1 : 0;
    double x = m->u[m->best], fx = m->bound[m->best];
    for (size_t i = first; i < m->n && i <= m->best + 1; i++) {
        double away = fabs(m->u[i] - x), flat = 50 * away * away + 1e-12;
        if (away < 0.05 && !(m->bound[i] - fx <= flat * fabs(fx)))
            return true;
    }
    return false;
}

/* False when the cubic does not settle. */
static bool smooth_search(
    steer_result *out, const steer_problem *p, double start)
{
    double high = greatest(p);
    double u = fmin(fmax(start, p->lowest + 1), high - 0.5);
    model m = {.problem = p};
    learn(&m, u);
    learn(&m, u - 0.5);
    learn(&m, u + 0.5);
    bool is_checked = false;
    while (m.n + 2 < MAX_POINTS) {
        u = next_point(&m, high);
        double away = fabs(u - m.u[m.best]);
        if (!isfinite(u))
            return false;
        if (away <= 2 * TOLERANCE && !is_checked) {
            is_checked = true; /* once more a little to both sides */
            double best = m.u[m.best];
            learn(&m, best - 0.02);
            if (best + 0.02 < high)
                learn(&m, best + 0.02);
            continue;
        }
        if (away <= 2 * TOLERANCE) {
            *out = (steer_result){
                fmin(1 + exp2(m.u[m.best]), p->most), m.bound[m.best]};
            return m.bound[m.best] < HUGE_VAL && !at_cliff(&m);
        }
        for (size_t i = 0; i < m.n; i++)
            if (m.u[i] == u)
                return false;
        learn(&m, u);
    }
    return false;
}

steer_result steer_order(const steer_problem *p, double start)
{
    steer_result found;
    if (p->is_smooth && isfinite(start) && p->most > 2 &&
        smooth_search(&found, p, start))
        return found;
    return plain_search(p);
}
