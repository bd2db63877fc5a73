/*
 * The first line of a statement: what it was printed from, as JSON, so that
 * the tally can be turned into an answer later, from the statement alone.
 *
 *   {"statistics":[...],"settings":[...],"dialect":"duckdb","table":"t"}
 */
#ifndef DOSI_RELEASE_TABLE_SQL_SQL_ORIGIN_H
#define DOSI_RELEASE_TABLE_SQL_SQL_ORIGIN_H

#include "sql_dialect.h"

struct sql_origin {
    struct table_lines lines;
    char *dialect;
    char *table;
};

/* Appends the line, without its end. fails  DOSI_EINVAL for text that is not
 * UTF-8 */
dosi_status sql_origin_write(dosi_buffer *out,
    const struct table_lines *lines, const char *dialect, const char *table,
    dosi_error *err);

/*
 * Reads what sql_origin_write wrote, and nothing else: this is no reader of
 * JSON. The caller prints the statement again and compares.
 * fails  DOSI_ESYNTAX, DOSI_ENOMEM
 */
dosi_status sql_origin_read(
    struct sql_origin *out, const char *text, size_t n, dosi_error *err);
void sql_origin_free(struct sql_origin *origin);

#endif
