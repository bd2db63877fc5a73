/*
 * Renyi curves of Poisson samples, at every real order above 1.
 */
#ifndef DOSI_MECHANISMS_POISSON_POISSON_CURVE_H
#define DOSI_MECHANISMS_POISSON_POISSON_CURVE_H

#include "mechanisms/mechanism.h"

#define POISSON_GROUP_REASON                                                   \
    "a group over a sampler is only bounded by its epsilon"

/* The rate of a Poisson sample. A sample of a sample is one sample: its rate is
 * the product, its base part_poisson_base. */
ball sample_rate(const part *p);

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
