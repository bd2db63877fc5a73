/*
 * Optimal transport between two finite laws, certified from both sides: a flow
 * computed in double-doubles gives an upper bound, its dual prices a lower
 * one. Derivation: docs/theory/couplings.md, section 7.
 */
#ifndef DOSI_SAMPLING_TRANSPORT_H
#define DOSI_SAMPLING_TRANSPORT_H

#include <stddef.h>

#include "dosimeter.h"
#include "num/ball.h"

/* Masses are >= 0 and have equal sums; outcomes of mass exactly 0 are ignored.
 * cost[i * n_to + j] is in [0, 1]. All arrays are borrowed. */
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
 * Encloses the minimum over couplings of the mean cost [T004-5c].
 *
 * width  near 1e-28 for exact costs of similar size
 * cost   some n_from + n_to searches over the table
 * fails  DOSI_ENOMEM; DOSI_EUNABLE above TRANSPORT_MAX_COSTS
 */
dosi_status transport_least(
    dosi_interval *out, const transport *x, dosi_error *err);

/*
 * sum_i from(i) min_j cost(i, j), a lower bound of the minimum: equal to it if
 * all outcomes can be coupled to nearest partners at once [T004-7].
 *
 * source  T004-7
 */
ball transport_nearest(const transport *x);

/*
 * Whether some coupling moves all mass, except for at most 1e-12, to partners
 * of least distance [T004-COMPAT]. distance has the layout of cost; +inf is
 * allowed.
 *
 * fails  as transport_least; DOSI_EUNABLE if the question stays undecided
 */
dosi_status transport_compatible(
    bool *out, const transport *x, const double *distance, dosi_error *err);

#endif
