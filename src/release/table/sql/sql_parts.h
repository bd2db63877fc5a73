/*
 * The parts of a statement, as tally_shape.h names them. Each reads the rows
 * a(u, o1 .., z1 .., c1 .., x): user, keys, numbers, texts, and 1 for a bad
 * row. docs/theory/release_engines.md, section 3.
 */
#ifndef DOSI_RELEASE_TABLE_SQL_SQL_PARTS_H
#define DOSI_RELEASE_TABLE_SQL_SQL_PARTS_H

#include "sql_map.h"
#include "tally_shape.h"

/* The clause that places missing values in an order: engines differ. */
#define SQL_ORDERED " ASC NULLS LAST"

/* The k least rows of each person, and their sums in every set of cells. */
void sql_part_rows(dosi_buffer *out, const struct sql_rows *rows,
    const struct tally_shape *shape);

/* One number of each person, summed. */
void sql_part_users(dosi_buffer *out, const struct sql_rows *rows,
    const struct tally_shape *shape);

/* min(rows, m) in each of a person's first l cells. */
void sql_part_cells(dosi_buffer *out, const struct sql_rows *rows,
    const struct tally_shape *shape, size_t item);

/* The row that binds the integers to the statement. */
void sql_part_query(dosi_buffer *out, const struct sql_rows *rows,
    const struct tally_shape *shape, const char *digest);

/* ---- What the parts share ---- */

/* The cell of a rule in a row: a text, or (z - lo) / width; NULL where there
 * is none. */
void sql_rule_cell(
    dosi_buffer *out, const struct sql_rows *rows, size_t rule);

/* The name of a cell in the answer, from the columns g of its rules. */
void sql_cell_name(
    dosi_buffer *out, const struct sql_rows *rows, const size_t rules[2]);

/* NULL for the columns first .. end - 1. */
void sql_no_columns(dosi_buffer *out, const struct sql_rows *rows,
    size_t first, size_t end);

#endif
