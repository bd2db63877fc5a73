/*
 * A class of jumps of the total of laws on one lattice: no run goes beyond an
 * index b, and one at least goes beyond a. Its masses are
 *
 *     prod (s + w)^k - prod s^k,
 *
 * s what a run has up to a, w what it has between; all powers are convolutions.
 * Each class has a tilt and a window of its own. Derivation:
 * docs/theory/grid.md, section 11. Internal to the grid.
 */
#ifndef DOSI_REPR_GRID_CLASS_H
#define DOSI_REPR_GRID_CLASS_H

#include "grid_total.h"

/* Bytes a class holds for a point while it is made, at most, and after that. */
#define GRID_CLASS_BYTES 96
#define GRID_CLASS_KEPT 24

/*
 * The class as a total, without what lies at +inf.
 *
 * requires  laws on one lattice of spacing h; a cut for each
 * owns      *out, freed with grid_total_free in any case
 * fails     DOSI_ENOMEM, DOSI_EUNABLE when the limits say stop
 */
DOSI_CHECK dosi_status grid_class_make(grid_total *out, const grid_law *laws,
    const grid_cut *cuts, size_t n_laws, ball h, const grid_working *w,
    work_limits *limits, dosi_error *err);

#endif
