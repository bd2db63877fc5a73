/*
 * The lines above the worst Rényi curve of eps-DP, which is that of
 * randomized response: D concave in the order, so that the least intercept
 * for a slope is found where D' equals it. Derivation:
 * docs/theory/concentrated.md.
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
