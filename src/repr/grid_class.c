#include "grid_class.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "grid_powers.h"
#include "num/fft.h"

#define U 0x1p-53

#define TINY 0x1p-1000

/* log of the unit of a side without any mass. */
#define NOTHING (-1e6)

typedef struct maker {
    grid_total *out;
    const grid_law *laws;
    const grid_cut *cuts;
    size_t n_laws;
    const grid_working *w;
    fft_plan *plan;
    double *re, *im;  /* n numbers each */
    grid_spectra all; /* n/2 + 1 numbers each */
    /* of the side at hand */
    int scale;     /* w is multiplied by 2^scale */
    double omega;  /* 2^-scale */
    double count;  /* runs so far */
    double lost;   /* sum of count times the l2 error of spectra */
    double growth; /* log of what moduli above 1 amount to */
    double most;   /* >= all sums and moduli of w */
} maker;

/* ---- Spectra ----------------------------------------------------------- */

/* The spectra of s and w out of that of s + i w: with z = Z_j,
 * c = conj(Z_(n-j)) they are (z + c)/2 and (z - c)/(2i). */
static void unpack(
    maker *m, grid_powers *p, size_t at, size_t len, double *most)
{
    size_t n = m->w->n;
    for (size_t j = 0; j < len; j++) {
        size_t a = at + j, b = (n - a) & (n - 1);
        double zr = m->re[a], zi = m->im[a], cr = m->re[b], ci = -m->im[b];
        double sr = (zr + cr) / 2, si = (zi + ci) / 2;
        double wr = (zi - ci) / 2, wi = (cr - zr) / 2;
        double s = sqrt(sr * sr + si * si), w = sqrt(wr * wr + wi * wi);
        p->s.re[j] = sr;
        p->s.im[j] = si;
        p->s.most[j] = s;
        p->w.re[j] = wr;
        p->w.im[j] = wi;
        p->w.most[j] = w;
        p->a.re[j] = sr + m->omega * wr;
        p->a.im[j] = si + m->omega * wi;
        p->a.most[j] = s + m->omega * w;
        *most = fmax(*most, p->a.most[j]);
        m->most = fmax(m->most, w * (1 + 0x1p-50));
    }
}

/* The transformed law, raised to its count, times what there is. */
static void law_multiply(maker *m, grid_powers *p, double count)
{
    size_t half = m->w->n / 2 + 1;
    double most = 0;
    for (size_t j = 0; j < half; j += GRID_BLOCK) {
        size_t len = half - j < GRID_BLOCK ? half - j : GRID_BLOCK;
        unpack(m, p, j, len, &most);
        grid_powers_raise(p, len, count, m->omega);
        if (m->count > 0)
            grid_powers_multiply(p, &m->all, j, len, m->omega);
        memcpy(m->all.b_re + j, p->b.re, len * sizeof(double));
        memcpy(m->all.b_im + j, p->b.im, len * sizeof(double));
        memcpy(m->all.b_most + j, p->b.most, len * sizeof(double));
        memcpy(m->all.d_re + j, p->d.re, len * sizeof(double));
        memcpy(m->all.d_im + j, p->d.im, len * sizeof(double));
        memcpy(m->all.d_most + j, p->d.most, len * sizeof(double));
    }
    most *= 1 + 0x1p-50;
    if (most > 1)
        m->growth += count * log(most);
}

/* ---- Tails ------------------------------------------------------------- */

/* Of one order: logs of prod s^k and prod (s + omega w)^k in moments, and that
 * of their ratio, which keeps its digits; with the moduli of all that was
 * added. */
typedef struct tail_sum {
    double below, all, ratio, size;
} tail_sum;

/* omega w, but not less than what is certainly no underflow. */
static double beyond(const maker *m, double w)
{
    return w > 0 ? fmax(m->omega * w, TINY) : 0;
}

static void tail_add(
    tail_sum *t, double count, double s, double w, double a, double centre)
{
    double shift = a * count * centre;
    double below = count * log(s), all = count * log(s + w);
    t->below += below + shift;
    t->all += all + shift;
    if (w > 0) /* s = 0: infinite */
        t->ratio += count * log1p(fmax(w / s, TINY));
    t->size += fabs(all) + (s > 0 ? fabs(below) : 0) + fabs(shift);
}

/* Tilted mass beyond an index, at most: e^(-a index) times what the moments
 * allow. (1 + 1e-6) is far above what rounds away here. */
static double tail_end(const tail_sum *t, double a, double index, double omega)
{
    double log_all = t->all;
    if (t->ratio < 1)
        log_all = t->below + log(expm1(t->ratio));
    double moved = a * index;
    double v = log_all - moved - log(omega) +
               1e-9 * (t->size + fabs(moved) + fabs(log(omega))) + 1e-6;
    return isnan(v) ? HUGE_VAL : exp(v) * (1 + 0x1p-30);
}

/* Where the class has any mass: one run goes beyond a, none beyond b. */
static void support(double *first, double *last, const maker *m)
{
    double least = 0, most = 0, jump = HUGE_VAL;
    for (size_t i = 0; i < m->n_laws; i++) {
        const grid_law *g = &m->laws[i];
        double from = (double)g->first;
        double top = from + (double)(g->n - 1);
        double a = fmax((double)m->cuts[i].a, from - 1);
        double b = fmin((double)m->cuts[i].b, top);
        least += g->count * from;
        most += g->count * b;
        if (a < b)
            jump = fmin(jump, a + 1 - from);
    }
    *first = least + (jump < HUGE_VAL ? jump : 0);
    *last = most;
}

static void side_tails(
    grid_side *side, const maker *m, const tail_sum *lo, const tail_sum *hi)
{
    double first, last;
    double start = (double)m->w->first, end = start + (double)m->w->n;
    support(&first, &last, m);
    side->tail_lo =
        first >= start ? 0 : tail_end(lo, -m->w->a_lo, start - 1, m->omega);
    side->tail_hi = last < end ? 0 : tail_end(hi, m->w->a_hi, end, m->omega);
}

/* ---- One side ---------------------------------------------------------- */

/* d (and i 0) from its half spectrum. */
static void extend(maker *m)
{
    size_t n = m->w->n;
    for (size_t j = 0; j <= n / 2; j++) {
        size_t b = (n - j) & (n - 1);
        m->re[b] = m->all.d_re[j];
        m->im[b] = -m->all.d_im[j];
        m->re[j] = m->all.d_re[j];
        m->im[j] = m->all.d_im[j];
    }
}

/*
 * Bounds the error of the result in l2. With moduli |s| + omega |w| <= rho,
 *
 *     |d^ - d| <= rho^K sum k_j (|w^_j - w_j| + D |s^_j - s_j|),
 *
 * D = min(K max |w|, 1/omega); what was rounded on the way is at most
 * 4.3 u (K + 64) of d_most, and what was flushed 2^-150 (1 + D).
 */
static double side_error(const maker *m)
{
    size_t n = m->w->n;
    double square = 0, rounded = 0;
    for (size_t j = 0; j < n; j++)
        square += m->re[j] * m->re[j] + m->im[j] * m->im[j];
    for (size_t j = 0; j <= n / 2; j++)
        rounded += 2 * m->all.d_most[j] * m->all.d_most[j];
    double g = fft_relative_error(n);
    double rho = exp(m->growth * (1 + 0x1p-30)) * (1 + 0x1p-30);
    double steep = fmin(m->count * m->most, 1 / m->omega);
    double own = rho * sqrt(1 + steep * steep) * (m->lost + 0x1p-150);
    double raised = 4.3 * (m->count + 64) * U * sqrt(rounded / (double)n);
    double back = g * sqrt(square) / (1 - g);
    return (own + raised + back) * (1 + 0x1p-20);
}

/* The greatest scale for which no law's w sums to more than about 1. */
static int scale_of(const maker *m, const double *const *masses)
{
    int most = INT_MIN;
    for (size_t i = 0; i < m->n_laws; i++) {
        int share =
            grid_tilt_share(&m->laws[i], masses[i], m->w->tilt, &m->cuts[i]);
        most = share > most ? share : most;
    }
    return most == INT_MIN ? INT_MIN : -most;
}

static dosi_status side_laws(maker *m, grid_side *side, tail_sum *lo,
    tail_sum *hi, const double *const *masses, bool up, work_limits *limits,
    dosi_error *err)
{
    grid_powers p;
    double g = fft_relative_error(m->w->n) + 4 * U;
    for (size_t i = 0; i < m->n_laws; i++) {
        const grid_law *one = &m->laws[i];
        grid_tilted_cut t;
        if (!grid_tilt_cut(&t, m->re, m->im, one, masses[i], m->w, &m->cuts[i],
                m->scale, up))
            return dosi_fail(
                err, DOSI_EUNABLE, "grid: a law left the range of doubles");
        side->log_scale =
            ball_add(side->log_scale, ball_mul_d(t.log_scale, one->count));
        tail_add(
            lo, one->count, t.s_lo, beyond(m, t.w_lo), -m->w->a_lo, t.centre);
        tail_add(
            hi, one->count, t.s_hi, beyond(m, t.w_hi), m->w->a_hi, t.centre);
        if (t.excess > 0) /* |s| + omega |w| <= the sum of the masses */
            m->growth += one->count * t.excess;
        m->most = fmax(m->most, t.most);
        fft_forward(m->plan, m->re, m->im);
        law_multiply(m, &p, one->count);
        m->lost += one->count * g * sqrt(t.square);
        m->count += one->count;
        if (work_spent(limits, GRID_LAW_OPERATIONS * (double)m->w->n))
            return dosi_fail(err, DOSI_EUNABLE, "grid: asked to stop");
    }
    return DOSI_OK;
}

/* One side of the class into y, which holds n numbers. */
static dosi_status side_make(maker *m, grid_side *side, double *y,
    const double *const *masses, bool up, work_limits *limits, dosi_error *err)
{
    *side = (grid_side){.y = y, .log_scale = ball_of(0)};
    m->re = y;
    m->scale = scale_of(m, masses);
    if (m->scale == INT_MIN) { /* no law has anything beyond a */
        memset(y, 0, m->w->n * sizeof *y);
        side->log_scale = ball_of(NOTHING);
        return DOSI_OK;
    }
    m->omega = ldexp(1, -m->scale);
    m->count = m->lost = m->growth = m->most = 0;
    tail_sum lo = {0, 0, 0, 0}, hi = {0, 0, 0, 0};
    dosi_status status = side_laws(m, side, &lo, &hi, masses, up, limits, err);
    if (status != DOSI_OK)
        return status;
    extend(m);
    fft_inverse(m->plan, m->re, m->im);
    side->error = side_error(m);
    side->log_scale =
        ball_sub(side->log_scale, ball_mul_d(ball_ln2(), m->scale));
    side_tails(side, m, &lo, &hi);
    return DOSI_OK;
}

/* ---- All --------------------------------------------------------------- */

static bool make_room(maker *m, double **space, bool with_q)
{
    size_t n = m->w->n, half = n / 2 + 1;
    m->out->space = malloc((with_q ? 3 : 2) * n * sizeof(double));
    *space = malloc((n + 6 * half) * sizeof(double));
    if (m->out->space == NULL || *space == NULL)
        return false;
    double *at = *space;
    m->im = at;
    at += n;
    m->all = (grid_spectra){at, at + half, at + 2 * half, at + 3 * half,
        at + 4 * half, at + 5 * half};
    return true;
}

static dosi_status sides_make(
    maker *m, const double **masses, work_limits *limits, dosi_error *err)
{
    grid_total *out = m->out;
    size_t n = m->w->n;
    for (size_t i = 0; i < m->n_laws; i++)
        masses[i] = m->laws[i].up;
    dosi_status status =
        side_make(m, &out->up, out->space, masses, true, limits, err);
    for (size_t i = 0; i < m->n_laws; i++)
        masses[i] = m->laws[i].lo;
    if (status == DOSI_OK)
        status =
            side_make(m, &out->lo, out->space + n, masses, false, limits, err);
    if (status != DOSI_OK || m->laws[0].lo_q == NULL)
        return status;
    for (size_t i = 0; i < m->n_laws; i++)
        masses[i] = m->laws[i].lo_q;
    return side_make(
        m, &out->lo_q, out->space + 2 * n, masses, true, limits, err);
}

dosi_status grid_class_make(grid_total *out, const grid_law *laws,
    const grid_cut *cuts, size_t n_laws, ball h, const grid_working *w,
    work_limits *limits, dosi_error *err)
{
    *out = (grid_total){.n = w->n, .first = w->first, .tilt = w->tilt, .h = h};
    maker m = {
        .out = out, .laws = laws, .cuts = cuts, .n_laws = n_laws, .w = w};
    double *space = NULL;
    const double **masses = calloc(n_laws, sizeof *masses);
    dosi_status status = DOSI_OK;
    if (masses == NULL || !make_room(&m, &space, laws[0].lo_q != NULL))
        status = dosi_fail_memory(err);
    if (status == DOSI_OK)
        status = fft_plan_new(&m.plan, w->n, err);
    if (status == DOSI_OK)
        status = sides_make(&m, masses, limits, err);
    grid_total_place(out, laws, n_laws);
    fft_plan_free(m.plan);
    free(masses);
    free(space);
    return status;
}
