/*
 * Asks one law and intersects its answer with the bounds that are known for the
 * direction.
 */
#ifndef DOSI_ACCOUNT_ASK_LAW_H
#define DOSI_ACCOUNT_ASK_LAW_H

#include "prepared_plan.h"

/* A question to the laws of one route in one direction. */
typedef struct law_question {
    const account_question *q;
    const prepared_plan *prepared;
    account_curve *curve;         /* of the direction */
    const account_route_row *row; /* the route whose laws are asked */
    const best_bounds
        *other_direction; /* its bounds so far, or NULL */
} law_question;

/* Whether the bounds are as close to each other as the question asks: within
 * the width of the options, or of a trade-off by default within 1e-9 or a share
 * of the smaller error. */
bool ask_is_narrow(
    const best_bounds *s, const account_question *q, const prepared_plan *d);

/*
 * Asks the i-th law of a route and keeps its ends where they are tighter than
 * the bounds that are known.
 *
 * requires  i < laws->n
 * fails     without memory: the pool of the law says so
 */
void ask_law(
    best_bounds *s, const law_question *c, const account_laws *laws, size_t i);

#endif
