/*
 * The total of laws on one lattice: tilted, transformed, raised to their
 * counts, transformed back, with bounds on what rounding and the finite
 * window do. Both sides, from above and below, travel as the real and the
 * imaginary part of one transform; Q's masses from below, where they are
 * their own, in a second one. Derivation: docs/theory/grid.md, sections 3 to
 * 5.
 */
#ifndef DOSI_REPR_GRID_TOTAL_H
#define DOSI_REPR_GRID_TOTAL_H

#include "grid_tilt.h"

/* One side of the total. The P-mass at index I is
 *
 *     exp(log_scale) y[I mod n] e^(-tilt I),
 *
 * each y with its part of an error of at most error in l2. */
typedef struct grid_side {
    const double *y; /* n numbers */
    ball log_scale;
    double error;
    double inf; /* mass at +inf: at least, or at most */
    double tail_lo, tail_hi; /* tilted mass outside the window, at most */
} grid_side;

typedef struct grid_total {
    size_t n;      /* points of the window, a power of two */
    int64_t first; /* index of its lowest point */
    double last;   /* of the highest point that has any mass */
    double tilt;   /* exactly: per point */
    ball h, offset;
    double slack; /* losses were moved at most so far, in all */
    grid_side up, lo;
    grid_side lo_q; /* y NULL: no more than lo. Else e^(loss of the point)
                       times Q's masses, at least, of the law from below */
    double *space;
} grid_total;

/* Bytes held for a point, and more with Q's masses from below. */
#define GRID_POINT_BYTES 64
#define GRID_POINT_Q_BYTES 24

/* Operations at each point: tilts, a transform and a power of a law; what the
 * total takes to transform back and to be read. */
#define GRID_LAW_OPERATIONS 90
#define GRID_READ_OPERATIONS 90

/*
 * requires  laws on one lattice of spacing h
 * owns      *out, freed with grid_total_free in any case
 * fails     DOSI_ENOMEM, DOSI_EUNABLE when the limits say stop
 */
DOSI_CHECK dosi_status grid_total_make(grid_total *out, const grid_law *laws,
    size_t n_laws, ball h, const grid_working *w, work_limits *limits,
    dosi_error *err);
void grid_total_free(grid_total *total);

/* Where the points of a total of such laws are, and how far losses were moved
 * in all; out has neither yet. */
void grid_total_place(grid_total *out, const grid_law *laws, size_t n_laws);

#endif
