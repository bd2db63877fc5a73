/*
 * Event trees of Google's dp_accounting: JSON objects with class_name and the
 * fields of the class. The classes are a column of the kind table.
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
 * sensitivity k, and of other noise one whose noise_multiplier is divided by
 * k and rounded down.
 *
 * An event's noise is relative to the norm of one record, and replacing a
 * record may move a sum by twice that norm. If the plan's distance is that of a
 * record replaced (in a plan that holds batches drawn without replacement, and
 * inside of batches of fixed size), group(k, noise) is therefore an event for
 * ceil(k/2) records: group(2, noise) is an event with that noise, and noise
 * without a group becomes an event that loses more. If the event is read
 * as relative to the distance itself, as dp_accounting's RDP accountant does,
 * it loses no less than the plan, either.
 *
 * fails  DOSI_EUNSUPPORTED naming the part that has no event
 */
DOSI_CHECK dosi_status dosi_sink_events(
    const sink *to, const dosi_plan *plan, dosi_error *err);

#endif
