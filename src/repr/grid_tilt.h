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

/* Whether indices from lo to lo + n are doubles, so that one more is another
 * one. requires  nothing; false for NaN */
static inline bool grid_has_indices(double lo, double n)
{
    return fabs(lo) + n < 0x1p52;
}

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

/* ---- Cut in two -------------------------------------------------------- */

/* What a run has up to index a, and beyond that up to index b. */
typedef struct grid_cut {
    int64_t a, b; /* a < b: there is something beyond; a = b else */
} grid_cut;

/* The wrapped masses s up to a, and w beyond it times 2^scale: the law's mass
 * at index i is exp(log_scale) e^(-tilt i) times s_i, or times 2^-scale w_i. */
typedef struct grid_tilted_cut {
    ball log_scale;
    double square;   /* >= sum of s^2 + w^2 */
    double excess;   /* >= sum of s + 2^-scale w, less 1 */
    double most;     /* >= sum of w */
    double centre;   /* index about which moments are taken */
    double s_lo, w_lo; /* >= sums of s e^(-a_lo (i - centre)), w alike */
    double s_hi, w_hi; /* with a_hi in place of -a_lo */
} grid_tilted_cut;

/* The share of the tilted mass up to b that lies beyond a, roughly, as a power
 * of two; INT_MIN where there is none. */
int grid_tilt_share(const grid_law *g, const double *mass, double tilt,
    const grid_cut *cut);

/* As grid_tilt; where there is nothing up to b all sums are 0. */
bool grid_tilt_cut(grid_tilted_cut *out, double *s, double *w,
    const grid_law *g, const double *mass, const grid_working *working,
    const grid_cut *cut, int scale, bool up);

#endif
