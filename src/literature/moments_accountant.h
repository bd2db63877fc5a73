/*
 * The analytical moments accountant: a sum of cumulants
 *
 *     K(lambda) = sum_i count_i K_i(lambda),  lambda > 0,
 *
 * converted to epsilon at delta, min (log(1/delta) + K(lambda))/lambda, and to
 * log delta at epsilon, min K(lambda) - lambda eps, over all real lambda > 0.
 * Every lambda gives a valid bound; the minimum is enclosed by convexity.
 * Derivation: docs/theory/without_replacement.md, section 4.
 */
#ifndef DOSI_LITERATURE_MOMENTS_ACCOUNTANT_H
#define DOSI_LITERATURE_MOMENTS_ACCOUNTANT_H

#include <stdbool.h>
#include <stddef.h>

#include "num/ball.h"

/* K at a lambda > 0, convex in lambda; +inf if the moment is infinite. */
typedef ball (*moments_cumulant)(ball lambda, const void *context);

typedef struct moments_term {
    moments_cumulant cumulant;
    const void *context;
    double count;  /* >= 0, need not be whole */
    ball kl;       /* D_1 of one, K'(0) */
    ball pure;     /* D_inf of one; +inf if losses are unbounded */
    ball log_atom; /* log P[Z = pure]; -inf if it is 0 or unknown */
} moments_term;

typedef struct moments_sum {
    const moments_term *terms;
    size_t n_terms;
} moments_sum;

/* K at lambda, and the sum of the pure levels. */
ball moments_at(const moments_sum *sum, ball lambda);
ball moments_pure(const moments_sum *sum);

/* The infimum and the lambda that attains it: +inf for the pure level, 0 for
 * delta = 1. The argument is wide if the minimum is flat. */
typedef struct moments_optimum {
    dosi_interval least;
    dosi_interval argument;
} moments_optimum;

/*
 * epsilon at log_inverse_delta = log(1/delta), at most the pure level.
 *
 * requires  log_inverse_delta > 0; +inf gives the pure level
 * width     of least: near 1e-20; of argument: 2^-35, both relative
 * cost      some 50 evaluations of K
 */
moments_optimum moments_epsilon(const moments_sum *sum, ball log_inverse_delta);

/* log delta at eps >= 0: at most 0, -inf from the pure level on. */
moments_optimum moments_log_delta(const moments_sum *sum, ball eps);

/* epsilon with lambda restricted to [low, high]; K need be convex only
 * there. */
moments_optimum moments_epsilon_between(
    const moments_sum *sum, ball log_inverse_delta, double low, double high);

#endif
