/*
 * The lines of zCDP above the largest Rényi curve of eps-DP, that of randomized
 * response. D is concave in the order, so the least intercept for a slope is
 * attained where D' equals the slope. Derivation: docs/theory/concentrated.md,
 * section 2.
 */
#ifndef DOSI_LITERATURE_ZCDP_LINE_RESPONSE_H
#define DOSI_LITERATURE_ZCDP_LINE_RESPONSE_H

#include "num/ball.h"

/*
 * The least xi >= 0 for which every eps-DP mechanism is (xi, rho)-zCDP, at
 * rho = share eps tanh(eps/2): sup over orders of D - rho order. It is eps
 * at share = 0 and 0 from share = 1 on.
 *
 * requires  eps >= 0, share >= 0
 * width     near 1e-15 relative
 */
dosi_interval response_least_xi(ball eps, ball share);

#endif
