/*
 * The law from below: pieces of a loss law come in order, rising or falling,
 * and are merged into groups whose ratio is a lattice point. Merging is
 * post-processing, and lowering a group's loss lowers every delta, so that
 * all that must hold is that a group put on a point has no smaller ratio.
 * Derivation: docs/theory/grid.md, section 3.
 */
#ifndef DOSI_REPR_GRID_WALK_H
#define DOSI_REPR_GRID_WALK_H

#include "grid_law.h"

typedef struct grid_walk {
    grid_law *out;
    ball h, up_h, down_h; /* h, e^h, e^-h */
    bool falling;         /* the order of the pieces */
    bool rounds;          /* they are rounded at random, not merged */
    bool is_open;
    int64_t target; /* of the open group */
    ball p, xq;     /* its P-mass, and x times its Q-mass, x at the target */
} grid_walk;

void grid_walk_init(grid_walk *w, grid_law *out, ball h);

/* Whether a mass is known well enough to be worth its place. */
bool grid_walk_knows(ball p);

/* Mass on point i, rounded down; Q's, times x there, is at most as large. */
void grid_walk_put(grid_walk *w, int64_t i, ball p);

/* A piece whose ratio lies between points i and i + 1: its P-mass, and x
 * times its Q-mass with x at i. */
void grid_walk_piece(grid_walk *w, int64_t i, ball p, ball xq);

/* The same, rounded at random: up with this probability for P and Q alike, as
 * far as there is a point. The law has Q's masses. */
void grid_walk_round(grid_walk *w, int64_t i, ball p, ball xq, double up);

/* The same of a longer piece above point i. */
void grid_walk_long_piece(grid_walk *w, int64_t i, ball p, ball xq);

/* Ends the open group. */
void grid_walk_close(grid_walk *w);

#endif
