/*
 * Runs of mechanisms of bounded range e, each chosen with all earlier answers
 * in view: the greatest delta that k of them have together, from both sides.
 * As a function of e^epsilon one more run is the upper envelope of chords
 * whose ends are a factor e^e apart. Derivation: docs/theory/bounded_range.md.
 */
#ifndef DOSI_REPR_RANGE_RUNS_H
#define DOSI_REPR_RANGE_RUNS_H

#include <stddef.h>

#include "base/error.h"
#include "base/work_limits.h"
#include "num/ball.h"

/* More runs than that are not composed here. */
#define RANGE_RUNS_MAX 512.0

typedef struct range_runs range_runs;

/*
 * As narrow as the limits ask for, or as some tenths of a second allow.
 *
 * requires  0 < e, k a whole number, 2 <= k <= RANGE_RUNS_MAX
 * owns      *out, freed with range_runs_free; NULL after a failure
 * fails     DOSI_EUNABLE where it was stopped, the memory is too little or e
 *           too great or too small; DOSI_ENOMEM
 */
DOSI_CHECK dosi_status range_runs_new(range_runs **out, ball e, double k,
    work_limits *limits, dosi_error *err);
void range_runs_free(range_runs *r);

/* log delta at any real epsilon; [-inf, -inf] where delta is 0. */
dosi_interval range_runs_log_delta(const range_runs *r, ball eps);

/* Smallest eps >= 0 with delta(eps) <= exp(log_delta). */
dosi_interval range_runs_epsilon(const range_runs *r, ball log_delta);

/* The i-th of the points from 0 on between which delta was made, up to the
 * last one, beyond which it is 0 or less than anybody asks for; delta there,
 * from above. */
size_t range_runs_last(const range_runs *r);
double range_runs_point(const range_runs *r, size_t i);
double range_runs_upper(const range_runs *r, size_t i);

#endif
