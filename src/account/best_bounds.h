/*
 * The bounds known for one direction of a question: the best end of each side,
 * and the route and theorem that it came from.
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

/* The guarantee is the safe end of the interval, the other end is what the plan
 * attains: delta and epsilon are guaranteed from above, beta from below. */
typedef struct best_bounds {
    bounds_end guarantee;
    bounds_end other;
    const char *reason;
    bool is_exhausted;  /* the guarantee is the value of the law that all
                           tight routes compose: no route improves it */
    bool knows_law;     /* the value of that law is known narrowly */
    double law_width;   /* relative width of the value of that law alone */
    bool pairs[2];      /* attained pairs are known narrowly, by direction */
    bool knows_members; /* members of the class are known narrowly */
} best_bounds;

/* The bounds that hold for every plan. */
best_bounds bounds_start(const account_question *q);

/* Whether the guarantee is the lower end. */
bool bounds_guards_below(const account_question *q);

/* Replaces an end by the one that was found if that is tighter. */
void bounds_guarantee(
    best_bounds *s, const account_question *q, const bounds_end *found);
void bounds_other(
    best_bounds *s, const account_question *q, const bounds_end *found);

/* Whether the ends are certainly out of order; each accounts for its
 * rounding. */
bool bounds_contradicts(const best_bounds *s, const account_question *q);

/* The bounds of the worse direction: the weaker end on each side. */
best_bounds bounds_worse(
    const best_bounds *a, const best_bounds *b, const account_question *q);

/* Whether one direction cannot be the worse: its guarantee is no worse than
 * what the plan attains in another. */
bool bounds_is_settled(const best_bounds *s, const best_bounds *worst,
    const account_question *q);

/*
 * The relative width (hi - lo) / max(|lo|, |hi|), rounded up; 0 if both ends
 * are equal. Of delta it is the smaller of that and of the difference of the
 * logarithms, which do not underflow.
 */
double bounds_width(const best_bounds *s, const account_question *q);

#endif
