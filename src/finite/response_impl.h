/*
 * Shared by the response_ files: the composed law with precomputed quantities,
 * and its profile as a scaled number. Derivation: docs/theory/finite.md.
 */
#ifndef DOSI_FINITE_RESPONSE_IMPL_H
#define DOSI_FINITE_RESPONSE_IMPL_H

#include "special/binomial.h"

typedef struct response_power {
    double k;
    ball eps0;
    ball_coin coin;    /* of loss +eps0 under P */
    ball_coin under_q; /* the same event under Q */
    ball log_stay;     /* k log(1 - delta0): no leak in k steps */
    ball leak;         /* D = 1 - (1 - delta0)^k */
    ball log_leak;
    size_t max_terms;
} response_power;

/* False if the arguments are not those that response_composition.h requires;
 * fills *c. */
bool response_power_make(
    response_power *c, double k, ball eps0, ball delta0, size_t max_terms);

/* z_l = (2 l - k) eps0; 2 l - k is exact up to k = 2^53. */
static inline ball response_power_loss(const response_power *c, double l)
{
    return ball_mul_d(c->eps0, l - (c->k - l));
}

/* log of the mass of l, and of all from l up, under one of the coins, given
 * that nothing leaked. */
static inline ball response_power_log_pmf(
    const response_power *c, const ball_coin *coin, double l)
{
    return ball_binomial_log_pmf(
        c->k, l, coin->log_p, coin->log_q, coin->p, coin->q);
}
static inline ball response_power_log_tail(
    const response_power *c, const ball_coin *coin, double l)
{
    return ball_binomial_log_tail(c->k, l, coin, c->max_terms);
}

/* The number exp(log_scale) * factor, a sum over losses above an eps. Their mass
 * is about exp(log_scale) * mass; uncertified. */
typedef struct response_scaled {
    ball log_scale;
    ball factor;
    double mass;
} response_scaled;

/* core(eps) = sum_l pmf_l max(0, 1 - e^(eps - z_l)), any finite eps. */
response_scaled response_power_core(const response_power *c, ball eps);

static inline bool response_is_minus_infinity(ball x)
{
    return isinf(x.hi) && x.hi < 0;
}

#endif
