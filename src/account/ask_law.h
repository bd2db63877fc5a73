/*
 * What one law says of a question, laid to what is known of a direction.
 */
#ifndef DOSI_ACCOUNT_ASK_LAW_H
#define DOSI_ACCOUNT_ASK_LAW_H

#include "prepared_plan.h"

typedef struct consideration {
    const account_question *q;
    const desk *desk;
    account_curve *curve; /* of the direction */
    const account_route_row *row; /* the route whose laws are asked */
    const standing *rival; /* what is known of the other direction, or NULL */
} consideration;

/* Whether it is known as well as the question wants it. */
bool consider_is_narrow(
    const standing *s, const account_question *q, const desk *d);

/* Asks the i-th law, and keeps its ends where they say more. */
void consider_law(standing *s, const consideration *c,
    const account_laws *laws, size_t i);

#endif
