#include "fft.h"

#include <stdlib.h>
#include <string.h>

#include "trig.h"

/* Rotations by 2 pi j/n come as products of a coarse and a fine one. */
#define FINE 256

struct fft_plan {
    size_t n;
    double *table; /* by stages, six numbers a butterfly */
    double *re, *im; /* working space */
};

/* ---- Tables ------------------------------------------------------------ */

/* Butterflies of one stage on sequences of length n. */
static size_t stage_size(size_t n)
{
    return n / 4;
}

/* -2 pi j/n. */
static ball angle(double j, double n)
{
    return ball_mul_d(ball_scale2(ball_pi(), 1), -j / n); /* n = 2^k: exact */
}

/*
 * The first quarter: e^{-2 pi i j/n} to within 2^-53 / sqrt 2 (1 + 2^-30).
 * The double-double has a radius below 2^-90, and its leading parts are the
 * nearest doubles to it, so that each errs by at most 2^-54, being at most 1
 * in size. The second octant is the first one mirrored.
 */
static void quarter_fill(double *re, double *im, size_t n)
{
    disc fine[FINE];
    size_t eighth = n / 8, quarter = n / 4;
    for (size_t j = 0; j < FINE; j++)
        fine[j] = disc_turn(angle((double)j, (double)n));
    disc start = {{1, 0}, {0, 0}, 0};
    for (size_t j = 0; j <= eighth && j < quarter; j++) {
        if (j % FINE == 0)
            start = disc_turn(angle((double)j, (double)n));
        disc z = disc_mul(start, fine[j % FINE]);
        re[j] = z.re.hi;
        im[j] = z.im.hi;
        if (j > 0 && quarter - j > eighth) {
            re[quarter - j] = -z.im.hi;
            im[quarter - j] = -z.re.hi;
        }
    }
}

/* e^{-2 pi i j/n} for j < n, by exact quarter turns. */
static void turn(double *re, double *im, const double *cosine,
    const double *sine, size_t quarter, size_t j)
{
    double c = cosine[j % quarter], s = sine[j % quarter];
    switch (j / quarter) { /* times (-i)^0, ... */
    case 0:
        *re = c;
        *im = s;
        break;
    case 1:
        *re = s;
        *im = -c;
        break;
    case 2:
        *re = -c;
        *im = -s;
        break;
    default:
        *re = -s;
        *im = c;
        break;
    }
}

/* The first stage, and each later one as every fourth of the one before. */
static void table_fill(double *table, size_t n)
{
    size_t m = stage_size(n);
    if (m == 0)
        return;
    quarter_fill(table, table + m, n);
    for (size_t p = 0; p < m; p++)
        for (size_t j = 2; j <= 3; j++)
            turn(&table[(2 * j - 2) * m + p], &table[(2 * j - 1) * m + p],
                table, table + m, m, j * p);
    while (n >= 16) {
        const double *before = table;
        size_t m_before = m;
        table += 6 * m;
        n /= 4;
        m = stage_size(n);
        for (size_t j = 0; j < 6; j++)
            for (size_t p = 0; p < m; p++)
                table[j * m + p] = before[j * m_before + 4 * p];
    }
}

dosi_status fft_plan_new(fft_plan **out, size_t n, dosi_error *err)
{
    *out = NULL;
    fft_plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return dosi_fail_memory(err);
    plan->n = n;
    /* 6 (n/4 + n/16 + ...) <= 2 n */
    plan->table = malloc((2 * n + 6) * sizeof(double));
    plan->re = malloc(n * sizeof(double));
    plan->im = malloc(n * sizeof(double));
    if (plan->table == NULL || plan->re == NULL || plan->im == NULL) {
        fft_plan_free(plan);
        return dosi_fail_memory(err);
    }
    table_fill(plan->table, n);
    *out = plan;
    return DOSI_OK;
}

void fft_plan_free(fft_plan *plan)
{
    if (plan == NULL)
        return;
    free(plan->table);
    free(plan->re);
    free(plan->im);
    free(plan);
}

/* ---- Stages ------------------------------------------------------------ */

/* Four numbers a turn of 2 pi p/n apart, s sequences side by side: with
 * their sums and differences t, y_j = w^(jp) sum_m (-i)^(jm) x_m. */
typedef struct stage {
    const double *xr, *xi;
    double *yr, *yi;
    size_t n, s;
    const double *table;
} stage;

/* One butterfly, on x + q and y + q for q < s. */
static void butterfly(const stage *g, size_t p)
{
    size_t m = g->n / 4, s = g->s;
    const double *w = g->table;
    double c1 = w[p], s1 = w[m + p], c2 = w[2 * m + p], s2 = w[3 * m + p];
    double c3 = w[4 * m + p], s3 = w[5 * m + p];
    const double *restrict ar = g->xr + s * p, *restrict ai = g->xi + s * p;
    const double *restrict br = ar + s * m, *restrict bi = ai + s * m;
    const double *restrict cr = br + s * m, *restrict ci = bi + s * m;
    const double *restrict dr = cr + s * m, *restrict di = ci + s * m;
    double *restrict yr = g->yr + 4 * s * p, *restrict yi = g->yi + 4 * s * p;
    for (size_t q = 0; q < s; q++) {
        double t0r = ar[q] + cr[q], t0i = ai[q] + ci[q];
        double t1r = ar[q] - cr[q], t1i = ai[q] - ci[q];
        double t2r = br[q] + dr[q], t2i = bi[q] + di[q];
        double t3r = br[q] - dr[q], t3i = bi[q] - di[q];
        double u1r = t1r + t3i, u1i = t1i - t3r; /* t1 - i t3 */
        double u2r = t0r - t2r, u2i = t0i - t2i;
        double u3r = t1r - t3i, u3i = t1i + t3r; /* t1 + i t3 */
        yr[q] = t0r + t2r;
        yi[q] = t0i + t2i;
        yr[q + s] = u1r * c1 - u1i * s1;
        yi[q + s] = u1r * s1 + u1i * c1;
        yr[q + 2 * s] = u2r * c2 - u2i * s2;
        yi[q + 2 * s] = u2r * s2 + u2i * c2;
        yr[q + 3 * s] = u3r * c3 - u3i * s3;
        yi[q + 3 * s] = u3r * s3 + u3i * c3;
    }
}

static void last_pair(const stage *g)
{
    for (size_t q = 0; q < g->s; q++) {
        double ar = g->xr[q], ai = g->xi[q];
        double br = g->xr[q + g->s], bi = g->xi[q + g->s];
        g->yr[q] = ar + br;
        g->yi[q] = ai + bi;
        g->yr[q + g->s] = ar - br;
        g->yi[q + g->s] = ai - bi;
    }
}

void fft_forward(fft_plan *plan, double *re, double *im)
{
    double *xr = re, *xi = im, *yr = plan->re, *yi = plan->im;
    const double *table = plan->table;
    size_t s = 1;
    for (size_t n = plan->n; n >= 2;) {
        stage g = {xr, xi, yr, yi, n, s, table};
        if (n == 2)
            last_pair(&g);
        else
            for (size_t p = 0; p < n / 4; p++)
                butterfly(&g, p);
        table += 6 * stage_size(n);
        s *= 4;
        n /= 4;
        double *swap = xr;
        xr = yr;
        yr = swap;
        swap = xi;
        xi = yi;
        yi = swap;
    }
    if (xr != re) {
        memcpy(re, xr, plan->n * sizeof *re);
        memcpy(im, xi, plan->n * sizeof *im);
    }
}

void fft_inverse(fft_plan *plan, double *re, double *im)
{
    /* exchanging the parts, z -> i conj(z), turns one transform into the
     * other, without error */
    fft_forward(plan, im, re);
    double scale = 1 / (double)plan->n; /* a power of two */
    for (size_t j = 0; j < plan->n; j++) {
        re[j] *= scale;
        im[j] *= scale;
    }
}

double fft_relative_error(size_t n)
{
    /* a stage of radix 4 errs by (1+u)^2 (1+mu) (1+sqrt5 u) - 1 < 5u, one of
     * radix 2 by u; (1+5u)^L - 1 < 5.01 L u */
    double stages = 0;
    for (; n >= 4; n /= 4)
        stages += 1;
    return 5.01 * 0x1p-53 * (stages + (n == 2 ? 1 : 0));
}
