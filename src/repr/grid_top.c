#include "grid_top.h"

/* Losses beyond which exponentials are not good to 2^-40. */
#define MOST_LOSS 500.0

/* Logs of sums below this are not relied upon. */
#define LEAST 0x1p-900

#define MAX_LAWS 16

typedef struct top_moment {
    double s, w; /* up to the cut and beyond, of one run */
    double n;    /* terms of both */
} top_moment;

static double loss_of(const grid_law *g, ball h, int64_t index)
{
    return ball_mid(g->offset) + ball_mid(h) * (double)index;
}

/* Sums of mass, or of mass e^(-loss). */
static bool moment_of(top_moment *out, const grid_law *g, const double *mass,
    const grid_cut *cut, ball h, bool of_q)
{
    *out = (top_moment){0, 0, 0};
    for (size_t i = 0; i < g->n; i++) {
        if (mass[i] == 0)
            continue;
        int64_t index = g->first + (int64_t)i;
        double x = of_q ? loss_of(g, h, index) : 0;
        if (!(fabs(x) <= MOST_LOSS))
            return false;
        *(index > cut->a ? &out->w : &out->s) += mass[i] * exp(-x);
        out->n += 1;
    }
    return true;
}

/* A sum of n terms, each good to 2^-40. */
static ball about(double v, double n)
{
    return ball_widen(ball_of(v), v * (0x1p-39 + n * 0x1p-52));
}

/* log(prod (s + w)^k - prod s^k): with x = sum k log(1 + w/s) it is
 * sum k log s + log(e^x - 1). */
static bool log_marked(ball *out, bool *is_empty, const grid_law *laws,
    const double *const *masses, const grid_cut *cuts, size_t n_laws, ball h,
    bool of_q)
{
    ball below = ball_of(0), x = ball_of(0);
    *is_empty = true;
    for (size_t i = 0; i < n_laws; i++) {
        top_moment m;
        if (!moment_of(&m, &laws[i], masses[i], &cuts[i], h, of_q) ||
            !(m.s > LEAST))
            return false;
        below = ball_add(
            below, ball_mul_d(ball_log(about(m.s, m.n)), laws[i].count));
        if (m.w == 0)
            continue;
        if (!(m.w > LEAST))
            return false;
        *is_empty = false;
        ball ratio = ball_div(about(m.w, m.n), about(m.s, m.n));
        x = ball_add(x, ball_mul_d(ball_log1p(ratio), laws[i].count));
    }
    if (!*is_empty)
        *out = ball_add(below, ball_logexpm1(x));
    return true;
}

/* One side: P's masses, and Q's times e^(loss). */
static bool side_make(grid_top_side *out, const grid_law *laws,
    const double *const *p, const double *const *q, const grid_cut *cuts,
    size_t n_laws, ball h)
{
    bool no_q = false;
    *out = (grid_top_side){.is_empty = true};
    return log_marked(
               &out->log_p, &out->is_empty, laws, p, cuts, n_laws, h, false) &&
           log_marked(&out->log_q, &no_q, laws, q, cuts, n_laws, h, true) &&
           (out->is_empty || !no_q);
}

/* log of the sum of mass e^(-order loss) over points from one on, about; each
 * exponential is good to 2^-40 of itself, and exponents to 1e-9 of the
 * greatest, which the caller adds. */
static double log_moment(
    const grid_law *g, size_t from, size_t to, ball h, double order)
{
    double most = -HUGE_VAL, sum = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = from; i < to; i++) {
            double x = -order * loss_of(g, h, g->first + (int64_t)i);
            if (g->up[i] == 0)
                continue;
            x += log(g->up[i]);
            if (pass == 0)
                most = fmax(most, x);
            else
                sum += exp(x - most);
        }
    return most > -HUGE_VAL ? most + log(sum) : most;
}

/*
 * log of an upper bound of C (prod (E + F)^k - prod E^k), E and F the moments
 * of order -a up to the cut and beyond it: with L = log sum k F/E it is at most
 * log C + sum k log E + L + e^L. (e^x - 1)_+ <= C e^(ax) with
 * C = (1 - 1/a)^a/(a - 1).
 */
static double log_rest(
    const grid_law *laws, const grid_cut *cuts, size_t n_laws, ball h, double a)
{
    double below = 0, ratio = -HUGE_VAL, size = 0;
    for (size_t i = 0; i < n_laws; i++) {
        const grid_law *g = &laws[i];
        int64_t n = cuts[i].a - g->first + 1;
        size_t cut = n <= 0 ? 0 : (size_t)fmin((double)n, (double)g->n);
        double e = log_moment(g, 0, cut, h, a);
        double f = log_moment(g, cut, g->n, h, a);
        double far = fmax(fabs(loss_of(g, h, g->first)),
            fabs(loss_of(g, h, g->first + (int64_t)g->n)));
        below += g->count * e;
        size += g->count * (fabs(e) + a * far * 1e-3 + 10) + 800;
        if (!(f > -HUGE_VAL))
            continue;
        double r = f - e + log(g->count), top = fmax(r, ratio);
        ratio = top + log1p(exp(-fabs(r - ratio)));
    }
    double v = a * log1p(-1 / a) - log(a - 1) + below + ratio + exp(ratio);
    return v + 1e-9 * (size + fabs(ratio)) + 1e-6;
}

static double slack_of(const grid_law *laws, size_t n_laws, ball h)
{
    double slack = 0;
    for (size_t i = 0; i < n_laws; i++) {
        const grid_law *g = &laws[i];
        double most =
            fmax(fabs((double)g->first), fabs((double)g->first + (double)g->n));
        double one = g->slack + g->offset.rad + h.rad * most +
                     0x1p-95 * (fabs(g->offset.hi) + most * h.hi);
        slack = round_up(slack + round_up(one * g->count));
    }
    return slack * (1 + 0x1p-40);
}

bool grid_top_make(grid_top *out, const grid_law *laws, const grid_cut *cuts,
    size_t n_laws, ball h, double order)
{
    const double *up[MAX_LAWS] = {NULL}, *lo[MAX_LAWS] = {NULL};
    const double *lo_q[MAX_LAWS] = {NULL};
    *out = (grid_top){.order = order, .slack = slack_of(laws, n_laws, h)};
    if (n_laws > MAX_LAWS || !(order > 1))
        return false;
    for (size_t i = 0; i < n_laws; i++) {
        up[i] = laws[i].up;
        lo[i] = laws[i].lo;
        lo_q[i] = laws[i].lo_q != NULL ? laws[i].lo_q : laws[i].lo;
    }
    if (!side_make(&out->up, laws, up, up, cuts, n_laws, h))
        return false;
    out->log_rest = log_rest(laws, cuts, n_laws, h, order);
    if (isnan(out->log_rest))
        out->log_rest = HUGE_VAL;
    /* of what is not known from below nothing is said */
    if (!side_make(&out->lo, laws, lo, lo_q, cuts, n_laws, h))
        out->lo.is_empty = true;
    return true;
}

/* log(P - e^epsilon Q), or -inf. */
static ball difference(const grid_top_side *s, ball epsilon)
{
    ball gap = ball_add(epsilon, ball_sub(s->log_q, s->log_p));
    if (!ball_is_negative(gap))
        return ball_of(-HUGE_VAL);
    return ball_add(s->log_p, ball_log1mexp(gap));
}

double grid_top_end(const grid_top *top, double epsilon, bool up, double *slope)
{
    const grid_top_side *s = up ? &top->up : &top->lo;
    ball moved = ball_add_d(ball_of(epsilon), up ? -top->slack : top->slack);
    *slope = 0;
    if (s->is_empty)
        return -HUGE_VAL;
    ball d = difference(s, moved);
    bool known = d.hi > -HUGE_VAL;
    if (known) /* e^epsilon Q over P - e^epsilon Q */
        *slope = exp(epsilon + ball_mid(s->log_q) - ball_mid(d));
    if (!up)
        return known ? ball_lower(d) : -HUGE_VAL;
    if (!known)
        return ball_upper(s->log_p);
    ball rest = ball_add_d(ball_mul_d(moved, top->order), top->log_rest);
    double most = ball_upper(s->log_p);
    return rest.hi < most ? fmin(ball_upper(ball_logaddexp(d, rest)), most)
                          : most;
}
