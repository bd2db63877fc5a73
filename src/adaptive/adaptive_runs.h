/*
 * Runs of mechanisms of bounded range, each chosen with all earlier answers in
 * view, or of Poisson samples of them: the greatest delta that k of them have
 * together, a record being removed or added, from both sides. As a function of
 * e^epsilon one run more is the greatest of chords. Without sampling there is a
 * closed form from epsilon = (k-1) e on; else a lattice is laid when it is
 * asked for, as far as the question needs it. Derivation:
 * docs/theory/adaptive.md.
 */
#ifndef DOSI_ADAPTIVE_ADAPTIVE_RUNS_H
#define DOSI_ADAPTIVE_ADAPTIVE_RUNS_H

#include "base/error.h"
#include "base/work_limits.h"
#include "num/ball.h"

/* More runs than that are not composed here, unless they are sampled. */
#define ADAPTIVE_RUNS_MAX 2048.0

/* k runs of range e, each of a Poisson sample of that rate. */
typedef struct adaptive_class {
    ball e;
    double rate; /* 1: not sampled, which is symmetric */
    double k;
} adaptive_class;

typedef struct adaptive_grid adaptive_grid;
typedef struct adaptive_runs adaptive_runs;

/*
 * requires  0 < e, 0 < rate <= 1, k a whole number, 2 <= k, and k <=
 *           ADAPTIVE_RUNS_MAX if rate is 1; limits, or NULL, are borrowed
 * owns      *out, freed with adaptive_runs_free; NULL after a failure
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status adaptive_runs_new(adaptive_runs **out,
    const adaptive_class *of, work_limits *limits, dosi_error *err);
void adaptive_runs_free(adaptive_runs *r); /* accepts NULL */

const adaptive_class *adaptive_runs_class(const adaptive_runs *r);

/*
 * log delta at any real epsilon; [-inf, -inf] where delta is 0. This and what
 * follows is as narrow as the limits ask for, or as some tenths of a second
 * allow.
 *
 * fails  DOSI_EUNABLE where there are too many runs, it was stopped, the
 *        memory is too little or e too great or too small; DOSI_ENOMEM. Then
 *        *out is what is known, or all that may be.
 */
DOSI_CHECK dosi_status adaptive_runs_log_delta(dosi_interval *out,
    const adaptive_runs *r, ball eps, bool add, dosi_error *err);

/* Smallest eps >= 0 with delta(eps) <= exp(log_delta); fails likewise. */
DOSI_CHECK dosi_status adaptive_runs_epsilon(dosi_interval *out,
    const adaptive_runs *r, ball log_delta, bool add, dosi_error *err);

/* A lattice that goes on to e^-300, or further than anybody asks for; fails
 * likewise, with NULL. requires  rate 1 */
DOSI_CHECK dosi_status adaptive_runs_lattice(
    const adaptive_grid **out, const adaptive_runs *r, dosi_error *err);

#endif
