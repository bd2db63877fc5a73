/*
 * Columns, numbers, texts, cells and items of a layout, each there once. What
 * of the settings does not fit is refused here.
 */
#ifndef DOSI_RELEASE_TABLE_QUERY_LAYOUT_BUILD_H
#define DOSI_RELEASE_TABLE_QUERY_LAYOUT_BUILD_H

#include "query_object.h"

/* The columns that the settings themselves read: user, order, where. */
dosi_status layout_start(dosi_table_query *query, dosi_error *err);

/* The bounds of a number: LO..HI, with a width where it is put into bins. */
struct value_bounds {
    struct exact_decimal lo, hi, width;
    bool has_width;
};

/* z of a column; bins are cut at one unit below the upper bound. */
dosi_status layout_value(size_t *out, dosi_table_query *query,
    const char *column, const struct value_bounds *bounds, const char *what,
    dosi_error *err);

/* The cells of a column, by what its settings say. */
dosi_status layout_cells(size_t *rule, dosi_table_query *query,
    const char *column, const char *what, dosi_error *err);

/* The grid points of a value. */
dosi_status layout_levels(size_t *rule, dosi_table_query *query, size_t value,
    const char *what, dosi_error *err);

/* An item, whose integers come after those that are there. */
dosi_status layout_item(size_t *out, dosi_table_query *query,
    struct table_item item, const char *what, dosi_error *err);

/* Whether every setting of a column was used. */
dosi_status layout_check(dosi_table_query *query, dosi_error *err);

struct exact_grid layout_grid(
    const struct table_layout *layout, size_t value);
void layout_free(struct table_layout *layout);

#endif
