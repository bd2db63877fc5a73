/*
 * What is known of one direction of a question: the best end of each side
 * and where it came from.
 */
#ifndef DOSI_ACCOUNT_BEST_BOUNDS_H
#define DOSI_ACCOUNT_BEST_BOUNDS_H

#include "account.h"

typedef struct standing_end {
    double value;
    double log_value; /* of delta; else 0 */
    const char *route;
    const char *theorem;
    law_flag flag;
    double order; /* of a Renyi curve, or 0 */
} standing_end;

/* guarantee: the safe end; other: what is attained. */
typedef struct standing {
    standing_end guarantee;
    standing_end other;
    const char *reason;
    bool is_exhausted; /* the guarantee is the value of the law that all
                          tight routes compose: none will better it */
    bool knows_law; /* of that law, well enough */
    double law_width; /* of that law alone, as far as it is known */
    bool pairs[2]; /* the same of attained pairs, by direction */
    bool knows_members; /* the same of members */
} standing;

/* What holds of every plan. */
standing standing_start(const account_question *q);

/* Whether the guarantee is the lower end. */
bool standing_guards_below(const account_question *q);

/* Takes an end when it says more than the one that stands. */
void standing_guarantee(
    standing *s, const account_question *q, const standing_end *found);
void standing_other(
    standing *s, const account_question *q, const standing_end *found);

/* Certainly out of order: rounding is accounted for in each end. */
bool standing_contradicts(const standing *s, const account_question *q);

/* The worse of two directions, end by end. */
standing standing_worse(
    const standing *a, const standing *b, const account_question *q);

/* Whether one direction cannot be the worse: its guarantee is no worse than
 * what the plan attains in another. */
bool standing_is_settled(const standing *s, const standing *worst,
    const account_question *q);

/* (hi - lo) / max(|lo|, |hi|), rounded up; of delta, the smaller of that and
 * of what the logarithms say, which do not underflow. */
double standing_width(const standing *s, const account_question *q);

#endif
