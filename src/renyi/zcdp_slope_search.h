/*
 * The least slope above the Rényi curve of a pair of laws: a supremum over
 * all orders, certified. Between two orders the curve is below what a
 * parabola through the cumulant t D_{1+t} gives, beyond the last one below
 * its limit; intervals that cannot hold the supremum are dropped, the others
 * halved. Derivation: docs/theory/concentrated.md.
 */
#ifndef DOSI_RENYI_ZCDP_SLOPE_SEARCH_H
#define DOSI_RENYI_ZCDP_SLOPE_SEARCH_H

#include <stddef.h>

#include "base/error.h"
#include "num/ball.h"

/* D at an order >= 1: that of one pair of laws, so that (order - 1) D is
 * a cumulant function in the order. */
typedef ball (*order_divergence)(ball order, const void *context);

typedef struct order_curve {
    order_divergence divergence;
    const void *context;
    ball limit;   /* D at infinite order, finite */
    double range; /* >= greatest loss - least loss */
    size_t max_evaluations;
} order_curve;

/*
 * The least rho >= 0 with D <= xi + rho order at every order >= 1:
 * sup (D - xi) / order.
 *
 * width  near 1e-12 relative; wider when max_evaluations are spent
 * fails  DOSI_ENOMEM
 */
dosi_status order_least_rho(
    dosi_interval *out, const order_curve *curve, ball xi, dosi_error *err);

#endif
