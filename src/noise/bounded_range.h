/*
 * The exponential mechanism as the class of mechanisms of bounded range: for
 * every neighbouring pair the loss lies in an interval of length e. The law
 * below dominates the class, at every composition, and each of its profile
 * values is attained by a member. Derivation: docs/theory/account.md,
 * "Bounded range".
 */
#ifndef DOSI_NOISE_BOUNDED_RANGE_H
#define DOSI_NOISE_BOUNDED_RANGE_H

#include <stddef.h>

#include "num/ball.h"

/*
 * Encloses log delta at any real epsilon:
 *
 *     delta = (1 - exp((eps - e)/2))^2 / (1 - exp(-e)) on [-e, e],
 *     0 above, 1 - e^eps below.
 *
 * requires  e > 0
 * width     at exact arguments rad <= 2^-93 |log delta|, |eps| <= e
 * fails     unknown if eps may lie on either side of e
 * source    [DDR20]
 */
ball exponential_log_delta(ball e, ball eps);

/*
 * Encloses the smallest eps >= 0 with that log delta.
 *
 * requires  log_delta < 0
 */
dosi_interval exponential_epsilon(ball e, ball log_delta);

/*
 * Encloses the smallest type II error at type I error alpha in [0, 1]: the
 * maximum of 1 - delta(eps) - e^eps alpha over eps is
 *
 *     (1 - alpha) / (1 + (e^e - 1) alpha).
 */
dosi_interval exponential_tradeoff(ball e, double alpha);

/*
 * The profile joined by chords in e^eps at -e + 2 e i/m, i = 0..m, which
 * dominates it: with r = exp(-e/m) the P-masses are t and e^-e t at the ends, t
 * = (1-r)/((1+r)(1-e^-e)), and 2 t e^((l-e)/2) between. loss and log_mass have
 * m + 1 entries.
 */
void exponential_lattice_above(
    ball *loss, ball *log_mass, size_t m, ball e);

#endif
