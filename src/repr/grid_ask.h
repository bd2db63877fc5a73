/*
 * Questions to a total on a lattice: certain ends from its two sides.
 * Derivation: docs/theory/grid.md, section 6.
 */
#ifndef DOSI_REPR_GRID_ASK_H
#define DOSI_REPR_GRID_ASK_H

#include "grid_total.h"

/* Encloses log delta at any real epsilon. */
dosi_interval grid_ask_log_delta(const grid_total *total, double epsilon);

/* A certain end of it, and roughly how fast delta falls in epsilon, over
 * delta. */
double grid_delta_end(
    const grid_total *total, double epsilon, bool up, double *slope);

/* Encloses the smallest epsilon >= 0 with delta(epsilon) <= exp(log_delta);
 * the guess only steers. */
dosi_interval grid_ask_epsilon(
    const grid_total *total, ball log_delta, double guess);

/* The same by any function like grid_delta_end; inf is the mass at +inf, at
 * least. */
typedef double (*grid_end)(
    const void *of, double epsilon, bool up, double *slope);
dosi_interval grid_ask_epsilon_by(
    grid_end end, const void *of, double inf, ball log_delta, double guess);

/* Encloses the least P[accept Q] of a test with Q[reject Q] <= alpha; the
 * guess is the threshold of a good test. */
dosi_interval grid_ask_tradeoff(
    const grid_total *total, double alpha, double guess);

#endif
