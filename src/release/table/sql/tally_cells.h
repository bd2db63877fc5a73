/*
 * Cells of an engine's answer: hexadecimal digits of a text or the number of
 * a bin, looked up among those that the query declared.
 */
#ifndef DOSI_RELEASE_TABLE_SQL_TALLY_CELLS_H
#define DOSI_RELEASE_TABLE_SQL_TALLY_CELLS_H

#include "release/table/reader/compiled_query.h"

struct tally_cells {
    const struct table_layout *layout;
    size_t **sorted; /* of each rule of categories: its names by bytes */
    char *name;      /* of the cell at hand */
    size_t capacity;
};

struct tally_cell {
    bool is_cell; /* a declared one */
    size_t index; /* among the item's */
    struct table_bytes name; /* of an unknown cell, until the next is read */
};

dosi_status tally_cells_new(struct tally_cells *out,
    const struct table_layout *layout, dosi_error *err);
void tally_cells_free(struct tally_cells *cells);

/*
 * The cell of an item whose part has the rules in the given order. False for
 * text that is no cell (or without memory for a name).
 */
bool tally_cell_read(struct tally_cell *out, struct tally_cells *cells,
    const struct table_item *item, const size_t rules[2], bool is_null,
    struct table_bytes text);

/* One more count of an unknown cell, if it is at least 1. fails DOSI_ENOMEM */
dosi_status tally_unknown_add(struct table_cells *cells,
    struct table_bytes name, int128 count, dosi_error *err);

/* Sorts by bytes and adds up the counts of equal names. */
void tally_unknown_merge(struct table_cells *cells);

#endif
