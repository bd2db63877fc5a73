/*
 * The top of the total of laws on one lattice: what remains where one run at
 * least goes beyond an index so high that the total exceeds epsilon whatever
 * the others do, next to surely. It takes sums over the laws' own points, and
 * no transform. Derivation: docs/theory/grid.md, section 11. Internal to the
 * grid.
 */
#ifndef DOSI_REPR_GRID_TOP_H
#define DOSI_REPR_GRID_TOP_H

#include "grid_tilt.h"

/* Logs of what P and Q have there. */
typedef struct grid_top_side {
    bool is_empty;
    ball log_p, log_q;
} grid_top_side;

typedef struct grid_top {
    grid_top_side up, lo;
    double order;    /* a > 1 */
    double log_rest; /* of C times the moment of order -a, at most */
    double slack;    /* losses are off by no more */
} grid_top;

/* Beyond the indices a of the cuts; false where something leaves the range of
 * doubles. */
bool grid_top_make(grid_top *out, const grid_law *laws, const grid_cut *cuts,
    size_t n_laws, ball h, double order);

/* A certain end of the log of what it adds to delta at epsilon, and how fast
 * that falls, over itself. */
double grid_top_end(
    const grid_top *top, double epsilon, bool up, double *slope);

#endif
