/*
 * Privacy profiles of base mechanisms and of groups: delta as a function of
 * epsilon for the worst pair of neighbours, or of data sets at distance k.
 * All are symmetric, so that they extend to eps < 0 by
 *
 *     delta(eps) = 1 - e^eps + e^eps delta(-eps).
 *
 * Values are scaled balls with relative accuracy: sums over thousands of
 * tiny ones keep their digits, and 0 is exactly 0. Derivation:
 * docs/theory/couplings.md, section 1.
 */
#ifndef DOSI_NOISE_BASE_PROFILE_H
#define DOSI_NOISE_BASE_PROFILE_H

#include "num/ball.h"
#include "num/scaled.h"

typedef enum base_profile_kind {
    BASE_PROFILE_LAPLACE,  /* parameter theta = distance / scale */
    BASE_PROFILE_GAUSSIAN, /* parameter theta = distance / sigma */
    BASE_PROFILE_RESPONSE, /* parameter p = Pr[truth], in [1/2, 1] */
    BASE_PROFILE_APPROX    /* parameter eps0: the worst (eps0, delta0)-DP one */
} base_profile_kind;

typedef struct base_profile {
    base_profile_kind kind;
    ball parameter;
    ball delta0; /* of BASE_PROFILE_APPROX, else 0 */
} base_profile;

/* How the groups of a mechanism are bounded. */
typedef enum base_profile_group {
    BASE_PROFILE_WHITE, /* by the mechanism itself */
    BASE_PROFILE_BLACK  /* by its profile alone */
} base_profile_group;

/*
 * Encloses delta at any real eps.
 *
 *     Laplace    [1 - e^((eps - theta)/2)]_+            [BBG18] Thm 3
 *     Gaussian   Phi(theta/2 - eps/theta)
 *                - e^eps Phi(-theta/2 - eps/theta)      T004-4
 *     response   [p - e^eps (1 - p)]_+                  T004-RR
 *     approx     delta0 + (1 - delta0) [e^eps0 - e^eps]_+
 *                / (e^eps0 + 1)                         X004-GEN
 *
 * (as written for eps >= 0).
 */
scaled base_profile_delta(const base_profile *p, ball eps);

/* The profile at distance k >= 1, white box: k theta; response unchanged; (k
 * eps0, delta0 (e^(k eps0) - 1)/(e^eps0 - 1)), at most 1 [X004-GW.dp]. */
base_profile base_profile_of_group(const base_profile *p, double k);

/*
 * Encloses delta_k at eps >= 0, which does not fall with k. Black box:
 *
 *     (e^eps - 1) delta(eps/k) / (e^(eps/k) - 1), at most 1; at eps = 0
 *     k delta(0)                                               [T004-GB]
 */
scaled base_profile_group_delta(
    const base_profile *p, base_profile_group group, double k, ball eps);

/*
 * Encloses the least black-box delta_k over [0, eps], eps >= 0: valid at eps
 * too, as delta_k never rises, and less if the formula does [X004-GB.mono].
 *
 * width     a few units in the last place; about 1e-13 relative if the minimum
 *           lies inside (0, eps)
 */
scaled base_profile_group_least(const base_profile *p, double k, ball eps);

/*
 * Encloses the least eps >= 0 with delta(eps) <= delta: +inf if there is none.
 * delta is given with its logarithm.
 */
dosi_interval base_profile_epsilon(
    const base_profile *p, ball delta, ball log_delta);

/* The least eps with delta(eps) = 0; +inf if there is none. */
ball base_profile_end(const base_profile *p);

/* The limit of delta at large eps: delta0 of an approx profile, else 0. */
ball base_profile_floor(const base_profile *p);

/* (e^(k eps) - 1)/(e^eps - 1), k at eps = 0: the growth of delta over k steps
 * (T004-GB.pair). */
scaled profile_steps(double k, ball eps);

#endif
