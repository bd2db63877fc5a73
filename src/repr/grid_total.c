#include "grid_total.h"

#include <stdlib.h>
#include <string.h>

#include "num/fft.h"
#include "num/scaled.h"

#define U 0x1p-53

/* Numbers whose squares would underflow are taken as 0. */
#define FLUSH 0x1p-400

typedef struct maker {
    grid_total *out;
    const grid_working *w;
    double *re, *im;       /* n numbers each */
    double *up_re, *up_im; /* the products so far, n/2 + 1 numbers each */
    double *lo_re, *lo_im;
    fft_plan *plan;
    double count;          /* runs in all */
    double lost;   /* sum of count times the l2 error of a spectrum */
    double growth; /* log of what moduli above 1 amount to */
} maker;

/* ---- Tilting ----------------------------------------------------------- */

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

static middle middle_of(const double *mass, const grid_law *g, double tilt)
{
    double best = -HUGE_VAL;
    middle c = {(double)g->first, 0};
    for (size_t i = 0; i < g->n; i++) {
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
static double side_sum(
    const double *mass, const grid_law *g, double tilt, middle c)
{
    factor x = factor_start(tilt, (double)g->first - c.at, c.shift);
    dd sum = {0, 0};
    for (size_t i = 0; i < g->n; i++) {
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

static moments side_put(maker *m, double *into, const double *mass,
    const grid_law *g, middle c, double sum, bool up)
{
    const grid_working *w = m->w;
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

static bool side_load(maker *m, grid_side *side, double *into,
    const double *mass, const grid_law *g, double *square, bool up)
{
    memset(into, 0, m->w->n * sizeof *into);
    middle c = middle_of(mass, g, m->w->tilt);
    double sum = side_sum(mass, g, m->w->tilt, c);
    if (sum == 0 && !up)
        return true; /* nothing is known from below */
    if (!(sum > 0 && sum <= DBL_MAX))
        return false;
    moments s = side_put(m, into, mass, g, c, sum, up);
    /* mass e^(tilt i) = p S 2^-shift e^(tilt centre) */
    ball log_sum = ball_sub(ball_log(ball_of(sum)),
        ball_mul_d(ball_ln2(), c.shift));
    log_sum = ball_add(log_sum, ball_mul_d(ball_of(m->w->tilt), c.at));
    side->log_scale =
        ball_add(side->log_scale, ball_mul_d(log_sum, g->count));
    side->tail_hi += chernoff(g->count, s.hi, m->w->a_hi, c.at);
    side->tail_lo += chernoff(g->count, s.lo, -m->w->a_lo, c.at);
    *square += s.square;
    /* sums to n u; |spectrum| <= the sum of the masses */
    double most = s.sum * (1 + 2 * U * (double)m->w->n) - 1;
    if (most > 0)
        m->growth += 2 * g->count * most;
    return true;
}

/* ---- Powers ------------------------------------------------------------ */

#define BLOCK 128

/* z^k by squaring, from the leading bit: relative error below sqrt5 u k. */
static void block_power(double *re, double *im, size_t n, double k)
{
    double br[BLOCK], bi[BLOCK];
    memcpy(br, re, n * sizeof *re);
    memcpy(bi, im, n * sizeof *im);
    int64_t bits = (int64_t)k, bit = 1;
    while (bit <= bits / 2)
        bit *= 2;
    for (bit /= 2; bit > 0; bit /= 2) {
        for (size_t j = 0; j < n; j++) {
            double x = re[j] * re[j] - im[j] * im[j];
            double y = re[j] * im[j] + im[j] * re[j];
            double keep = x * x + y * y > FLUSH ? 1 : 0;
            re[j] = x * keep;
            im[j] = y * keep;
        }
        if ((bits & bit) == 0)
            continue;
        for (size_t j = 0; j < n; j++) {
            double x = re[j] * br[j] - im[j] * bi[j];
            double y = re[j] * bi[j] + im[j] * br[j];
            re[j] = x;
            im[j] = y;
        }
    }
}

static void block_multiply(
    double *re, double *im, const double *xr, const double *xi, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double x = re[j] * xr[j] - im[j] * xi[j];
        double y = re[j] * xi[j] + im[j] * xr[j];
        double keep = x * x + y * y > FLUSH ? 1 : 0;
        re[j] = x * keep;
        im[j] = y * keep;
    }
}

/* The spectra of both sides out of that of their sum p + i q: with
 * z = Z_j, c = conj(Z_(n-j)) they are (z + c)/2 and (z - c)/(2i). */
static double unpack(maker *m, size_t j0, size_t len, double *ur, double *ui,
    double *lr, double *li)
{
    size_t n = m->w->n;
    double most = 0;
    for (size_t j = 0; j < len; j++) {
        size_t a = j0 + j, b = (n - a) & (n - 1);
        double zr = m->re[a], zi = m->im[a], cr = m->re[b], ci = -m->im[b];
        ur[j] = (zr + cr) / 2;
        ui[j] = (zi + ci) / 2;
        lr[j] = (zi - ci) / 2;
        li[j] = (cr - zr) / 2;
        most = fmax(most, ur[j] * ur[j] + ui[j] * ui[j]);
        most = fmax(most, lr[j] * lr[j] + li[j] * li[j]);
    }
    return most;
}

static void law_multiply(maker *m, double count, bool is_first)
{
    double ur[BLOCK], ui[BLOCK], lr[BLOCK], li[BLOCK];
    size_t half = m->w->n / 2 + 1;
    double most = 0;
    for (size_t j = 0; j < half; j += BLOCK) {
        size_t len = half - j < BLOCK ? half - j : BLOCK;
        most = fmax(most, unpack(m, j, len, ur, ui, lr, li));
        block_power(ur, ui, len, count);
        block_power(lr, li, len, count);
        if (is_first) {
            memcpy(m->up_re + j, ur, len * sizeof *ur);
            memcpy(m->up_im + j, ui, len * sizeof *ui);
            memcpy(m->lo_re + j, lr, len * sizeof *lr);
            memcpy(m->lo_im + j, li, len * sizeof *li);
        } else {
            block_multiply(m->up_re + j, m->up_im + j, ur, ui, len);
            block_multiply(m->lo_re + j, m->lo_im + j, lr, li, len);
        }
    }
    most *= 1 + 0x1p-50;
    if (most > 1)
        m->growth += count * log(most);
}

static void pack(maker *m)
{
    size_t n = m->w->n;
    for (size_t j = 0; j <= n / 2; j++) {
        size_t b = (n - j) & (n - 1);
        double ur = m->up_re[j], ui = m->up_im[j];
        double lr = m->lo_re[j], li = m->lo_im[j];
        m->re[b] = ur + li; /* conj(u) + i conj(l) */
        m->im[b] = lr - ui;
        m->re[j] = ur - li; /* u + i l */
        m->im[j] = ui + lr;
    }
}

/* ---- All --------------------------------------------------------------- */

static dosi_status laws_put(maker *m, const grid_law *laws, size_t n_laws,
    work_limits *limits, dosi_error *err)
{
    grid_total *out = m->out;
    double g = fft_relative_error(m->w->n) + 4 * U;
    for (size_t i = 0; i < n_laws; i++) {
        const grid_law *one = &laws[i];
        double square = 0;
        if (!side_load(m, &out->up, m->re, one->up, one, &square, true) ||
            !side_load(m, &out->lo, m->im, one->lo, one, &square, false))
            return dosi_fail(
                err, DOSI_EUNABLE, "grid: a law left the range of doubles");
        fft_forward(m->plan, m->re, m->im);
        law_multiply(m, one->count, i == 0);
        m->count += one->count;
        m->lost += one->count * g * sqrt(square);
        if (work_stopped(limits))
            return dosi_fail(err, DOSI_EUNABLE, "grid: asked to stop");
    }
    return DOSI_OK;
}

/*
 * Bounds the error of the result in l2, both sides together. With spectra of
 * moduli <= rho, |prod z^^k - prod z^k| <= rho^K sum k_j |z^_j - z_j|; each
 * side's spectrum errs by g sqrt(n) (||p||^2 + ||q||^2)^(1/2), powers and
 * products by 2.25 u each relatively, numbers flushed by 2^-190.
 */
static double total_error(const maker *m)
{
    size_t n = m->w->n;
    double square = 0;
    for (size_t j = 0; j < n; j++)
        square += m->re[j] * m->re[j] + m->im[j] * m->im[j];
    double norm = sqrt(square) * (1 + 0x1p-30);
    double rho = exp(m->growth * 0.5 * (1 + 0x1p-30)) * (1 + 0x1p-30);
    double own = 1.4143 * rho * m->lost + 0x1p-150;
    double relative = fft_relative_error(n) + (2.3 * (m->count + 64) + 4) * U;
    /* e <= own (1 + relative) + relative ||y||, ||y|| <= norm + e */
    double e = (own * (1 + relative) + relative * norm) / (1 - relative);
    return e * (1 + 0x1p-20);
}

static double either_inf(const grid_law *laws, size_t n_laws, bool up)
{
    ball keep = ball_of(0);
    for (size_t i = 0; i < n_laws; i++) {
        double p = up ? laws[i].up_inf : laws[i].lo_inf;
        if (p >= 1)
            return 1;
        keep = ball_add(keep,
            ball_mul_d(ball_log1p(ball_of(-p)), laws[i].count));
    }
    ball any = ball_neg(ball_expm1(keep));
    return up ? fmax(ball_upper(any), 0) : fmax(ball_lower(any), 0);
}

static void finish(maker *m, const grid_law *laws, size_t n_laws)
{
    grid_total *out = m->out;
    const grid_working *w = m->w;
    double end = (double)w->first + (double)w->n;
    double start = (double)w->first - 1;
    grid_side *sides[2] = {&out->up, &out->lo};
    double error = total_error(m);
    for (int i = 0; i < 2; i++) {
        grid_side *s = sides[i];
        s->y = i == 0 ? m->re : m->im;
        s->error = error;
        s->inf = either_inf(laws, n_laws, i == 0);
        double hi = s->tail_hi - w->a_hi * end;
        double lo = s->tail_lo + w->a_lo * start;
        s->tail_hi = fmin(exp(hi + 1e-9 * fabs(w->a_hi * end)), 1) *
                     (1 + 0x1p-30);
        s->tail_lo = fmin(exp(lo + 1e-9 * fabs(w->a_lo * start)), 1) *
                     (1 + 0x1p-30);
    }
}

/* Laws that end within the window leave nothing outside. */
static void finish_support(maker *m, const grid_law *laws, size_t n_laws)
{
    double first = 0, last = 0;
    for (size_t i = 0; i < n_laws; i++) {
        double top = (double)laws[i].first + (double)(laws[i].n - 1);
        first += laws[i].count * (double)laws[i].first;
        last += laws[i].count * top;
    }
    double start = (double)m->w->first, end = start + (double)m->w->n;
    if (first >= start)
        m->out->up.tail_lo = m->out->lo.tail_lo = 0;
    if (last < end)
        m->out->up.tail_hi = m->out->lo.tail_hi = 0;
}

static void lattice_of(grid_total *out, const grid_law *laws, size_t n_laws)
{
    out->offset = ball_of(0);
    for (size_t i = 0; i < n_laws; i++) {
        out->offset = ball_add(
            out->offset, ball_mul_d(laws[i].offset, laws[i].count));
        out->slack = round_up(
            out->slack + round_up(laws[i].slack * laws[i].count));
    }
}

dosi_status grid_total_make(grid_total *out, const grid_law *laws,
    size_t n_laws, ball h, const grid_working *w, work_limits *limits,
    dosi_error *err)
{
    size_t n = w->n, half = n / 2 + 1;
    *out = (grid_total){
        .n = n, .first = w->first, .tilt = w->tilt, .h = h};
    out->up.log_scale = out->lo.log_scale = ball_of(0);
    maker m = {.out = out, .w = w};
    out->space = malloc((2 * n + 4 * half) * sizeof *out->space);
    if (out->space == NULL)
        return dosi_fail_memory(err);
    m.re = out->space;
    m.im = m.re + n;
    m.up_re = m.im + n;
    m.up_im = m.up_re + half;
    m.lo_re = m.up_im + half;
    m.lo_im = m.lo_re + half;
    dosi_status status = fft_plan_new(&m.plan, n, err);
    if (status == DOSI_OK)
        status = laws_put(&m, laws, n_laws, limits, err);
    if (status == DOSI_OK) {
        pack(&m);
        fft_inverse(m.plan, m.re, m.im);
        lattice_of(out, laws, n_laws);
        finish(&m, laws, n_laws);
        finish_support(&m, laws, n_laws);
    }
    fft_plan_free(m.plan);
    return status;
}

void grid_total_free(grid_total *total)
{
    free(total->space);
    total->space = NULL;
}
