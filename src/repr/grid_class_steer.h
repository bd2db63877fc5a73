/*
 * Where to cut the jumps of one run into classes, and the tilt and the window
 * of each, in plain doubles, from sketches of the laws. Nothing here
 * certifies. Derivation: docs/theory/grid.md, section 11. Internal to the
 * grid.
 */
#ifndef DOSI_REPR_GRID_CLASS_STEER_H
#define DOSI_REPR_GRID_CLASS_STEER_H

#include "grid_engine.h"

#define GRID_MAX_CLASSES 48

/* Runs of which none exceeds the loss to, and one at least the loss from;
 * where from is -inf, all of which none exceeds it. */
typedef struct grid_class_plan {
    double from, to;
    double saddle;    /* the tilt where log D(t) - t epsilon is least, nearly */
    double log_bound; /* that */
    double log_delta; /* what it adds, roughly */
    double t;         /* tilt, not above the saddle */
    bool is_heavy;
    grid_window window;
} grid_class_plan;

struct grid_classes {
    size_t n;
    grid_class_plan one[GRID_MAX_CLASSES];
    double epsilon;
    double log_delta; /* there, roughly */
    double slope;     /* of -log delta */
    double curve;     /* t (t + 1), averaged by what classes add */
    bool has_top;     /* jumps beyond a loss make epsilon by themselves */
    double top;       /* that loss, where the last class ends */
    double order;     /* of the moment that says so */
};

/*
 * Classes at an epsilon with a delta of about e^log_delta: no bound is above it
 * by more than digits nats, if that can be; windows hold all but a share of
 * e^log_share of it, and what is within the margin of epsilon. False where
 * there is no memory.
 */
bool grid_classes_choose(grid_classes *out, const grid_sketch *s,
    double epsilon, double margin, double log_delta, double digits,
    double log_share);

/* Roughly log delta at an epsilon, and the epsilon of a log delta, from one
 * that is near. NaN where there is no memory. */
double grid_classes_log_delta(const grid_sketch *s, double epsilon);
double grid_classes_epsilon(
    const grid_sketch *s, double log_delta, double near);

#endif
