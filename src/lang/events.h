/*
 * The event trees of Google's dp_accounting, as JSON objects with class_name
 * and the fields of the class.
 */
#ifndef DOSI_LANG_EVENTS_H
#define DOSI_LANG_EVENTS_H

#include "print.h"

/*
 * Writes the event tree. Two classes keep a parameter in another unit:
 *     DiscreteLaplaceDpEvent     noise_parameter = 1 / scale
 *     RandomizedResponseDpEvent  noise_parameter = p, num_buckets = k with
 *                                exp(epsilon) = 1 + k (1 - p) / p
 * There it is rounded so that the event loses no less privacy than the plan.
 * pure(0) is a NoOpDpEvent; group(k, noise) of integer noise is an event with
 * sensitivity k.
 *
 * fails  DOSI_EUNSUPPORTED naming the part that has no event
 */
DOSI_CHECK dosi_status dosi_sink_events(
    const sink *to, const dosi_plan *plan, dosi_error *err);

#endif
