/*
 * The spacing and the offsets of a lattice: as many atoms as possible shall
 * lie on its points, where they cost nothing. Steers; what an atom off the
 * points costs, the laws themselves account for.
 */
#ifndef DOSI_REPR_GRID_LATTICE_H
#define DOSI_REPR_GRID_LATTICE_H

#include "loss_cells.h"

typedef struct grid_lattice {
    ball h;
    bool is_exact; /* all laws are atoms, all on its points */
} grid_lattice;

/* A spacing of at most wanted, near it, and no finer than least if it can be;
 * or, exactly asked for, any on which all laws lie when all are atoms.
 * tolerance: how far an atom may be from a point. */
grid_lattice grid_lattice_choose(const loss_cells *parts, size_t n,
    double wanted, double least, double tolerance, bool exactly);

/* Whether a law of atoms lies on a lattice of its own, nearly. */
bool grid_lattice_has_unit(const loss_cells *part);

/* Whether much of a density lies within h, at an end of it or at 0. */
bool grid_lattice_has_heap(const loss_cells *part, ball h);

/* The offset of a law's points. */
ball grid_lattice_offset(const loss_cells *part, ball h);

#endif
