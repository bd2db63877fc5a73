/*
 * Exact choices among candidates with integer scores, from given words: what
 * dosi_release_choice does within its own public call, for callers that have
 * one open. docs/theory/release_choices.md.
 */
#ifndef DOSI_RELEASE_CHOICE_H
#define DOSI_RELEASE_CHOICE_H

#include "release/entropy/words.h"

/*
 * *out = i with a probability proportional to exp(-c distances[i]), c =
 * epsilon / (2 sensitivity), or epsilon / sensitivity if is_monotone: the
 * exponential mechanism. With permute_and_flip: the first i, in a uniformly
 * random order, whose coin of probability exp(-c distances[i]) is heads.
 * distances[i] = best score - score[i]; one of them is 0. All are read, in
 * time that depends on n alone, except for rare events.
 *
 * requires  n > 0, distances >= 0, epsilon >= 0 and finite, sensitivity > 0
 * fails     DOSI_ENOMEM; words_check is the caller's
 */
dosi_status choice_draw(size_t *out, const int64_t *distances, size_t n,
    double epsilon, int64_t sensitivity, bool is_monotone,
    bool permute_and_flip, struct words *w, dosi_error *err);

/* The choice of choice_draw for distances of all 64 bits, and a denominator
 * of c = epsilon / denominator. */
dosi_status choice_of_distances(size_t *out, const uint64_t *distances,
    size_t n, double epsilon, uint64_t denominator, bool permute_and_flip,
    struct words *w, dosi_error *err);

#endif
