/*
 * Finite laws of single parts that take long to make. Each is made once, and
 * kept for all routes, directions and questions about a plan.
 */
#ifndef DOSI_MECHANISMS_FINITE_CACHE_H
#define DOSI_MECHANISMS_FINITE_CACHE_H

#include "mechanism.h"

#define FINITE_KEY 10

/* A law is known by the address of something that belongs to its maker, and by
 * all numbers that it depends on; those that are not used are 0. */
typedef struct finite_key {
    const void *maker;
    double numbers[FINITE_KEY];
} finite_key;

typedef struct finite_entry {
    finite_key key;
    finite_law *law;
} finite_entry;

/* A store of zeros is empty. */
struct finite_store {
    size_t n, room;
    finite_entry *items;
    size_t n_atoms; /* of all laws together */
};

void finite_store_free(finite_store *s);

/* The law that was kept under a key, borrowed; NULL if there is none, or no
 * store. */
const finite_law *finite_store_find(
    const finite_store *s, const finite_key *key);

/*
 * Keeps a law and returns it. NULL for NULL.
 *
 * owns   the store, or the context's pool if there is no store
 * fails  NULL, with no_memory of the pool
 */
const finite_law *finite_store_keep(
    const finite_key *key, finite_law *made, const mechanism_context *c);

#endif
