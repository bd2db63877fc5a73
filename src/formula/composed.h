/*
 * Rows over runs of one loss law: where a contour leaves the answer wide, as
 * for few runs, lists of masses (list/list.h) say more.
 */
#ifndef DOSI_FORMULA_COMPOSED_H
#define DOSI_FORMULA_COMPOSED_H

#include "list/list.h"

/* Narrows what a contour has found; that lists find nothing is no failure.
 * fails  DOSI_ENOMEM */
DOSI_CHECK dosi_status composed_log_delta(
    dosi_interval *known, const loss *one, double eps, dosi_error *err);
DOSI_CHECK dosi_status composed_epsilon(
    dosi_interval *known, const loss *one, ball log_delta, dosi_error *err);

#endif
