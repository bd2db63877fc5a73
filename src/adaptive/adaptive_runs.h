/*
 * Composition of k adaptively chosen mechanisms of bounded range, or of Poisson
 * samples of them: enclosures of the greatest delta and of epsilon, with a
 * record removed or added. As a function of e^epsilon each run takes the upper
 * envelope of chords. Without sampling there is a closed form from epsilon =
 * (k-1) e on; else a lattice is made when a query needs it. Derivation:
 * docs/theory/adaptive.md.
 */
#ifndef DOSI_ADAPTIVE_ADAPTIVE_RUNS_H
#define DOSI_ADAPTIVE_ADAPTIVE_RUNS_H

#include "base/error.h"
#include "base/work_limits.h"
#include "num/ball.h"

/* The greatest number of runs without sampling. */
#define ADAPTIVE_RUNS_MAX 2048.0

/* k runs of range e, each on a Poisson sample of the given rate. */
typedef struct adaptive_class {
    ball e;
    double rate; /* 1: without sampling, and the profile is symmetric */
    double k;
} adaptive_class;

typedef struct adaptive_grid adaptive_grid;
typedef struct adaptive_runs adaptive_runs;

/*
 * A description of k runs; the lattice is made by the first query.
 *
 * requires  0 < e, 0 < rate <= 1, k a whole number, 2 <= k, and k <=
 *           ADAPTIVE_RUNS_MAX if rate is 1; limits, or NULL, are borrowed
 * owns      *out, freed with adaptive_runs_free; NULL after a failure
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status adaptive_runs_new(adaptive_runs **out,
    const adaptive_class *of, work_limits *limits, dosi_error *err);
void adaptive_runs_free(adaptive_runs *r); /* accepts NULL */

/* The class that r was made for; borrowed from r. */
const adaptive_class *adaptive_runs_class(const adaptive_runs *r);

/*
 * Encloses log delta at any real epsilon; [-inf, -inf] if delta is 0. After a
 * failure *out is still a valid enclosure.
 *
 * width     work_width(limits) if the limits allow; else wider
 * cost      up to 4 lattices, of up to 5e8 operations each without sampling and
 *           9e9 with, times 16 if a width below the default is wanted
 * fails     DOSI_EUNABLE if there are too many runs, the work was stopped, the
 *           memory is too little or e is too great or too small; DOSI_ENOMEM
 */
DOSI_CHECK dosi_status adaptive_runs_log_delta(dosi_interval *out,
    const adaptive_runs *r, ball eps, bool add, dosi_error *err);

/* Encloses the smallest eps >= 0 with delta(eps) <= exp(log_delta). Width, cost
 * and failures are those of adaptive_runs_log_delta. */
DOSI_CHECK dosi_status adaptive_runs_epsilon(dosi_interval *out,
    const adaptive_runs *r, ball log_delta, bool add, dosi_error *err);

/*
 * Makes the lattice that reaches a delta of about e^-300.
 *
 * requires  rate = 1
 * owns      *out is borrowed from r, up to its next query; NULL after a failure
 * fails     as adaptive_runs_log_delta
 */
DOSI_CHECK dosi_status adaptive_runs_lattice(
    const adaptive_grid **out, const adaptive_runs *r, dosi_error *err);

#endif
