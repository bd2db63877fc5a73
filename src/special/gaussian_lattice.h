/*
 * Sums of exp(-j^2 / (2 sigma^2)) over the integers: term by term with a
 * geometric remainder, by Euler-Maclaurin with a Cauchy bound on a fine
 * lattice, and over all integers by Poisson summation. Derivation:
 * docs/theory/account.md, "Discrete Gaussian".
 */
#ifndef DOSI_SPECIAL_GAUSSIAN_LATTICE_H
#define DOSI_SPECIAL_GAUSSIAN_LATTICE_H

#include "num/ball.h"

typedef struct gaussian_lattice {
    ball v; /* 1/sigma^2 */
    ball sigma;
    double s;     /* sigma as a double, for choices */
    ball log_all; /* log of the sum over all j of exp(-j^2 v/2) */
} gaussian_lattice;

/*
 * Prepares the sums.
 *
 * requires  2^-980 <= variance <= 2^120
 */
gaussian_lattice gaussian_lattice_of(ball variance);

/*
 * Encloses the sum over j >= m of exp(-(j^2 - m^2) / (2 sigma^2)).
 *
 * requires  m >= 0 an integer, exact
 * cost      at most about 800 terms
 */
ball gaussian_lattice_tail(const gaussian_lattice *l, ball m);

/*
 * Encloses log of the share of j >= m in the sum over all j.
 *
 * requires  m >= 0 an integer, exact
 */
ball gaussian_lattice_log_share(const gaussian_lattice *l, ball m);

#endif
