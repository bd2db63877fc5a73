/*
 * The supremum of (D - xi)/(1 + t) over all orders 1 + t by branch and bound.
 * Derivation: docs/theory/concentrated.md, section 3.
 */
#include "zcdp_slope_search.h"

#include <assert.h>
#include <stdlib.h>

/* Intervals kept at once, and the relative width of the result. */
#define MAX_PARTS ((size_t)1 << 15)
#define TARGET_WIDTH 0x1p-42

/* An order 1 + t with its divergence. */
typedef struct node {
    double t;
    ball d;
} node;

/* An interval of t with a point inside. */
typedef struct part {
    node low;
    node middle;
    node high;
    double bound; /* >= the objective on it */
} part;

/* The intervals of one round. */
typedef struct round_parts {
    part *parts;
    size_t n;
} round_parts;

typedef struct search {
    const order_curve *curve;
    ball xi;
    double best_lower; /* <= the supremum */
    double settled;    /* >= the objective on intervals no longer kept */
    size_t n_left;     /* evaluations */
} search;

/* (D - xi) / (1 + t) */
static ball objective(const search *s, ball t, ball d)
{
    return ball_div(ball_sub(d, s->xi), ball_add_d(t, 1));
}

static node node_at(search *s, double t)
{
    ball order = ball_add_d(ball_of(t), 1);
    ball d = s->curve->divergence(order, s->curve->context);
    if (s->n_left > 0)
        s->n_left--;
    s->best_lower =
        fmax(s->best_lower, ball_lower(objective(s, ball_of(t), d)));
    return (node){t, d};
}

/* ---- Bounds on an interval --------------------------------------------- */

/* (K(b) - K(a)) / (b - a) of the cumulant K = t D. */
static ball chord_slope(node a, node b)
{
    ball rise = ball_sub(ball_mul_d(b.d, b.t), ball_mul_d(a.d, a.t));
    return ball_div(rise, ball_sub(ball_of(b.t), ball_of(a.t)));
}

/* A lower bound of K" on the part. The divided difference is K" at one of its
 * points, and |K'''| <= range K", the third central moment of the tilted loss
 * against the second. */
static double curvature_lower(const search *s, const part *p)
{
    ball width = ball_sub(ball_of(p->high.t), ball_of(p->low.t));
    ball bend = ball_sub(
        chord_slope(p->middle, p->high), chord_slope(p->low, p->middle));
    ball fade = ball_exp(ball_neg(ball_mul_d(width, s->curve->range)));
    ball least = ball_mul(ball_scale2(ball_div(bend, width), 1), fade);
    return fmax(ball_lower(least), 0);
}

/* An upper bound of (h - c/t) / (1 + t). */
static double hyperbola(double h, double c, double t)
{
    ball top = ball_of(h);
    if (c != 0)
        top = ball_sub(top, ball_div(ball_of(c), ball_of(t)));
    return ball_upper(ball_div(top, ball_add_d(ball_of(t), 1)));
}

/* c (1 + 2t) - h t^2, the sign of the derivative of (h - c/t) / (1 + t). */
static ball hyperbola_rise(double h, double c, ball t)
{
    return ball_sub(ball_mul_d(ball_add_d(ball_scale2(t, 1), 1), c),
        ball_mul_d(ball_sqr(t), h));
}

/* An upper bound of (h - c/t) / (1 + t) on [low, high]. */
static double hyperbola_most(double h, double c, double low, double high)
{
    double ends = fmax(hyperbola(h, c, low), hyperbola(h, c, high));
    if (!(h > 0 && c > 0))
        return ends; /* monotone, or falling and then rising */
    if (ball_is_nonnegative(hyperbola_rise(h, c, ball_of(high))) ||
        ball_upper(hyperbola_rise(h, c, ball_of(low))) <= 0)
        return ends;
    /* over all t > 0: (sqrt(c + h) - sqrt c)^2 = (h/(sqrt(c+h) + sqrt c))^2 */
    ball roots = ball_add(
        ball_sqrt(ball_add(ball_of(c), ball_of(h))), ball_sqrt(ball_of(c)));
    return ball_upper(ball_sqr(ball_div(ball_of(h), roots)));
}

/*
 * An upper bound of the objective on the part. With k <= K" there, K is below
 * its chord by at least k (t-t0) (t1-t) / 2, so that the objective is at most
 * k/2 + (h - c/t) / (1 + t),
 *     c = t0 t1 ((D1 - D0) / (t1 - t0) - k/2),
 *     h = slope - k (t0 + t1) / 2 - xi - k/2;
 * which falls with c and rises with h.
 */
static double parabola_bound(const search *s, const part *p)
{
    ball t0 = ball_of(p->low.t), t1 = ball_of(p->high.t);
    double half = curvature_lower(s, p) / 2;
    ball rate = ball_div(ball_sub(p->high.d, p->low.d), ball_sub(t1, t0));
    ball c = ball_mul(ball_mul(t0, t1), ball_sub_d(rate, half));
    ball bow = ball_mul_d(ball_add_d(ball_add(t0, t1), 1), half);
    ball h = ball_sub(ball_sub(chord_slope(p->low, p->high), bow), s->xi);
    double peak =
        hyperbola_most(ball_upper(h), ball_lower(c), p->low.t, p->high.t);
    return round_up(peak + half);
}

/* An upper bound of the objective beyond t, by the limit of the divergence. */
static double tail_bound(const search *s, double t)
{
    return ball_upper(objective(s, ball_of(t), s->curve->limit));
}

/* ---- Branching --------------------------------------------------------- */

/* Intervals whose bound is at most this are not divided. */
static double threshold(const search *s)
{
    return s->best_lower + s->best_lower * TARGET_WIDTH;
}

/* Bounds the interval between two nodes, part of one with a known bound, and
 * keeps it if it may contain the supremum. */
static void keep(search *s, round_parts *r, node low, node high, double bound)
{
    part p = {low, node_at(s, low.t / 2 + high.t / 2), high, 0};
    p.bound = fmin(parabola_bound(s, &p), bound);
    bool thin = !(low.t < p.middle.t && p.middle.t < high.t);
    if (r->n < MAX_PARTS && p.bound > threshold(s) && !thin && s->n_left > 0)
        r->parts[r->n++] = p;
    else
        s->settled = fmax(s->settled, p.bound);
}

/* The first intervals, from 0 to where the tail bound suffices, each twice as
 * long as the last. */
static void spread(search *s, round_parts *r)
{
    node low = node_at(s, 0);
    for (double t = 0x1p-10; t <= 0x1p80; t *= 2) {
        if (low.t > 0 && tail_bound(s, low.t) <= threshold(s))
            break;
        node high = node_at(s, t);
        keep(s, r, low, high, HUGE_VAL);
        low = high;
    }
    s->settled = fmax(s->settled, tail_bound(s, low.t));
}

static void halve(search *s, round_parts *r, const part *p)
{
    if (p->bound <= threshold(s)) {
        s->settled = fmax(s->settled, p->bound);
        return;
    }
    keep(s, r, p->low, p->middle, p->bound);
    keep(s, r, p->middle, p->high, p->bound);
}

dosi_status order_least_rho(
    dosi_interval *out, const order_curve *curve, ball xi, dosi_error *err)
{
    *out = iv_point(0);
    assert(curve->range >= ball_lower(curve->limit)); /* least loss <= 0 */
    if (ball_less_equal(curve->limit, xi))
        return DOSI_OK;
    round_parts rounds[2] = {{NULL, 0}, {NULL, 0}};
    rounds[0].parts = malloc(2 * MAX_PARTS * sizeof(part));
    if (rounds[0].parts == NULL)
        return dosi_fail_memory(err);
    rounds[1].parts = rounds[0].parts + MAX_PARTS;
    search s = {.curve = curve, .xi = xi, .n_left = curve->max_evaluations};
    round_parts *now = &rounds[0], *next = &rounds[1];
    spread(&s, now);
    while (now->n > 0) { /* ends: each round halves, drops or settles */
        next->n = 0;
        for (size_t i = 0; i < now->n; i++)
            halve(&s, next, &now->parts[i]);
        round_parts *swap = now;
        now = next;
        next = swap;
    }
    free(rounds[0].parts);
    *out = iv_make(s.best_lower, fmax(s.settled, s.best_lower));
    return DOSI_OK;
}
