/*
 * The exact distance of n-fold randomised response, eps = mu/sqrt(n), from its
 * Gaussian limit G_mu. Derivation: docs/theory/tradeoff.md,
 * section 4.
 */
#ifndef DOSI_LITERATURE_RESPONSE_LIMIT_H
#define DOSI_LITERATURE_RESPONSE_LIMIT_H

#include "num/ball.h"

typedef struct response_gap {
    ball shift; /* least e with G(a+e)-e <= f(a) <= G(a-e)+e for all a */
    ball over;  /* sup (f - G) */
    ball under; /* sup (G - f) */
} response_gap;

/*
 * requires  mu >= 0, n >= 1 whole
 * cost      some 5 sqrt(n) cells; all unknown if more than 2^17 are needed
 * source    T001-X2, T001-T8
 */
response_gap response_gap_of(ball mu, double n);

#endif
