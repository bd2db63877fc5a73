/*
 * Composed Poisson-sampled Gaussian, tight and certified: the privacy
 * profile as a contour integral of the moment function, by the trapezoid
 * rule with every error bounded (docs/theory/reference_contour.md).
 */
#ifndef DOSI_TESTS_REFERENCE_REFERENCE_CONTOUR_H
#define DOSI_TESTS_REFERENCE_REFERENCE_CONTOUR_H

#include <stdbool.h>

#include "reference_contour_guess.h"
#include "dosimeter.h"
#include "num/ball.h"

/* One ordered pair of count steps, each sampling with the rate and adding
 * noise, mu = sensitivity / sigma. add: base against mixture (a record is
 * added); otherwise mixture against base. */
typedef struct reference_contour_pair {
    ball mu;
    double rate;
    double count;
    bool add;
} reference_contour_pair;

/*
 * Encloses log delta at epsilon. The interval is honest however it comes
 * out; it is [-inf, 0] when no contour within the limits was found.
 *
 * requires  mu > 0, 0 < rate < 1, count >= 1 whole, epsilon >= 0 finite
 * width     about 2^-50 for ordinary plans
 * cost      milliseconds, hardly depending on count
 * source    spec of the contour route; docs/theory/reference_contour.md
 */
DOSI_CHECK dosi_status reference_contour_log_delta(dosi_interval *out,
    const reference_contour_pair *pair, double epsilon, dosi_error *err);

/* The same on a given contour: valid whatever the choice, if wide. */
DOSI_CHECK dosi_status reference_contour_log_delta_chosen(dosi_interval *out,
    const reference_contour_pair *pair, double epsilon,
    const reference_contour_choice *choice, dosi_error *err);

/* Encloses the smallest epsilon >= 0 with delta(epsilon) <= exp(log_delta).
 * [0, inf] when nothing could be certified. */
DOSI_CHECK dosi_status reference_contour_epsilon(dosi_interval *out,
    const reference_contour_pair *pair, ball log_delta, dosi_error *err);

#endif
