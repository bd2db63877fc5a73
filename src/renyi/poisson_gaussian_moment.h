/*
 * Moments of the likelihood ratio of the sampled Gaussian at real exponents,
 * by a trapezoid sum with a proven error. Derivation:
 * docs/theory/sampling.md, section 6.
 */
#ifndef DOSI_RENYI_POISSON_GAUSSIAN_MOMENT_H
#define DOSI_RENYI_POISSON_GAUSSIAN_MOMENT_H

#include <stddef.h>

#include "num/ball.h"

/*
 * log E X^s >= 0 with X = 1 - p + p e^(mu Y - mu^2/2), Y normal.
 *
 * requires  0 < rate < 1, mu > 0, s > 1 or s < 0
 * width     about 1e-20 relative
 * cost      some 100 (1 + mu) nodes of 3 us, more if s < 0 and |s| is large;
 *           unknown above max_nodes, which is 2^21 in sampled_log_moment
 */
ball sampled_log_moment(ball rate, ball mu, ball s);
ball sampled_log_moment_within(
    ball rate, ball mu, ball s, size_t max_nodes);

#endif
