/*
 * Candidates with weights exp(-c d_i), and the one that a uniform number
 * chooses: i with  sum_{j < i} <= U sum <  sum_{j <= i}. Sums are refined
 * until that is certain. docs/theory/release_choices.md, section 4.
 */
#ifndef DOSI_RELEASE_CANDIDATES_H
#define DOSI_RELEASE_CANDIDATES_H

#include "exponent.h"

struct candidates {
    struct exponent e;
    const uint64_t *distances;
    const uint64_t *copies; /* of each; NULL for one. At most 2^54 in all */
    size_t n;
};

static inline uint64_t candidates_copies(const struct candidates *x, size_t i)
{
    return x->copies == NULL ? 1 : x->copies[i];
}

/* The numbers of prefixes, except for the last, that are certainly and possibly
 * at most U sum; the chosen index lies between them. */
struct prefix_count {
    size_t certain, possible;
};

/* By balls, from two words. */
struct prefix_count candidates_count_balls(
    const struct candidates *x, const struct uniform *u);

/* In numbers of limbs limbs, from one word less. fails  DOSI_ENOMEM */
dosi_status candidates_count_limbs(struct prefix_count *out,
    const struct candidates *x, const struct uniform *u, size_t limbs,
    dosi_error *err);

/* *out = i with a probability proportional to copies[i] exp(-c d_i), exactly.
 * requires  n > 0, a distance of 0. fails  DOSI_ENOMEM */
dosi_status candidates_choose(size_t *out, const struct candidates *x,
    enum tier first, struct words *w, dosi_error *err);

/* *out = a uniform one of those candidates whose coins of probability
 * exp(-c d_i), flipped once each, are heads; copies are not read.
 * requires  n > 0, a distance of 0. fails  DOSI_ENOMEM */
dosi_status candidates_flip(size_t *out, const struct candidates *x,
    struct words *w, dosi_error *err);

#endif
