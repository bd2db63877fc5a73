/*
 * Privacy amplification of whole profiles: the delta of a mechanism run on a
 * sample, at the epsilon asked for, from the profile of the mechanism. Each
 * theorem names its sampler, the relation of the base and that of the whole
 * (R: one record added or removed; S: one substituted):
 *
 *     theorem            sampler             base  whole  direction
 *     AMPLIFY_POISSON    Poisson             R     R      upper, attained
 *     AMPLIFY_ADD        Poisson             R     R      exact, adding only
 *     AMPLIFY_WITHOUT    without replacement S     S      upper, attained
 *     AMPLIFY_WITH       with replacement    S     S, R   upper, attained
 *     AMPLIFY_SHARP      Poisson             S     S      upper, attained
 *     AMPLIFY_SPLIT      Poisson             S     S      upper
 *     AMPLIFY_HYBRID     Poisson             R     S      upper
 *
 * Derivation: docs/theory/couplings.md, sections 3 to 5.
 */
#ifndef DOSI_SAMPLING_AMPLIFY_PROFILE_H
#define DOSI_SAMPLING_AMPLIFY_PROFILE_H

#include "base/work_limits.h"
#include "noise/base_profile.h"

typedef enum amplify_theorem {
    AMPLIFY_POISSON, /* T004-8: gamma delta(eps) */
    AMPLIFY_ADD,     /* X004-8.add: c delta(log(e^eps' gamma/c)),
                      * c = 1 - (1 - gamma) e^eps'; 0 if c <= 0 */
    AMPLIFY_WITHOUT, /* T004-9: (m/n) delta(eps) */
    AMPLIFY_WITH,    /* T004-10, T004-11: sum_k Bin(k; m, 1/n) delta_k(eps) */
    AMPLIFY_SHARP,   /* X004-PS.sharp: sum_k Bin(k; n, gamma) (k/n)
                      * delta(log(1 + (n/k)(e^eps' - 1))) */
    AMPLIFY_SPLIT,   /* X004-PS.split */
    AMPLIFY_HYBRID   /* X004-PS.ra: gamma ((1-beta) delta_1(eps)
                      * + beta delta_2(eps)) */
} amplify_theorem;

/* eps = log(1 + (e^eps' - 1)/eta) throughout, eta the rate below. */
typedef struct amplified {
    amplify_theorem theorem;
    base_profile base;
    base_profile_group group; /* of AMPLIFY_WITH */
    double n;            /* records: WITHOUT, WITH, SHARP, SPLIT */
    double m;            /* draws: WITHOUT, WITH */
    ball gamma;          /* rate: the others */
    work_limits *limits; /* of sums; NULL: none */
} amplified;

/* eta, the total variation between the samplings of two neighbours: gamma,
 * m/n or 1 - (1 - 1/n)^m. */
ball amplified_rate(const amplified *a);

/* 1 - (1 - 1/n)^m */
ball amplify_rate_with_replacement(double n, double m);

/* eps' of a base eps and back, exactly eps at rate 1; 0 < rate <= 1. */
ball amplify_map(ball rate, ball eps);
ball amplify_map_back(ball rate, ball eps_out);

/* beta = eta + (1 - eta) e^-eps and 1 - beta. */
ball amplify_beta(ball rate, ball eps);
ball amplify_one_minus_beta(ball rate, ball eps);

/*
 * delta' at eps' >= 0 (curve form). Parts below e^log_floor may be charged
 * instead of summed: -inf for relative accuracy at any size.
 */
scaled amplified_delta(const amplified *a, ball eps_out, double log_floor);

/* delta' beside eps' = amplify_map(rate, eps), at the base's eps (pair form);
 * of POISSON, WITHOUT, WITH and HYBRID. */
scaled amplified_delta_at_base(const amplified *a, ball eps, double log_floor);

/*
 * The least eps' >= 0 with delta' <= delta, +inf where there is none; delta
 * is given with its logarithm.
 */
dosi_interval amplified_epsilon(const amplified *a, ball delta, ball log_delta);

/* ---- Plans, rounded to the safe side by the caller --------------------- */

/* The largest gamma in (0, 1] of AMPLIFY_POISSON with delta' <= delta at
 * eps' > 0. */
dosi_interval amplify_gamma(const base_profile *base, ball eps_out, ball delta);

/* The largest m with delta' <= delta at eps' of WITHOUT or WITH: 0 where
 * there is none, +inf above 2^40. */
dosi_interval amplify_draws(const amplified *a, ball eps_out, ball delta);

#endif
