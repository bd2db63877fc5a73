/*
 * The least mu for which an ordered pair of laws is mu-GDP, from its privacy
 * profile. Every (eps, delta) bounds the trade-off curve by a line, f(alpha) >=
 * 1 - delta - e^eps alpha; a Gaussian curve that lies below the corners of the
 * polygon of such lines lies below f. Derivation: docs/theory/tradeoff.md,
 * section 9.
 */
#ifndef DOSI_PROFILE_GDP_FROM_PROFILE_H
#define DOSI_PROFILE_GDP_FROM_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "num/ball.h"

/* Encloses log delta at eps >= 0; [-inf, 0] is the trivial enclosure. */
typedef dosi_interval (*mu_profile)(double eps, void *context);

typedef struct mu_curve {
    mu_profile log_delta;
    void *context;
    double floor; /* tests with a smaller error are ignored; 0: none is */
    /* for all tests 1 - f <= e^tail_loss (1 - G_tail_mu); an infinite tail_mu
     * states nothing. Unused if floor > 0. */
    ball tail_mu, tail_loss;
    bool is_symmetric; /* f is its own mirror image */
    double attained; /* a lower bound of the least mu, >= 0 */
    double width;    /* requested, relative */
    size_t max_evaluations;
} mu_curve;

/*
 * Encloses the least mu >= 0 with f >= G_mu at the tests that are not ignored,
 * using lines of slope -1 and steeper: f and its mirror image have to be asked
 * one after the other. Both ends are certified, however wide.
 *
 * cost   at most max_evaluations values of the profile
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status least_mu(
    dosi_interval *out, const mu_curve *curve, dosi_error *err);

/* The mu of the Gaussian curve through a test, isf(alpha) - isf(power), from
 * logarithms; infinite if the power may be 1. */
ball mu_of_test(ball log_alpha, ball log_power);

#endif
