/*
 * What is known of one direction of a question: the best end of each side
 * and where it came from.
 */
#ifndef DOSI_ACCOUNT_BEST_BOUNDS_H
#define DOSI_ACCOUNT_BEST_BOUNDS_H

#include "account.h"

typedef struct bounds_end {
    double value;
    double log_value; /* of delta; else 0 */
    const char *route;
    const char *theorem;
    attainment flag;
    double order; /* of a Renyi curve, or 0 */
} bounds_end;

/* guarantee: the safe end; other: what is attained. */
typedef struct best_bounds {
    bounds_end guarantee;
    bounds_end other;
    const char *reason;
    bool is_exhausted; /* the guarantee is the value of the law that all
                          tight routes compose: none will better it */
    bool knows_law; /* of that law, well enough */
    double law_width; /* of that law alone, as far as it is known */
    bool pairs[2]; /* the same of attained pairs, by direction */
    bool knows_members; /* the same of members */
} best_bounds;

/* The bounds that hold for every plan. */
best_bounds bounds_start(const account_question *q);

/* Whether the guarantee is the lower end. */
bool bounds_guards_below(const account_question *q);

/* Takes an end when it says more than the one that stands. */
void bounds_guarantee(
    best_bounds *s, const account_question *q, const bounds_end *found);
void bounds_other(
    best_bounds *s, const account_question *q, const bounds_end *found);

/* Certainly out of order: rounding is accounted for in each end. */
bool bounds_contradicts(const best_bounds *s, const account_question *q);

/* The worse of two directions, end by end. */
best_bounds bounds_worse(
    const best_bounds *a, const best_bounds *b, const account_question *q);

/* Whether one direction cannot be the worse: its guarantee is no worse than
 * what the plan attains in another. */
bool bounds_is_settled(const best_bounds *s, const best_bounds *worst,
    const account_question *q);

/* (hi - lo) / max(|lo|, |hi|), rounded up; of delta, the smaller of that and
 * of what the logarithms say, which do not underflow. */
double bounds_width(const best_bounds *s, const account_question *q);

#endif
