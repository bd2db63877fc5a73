/*
 * A loss law in masses: what P and Q have beyond a threshold, by closed
 * forms, with the atoms and the mass at +inf apart. Balls have digits enough
 * for the masses of short cells to be differences of tails. Derivation:
 * docs/theory/loss.md.
 */
#ifndef DOSI_LOSS_LOSS_TAILS_H
#define DOSI_LOSS_LOSS_TAILS_H

#include <stddef.h>

#include "loss_law.h"

#define LOSS_MAX_GROUP 64

/* A law made ready; borrows the description's atoms. */
typedef struct loss_tails {
    loss_law pair;
    bool has_density;
    ball least, most; /* of the density; -inf and +inf where unbounded */
    ball p_inf;
    ball base_delta; /* LOSS_WITHOUT_REPLACEMENT, LOSS_WITH_REPLACEMENT: the
                        base's delta at 0 */
    ball removed[LOSS_MAX_GROUP +
                 1]; /* LOSS_GROUP: binomial weights;
                        LOSS_WITH_REPLACEMENT: shares of k >= 1 */
    ball added[LOSS_MAX_GROUP + 1];
    double steer; /* LOSS_GROUP: where the last threshold was */
} loss_tails;

/* requires  what loss.h says; LOSS_GROUP: removed + added in 1..64 */
void loss_tails_init(loss_tails *out, const loss_law *pair);

/* Masses of the density on one side of the threshold s. */
typedef struct loss_tail {
    ball p;
    ball xq; /* e^s times the mass of Q */
} loss_tail;

/*
 * Above (L > s) and below (L < s). The upper one is meant for s >= 0, the
 * lower one for s <= 0: there they keep their relative accuracy.
 */
loss_tail loss_upper(loss_tails *c, ball s);
loss_tail loss_lower(loss_tails *c, ball s);

/* The same for the density of LOSS_WITHOUT_REPLACEMENT with another parameter,
 * at a finite s inside its range. */
loss_tail loss_without_replacement_tail(
    const loss_law *pair, ball parameter, ball s, bool upper);

/* delta at 0 of the noise without any sampling, with that parameter. */
ball loss_noise_delta(loss_noise noise, ball parameter);

typedef struct loss_atom {
    ball at;
    ball p; /* mass under P; under Q it is p e^-at */
} loss_atom;

size_t loss_atom_count(const loss_tails *c);
loss_atom loss_atom_at(const loss_tails *c, size_t i);

/* The least and the greatest finite loss, atoms included. */
ball loss_least(const loss_tails *c);
ball loss_most(const loss_tails *c);

/* ---- Steering ---------------------------------------------------------- */

#define LOSS_SKETCH 1024

/* Roughly the law, as points in plain doubles. */
typedef struct loss_sketch {
    size_t n;
    size_t n_smooth; /* of these, those of the density come first */
    double count;
    double at[LOSS_SKETCH];
    double log_mass[LOSS_SKETCH];
} loss_sketch;

void loss_sketch_fill(loss_sketch *out, const loss_tails *c);

#endif
