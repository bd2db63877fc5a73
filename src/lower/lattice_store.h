/*
 * The finite laws of discrete Gaussian noise that the laws of plans refer to:
 * each is enumerated once for all routes, directions and questions.
 */
#ifndef DOSI_LOWER_LATTICE_STORE_H
#define DOSI_LOWER_LATTICE_STORE_H

#include "lower.h"

/* What determines such a law. */
typedef struct lattice_key {
    double sigma, shift, reach;
    lower_side side;
} lattice_key;

typedef struct lattice_entry {
    lattice_key key;
    atoms *law;
} lattice_entry;

/* All zeros: empty. */
struct lattice_store {
    size_t n, room;
    lattice_entry *items;
    size_t n_atoms; /* of all laws together */
};

void lattice_store_free(lattice_store *s);

/* The law that was kept; NULL where there is none, or no store. */
const atoms *lattice_store_find(const lattice_store *s, const lattice_key *key);

/* Keeps a law, which the store then owns, or the context's pool where there is
 * no store or no room. NULL in: NULL. */
const atoms *lattice_store_keep(
    const lattice_key *key, atoms *made, const lower_context *c);

#endif
