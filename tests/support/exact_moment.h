/*
 * Moment functions of single parts by Arb, as in the literature, for the
 * tests of the contour route's bounds.
 */
#ifndef DOSI_TESTS_SUPPORT_EXACT_MOMENT_H
#define DOSI_TESTS_SUPPORT_EXACT_MOMENT_H

#include <acb.h>
#include <arb.h>
#include <math.h>

#include "loss/loss_law.h"

static const slong precision = 128;

/* E[(1+v)^s] by a trapezoid rule of step 2^-fine, as far as the density
 * counts. */
static inline void sampled_rule(
    acb_t out, const loss_law *pair, double t, double u, int fine)
{
    bool add = pair->map == LOSS_BASE_FIRST;
    double mu = pair->parameter.hi, p = add ? -t : t + 1;
    int steps = 1 << fine;
    int first = (int)(-steps * (14 + fmax(-p, 0) * mu));
    int last = (int)(steps * (14 + fmax(p, 0) * mu));
    arb_t y, w, m;
    acb_t s, f;
    arb_init(y);
    arb_init(w);
    arb_init(m);
    acb_init(s);
    acb_init(f);
    arb_set_d(m, mu);
    acb_zero(out);
    acb_set_d_d(s, p, add ? -u : u);
    if (!add) { /* t + 1 without rounding */
        acb_set_d_d(s, t, u);
        acb_add_ui(s, s, 1, precision);
    }
    for (int i = first; i <= last; i++) {
        arb_mul_si(y, m, i, precision);
        arb_mul_2exp_si(y, y, -fine);
        arb_sqr(w, m, precision);
        arb_mul_2exp_si(w, w, -1);
        arb_sub(y, y, w, precision);
        arb_expm1(y, y, precision);
        arb_set_d(w, pair->rate.hi);
        arb_mul(y, y, w, precision);
        arb_log1p(y, y, precision);
        acb_mul_arb(f, s, y, precision);
        arb_set_d(w, -(double)i * i / (2.0 * steps * steps));
        acb_add_arb(f, f, w, precision);
        acb_exp(f, f, precision);
        acb_add(out, out, f, precision);
    }
    arb_const_pi(w, precision);
    arb_mul_2exp_si(w, w, 1 + 2 * fine);
    arb_rsqrt(w, w, precision); /* step / sqrt(2 pi) */
    acb_mul_arb(out, out, w, precision);
    arb_clear(y);
    arb_clear(w);
    arb_clear(m);
    acb_clear(s);
    acb_clear(f);
}

static inline void sampled_exact(
    acb_t out, const loss_law *pair, double t, double u)
{
    sampled_rule(
        out, pair, t, u, u > 1000 ? 11 : u > 60 ? 9 : u > 20 ? 5 : 4);
}

/* The closed forms, written as in the literature. */
static inline void closed_exact(
    acb_t out, const loss_law *pair, double t, double u)
{
    acb_t z, z1, a, b;
    arb_t c;
    acb_init(z);
    acb_init(z1);
    acb_init(a);
    acb_init(b);
    arb_init(c);
    acb_set_d_d(z, t, u);
    acb_add_ui(z1, z, 1, precision);
    arb_set_d(c, pair->parameter.hi);
    if (pair->noise == LOSS_GAUSSIAN) { /* Renyi: mu^2 alpha/2 */
        acb_mul(a, z, z1, precision);
        arb_sqr(c, c, precision);
        acb_mul_arb(a, a, c, precision);
        acb_mul_2exp_si(a, a, -1);
        acb_exp(out, a, precision);
    } else {
        acb_mul_arb(a, z, c, precision);
        acb_exp(a, a, precision);
        acb_mul_arb(b, z1, c, precision);
        acb_neg(b, b);
        acb_exp(b, b, precision);
        if (pair->noise == LOSS_LAPLACE) {
            acb_mul(a, a, z1, precision);
            acb_mul(b, b, z, precision);
            acb_add(a, a, b, precision);
        } else { /* int e^{zl} e^{(l-e)/2} dl / (2 (1 - e^-e)) */
            acb_sub(a, a, b, precision);
            arb_neg(c, c);
            arb_expm1(c, c, precision);
            arb_neg(c, c);
            acb_div_arb(a, a, c, precision);
        }
        acb_add(z, z, z1, precision);
        acb_div(out, a, z, precision);
    }
    acb_clear(z);
    acb_clear(z1);
    acb_clear(a);
    acb_clear(b);
    arb_clear(c);
}

static inline void exact_moment(
    acb_t out, const loss_law *pair, double t, double u)
{
    if (pair->map == LOSS_PLAIN)
        closed_exact(out, pair, t, u);
    else
        sampled_exact(out, pair, t, u);
}

#endif
