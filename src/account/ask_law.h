/*
 * Asks one law and intersects its answer with the bounds that are known for the
 * direction.
 */
#ifndef DOSI_ACCOUNT_ASK_LAW_H
#define DOSI_ACCOUNT_ASK_LAW_H

#include "prepared_plan.h"

typedef struct law_question {
    const account_question *q;
    const prepared_plan *desk;
    account_curve *curve;         /* of the direction */
    const account_route_row *row; /* the route whose laws are asked */
    const best_bounds
        *rival; /* what is known of the other direction, or NULL */
} law_question;

/* Whether it is known as well as the question wants it. */
bool ask_is_narrow(
    const best_bounds *s, const account_question *q, const prepared_plan *d);

/* Asks the i-th law, and keeps its ends where they say more. */
void ask_law(
    best_bounds *s, const law_question *c, const account_laws *laws, size_t i);

#endif
