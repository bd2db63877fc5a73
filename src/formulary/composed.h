/*
 * Profiles of compositions of loss laws for rows of the formulary, by the
 * engines that answer plans: a contour (contour/engine/engine.h), and lists of
 * masses (list/list.h) if the contour leaves the answer wide, as for few runs
 * of sampled laws.
 */
#ifndef DOSI_FORMULARY_COMPOSED_H
#define DOSI_FORMULARY_COMPOSED_H

#include "list/list.h"

/*
 * Encloses log delta at eps within [-inf, 0], and the least epsilon >= 0 at
 * delta within [0, inf].
 *
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status composed_log_delta(dosi_interval *out,
    const loss_law *laws, size_t n, double eps, dosi_error *err);
DOSI_CHECK dosi_status composed_epsilon(dosi_interval *out,
    const loss_law *laws, size_t n, ball delta, dosi_error *err);

/* Encloses delta within [0, 1], given log delta. */
dosi_interval composed_delta_of(dosi_interval log_delta);

#endif
