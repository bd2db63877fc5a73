/*
 * delta of Gaussian noise and of one sampled step, each with atoms, by closed
 * profiles. Part of contour_truth.c.
 */
#ifndef DOSI_TESTS_REFERENCE_TRUTH_PROFILES_H
#define DOSI_TESTS_REFERENCE_TRUTH_PROFILES_H

#include <arb.h>
#include <arb_hypgeom.h>

#include "truth_finite.h"

/* Of Gaussian noise: Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu). */
static void gaussian_delta(arb_t out, const arb_t mu, const arb_t eps)
{
    arb_t a, b, x, y;
    arb_init(a);
    arb_init(b);
    arb_init(x);
    arb_init(y);
    arb_div(a, eps, mu, bits);
    arb_mul_2exp_si(b, mu, -1);
    arb_sub(x, a, b, bits); /* Phi(-x) */
    arb_add(y, a, b, bits);
    arb_sqrt_ui(a, 2, bits);
    arb_div(x, x, a, bits);
    arb_div(y, y, a, bits);
    arb_hypgeom_erfc(x, x, bits);
    arb_hypgeom_erfc(y, y, bits);
    arb_exp(a, eps, bits);
    arb_submul(x, y, a, bits);
    arb_mul_2exp_si(out, x, -1);
    arb_clear(a);
    arb_clear(b);
    arb_clear(x);
    arb_clear(y);
}

/* One sampled step at ratio x = e^eps. Mixture against base: 1 - x below
 * 1 - q, else q delta(log(1 + (x-1)/q)). Base against mixture: with
 * c = 1 - x (1-q), c delta(log(x q/c)), or 0 for c <= 0. */
static void sampled_delta(arb_t out, const plan_part *p, const arb_t eps)
{
    arb_t x, q, mu, c;
    arb_init(x);
    arb_init(q);
    arb_init(mu);
    arb_init(c);
    arb_exp(x, eps, bits);
    arb_set_d(q, p->value[0]);
    arb_set_d(mu, p->value[1]);
    if (p->kind == 'r') {
        arb_sub_ui(c, x, 1, bits);
        arb_div(c, c, q, bits);
        arb_add_ui(c, c, 1, bits);
        if (arb_is_positive(c)) {
            arb_log(c, c, bits);
            gaussian_delta(out, mu, c);
            arb_mul(out, out, q, bits);
        } else {
            arb_sub_ui(out, x, 1, bits);
            arb_neg(out, out);
        }
    } else {
        arb_sub_ui(c, q, 1, bits);
        arb_mul(c, c, x, bits);
        arb_add_ui(c, c, 1, bits);
        arb_zero(out);
        if (arb_is_positive(c)) {
            arb_mul(x, x, q, bits);
            arb_div(x, x, c, bits);
            arb_log(x, x, bits);
            gaussian_delta(out, mu, x);
            arb_mul(out, out, c, bits);
        }
    }
    arb_clear(x);
    arb_clear(q);
    arb_clear(mu);
    arb_clear(c);
}

/* The first part's profile at every atom of the second, if there is one. */
static void delta_by_profile(arb_t out, const plan_text *p, double epsilon)
{
    arb_t eps, mu, d;
    arb_init(eps);
    arb_init(mu);
    arb_init(d);
    atom_list l = finite_make(1);
    arb_one(l.mass);
    if (p->n > 1) {
        finite_clear(&l);
        l = finite_of_many(&p->part[1]);
    }
    arb_set_d(mu, p->part[0].count);
    arb_sqrt(mu, mu, bits);
    arb_set_d(d, p->part[0].value[0]);
    arb_mul(mu, mu, d, bits);
    arb_zero(out);
    for (int i = 0; i < l.n; i++) {
        arb_set_d(eps, epsilon);
        arb_sub(eps, eps, l.loss + i, bits);
        if (p->part[0].kind == 'g')
            gaussian_delta(d, mu, eps);
        else
            sampled_delta(d, &p->part[0], eps);
        arb_addmul(out, d, l.mass + i, bits);
    }
    finite_clear(&l);
    arb_clear(eps);
    arb_clear(mu);
    arb_clear(d);
}

#endif
