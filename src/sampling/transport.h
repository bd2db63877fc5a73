/*
 * Optimal transport between two finite laws, certified from both sides: a
 * flow found in double-double gives an upper bound, the prices beside it a
 * lower one. Derivation: docs/theory/couplings.md, section 7.
 */
#ifndef DOSI_SAMPLING_TRANSPORT_H
#define DOSI_SAMPLING_TRANSPORT_H

#include <stddef.h>

#include "dosimeter.h"
#include "num/ball.h"

/* Masses are >= 0 and of equal sums; outcomes of mass exactly 0 are not
 * there. cost[i * n_to + j] is in [0, 1]. All borrowed. */
typedef struct transport {
    const ball *from;
    size_t n_from;
    const ball *to;
    size_t n_to;
    const ball *cost;
} transport;

/* Entries of the largest table. */
#define TRANSPORT_MAX_COSTS ((size_t)1 << 20)

/*
 * min over couplings of the mean cost [T004-5c].
 *
 * width  near 1e-28 for exact costs of like size
 * cost   some n_from + n_to searches over the table
 * fails  DOSI_ENOMEM; DOSI_EUNABLE above TRANSPORT_MAX_COSTS
 */
dosi_status transport_least(
    dosi_interval *out, const transport *x, dosi_error *err);

/* sum_i from(i) min_j cost(i, j): what it would be if everybody found the
 * nearest partner, never above [T004-7]. */
ball transport_nearest(const transport *x);

/*
 * Whether a coupling exists under which every outcome finds a nearest
 * partner, that is one of least distance [T004-COMPAT]: that moves all but
 * 1e-12 of the mass. distance is laid out like cost; +inf is allowed.
 *
 * fails  as transport_least; DOSI_EUNABLE too when that cannot be told
 */
dosi_status transport_compatible(
    bool *out, const transport *x, const double *distance, dosi_error *err);

#endif
