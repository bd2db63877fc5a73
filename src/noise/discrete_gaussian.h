/*
 * The discrete Gaussian: integer noise with Pr[j] proportional to exp(-j^2 / (2
 * sigma^2)), on integer answers that differ by a shift. Its loss lies on a
 * lattice and has the same law in both directions; sums over the lattice are
 * direct with a geometric remainder, or Euler-Maclaurin with a Cauchy bound on
 * fine lattices. Derivation: docs/theory/account.md, "Discrete Gaussian".
 */
#ifndef DOSI_NOISE_DISCRETE_GAUSSIAN_H
#define DOSI_NOISE_DISCRETE_GAUSSIAN_H

#include <stddef.h>

#include "num/ball.h"

/*
 * Encloses log delta at any real epsilon: the log of
 *
 *     sum over j with L(j) > eps of P(j) (1 - exp(eps - L(j))),
 *     L(j) = shift (2 j - shift) / (2 variance),  P centred at shift.
 *
 * requires  variance > 0, shift >= 1 an integer
 * width     about 1e-28 sigma / shift relative
 * cost      at most about 700 terms a tail; no allocation
 * fails     unknown beyond sigma = 2^40 and if the lattice index exceeds 2^50
 */
ball discrete_gaussian_log_delta(ball variance, double shift, ball eps);

/*
 * The sum of k discrete Gaussians of sigma is nearly a discrete Gaussian of
 * sigma sqrt(k): an upper bound of the greatest |log| of the ratio of their
 * masses; inf if the bound is of no use.
 */
double discrete_gaussian_sum_distance(double sigma, double k);

/*
 * Encloses the Renyi divergence of order a > 1:
 *
 *     a shift^2 / (2 sigma^2) + log(theta(a shift) / theta(0)) / (a - 1),
 *     theta(f) = sum_j exp(-(j - f)^2 / (2 sigma^2)).
 *
 * It is at most its first term, with equality if a shift is an integer.
 */
ball discrete_gaussian_renyi(double sigma, double shift, ball order);

/*
 * The epsilon of a randomized response that post-processes the release: the
 * test "j >= (shift + 1)/2" for an odd shift; 0 for an even shift.
 */
ball discrete_gaussian_binary_epsilon(double sigma, double shift);

/*
 * The number of points of a window of reach sigmas on either side of the middle
 * of the law, 0 if that exceeds 8192; and the atoms on it: losses in increasing
 * order with the logarithms of their P-masses. The second function returns the
 * mass outside, enclosed from 0, which P and Q share.
 *
 * requires  n as discrete_gaussian_window returns it, n > 0
 */
size_t discrete_gaussian_window(double sigma, double shift, double reach);
ball discrete_gaussian_atoms(ball *loss, ball *log_mass, size_t n,
    double sigma, double shift, double reach);

/* Reaches that leave out a mass of 1e-60, and less than the least double. */
#define DISCRETE_GAUSSIAN_REACH 17.0
#define DISCRETE_GAUSSIAN_FULL_REACH 39.0

#endif
