/*
 * Division of the budget: parameters of all parts, their noise, and the
 * plan with its certified cost. docs/theory/release_table.md, section 4.
 */
#ifndef DOSI_RELEASE_TABLE_QUERY_BUDGET_H
#define DOSI_RELEASE_TABLE_QUERY_BUDGET_H

#include "query_object.h"

/* Sets all of it. fails  DOSI_EINVAL, DOSI_ESYNTAX for a plan, DOSI_EUNABLE,
 * DOSI_ENOMEM */
dosi_status budget_set(dosi_table_query *query, dosi_error *err);

/* Takes all of it from a query of the same texts. fails  DOSI_ENOMEM */
dosi_status budget_copy(dosi_table_query *query, const dosi_table_query *like,
    dosi_error *err);

#endif
