/*
 * Loss laws as lists of positive masses, composed directly: log delta,
 * epsilon and the trade-off of one ordered pair of neighbours, enclosed, for
 * any mixture of laws. No transform and no tilt takes part, so nothing
 * cancels. The work is bounded before it starts and ends early at the width
 * that the limits ask for.
 * Derivation: docs/theory/list.md.
 */
#ifndef DOSI_LIST_LIST_H
#define DOSI_LIST_LIST_H

#include "base/error.h"
#include "base/work_limits.h"
#include "loss/loss_law.h"

/* The smallest log delta that lists answer: smaller masses are lost, with a
 * common factor taken out of all of them. */
#define LIST_MIN_LOG_DELTA (-1380.0)

/*
 * Encloses log delta at epsilon; [-inf, -inf] where delta is 0.
 *
 * requires  n >= 1 laws as loss.h says, epsilon finite; limits or NULL
 * width     as the limits ask, relative to delta, where attainable
 * cost      about 1e8 operations at the default width
 * fails     DOSI_ENOMEM; DOSI_EUNABLE when nothing was certified
 */
DOSI_CHECK dosi_status list_log_delta(dosi_interval *out, const loss_law *parts,
    size_t n, double epsilon, work_limits *limits, dosi_error *err);

/*
 * Whether delta at epsilon is certainly at most exp(log_delta). It takes less
 * work than the value, unless both are close.
 *
 * requires  as list_log_delta
 * fails     as list_log_delta
 */
DOSI_CHECK dosi_status list_is_within(bool *out, const loss_law *parts,
    size_t n, double epsilon, ball log_delta, work_limits *limits,
    dosi_error *err);

/* Encloses the logarithm of the mass at +inf, below which no log delta
 * falls. */
dosi_interval list_log_floor(const loss_law *parts, size_t n);

/*
 * Encloses the smallest epsilon >= 0 with delta(epsilon) <= exp(log_delta),
 * +inf if there is none.
 *
 * requires  as list_log_delta
 * width     as the limits ask, relative to epsilon, where attainable
 * fails     as list_log_delta
 */
DOSI_CHECK dosi_status list_epsilon(dosi_interval *out, const loss_law *parts,
    size_t n, ball log_delta, work_limits *limits, dosi_error *err);

/*
 * Encloses the least P[accept Q] of a test with Q[reject Q] <= alpha.
 *
 * requires  as list_log_delta, alpha in [0, 1]
 * fails     as list_log_delta
 */
DOSI_CHECK dosi_status list_tradeoff(dosi_interval *out, const loss_law *parts,
    size_t n, double alpha, work_limits *limits, dosi_error *err);

#endif
