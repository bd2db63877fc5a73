/*
 * Answers by classes of jumps: where no tilt fits all losses, as few runs of a
 * sampler have a heavy tail, the total is cut by the greatest loss of one run,
 * and each class is composed by itself. Derivation: docs/theory/grid.md,
 * section 11. Internal to the grid.
 */
#ifndef DOSI_REPR_GRID_CLASSES_H
#define DOSI_REPR_GRID_CLASSES_H

#include "grid_class_steer.h"
#include "grid_engine.h"

/*
 * Meets e->best with what classes say of its question, where it has more than
 * one; *tried tells of that.
 *
 * requires  e->at and e->sketch as a round leaves them
 * fails     DOSI_ENOMEM
 */
DOSI_CHECK dosi_status grid_classes_answer(
    grid_engine *e, bool *tried, dosi_error *err);

/* Composes the laws of a round by e->classes, and asks. */
DOSI_CHECK dosi_status grid_classes_ask(
    grid_engine *e, const grid_law *laws, ball h, dosi_error *err);

/* Points of the longest window with spacing h, or a share of those of all where
 * they take as long, and bytes held for all. */
double grid_classes_points(
    const grid_classes *c, size_t n_laws, double h, double *bytes);

#endif
