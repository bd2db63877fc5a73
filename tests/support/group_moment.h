/*
 * The moment function of mixtures of shifted Gaussian noise by Arb, from the
 * densities as they are written, for the tests of the contour route, and laws
 * of which it is.
 */
#ifndef DOSI_TESTS_SUPPORT_GROUP_MOMENT_H
#define DOSI_TESTS_SUPPORT_GROUP_MOMENT_H

#include <acb.h>
#include <arb.h>

#include "loss/loss_law.h"

static const slong precision = 160;

static inline loss_law split_law(
    unsigned removed, unsigned added, double q, double mu)
{
    return (loss_law){.noise = LOSS_GAUSSIAN,
        .map = LOSS_GROUP,
        .parameter = ball_of(mu),
        .rate = ball_of(q),
        .removed = removed,
        .added = added,
        .count = 1};
}

/* One record under m draws out of n, with k hits told apart. */
static inline loss_law drawn_law(
    unsigned removed, unsigned added, double m, double n, double mu)
{
    loss_law pair = split_law(removed, added, 0, mu);
    pair.rate = ball_div(ball_of(1), ball_of(n));
    pair.draws = m;
    pair.population = n;
    return pair;
}

#define MOST_TERMS 64

/* Bin(i; trials, q) e^(-i^2 mu^2/2), i < n, as written. */
typedef struct mixture_terms {
    slong n;
    arb_struct at[MOST_TERMS];
} mixture_terms;

static inline void terms_init(
    mixture_terms *m, double told, double trials, const loss_law *pair)
{
    arb_t q, rest, e;
    arb_init(q);
    arb_init(rest);
    arb_init(e);
    arb_set_d(q, pair->draws > 0 ? pair->population : pair->rate.hi);
    if (pair->draws > 0)
        arb_inv(q, q, precision);
    arb_sub_ui(rest, q, 1, precision);
    arb_neg(rest, rest);
    m->n = told < MOST_TERMS ? (slong)told + 1 : MOST_TERMS;
    for (slong i = 0; i < m->n; i++) {
        arb_ptr term = &m->at[i];
        arb_init(term);
        arb_bin_uiui(term, (ulong)trials, (ulong)i, precision);
        arb_pow_ui(e, q, (ulong)i, precision);
        arb_mul(term, term, e, precision);
        arb_pow_ui(e, rest, (ulong)trials - (ulong)i, precision);
        arb_mul(term, term, e, precision);
        arb_set_d(e, pair->parameter.hi);
        arb_sqr(e, e, precision);
        arb_mul_si(e, e, -i * i, precision);
        arb_mul_2exp_si(e, e, -1);
        arb_exp(e, e, precision);
        arb_mul(term, term, e, precision);
    }
    arb_clear(q);
    arb_clear(rest);
    arb_clear(e);
}

static inline void terms_clear(mixture_terms *m)
{
    for (slong i = 0; i < m->n; i++)
        arb_clear(&m->at[i]);
}

/* log of the sum at e^y. */
static inline void terms_log(arb_t out, const mixture_terms *m, const arb_t y)
{
    arb_t w;
    arb_init(w);
    arb_exp(w, y, precision);
    arb_zero(out);
    for (slong i = m->n - 1; i >= 0; i--) {
        arb_mul(out, out, w, precision);
        arb_add(out, out, &m->at[i], precision);
    }
    arb_log(out, out, precision);
    arb_clear(w);
}

/* Both densities over phi. */
typedef struct both_terms {
    mixture_terms p, q;
} both_terms;

static inline void both_init(both_terms *m, const loss_law *pair)
{
    double drawn = pair->draws;
    /* of many draws the last hits of P are left out */
    terms_init(&m->p, pair->removed,
        drawn > 0 && pair->removed > 0 ? drawn : pair->removed, pair);
    terms_init(&m->q, drawn > 0 && pair->added > 0 ? drawn : pair->added,
        drawn > 0 && pair->added > 0 ? drawn : pair->added, pair);
}

/* M(t + iu) by a trapezoid rule, as far as the density counts. */
static inline void exact_moment(
    acb_t out, const loss_law *pair, double t, double u)
{
    double mu = pair->parameter.hi;
    int steps = u > 30 ? 64 : 32;
    int last = (int)(steps * (13 + mu * ((t + 1) * pair->removed +
                                            t * pair->added)));
    acb_t z, f;
    arb_t a, b, y;
    both_terms m;
    acb_init(z);
    acb_init(f);
    arb_init(a);
    arb_init(b);
    arb_init(y);
    both_init(&m, pair);
    acb_zero(out);
    for (int i = -13 * steps; i <= last; i++) {
        arb_set_d(y, mu);
        arb_mul_si(y, y, i, precision);
        arb_div_si(y, y, steps, precision);
        terms_log(a, &m.p, y);
        arb_neg(y, y);
        terms_log(b, &m.q, y);
        acb_set_d_d(z, t, u);
        arb_sub(b, a, b, precision);
        acb_mul_arb(f, z, b, precision);
        acb_add_arb(f, f, a, precision);
        arb_set_d(b, -(double)i * i / (2.0 * steps * steps));
        acb_add_arb(f, f, b, precision);
        acb_exp(f, f, precision);
        acb_add(out, out, f, precision);
    }
    arb_const_pi(a, precision);
    arb_mul_2exp_si(a, a, 1);
    arb_sqrt(a, a, precision);
    arb_mul_si(a, a, steps, precision);
    acb_div_arb(out, out, a, precision);
    terms_clear(&m.p);
    terms_clear(&m.q);
    acb_clear(z);
    acb_clear(f);
    arb_clear(a);
    arb_clear(b);
    arb_clear(y);
}

#endif
