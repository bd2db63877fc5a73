/*
 * The discrete Gaussian: integer noise with Pr[j] proportional to
 * exp(-j^2 / (2 sigma^2)), on integer answers that differ by a shift. Its
 * loss lives on a lattice and is the same in both directions; sums over the
 * lattice are direct with a geometric remainder, or Euler-Maclaurin with a
 * Cauchy bound where the lattice is fine. Derivation:
 * docs/theory/account.md, "Discrete Gaussian".
 */
#ifndef DOSI_NOISE_DISCRETE_GAUSSIAN_H
#define DOSI_NOISE_DISCRETE_GAUSSIAN_H

#include <stddef.h>

#include "num/ball.h"

/*
 * log delta at any real epsilon: the log of
 *
 *     sum over j with L(j) > eps of P(j) (1 - exp(eps - L(j))),
 *     L(j) = shift (2 j - shift) / (2 variance),  P centred at shift.
 *
 * requires  variance > 0, shift >= 1 an integer
 * width     about 1e-28 sigma / shift relative
 * cost      at most about 700 terms a tail; no allocation
 * fails     unknown beyond sigma = 2^40 and where the lattice index exceeds
 *           2^50
 */
ball discrete_gaussian_log_delta(ball variance, double shift, ball eps);

/*
 * The sum of k discrete Gaussians of sigma is nearly one of sigma sqrt(k):
 * at least the greatest |log| of the ratio of their masses; inf where the
 * bound says nothing.
 */
double discrete_gaussian_sum_distance(double sigma, double k);

/*
 * Renyi divergence of order a > 1:
 *
 *     a shift^2 / (2 sigma^2) + log(theta(a shift) / theta(0)) / (a - 1),
 *     theta(f) = sum_j exp(-(j - f)^2 / (2 sigma^2)).
 *
 * Never above its first term, and equal to it where a shift is an integer.
 */
ball discrete_gaussian_renyi(double sigma, double shift, ball order);

/*
 * The test "j >= (shift + 1)/2" turns an odd shift into randomized response
 * with this epsilon (post-processing); 0 for an even shift.
 */
ball discrete_gaussian_binary_epsilon(double sigma, double shift);

/*
 * The law on a window of reach sigmas on either side of its middle: losses in
 * increasing order with the logarithms of their P-masses. Returns the mass
 * outside, enclosed from 0; it is the same for P and Q.
 *
 * n  as discrete_gaussian_window says, which is 0 where that exceeds 8192
 */
size_t discrete_gaussian_window(double sigma, double shift, double reach);
ball discrete_gaussian_atoms(ball *loss, ball *log_mass, size_t n,
    double sigma, double shift, double reach);

/* Reaches that leave out 1e-60, and less than the least double. */
#define DISCRETE_GAUSSIAN_REACH 17.0
#define DISCRETE_GAUSSIAN_FULL_REACH 39.0

#endif
