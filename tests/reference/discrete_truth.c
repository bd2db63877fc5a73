/*
 * Makes tests/oracles/discrete_truth.csv: delta of discrete Gaussian noise,
 * sampled or beside Laplace noise, enclosed by Arb. Shares no code with the
 * library.
 *
 *   atoms_truth few   SIGMA RATE COUNT WAY EPSILON
 *   atoms_truth many  SIGMA RATE COUNT WAY EPSILON TILT PERIOD BLUR [BITS]
 *   atoms_truth mixed SIGMA COUNT SCALE LAPLACES EPSILON
 *
 * WAY is r (a record removed) or a (added). few: all multisets of outcomes.
 * many: two contour integrals of the law with a Gaussian blur, which lie on
 * either side (a plan with one more Gaussian, a test with a random
 * threshold); the period has to be long enough, which a second one shows.
 * Heavy tails ask for tilts far below the saddle, and so for more BITS.
 * mixed: the exact convolution of the discrete noise, and residues for the
 * Laplace noise at each of its atoms.
 */
#include <acb.h>
#include <arb.h>
#include <arb_poly.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static slong bits = 192;

/* ---- The noise --------------------------------------------------------- */

typedef struct privacy_profile {
    slong n;
    arb_ptr loss, mass; /* of P */
} law;

/* P at j = -reach .. reach + 1, P centred at 1, Q at 0; both of mass 1 but
 * for e^-900. */
static privacy_profile noise(double sigma)
{
    slong reach = (slong)ceil(43 * sigma);
    privacy_profile l = {2 * reach + 2, _arb_vec_init(2 * reach + 2),
        _arb_vec_init(2 * reach + 2)};
    arb_t v, x, sum;
    arb_init(v);
    arb_init(x);
    arb_init(sum);
    arb_set_d(v, sigma);
    arb_mul(v, v, v, bits);
    arb_inv(v, v, bits);
    arb_mul_2exp_si(v, v, -1); /* 1/(2 sigma^2) */
    for (slong i = 0; i < l.n; i++) {
        slong j = i - reach;
        arb_mul_si(l.loss + i, v, 2 * j - 1, bits);
        arb_mul_si(x, v, -(j - 1) * (j - 1), bits);
        arb_exp(l.mass + i, x, bits);
        arb_add(sum, sum, l.mass + i, bits);
    }
    _arb_vec_scalar_div(l.mass, l.mass, l.n, sum, bits);
    arb_clear(v);
    arb_clear(x);
    arb_clear(sum);
    return l;
}

/* r: ((1-q) Q + q P, Q); a: (Q, (1-q) Q + q P). */
static privacy_profile sampled(double sigma, double rate, char way)
{
    privacy_profile l = noise(sigma);
    arb_t q, x, base;
    arb_init(q);
    arb_init(x);
    arb_init(base);
    arb_set_d(q, rate);
    for (slong i = 0; i < l.n; i++) {
        arb_neg(x, l.loss + i);
        arb_exp(x, x, bits);
        arb_mul(base, l.mass + i, x, bits); /* Q's mass */
        arb_expm1(x, l.loss + i, bits);
        arb_mul(x, x, q, bits);
        arb_log1p(l.loss + i, x, bits);
        arb_add_ui(x, x, 1, bits);
        arb_mul(l.mass + i, base, x, bits);
        if (way == 'a') {
            arb_neg(l.loss + i, l.loss + i);
            arb_set(l.mass + i, base);
        }
    }
    arb_clear(q);
    arb_clear(x);
    arb_clear(base);
    return l;
}

/* ---- All multisets ----------------------------------------------------- */

typedef struct walk {
    const privacy_profile *l;
    arb_t epsilon, sum, x;
} walk;

/* Outcomes from first on, left more of them; multiple counts the orders. */
static void multisets(walk *w, slong first, int left, int same,
    const arb_t loss, const arb_t mass, double orders)
{
    if (left == 0) {
        arb_sub(w->x, w->epsilon, loss, bits);
        if (arb_is_negative(w->x)) {
            arb_expm1(w->x, w->x, bits);
            arb_neg(w->x, w->x);
            arb_mul(w->x, w->x, mass, bits);
            arb_mul_ui(w->x, w->x, (ulong)orders, bits);
            arb_add(w->sum, w->sum, w->x, bits);
        } else if (!arb_is_nonnegative(w->x)) {
            arb_indeterminate(w->sum);
        }
        return;
    }
    arb_t l, m;
    arb_init(l);
    arb_init(m);
    for (slong i = first; i < w->l->n; i++) {
        int again = i == first ? same + 1 : 1;
        arb_add(l, loss, w->l->loss + i, bits);
        arb_mul(m, mass, w->l->mass + i, bits);
        multisets(w, i, left - 1, again, l, m, orders * left / again);
    }
    arb_clear(l);
    arb_clear(m);
}

static void few(arb_t out, const privacy_profile *l, int count, double epsilon)
{
    walk w = {.l = l};
    arb_t zero, one;
    arb_init(zero);
    arb_init(one);
    arb_one(one);
    arb_init(w.epsilon);
    arb_init(w.sum);
    arb_init(w.x);
    arb_set_d(w.epsilon, epsilon);
    multisets(&w, 0, count, 0, zero, one, 1);
    arb_set(out, w.sum);
}

/* ---- Contours ---------------------------------------------------------- */

/* Kernels: e^{z(z+1)s^2/2}/(z(z+1)), or e^{z^2 s^2/2}/z -
 * e^{(z+1)^2 s^2/2}/(z+1). */
static void kernel(acb_t out, const acb_t z, const arb_t half_s2, int upper)
{
    acb_t z1, e, f;
    acb_init(z1);
    acb_init(e);
    acb_init(f);
    acb_add_ui(z1, z, 1, bits);
    if (upper) {
        acb_mul(f, z, z1, bits);
        acb_mul_arb(e, f, half_s2, bits);
        acb_exp(e, e, bits);
        acb_div(out, e, f, bits);
    } else {
        acb_mul(e, z, z, bits);
        acb_mul_arb(e, e, half_s2, bits);
        acb_exp(e, e, bits);
        acb_div(out, e, z, bits);
        acb_mul(e, z1, z1, bits);
        acb_mul_arb(e, e, half_s2, bits);
        acb_exp(e, e, bits);
        acb_div(e, e, z1, bits);
        acb_sub(out, out, e, bits);
    }
    acb_clear(z1);
    acb_clear(e);
    acb_clear(f);
}

#define RENEWED 48

/* e^{i n angle} */
static void turn_by(acb_t out, const arb_t angle, slong n)
{
    arb_t x;
    arb_init(x);
    arb_mul_si(x, angle, n, bits);
    arb_sin_cos(acb_imagref(out), acb_realref(out), x, bits);
    arb_clear(x);
}

typedef struct contour {
    double epsilon, tilt, period, blur;
    ulong count;
} contour;

/* Both sums, over the terms whose kernel is not below e^-80, or as much less as
 * there are more bits. */
static void many(
    arb_t upper, arb_t lower, const privacy_profile *l, const contour *c)
{
    arb_t step, h, x;
    acb_t z, m, k, f;
    arb_init(step);
    arb_init(h);
    arb_init(x);
    acb_init(z);
    acb_init(m);
    acb_init(k);
    acb_init(f);
    arb_const_pi(step, bits);
    arb_mul_2exp_si(step, step, 1);
    arb_set_d(x, c->period);
    arb_div(step, step, x, bits);
    arb_set_d(h, c->blur);
    arb_mul(h, h, h, bits);
    arb_mul_2exp_si(h, h, -1);
    /* terms e^{(t + iu)(loss - epsilon/count)} mass, and their factors */
    acb_ptr term = _acb_vec_init(l->n), factor = _acb_vec_init(l->n);
    arb_ptr size = _arb_vec_init(l->n), angle = _arb_vec_init(l->n);
    arb_t share;
    arb_init(share);
    arb_set_d(share, c->epsilon);
    arb_div_ui(share, share, c->count, bits);
    slong n = 0;
    for (slong i = 0; i < l->n; i++) {
        arb_sub(x, l->loss + i, share, bits);
        arb_t y;
        arb_init(y);
        arb_set_d(y, c->tilt);
        arb_mul(y, y, x, bits);
        arb_exp(y, y, bits);
        arb_mul(y, y, l->mass + i, bits);
        if (arf_cmpabs_2exp_si(arb_midref(y), 42 - bits) > 0) {
            arb_set(size + n, y);
            arb_mul(angle + n, step, x, bits);
            turn_by(factor + n, angle + n, 1);
            n++;
        }
        arb_clear(y);
    }
    arb_zero(upper);
    arb_zero(lower);
    double d = arf_get_d(arb_midref(step), ARF_RND_NEAR);
    double reach = sqrt(160 + 1.386 * (double)(bits - 192));
    slong last = (slong)ceil(reach / c->blur / d);
    for (slong j = 0; j <= last; j++) {
        acb_zero(m);
        for (slong i = 0; i < n; i++) {
            if (j % RENEWED == 0) { /* boxes grow as they are turned */
                turn_by(term + i, angle + i, j);
                acb_mul_arb(term + i, term + i, size + i, bits);
            }
            acb_add(m, m, term + i, bits);
            acb_mul(term + i, term + i, factor + i, bits);
        }
        if (j > 100 &&
            (double)c->count * log(hypot(
                arf_get_d(arb_midref(acb_realref(m)), ARF_RND_NEAR),
                arf_get_d(arb_midref(acb_imagref(m)), ARF_RND_NEAR))) <
                -900)
            continue; /* far below what any of these deltas has */
        acb_pow_ui(m, m, c->count, bits);
        arb_set_d(acb_realref(z), c->tilt);
        arb_mul_si(acb_imagref(z), step, j, bits);
        for (int side = 0; side < 2; side++) {
            kernel(k, z, h, side == 0);
            acb_mul(f, m, k, bits);
            if (j == 0)
                acb_mul_2exp_si(f, f, -1);
            arb_add(side == 0 ? upper : lower, side == 0 ? upper : lower,
                acb_realref(f), bits);
        }
    }
    arb_const_pi(x, bits);
    arb_div(x, step, x, bits);
    arb_mul(upper, upper, x, bits);
    arb_mul(lower, lower, x, bits);
}

/* ---- With Laplace noise ------------------------------------------------ */

/* E[(1 - e^-(Z - x))_+] of the sum Z of k Laplace losses, a = 1/scale: terms
 * C(k,m) e^{-(k-m)a} e^{z (2m-k) a} (z+1)^m z^(k-m)/(2z+1)^k, each by its
 * residues at 0, -1 and -1/2. */
static void laplace_delta(arb_t out, double a, int k, const arb_t x)
{
    arb_t y, c, value, w;
    arb_poly_t e, f;
    arb_init(y);
    arb_init(c);
    arb_init(value);
    arb_init(w);
    arb_poly_init(e);
    arb_poly_init(f);
    arb_zero(out);
    for (int m = 0; m <= k; m++) {
        arb_set_d(c, a);
        arb_mul_si(y, c, 2 * m - k, bits);
        arb_sub(y, y, x, bits);
        if (!arb_is_positive(y))
            continue;
        arb_mul_si(c, c, m - k, bits);
        arb_exp(c, c, bits);
        arb_bin_uiui(w, (ulong)k, (ulong)m, bits);
        arb_mul(c, c, w, bits);
        arb_zero(value);
        if (m == k) /* z = 0: 1 */
            arb_one(value);
        if (m == 0) { /* z = -1: e^-y (-1)^k / ((-1) (-1)^k) */
            arb_neg(w, y);
            arb_exp(w, w, bits);
            arb_sub(value, value, w, bits);
        }
        /* z = v - 1/2: e^{vy} (v + 1/2)^(m-1) (v - 1/2)^(k-m-1) / (2v)^k */
        arb_poly_zero(e);
        arb_poly_set_coeff_arb(e, 1, y);
        arb_poly_exp_series(e, e, k, bits);
        const int power[2] = {m - 1, k - m - 1};
        for (int i = 0; i < 2; i++) {
            arb_poly_zero(f);
            arb_poly_set_coeff_si(f, 1, 1);
            arb_set_d(w, i == 0 ? 0.5 : -0.5);
            arb_poly_set_coeff_arb(f, 0, w);
            if (power[i] < 0)
                arb_poly_inv_series(f, f, k, bits);
            else
                arb_poly_pow_ui_trunc_binexp(
                    f, f, (ulong)power[i], k, bits);
            arb_poly_mullow(e, e, f, k, bits);
        }
        arb_poly_get_coeff_arb(w, e, k - 1);
        arb_mul_2exp_si(w, w, -k);
        arb_mul_2exp_si(y, y, -1);
        arb_neg(y, y);
        arb_exp(y, y, bits);
        arb_addmul(value, w, y, bits);
        arb_addmul(out, value, c, bits);
    }
    arb_clear(y);
    arb_clear(c);
    arb_clear(value);
    arb_clear(w);
    arb_poly_clear(e);
    arb_poly_clear(f);
}

/* The loss of count runs with the sum J of their answers is
 * (2J - count)/(2 sigma^2). */
static void mixed(arb_t out, double sigma, int count, double scale,
    int laplaces, double epsilon)
{
    bits = 2500;
    privacy_profile l = noise(sigma);
    arb_poly_t p;
    arb_t x, y, v;
    arb_poly_init(p);
    arb_init(x);
    arb_init(y);
    arb_init(v);
    for (slong i = 0; i < l.n; i++)
        arb_poly_set_coeff_arb(p, i, l.mass + i);
    arb_poly_pow_ui(p, p, (ulong)count, bits);
    slong reach = l.n / 2 - 1;
    arb_set_d(v, sigma);
    arb_mul(v, v, v, bits);
    arb_mul_2exp_si(v, v, 1);
    arb_zero(out);
    for (slong i = 0; i < arb_poly_length(p); i++) {
        arb_set_si(x, 2 * (i - count * reach) - count);
        arb_div(x, x, v, bits);
        arb_set_d(y, epsilon);
        arb_sub(x, y, x, bits);
        laplace_delta(y, 1 / scale, laplaces, x);
        arb_poly_get_coeff_arb(x, p, i);
        arb_addmul(out, x, y, bits);
    }
}

/* ---- Rows -------------------------------------------------------------- */

static void print_ends(const arb_t lower, const arb_t upper)
{
    arf_t e;
    arf_init(e);
    arb_get_lbound_arf(e, lower, 60);
    printf("%.17g,", arf_get_d(e, ARF_RND_FLOOR));
    arb_get_ubound_arf(e, upper, 60);
    printf("%.17g,", arf_get_d(e, ARF_RND_CEIL));
    arf_clear(e);
}

int main(int argc, char **argv)
{
    arb_t upper, lower;
    arb_init(upper);
    arb_init(lower);
    if (argc == 7 && strcmp(argv[1], "mixed") == 0) {
        mixed(upper, atof(argv[2]), atoi(argv[3]), atof(argv[4]),
            atoi(argv[5]), atof(argv[6]));
        arb_set(lower, upper);
    } else if (argc == 7 || argc == 10 || argc == 11) {
        if (argc == 11)
            bits = atoi(argv[10]);
        privacy_profile l = sampled(atof(argv[2]), atof(argv[3]), argv[5][0]);
        contour c = {.epsilon = atof(argv[6]), .count = (ulong)atoi(argv[4])};
        if (argc == 7) {
            few(upper, &l, (int)c.count, c.epsilon);
            arb_set(lower, upper);
        } else {
            c.tilt = atof(argv[7]);
            c.period = atof(argv[8]);
            c.blur = atof(argv[9]);
            many(upper, lower, &l, &c);
        }
    } else {
        fprintf(stderr, "usage: see the head of discrete_truth.c\n");
        return 2;
    }
    print_ends(lower, upper);
    for (int i = 1; i < (argc < 7 ? argc : 7); i++)
        printf("%s%s", argv[i], i < 6 ? "," : "\n");
    return 0;
}
