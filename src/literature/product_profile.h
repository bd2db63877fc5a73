/*
 * Profiles of compositions of two different laws (T001-D5): the mean of one
 * profile over the loss of the other, delta(eps) = E_Q[delta_g(eps - L)].
 * Derivation: docs/theory/tradeoff.md, section 7.
 */
#ifndef DOSI_LITERATURE_PRODUCT_PROFILE_H
#define DOSI_LITERATURE_PRODUCT_PROFILE_H

#include "num/ball.h"

/* mu-GDP with (eps0, delta0)-DP, any real eps; mu > 0. */
ball product_gauss_approx(ball mu, ball eps0, ball delta0, ball eps);

/* Two Laplace laws, in closed form; eps >= 0. */
ball product_laplace_laplace(ball a, ball b, ball eps);

#endif
