/*
 * Pairs of finite laws by their joint outcomes, in Arb, without anything of
 * the library: products by enumeration, mixtures by definition, and what
 * every question asks of them. Mass at infinity is an outcome that one of
 * the two laws does not have.
 */
#ifndef DOSI_TESTS_SUPPORT_ARB_LAW_H
#define DOSI_TESTS_SUPPORT_ARB_LAW_H

#include <arb.h>
#include <arb_hypgeom.h>
#include <stdbool.h>
#include <stdlib.h>

/* Outcome i has probability p[i] or q[i]; the loss is log(p/q). */
typedef struct arb_law {
    slong n;
    arb_ptr p, q;
    arb_ptr log_p, loss; /* NULL until they are needed */
} arb_law;

static inline void finite_init(arb_law *x, slong n)
{
    *x = (arb_law){n, _arb_vec_init(n), _arb_vec_init(n), NULL, NULL};
}

static inline void finite_clear(arb_law *x)
{
    _arb_vec_clear(x->p, x->n);
    _arb_vec_clear(x->q, x->n);
    if (x->log_p != NULL) {
        _arb_vec_clear(x->log_p, x->n);
        _arb_vec_clear(x->loss, x->n);
    }
}

static inline void finite_copy(arb_law *out, const arb_law *x)
{
    finite_init(out, x->n);
    _arb_vec_set(out->p, x->p, x->n);
    _arb_vec_set(out->q, x->q, x->n);
}

static inline void finite_exchange(arb_law *x)
{
    arb_ptr p = x->p;
    x->p = x->q;
    x->q = p;
}

/* Leaves out what is no outcome of either law. */
static inline void finite_trim(arb_law *x)
{
    slong n = 0;
    for (slong i = 0; i < x->n; i++) {
        if (arb_is_zero(x->p + i) && arb_is_zero(x->q + i))
            continue;
        arb_swap(x->p + n, x->p + i);
        arb_swap(x->q + n, x->q + i);
        n++;
    }
    arb_law small;
    finite_init(&small, n);
    _arb_vec_set(small.p, x->p, n);
    _arb_vec_set(small.q, x->q, n);
    finite_clear(x);
    *x = small;
}

/* x becomes the law of x and y, drawn independently. */
static inline void finite_compose(arb_law *x, const arb_law *y, slong bits)
{
    arb_law xy;
    finite_init(&xy, x->n * y->n);
    for (slong i = 0; i < x->n; i++)
        for (slong j = 0; j < y->n; j++) {
            slong k = i * y->n + j;
            arb_mul(xy.p + k, x->p + i, y->p + j, bits);
            arb_mul(xy.q + k, x->q + i, y->q + j, bits);
        }
    finite_clear(x);
    *x = xy;
}

/* The law with the record, p, is met with this probability only. */
static inline void finite_sample_p(arb_law *x, double rate, slong bits)
{
    if (rate == 1)
        return; /* q + (p - q) would no longer be 0 where p is */
    arb_t r;
    arb_init(r);
    arb_set_d(r, rate);
    for (slong i = 0; i < x->n; i++) { /* q + r (p - q) */
        arb_sub(x->p + i, x->p + i, x->q + i, bits);
        arb_mul(x->p + i, x->p + i, r, bits);
        arb_add(x->p + i, x->p + i, x->q + i, bits);
    }
    arb_clear(r);
}

/* ---- Delta, Renyi ------------------------------------------------------- */

/* sum of (p - e^eps q)+; out grows to it. */
static inline void finite_delta(
    arb_t out, const arb_law *x, const arb_t eps, slong bits)
{
    arb_t e, t, sum, zero;
    arb_init(e);
    arb_init(t);
    arb_init(sum);
    arb_init(zero);
    arb_exp(e, eps, bits);
    for (slong i = 0; i < x->n; i++) {
        arb_mul(t, e, x->q + i, bits);
        arb_sub(t, x->p + i, t, bits);
        arb_max(t, t, zero, bits);
        arb_add(sum, sum, t, bits);
    }
    arb_max(out, out, sum, bits);
    arb_clear(e);
    arb_clear(t);
    arb_clear(sum);
    arb_clear(zero);
}

/* The probability of outcomes that only p has. */
static inline bool finite_leaks(const arb_law *x)
{
    for (slong i = 0; i < x->n; i++)
        if (arb_is_zero(x->q + i) && !arb_is_zero(x->p + i))
            return true;
    return false;
}

static inline void finite_logs(arb_law *x, slong bits)
{
    if (x->log_p != NULL)
        return;
    x->log_p = _arb_vec_init(x->n);
    x->loss = _arb_vec_init(x->n);
    for (slong i = 0; i < x->n; i++) {
        arb_log(x->log_p + i, x->p + i, bits);
        arb_log(x->loss + i, x->q + i, bits);
        arb_sub(x->loss + i, x->log_p + i, x->loss + i, bits);
    }
}

/* sum p log(p/q): the divergence of order 1. */
static inline void finite_mean_loss(arb_t out, arb_law *x, slong bits)
{
    arb_t sum;
    arb_init(sum);
    finite_logs(x, bits);
    for (slong i = 0; i < x->n; i++)
        if (!arb_is_zero(x->p + i))
            arb_addmul(sum, x->p + i, x->loss + i, bits);
    arb_max(out, out, sum, bits);
    arb_clear(sum);
}

/* log sum p^a q^(1-a) / (a - 1) at an order a >= 1; out grows to it. Requires
 * that x does not leak. The greatest term is taken out of the sum, so that
 * no order is too great. */
static inline void finite_renyi(
    arb_t out, arb_law *x, const arb_t order, slong bits)
{
    arb_ptr terms = _arb_vec_init(x->n);
    arb_t t, most, sum;
    slong n = 0;
    arb_init(t);
    arb_init(most);
    arb_init(sum);
    finite_logs(x, bits);
    arb_sub_ui(t, order, 1, bits);
    for (slong i = 0; i < x->n; i++) {
        if (arb_is_zero(x->p + i))
            continue;
        arb_set(terms + n, x->log_p + i);
        arb_addmul(terms + n, x->loss + i, t, bits);
        if (n == 0 || arf_cmp(arb_midref(terms + n), arb_midref(most)) > 0)
            arb_set_arf(most, arb_midref(terms + n));
        n++;
    }
    for (slong i = 0; i < n; i++) {
        arb_sub(terms + i, terms + i, most, bits);
        arb_exp(terms + i, terms + i, bits);
        arb_add(sum, sum, terms + i, bits);
    }
    arb_log(sum, sum, bits);
    arb_add(sum, sum, most, bits);
    arb_div(sum, sum, t, bits);
    if (arb_is_zero(t))
        finite_mean_loss(out, x, bits);
    else
        arb_max(out, out, sum, bits);
    _arb_vec_clear(terms, x->n);
    arb_clear(t);
    arb_clear(most);
    arb_clear(sum);
}

/* ---- Tests -------------------------------------------------------------- */

/* Best tests of q against p: after k outcomes in the order of falling p/q
 * their errors are alpha[k] and beta[k], and slope[k] is the next p/q. */
typedef struct finite_tests {
    slong n; /* outcomes; there is one point more */
    arb_ptr alpha, beta, slope;
} finite_tests;

typedef struct finite_rank {
    arf_t ratio;
    slong at;
} finite_rank;

static inline int finite_by_ratio(const void *a, const void *b)
{
    const finite_rank *x = a, *y = b;
    return arf_cmp(y->ratio, x->ratio);
}

static inline void finite_tests_init(
    finite_tests *out, const arb_law *x, slong bits)
{
    slong n = x->n;
    finite_rank *rank = malloc((size_t)n * sizeof *rank);
    *out = (finite_tests){
        n, _arb_vec_init(n + 1), _arb_vec_init(n + 1), _arb_vec_init(n + 1)};
    arb_t ratio;
    arb_init(ratio);
    for (slong i = 0; i < n; i++) {
        arf_init(rank[i].ratio);
        rank[i].at = i;
        arb_div(ratio, x->p + i, x->q + i, bits);
        if (arb_is_zero(x->q + i))
            arf_pos_inf(rank[i].ratio);
        else
            arf_set(rank[i].ratio, arb_midref(ratio));
    }
    qsort(rank, (size_t)n, sizeof *rank, finite_by_ratio);
    for (slong k = 0; k < n; k++) {
        slong i = rank[k].at;
        arb_add(out->alpha + k + 1, out->alpha + k, x->q + i, bits);
        arb_div(out->slope + k, x->p + i, x->q + i, bits);
    }
    for (slong k = n; k-- > 0;)
        arb_add(out->beta + k, out->beta + k + 1, x->p + rank[k].at, bits);
    for (slong i = 0; i < n; i++)
        arf_clear(rank[i].ratio);
    arb_clear(ratio);
    free(rank);
}

static inline void finite_tests_clear(finite_tests *x)
{
    _arb_vec_clear(x->alpha, x->n + 1);
    _arb_vec_clear(x->beta, x->n + 1);
    _arb_vec_clear(x->slope, x->n + 1);
}

/* The least type II error at alpha; out falls to it. */
static inline void finite_beta(
    arb_t out, const finite_tests *x, const arb_t alpha, slong bits)
{
    slong k = 0;
    arb_t t;
    arb_init(t);
    while (k < x->n &&
           arf_cmp(arb_midref(x->alpha + k + 1), arb_midref(alpha)) <= 0)
        k++;
    arb_sub(t, alpha, x->alpha + k, bits);
    arb_mul(t, t, x->slope + k, bits);
    arb_sub(t, x->beta + k, t, bits);
    arb_min(out, out, t, bits);
    arb_clear(t);
}

/* isf(alpha) + isf(beta): the mu that a test with these errors needs; out
 * grows to it. Tests that are no better than guessing need none. */
static inline void finite_mu_of(arb_t out, const arb_t alpha, const arb_t beta)
{
    const slong bits = 160;
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    arb_mul_2exp_si(a, alpha, 1);
    arb_mul_2exp_si(b, beta, 1);
    arb_hypgeom_erfcinv(a, a, bits);
    arb_hypgeom_erfcinv(b, b, bits);
    arb_add(a, a, b, bits);
    arb_sqrt_ui(b, 2, bits);
    arb_mul(a, a, b, bits);
    arb_max(out, out, a, bits);
    arb_clear(a);
    arb_clear(b);
}

#endif
