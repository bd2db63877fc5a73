/*
 * The laws of integer noise by Arb, from their definitions alone: nothing here
 * is shared with the sampler or with the certified laws of src/noise.
 */
#ifndef DOSI_TESTS_SUPPORT_NOISE_TRUTH_H
#define DOSI_TESTS_SUPPORT_NOISE_TRUTH_H

#include <math.h>
#include <stdint.h>

#include <arb.h>
#include <arb_hypgeom.h>

#include "dosimeter/release.h"

#define TRUTH_BITS 128

static inline void truth_set_int(arb_t x, int64_t k)
{
    arb_set_si(x, k);
}

/* P[Z >= x] of the standard normal law. */
static inline void truth_normal_sf(arb_t out, const arb_t x)
{
    arb_t half;
    arb_init(half);
    arb_sqrt_ui(half, 2, TRUTH_BITS);
    arb_div(out, x, half, TRUTH_BITS);
    arb_hypgeom_erfc(out, out, TRUTH_BITS);
    arb_mul_2exp_si(out, out, -1);
    arb_clear(half);
}

/* exp(-k^2 / (2 s^2)) */
static inline void truth_weight(arb_t out, double scale, int64_t k)
{
    arb_t s;
    arb_init(s);
    arb_set_d(s, scale);
    truth_set_int(out, k);
    arb_div(out, out, s, TRUTH_BITS);
    arb_sqr(out, out, TRUTH_BITS);
    arb_mul_2exp_si(out, out, -1);
    arb_neg(out, out);
    arb_exp(out, out, TRUTH_BITS);
    arb_clear(s);
}

/* sum over j >= k of exp(-j^2 / (2 s^2)), for k > 0: term by term up to a
 * scale of 200; beyond it the integral from k - 1/2, which differs by less
 * than 1/(24 s^2) of itself, 1e-6. */
static inline void truth_weight_sum(arb_t out, double scale, int64_t k)
{
    arb_t term;
    arb_init(term);
    if (scale > 200) {
        arb_set_d(term, scale);
        arb_set_si(out, 2 * k - 1);
        arb_mul_2exp_si(out, out, -1);
        arb_div(out, out, term, TRUTH_BITS);
        truth_normal_sf(out, out);
        arb_mul(out, out, term, TRUTH_BITS);
        arb_const_pi(term, TRUTH_BITS);
        arb_mul_2exp_si(term, term, 1);
        arb_sqrt(term, term, TRUTH_BITS);
        arb_mul(out, out, term, TRUTH_BITS);
    } else {
        int64_t end = (int64_t)(14 * scale) + 2; /* exp(-98) and below */
        arb_zero(out);
        for (int64_t j = k; j < end || j < k + 2; j++) {
            truth_weight(term, scale, j);
            arb_add(out, out, term, TRUTH_BITS);
        }
    }
    arb_clear(term);
}

/* P[K >= k] for k > 0 */
static inline void truth_tail_above(
    arb_t out, dosi_noise_law law, double scale, int64_t k)
{
    arb_t s, a;
    arb_init(s);
    arb_init(a);
    arb_set_d(s, scale);
    switch (law) {
    case DOSI_NOISE_ROUND_GAUSSIAN: /* s x >= k - 1/2 */
    case DOSI_NOISE_ROUND_LAPLACE:
        arb_set_si(a, 2 * k - 1);
        arb_mul_2exp_si(a, a, -1);
        arb_div(a, a, s, TRUTH_BITS);
        if (law == DOSI_NOISE_ROUND_GAUSSIAN) {
            truth_normal_sf(out, a);
        } else {
            arb_neg(a, a);
            arb_exp(out, a, TRUTH_BITS);
            arb_mul_2exp_si(out, out, -1);
        }
        break;
    case DOSI_NOISE_DISCRETE_GAUSSIAN: /* sum / (1 + 2 sum from 1) */
        truth_weight_sum(a, scale, 1);
        arb_mul_2exp_si(a, a, 1);
        arb_add_ui(a, a, 1, TRUTH_BITS);
        truth_weight_sum(out, scale, k);
        arb_div(out, out, a, TRUTH_BITS);
        break;
    case DOSI_NOISE_DISCRETE_LAPLACE: /* q^k / (1 + q), q = exp(-1/s) */
        arb_inv(a, s, TRUTH_BITS);
        arb_neg(a, a);
        arb_mul_si(out, a, k, TRUTH_BITS);
        arb_exp(out, out, TRUTH_BITS);
        arb_exp(a, a, TRUTH_BITS);
        arb_add_ui(a, a, 1, TRUTH_BITS);
        arb_div(out, out, a, TRUTH_BITS);
        break;
    }
    arb_clear(s);
    arb_clear(a);
}

/* P[K >= k]; the laws are symmetric. */
static inline void truth_tail(
    arb_t out, dosi_noise_law law, double scale, int64_t k)
{
    if (k > 0) {
        truth_tail_above(out, law, scale, k);
        return;
    }
    truth_tail_above(out, law, scale, 1 - k);
    arb_sub_ui(out, out, 1, TRUTH_BITS);
    arb_neg(out, out);
}

/* P[a <= K < b] */
static inline void truth_between(
    arb_t out, dosi_noise_law law, double scale, int64_t a, int64_t b)
{
    arb_t x;
    arb_init(x);
    /* on the side where the tails are small */
    truth_tail(out, law, scale, a >= 0 ? a : 1 - b);
    truth_tail(x, law, scale, a >= 0 ? b : 1 - a);
    arb_sub(out, out, x, TRUTH_BITS);
    arb_clear(x);
}

static inline double truth_double(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

/* P[chi^2 of so many degrees of freedom >= x] */
static inline double truth_chi_square_p(double x, int freedom)
{
    arb_t a, z;
    arb_init(a);
    arb_init(z);
    arb_set_d(z, x / 2);
    arb_set_d(a, freedom / 2.0);
    arb_hypgeom_gamma_upper(a, a, z, 1, TRUTH_BITS);
    double p = truth_double(a);
    arb_clear(a);
    arb_clear(z);
    return p;
}

#endif
