/*
 * Runs of bounded range that the laws of one plan refer to: made once for all
 * routes, directions and questions.
 */
#ifndef DOSI_LOWER_RANGE_STORE_H
#define DOSI_LOWER_RANGE_STORE_H

#include "lower.h"
#include "repr/range_law.h"

#define RANGE_STORE 8

typedef struct range_entry {
    ball e;
    double k;
    range_runs *runs;
    atoms *sides[2]; /* upper, lower; made when asked for */
} range_entry;

typedef struct sampled_entry {
    ball e;
    double rate, k;
    range_sampled *runs;
} sampled_entry;

/* All zeros: empty. */
struct range_store {
    size_t n, n_sampled;
    range_entry items[RANGE_STORE];
    sampled_entry sampled[RANGE_STORE];
};

void range_store_free(range_store *s);

/* k runs of range e, as the context's store has them; NULL with the reason in
 * the pool. */
const range_runs *range_store_runs(
    ball e, double k, const lower_context *c);

/* k runs of Poisson samples of range e; likewise. */
const range_sampled *range_store_sampled(
    ball e, double rate, double k, const lower_context *c);

/* The finite law from one side; likewise. */
const atoms *range_store_atoms(
    ball e, double k, dosi_side side, const lower_context *c);

#endif
