/*
 * Moments of the likelihood ratio of the sampled Gaussian at real exponents,
 * by a trapezoid sum with a proven error. Derivation:
 * docs/theory/sampling.md, section 6.
 */
#ifndef DOSI_RENYI_POISSON_GAUSSIAN_MOMENT_H
#define DOSI_RENYI_POISSON_GAUSSIAN_MOMENT_H

#include "num/ball.h"

/* Nodes of a single evaluation, and of one among many. */
#define SAMPLED_MAX_NODES 0x1p20
#define SAMPLED_FEW_NODES 0x1p14

/*
 * log E X^s >= 0 with X = 1 - p + p e^(mu Y - mu^2/2), Y normal.
 *
 * requires  0 < rate < 1, mu > 0, s > 1 or s < 0
 * width     some 1e-14 relative, at most 2^-30; otherwise unknown
 * cost      some 30 (1 + mu) nodes of 0.1 us; unknown above max_nodes
 */
ball sampled_log_moment(ball rate, ball mu, ball s, double max_nodes);

#endif
