/*
 * The facts reported beside the numbers of an answer: who is protected, the
 * laws of the noise with their scales, the plan and its cost, bounds, limits
 * and assumptions. All of it comes from the query alone.
 */
#ifndef DOSI_RELEASE_TABLE_QUERY_REPORT_FACTS_H
#define DOSI_RELEASE_TABLE_QUERY_REPORT_FACTS_H

#include "query_object.h"

enum fact_kind {
    FACT_UNIT,
    FACT_NOISE,
    FACT_BOUNDS,
    FACT_LIMITS,
    FACT_ASSUMED,
    FACT_KINDS
};

struct report_facts {
    struct fact_list {
        char **texts;
        size_t n;
    } lists[FACT_KINDS];
    const dosi_plan *plan;
    char *plan_text;
    char hash[17];
    dosi_interval epsilon;
    double budget; /* the epsilon that was asked for; 0: none was */
    double delta;
    dosi_neighbours neighbours;
    char *level;
    bool has_bad; /* --count-bad is among the statistics */
};

/* *out is to be freed in any case. */
dosi_status report_facts_make(struct report_facts *out,
    const dosi_table_query *query, dosi_error *err);
void report_facts_free(struct report_facts *facts);

#endif
