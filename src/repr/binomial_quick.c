/*
 * Up from the start, then down. Either way the weights are multiplied by
 *
 *     up    odds (n - k)/(k + 1) e^(lift - bend (k + 1/2)),
 *     down  k/(n - k + 1) / odds e^(-lift + bend (k - 1/2)),
 *
 * of which the exponential changes by e^-bend with each step.
 */
#include "binomial_quick.h"

/* u^2, what is left out relative to the sum, and ratios beyond which no
 * geometric series is charged. */
#define UU 0x1p-106
#define ENOUGH 0x1p-50
#define LARGEST_RATIO (1 - 0x1p-20)

/* Weights relative to the start, and tilts, stay within this, so that their
 * low parts do not underflow. */
#define FAR 0x1p800

typedef struct quick_walk {
    const quick_mix *q;
    double shift; /* log of the unit of the terms */
    dd sum;
    double rad;
    double moment;
    size_t n_terms;
} quick_walk;

/* A weight with a bound of its relative error, and that of the next tilt. */
typedef struct quick_weight {
    dd w;
    dd tilt;
    dd bend;
    double error;
    double tilt_error;
    double bend_error;
} quick_weight;

static double relative_error(ball x)
{
    return x.rad / fabs(x.hi) * BALL_SLACK + 8 * UU;
}

/* Tilts of the first steps from k, up and down: e^(lift - bend (k + 1/2)),
 * and e^-bend over that. */
static void weights_at(
    quick_weight *up, quick_weight *down, const binomial_mix *mix, double k)
{
    *up = (quick_weight){.w = {1, 0}, .tilt = {1, 0}, .bend = {1, 0}};
    *down = *up;
    if (ball_is_zero(mix->lift) && ball_is_zero(mix->bend))
        return;
    ball bend = ball_exp(ball_neg(mix->bend));
    ball rise = ball_exp(ball_sub(mix->lift, ball_mul_d(mix->bend, k + 0.5)));
    ball fall = ball_div(bend, rise);
    up->bend = down->bend = ball_dd(bend);
    up->bend_error = down->bend_error = relative_error(bend);
    up->tilt = ball_dd(rise);
    up->tilt_error = relative_error(rise);
    down->tilt = ball_dd(fall);
    down->tilt_error = relative_error(fall);
}

/* Times ratio = odds a/b and the tilt. Products are off by 5 u^2, the
 * quotient by 15 u^2. */
static inline void weight_step(quick_weight *s, dd ratio, double odds_error)
{
    s->w = dd_mul(s->w, ratio);
    s->error += odds_error + 32 * UU;
    if (s->tilt_error > 0) {
        s->w = dd_mul(s->w, s->tilt);
        s->error += s->tilt_error + 8 * UU;
        s->tilt = dd_mul(s->tilt, s->bend);
        s->tilt_error += s->bend_error;
    }
}

static inline dd over(dd odds, double a, double b)
{
    return dd_div(dd_mul_d(odds, a), (dd){b, 0});
}

/* w t, added to the sum. */
static inline dball add_term(
    quick_walk *s, const quick_weight *w, double k, dball t)
{
    double mid = w->w.hi * t.mid;
    double relative = 2 * DBALL_UNIT + w->error * 1.01;
    dball p = {
        mid, (w->w.hi * t.rad * (1 + relative) + mid * relative) * DBALL_SLACK +
                 DBALL_TINY};
    dd sum = dd_two_sum(s->sum.hi, mid);
    s->sum = (dd){sum.hi, s->sum.lo + sum.lo};
    s->rad += p.rad;
    s->moment += mid * (k - s->q->start);
    return p;
}

/* Whether most r/(1 - r) may be charged: it is at least what is left, when
 * the last term is at most most and later ratios are at most r. */
static inline bool rest_is_small(quick_walk *s, double most, double r)
{
    if (!(r < LARGEST_RATIO))
        return false;
    double rest = most * r / (1 - r) * 1.001;
    if (!(rest <= s->sum.hi * ENOUGH))
        return false;
    s->rad += rest;
    return true;
}

/* The same for a log-concave sequence, whose last terms are p, then q. */
static inline bool series_is_small(quick_walk *s, dball p, dball q)
{
    double least = p.mid - p.rad, most = q.mid + q.rad;
    if (!(most * most <= s->sum.hi * ENOUGH * least)) /* most r is too much */
        return false;
    return least > 0 && rest_is_small(s, most, most / least * 1.001);
}

static inline bool in_range(quick_walk *s, const quick_weight *w, dball t)
{
    return s->n_terms-- > 0 && w->w.hi > 1 / FAR && w->w.hi < FAR &&
           w->tilt.hi > 1 / FAR && w->tilt.hi < FAR && w->error < 0x1p-50 &&
           dball_is_known(t);
}

/* The term above the start is left in *above. */
DD_FUSED static bool walk_up(
    quick_walk *s, quick_weight w, dball p, dball *above)
{
    const quick_mix *q = s->q;
    const binomial_mix *mix = q->mix;
    double odds_error = relative_error(mix->coin.odds), k = q->start;
    double unit = exp(-s->shift) * 1.001; /* >= 1 in the unit of terms */
    for (; k < mix->n; k++) {
        dd ratio = over(ball_dd(mix->coin.odds), mix->n - k, k + 1);
        double r = ratio.hi * w.tilt.hi * 1.001;
        if (!q->is_concave && rest_is_small(s, w.w.hi * 1.001 * unit, r))
            return true;
        weight_step(&w, ratio, odds_error);
        dball t = dscaled_at(q->term(k + 1, q->context), s->shift);
        if (!in_range(s, &w, t))
            return false;
        dball next = add_term(s, &w, k + 1, t);
        if (k == q->start)
            *above = next;
        if (q->is_concave && series_is_small(s, p, next))
            return true;
        p = next;
    }
    return true;
}

DD_FUSED static bool walk_down(quick_walk *s, quick_weight w, dball p)
{
    const quick_mix *q = s->q;
    const binomial_mix *mix = q->mix;
    double odds_error = relative_error(mix->coin.inverse_odds), k = q->start;
    for (; k > q->first; k--) {
        dd ratio = over(ball_dd(mix->coin.inverse_odds), k, mix->n - k + 1);
        /* terms fall with k */
        double r = ratio.hi * w.tilt.hi * 1.001;
        if (rest_is_small(s, p.mid + p.rad, r))
            return true;
        weight_step(&w, ratio, odds_error);
        dball t = dscaled_at(q->term(k - 1, q->context), s->shift);
        if (!in_range(s, &w, t))
            return false;
        dball next = add_term(s, &w, k - 1, t);
        if (q->is_concave && series_is_small(s, p, next))
            return true;
        p = next;
    }
    return true;
}

/* Odds are far from where products of double-doubles underflow. */
static bool is_usable(const quick_mix *q)
{
    const ball_coin *c = &q->mix->coin;
    return c->odds.hi > 0x1p-400 && c->odds.hi < 0x1p400 &&
           c->inverse_odds.hi > 0x1p-400 && c->inverse_odds.hi < 0x1p400 &&
           !ball_is_unknown(q->mix->lift) && !ball_is_unknown(q->mix->bend);
}

scaled quick_mix_sum(const quick_mix *q, double *mean_approx)
{
    const scaled unknown = {{0, 0, HUGE_VAL}, 0};
    if (!is_usable(q))
        return unknown;
    dscaled t = q->term(q->start, q->context);
    quick_walk s = {.q = q, .shift = t.log.hi, .n_terms = BINOMIAL_MIX_TERMS};
    quick_weight up, down;
    weights_at(&up, &down, q->mix, q->start);
    dball p = add_term(&s, &up, q->start, dscaled_at(t, s.shift));
    dball above = {0, 0};
    if (!(p.mid > 0) || !walk_up(&s, up, p, &above))
        return unknown;
    bool is_done = q->is_concave && series_is_small(&s, above, p);
    if (!is_done && !walk_down(&s, down, p))
        return unknown;
    /* over 2^20 terms the low parts are off by 2^40 u^2 of the sum, and the
     * radii by 2^20 u of theirs */
    double size = s.sum.hi, rad = (s.rad + size * 0x1p-60) * (1 + 0x1p-30);
    if (mean_approx != NULL)
        *mean_approx = q->start + s.moment / size;
    if (!(rad <= size * QUICK_WIDEST_SUM))
        return unknown;
    ball sum = ball_from(dd_two_sum(s.sum.hi, s.sum.lo), rad);
    return scaled_mul_ball(
        binomial_mix_weight(q->mix, q->start, ball_of(s.shift)), sum);
}

bool quick_mix_is_narrow(scaled probability)
{
    ball x = scaled_ball(probability);
    if (x.hi < 0.5) /* maybe far below the range */
        return probability.m.rad <= probability.m.hi * QUICK_WIDEST_SUM;
    return x.rad <= (1 - x.hi) * QUICK_WIDEST_SUM;
}
