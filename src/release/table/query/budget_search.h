/* The factor of all noise by bisection on the certified cost. */
#ifndef DOSI_RELEASE_TABLE_QUERY_BUDGET_SEARCH_H
#define DOSI_RELEASE_TABLE_QUERY_BUDGET_SEARCH_H

#include "query_object.h"

/*
 * Sets the parameters of all parts by the least factor t found whose plan is
 * certainly within epsilon at delta; with the double below it, it is not.
 *
 * fails  DOSI_EUNABLE if there is none, DOSI_EINVAL, DOSI_ENOMEM
 */
dosi_status budget_search(dosi_table_query *query, dosi_error *err);

/*
 * The certified epsilon of a plan at the delta of the query; no more
 * operations than so many, 0: as the query's options say.
 *
 * fails  DOSI_EUNABLE if it was stopped; as dosi_epsilon_at_delta
 */
dosi_status budget_ask(dosi_interval *out, const dosi_table_query *query,
    const dosi_plan *plan, double max_operations, dosi_error *err);

/* Sets the parameters with a factor, and thresholds; in budget.c. */
dosi_status budget_try(dosi_table_query *query, double t, dosi_error *err);

#endif
