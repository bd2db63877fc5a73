/*
 * The moments of poisson_base_renyi.h for Laplace noise with twelve digits, in
 * doubles that carry their errors. Derivation: docs/theory/sampling.md,
 * section 7.
 */
#ifndef DOSI_RENYI_POISSON_LAPLACE_MOMENT_FAST_H
#define DOSI_RENYI_POISSON_LAPLACE_MOMENT_FAST_H

#include "num/ball.h"

/*
 * log E X^s >= 0 with X = 1 - p + p e^L, L the loss of Laplace noise shifted by
 * a scales, under the law without the record.
 *
 * requires  0 < rate < 1, a > 0, s > 1 or s < 0
 * width     some 1e-14 relative, at most 2^-36; otherwise unknown
 * cost      about 4 a max(1, |s| share/5) panels of 1 us, share as in
 *           sampled_law_log_moment; unknown above 8192 panels
 */
ball sampled_laplace_quick(ball rate, ball a, ball s);

#endif
