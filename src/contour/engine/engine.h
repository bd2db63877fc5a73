/*
 * The spectral route: the privacy profile of a whole plan, in one direction,
 * as a contour integral of its moment function, by the trapezoid rule with
 * every error bounded. The cost does not depend on how often a part runs.
 * Derivation: docs/theory/contour.md.
 */
#ifndef DOSI_CONTOUR_ENGINE_ENGINE_H
#define DOSI_CONTOUR_ENGINE_ENGINE_H

#include "base/work_limits.h"
#include "loss/loss_law.h"

/* One direction of a plan, ready for questions. */
typedef struct contour_engine contour_engine;

/*
 * Takes n laws, whose descriptions must live as long as it, as must limits
 * (NULL: the defaults). *out is NULL without an error when some law has no
 * moment function here.
 *
 * owns   *out, freed with engine_free
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status engine_new(contour_engine **out, const loss_law *laws,
    size_t n, work_limits *limits, dosi_error *err);
void engine_free(contour_engine *s); /* accepts NULL */

/*
 * Encloses log delta at any real epsilon. The interval is honest however it
 * comes out; it is [-inf, 0] when no contour within the limits was found.
 *
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status engine_log_delta(
    dosi_interval *out, contour_engine *s, double epsilon, dosi_error *err);

/* log delta near an epsilon that was asked for last, as far as its contour
 * tells.
 *
 * requires  no mass at +inf */
dosi_interval engine_read_again(const contour_engine *s, double epsilon);

/* Encloses the smallest epsilon >= 0 with delta(epsilon) <= delta, given
 * with its logarithm; [0, inf] when nothing could be certified. */
DOSI_CHECK dosi_status engine_epsilon(dosi_interval *out, contour_engine *s,
    ball delta, ball log_delta, dosi_error *err);

/* Whether delta(epsilon) <= delta for certain, at a fraction of the cost of
 * either value; false also where that would not be cheap to tell. */
DOSI_CHECK dosi_status engine_is_within(bool *out, contour_engine *s,
    double epsilon, ball delta, ball log_delta, dosi_error *err);

/* The bounds of pairs that were asked before, the worst of which counts: an
 * error of which it is enough to know that this pair has no less, or 1, and
 * the epsilon where that was seen, or NaN. */
typedef struct tradeoff_known {
    double enough, epsilon;
} tradeoff_known;

/* Encloses the smallest type II error of a test of Q against P with type I
 * error alpha in (0, 1); the upper end is 1 where the lower one is enough.
 * rival->epsilon receives where either was seen. */
DOSI_CHECK dosi_status engine_tradeoff(dosi_interval *out,
    tradeoff_known *rival, contour_engine *s, double alpha, dosi_error *err);

/* How many pairs of nodes one contour may take, and how wide log delta may be
 * so that no other contour is tried; 0: the default. */
void engine_set_max_cost(contour_engine *s, double pairs);
void engine_set_enough(contour_engine *s, double width);

/* log P[L = +inf], below which no delta falls. */
dosi_interval engine_log_floor(const contour_engine *s);

#endif
