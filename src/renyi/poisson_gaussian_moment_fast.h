/*
 * The moments of poisson_gaussian_moment.h with twelve digits, in doubles that
 * carry their errors, for sums of thousands of them. Derivation:
 * docs/theory/sampling.md, section 7.
 */
#ifndef DOSI_RENYI_POISSON_GAUSSIAN_MOMENT_FAST_H
#define DOSI_RENYI_POISSON_GAUSSIAN_MOMENT_FAST_H

#include "num/ball.h"

/*
 * log E X^s >= 0 with X = 1 - p + p e^(mu Y - mu^2/2), Y normal.
 *
 * requires  0 < rate < 1, mu > 0, s > 1 or s < 0
 * width     some 1e-14 relative, at most 2^-36; otherwise unknown
 * cost      some 30 (1 + mu) nodes of 0.1 us; unknown above 2^12 nodes
 */
ball sampled_log_moment_quick(ball rate, ball mu, ball s);

#endif
