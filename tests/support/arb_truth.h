/*
 * What every question asks, worked out from the enumerated outcomes of a
 * finite plan: the worse of both directions, in Arb.
 */
#ifndef DOSI_TESTS_SUPPORT_ARB_TRUTH_H
#define DOSI_TESTS_SUPPORT_ARB_TRUTH_H

#include "arb_plans.h"

/* Ends of the truth as balls; upper may be infinite. */
typedef struct truth {
    arb_t lower, upper;
} truth;

static inline void truth_delta(arb_t out, finite_pair *x, double eps)
{
    arb_t e;
    arb_init(e);
    arb_set_d(e, eps);
    arb_zero(out);
    for (int i = 0; i < 2; i++)
        finite_delta(out, &x->law[i], e, bits);
    arb_clear(e);
}

static inline void truth_beta(arb_t out, finite_pair *x, double alpha)
{
    arb_t a;
    arb_init(a);
    arb_set_d(a, alpha);
    arb_one(out);
    for (int i = 0; i < 2; i++) {
        finite_tests tests;
        finite_tests_init(&tests, &x->law[i], bits);
        finite_beta(out, &tests, a, bits);
        finite_tests_clear(&tests);
    }
    arb_clear(a);
}

static inline bool leaks(finite_pair *x)
{
    return finite_leaks(&x->law[0]) || finite_leaks(&x->law[1]);
}

static inline void truth_renyi(
    arb_t out, finite_pair *x, const arb_t order)
{
    arb_zero(out);
    if (leaks(x)) {
        arb_pos_inf(out);
        return;
    }
    for (int i = 0; i < 2; i++)
        finite_renyi(out, &x->law[i], order, bits);
}

/*
 * sup over orders a > 1 of (D_a - xi)/a. D rises, so between two orders of a
 * grid it is at most (D of the greater - xi) / (the smaller one), and beyond
 * the last one D of all orders is at most that of order 2^200 and a bit.
 */
static inline void truth_zcdp(truth *out, finite_pair *x, double at)
{
    arb_t order, before, d, t, xi;
    arb_init(order);
    arb_init(before);
    arb_init(d);
    arb_init(t);
    arb_init(xi);
    arb_set_d(xi, at);
    arb_one(before);
    arb_zero(out->lower);
    arb_zero(out->upper);
    for (int j = -12; j <= 12 && !leaks(x); j++) {
        arb_set_d(order, j == -12 ? 1 : 1 + exp2(j == 12 ? 200 : j));
        truth_renyi(d, x, order);
        arb_sub(d, d, xi, bits);
        arb_div(t, d, order, bits);
        arb_max(out->lower, out->lower, t, bits);
        if (j == 12) /* the greatest loss is at most D + 1/2^100 */
            arb_add_error_2exp_si(d, -100);
        arb_div(t, d, before, bits);
        arb_max(out->upper, out->upper, t, bits);
        arb_set(before, order);
    }
    if (leaks(x)) {
        arb_pos_inf(out->lower);
        arb_pos_inf(out->upper);
    }
    arb_clear(order);
    arb_clear(before);
    arb_clear(d);
    arb_clear(t);
    arb_clear(xi);
}

/*
 * The greatest isf(alpha) + isf(beta) of tests whose errors are not below
 * the floor. The curve is a polygon and Gaussian ones are convex: corners
 * are enough, and the two points in which the floor cuts it. Or of those
 * corners alone that a line of slope -1 or steeper touches.
 */
static inline void truth_mu_of(
    arb_t out, const finite_tests *t, double floor, bool is_steep)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    for (slong k = 0; k <= t->n; k++) {
        if (is_steep && k > 0) { /* up to the first that is flatter */
            arb_sub(a, t->alpha + k, t->alpha + k - 1, bits);
            arb_sub(b, t->beta + k - 1, t->beta + k, bits);
            if (!arb_ge(b, a))
                break;
        }
        arb_set_d(a, floor);
        if (!arb_is_zero(t->alpha + k) && !arb_is_zero(t->beta + k) &&
            arb_gt(t->alpha + k, a) && arb_gt(t->beta + k, a))
            finite_mu_of(out, t->alpha + k, t->beta + k);
    }
    arb_set_d(a, floor);
    if (floor > 0 && !is_steep) {
        arb_one(b);
        finite_beta(b, t, a, bits);
        arb_max(b, b, a, bits);
        finite_mu_of(out, a, b);
    }
    arb_clear(a);
    arb_clear(b);
}

/* Each law, and its mirror image. Where the second law is not the mirror image
 * of the first, what both dominate needs at least the mu of the steep halves,
 * and at most that of all tests. */
static inline void truth_gdp(truth *out, finite_pair *x, double floor)
{
    arb_zero(out->lower);
    arb_zero(out->upper);
    for (int i = 0; i < 4; i++) {
        arb_law y;
        finite_tests tests;
        finite_copy(&y, &x->law[i / 2]);
        if (i % 2 == 1)
            finite_exchange(&y);
        finite_tests_init(&tests, &y, bits);
        truth_mu_of(out->upper, &tests, floor, false);
        if (!x->own_add)
            arb_set(out->lower, out->upper);
        else if (i % 2 == 0)
            truth_mu_of(out->lower, &tests, floor, true);
        if (floor == 0 && finite_leaks(&y))
            arb_pos_inf(out->upper);
        if (floor == 0 && finite_leaks(&y) && (!x->own_add || i % 2 == 0))
            arb_pos_inf(out->lower);
        finite_tests_clear(&tests);
        finite_clear(&y);
    }
}

/* Right guesses of who takes the record to be there with this probability:
 * sum of max(prior p, (1 - prior) q), p being the law with the record. */
static inline void truth_accuracy(
    arb_t out, const arb_law *x, const arb_t prior)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    arb_zero(out);
    for (slong i = 0; i < x->n; i++) {
        arb_sub(a, x->p + i, x->q + i, bits);
        arb_mul(a, a, prior, bits);
        arb_add(a, a, x->q + i, bits); /* prior p + (1 - prior) q */
        arb_mul(b, prior, x->p + i, bits);
        arb_sub(a, a, b, bits);
        arb_max(a, a, b, bits);
        arb_add(out, out, a, bits);
    }
    arb_clear(a);
    arb_clear(b);
}

#endif
