/*
 * What the files that put a law on a lattice share. Internal to them.
 */
#ifndef DOSI_REPR_GRID_BUILDER_H
#define DOSI_REPR_GRID_BUILDER_H

#include "grid_walk.h"

/* Each cell of the density is cut into this many pieces for the walk. */
#define GRID_PIECES 2

/* Cells may be 2^j points long, j < GRID_LENGTHS. */
#define GRID_LENGTHS 10

/* An atom off the lattice: in the cell above point i, before a piece. */
typedef struct loose_atom {
    int64_t i;
    double above; /* roughly how far above point i */
    ball p;
    ball xq; /* e^(loss of point i) times Q's mass */
    ball gap;
} loose_atom;

typedef struct grid_builder {
    loss_cells *c;
    const grid_points *points;
    grid_law *out;
    grid_walk walk;
    ball down[GRID_PIECES + 1]; /* e^(-j h/GRID_PIECES) */
    struct {
        ball down, up;    /* e^-l and e^l for cells of length l = 2^j h */
        ball right, left; /* 1/(1 - e^-l) and 1/(e^l - 1) */
    } length[GRID_LENGTHS];
    bool is_topped; /* the density ends at point 0 */
    loss_tail all;  /* masses of the density, x being 1 */
    size_t share; /* where in points->share the cells are */
    loose_atom *atoms;
    size_t n_atoms, next;
} grid_builder;

static inline ball grid_point_at(const grid_builder *b, int64_t i)
{
    return ball_add(
        b->points->offset, ball_mul_d(b->points->h, (double)i));
}

/* The whole number nearest to (loss - offset)/h, steering. */
static inline double grid_place_of(const grid_points *points, ball at)
{
    return ball_mid(ball_div(ball_sub(at, points->offset), points->h));
}

/* From above masses only grow: upper ends, added upward. */
static inline void grid_put_above(grid_builder *b, int64_t i, ball mass)
{
    double m = ball_upper(mass);
    double *at = &b->out->up[i - b->out->first];
    if (!(m <= 0))
        *at = round_up(*at + m);
}

/* Loose atoms before a place join the walk. */
void grid_walk_atoms(grid_builder *b, int64_t i, double above);

/* The density, with the loose atoms on its way. */
DOSI_CHECK dosi_status grid_density_put(
    grid_builder *b, int64_t last, work_limits *limits, dosi_error *err);

#endif
