/*
 * Sample sizes: lower bounds for zCDP by packings and by histograms, the errors
 * of noisy histograms that match them, and the exponential mechanism. Sizes of
 * packings are given by their logarithm if only that is used. Derivation:
 * docs/theory/concentrated.md, section 6.
 */
#ifndef DOSI_LITERATURE_SAMPLE_SIZE_H
#define DOSI_LITERATURE_SAMPLE_SIZE_H

#include <stddef.h>

#include "zcdp_line.h"

/* ---- Lower bounds ------------------------------------------------------- */

/* The mutual information, in nats, of identifying one of T points with error
 * probability at most beta: at least (1 - beta) log T - log 2, and 0. */
ball packing_information(ball size, ball beta);

/*
 * That information by Fano, log T - h(beta) - beta log(T - 1), for
 * beta <= 1 - 1/T.
 *
 * source  D003-7.4
 */
ball packing_information_fano(ball size, ball beta);

/*
 * The least n > 0 with xi n (1 + log n) + rho n^2 >= nats; 0 for
 * nats <= 0.
 *
 * requires  xi, rho >= 0, not both 0
 * source    T003-7.4
 */
ball rows_of_information(cdp_line line, ball nats);

/*
 * Rows needed for histograms over T bins with expected largest error acc n on
 * every data set, with the best whole m in [1, 1/(2 acc)).
 *
 * source  D003-6.4
 */
dosi_interval histogram_rows_best(double acc, ball rho, ball log_size);

/* ---- Mechanisms --------------------------------------------------------- */

/* 1 - (1 - 2 sf(x))^T: the probability that one of T errors exceeds x standard
 * deviations. */
ball histogram_miss(ball size, ball x);

/*
 * The exponential mechanism with weights exp(-loss scale): the probability of
 * choice i, and the mean loss.
 *
 * source  T003-7.3
 */
ball choice_probability(const double *loss, size_t n, ball scale, size_t i);
ball choice_mean_loss(const double *loss, size_t n, ball scale);

/*
 * Points of the greedy net of {0, 1/n, ..., 1} at a radius >= 0, scanned
 * upward; whole n >= 1.
 *
 * source  T003-7.2
 */
double lattice_net(double n, double radius);

#endif
