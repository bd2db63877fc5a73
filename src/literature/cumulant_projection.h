/*
 * The largest cumulant below given bounds: with bounds K(x_i) <= k_i at points
 * x_i >= 0, the lower convex hull of (0, 0) and the points is above every
 * convex K with K(0) = 0 that satisfies them. It tightens bounds that are not
 * convex, or not 0 at 0. Derivation: docs/theory/without_replacement.md,
 * section 5 (P002-24).
 */
#ifndef DOSI_LITERATURE_CUMULANT_PROJECTION_H
#define DOSI_LITERATURE_CUMULANT_PROJECTION_H

#include <stddef.h>

#include "base/error.h"
#include "num/ball.h"

/*
 * The hull at a point; unknown outside [0, the last point]. A point at x = 0
 * counts as (0, 0); bounds of +inf are ignored.
 *
 * requires  points in increasing order of x
 * fails     DOSI_EINVAL for points out of order or below 0 and for bounds that
 *           are negative or unknown
 * cost      O(n) for each chord that the search tries, of which there are few
 * source    P002-24
 */
DOSI_CHECK dosi_status projection_at(ball *out, const double *x, const ball *k,
    size_t n, ball at, dosi_error *err);

/*
 * The index of the first of n equally spaced values, preceded by 0, at which
 * the second difference is certainly negative; n if there is none.
 *
 * source  P002-24
 */
size_t projection_first_dent(const ball *k, size_t n);

#endif
