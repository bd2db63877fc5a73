#include "grid_powers.h"

#include <math.h>
#include <stdint.h>

/* Numbers whose squares would underflow are taken as 0; a bound of their
 * moduli is not below FLOOR. */
#define FLUSH 0x1p-400
#define FLOOR 0x1p-200

static void block_flush(grid_block *x, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double square = x->re[j] * x->re[j] + x->im[j] * x->im[j];
        double keep = square > FLUSH ? 1 : 0;
        x->re[j] *= keep;
        x->im[j] *= keep;
        x->most[j] = fmax(x->most[j], FLOOR);
    }
}

/* m to 2m: d (2b + omega d), b^2. */
static void powers_double(grid_powers *p, size_t n, double omega)
{
    for (size_t j = 0; j < n; j++) {
        double br = p->b.re[j], bi = p->b.im[j], bm = p->b.most[j];
        double dr = p->d.re[j], di = p->d.im[j], dm = p->d.most[j];
        double cr = 2 * br + omega * dr, ci = 2 * bi + omega * di;
        p->d.re[j] = dr * cr - di * ci;
        p->d.im[j] = dr * ci + di * cr;
        p->d.most[j] = dm * (2 * bm + omega * dm);
        p->b.re[j] = br * br - bi * bi;
        p->b.im[j] = br * bi + bi * br;
        p->b.most[j] = bm * bm;
    }
    block_flush(&p->b, n);
    block_flush(&p->d, n);
}

/* m to m + 1: d (s + omega w) + b w, b s. */
static void powers_step(grid_powers *p, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        double br = p->b.re[j], bi = p->b.im[j], bm = p->b.most[j];
        double dr = p->d.re[j], di = p->d.im[j], dm = p->d.most[j];
        double ar = p->a.re[j], ai = p->a.im[j];
        double wr = p->w.re[j], wi = p->w.im[j];
        double sr = p->s.re[j], si = p->s.im[j];
        p->d.re[j] = (dr * ar - di * ai) + (br * wr - bi * wi);
        p->d.im[j] = (dr * ai + di * ar) + (br * wi + bi * wr);
        p->d.most[j] = dm * p->a.most[j] + bm * p->w.most[j];
        p->b.re[j] = br * sr - bi * si;
        p->b.im[j] = br * si + bi * sr;
        p->b.most[j] = bm * p->s.most[j];
    }
}

/* From the leading bit of the count on. */
void grid_powers_raise(grid_powers *p, size_t n, double count, double omega)
{
    int64_t bits = (int64_t)count, bit = 1;
    p->b = p->s;
    p->d = p->w;
    while (bit <= bits / 2)
        bit *= 2;
    for (bit /= 2; bit > 0; bit /= 2) {
        powers_double(p, n, omega);
        if ((bits & bit) != 0)
            powers_step(p, n);
    }
    block_flush(&p->b, n);
    block_flush(&p->d, n);
}

void grid_powers_multiply(
    grid_powers *p, const grid_spectra *x, size_t at, size_t n, double omega)
{
    for (size_t j = 0; j < n; j++) {
        double br = p->b.re[j], bi = p->b.im[j], bm = p->b.most[j];
        double dr = p->d.re[j], di = p->d.im[j], dm = p->d.most[j];
        double xr = x->b_re[at + j], xi = x->b_im[at + j];
        double yr = x->d_re[at + j], yi = x->d_im[at + j];
        double xm = x->b_most[at + j], ym = x->d_most[at + j];
        double ar = xr + omega * yr, ai = xi + omega * yi;
        p->d.re[j] = (dr * ar - di * ai) + (br * yr - bi * yi);
        p->d.im[j] = (dr * ai + di * ar) + (br * yi + bi * yr);
        p->d.most[j] = dm * (xm + omega * ym) + bm * ym;
        p->b.re[j] = br * xr - bi * xi;
        p->b.im[j] = br * xi + bi * xr;
        p->b.most[j] = bm * xm;
    }
    block_flush(&p->b, n);
    block_flush(&p->d, n);
}
