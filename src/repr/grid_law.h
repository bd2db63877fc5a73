/*
 * A loss law on a lattice, twice: from above, a law that dominates it, and
 * from below, one that it dominates. From above each bit of mass is split
 * between its two neighbours on the lattice so that P and Q keep their
 * masses ("connect the dots", [DGKKM22]); from below outcomes are merged
 * into groups whose ratio is a lattice point, or, where a law of atoms does
 * not fit the lattice, rounded at random. Derivation: docs/theory/grid.md,
 * sections 2 and 3.
 */
#ifndef DOSI_REPR_GRID_LAW_H
#define DOSI_REPR_GRID_LAW_H

#include "base/error.h"
#include "base/work_limits.h"
#include "loss_cells.h"

/* Operations that one cell of a density takes. */
#define GRID_CELL_OPERATIONS 2000

/* Roughly what share of the mass that matters lies below, at rising losses:
 * where it hardly grows, cells may be long. Steers only. */
typedef struct grid_share {
    size_t n;
    double at[LOSS_SKETCH];
    double below[LOSS_SKETCH];
} grid_share;

/* The points offset + i h; atoms nearer than slack to a point count as
 * lying on it. */
typedef struct grid_points {
    ball h; /* > 0 */
    ball offset;
    double slack;
    double left, right; /* beyond these a density, or a law of atoms, is
                           cut off */
    size_t most;        /* points a law may have */
    bool with_q;        /* laws from below have Q's masses of their own */
    bool rounds;        /* with_q: pieces of densities are rounded at random */
    const grid_share *share; /* NULL: all cells are of length h */
    double longest;          /* length of a cell */
} grid_points;

typedef struct grid_law {
    double count;
    int64_t first; /* index of the lowest point */
    size_t n;
    double *up; /* P-masses, at least those of the law from above */
    double *lo; /* at most those of the law from below */
    double *lo_q; /* with_q: at least its Q-masses times e^(loss of the
                     point); NULL: no more than lo */
    double up_inf, lo_inf;
    ball offset;
    double slack; /* how far an atom was moved at most */
} grid_law;

/*
 * Both laws of one run.
 *
 * owns      *out, freed with grid_law_free in any case
 * cost      some microseconds a point
 * fails     DOSI_ENOMEM; DOSI_EUNABLE when the points do not suffice, or the
 *           limits say stop
 */
DOSI_CHECK dosi_status grid_law_build(grid_law *out, loss_cells *c,
    const grid_points *points, work_limits *limits, dosi_error *err);
void grid_law_free(grid_law *g);

/* Whether a law of atoms has some off the points: it needs with_q, and so do
 * all that are composed with it. */
bool grid_law_is_loose(const loss_cells *c, const grid_points *points);

#endif
