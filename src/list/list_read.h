/*
 * Answers of one pair of lists, from above and from below. Derivation:
 * docs/theory/list.md, section 4.
 */
#ifndef DOSI_LIST_LIST_READ_H
#define DOSI_LIST_LIST_READ_H

#include "list_profile.h"

/* From above, the least epsilon found whose delta is certainly at most
 * e^log_delta; from below, the greatest found whose delta is certainly more. */
double list_epsilon_end(
    const list_profile *f, double log_delta, double guess);

/* An approximation of the loss s with Q[L > s] = alpha in (0, 1). */
double list_crossing(const list_profile *f, double alpha);

/* Encloses the least P[accept Q] of a test with Q[reject Q] <= alpha in
 * (0, 1), from both sides; *epsilon becomes where its threshold lies. */
dosi_interval list_tradeoff_of(
    const list_profile side[2], double alpha, double *epsilon);

#endif
