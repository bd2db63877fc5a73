/*
 * Conditions of --where as SQL. A missing value fails every one, and numbers
 * are compared exactly: with integers and decimals as integers, with doubles
 * through the double nearest to the number.
 */
#ifndef DOSI_RELEASE_TABLE_SQL_SQL_WHERE_H
#define DOSI_RELEASE_TABLE_SQL_SQL_WHERE_H

#include "sql_map.h"

/* True if the condition holds. fails  DOSI_EINVAL for a number that meets a
 * column of text or without a type, for a text that meets one of numbers */
dosi_status sql_where(dosi_buffer *out, const struct sql_rows *rows,
    const struct table_where *where, dosi_error *err);

/*
 * floor(x 10^scale) of a decimal as it was written, saturated at +-10^38;
 * *is_exact is set if x 10^scale is that integer.
 * Returns false if the text is no decimal.
 */
bool sql_scaled_floor(
    int128 *out, bool *is_exact, struct table_bytes x, int scale);

#endif
