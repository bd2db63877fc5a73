/*
 * Conditions of --where as SQL: range tests and comparisons with constants of
 * the type of the column. Derivation: docs/theory/release_engines.md, section
 * 2.
 */
#include "sql_where.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "num/decimal.h"

#define MAX_EXPONENT 100000

/* A decimal in pieces: digits with the point after the n_whole-th one. */
struct written {
    bool is_negative;
    struct table_bytes digits; /* with the point among them */
    long exponent;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool written_exponent(struct written *out, const char *s, size_t n)
{
    bool is_negative = n > 0 && s[0] == '-';
    size_t i = n > 0 && (s[0] == '-' || s[0] == '+') ? 1 : 0;
    if (i == n)
        return false;
    for (out->exponent = 0; i < n; i++) {
        if (!is_digit(s[i]))
            return false;
        if (out->exponent < MAX_EXPONENT)
            out->exponent = out->exponent * 10 + (s[i] - '0');
    }
    if (is_negative)
        out->exponent = -out->exponent;
    return true;
}

static bool written_read(struct written *out, struct table_bytes x)
{
    size_t i = x.n > 0 && (x.bytes[0] == '-' || x.bytes[0] == '+') ? 1 : 0;
    size_t first = i, n_points = 0;
    *out = (struct written){.is_negative = i > 0 && x.bytes[0] == '-'};
    for (; i < x.n && (is_digit(x.bytes[i]) || x.bytes[i] == '.'); i++)
        n_points += x.bytes[i] == '.';
    out->digits = (struct table_bytes){x.bytes + first, i - first};
    if (n_points > 1 || i - first == n_points)
        return false;
    if (i == x.n)
        return true;
    return (x.bytes[i] == 'e' || x.bytes[i] == 'E') &&
           written_exponent(out, x.bytes + i + 1, x.n - i - 1);
}

bool sql_scaled_floor(
    int128 *out, bool *is_exact, struct table_bytes x, int scale)
{
    struct written w;
    int128 limit = 1, units = 0;
    if (!written_read(&w, x))
        return false;
    for (int i = 0; i < 38; i++)
        limit *= 10;

    const char *point = memchr(w.digits.bytes, '.', w.digits.n);
    size_t n_whole =
        point != NULL ? (size_t)(point - w.digits.bytes) : w.digits.n;
    /* digits before the point of x 10^scale; the rest is a fraction */
    long n_left = (long)n_whole + w.exponent + scale;
    bool has_fraction = false;
    for (size_t i = 0; i < w.digits.n; i++) {
        char c = w.digits.bytes[i];
        if (c == '.')
            continue;
        if (n_left-- <= 0)
            has_fraction = has_fraction || c != '0';
        else if (units < limit)
            units = units * 10 + (c - '0');
    }
    for (; n_left > 0 && units > 0 && units < limit; n_left--)
        units *= 10;
    units = units < limit ? units : limit;
    *is_exact = !has_fraction;
    *out = w.is_negative ? -units - has_fraction : units;
    return true;
}

static const char *const operators[] = {
    [TABLE_EQ] = "=",
    [TABLE_NE] = "<>",
    [TABLE_LT] = "<",
    [TABLE_LE] = "<=",
    [TABLE_GT] = ">",
    [TABLE_GE] = ">=",
};

enum verdict { COMPARE, ALWAYS, NEVER };

/* v op x, with floor(x) = *k, as v op *k for integers v: op and *k change. */
static enum verdict to_integers(
    enum table_operator *op, int128 *k, bool is_exact)
{
    switch (*op) {
    case TABLE_EQ:
        return is_exact ? COMPARE : NEVER;
    case TABLE_NE:
        return is_exact ? COMPARE : ALWAYS;
    case TABLE_LT: /* v < x iff v <= ceil(x) - 1 */
        *k -= is_exact;
        *op = TABLE_LE;
        return COMPARE;
    case TABLE_GT: /* v > x iff v >= floor(x) + 1 */
        *k += 1;
        *op = TABLE_GE;
        return COMPARE;
    case TABLE_GE: /* v >= x iff v >= ceil(x) */
        *k += !is_exact;
        return COMPARE;
    case TABLE_LE:
        return COMPARE;
    }
    return NEVER;
}

/* Constants outside the column's type are never compared with it. */
static enum verdict inside(
    enum table_operator op, int128 k, int128 low, int128 high)
{
    if (k >= low && k <= high)
        return COMPARE;
    switch (op) {
    case TABLE_EQ:
        return NEVER;
    case TABLE_NE:
        return ALWAYS;
    case TABLE_LT:
    case TABLE_LE:
        return k > high ? ALWAYS : NEVER;
    case TABLE_GT:
    case TABLE_GE:
        return k < low ? ALWAYS : NEVER;
    }
    return NEVER;
}

static dosi_status put_exact(dosi_buffer *out, const struct sql_rows *rows,
    const struct table_where *where, const struct table_column *column,
    dosi_error *err)
{
    bool is_decimal = column->type == TABLE_DECIMAL, is_exact;
    enum table_operator op = where->op;
    int128 k, low = INT64_MIN, high = INT64_MAX;
    if (!sql_scaled_floor(&k, &is_exact, where->operand,
            is_decimal ? column->scale : 0))
        return dosi_fail(
            err, DOSI_EINVAL, "sql: where %s: no number", column->name);
    if (is_decimal) {
        high = 1;
        for (int i = 0; i < column->precision; i++)
            high *= 10;
        high -= 1;
        low = -high;
    }
    enum verdict verdict = to_integers(&op, &k, is_exact);
    if (verdict == COMPARE)
        verdict = inside(op, k, low, high);
    if (verdict == NEVER) {
        dosi_buffer_text(out, "1 = 0");
        return DOSI_OK;
    }
    sql_test(out, rows, column);
    if (verdict == ALWAYS)
        return DOSI_OK;
    dosi_buffer_text(out, " AND ");
    sql_name(out, rows->dialect, column->name);
    sql_print(out, " %s ", operators[op]);
    if (is_decimal)
        sql_decimal(out, k, column->precision, column->scale);
    else
        sql_integer(out, (int64_t)k);
    return DOSI_OK;
}

static dosi_status put_nearest(dosi_buffer *out, const struct sql_rows *rows,
    const struct table_where *where, const struct table_column *column,
    dosi_error *err)
{
    double x;
    size_t n_used;
    if (!decimal_read(&x, where->operand.bytes, where->operand.n, &n_used) ||
        n_used != where->operand.n)
        return dosi_fail(
            err, DOSI_EINVAL, "sql: where %s: no number", column->name);
    enum verdict verdict = COMPARE;
    if (isinf(x)) /* beyond every number of the column */
        verdict = inside(where->op, x > 0 ? 1 : -1, 0, 0);
    if (verdict == NEVER) {
        dosi_buffer_text(out, "1 = 0");
        return DOSI_OK;
    }
    sql_test(out, rows, column);
    if (verdict == ALWAYS)
        return DOSI_OK;
    dosi_buffer_text(out, " AND ");
    sql_name(out, rows->dialect, column->name);
    sql_print(out, " %s ", operators[where->op]);
    sql_real(out, rows->dialect, x);
    return DOSI_OK;
}

static dosi_status put_text(dosi_buffer *out, const struct sql_rows *rows,
    const struct table_where *where, const struct table_column *column,
    dosi_error *err)
{
    if (column->type == TABLE_DOUBLE || column->type == TABLE_DECIMAL ||
        column->type == TABLE_INT64)
        return dosi_fail(err, DOSI_EINVAL,
            "sql: where %s: a column of numbers is compared with a number, "
            "without quotes",
            column->name);
    sql_bytes(out, rows, column); /* NULL, which fails, for no bytes */
    sql_print(out, " %s ", operators[where->op]);
    return sql_constant(out, rows->dialect, column, where->operand, err);
}

dosi_status sql_where(dosi_buffer *out, const struct sql_rows *rows,
    const struct table_where *where, dosi_error *err)
{
    const struct table_column *column = &rows->layout->columns[where->column];
    dosi_status status;
    if (where->is_text)
        return put_text(out, rows, where, column, err);
    status = sql_check_number(column, err);
    if (status != DOSI_OK)
        return status;
    if (column->type == TABLE_DOUBLE)
        return put_nearest(out, rows, where, column, err);
    return put_exact(out, rows, where, column, err);
}
