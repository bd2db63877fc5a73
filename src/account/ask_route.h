/*
 * One route, asked about one direction of a plan: what its laws, or the plan's
 * Renyi curve, add to the bounds that are known.
 */
#ifndef DOSI_ACCOUNT_ASK_ROUTE_H
#define DOSI_ACCOUNT_ASK_ROUTE_H

#include "prepared_plan.h"

/*
 * Asks the laws of a route about the i-th direction of the question: those of
 * single parts, or all others.
 *
 * requires  i < w->n, index < dosi_route_count()
 * fails     DOSI_ENOMEM, DOSI_EUNABLE when routes contradict each other
 */
DOSI_CHECK dosi_status ask_route(question_state *w, prepared_plan *all, int i,
    size_t index, bool of_parts, dosi_error *err);

/*
 * Bounds the Renyi divergence of one direction at an order. The curves of the
 * parts add up, so that no other route is asked.
 *
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status ask_renyi(best_bounds *s, const account_question *q,
    const account_view *view, const char *only, dosi_error *err);

/*
 * Bounds the slope rho of one direction at an intercept.
 *
 * fails  DOSI_ENOMEM
 */
DOSI_CHECK dosi_status ask_zcdp(best_bounds *s, const account_question *q,
    const account_view *view, const char *only, dosi_error *err);

#endif
