/*
 * The Gaussian hockey stick in plain doubles, for sums of many: some 50 ns
 * instead of 1.5 us. Derivation: docs/theory/gaussian.md, section 8.
 */
#ifndef DOSI_REPR_GAUSSIAN_QUICK_H
#define DOSI_REPR_GAUSSIAN_QUICK_H

#include "num/dball.h"

/*
 * delta of the pair N(mu, 1), N(0, 1) at a = eps/mu - mu/2, any real eps: for
 * every a of the ball and every mu within 2^-51 of the one given, relatively.
 *
 * width  2^-44 relative where (|a| + 2) a.rad is below 2^-48; unknown for
 *        |a| > 2^25, mu outside of 1e-150 .. 2^25
 */
dscaled gauss_quick_delta(ball a, double mu);

#endif
