/*
 * Privacy amplification of whole profiles: delta of a mechanism run on a
 * sample, at a given epsilon, from the profile of the mechanism (the base).
 * Each theorem has its sampler, the neighbouring relation of the base and that
 * of the whole (R: one record added or removed; S: one substituted):
 *
 *     theorem            sampler             base  whole  direction
 *     AMPLIFY_POISSON    Poisson             R     R      upper, attained
 *     AMPLIFY_ADD        Poisson             R     R      exact, base against
 *                                                         mixture
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

/* A theorem with its base and sampler. Everywhere eps = log(1 + (e^eps' -
 * 1)/eta), eta = amplified_rate. */
typedef struct amplified {
    amplify_theorem theorem;
    base_profile base;
    base_profile_group group; /* used by WITH */
    double n;            /* records; used by WITHOUT, WITH, SHARP, SPLIT */
    double m;            /* draws; used by WITHOUT, WITH */
    ball gamma;          /* rate; used by all but WITHOUT and WITH */
    work_limits *limits; /* of the binomial sums; NULL: none */
} amplified;

/* The total variation eta between the samplings of two neighbours: gamma, m/n
 * or 1 - (1 - 1/n)^m. */
ball amplified_rate(const amplified *a);

/* 1 - (1 - 1/n)^m */
ball amplify_rate_with_replacement(double n, double m);

/*
 * The map eps' = log(1 + rate (e^eps - 1)) and its inverse; the identity,
 * exactly, at rate 1.
 *
 * requires  0 < rate <= 1
 */
ball amplify_map(ball rate, ball eps);
ball amplify_map_back(ball rate, ball eps_out);

/*
 * beta = rate + (1 - rate) e^-eps, and 1 - beta without cancellation.
 *
 * source  T004-2
 */
ball amplify_beta(ball rate, ball eps);
ball amplify_one_minus_beta(ball rate, ball eps);

/*
 * delta' as a function of eps'.
 *
 * requires  eps_out >= 0
 * width     sums below e^log_floor may be charged instead of computed; -inf
 *           for relative accuracy at any size
 * cost      one value of the base, two for HYBRID; a binomial sum of
 *           values for WITH, SHARP, SPLIT, within a->limits
 */
scaled amplified_delta(const amplified *a, ball eps_out, double log_floor);

/*
 * delta' at eps' = amplify_map(rate, eps), as a function of the base's eps.
 *
 * requires  POISSON, WITHOUT, WITH or HYBRID
 */
scaled amplified_delta_at_base(const amplified *a, ball eps, double log_floor);

/*
 * The smallest eps' >= 0 with delta' <= delta; +inf if there is none.
 *
 * requires  log_delta encloses the logarithm of delta
 */
dosi_interval amplified_epsilon(const amplified *a, ball delta, ball log_delta);

/* ---- Inverses in the rate and the number of draws ---------------------- */

/*
 * Encloses the largest gamma in (0, 1] for which AMPLIFY_POISSON has
 * delta' <= delta at eps' > 0; the caller rounds to the safe side.
 *
 * source  T004-8
 */
dosi_interval amplify_gamma(const base_profile *base, ball eps_out, ball delta);

/*
 * Encloses the largest m for which delta' <= delta at eps'; 0 if there is none,
 * +inf above 2^40.
 *
 * requires  WITHOUT or WITH
 */
dosi_interval amplify_draws(const amplified *a, ball eps_out, ball delta);

#endif
