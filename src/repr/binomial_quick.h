/*
 * The means of binomial_mix.h in plain doubles: weights as double-doubles,
 * terms as num/dball.h, all relative to where the walk starts. Twelve digits,
 * some 80 ns a term of Gaussian noise. Derivation: docs/theory/couplings.md,
 * section 4.
 */
#ifndef DOSI_REPR_BINOMIAL_QUICK_H
#define DOSI_REPR_BINOMIAL_QUICK_H

#include "binomial_mix.h"
#include "num/dball.h"

/* The relative radius that is still given. */
#define QUICK_WIDEST_SUM 0x1p-42

typedef struct quick_mix {
    const binomial_mix *mix;
    double first; /* the sum is over k = first .. n */
    double start; /* where the walk starts: near the largest weight */
    dscaled (*term)(double k, const void *context);
    const void *context;
    bool is_concave; /* log t(k) is concave in k; else 0 <= t <= 1 rises */
} quick_mix;

/*
 * The sum; unknown where it would be wider than QUICK_WIDEST_SUM, where the
 * coin always shows one side, and beyond the range of doubles around the
 * start. The mean of k under the terms goes to mean_approx unless NULL.
 *
 * requires  first <= start <= n
 */
scaled quick_mix_sum(const quick_mix *q, double *mean_approx);

/* Whether a probability and one less it are both that narrow, so that its
 * logarithm is: else balls are asked. */
bool quick_mix_is_narrow(scaled probability);

#endif
