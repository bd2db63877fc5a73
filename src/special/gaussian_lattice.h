/*
 * Sums of exp(-j^2 / (2 sigma^2)) over the integers: term by term with a
 * geometric remainder, by Euler-Maclaurin with a Cauchy bound where the
 * lattice is fine, and over all integers by Poisson summation. Derivation:
 * docs/theory/account.md, "Discrete Gaussian".
 */
#ifndef DOSI_SPECIAL_GAUSSIAN_LATTICE_H
#define DOSI_SPECIAL_GAUSSIAN_LATTICE_H

#include "num/ball.h"

typedef struct gaussian_lattice {
    ball v;       /* 1/sigma^2 */
    ball sigma;
    double s;     /* sigma as a double: steers */
    ball log_all; /* log of the sum over all j of exp(-j^2 v/2) */
} gaussian_lattice;

/* requires  2^-980 <= variance <= 2^120 */
gaussian_lattice gaussian_lattice_of(ball variance);

/*
 * sum over j >= m of exp(-(j^2 - m^2) / (2 sigma^2)).
 *
 * requires  m >= 0 an integer, exact
 * cost      at most about 800 terms
 */
ball gaussian_lattice_tail(const gaussian_lattice *l, ball m);

/* log of the part of the whole sum that belongs to j >= m, m >= 0. */
ball gaussian_lattice_log_share(const gaussian_lattice *l, ball m);

#endif
