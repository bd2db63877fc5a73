/*
 * Means over a binomial law, tilted or not,
 *
 *     sum_k C(n,k) p^k q^(n-k) e^(k lift - k^2 bend/2) t(k),
 *
 * for terms 0 <= t(k) <= 1 that never fall with k. Sums stop on what is
 * left, never on the weight: the weights are log-concave, so that beyond k
 * they are at most those of a geometric series. Derivation:
 * docs/theory/couplings.md, section 4.
 */
#ifndef DOSI_SPECIAL_BINOMIAL_MEAN_H
#define DOSI_SPECIAL_BINOMIAL_MEAN_H

#include "base/work_limits.h"
#include "binomial.h"
#include "num/scaled.h"

typedef struct binomial_mix {
    double n; /* a whole number >= 0 */
    ball_coin coin;
    ball lift;
    ball bend; /* >= 0 */
    work_limits *limits; /* of the sums, or NULL; a sum that they stop is
                            unknown */
} binomial_mix;

/* t(k), relative accuracy; exactly 0 where it is 0. */
typedef scaled (*binomial_term)(double k, const void *context);

/* n draws, each of which meets a given one of size >= 1 with probability
 * 1/size; or is taken with probability rate in [0, 1]. */
binomial_mix binomial_mix_of_size(double n, double size);
binomial_mix binomial_mix_of_rate(double n, ball rate);

/* log of the weight of k. */
ball binomial_mix_log_weight(const binomial_mix *mix, double k);

/* About the k of the largest weight. Steers. */
double binomial_mix_mode_approx(const binomial_mix *mix);

/* log of w(k+1)/w(k), falling in k. Steers. */
double binomial_mix_log_ratio_approx(const binomial_mix *mix, double k);

#define BINOMIAL_MIX_TERMS ((size_t)1 << 20)

/*
 * The sum over k = first .. n. What is below e^log_floor may be left out,
 * and is then charged: -inf for relative accuracy throughout.
 *
 * width  near 2^-70 relative
 * cost   one term each for some 20 deviations of the law; unknown above
 *        BINOMIAL_MIX_TERMS
 */
scaled binomial_mix_sum(const binomial_mix *mix, double first,
    binomial_term term, const void *context, double log_floor);

#endif
