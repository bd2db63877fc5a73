/*
 * Runs of Poisson samples of mechanisms of bounded range e, each chosen with
 * all earlier answers in view: the greatest delta that k of them have
 * together, a record being removed or added, from both sides. One more run is
 * the greatest of chords that a parameter chooses, as for range_runs.h; here
 * all of them are tried. Derivation: docs/theory/bounded_range.md.
 */
#ifndef DOSI_REPR_RANGE_SAMPLED_H
#define DOSI_REPR_RANGE_SAMPLED_H

#include "base/error.h"
#include "base/work_limits.h"
#include "num/ball.h"

typedef struct range_sampled range_sampled;

/*
 * requires  0 < e, 0 < rate < 1, k a whole number, 2 <= k; limits, or NULL, are
 *           borrowed
 * owns      *out, freed with range_sampled_free; NULL after a failure
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status range_sampled_new(range_sampled **out, ball e,
    double rate, double k, work_limits *limits, dosi_error *err);
void range_sampled_free(range_sampled *r); /* accepts NULL */

/*
 * log delta at any real epsilon, as narrowly as some tenths of a second allow.
 *
 * fails  DOSI_EUNABLE where there are too many runs, it was stopped, the
 *        memory is too little or e too great or too small; DOSI_ENOMEM. Then
 *        *out is all that may be.
 */
DOSI_CHECK dosi_status range_sampled_log_delta(dosi_interval *out,
    const range_sampled *r, ball eps, bool add, dosi_error *err);

/* Smallest eps >= 0 with delta(eps) <= exp(log_delta); fails likewise. */
DOSI_CHECK dosi_status range_sampled_epsilon(dosi_interval *out,
    const range_sampled *r, ball log_delta, bool add, dosi_error *err);

#endif
