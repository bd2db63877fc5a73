/*
 * The dialects of SQL: one row of tokens each, and the texts that go into a
 * statement: names, constants, the table. Nothing that a caller writes enters
 * a statement but as a quoted name, as the hexadecimal digits of its bytes or
 * as a number that was read and printed again.
 * docs/theory/release_engines.md, section 3.
 */
#ifndef DOSI_RELEASE_TABLE_SQL_SQL_DIALECT_H
#define DOSI_RELEASE_TABLE_SQL_SQL_DIALECT_H

#include "dosimeter/release.h"
#include "base/buffer.h"
#include "release/table/reader/compiled_query.h"

/* Pairs of tokens stand before and after their argument. */
struct sql_dialect {
    const char *name;
    const char *settings;    /* what the session runs first, or "" */
    const char *text;        /* types */
    const char *real;
    size_t min_parts;        /* of the table's name */
    const char *variable;    /* what no name may hold: replaced even in quotes
                                before the text is read; or NULL */
    const char *sum[2];      /* of 64-bit integers, exact */
    const char *quotient;    /* of integers >= 0; NULL: by MOD */
    const char *literal[2];  /* a text, from hexadecimal digits */
    struct sql_bytes {
        const char *bytes[2];    /* of a column: ordered and equal as bytes */
        const char *constant[2]; /* such bytes, from hexadecimal digits */
        const char *empty;       /* no bytes */
        const char *hex[2];      /* the digits of such bytes */
    } text_bytes, binary;    /* of columns of text, of bytes */
    char quote;              /* around names */
    bool has_hex;            /* false: constants are quoted texts */
};

/* NULL if there is no such dialect. */
const struct sql_dialect *sql_dialect_at(dosi_dialect dialect);

/* Appends formatted text; no floating-point numbers (the locale). */
__attribute__((format(printf, 2, 3))) void sql_print(
    dosi_buffer *out, const char *format, ...);

/* Appends part and frees it; a failed part marks out. */
void sql_take(dosi_buffer *out, dosi_buffer *part);

/* A column of the table, which the statement calls t. */
void sql_name(
    dosi_buffer *out, const struct sql_dialect *d, const char *column);

/*
 * The table's name: parts separated by dots, each plain or in double quotes,
 * in which "" stands for one.
 * fails  DOSI_EINVAL
 */
dosi_status sql_table(dosi_buffer *out, const struct sql_dialect *d,
    const char *table, dosi_error *err);

/* CAST(n AS BIGINT). */
void sql_integer(dosi_buffer *out, int64_t n);

/* The double x, which is finite, in digits that read back as x. */
void sql_real(dosi_buffer *out, const struct sql_dialect *d, double x);

/* units * 10^-scale as a DECIMAL(precision, scale). */
void sql_decimal(dosi_buffer *out, int128 units, int precision, int scale);

/* Decimal digits of n. */
void sql_digits(dosi_buffer *out, int128 n);

/* Tokens of a column's bytes. */
const struct sql_bytes *sql_bytes_of(
    const struct sql_dialect *d, const struct table_column *column);

/* Bytes to compare those of the column with.
 * fails  DOSI_EINVAL for bytes that the dialect cannot write */
dosi_status sql_constant(dosi_buffer *out, const struct sql_dialect *d,
    const struct table_column *column, struct table_bytes text,
    dosi_error *err);

/* A text of the self-test, from bytes. */
void sql_literal(dosi_buffer *out, const struct sql_dialect *d,
    struct table_bytes text);

#endif
