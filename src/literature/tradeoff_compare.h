/*
 * Named trade-off functions, on a sample of fixed size or not, and which of
 * two lies above the other. Derivation: docs/theory/tradeoff.md, section 2.
 */
#ifndef DOSI_LITERATURE_TRADEOFF_COMPARE_H
#define DOSI_LITERATURE_TRADEOFF_COMPARE_H

#include "tradeoff_curve.h"

typedef enum curve_family {
    CURVE_GAUSS,  /* G_mu, parameter mu */
    CURVE_APPROX, /* f_{eps,delta}, parameter eps */
    CURVE_LAPLACE /* parameter distance / scale */
} curve_family;

/* C_rate of a curve; that of rate 1 is the curve itself. All are symmetric. */
typedef struct curve {
    curve_family family;
    double parameter; /* >= 0 */
    double delta;     /* of CURVE_APPROX, in [0, 1] */
    double rate;      /* in [0, 1] */
} curve;

/* Whether f >= g on [0, 1], so that f-DP implies g-DP: T001-T2. */
verdict curve_dominates(curve f, curve g);

#endif
