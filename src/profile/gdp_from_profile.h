/*
 * The least mu of mu-GDP of an ordered pair of laws, from its profile. Every
 * (eps, delta) bounds the trade-off curve by a line, f(alpha) >= 1 - delta -
 * e^eps alpha; where a Gaussian curve lies below the corners of the polygon
 * of such lines it lies below f. Derivation: docs/theory/tradeoff.md,
 * section 9.
 */
#ifndef DOSI_PROFILE_GDP_FROM_PROFILE_H
#define DOSI_PROFILE_GDP_FROM_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "num/ball.h"

/* log delta at eps >= 0; [-inf, 0] where nothing is known. */
typedef dosi_interval (*mu_profile)(double eps, void *context);

typedef struct mu_curve {
    mu_profile log_delta;
    void *context;
    double floor; /* of both errors of the tests that count; 0: all tests */
    /* what is known of all tests: 1 - f <= e^loss (1 - G_mu). An infinite mu
     * says nothing. Not looked at where floor > 0. */
    ball tail_mu, tail_loss;
    bool is_symmetric; /* f is its own mirror image */
    double attained; /* a mu that some test that counts needs, >= 0 */
    double width;    /* relative, wanted */
    size_t max_evaluations;
} mu_curve;

/*
 * Encloses the least mu >= 0 with f >= G_mu at the tests that count, as far
 * as lines of slope -1 and steeper tell: f and its mirror image, given one
 * after the other, tell all. Both ends are certified however wide.
 *
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status least_mu(
    dosi_interval *out, const mu_curve *curve, dosi_error *err);

/* The mu of the Gaussian curve through a test: isf(alpha) - isf(power), from
 * logarithms; infinite where power may be 1. */
ball mu_of_test(ball log_alpha, ball log_power);

#endif
