/*
 * Information: what the output of a mechanism tells about its input, in
 * nats. Upper bounds for a line of zCDP, and the exact mutual information of
 * randomized response. Derivations: docs/theory/concentrated.md.
 */
#ifndef DOSI_LITERATURE_MUTUAL_INFORMATION_H
#define DOSI_LITERATURE_MUTUAL_INFORMATION_H

#include "zcdp_line.h"

/* xi n (1 + log n) + rho n^2 for n rows of any law; xi n + rho n^2 for
 * xi < 0. With the harmonic number in place of 1 + log n: sharper. */
ball information_bound(cdp_line line, double n);
ball information_bound_harmonic(cdp_line line, double n);

/* (xi + rho) n for n independent rows. */
ball information_bound_independent(cdp_line line, ball n);

/* One fair bit through randomized response:
 * x tanh(x/2) / 2 - log cosh(x/2) <= log 2, even in x. */
ball information_of_response(ball eps);

/*
 * A fair bit copied n times, each copy through randomized response:
 * E[information_of_response(eps (n - 2 J))], J binomial(n, 1/(1+e^eps)).
 *
 * cost  O(sqrt n) terms; unknown where more than 2^20 would be needed
 */
ball information_of_copies(ball eps, double n);

#endif
