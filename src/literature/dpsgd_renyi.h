/*
 * The Rényi accountant of noisy training (DP-SGD): T rounds of Gaussian noise,
 * each on its own Poisson sample, at whole orders; the least noise for a
 * target; and, for comparison, the naive composition without Rényi divergences.
 * Neighbours differ by one added or removed record. Derivation:
 * docs/theory/sampling.md, section 3.
 */
#ifndef DOSI_LITERATURE_DPSGD_RENYI_H
#define DOSI_LITERATURE_DPSGD_RENYI_H

#include <stddef.h>

#include "dosimeter.h"
#include "num/ball.h"

typedef struct sampled_rounds {
    double rate;          /* in (0, 1] */
    double rounds;        /* T >= 1 */
    double sens;          /* L2 distance between neighbours' answers */
    const double *orders; /* whole, >= 2 */
    size_t n_orders;
} sampled_rounds;

/*
 * Encloses eps = min over the orders of T000-33.8 at delta, at least 0, and the
 * order that attains it (its ends differ if two orders tie within the certified
 * accuracy).
 *
 * cost    the sum of the orders in terms, at most 2^25
 * source  S000-6.7
 */
dosi_status sampled_rounds_epsilon(dosi_interval *eps, dosi_interval *order,
    const sampled_rounds *s, double sigma, double delta, dosi_error *err);

/*
 * Encloses the least sigma at which that eps does not exceed the target.
 *
 * requires  eps > 0
 * fails     DOSI_EDOMAIN if no noise reaches the target with these orders
 * source    S000-6.7.sigma
 */
dosi_status sampled_rounds_sigma(dosi_interval *sigma, const sampled_rounds *s,
    double eps, double delta, dosi_error *err);

/* The steps of the composition without Rényi divergences. */
typedef struct sampled_naive {
    dosi_interval base;    /* T000-08 at delta0 = delta/(2 T p) */
    dosi_interval sampled; /* T000-29 of that */
    dosi_interval total;   /* T000-22 over T rounds, delta/2 for its tail */
} sampled_naive;

/*
 * The naive bound: half of delta for the deltas of the rounds, half for their
 * composition. Deliberately poor.
 *
 * requires  0 < rate <= 1, rounds >= 1, mu > 0, 0 < delta < 1
 * source    S000-6.3
 */
sampled_naive sampled_rounds_naive(ball rate, ball rounds, ball mu, ball delta);

/* T rounds at delta by T000-38 and T000-33.8 at the best order up to omega;
 * requires amplify_slope_applies. */
dosi_interval sampled_rounds_analytic_epsilon(
    ball rate, ball rho, ball rounds, ball log_delta);

#endif
