/*
 * From a curve eps(delta) = xi + sqrt(rho log(1/delta)) back to zCDP, and the
 * released sign of a noisy bit, the example that shows that mean-concentrated
 * differential privacy is not closed under post-processing. Derivations:
 * docs/theory/concentrated.md.
 */
#ifndef DOSI_LITERATURE_MCDP_H
#define DOSI_LITERATURE_MCDP_H

#include "zcdp_line.h"

/*
 * xi of the line with slope rho/4, the tail being split at the best point;
 * rho > 0.
 *
 * source  D003-B.3
 */
ball curve_xi_best(ball xi, ball rho);

/*
 * log P[Z > xi + t] <= min(0, inf over 0 < l < t of
 * -l^2/rho - log(1 - e^(l-t))).
 *
 * requires  rho > 0, t > 0
 */
ball curve_log_tail(ball rho, ball t);

/* ---- The thresholded bit ------------------------------------------------ */

/*
 * A bit +-1 with noise N(0, sigma^2), of which only [X > t], [X < -t] or
 * neither is released: p and q are the probabilities of the first two,
 * sf((t-1)/sigma) and sf((t+1)/sigma).
 */
typedef struct bit_release {
    ball log_p;
    ball log_q;
    ball loss; /* log(p/q) */
} bit_release;

bit_release bit_release_of(ball sigma, ball t);

/* log E[Z] = log((p - q) log(p/q)). */
ball bit_log_mean(const bit_release *bit);

/* log E[exp(lambda (Z - E Z))] at any real lambda. */
ball bit_log_moment(const bit_release *bit, ball lambda);

#endif
