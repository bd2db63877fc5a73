/*
 * The contour engine: the privacy profile of a whole plan, in one direction, as
 * a contour integral of its moment function, by the trapezoid rule with every
 * error bounded. The cost does not depend on how often a part runs.
 * Derivation: docs/theory/contour.md.
 */
#ifndef DOSI_CONTOUR_ENGINE_ENGINE_H
#define DOSI_CONTOUR_ENGINE_ENGINE_H

#include "base/work_limits.h"
#include "loss/loss_law.h"

/* One direction of a plan, ready for questions. */
typedef struct contour_engine contour_engine;

/*
 * Makes an engine of n laws. *out is NULL without an error if some law has no
 * moment function here.
 *
 * requires  the laws' descriptions and limits (NULL: the defaults) outlive *out
 * owns      *out, freed with engine_free
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status engine_new(contour_engine **out, const loss_law *laws,
    size_t n, work_limits *limits, dosi_error *err);
void engine_free(contour_engine *s); /* accepts NULL */

/*
 * Encloses log delta at any real epsilon. The interval is always a valid
 * enclosure; it is [-inf, 0] if no contour within the limits was found.
 *
 * width  not bounded; contours aim at half the width of the limits
 * cost   contours until log delta is as narrow as engine_set_target_width
 *        asks; a contour takes at most the pairs of engine_set_max_cost
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status engine_log_delta(
    dosi_interval *out, contour_engine *s, double epsilon, dosi_error *err);

/*
 * Encloses log delta at an epsilon by the contours that earlier questions have
 * built, and builds none; narrow near the epsilons of these questions.
 *
 * requires  no mass at +inf
 * cost      a few operations for each term of a contour
 */
dosi_interval engine_read_kept(const contour_engine *s, double epsilon);

/*
 * Encloses the smallest epsilon >= 0 with delta(epsilon) <= delta; [0, inf] if
 * nothing could be certified.
 *
 * requires  log_delta encloses the logarithm of delta
 * width     not bounded; contours aim at the relative width of the limits
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status engine_epsilon(dosi_interval *out, contour_engine *s,
    ball delta, ball log_delta, dosi_error *err);

/*
 * Whether delta(epsilon) <= delta for certain; false also if that cannot be
 * shown at a fraction of the cost of the value.
 *
 * requires  log_delta encloses the logarithm of delta
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status engine_is_within(bool *out, contour_engine *s,
    double epsilon, ball delta, ball log_delta, dosi_error *err);

/* The worst bound of pairs that were asked before: an error such that the value
 * of a pair does not matter if it is certainly no smaller, or 1; and the
 * epsilon where that was found, or NaN. */
typedef struct tradeoff_known {
    double threshold, epsilon;
} tradeoff_known;

/*
 * Encloses the smallest type II error of a test of Q against P with type I
 * error alpha. If the lower end reaches the threshold, the upper end may be 1.
 * known->epsilon receives the epsilon near the maximum.
 *
 * requires  alpha in (0, 1)
 * cost      one contour for each epsilon that the search visits
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status engine_tradeoff(dosi_interval *out,
    tradeoff_known *known, contour_engine *s, double alpha, dosi_error *err);

/* Set how many pairs of nodes one contour may take, and the width of log delta
 * at which no other contour is tried; 0: the default. */
void engine_set_max_cost(contour_engine *s, double pairs);
void engine_set_target_width(contour_engine *s, double width);

/* Encloses log P[L = +inf], below which no log delta falls. */
dosi_interval engine_log_floor(const contour_engine *s);

#endif
