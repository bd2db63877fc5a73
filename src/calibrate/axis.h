/*
 * The numbers that may fill a hole, counted by ordinals: the doubles of the
 * parameter's range, or its integers. A search for the last safe number runs
 * over these ordinals and ends at two neighbours, one safe and the other not.
 */
#ifndef DOSI_CALIBRATE_AXIS_H
#define DOSI_CALIBRATE_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/hole.h"

typedef struct axis {
    dosi_kind kind;
    size_t parameter;
    const char *name; /* of the parameter */
    bool is_whole;
    bool safe_up;      /* a greater number never loses more privacy */
    int64_t low, high; /* ordinals of the range's ends */
    double start;      /* a number that is often safe; where searches begin */
} axis;

/*
 * The axis of the plan's hole.
 *
 * fails  DOSI_EINVAL for a plan without a hole, DOSI_EUNSUPPORTED for a
 *        parameter of which neither side is the safe one
 */
DOSI_CHECK dosi_status axis_of(
    axis *out, const dosi_plan *plan, dosi_error *err);

/* The number at an ordinal of the range. */
double axis_value(const axis *a, int64_t at);

/* The ordinal nearest to x, within the range. */
int64_t axis_ordinal(const axis *a, double x);

/* The end of the range on the safe side, or on the unsafe side. */
int64_t axis_end(const axis *a, bool safe);

/* The next ordinal towards the safe or the unsafe side. It may lie outside of
 * the range. */
int64_t axis_next(const axis *a, int64_t at, bool safe);

/* The ordinal at a factor exp(|step|) from at, on the safe side if step < 0;
 * never at itself, and within the range. */
int64_t axis_move(const axis *a, int64_t at, double step);

/* An ordinal between two, near their geometric mean.
 * requires  |from - to| >= 2 */
int64_t axis_middle(const axis *a, int64_t from, int64_t to);

/* +-log(value), with the sign that makes it rise towards the unsafe side; -inf
 * or inf for 0. Not certified. */
double axis_log(const axis *a, int64_t at);

#endif
