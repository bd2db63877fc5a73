/*
 * Limits of the contribution of one person, and the distances of neighbouring
 * integers with it: the table of docs/theory/release_table.md, section 1.
 * Distances are whole numbers of grid units, exact in 128 bits.
 */
#ifndef DOSI_RELEASE_TABLE_QUERY_PERSON_LIMITS_H
#define DOSI_RELEASE_TABLE_QUERY_PERSON_LIMITS_H

#include "query_object.h"

/* Whether the limits of the settings belong to somebody. */
dosi_status limits_check(const dosi_table_query *query, dosi_error *err);

/* Checks that rows are limited, and that an order is given if which ones they
 * are matters. */
dosi_status limits_rows(const dosi_table_query *query, bool needs_order,
    const char *what, dosi_error *err);

/* --max-cells and --max-per-cell of the columns of a statistic. *by_cells is
 * false where there are none: then it is limited by rows. */
dosi_status limits_cells(bool *by_cells, int64_t *max_cells,
    int64_t *max_per_cell, dosi_table_query *query, const char *columns,
    const char *what, dosi_error *err);

/* --min-count of the unknown cells of a column; 1 where there is none. */
int64_t limits_min_count(dosi_table_query *query, const char *columns);

/* Whether every limit of cells was used. */
dosi_status limits_used(const dosi_table_query *query, dosi_error *err);

/* Copies of the leaf of cells, of which l differ when a person is added or
 * removed; one for rows in cells. */
int64_t distance_copies(dosi_neighbours neighbours, int64_t max_cells);

/* The sum of z over k rows, in one integer or in cells. */
uint128 distance_sum(dosi_neighbours neighbours, int64_t k, int64_t lo,
    int64_t hi, bool in_cells);

/* z - centre, which is in [lo - centre, hi - centre] or 0. */
uint128 distance_centred(dosi_neighbours neighbours, int64_t k, int64_t lo,
    int64_t hi, int64_t centre, bool in_cells);

/* (z - centre)^2. */
uint128 distance_square(dosi_neighbours neighbours, int64_t k, int64_t lo,
    int64_t hi, int64_t centre, bool in_cells);

/* One number of a person in [lo, hi], or 0. */
uint128 distance_total(dosi_neighbours neighbours, int64_t lo, int64_t hi);

/* -|(b - a) below - a above| of a grid point. */
int64_t distance_rank(
    dosi_neighbours neighbours, int64_t k, int64_t a, int64_t b);

#endif
