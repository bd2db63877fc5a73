/*
 * Mutual information of the input and the output of a mechanism, in nats: upper
 * bounds for a line of zCDP, and the exact value for randomized response.
 * Derivation: docs/theory/concentrated.md, section 5.
 */
#ifndef DOSI_LITERATURE_MUTUAL_INFORMATION_H
#define DOSI_LITERATURE_MUTUAL_INFORMATION_H

#include "zcdp_line.h"

/* The bound for n rows of any joint law: xi n (1 + log n) + rho n^2, or
 * xi n + rho n^2 for xi < 0. */
ball information_bound(cdp_line line, double n);

/*
 * The information of randomized response of one fair bit, with x = eps:
 * x tanh(x/2) / 2 - log cosh(x/2) <= log 2, even in x.
 *
 * source  D003-6.2
 */
ball information_of_response(ball eps);

/*
 * The information of n independent randomized responses of one fair bit:
 * E[information_of_response(eps (n - 2 J))], J binomial(n, 1/(1+e^eps)).
 *
 * cost  O(sqrt n) terms; unknown if more than 2^20 are needed
 */
ball information_of_copies(ball eps, double n);

#endif
