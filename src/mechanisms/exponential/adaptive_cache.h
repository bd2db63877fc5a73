/*
 * Runs of bounded range that the laws of one plan refer to: made once for all
 * routes, directions and questions.
 */
#ifndef DOSI_MECHANISMS_EXPONENTIAL_ADAPTIVE_CACHE_H
#define DOSI_MECHANISMS_EXPONENTIAL_ADAPTIVE_CACHE_H

#include "mechanisms/mechanism.h"
#include "adaptive/adaptive_law.h"

#define RANGE_STORE 16

typedef struct range_entry {
    range_runs *runs;
    atoms *sides[2]; /* upper, lower; made when asked for */
} range_entry;

/* All zeros: empty. */
struct range_store {
    size_t n;
    range_entry items[RANGE_STORE];
};

void range_store_free(range_store *s);

/* These runs, as the context's store has them; NULL with the reason in the
 * pool. */
const range_runs *range_store_runs(
    const range_class *of, const lower_context *c);

/* The finite law of runs that are not sampled, from one side; likewise. */
const atoms *range_store_atoms(
    const range_class *of, dosi_side side, const lower_context *c);

#endif
