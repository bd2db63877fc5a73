/*
 * Reads the answer of an engine to a statement: CSV, a row for each part and
 * cell as tally_shape.h has them, with a header or not. Everything is checked
 * before anything is added. Messages never show what was read, nor how much:
 * the tally is data.
 */
#ifndef DOSI_RELEASE_TABLE_SQL_TALLY_READ_H
#define DOSI_RELEASE_TABLE_SQL_TALLY_READ_H

#include "tally_shape.h"

struct tally_reader;

/* The layout stays the caller's and outlives the reader. fails DOSI_ENOMEM */
dosi_status tally_reader_new(struct tally_reader **out,
    const struct table_layout *layout, dosi_error *err);
void tally_reader_free(struct tally_reader *reader); /* accepts NULL */

/*
 * Adds a whole answer. Cells and parts that are not the layout's are left
 * out; cells that are and do not occur stay 0.
 *
 * fails  DOSI_EINVAL for rows that are malformed, an answer that was cut
 *        (each row holds their number), the answer to another statement
 *        than the one with the digest; DOSI_ENOMEM. After EINVAL the tally is
 *        unchanged.
 */
dosi_status tally_read(struct table_tally *tally, struct tally_reader *reader,
    const char *digest, const char *bytes, size_t n, dosi_error *err);

/*
 * Adds one integer: part as "rows/n0", a part and a column of it.
 * fails  DOSI_EINVAL for text that is no integer, no part or no cell;
 *        DOSI_ENOMEM
 */
dosi_status tally_add(struct table_tally *tally, struct tally_reader *reader,
    const char *part, struct table_bytes cell, const char *decimal,
    dosi_error *err);

#endif
