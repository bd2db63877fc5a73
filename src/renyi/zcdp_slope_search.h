/*
 * The least rho for which a line xi + rho order lies above the Rényi curve of
 * a pair of laws: a certified supremum over all orders. Between two orders the
 * curve is bounded by a parabola through the cumulant t D_{1+t}, beyond the
 * last one by its limit; intervals that cannot contain the supremum are
 * dropped, the others halved. Derivation: docs/theory/concentrated.md,
 * section 3.
 */
#ifndef DOSI_RENYI_ZCDP_SLOPE_SEARCH_H
#define DOSI_RENYI_ZCDP_SLOPE_SEARCH_H

#include <stddef.h>

#include "base/error.h"
#include "num/ball.h"

/* D of one pair of laws at an order >= 1; (order - 1) D is then the cumulant
 * generating function of the loss. */
typedef ball (*order_divergence)(ball order, const void *context);

typedef struct order_curve {
    order_divergence divergence;
    const void *context;
    ball limit;   /* D at infinite order, finite */
    double range; /* >= greatest loss - least loss */
    size_t max_evaluations;
} order_curve;

/*
 * Encloses the least rho >= 0 with D <= xi + rho order at every order >= 1:
 * sup (D - xi) / order.
 *
 * requires  curve->range is at least the largest minus the smallest loss
 * width     near 1e-12 relative; wider when max_evaluations are spent
 * cost      about max_evaluations values of D at most
 * fails     DOSI_ENOMEM
 */
dosi_status order_least_rho(
    dosi_interval *out, const order_curve *curve, ball xi, dosi_error *err);

#endif
