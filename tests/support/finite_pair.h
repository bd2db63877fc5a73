/*
 * Pairs of finite laws in Arb, for comparison: every quantity by its plain
 * definition over all outcomes, without sorting, merging or suffix sums. And
 * reading enclosures: the exact value must be inside.
 */
#ifndef DOSI_TESTS_SUPPORT_FINITE_PAIR_H
#define DOSI_TESTS_SUPPORT_FINITE_PAIR_H

#include <arb.h>
#include <arb_hypgeom.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "num/ball.h"

#define PAIR_BITS 384

/* ---- Enclosures -------------------------------------------------------- */

static inline void pair_set_ball(arb_t y, ball x)
{
    arb_t t;
    arb_init(t);
    if (ball_is_unknown(x)) {
        arb_zero_pm_inf(y);
    } else {
        arb_set_d(y, x.hi);
        arb_set_d(t, x.lo);
        arb_add(y, y, t, ARF_PREC_EXACT);
        arb_set_d(t, x.rad);
        arb_add_error(y, t);
    }
    arb_clear(t);
}

/* Whether the exact value, known to far more digits, lies in the ball. */
static inline bool pair_in_ball(ball x, const arb_t exact)
{
    arb_t t;
    arb_init(t);
    pair_set_ball(t, x);
    bool inside =
        isinf(x.hi) ? arb_equal(t, exact) != 0 : arb_overlaps(t, exact) != 0;
    arb_clear(t);
    return inside;
}

static inline bool pair_in_interval(dosi_interval x, const arb_t exact)
{
    arb_t lo, hi;
    arb_init(lo);
    arb_init(hi);
    arb_set_d(lo, x.lo);
    arb_set_d(hi, x.hi);
    bool inside = !arb_gt(lo, exact) && !arb_lt(hi, exact);
    arb_clear(lo);
    arb_clear(hi);
    return inside;
}

/* Width relative to the greater end; 0 for a point, inf if unbounded. */
static inline double pair_width(dosi_interval x)
{
    if (x.lo == x.hi)
        return 0;
    double size = fmax(fabs(x.lo), fabs(x.hi));
    return size <= DBL_MAX ? (x.hi - x.lo) / size : HUGE_VAL;
}

static inline double pair_relative_radius(ball x)
{
    return x.rad == 0 ? 0 : x.rad / fabs(x.hi);
}

/* ---- Pairs ------------------------------------------------------------- */

typedef struct finite_pair {
    slong n;
    arb_ptr p;
    arb_ptr q;
} finite_pair;

static inline finite_pair pair_new(slong n)
{
    return (finite_pair){n, _arb_vec_init(n), _arb_vec_init(n)};
}

static inline void pair_clear(finite_pair *x)
{
    _arb_vec_clear(x->p, x->n);
    _arb_vec_clear(x->q, x->n);
}

/* Each list divided by its exact sum. */
static inline finite_pair pair_of_doubles(
    const double *p, const double *q, slong n)
{
    finite_pair x = pair_new(n);
    for (slong i = 0; i < n; i++) {
        arb_set_d(x.p + i, p[i]);
        arb_set_d(x.q + i, q[i]);
    }
    arb_ptr lists[] = {x.p, x.q};
    arb_t sum;
    arb_init(sum);
    for (int j = 0; j < 2; j++) {
        arb_zero(sum);
        for (slong i = 0; i < n; i++)
            arb_add(sum, sum, lists[j] + i, ARF_PREC_EXACT);
        for (slong i = 0; i < n; i++)
            arb_div(lists[j] + i, lists[j] + i, sum, PAIR_BITS);
    }
    arb_clear(sum);
    return x;
}

/* k-fold (eps0, delta0) response, by its definition: outcomes l = 0..k, then
 * the leaks of P and of Q. */
static inline finite_pair pair_of_response(slong k, double eps0, double delta0)
{
    finite_pair x = pair_new(k + 3);
    arb_t e, total, stay, mass;
    arb_init(e);
    arb_init(total);
    arb_init(stay);
    arb_init(mass);
    arb_set_d(e, eps0);
    arb_exp(e, e, PAIR_BITS);
    arb_add_ui(total, e, 1, PAIR_BITS);
    arb_set_d(stay, delta0);
    arb_sub_ui(stay, stay, 1, PAIR_BITS);
    arb_neg(stay, stay);
    arb_div(total, stay, total, PAIR_BITS);
    arb_pow_ui(mass, total, (ulong)k, PAIR_BITS); /* ((1-d)/(1+e^eps))^k */
    for (slong l = 0; l <= k; l++) {
        arb_set(x.p + l, mass);
        arb_set(x.q + (k - l), mass);
        arb_mul(mass, mass, e, PAIR_BITS);
        arb_mul_si(mass, mass, k - l, PAIR_BITS);
        arb_div_si(mass, mass, l + 1, PAIR_BITS);
    }
    arb_set_d(stay, -delta0); /* 1 - (1 - delta0)^k */
    arb_log1p(stay, stay, PAIR_BITS);
    arb_mul_si(stay, stay, k, PAIR_BITS);
    arb_expm1(stay, stay, PAIR_BITS);
    arb_neg(x.p + k + 1, stay);
    arb_neg(x.q + k + 2, stay);
    arb_clear(e);
    arb_clear(total);
    arb_clear(stay);
    arb_clear(mass);
    return x;
}

/* All pairs of outcomes. */
static inline finite_pair pair_product(
    const finite_pair *a, const finite_pair *b)
{
    finite_pair x = pair_new(a->n * b->n);
    for (slong i = 0; i < a->n; i++)
        for (slong j = 0; j < b->n; j++) {
            arb_mul(x.p + i * b->n + j, a->p + i, b->p + j, PAIR_BITS);
            arb_mul(x.q + i * b->n + j, a->q + i, b->q + j, PAIR_BITS);
        }
    return x;
}

static inline finite_pair pair_reversed(const finite_pair *a)
{
    return (finite_pair){a->n, a->q, a->p}; /* borrows */
}

/* sum max(0, p - e^eps q) */
static inline void pair_delta(arb_t y, const finite_pair *x, double eps)
{
    arb_t e, t, zero;
    arb_init(e);
    arb_init(t);
    arb_init(zero);
    arb_set_d(e, eps);
    arb_exp(e, e, PAIR_BITS);
    arb_zero(y);
    for (slong i = 0; i < x->n; i++) {
        arb_mul(t, e, x->q + i, PAIR_BITS);
        arb_sub(t, x->p + i, t, PAIR_BITS);
        arb_max(t, t, zero, PAIR_BITS);
        arb_add(y, y, t, PAIR_BITS);
    }
    arb_clear(e);
    arb_clear(t);
    arb_clear(zero);
}

/* Whether eps is certainly not below (side > 0) or not above (side < 0) the
 * smallest one with delta(eps) <= delta. */
static inline bool pair_epsilon_side(
    const finite_pair *x, double eps, const arb_t delta, int side)
{
    arb_t y;
    arb_init(y);
    pair_delta(y, x, eps);
    bool right = side > 0 ? !arb_gt(y, delta) : !arb_lt(y, delta);
    arb_clear(y);
    return right;
}

/* Encloses the smallest eps >= 0 with delta(eps) <= delta. */
static inline bool pair_in_epsilon(
    const finite_pair *x, dosi_interval eps, const arb_t delta)
{
    bool above = eps.hi == HUGE_VAL || pair_epsilon_side(x, eps.hi, delta, 1);
    if (eps.lo == HUGE_VAL)
        return pair_epsilon_side(x, 1e6, delta, -1);
    return above && (eps.lo == 0 || pair_epsilon_side(x, eps.lo, delta, -1));
}

/* max over x of sum min(q, x p) - x alpha, at the ratios x = q_i / p_i. */
static inline void pair_tradeoff(arb_t y, const finite_pair *x, double alpha)
{
    arb_t ratio, t, s, a;
    arb_init(ratio);
    arb_init(t);
    arb_init(s);
    arb_init(a);
    arb_set_d(a, alpha);
    arb_zero(y);
    for (slong i = 0; i < x->n; i++) {
        if (arb_contains_zero(x->p + i))
            continue;
        arb_div(ratio, x->q + i, x->p + i, PAIR_BITS);
        arb_mul(s, ratio, a, PAIR_BITS);
        arb_neg(s, s);
        for (slong j = 0; j < x->n; j++) {
            arb_mul(t, ratio, x->p + j, PAIR_BITS);
            arb_min(t, t, x->q + j, PAIR_BITS);
            arb_add(s, s, t, PAIR_BITS);
        }
        arb_max(y, y, s, PAIR_BITS);
    }
    arb_clear(ratio);
    arb_clear(t);
    arb_clear(s);
    arb_clear(a);
}

/* log(sum p^a q^(1-a)) / (a - 1), a != 1, over outcomes of both; or the mean
 * of log(p/q) for a = 1. No outcome of P alone unless a < 1. */
static inline void pair_renyi(arb_t y, const finite_pair *x, double order)
{
    arb_t t, s, a;
    arb_init(t);
    arb_init(s);
    arb_init(a);
    arb_set_d(a, order);
    arb_sub_ui(a, a, 1, PAIR_BITS);
    for (slong i = 0; i < x->n; i++) {
        if (arb_contains_zero(x->p + i) || arb_contains_zero(x->q + i))
            continue;
        arb_div(t, x->p + i, x->q + i, PAIR_BITS);
        arb_log(t, t, PAIR_BITS);
        if (order != 1) {
            arb_mul(t, t, a, PAIR_BITS);
            arb_exp(t, t, PAIR_BITS);
        }
        arb_addmul(s, t, x->p + i, PAIR_BITS);
    }
    if (order != 1) {
        arb_log(s, s, PAIR_BITS);
        arb_div(s, s, a, PAIR_BITS);
    }
    arb_set(y, s);
    arb_clear(t);
    arb_clear(s);
    arb_clear(a);
}

#endif
