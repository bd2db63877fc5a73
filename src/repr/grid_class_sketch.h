/*
 * Moments of classes of jumps, in plain doubles, from sketches of the laws.
 * Nothing here certifies. Internal to the grid.
 */
#ifndef DOSI_REPR_GRID_CLASS_SKETCH_H
#define DOSI_REPR_GRID_CLASS_SKETCH_H

#include "grid_steer.h"

/* Points of one part in order of their losses. */
typedef struct class_part {
    double count;
    size_t n;
    double at[LOSS_SKETCH], log_mass[LOSS_SKETCH];
} class_part;

typedef struct class_sketch {
    class_part *parts;
    size_t n;
    double *cuts; /* losses between all points, rising, and one above all */
    size_t n_cuts;
} class_sketch;

/* False where there is no memory; freed with grid_class_sketch_free in any
 * case. */
bool grid_class_sketch_init(class_sketch *s, const grid_sketch *sketch);
void grid_class_sketch_free(class_sketch *s);

typedef struct class_moment {
    double log, mean;
} class_moment;

/*
 * log D(t) and its derivative, D = prod A^k - prod B^k the moment of the class
 * of which no run exceeds the loss to, and one at least the loss from: -inf
 * where that is all, as its log is where there is nothing.
 */
class_moment grid_class_moment(
    const class_sketch *s, double from, double to, double t);

#endif
