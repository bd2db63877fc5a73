/*
 * Moments of the likelihood ratio of sampled Laplace noise at real exponents,
 * in doubles that carry their errors. Derivation: docs/theory/sampling.md,
 * section 7.
 */
#ifndef DOSI_RENYI_POISSON_LAPLACE_MOMENT_H
#define DOSI_RENYI_POISSON_LAPLACE_MOMENT_H

#include "num/scaled.h"

/*
 * E[ Y^s - 1 - s (Y - 1) ] >= 0 with Y = 1 - p + p e^L, L the loss of Laplace
 * noise shifted by a scales, under the law without the record; over all L, or
 * over L > 0 only.
 *
 * requires  0 < rate <= 1, a > 0, s > 1 or s < 0
 * width     some 1e-14 relative, at most 2^-30 of log(1 + E); otherwise unknown
 * cost      about 4 a max(1, |s| share/5) panels of 1 us for each sign of L,
 *           share the largest share of the sampled part in the mixture;
 *           unknown above 2^16 panels
 */
scaled sampled_laplace_excess(ball rate, ball a, ball s, bool is_upper);

#endif
