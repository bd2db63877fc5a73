/*
 * Where to work, in plain doubles: the tilt, the window, the ends of the
 * densities, from sketches of the laws. Nothing here certifies.
 */
#ifndef DOSI_REPR_GRID_STEER_H
#define DOSI_REPR_GRID_STEER_H

#include "grid_law.h"

typedef struct grid_sketch {
    size_t n;
    loss_sketch *parts;
    double p_inf;
} grid_sketch;

/* A working point: the tilt t > 0 that suits epsilon, and roughly log delta
 * there (of the finite losses) with the variance of the tilted loss. */
typedef struct grid_place {
    double t;
    double epsilon;
    double log_delta;
    double log_core; /* log delta less K(t) - t epsilon */
    double cumulant;       /* K(t) */
    double mean, variance; /* of the tilted total */
} grid_place;

grid_place grid_place_at_epsilon(const grid_sketch *s, double epsilon);
grid_place grid_place_at_delta(const grid_sketch *s, double log_delta);

/* With this tilt. */
grid_place grid_place_at_tilt(const grid_sketch *s, double t);

/* Where the loss exceeds epsilon under Q with probability exp(log_alpha),
 * roughly, or with the least tilt allowed. */
grid_place grid_place_at_alpha(const grid_sketch *s, double log_alpha);

/* Losses between which the total lies under the tilt, but for a share
 * exp(log_share) on either side; with the orders a of Chernoff's bounds that
 * say so. */
typedef struct grid_window {
    double lo, hi;
    double a_lo, a_hi;
} grid_window;

grid_window grid_window_at(
    const grid_sketch *s, const grid_place *at, double log_share);

/* Points of a sketch, rising. */
typedef struct sketch_point {
    double at, log_mass;
} sketch_point;
void grid_points_sort(sketch_point *points, size_t n);

/* The part's tilted mass, as shares below losses. */
void grid_share_fill(grid_share *out, const loss_sketch *part, double t);

/* Runs, each counted by its tilted share that is not in atoms. */
double grid_smooth_runs(const grid_sketch *s, double t);

/* Where the part's P-mass above falls to exp(log_mass), and where its share
 * below, tilted by t, falls to exp(log_share). */
double grid_cut_above(const loss_sketch *part, double log_mass);
double grid_cut_below(const loss_sketch *part, double t, double log_share);

/* Without what lies above a loss. */
void grid_sketch_cut(loss_sketch *out, const loss_sketch *part, double most);

/* Of a law of atoms: up to where all that lies below may be moved. */
double grid_atoms_below(const loss_sketch *part, double t, double log_share);

#endif
