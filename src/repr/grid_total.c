#include "grid_total.h"

#include <stdlib.h>
#include <string.h>

#include "num/fft.h"

#define U 0x1p-53

/* Numbers whose squares would underflow are taken as 0. */
#define FLUSH 0x1p-400

/* Two sequences that travel as one, re + i im, and the products of their
 * spectra so far: first and second, n/2 + 1 numbers each. */
typedef struct lane {
    double *re, *im; /* n numbers each */
    double *first_re, *first_im;
    double *second_re, *second_im; /* NULL: there is no second */
    double lost;   /* sum of count times the l2 error of a spectrum */
    double growth; /* log of what moduli above 1 amount to */
} lane;

typedef struct maker {
    grid_total *out;
    const grid_working *w;
    lane both, q; /* above and below; Q's masses from below */
    fft_plan *plan;
    double count; /* runs in all */
} maker;

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

/* The spectra of both sequences out of that of their sum p + i q: with
 * z = Z_j, c = conj(Z_(n-j)) they are (z + c)/2 and (z - c)/(2i). */
static double unpack(const lane *l, size_t n, size_t j0, size_t len,
    double *ur, double *ui, double *lr, double *li)
{
    double most = 0;
    for (size_t j = 0; j < len; j++) {
        size_t a = j0 + j, b = (n - a) & (n - 1);
        double zr = l->re[a], zi = l->im[a], cr = l->re[b], ci = -l->im[b];
        ur[j] = (zr + cr) / 2;
        ui[j] = (zi + ci) / 2;
        lr[j] = (zi - ci) / 2;
        li[j] = (cr - zr) / 2;
        most = fmax(most, ur[j] * ur[j] + ui[j] * ui[j]);
        most = fmax(most, lr[j] * lr[j] + li[j] * li[j]);
    }
    return most;
}

/* The spectrum raised to the count, times what there is. */
static void block_put(double *into_re, double *into_im, double *re,
    double *im, size_t n, double count, bool is_first)
{
    block_power(re, im, n, count);
    if (is_first) {
        memcpy(into_re, re, n * sizeof *re);
        memcpy(into_im, im, n * sizeof *im);
    } else {
        block_multiply(into_re, into_im, re, im, n);
    }
}

static void law_multiply(lane *l, size_t n, double count, bool is_first)
{
    double ur[BLOCK], ui[BLOCK], lr[BLOCK], li[BLOCK];
    size_t half = n / 2 + 1;
    double most = 0;
    for (size_t j = 0; j < half; j += BLOCK) {
        size_t len = half - j < BLOCK ? half - j : BLOCK;
        most = fmax(most, unpack(l, n, j, len, ur, ui, lr, li));
        block_put(l->first_re + j, l->first_im + j, ur, ui, len, count,
            is_first);
        if (l->second_re != NULL)
            block_put(l->second_re + j, l->second_im + j, lr, li, len,
                count, is_first);
    }
    most *= 1 + 0x1p-50;
    if (most > 1)
        l->growth += count * log(most);
}

static void pack(lane *l, size_t n)
{
    for (size_t j = 0; j <= n / 2; j++) {
        size_t b = (n - j) & (n - 1);
        double ur = l->first_re[j], ui = l->first_im[j], lr = 0, li = 0;
        if (l->second_re != NULL) {
            lr = l->second_re[j];
            li = l->second_im[j];
        }
        l->re[b] = ur + li; /* conj(u) + i conj(l) */
        l->im[b] = lr - ui;
        l->re[j] = ur - li; /* u + i l */
        l->im[j] = ui + lr;
    }
}

/* ---- Laws -------------------------------------------------------------- */

/* Of all runs of one law. */
static void side_add(
    grid_side *side, lane *l, const grid_tilted *one, double count)
{
    side->log_scale =
        ball_add(side->log_scale, ball_mul_d(one->log_scale, count));
    side->tail_hi += one->tail_hi;
    side->tail_lo += one->tail_lo;
    if (one->excess > 0) /* |spectrum| <= the sum of the masses */
        l->growth += 2 * count * one->excess;
}

static void lane_add(maker *m, lane *l, double square, double count)
{
    double g = fft_relative_error(m->w->n) + 4 * U;
    fft_forward(m->plan, l->re, l->im);
    law_multiply(l, m->w->n, count, m->count == 0);
    l->lost += count * g * sqrt(square);
}

static bool law_put(maker *m, const grid_law *g)
{
    grid_total *out = m->out;
    grid_tilted up, lo, q;
    if (!grid_tilt(&up, m->both.re, g, g->up, m->w, true) ||
        !grid_tilt(&lo, m->both.im, g, g->lo, m->w, false))
        return false;
    side_add(&out->up, &m->both, &up, g->count);
    side_add(&out->lo, &m->both, &lo, g->count);
    lane_add(m, &m->both, up.square + lo.square, g->count);
    if (m->q.re == NULL)
        return true;
    /* where nothing is known of P from below, Q does not matter */
    if (g->lo_q == NULL ||
        (!grid_tilt(&q, m->q.re, g, g->lo_q, m->w, true) && lo.square > 0))
        return false;
    memset(m->q.im, 0, m->w->n * sizeof *m->q.im);
    side_add(&out->lo_q, &m->q, &q, g->count);
    lane_add(m, &m->q, q.square, g->count);
    return true;
}

static dosi_status laws_put(maker *m, const grid_law *laws, size_t n_laws,
    work_limits *limits, dosi_error *err)
{
    for (size_t i = 0; i < n_laws; i++) {
        if (!law_put(m, &laws[i]))
            return dosi_fail(
                err, DOSI_EUNABLE, "grid: a law left the range of doubles");
        m->count += laws[i].count;
        if (work_spent(limits, GRID_LAW_OPERATIONS * (double)m->w->n))
            return dosi_fail(err, DOSI_EUNABLE, "grid: asked to stop");
    }
    return DOSI_OK;
}

/* ---- All --------------------------------------------------------------- */

/*
 * Bounds the error of the result in l2, both sequences together. With spectra
 * of moduli <= rho, |prod z^^k - prod z^k| <= rho^K sum k_j |z^_j - z_j|; each
 * spectrum errs by g sqrt(n) (||p||^2 + ||q||^2)^(1/2), powers and products
 * by 2.25 u each relatively, numbers flushed by 2^-190.
 */
static double lane_error(const maker *m, const lane *l)
{
    size_t n = m->w->n;
    double square = 0;
    for (size_t j = 0; j < n; j++)
        square += l->re[j] * l->re[j] + l->im[j] * l->im[j];
    double norm = sqrt(square) * (1 + 0x1p-30);
    double rho = exp(l->growth * 0.5 * (1 + 0x1p-30)) * (1 + 0x1p-30);
    double own = 1.4143 * rho * l->lost + 0x1p-150;
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

/* The tails outside the window, which end where the laws end. */
static void finish_tails(grid_side *s, const grid_working *w)
{
    double end = (double)w->first + (double)w->n;
    double start = (double)w->first - 1;
    double hi = s->tail_hi - w->a_hi * end;
    double lo = s->tail_lo + w->a_lo * start;
    s->tail_hi =
        fmin(exp(hi + 1e-9 * fabs(w->a_hi * end)), 1) * (1 + 0x1p-30);
    s->tail_lo =
        fmin(exp(lo + 1e-9 * fabs(w->a_lo * start)), 1) * (1 + 0x1p-30);
}

/* Both sequences back from their spectra. */
static double lane_finish(maker *m, lane *l)
{
    pack(l, m->w->n);
    fft_inverse(m->plan, l->re, l->im);
    return lane_error(m, l);
}

static void finish(maker *m, const grid_law *laws, size_t n_laws)
{
    grid_total *out = m->out;
    out->up.error = out->lo.error = lane_finish(m, &m->both);
    out->up.y = m->both.re;
    out->lo.y = m->both.im;
    out->up.inf = either_inf(laws, n_laws, true);
    out->lo.inf = either_inf(laws, n_laws, false);
    finish_tails(&out->up, m->w);
    finish_tails(&out->lo, m->w);
    if (m->q.re == NULL)
        return;
    out->lo_q.error = lane_finish(m, &m->q);
    out->lo_q.y = m->q.re;
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
    m->out->last = last;
    if (first >= start)
        m->out->up.tail_lo = m->out->lo.tail_lo = 0;
    if (last < end)
        m->out->up.tail_hi = m->out->lo.tail_hi = 0;
}

void grid_total_place(grid_total *out, const grid_law *laws, size_t n_laws)
{
    out->offset = ball_of(0);
    for (size_t i = 0; i < n_laws; i++) {
        out->offset = ball_add(
            out->offset, ball_mul_d(laws[i].offset, laws[i].count));
        out->slack = round_up(
            out->slack + round_up(laws[i].slack * laws[i].count));
    }
}

/* Room for n points: of both, and of Q. */
static bool make_room(maker *m, bool with_q)
{
    size_t n = m->w->n, half = n / 2 + 1;
    size_t all = 2 * n + 4 * half + (with_q ? 2 * n + 2 * half : 0);
    double *at = malloc(all * sizeof *at);
    m->out->space = at;
    if (at == NULL)
        return false;
    m->both.re = at;
    m->both.im = at + n;
    at += 2 * n;
    m->both.first_re = at;
    m->both.first_im = at + half;
    m->both.second_re = at + 2 * half;
    m->both.second_im = at + 3 * half;
    if (!with_q)
        return true;
    at += 4 * half;
    m->q.re = at;
    m->q.im = at + n;
    m->q.first_re = at + 2 * n;
    m->q.first_im = at + 2 * n + half;
    return true;
}

dosi_status grid_total_make(grid_total *out, const grid_law *laws,
    size_t n_laws, ball h, const grid_working *w, work_limits *limits,
    dosi_error *err)
{
    *out = (grid_total){
        .n = w->n, .first = w->first, .tilt = w->tilt, .h = h};
    out->up.log_scale = out->lo.log_scale = ball_of(0);
    out->lo_q.log_scale = ball_of(0);
    maker m = {.out = out, .w = w};
    if (!make_room(&m, laws[0].lo_q != NULL))
        return dosi_fail_memory(err);
    dosi_status status = fft_plan_new(&m.plan, w->n, err);
    if (status == DOSI_OK)
        status = laws_put(&m, laws, n_laws, limits, err);
    if (status == DOSI_OK) {
        grid_total_place(out, laws, n_laws);
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
