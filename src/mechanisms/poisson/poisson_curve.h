/*
 * Renyi curves of Poisson samples, at every real order above 1.
 */
#ifndef DOSI_MECHANISMS_POISSON_POISSON_CURVE_H
#define DOSI_MECHANISMS_POISSON_POISSON_CURVE_H

#include "mechanisms/mechanism.h"

#define POISSON_GROUP_REASON                                                   \
    "a group over a sampler is only bounded by its epsilon"

/* A Poisson sample of a Poisson sample is one sample: its rate is the product,
 * and it samples what the inner one samples. */
ball sample_rate(const part *p);
const dosi_plan *poisson_base(const part *p);

/*
 * The renyi slot: exact over Gaussian noise, Laplace noise, responses and
 * finite pairs; over others by T000-34 up to order 1024, joint convexity at
 * every order, and the greatest loss.
 */
bool poisson_renyi(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c);

/* The renyi_approx slot: of Gaussian and Laplace noise and responses. */
double poisson_renyi_approx(
    double order, const part *p, const mechanism_context *c);

#endif
