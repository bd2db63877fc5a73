/*
 * The laws of integer noise, as certified enclosures. With X standard normal
 * or Laplace(1) and K symmetric around 0:
 *
 *     rounded Gaussian    K = round(s X)
 *     rounded Laplace     K = round(s X)
 *     discrete Gaussian   P[K = k] ~ exp(-k^2 / (2 s^2))
 *     discrete Laplace    P[K = k] ~ exp(-|k| / s)
 *
 * Derivations: docs/theory/release_laws.md.
 */
#ifndef DOSI_RELEASE_LAWS_INTEGER_LAW_H
#define DOSI_RELEASE_LAWS_INTEGER_LAW_H

#include "base/error.h"
#include "dosimeter/release.h"
#include "num/ball.h"

/* Scales outside of this range are unknown here. */
#define INTEGER_LAW_MIN_SCALE 0x1p-60
#define INTEGER_LAW_MAX_SCALE 0x1p60

/*
 * log P[K = k], log P[K >= k] and the variance of K.
 *
 * requires  the scale exact, in the range above; else unknown
 * width     a radius of about 1e-27 (1 + |log|); the variance 1e-27 relative
 * cost      at most about 800 terms; no allocation
 */
ball integer_law_log_pmf(dosi_noise_law law, double scale, int64_t k);
ball integer_law_log_tail(dosi_noise_law law, double scale, int64_t k);
ball integer_law_variance(dosi_noise_law law, double scale);

/* P[K = k] and P[K >= k] themselves: about 1e-27 relative as long as they
 * are normal doubles; [0, tiny] below. */
ball integer_law_pmf(dosi_noise_law law, double scale, int64_t k);
ball integer_law_tail(dosi_noise_law law, double scale, int64_t k);

/* >= P[K >= k], and <= 1. */
double integer_law_tail_upper(dosi_noise_law law, double scale, int64_t k);

/*
 * The smallest a >= 0 with P[|K| > a] <= beta, certified: a real beta is
 * given by a double that is not above it.
 *
 * requires  2^-60 <= scale <= 2^50, 0 < beta_lower < 1
 * fails     DOSI_EINVAL for a scale or beta out of range
 */
dosi_status integer_law_half_width(int64_t *out, dosi_noise_law law,
    double scale, double beta_lower, dosi_error *err);

/*
 * The smallest tau with d <= most, where d >= P[m + K >= tau] is the
 * enclosure's upper end.
 *
 * requires  2^-60 <= scale <= 2^50, |m| <= 2^61, 0 < most < 1
 * fails     DOSI_EINVAL for a value out of range
 */
dosi_status integer_law_threshold(int64_t *tau, double *d, dosi_noise_law law,
    double scale, int64_t m, double most, dosi_error *err);

#endif
