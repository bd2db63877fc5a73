/*
 * Profiles of compositions of two different laws (T001-D5): the mean of one
 * profile over the loss of the other, delta(eps) = E_Q[delta_g(eps - L)].
 * Derivation: docs/theory/tradeoff.md, section 7.
 */
#ifndef DOSI_LITERATURE_PRODUCT_PROFILE_H
#define DOSI_LITERATURE_PRODUCT_PROFILE_H

#include "num/ball.h"

/*
 * delta of mu-GDP composed with (eps0, delta0)-DP, at any real eps.
 *
 * requires  mu > 0
 * source    T001-D5
 */
ball product_gauss_approx(ball mu, ball eps0, ball delta0, ball eps);

/*
 * delta of two Laplace laws, in closed form.
 *
 * requires  eps >= 0
 * source    T001-D5
 */
ball product_laplace_laplace(ball a, ball b, ball eps);

#endif
