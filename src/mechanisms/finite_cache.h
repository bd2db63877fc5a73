/*
 * Finite laws of single parts that the laws of plans refer to, where making
 * one takes long: each is made once for all routes, directions and questions.
 */
#ifndef DOSI_MECHANISMS_FINITE_CACHE_H
#define DOSI_MECHANISMS_FINITE_CACHE_H

#include "mechanism.h"

#define FINITE_KEY 10

/* Who makes a law, and all numbers that it depends on; the rest is 0. */
typedef struct finite_key {
    const void *maker;
    double numbers[FINITE_KEY];
} finite_key;

typedef struct finite_entry {
    finite_key key;
    finite_law *law;
} finite_entry;

/* All zeros: empty. */
struct finite_store {
    size_t n, room;
    finite_entry *items;
    size_t n_atoms; /* of all laws together */
};

void finite_store_free(finite_store *s);

/* The law that was kept; NULL where there is none, or no store. */
const finite_law *finite_store_find(
    const finite_store *s, const finite_key *key);

/* Keeps a law, which the store then owns, or the context's pool where there is
 * no store. NULL in, or no memory: NULL. */
const finite_law *finite_store_keep(
    const finite_key *key, finite_law *made, const mechanism_context *c);

#endif
