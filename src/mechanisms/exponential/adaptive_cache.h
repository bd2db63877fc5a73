/*
 * Runs of bounded range that the laws of one plan refer to: made once for all
 * routes, directions and questions.
 */
#ifndef DOSI_MECHANISMS_EXPONENTIAL_ADAPTIVE_CACHE_H
#define DOSI_MECHANISMS_EXPONENTIAL_ADAPTIVE_CACHE_H

#include "mechanisms/mechanism.h"
#include "adaptive/adaptive_law.h"

#define ADAPTIVE_CACHE 16

typedef struct range_entry {
    adaptive_runs *runs;
    finite_law *sides[2]; /* upper, lower; made when asked for */
} range_entry;

/* All zeros: empty. */
struct adaptive_cache {
    size_t n;
    range_entry items[ADAPTIVE_CACHE];
};

void adaptive_cache_free(adaptive_cache *s);

/* These runs, as the context's store has them; NULL with the reason in the
 * pool. */
const adaptive_runs *adaptive_cache_runs(
    const adaptive_class *of, const mechanism_context *c);

/* The finite law of runs that are not sampled, from one side; likewise. */
const finite_law *adaptive_cache_atoms(
    const adaptive_class *of, dosi_side side, const mechanism_context *c);

#endif
