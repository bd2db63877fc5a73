#include "grid_tilt.h"

#include <limits.h>
#include <string.h>

#include "num/scaled.h"

#define U 0x1p-53
#define TINY 0x1p-1000

/* e^(tilt (i - centre)) for rising i, as a double-double and a power of two;
 * its error is far below that of one rounding. */
typedef struct factor {
    double tilt;
    double at;
    int step, every;
    dd ratio, f;
    int e;
    int shift; /* a further power of two */
} factor;

static factor factor_start(double tilt, double at, int shift)
{
    double every = fmin(256, 200 / fmax(fabs(tilt), 1e-3));
    ball r = ball_exp(ball_of(tilt));
    return (factor){.tilt = tilt,
        .at = at,
        .every = (int)fmax(every, 1),
        .ratio = {r.hi, r.lo},
        .shift = shift};
}

static void factor_next(factor *x)
{
    if (x->step == 0 || x->every == 1) {
        scaled s = scaled_exp(ball_mul_d(ball_of(x->tilt), x->at));
        x->f = (dd){s.m.hi, s.m.lo};
        x->e = (int)fmax(fmin((double)s.e, 1e6), -1e6);
    } else {
        x->f = dd_mul(x->f, x->ratio);
    }
    x->step = (x->step + 1) % x->every;
    x->at += 1;
}

/* mass e^(...) 2^shift rounded to nearest; no product before the last step
 * underflows, since the factor is at least 2^-300. */
static double tilted(const factor *x, double mass)
{
    return ldexp(dd_mul_d(x->f, mass * 0x1p600).hi, x->e + x->shift - 600);
}

/* Where most of the tilted mass of one side is: the tilt is taken from
 * there, and times a power of two the mass there is about 1. */
typedef struct middle {
    double at;
    int shift;
} middle;

static middle middle_of(
    const double *mass, const grid_law *g, size_t n, double tilt)
{
    double best = -HUGE_VAL;
    middle c = {(double)g->first, 0};
    for (size_t i = 0; i < n; i++) {
        double j = (double)g->first + (double)i;
        double v = mass[i] > 0 ? log(mass[i]) + tilt * j : -HUGE_VAL;
        if (v > best && v <= DBL_MAX) {
            best = v;
            c = (middle){j, -ilogb(mass[i])};
        }
    }
    return c;
}

/* The tilted masses of one side are divided by S, which makes their sum at
 * most 1: the sum in double-double is within 2^-50 of the exact one. */
static double side_sum(const double *mass, const grid_law *g, size_t from,
    size_t to, double tilt, middle c)
{
    factor x = factor_start(
        tilt, (double)g->first + (double)from - c.at, c.shift);
    dd sum = {0, 0};
    for (size_t i = from; i < to; i++) {
        factor_next(&x);
        dd s = dd_two_sum(sum.hi, tilted(&x, mass[i]));
        sum = dd_fast_two_sum(s.hi, s.lo + sum.lo);
    }
    return sum.hi * (1 + 0x1p-44);
}

typedef struct moments {
    double lo, hi; /* sums of p e^(-a_lo i), p e^(a_hi i), rounded up */
    double square; /* sum of p^2 */
    double sum;    /* of p */
} moments;

static moments side_put(double *into, const double *mass, const grid_law *g,
    const grid_working *w, middle c, double sum, bool up)
{
    factor x = factor_start(w->tilt, (double)g->first - c.at, c.shift);
    moments out = {0, 0, 0, 0};
    size_t mask = w->n - 1;
    for (size_t i = 0; i < g->n; i++) {
        factor_next(&x);
        if (mass[i] == 0)
            continue;
        /* two roundings, two steps */
        double p = tilted(&x, mass[i]) / sum;
        p = up ? round_steps(p, 2) : fmax(round_steps(p, -2), 0);
        if (p == 0)
            continue;
        size_t j = (size_t)(uint64_t)(g->first + (int64_t)i) & mask;
        into[j] = up ? round_up(into[j] + p)
                     : fmax(into[j], round_down(into[j] + p));
        double d = (double)g->first + (double)i - c.at;
        out.hi += p * exp(w->a_hi * d);
        out.lo += p * exp(-w->a_lo * d);
    }
    for (size_t j = 0; j < w->n; j++) {
        out.square += into[j] * into[j];
        out.sum += into[j];
    }
    /* each exponential is good to 2^-40, sums to n u, n < 2^40 */
    double slop = 1 + 0x1p-38 + 2 * U * (double)(g->n + w->n);
    out.hi *= slop;
    out.lo *= slop;
    out.square *= slop;
    return out;
}

/* log of an upper bound for the tilted mass beyond the window, by Chernoff,
 * so far: summed over laws, with an allowance for rounding. */
static double chernoff(double count, double moment, double a, double centre)
{
    double log_moment = log(moment);
    double x = count * log_moment, y = a * count * centre;
    return x + y + 1e-9 * (fabs(x) + fabs(y)) + 1e-6;
}

bool grid_tilt(grid_tilted *out, double *into, const grid_law *g,
    const double *mass, const grid_working *w, bool up)
{
    *out = (grid_tilted){.log_scale = ball_of(0)};
    memset(into, 0, w->n * sizeof *into);
    middle c = middle_of(mass, g, g->n, w->tilt);
    double sum = side_sum(mass, g, 0, g->n, w->tilt, c);
    if (sum == 0 && !up)
        return true; /* nothing is known from below */
    if (!(sum > 0 && sum <= DBL_MAX))
        return false;
    moments s = side_put(into, mass, g, w, c, sum, up);
    /* mass e^(tilt i) = p S 2^-shift e^(tilt centre) */
    ball log_sum = ball_sub(
        ball_log(ball_of(sum)), ball_mul_d(ball_ln2(), c.shift));
    out->log_scale =
        ball_add(log_sum, ball_mul_d(ball_of(w->tilt), c.at));
    out->tail_hi = chernoff(g->count, s.hi, w->a_hi, c.at);
    out->tail_lo = chernoff(g->count, s.lo, -w->a_lo, c.at);
    out->square = s.square;
    /* sums to n u */
    out->excess = s.sum * (1 + 2 * U * (double)w->n) - 1;
    return true;
}

/* ---- Cut in two -------------------------------------------------------- */

/* How many of the law's points lie up to an index. */
static size_t points_to(const grid_law *g, int64_t index)
{
    int64_t n = index - g->first + 1;
    return n <= 0 ? 0 : (uint64_t)n < g->n ? (size_t)n : g->n;
}

int grid_tilt_share(const grid_law *g, const double *mass, double tilt,
    const grid_cut *cut)
{
    size_t from = points_to(g, cut->a), to = points_to(g, cut->b);
    middle c = middle_of(mass, g, to, tilt);
    double sum = side_sum(mass, g, 0, to, tilt, c);
    /* about where most of it is: it may be far below all */
    double beyond = 0;
    middle d = {0, 0};
    if (from < to) {
        grid_law rest = *g;
        rest.first += (int64_t)from;
        d = middle_of(mass + from, &rest, to - from, tilt);
        beyond = side_sum(mass, g, from, to, tilt, d);
    }
    if (!(beyond > 0 && sum > 0 && sum <= DBL_MAX))
        return INT_MIN;
    double apart = tilt * (d.at - c.at) / 0.69314718055994530942;
    double share = apart + ilogb(beyond) - d.shift - ilogb(sum) + c.shift;
    return (int)fmax(fmin(ceil(share) + 1, 0), -1000);
}

/* Adds to a wrapped sequence. */
static void wrapped_add(double *at, double p, bool up)
{
    *at = up ? round_up(*at + p) : fmax(*at, round_down(*at + p));
}

static void cut_put(grid_tilted_cut *out, double *s, double *w,
    const grid_law *g, const double *mass, const grid_working *working,
    const grid_cut *cut, middle c, double sum, int scale, bool up)
{
    factor x = factor_start(working->tilt, (double)g->first - c.at, c.shift);
    size_t mask = working->n - 1, to = points_to(g, cut->b);
    for (size_t i = 0; i < to; i++) {
        int64_t index = g->first + (int64_t)i;
        bool beyond = index > cut->a;
        factor_next(&x);
        if (mass[i] == 0)
            continue;
        x.shift = c.shift + (beyond ? scale : 0);
        /* two roundings, two steps */
        double p = tilted(&x, mass[i]) / sum;
        p = up ? round_steps(p, 2) : fmax(round_steps(p, -2), 0);
        if (p == 0)
            continue;
        wrapped_add(&(beyond ? w : s)[(size_t)(uint64_t)index & mask], p, up);
        double d = (double)index - c.at;
        /* a factor may underflow where there is nothing else */
        *(beyond ? &out->w_hi : &out->s_hi) +=
            p * exp(working->a_hi * d) + TINY;
        *(beyond ? &out->w_lo : &out->s_lo) +=
            p * exp(-working->a_lo * d) + TINY;
    }
}

bool grid_tilt_cut(grid_tilted_cut *out, double *s, double *w,
    const grid_law *g, const double *mass, const grid_working *working,
    const grid_cut *cut, int scale, bool up)
{
    *out = (grid_tilted_cut){.log_scale = ball_of(0)};
    memset(s, 0, working->n * sizeof *s);
    memset(w, 0, working->n * sizeof *w);
    size_t to = points_to(g, cut->b);
    middle c = middle_of(mass, g, to, working->tilt);
    double sum = side_sum(mass, g, 0, to, working->tilt, c);
    if (sum == 0)
        return true;
    if (!(sum > 0 && sum <= DBL_MAX))
        return false;
    cut_put(out, s, w, g, mass, working, cut, c, sum, scale, up);
    ball log_sum = ball_sub(
        ball_log(ball_of(sum)), ball_mul_d(ball_ln2(), c.shift));
    out->log_scale =
        ball_add(log_sum, ball_mul_d(ball_of(working->tilt), c.at));
    out->centre = c.at;
    double s_sum = 0;
    for (size_t j = 0; j < working->n; j++) {
        out->square += s[j] * s[j] + w[j] * w[j];
        s_sum += s[j];
        out->most += w[j];
    }
    /* each exponential is good to 2^-40, sums to n u, n < 2^40 */
    double slop =
        1 + 0x1p-38 + 2 * U * (double)(g->n + working->n);
    out->s_lo *= slop;
    out->s_hi *= slop;
    out->w_lo *= slop;
    out->w_hi *= slop;
    out->square *= slop;
    out->most *= slop;
    out->excess = (s_sum + ldexp(out->most, -scale)) *
                      (1 + 2 * U * (double)working->n) -
                  1;
    return true;
}
