/*
 * The admission test of an engine: a statement that brings its own rows, and
 * the integers that it must give. The rows are public: they hold the values
 * on which engines differ (docs/theory/release_engines.md, section 4).
 */
#ifndef DOSI_RELEASE_TABLE_SQL_SQL_SELF_TEST_H
#define DOSI_RELEASE_TABLE_SQL_SQL_SELF_TEST_H

#include "sql_statement.h"

/* Appends the statement; digest as of sql_statement. */
dosi_status sql_self_test(dosi_buffer *out, char digest[SQL_DIGEST_BYTES],
    const struct sql_dialect *dialect, dosi_error *err);

/* Compares an engine's answer to it.
 * fails  DOSI_EINVAL for an answer that is not whole or not to it,
 *        DOSI_EUNABLE if integers differ, naming the first; DOSI_ENOMEM */
dosi_status sql_self_check(const struct sql_dialect *dialect,
    const char *answer, size_t n, dosi_error *err);

#endif
