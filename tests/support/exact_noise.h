/*
 * Arb's side of the tests of integer noise. The rounded laws by erfc and exp;
 * the discrete Gaussian term by term, or by Euler-Maclaurin around half
 * integers where the scale is large.
 */
#ifndef DOSI_TESTS_SUPPORT_EXACT_NOISE_H
#define DOSI_TESTS_SUPPORT_EXACT_NOISE_H

#include <arb.h>
#include <arb_hypgeom.h>
#include <bernoulli.h>

#include "dosimeter/release.h"

#define NOISE_BITS 1600
/* Below this scale the sums are direct. */
#define NOISE_DIRECT_SCALE 200
/* Corrections of Euler-Maclaurin. */
#define NOISE_TERMS 12

/* y = exp(-x^2/(2 s^2)) */
static inline void noise_bell(arb_t y, const arb_t x, double scale)
{
    arb_t s;
    arb_init(s);
    arb_set_d(s, scale);
    arb_div(y, x, s, NOISE_BITS);
    arb_mul(y, y, y, NOISE_BITS);
    arb_mul_2exp_si(y, y, -1);
    arb_neg(y, y);
    arb_exp(y, y, NOISE_BITS);
    arb_clear(s);
}

/* y = sum over j >= k of exp(-j^2/(2 s^2)), k >= 0, each term from the one
 * before: ratios exp(-(2 j + 1)/(2 s^2)) fall by exp(-1/s^2). */
static inline void noise_direct_sum(arb_t y, double scale, int64_t k)
{
    arb_t term, ratio, fall, least;
    arb_init(term);
    arb_init(ratio);
    arb_init(fall);
    arb_init(least);
    arb_set_d(fall, scale);
    arb_mul(fall, fall, fall, NOISE_BITS);
    arb_inv(fall, fall, NOISE_BITS);
    arb_neg(fall, fall); /* -1/s^2 */
    arb_set_si(ratio, 2 * k + 1);
    arb_mul(ratio, ratio, fall, NOISE_BITS);
    arb_mul_2exp_si(ratio, ratio, -1);
    arb_exp(ratio, ratio, NOISE_BITS);
    arb_exp(fall, fall, NOISE_BITS);
    arb_set_si(term, k);
    noise_bell(term, term, scale);
    arb_mul_2exp_si(least, term, -300);
    arb_zero(y);
    while (!arb_lt(term, least)) {
        arb_add(y, y, term, NOISE_BITS);
        arb_mul(term, term, ratio, NOISE_BITS);
        arb_mul(ratio, ratio, fall, NOISE_BITS);
    }
    /* what is left is at most term/(1 - ratio) */
    arb_sub_ui(ratio, ratio, 1, NOISE_BITS);
    arb_div(term, term, ratio, NOISE_BITS);
    arb_add_error(y, term);
    arb_clear(term);
    arb_clear(ratio);
    arb_clear(fall);
    arb_clear(least);
}

/* The derivatives of odd order 2 i - 1 at a = k - 1/2 with their factors
 * -B_2i(1/2)/(2i)!, B_2i(1/2) = (2^(1 - 2i) - 1) B_2i, in units of the bell
 * at a: g^(2i-1) = -He_(2i-1)(a/s) s^-(2i-1) g. */
static inline void noise_corrections(arb_t y, const arb_t a, const arb_t s)
{
    arb_t before, here, next, u, b;
    arb_init(before);
    arb_init(here);
    arb_init(next);
    arb_init(u);
    arb_init(b);
    arb_div(u, a, s, NOISE_BITS);
    arb_zero(y);
    arb_one(before);
    arb_set(here, u);
    for (ulong n = 1; n < 2 * NOISE_TERMS; n++) {
        if (n % 2 == 1) {
            arb_bernoulli_ui(b, n + 1, NOISE_BITS);
            arb_mul(b, b, here, NOISE_BITS);
            arb_pow_ui(next, s, n, NOISE_BITS);
            arb_div(b, b, next, NOISE_BITS);
            arb_fac_ui(next, n + 1, NOISE_BITS);
            arb_div(b, b, next, NOISE_BITS);
            arb_mul_2exp_si(next, b, -(slong)n);
            arb_sub(b, next, b, NOISE_BITS);
            arb_add(y, y, b, NOISE_BITS);
        }
        arb_mul(next, u, here, NOISE_BITS); /* He_(n+1) = u He_n - n He_(n-1) */
        arb_submul_ui(next, before, n, NOISE_BITS);
        arb_swap(before, here);
        arb_swap(here, next);
    }
    arb_clear(before);
    arb_clear(here);
    arb_clear(next);
    arb_clear(u);
    arb_clear(b);
}

/* >= |B_2p| r^-2p exp(a r/s^2 + r^2/s^2) s sqrt(2 pi), in units of the bell
 * at a: the remainder by Cauchy's bound on circles of radius r. */
static inline double noise_rest(double a, double s)
{
    double r = fmin(3 * s, a > 0 ? 20 * s * (s / a) : HUGE_VAL);
    double b = 86581; /* |B_24| = 86580.3 */
    double log_rest = log(b * 2.6 * s) - 24 * log(r) + a / s * (r / s) +
                      (r / s) * (r / s);
    return exp(log_rest + 1e-9);
}

static inline void noise_smooth_sum(arb_t y, double scale, int64_t k)
{
    arb_t a, s, t;
    arb_init(a);
    arb_init(s);
    arb_init(t);
    arb_set_si(a, k);
    arb_set_d(t, 0.5);
    arb_sub(a, a, t, NOISE_BITS);
    arb_set_d(s, scale);
    noise_corrections(y, a, s);
    arb_set_d(t, noise_rest(arf_get_d(arb_midref(a), ARF_RND_UP), scale));
    arb_add_error(y, t);
    noise_bell(t, a, scale);
    arb_mul(y, y, t, NOISE_BITS);
    /* the integral from a: s sqrt(pi/2) erfc(a/(s sqrt 2)) */
    arb_sqrt_ui(t, 2, NOISE_BITS);
    arb_mul(t, t, s, NOISE_BITS);
    arb_div(a, a, t, NOISE_BITS);
    arb_hypgeom_erfc(a, a, NOISE_BITS);
    arb_mul(a, a, s, NOISE_BITS);
    arb_const_pi(t, NOISE_BITS);
    arb_mul_2exp_si(t, t, -1);
    arb_sqrt(t, t, NOISE_BITS);
    arb_addmul(y, a, t, NOISE_BITS);
    arb_clear(a);
    arb_clear(s);
    arb_clear(t);
}

/* The sum over all integers; beyond the direct ones s sqrt(2 pi) (1 + e),
 * 0 <= e <= 3 exp(-19 s^2). */
static inline void noise_whole_sum(arb_t y, double scale)
{
    arb_t t;
    arb_init(t);
    if (scale < NOISE_DIRECT_SCALE) {
        noise_direct_sum(y, scale, 0);
        arb_mul_2exp_si(y, y, 1);
        arb_sub_ui(y, y, 1, NOISE_BITS);
    } else {
        arb_const_pi(y, NOISE_BITS);
        arb_mul_2exp_si(y, y, 1);
        arb_sqrt(y, y, NOISE_BITS);
        arb_set_d(t, scale);
        arb_mul(y, y, t, NOISE_BITS);
        arb_mul_2exp_si(t, t, -500); /* 3 exp(-19 * 200^2) < 2^-500 */
        arb_add_error(y, t);
    }
    arb_clear(t);
}

/* y = exp(-(k - half/2)/s) */
static inline void noise_power(arb_t y, double scale, int64_t k, int half)
{
    arb_t s;
    arb_init(s);
    arb_set_d(s, 0.5 * half);
    arb_set_si(y, k);
    arb_sub(y, s, y, NOISE_BITS);
    arb_set_d(s, scale);
    arb_div(y, y, s, NOISE_BITS);
    arb_exp(y, y, NOISE_BITS);
    arb_clear(s);
}

/* P[K >= k], k >= 1. */
static inline void noise_upper_tail(
    arb_t y, dosi_noise_law law, double scale, int64_t k)
{
    arb_t t;
    arb_init(t);
    switch (law) {
    case DOSI_NOISE_ROUND_GAUSSIAN:
        arb_set_d(t, 0.5);
        arb_set_si(y, k);
        arb_sub(y, y, t, NOISE_BITS);
        arb_set_d(t, scale);
        arb_div(y, y, t, NOISE_BITS);
        arb_sqrt_ui(t, 2, NOISE_BITS);
        arb_div(y, y, t, NOISE_BITS);
        arb_hypgeom_erfc(y, y, NOISE_BITS);
        arb_mul_2exp_si(y, y, -1);
        break;
    case DOSI_NOISE_ROUND_LAPLACE:
        noise_power(y, scale, k, 1);
        arb_mul_2exp_si(y, y, -1);
        break;
    case DOSI_NOISE_DISCRETE_GAUSSIAN:
        if (scale < NOISE_DIRECT_SCALE)
            noise_direct_sum(y, scale, k);
        else
            noise_smooth_sum(y, scale, k);
        noise_whole_sum(t, scale);
        arb_div(y, y, t, NOISE_BITS);
        break;
    case DOSI_NOISE_DISCRETE_LAPLACE:
        noise_power(t, scale, 1, 0);
        arb_add_ui(t, t, 1, NOISE_BITS);
        noise_power(y, scale, k, 0);
        arb_div(y, y, t, NOISE_BITS);
        break;
    }
    arb_clear(t);
}

/* P[K >= k] */
static inline void noise_tail(
    arb_t y, dosi_noise_law law, double scale, int64_t k)
{
    noise_upper_tail(y, law, scale, k >= 1 ? k : 1 - k);
    if (k >= 1)
        return;
    arb_sub_ui(y, y, 1, NOISE_BITS);
    arb_neg(y, y);
}

/* P[K = k]: for all laws but the discrete Gaussian the difference of two
 * tails. */
static inline void noise_mass(
    arb_t y, dosi_noise_law law, double scale, int64_t k)
{
    arb_t t;
    arb_init(t);
    if (law == DOSI_NOISE_DISCRETE_GAUSSIAN) {
        arb_set_si(y, k);
        noise_bell(y, y, scale);
        noise_whole_sum(t, scale);
        arb_div(y, y, t, NOISE_BITS);
    } else {
        k = k < 0 ? -k : k;
        noise_tail(y, law, scale, k);
        noise_tail(t, law, scale, k + 1);
        arb_sub(y, y, t, NOISE_BITS);
    }
    arb_clear(t);
}

#endif
