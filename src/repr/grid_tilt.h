/*
 * One side of a law on a lattice, tilted, scaled and wrapped into a window.
 * Derivation: docs/theory/grid.md, section 5. Internal to the grid.
 */
#ifndef DOSI_REPR_GRID_TILT_H
#define DOSI_REPR_GRID_TILT_H

#include "grid_law.h"

typedef struct grid_working {
    double tilt;
    int64_t first;
    size_t n;          /* a power of two, >= 2 */
    double a_lo, a_hi; /* orders of the tail bounds, per point */
} grid_working;

/* The wrapped masses p of one run, of which the law's mass at index i is
 * exp(log_scale) p_i e^(-tilt i). */
typedef struct grid_tilted {
    ball log_scale;
    double square; /* >= sum of p^2 */
    double excess; /* >= sum of p, less 1 */
    double tail_lo, tail_hi; /* log of Chernoff's bounds of all runs beyond
                                index 0, on either side */
} grid_tilted;

/* Masses rounded up or down; false where they leave the range of doubles, and
 * where all to be rounded up are 0. */
bool grid_tilt(grid_tilted *out, double *into, const grid_law *g,
    const double *mass, const grid_working *w, bool up);

#endif
