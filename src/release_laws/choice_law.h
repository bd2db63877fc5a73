/*
 * The laws of private choices: how likely each candidate is. Distances are
 * integers d_i >= 0 from the best score, one of them 0, and
 * rate = epsilon/(2 Delta), or epsilon/Delta for monotone scores.
 * Derivations: docs/theory/release_laws.md.
 */
#ifndef DOSI_RELEASE_LAWS_CHOICE_LAW_H
#define DOSI_RELEASE_LAWS_CHOICE_LAW_H

#include <stddef.h>

#include "base/error.h"
#include "num/ball.h"

/* Candidates of permute-and-flip, whose law takes n^2/2 steps. */
#define CHOICE_MAX_FLIPS 8192

/* Exponential mechanism: exp(-rate d_i) / sum over j of exp(-rate d_j). */
ball choice_exponential(const double *distance, size_t n, ball rate, size_t i);

/*
 * Permute-and-flip: p_i E[1 / (1 + B)], p_j = exp(-rate d_j), where B is the
 * number of heads among the coins p_j, j != i.
 *
 * requires  n <= CHOICE_MAX_FLIPS
 * width     1e-26 relative
 * fails     DOSI_ENOMEM
 * source    [MS20]
 */
dosi_status choice_permute_and_flip(ball *out, const double *distance,
    size_t n, ball rate, size_t i, dosi_error *err);

/*
 * The distances of candidates for the a/b-quantile of data: the score of x is
 * -|(b - a) #(data below x) - a #(data above x)|.
 *
 * requires  1 <= n_data, n; b n_data <= 2^53
 * fails     DOSI_ENOMEM
 */
dosi_status choice_quantile_distances(double *distance,
    const double *candidate, size_t n, const double *data, size_t n_data,
    double a, double b, dosi_error *err);

/* Randomized response keeps the truth: e^eps / (e^eps + categories - 1). */
ball choice_response_keep(ball epsilon, double categories);

/* Digit i >= 0 after the point of a rate in [0, 1], base 256, exactly. The
 * rate 1 has the first digit 256: every byte is below it. */
int choice_rate_digit(double rate, size_t i);

#endif
