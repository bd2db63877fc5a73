/*
 * Couplings of finite laws: hockey-stick divergence, total variation, the
 * maximal coupling with its mixture decomposition, and advanced joint
 * convexity. Masses are balls >= 0. Derivation: docs/theory/couplings.md,
 * section 2.
 */
#ifndef DOSI_SAMPLING_COUPLINGS_H
#define DOSI_SAMPLING_COUPLINGS_H

#include <stddef.h>

#include "num/ball.h"

/* The hockey-stick divergence sum_z [P(z) - alpha Q(z)]_+ for any alpha >= 0;
 * at alpha = 1 the total variation [T004-E2, T004-TV]. */
ball coupling_divergence(const ball *p, const ball *q, size_t n, ball alpha);

/*
 * P({Q = 0}), the limit at alpha = inf.
 *
 * source  T004-1
 */
ball coupling_singular(const ball *p, const ball *q, size_t n);

/*
 * The maximal coupling [T004-MC]: with eta the total variation
 *
 *     common = min(P, Q)/(1 - eta)     own = (P - min)/eta
 *     pi(i, j) = min(P, Q)(i) [i = j] + (P - min)(i) (Q - min)(j)/eta
 *
 * so that P = (1 - eta) common + eta own. A part whose divisor is 0 does not
 * exist and is unknown.
 */
ball coupling_common(const ball *p, const ball *q, ball eta, size_t i);
ball coupling_own(const ball *p, const ball *q, ball eta, size_t i);
ball coupling_joint(const ball *p, const ball *q, ball eta, size_t i, size_t j);

/* Three laws on the same n outcomes, mixed as (1-eta) mu0 + eta mu1 and
 * (1-eta) mu0 + eta mu1'. */
typedef struct coupling_mixture {
    const ball *shared; /* mu0 */
    const ball *first;  /* mu1 */
    const ball *second; /* mu1' */
    size_t n;
    ball eta;
} coupling_mixture;

/*
 * alpha' = 1 + eta (alpha - 1) and beta = alpha'/alpha.
 *
 * source  T004-2
 */
ball coupling_alpha_out(ball eta, ball alpha);
ball coupling_beta(ball eta, ball alpha);

/*
 * The divergence of the two mixtures at alpha', alpha >= 1 [T004-2]:
 *
 *     exact   eta D_alpha(mu1 | (1-beta) mu0 + beta mu1')
 *     upper   eta ((1-beta) D_alpha(mu1 | mu0) + beta D_alpha(mu1 | mu1'))
 *     naive   eta D_alpha'(mu1 | mu1')
 *
 * source  T004-2
 */
ball coupling_exact(const coupling_mixture *x, ball alpha);
ball coupling_upper(const coupling_mixture *x, ball alpha);
ball coupling_naive(const coupling_mixture *x, ball alpha);

#endif
