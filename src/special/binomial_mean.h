/*
 * Means over a binomial law, tilted or not,
 *
 *     sum_k C(n,k) p^k q^(n-k) e^(k lift - k^2 bend/2) t(k),
 *
 * for terms 0 <= t(k) <= 1 that never fall with k. A bound of the remainder
 * ends the sums, never the weight alone: the weights are log-concave, so that
 * beyond k they are at most those of a geometric series. Derivation:
 * docs/theory/couplings.md, section 4.
 */
#ifndef DOSI_SPECIAL_BINOMIAL_MEAN_H
#define DOSI_SPECIAL_BINOMIAL_MEAN_H

#include "base/work_limits.h"
#include "binomial.h"
#include "num/scaled.h"

typedef struct binomial_mix {
    double n; /* an integer >= 0 */
    ball_coin coin;
    ball lift;
    ball bend; /* >= 0 */
    /* of the sums, or NULL; a sum that they stop is unknown */
    work_limits *limits;
} binomial_mix;

/* t(k) with relative accuracy; exactly 0 if it is 0. */
typedef scaled (*binomial_term)(double k, const void *context);

/* The law of n draws, each of which is a given one of size >= 1 with
 * probability 1/size; or of n records, each sampled with probability rate in
 * [0, 1]. */
binomial_mix binomial_mix_of_size(double n, double size);
binomial_mix binomial_mix_of_rate(double n, ball rate);

/* Encloses log of the weight of k. */
ball binomial_mix_log_weight(const binomial_mix *mix, double k);

/* Estimates the k of the largest weight; no guarantee. */
double binomial_mix_mode_approx(const binomial_mix *mix);

/* Estimates log of w(k+1)/w(k), falling in k; no guarantee. */
double binomial_mix_log_ratio_approx(const binomial_mix *mix, double k);

#define BINOMIAL_MIX_TERMS ((size_t)1 << 20)

/*
 * Encloses the sum over k = first .. n. Parts below e^log_floor may be left
 * out, and are then charged; -inf gives relative accuracy throughout.
 *
 * width     near 2^-70 relative
 * cost      one term for each k within some 20 standard deviations; unknown
 *           above BINOMIAL_MIX_TERMS terms
 */
scaled binomial_mix_sum(const binomial_mix *mix, double first,
    binomial_term term, const void *context, double log_floor);

#endif
