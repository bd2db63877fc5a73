/*
 * The Laplace mechanism: noise of scale b on answers that differ by at most
 * their L1 distance; a = distance / b. Its loss lies in [-a, a], with atoms
 * at both ends, and is the same in both directions. Derivation:
 * docs/theory/account.md, "Laplace".
 */
#ifndef DOSI_NOISE_LAPLACE_H
#define DOSI_NOISE_LAPLACE_H

#include <stddef.h>

#include "num/ball.h"

/*
 * Encloses log delta at any real epsilon:
 *
 *     delta = 0 above a,  1 - exp((eps - a)/2) on [-a, a],  1 - e^eps below.
 *
 * requires  a >= 0
 * width     at exact arguments rad <= 2^-95 |log delta|
 * fails     unknown if eps may lie on either side of a
 * source    [BBG18] Thm 3
 */
ball laplace_log_delta(ball a, ball eps);

/*
 * Encloses the smallest eps >= 0 with that log delta: max(0, a + 2 log(1 -
 * delta)).
 *
 * requires  log_delta < 0
 */
dosi_interval laplace_epsilon(ball a, ball log_delta);

/*
 * Encloses the smallest type II error at type I error alpha in [0, 1]:
 *
 *     1 - e^a alpha up to e^-a/2,  e^-a/(4 alpha) up to 1/2,
 *     e^-a (1 - alpha) above.
 */
dosi_interval laplace_tradeoff(ball a, double alpha);

/*
 * The epsilon of the randomized response that the sign of the noise's centre
 * makes of a Laplace release,
 *
 *     log((1 - e^(-a/2)/2) / (e^(-a/2)/2)) = log(2 e^(a/2) - 1) <= a,
 *
 * which bounds any composition from below (post-processing).
 */
ball laplace_binary_epsilon(ball a);

/*
 * The law on a lattice, as losses with the logarithms of their P-masses.
 *
 * Pessimistic: the profile joined by chords in e^eps at -a + 2 a i/m, i = 0..m,
 * which dominates it. With r = e^(-a/m) the P-masses are e^-a/(1+r) and 1/(1+r)
 * at the ends, e^((l-a)/2) (1-r)/(1+r) between: exactly discrete Laplace noise
 * of unit loss a/m at shift m. m + 1 entries.
 *
 * Optimistic: outcomes merged over m equal cells of the loss, the two atoms
 * kept; the loss of a cell is its middle. m + 2 entries.
 */
void laplace_lattice_above(ball *loss, ball *log_mass, size_t m, ball a);
void laplace_lattice_below(ball *loss, ball *log_mass, size_t m, ball a);

#endif
