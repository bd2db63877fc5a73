/*
 * The moments of sampled_law.h for Laplace noise with a dozen digits, in
 * plain doubles. Derivation: docs/theory/sampling.md, section 7.
 */
#ifndef DOSI_RENYI_POISSON_LAPLACE_MOMENT_FAST_H
#define DOSI_RENYI_POISSON_LAPLACE_MOMENT_FAST_H

#include "num/ball.h"

/*
 * log E X^s >= 0 with X = 1 - p + p e^L, L the loss of Laplace noise that
 * moves by a under the law without the record.
 *
 * requires  0 < rate < 1, a > 0, s > 1 or s < 0
 * width     some 1e-14 relative, at most 2^-36; else unknown
 * cost      panels of 1 us, about 4 a max(1, |s| share/5) of them as
 *           sampled_law.h counts; unknown above 8192
 */
ball sampled_laplace_quick(ball rate, ball a, ball s);

#endif
