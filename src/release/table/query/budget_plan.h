/* From the parts of a query to its plan, and from a plan of the same form to
 * their parameters. */
#ifndef DOSI_RELEASE_TABLE_QUERY_BUDGET_PLAN_H
#define DOSI_RELEASE_TABLE_QUERY_BUDGET_PLAN_H

#include "query_object.h"

/* owns  *out, released with dosi_plan_free */
dosi_status budget_plan(
    const dosi_plan **out, const dosi_table_query *query, dosi_error *err);

/* Takes the parameters, and d of unknown cells, from a plan that differs from
 * that of the query in numbers alone. fails  DOSI_EINVAL, naming the term */
dosi_status budget_match(
    dosi_table_query *query, const dosi_plan *given, dosi_error *err);

/* Runs over all parts: for (...; part != NULL; ...). */
struct table_part *budget_first(
    dosi_table_query *query, size_t *statistic, size_t *part);
struct table_part *budget_next(
    dosi_table_query *query, size_t *statistic, size_t *part);

#endif
