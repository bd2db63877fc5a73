/*
 * The shape of a tally: which integer of the layout comes in which part and
 * column of an engine's answer. The printer of statements and the reader of
 * tallies both work from this.
 *
 *   rows         sums over all rows that count
 *   rows.I[.J]   the sums in each cell of the rules I and J, I < J
 *   users        sums over people of one number each
 *   cells.N      the cells of people, item N
 *   query        the digest of the statement
 *
 * Rules whose cells are the same expression count as one, the first of them:
 * PostgreSQL 15 takes the NULL of one grouped column for that of another with
 * the same expression.
 *
 * A row of an answer is (part, cell, n0, n1, ..., total). A cell is the
 * hexadecimal digits of a text, or the number of a bin or level; two of them
 * have a dot between them.
 */
#ifndef DOSI_RELEASE_TABLE_SQL_TALLY_SHAPE_H
#define DOSI_RELEASE_TABLE_SQL_TALLY_SHAPE_H

#include "release/table/reader/compiled_query.h"

enum tally_part { TALLY_ROWS, TALLY_USERS, TALLY_CELLS };

/* The position of the integers of an item. */
struct tally_place {
    enum tally_part part;
    size_t rules[2]; /* of the part, in rising order; TABLE_NONE: fewer */
    size_t column;
    bool is_first;      /* no earlier item has the column */
    bool is_first_part; /* no earlier item has the part, or set of rules */
};

struct tally_shape {
    struct tally_place *places; /* one for each item */
    size_t n_items;
    size_t n_columns; /* n0 .. */
    bool has_rows, has_users;
    bool is_count_only; /* rows are only counted: the part users does it */
};

#define TALLY_NAME_BYTES 64

dosi_status tally_shape_new(struct tally_shape *out,
    const struct table_layout *layout, dosi_error *err);
void tally_shape_free(struct tally_shape *shape);

/* The first rule whose cells are the same texts or numbers. */
size_t tally_first_rule(const struct table_layout *layout, size_t rule);

/* The name of the part that the item is in. */
void tally_part_name(
    char name[TALLY_NAME_BYTES], const struct tally_shape *shape, size_t item);

#endif
