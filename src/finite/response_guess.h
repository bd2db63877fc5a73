/*
 * Guesses in plain doubles for the inverse queries of response_composition.h.
 * Nothing here is certified.
 */
#ifndef DOSI_FINITE_RESPONSE_GUESS_H
#define DOSI_FINITE_RESPONSE_GUESS_H

#include <stddef.h>

/* Each function returns NaN if sums of more than max_terms would be needed. */

/* A guess at the least l with z_l above the eps >= 0 at which the core of k
 * compositions of eps0 is exp(log_tau). */
double response_guess_epsilon(
    double k, double eps0, double log_tau, size_t max_terms);

/* A guess at the atom l that contains the level a of a test:
 * Q[X >= l + 1] <= a <= Q[X >= l]; log_rest is log(1 - a). */
double response_guess_level(
    double k, double eps0, double log_a, double log_rest, size_t max_terms);

#endif
