/*
 * The rules of list parameters: what makes a pair of weights, or the points
 * of a loss law.
 */
#ifndef DOSI_PLAN_LISTS_H
#define DOSI_PLAN_LISTS_H

#include "plan.h"

/* How far the masses of a law may sum to more than 1, by rounding. */
#define LISTS_SUM_SLACK 1e-9

/*
 * Passes over kinds without lists.
 *
 * fails  DOSI_EINVAL with the index of the culprit in *culprit
 */
DOSI_CHECK dosi_status dosi_lists_check(
    const plan_spec *spec, size_t *culprit, dosi_error *err);

#endif
