/*
 * The profile of Gaussian and Poisson-sampled Gaussian parts, composed, as a
 * table: certain values at knots, found by contours, and between them what
 * convexity says, since delta is convex as a function of e^x. Knots are added
 * where a caller finds that they matter. Derivation: docs/theory/grid.md,
 * section 10.
 */
#ifndef DOSI_REPR_PROFILE_TABLE_H
#define DOSI_REPR_PROFILE_TABLE_H

#include "base/work_limits.h"
#include "loss.h"

typedef struct profile_table profile_table;

/* Whether a law can be a part of one. */
bool profile_table_takes(const loss *part);

/*
 * Takes n such laws, none being nothing at all. Knots reach as far as the profile exceeds
 * e^log_least, or is not 1 - e^x to many digits. *out is NULL without an error
 * where no contour says so.
 *
 * owns   *out, freed with profile_table_free; limits must live as long
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status profile_table_new(profile_table **out,
    const loss *laws, size_t n, double log_least, work_limits *limits,
    dosi_error *err);
void profile_table_free(profile_table *t); /* accepts NULL */

/* From the last knot on delta is at most what it is there, e^log_least or
 * less. */
double profile_table_last(const profile_table *t);

/* Intervals between knots, counted from 1, with 0 below the first knot and
 * the last above all of them. */
size_t profile_table_intervals(const profile_table *t);

/* The interval of x, from any one on: the last asked for, mostly. */
size_t profile_table_find(const profile_table *t, size_t near, double x);

/* delta at x, within its interval, and roughly -d delta/dx. */
typedef struct profile_value {
    double lo, hi;
    double fall;
} profile_value;

profile_value profile_table_at(
    const profile_table *t, size_t interval, double x);

/* Where the test that is best at x rejects all of Q's mass b: e^x b, which is
 * -d delta/dx. Above the last knot none is to reject anything. */
dosi_interval profile_table_paid(
    const profile_table *t, size_t interval, double x);

/* Puts knots into every interval so that it falls into as many parts, where
 * that is 2 or more. *added says whether there was room for any.
 *
 * fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status profile_table_split(profile_table *t,
    const unsigned *parts, bool *added, dosi_error *err);

#endif
