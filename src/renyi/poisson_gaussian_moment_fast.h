/*
 * The moments of sampled_moment.h with a dozen digits, in plain doubles: for
 * accountants that add thousands of them. Derivation:
 * docs/theory/sampling.md, section 7.
 */
#ifndef DOSI_RENYI_POISSON_GAUSSIAN_MOMENT_FAST_H
#define DOSI_RENYI_POISSON_GAUSSIAN_MOMENT_FAST_H

#include "num/ball.h"

/*
 * log E X^s >= 0 as sampled_log_moment encloses it.
 *
 * requires  0 < rate < 1, mu > 0, s > 1 or s < 0
 * width     some 1e-14 relative, at most 2^-36; else unknown
 * cost      some 30 (1 + mu) nodes of 0.1 us; unknown above 2^12 nodes
 */
ball sampled_log_moment_quick(ball rate, ball mu, ball s);

#endif
