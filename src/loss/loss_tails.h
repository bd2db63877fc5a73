/*
 * A loss law in masses: those of P and Q beyond a threshold in closed form,
 * atoms and the mass at +inf apart. Balls have digits enough for the masses of
 * short cells to be differences of tails. Derivation: docs/theory/loss.md.
 */
#ifndef DOSI_LOSS_LOSS_TAILS_H
#define DOSI_LOSS_LOSS_TAILS_H

#include <stddef.h>

#include "loss_law.h"

#define LOSS_MAX_GROUP 64

/* A law prepared for masses; borrows the description's atoms. */
typedef struct loss_tails {
    loss_law pair;
    bool has_density;
    /* ends of the density; -inf and +inf if unbounded */
    ball smallest, largest;
    ball p_inf;
    /* delta at 0 of the base, for samples of fixed size and with replacement */
    ball base_delta;
    /* LOSS_GROUP: binomial weights; LOSS_WITH_REPLACEMENT: shares of k >= 1 */
    ball removed[LOSS_MAX_GROUP + 1];
    ball added[LOSS_MAX_GROUP + 1];
    double last_threshold; /* LOSS_GROUP: the last one found */
} loss_tails;

/*
 * Prepares a law.
 *
 * requires  what loss_law.h says; LOSS_GROUP: removed + added in 1..64
 */
void loss_tails_init(loss_tails *out, const loss_law *pair);

/* Masses of the density on one side of the threshold s. */
typedef struct loss_tail {
    ball p;
    ball xq; /* e^s times the mass of Q */
} loss_tail;

/*
 * Encloses the masses of the density above (L > s) and below (L < s). The upper
 * tail keeps its relative accuracy for s >= 0, the lower one for s <= 0.
 */
loss_tail loss_upper(loss_tails *c, ball s);
loss_tail loss_lower(loss_tails *c, ball s);

/*
 * Encloses the masses of the density of LOSS_WITHOUT_REPLACEMENT with another
 * parameter.
 *
 * requires  s finite and inside the range of the losses
 */
loss_tail loss_without_replacement_tail(
    const loss_law *pair, ball parameter, ball s, bool upper);

/* Encloses delta at 0 of the noise without sampling, with that parameter. */
ball loss_noise_delta(loss_noise noise, ball parameter);

typedef struct loss_atom {
    ball at;
    ball p; /* mass under P; under Q it is p e^-at */
} loss_atom;

/* The number of atoms, and atom i of them: finite losses with positive mass.
 * requires  i < loss_atom_count(c) */
size_t loss_atom_count(const loss_tails *c);
loss_atom loss_atom_at(const loss_tails *c, size_t i);

/* Encloses the smallest and the largest finite loss, atoms included. */
ball loss_smallest(const loss_tails *c);
ball loss_largest(const loss_tails *c);

/* ---- Steering ---------------------------------------------------------- */

#define LOSS_SKETCH 1024

/* The law as points in plain doubles; certifies nothing. */
typedef struct loss_sketch {
    size_t n;
    size_t n_smooth; /* those of the density, which come first */
    double count;
    double at[LOSS_SKETCH];
    double log_mass[LOSS_SKETCH];
} loss_sketch;

/* Fills *out, whose n is at most LOSS_SKETCH. */
void loss_sketch_fill(loss_sketch *out, const loss_tails *c);

#endif
