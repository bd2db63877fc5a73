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

typedef enum profile_kind {
    PROFILE_LAPLACE,  /* x: theta = distance / scale */
    PROFILE_GAUSSIAN, /* x: theta = distance / sigma */
    PROFILE_RESPONSE, /* x: probability of the truth, in [1/2, 1] */
    PROFILE_APPROX    /* x: eps0, y: delta0; the worst such mechanism */
} profile_kind;

typedef struct profile {
    profile_kind kind;
    ball x;
    ball y;
} profile;

/* How a mechanism's groups are bounded. */
typedef enum profile_group {
    PROFILE_WHITE, /* by what the mechanism is */
    PROFILE_BLACK  /* by its profile alone */
} profile_group;

/*
 * delta at any real eps.
 *
 *     Laplace    [1 - e^((eps - theta)/2)]_+                     T004-3
 *     Gaussian   Phi(theta/2 - eps/theta)
 *                - e^eps Phi(-theta/2 - eps/theta)               T004-4
 *     response   [p - e^eps (1 - p)]_+                           T004-RR
 *     approx     delta0 + (1 - delta0) [e^eps0 - e^eps]_+
 *                / (e^eps0 + 1)                                  X004-GEN
 *
 * (as written for eps >= 0).
 */
scaled profile_delta(const profile *p, ball eps);

/* The profile at distance k >= 1, white box: k theta; response as it is;
 * (k eps0, delta0 (e^(k eps0) - 1)/(e^eps0 - 1)), at most 1 [X004-GW.dp]. */
profile profile_of_group(const profile *p, double k);

/*
 * delta_k at eps >= 0. Black box:
 *
 *     (e^eps - 1) delta(eps/k) / (e^(eps/k) - 1), at most 1; at eps = 0
 *     k delta(0)                                               [T004-GB]
 *
 * Never falls with k.
 */
scaled profile_group_delta(
    const profile *p, profile_group group, double k, ball eps);

/*
 * The least black-box delta_k over [0, eps], eps >= 0: valid at eps too, as
 * delta_k never rises, and less where the formula does [X004-GB.mono].
 *
 * width  a few units in the last place; some 1e-13 relative where the least
 *        lies inside (profile_least.c)
 */
scaled profile_group_least(const profile *p, double k, ball eps);

/*
 * The least eps >= 0 with delta(eps) <= delta: +inf where there is none. The
 * target is given with its logarithm.
 */
dosi_interval profile_epsilon(const profile *p, ball delta, ball log_delta);

/* The least eps with delta(eps) = 0; +inf where there is none. */
ball profile_end(const profile *p);

/* What delta never falls below: delta0 of an approx profile, else 0. */
ball profile_floor(const profile *p);

/* (e^(k eps) - 1)/(e^eps - 1), k at eps = 0: how delta grows over k steps
 * (T004-GB.pair). */
scaled profile_steps(double k, ball eps);

#endif
