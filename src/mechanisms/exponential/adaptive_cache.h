/*
 * Adaptive runs of bounded range that the laws of one plan borrow. They are
 * made once, and kept for all routes, directions and questions.
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

/* A cache of zeros is empty. */
struct adaptive_cache {
    size_t n;
    range_entry items[ADAPTIVE_CACHE];
};

void adaptive_cache_free(adaptive_cache *s);

/*
 * The runs of a class.
 *
 * cost   the first question makes them, which takes up to 0.5 s
 * owns   the context's cache
 * fails  NULL with the reason in the pool
 */
const adaptive_runs *adaptive_cache_runs(
    const adaptive_class *of, const mechanism_context *c);

/* The finite law, from one side, of runs that are not sampled; owns and fails
 * as adaptive_cache_runs. */
const finite_law *adaptive_cache_atoms(
    const adaptive_class *of, dosi_side side, const mechanism_context *c);

#endif
