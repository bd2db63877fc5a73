/*
 * Laplace noise on m draws with replacement out of n records, remove/add
 * neighbours, exactly: sum_k w_k Lap(k theta) against Lap(0), of scale 1,
 * with w_k = Bin(k; m, 1/n), in both directions. Derivation:
 * docs/theory/couplings.md, section 6.
 */
#ifndef DOSI_SAMPLING_WITH_REPLACEMENT_LAPLACE_H
#define DOSI_SAMPLING_WITH_REPLACEMENT_LAPLACE_H

#include "base/work_limits.h"
#include "num/scaled.h"
#include "poisson_gaussian.h"

/*
 * delta at eps >= 0. With A_j = sum_{k<=j} w_k e^(k theta) and
 * B_j = sum_{k>j} w_k e^(-k theta) the likelihood ratio is
 *
 *     S(y) = A_j + e^(2y) B_j    for y in [j theta, (j+1) theta],
 *
 * least for y <= 0 and greatest for y >= m theta, and
 *
 *     mixture first   sum_{k>j} w_k (1 - e^(c - k theta))   at S(c) = e^eps
 *     base first      e^eps (sum_{k<=j} w_k (e^(k theta) - 1)
 *                     + B_j e^c (e^c - 1))                  at S(c) = e^-eps,
 *
 * 0 if S does not reach the level.
 *
 * requires  theta > 0; n >= 2 and m >= 1 whole
 * width     near 1e-20 relative, except next to the largest loss
 * source    docs/theory/couplings.md, section 6
 */
scaled with_replacement_laplace_delta(
    sampled_side side, double n, double m, ball theta, ball eps,
    work_limits *limits);

/* The number of outcomes of the pair if so many hits are distinguished. */
#define WITH_REPLACEMENT_OUTCOMES(hits) (512 + 8 * (size_t)(hits))

/*
 * A discretisation of the pair: losses with the logarithms of their masses
 * under the law that comes first. The pessimistic one (above) places the masses
 * of each cell at the losses of its two ends, which dominates the pair; the
 * optimistic one merges each cell into one outcome. Returns their number.
 *
 * requires  theta > 0; n >= 2 and m >= 1 whole; 1 <= hits <= m; arrays of
 *           WITH_REPLACEMENT_OUTCOMES(hits) entries
 */
size_t with_replacement_laplace_cells(ball *loss, ball *log_mass,
    sampled_side side, double n, double m, ball theta, unsigned hits,
    bool above);

#endif
