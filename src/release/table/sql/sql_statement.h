/*
 * One statement from a layout: it bounds what each person contributes and
 * adds up integers, inside an engine. The text is a function of the layout,
 * the dialect, the table's name and the first line alone.
 * docs/theory/release_engines.md, section 3.
 */
#ifndef DOSI_RELEASE_TABLE_SQL_SQL_STATEMENT_H
#define DOSI_RELEASE_TABLE_SQL_SQL_STATEMENT_H

#include "sql_map.h"

#define SQL_DIGEST_BYTES 65 /* hexadecimal digits of a SHA-256, and NUL */
#define SQL_FIRST_LINE "-- dosimeter 1 "

/* The parameters of a statement besides the layout. */
struct sql_source {
    const struct sql_dialect *dialect;
    const char *table;
    const char *origin;  /* the first line, after SQL_FIRST_LINE */
    const char *prelude; /* tables that the statement brings along, with a
                            comma after; "": none */
};

/*
 * Appends the statement, without a semicolon; digest receives the SHA-256 of
 * the text above the row that contains it.
 * fails  DOSI_EINVAL for what SQL cannot do, DOSI_ENOMEM
 */
dosi_status sql_statement(dosi_buffer *out, char digest[SQL_DIGEST_BYTES],
    const struct table_layout *layout, const struct sql_source *source,
    dosi_error *err);

#endif
