/*
 * Renyi curves of Poisson samples under add_remove, at every real order
 * above 1.
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
 * The slot renyi. Exact over Gaussian and Laplace noise, randomized response
 * and finite pairs; over others the least of the bounds by T000-34, up to
 * order 1024, by joint convexity and by the greatest loss.
 *
 * cost   over others, as many values of the base's curve as the order
 */
bool poisson_renyi(mechanism_renyi_bound *out, ball order, const part *p,
    const mechanism_context *c);

#endif
