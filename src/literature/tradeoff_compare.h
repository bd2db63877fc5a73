/*
 * Named trade-off functions, on a fixed-size sample or not, and the decision
 * whether one lies above another. Derivation: docs/theory/tradeoff.md, section
 * 2.
 */
#ifndef DOSI_LITERATURE_TRADEOFF_COMPARE_H
#define DOSI_LITERATURE_TRADEOFF_COMPARE_H

#include "tradeoff_curve.h"

typedef enum curve_family {
    CURVE_GAUSS,  /* G_mu, parameter mu */
    CURVE_APPROX, /* f_{eps,delta}, parameter eps */
    CURVE_LAPLACE /* parameter distance / scale */
} curve_family;

/* C_rate of a named curve, the curve itself at rate 1. All are symmetric. */
typedef struct curve {
    curve_family family;
    double parameter; /* >= 0 */
    double delta;     /* of CURVE_APPROX, in [0, 1] */
    double rate;      /* in [0, 1] */
} curve;

/*
 * Whether f >= g on [0, 1], so that f-DP implies g-DP.
 *
 * source    T001-T2; docs/theory/tradeoff.md, section 2
 */
verdict curve_dominates(curve f, curve g);

#endif
