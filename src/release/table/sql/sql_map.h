/*
 * SQL expressions that read a row: expressions for z, cells, keys and the tests
 * of --where. They give the same integer in every engine with IEEE doubles,
 * and none of them errs on any value: docs/theory/release_engines.md,
 * section 2 (R107-4, R107-8).
 */
#ifndef DOSI_RELEASE_TABLE_SQL_SQL_MAP_H
#define DOSI_RELEASE_TABLE_SQL_SQL_MAP_H

#include "sql_dialect.h"

/* The query and the dialect that an expression is printed for. */
struct sql_rows {
    const struct sql_dialect *dialect;
    const struct table_layout *layout;
};

/*
 * z of a value, NULL where it is missing.
 * fails  DOSI_EINVAL for a column without a type of numbers, or bounds and
 *        grid whose integers leave 64 bits
 */
dosi_status sql_value(dosi_buffer *out, const struct sql_rows *rows,
    size_t value, dosi_error *err);

/* 1 if a value that is read is missing, else 0. requires  n_values > 0, all
 * of them accepted by sql_value */
void sql_bad(dosi_buffer *out, const struct sql_rows *rows);

/* The bytes of a column of cells, NULL where it is missing.
 * fails  DOSI_EINVAL for a column of doubles or decimals */
dosi_status sql_cell(dosi_buffer *out, const struct sql_rows *rows,
    size_t column, dosi_error *err);

/* A column of --order. fails  DOSI_EINVAL for doubles */
dosi_status sql_key(dosi_buffer *out, const struct sql_rows *rows,
    size_t column, dosi_error *err);

/* The user. fails  DOSI_EINVAL for doubles and decimals */
dosi_status sql_user(
    dosi_buffer *out, const struct sql_rows *rows, dosi_error *err);

/* True if the column, which holds numbers, holds one. */
void sql_test(dosi_buffer *out, const struct sql_rows *rows,
    const struct table_column *column);

/* fails  DOSI_EINVAL for a column without a type of numbers */
dosi_status sql_check_number(
    const struct table_column *column, dosi_error *err);

/* Bytes of a column that holds texts, bytes or integers (their digits); NULL
 * for no bytes. */
void sql_bytes(dosi_buffer *out, const struct sql_rows *rows,
    const struct table_column *column);

/* x / y for integers x >= 0, y > 0, of type BIGINT. */
void sql_quotient(dosi_buffer *out, const struct sql_dialect *d,
    const char *x, int64_t y);

/* Nearest double to p / q. requires  |p| <= 2^62, 1 <= q <= 2^53 */
double sql_nearest(int64_t p, int64_t q);

#endif
