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
typedef struct spectral spectral;

/*
 * Takes n laws, whose descriptions must live as long as it, as must limits
 * (NULL: the defaults). *out is NULL without an error when some law has no
 * moment function here.
 *
 * owns   *out, freed with spectral_free
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status spectral_new(spectral **out, const loss *laws,
    size_t n, work_limits *limits, dosi_error *err);
void spectral_free(spectral *s); /* accepts NULL */

/*
 * Encloses log delta at any real epsilon. The interval is honest however it
 * comes out; it is [-inf, 0] when no contour within the limits was found.
 *
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status spectral_log_delta(
    dosi_interval *out, spectral *s, double epsilon, dosi_error *err);

/* log delta near an epsilon that was asked for last, as far as its contour
 * tells.
 *
 * requires  no mass at +inf */
dosi_interval spectral_read_again(const spectral *s, double epsilon);

/* Encloses the smallest epsilon >= 0 with delta(epsilon) <= delta, given
 * with its logarithm; [0, inf] when nothing could be certified. */
DOSI_CHECK dosi_status spectral_epsilon(dosi_interval *out, spectral *s,
    ball delta, ball log_delta, dosi_error *err);

/* Whether delta(epsilon) <= delta for certain, at a fraction of the cost of
 * either value; false also where that would not be cheap to tell. */
DOSI_CHECK dosi_status spectral_is_within(bool *out, spectral *s,
    double epsilon, ball delta, ball log_delta, dosi_error *err);

/* What is known of pairs that were asked before, the worst of which counts: an
 * error of which it is enough to know that this pair has no less, or 1, and
 * the epsilon where that was seen, or NaN. */
typedef struct spectral_rival {
    double enough, epsilon;
} spectral_rival;

/* Encloses the smallest type II error of a test of Q against P with type I
 * error alpha in (0, 1); the upper end is 1 where the lower one is enough.
 * rival->epsilon receives where either was seen. */
DOSI_CHECK dosi_status spectral_tradeoff(dosi_interval *out,
    spectral_rival *rival, spectral *s, double alpha, dosi_error *err);

/* How many pairs of nodes one contour may take, and how wide log delta may be
 * so that no other contour is tried; 0: the default. */
void spectral_set_max_cost(spectral *s, double pairs);
void spectral_set_enough(spectral *s, double width);

/* log P[L = +inf], below which no delta falls. */
dosi_interval spectral_log_floor(const spectral *s);

#endif
