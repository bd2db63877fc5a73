/*
 * The statistics of a table: a new row adds one. A row defines how its text is
 * compiled to items of the layout and leaves of the plan, and how the noisy
 * integers become rows of the answer.
 */
#ifndef DOSI_RELEASE_TABLE_QUERY_STATISTICS_H
#define DOSI_RELEASE_TABLE_QUERY_STATISTICS_H

#include "answer.h"
#include "query_object.h"

struct statistic_row {
    const char *name;
    bool takes;    /* an argument */
    double weight; /* of the budget, if nothing is said */
    dosi_status (*compile)(struct table_statistic *out,
        dosi_table_query *query, const char *argument, dosi_error *err);
    void (*answer)(struct answer_rows *rows, const dosi_table_query *query,
        const struct table_statistic *statistic,
        const struct answer_integers *noisy);
};

/* Compiles all of them, in their order. */
dosi_status statistics_compile(dosi_table_query *query,
    const char *const *texts, size_t n, dosi_error *err);
void statistics_free(dosi_table_query *query);

/* Helpers of the files of statistics: the name of one, "sum.income"; and one
 * more part of it. */
dosi_status statistic_name(struct table_statistic *s, const char *argument,
    const char *suffix, dosi_error *err);
dosi_status statistic_part(struct table_statistic *s, dosi_table_query *query,
    struct table_item item, struct table_part part, dosi_error *err);

/* C:LO..HI, with what stands after it: *rest. */
dosi_status statistic_value(struct table_statistic *s,
    dosi_table_query *query, const char *argument, const char **rest,
    dosi_error *err);

/* The rules of columns, in cells of the statistic. */
dosi_status statistic_cells(size_t rules[2], dosi_table_query *query,
    const struct table_bytes *columns, size_t n, const char *what,
    dosi_error *err);

/* statistic_count.c, statistic_sum.c, statistic_mean.c, statistic_cells.c
 * and statistic_quantile.c */
extern const struct statistic_row statistic_count, statistic_users,
    statistic_bad, statistic_sum, statistic_mean, statistic_variance,
    statistic_histogram, statistic_mode, statistic_median,
    statistic_quantile;

#endif
