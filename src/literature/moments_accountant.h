/*
 * The analytical moments accountant: a sum of cumulants
 *
 *     K(lambda) = sum_i count_i K_i(lambda),  lambda > 0,
 *
 * asked for epsilon at delta, min (log(1/delta) + K(lambda))/lambda, and for
 * delta at epsilon, min K(lambda) - lambda eps, over all real lambda. Every
 * lambda gives a valid answer; the ends of the least one are certified by
 * convexity. Derivation: docs/theory/without_replacement.md, section 4.
 */
#ifndef DOSI_LITERATURE_MOMENTS_ACCOUNTANT_H
#define DOSI_LITERATURE_MOMENTS_ACCOUNTANT_H

#include <stdbool.h>
#include <stddef.h>

#include "num/ball.h"

/* K at a lambda > 0, convex; +inf where it does not exist. */
typedef ball (*moments_cumulant)(ball lambda, const void *context);

typedef struct moments_term {
    moments_cumulant cumulant;
    const void *context;
    double count;  /* >= 0, need not be whole */
    ball kl;       /* D_1 of one, K'(0) */
    ball pure;     /* D_inf of one, +inf when there is none */
    ball log_atom; /* log P[Z = pure]; -inf when it is 0 or not known */
} moments_term;

typedef struct moments_sum {
    const moments_term *terms;
    size_t n_terms;
} moments_sum;

ball moments_at(const moments_sum *sum, ball lambda);
ball moments_pure(const moments_sum *sum);

/* The infimum and where it is attained: +inf is the pure level, 0 is
 * delta = 1. A minimum that is flat beside its value leaves argument wide. */
typedef struct moments_optimum {
    dosi_interval least;
    dosi_interval argument;
} moments_optimum;

/*
 * epsilon for log_inverse_delta = log(1/delta) > 0; +inf gives the pure
 * level. Never above the pure level.
 *
 * width  of least: near 1e-20; of argument: 2^-35, both relative
 * cost   some 50 evaluations of K
 */
moments_optimum moments_epsilon(const moments_sum *sum, ball log_inverse_delta);

/* log delta at eps >= 0: at most 0, -inf from the pure level on. */
moments_optimum moments_log_delta(const moments_sum *sum, ball eps);

/* epsilon over low <= lambda <= high, where alone K need be convex. */
moments_optimum moments_epsilon_between(
    const moments_sum *sum, ball log_inverse_delta, double low, double high);

#endif
