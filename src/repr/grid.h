/*
 * Loss laws composed on a lattice: log delta, epsilon and the trade-off of
 * one ordered pair of neighbours, enclosed, for any mixture of laws. Refines
 * itself to the width that the limits ask for, within their memory, and ends
 * with what is certain so far when they say stop. Derivation:
 * docs/theory/grid.md.
 */
#ifndef DOSI_REPR_GRID_H
#define DOSI_REPR_GRID_H

#include "base/error.h"
#include "base/work_limits.h"
#include "loss.h"

/* Runs on a lattice beyond which the transform loses too many digits. */
#define GRID_MAX_COUNT 200000.0

/* How many there are, at the least. */
double grid_runs(const loss *parts, size_t n);

/*
 * Encloses log delta at epsilon; [-inf, -inf] where delta is 0.
 *
 * requires  n >= 1 laws as loss.h says, epsilon finite; limits or NULL
 * width     as the limits ask, relative to delta, where attainable
 * fails     DOSI_ENOMEM; DOSI_EUNABLE when nothing was certified
 */
DOSI_CHECK dosi_status grid_log_delta(dosi_interval *out, const loss *parts,
    size_t n, double epsilon, work_limits *limits, dosi_error *err);

/* Encloses the logarithm of the mass at +inf, below which no delta falls. */
dosi_interval grid_log_floor(const loss *parts, size_t n);

/* Encloses the smallest epsilon >= 0 with delta(epsilon) <= exp(log_delta),
 * +inf where there is none. */
DOSI_CHECK dosi_status grid_epsilon(dosi_interval *out, const loss *parts,
    size_t n, ball log_delta, work_limits *limits, dosi_error *err);

/* Encloses the least P[accept Q] of a test with Q[reject Q] <= alpha in
 * [0, 1]. */
DOSI_CHECK dosi_status grid_tradeoff(dosi_interval *out, const loss *parts,
    size_t n, double alpha, work_limits *limits, dosi_error *err);

#endif
