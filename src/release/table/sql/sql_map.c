/*
 * SQL expressions for the integers, cells and keys of a row, which have the
 * same value in every engine with IEEE doubles. Derivation:
 * docs/theory/release_engines.md, section 2 (R107-4, R107-8).
 */
#include "sql_map.h"

#include <math.h>

#include "base/error.h"

#define MAX_UNITS ((int64_t)1 << 62)
#define MAX_GRID ((int64_t)1 << 53)
#define LARGEST 1.7976931348623157e308

static const struct table_column *value_column(
    const struct sql_rows *rows, size_t value)
{
    const struct table_layout *layout = rows->layout;
    return &layout->columns[layout->values[value].column];
}

static int128 power_of_ten(int n)
{
    int128 power = 1;
    while (n-- > 0)
        power *= 10;
    return power;
}

double sql_nearest(int64_t p, int64_t q)
{
    uint128 rest = (uint64_t)(p < 0 ? -p : p);
    int shift = 0;
    if (rest == 0)
        return 0;
    while (rest >> 125 == 0) {
        rest <<= 1;
        shift++;
    }
    /* q <= 2^53, so the quotient has more than 71 bits; the last one is set
     * if anything is left, and the conversion rounds once */
    uint128 divisor = (uint64_t)q, quotient = rest / divisor;
    if (rest % divisor != 0)
        quotient |= 1;
    double x = ldexp((double)quotient, -shift);
    return p < 0 ? -x : x;
}

void sql_quotient(dosi_buffer *out, const struct sql_dialect *d,
    const char *x, int64_t y)
{
    if (d->quotient != NULL)
        sql_print(out, "(%s) %s %lld", x, d->quotient, (long long)y);
    else
        sql_print(out, "CAST(((%s) - MOD((%s), %lld)) / %lld AS BIGINT)", x,
            x, (long long)y, (long long)y);
}

/* least(greatest(x, lo), hi) with constants that were written already. */
static void put_clamped(
    dosi_buffer *out, dosi_buffer *x, dosi_buffer *lo, dosi_buffer *hi)
{
    dosi_buffer_text(out, "least(greatest(");
    sql_take(out, x);
    dosi_buffer_text(out, ", ");
    sql_take(out, lo);
    dosi_buffer_text(out, "), ");
    sql_take(out, hi);
    dosi_buffer_text(out, ")");
}

static void put_clamped_integer(
    dosi_buffer *out, dosi_buffer *x, int64_t lo, int64_t hi)
{
    dosi_buffer low = {0}, high = {0};
    sql_integer(&low, lo);
    sql_integer(&high, hi);
    put_clamped(out, x, &low, &high);
}

/* ---- Tests: is there a number? ---- */

/* NaN fails whether it compares false or above everything; so does NULL. */
static void put_range(dosi_buffer *out, const struct sql_rows *rows,
    const struct table_column *column)
{
    const struct sql_dialect *d = rows->dialect;
    dosi_buffer low = {0}, high = {0};
    if (column->type == TABLE_DOUBLE) {
        sql_real(&low, d, -LARGEST);
        sql_real(&high, d, LARGEST);
    } else {
        int128 largest = power_of_ten(column->precision) - 1;
        sql_decimal(&low, -largest, column->precision, column->scale);
        sql_decimal(&high, largest, column->precision, column->scale);
    }
    sql_name(out, d, column->name);
    dosi_buffer_text(out, " >= ");
    sql_take(out, &low);
    dosi_buffer_text(out, " AND ");
    sql_name(out, d, column->name);
    dosi_buffer_text(out, " <= ");
    sql_take(out, &high);
}

void sql_test(dosi_buffer *out, const struct sql_rows *rows,
    const struct table_column *column)
{
    if (column->type == TABLE_INT64) {
        sql_name(out, rows->dialect, column->name);
        dosi_buffer_text(out, " IS NOT NULL");
    } else {
        put_range(out, rows, column);
    }
}

/* ---- Maps ---- */

/*
 * floor(w den + 1/2) or floor((w + num/2) / num) of the clamped w. The half
 * comes before the division, so that nothing underflows: |w + num/2| is 0 or
 * at least 2^-53. |w den| <= 2^62 (1 + 2^-52) fits a BIGINT.
 */
static void put_double(dosi_buffer *out, const struct sql_rows *rows,
    const struct table_value *v, const struct table_column *column)
{
    const struct sql_dialect *d = rows->dialect;
    bool is_fine = v->num == 1;
    dosi_buffer x = {0}, low = {0}, high = {0}, w = {0}, z = {0};

    sql_name(&x, d, column->name);
    sql_real(&low, d, is_fine ? sql_nearest(v->lo, v->den)
                              : (double)((int128)v->lo * v->num));
    sql_real(&high, d, is_fine ? sql_nearest(v->hi, v->den)
                               : (double)((int128)v->hi * v->num));
    put_clamped(&w, &x, &low, &high);

    dosi_buffer_text(&z, is_fine ? "CAST(floor(" : "CAST(floor((");
    sql_take(&z, &w);
    dosi_buffer_text(&z, is_fine ? " * " : " + ");
    sql_real(&z, d, is_fine ? (double)v->den : (double)v->num / 2);
    dosi_buffer_text(&z, is_fine ? " + " : ") / ");
    sql_real(&z, d, is_fine ? 0.5 : (double)v->num);
    dosi_buffer_text(&z, ") AS BIGINT)");
    put_clamped_integer(out, &z, v->lo, v->hi);
}

/*
 * The units of integers n = v 10^scale, exact: the grid is a times 10^-scale
 * or 10^-scale is b grids. Half up of n/a for n >= lo a is
 * (2 (n - lo a) + a) / (2 a) + lo with nothing negative in the division.
 */
static void put_exact(dosi_buffer *out, const struct sql_rows *rows,
    const struct table_value *v, dosi_buffer *n, int64_t a, int64_t b)
{
    if (a == 1 && b == 1) {
        sql_take(out, n);
    } else if (a == 1) {
        dosi_buffer product = {0};
        sql_take(&product, n);
        sql_print(&product, " * %lld", (long long)b);
        put_clamped_integer(out, &product, v->lo, v->hi);
    } else {
        dosi_buffer x = {0};
        dosi_buffer_text(&x, "(");
        sql_take(&x, n);
        dosi_buffer_text(&x, " - ");
        sql_integer(&x, v->lo * a);
        sql_print(&x, ") * 2 + %lld", (long long)a);
        sql_quotient(
            out, rows->dialect, x.text != NULL ? x.text : "", 2 * a);
        dosi_buffer_text(out, " + ");
        sql_integer(out, v->lo);
        out->failed |= x.failed;
        dosi_buffer_free(&x);
    }
}

/* The clamped column as an integer of 10^-scale, between low and high. */
static void put_integer(dosi_buffer *out, const struct sql_rows *rows,
    const struct table_column *column, int128 low, int128 high)
{
    dosi_buffer x = {0}, bound[2] = {{0}, {0}};
    sql_name(&x, rows->dialect, column->name);
    if (column->type == TABLE_INT64) {
        sql_integer(&bound[0], (int64_t)low);
        sql_integer(&bound[1], (int64_t)high);
    } else {
        sql_decimal(&bound[0], low, column->precision, column->scale);
        sql_decimal(&bound[1], high, column->precision, column->scale);
    }
    dosi_buffer_text(out, "CAST(");
    if (column->type == TABLE_DECIMAL)
        dosi_buffer_text(out, "CAST(");
    put_clamped(out, &x, &bound[0], &bound[1]);
    /* Clamped, it fits 18 digits, and the product 36. Of 19 digits, DuckDB
     * multiplies in 128 bits; of more, Spark may drop decimal places. */
    if (column->type == TABLE_DECIMAL) {
        sql_print(out, " AS DECIMAL(19,%d)) * CAST(", column->scale);
        sql_digits(out, power_of_ten(column->scale));
        sql_print(out, " AS DECIMAL(%d,0))", column->scale + 1);
    }
    dosi_buffer_text(out, " AS BIGINT)");
}

/* The grid in 10^-scale is a/b in lowest terms. */
static void grid_ratio(int128 *a, int128 *b, const struct table_value *v,
    const struct table_column *column)
{
    int scale = column->type == TABLE_DECIMAL ? column->scale : 0;
    int128 x = power_of_ten(scale) * v->num, y = v->den;
    int128 p = x, q = y;
    while (q != 0) {
        int128 r = p % q;
        p = q;
        q = r;
    }
    *a = x / p;
    *b = y / p;
}

static dosi_status put_scaled(dosi_buffer *out, const struct sql_rows *rows,
    const struct table_value *v, const struct table_column *column,
    dosi_error *err)
{
    bool is_decimal = column->type == TABLE_DECIMAL;
    int128 a, b;
    grid_ratio(&a, &b, v, column);
    if (a != 1 && b != 1)
        return dosi_fail(err, DOSI_EINVAL,
            "sql: the grid of %s must be a multiple of the column's last "
            "decimal place, or that a multiple of the grid",
            column->name);
    /* every operand of put_exact and 2 (n - lo a) + a are below 2^63 */
    if (a > 1 &&
        (a > MAX_UNITS || 2 * ((int128)v->hi - v->lo) * a + a > INT64_MAX ||
            v->lo * a < INT64_MIN || v->hi * a > INT64_MAX))
        return dosi_fail(err, DOSI_EINVAL,
            "sql: the bounds of %s are too far apart for 64-bit integers",
            column->name);
    /* in 10^-scale, outward where the grid is finer */
    int128 low = b == 1 ? v->lo * a : v->lo / b - (v->lo % b < 0);
    int128 high = b == 1 ? v->hi * a : v->hi / b + (v->hi % b > 0);
    if (is_decimal) {
        int128 largest = power_of_ten(column->precision) - 1;
        if (low > largest || high < -largest)
            return dosi_fail(err, DOSI_EINVAL,
                "sql: the bounds of %s are outside its type", column->name);
        low = low < -largest ? -largest : low;
        high = high > largest ? largest : high;
        if (low <= -power_of_ten(18) || high >= power_of_ten(18))
            return dosi_fail(err, DOSI_EINVAL,
                "sql: the bounds of %s must have at most 18 digits",
                column->name);
    }
    dosi_buffer n = {0};
    put_integer(&n, rows, column, low, high);
    put_exact(out, rows, v, &n, (int64_t)a, (int64_t)b);
    return DOSI_OK;
}

dosi_status sql_check_number(
    const struct table_column *column, dosi_error *err)
{
    switch (column->type) {
    case TABLE_UNDECLARED:
    case TABLE_TEXT:
    case TABLE_BINARY:
        return dosi_fail(err, DOSI_EINVAL,
            "sql: %s is read as a number and needs --type "
            "%s:int64, double or decimal(p,s)",
            column->name, column->name);
    case TABLE_DECIMAL:
        if (column->precision < 1 || column->precision > 38 ||
            column->scale < 0 || column->scale > 17 ||
            column->scale > column->precision)
            return dosi_fail(err, DOSI_EINVAL,
                "sql: decimal(p,s) of %s needs p from 1 to 38 and s from 0 "
                "to 17, at most p",
                column->name);
        break;
    case TABLE_INT64:
    case TABLE_DOUBLE:
        break;
    }
    return DOSI_OK;
}

dosi_status sql_value(dosi_buffer *out, const struct sql_rows *rows,
    size_t value, dosi_error *err)
{
    const struct table_value *v = &rows->layout->values[value];
    const struct table_column *column = value_column(rows, value);
    dosi_status status = sql_check_number(column, err);
    if (status != DOSI_OK)
        return status;
    if (v->lo > v->hi || v->lo < -MAX_UNITS || v->hi > MAX_UNITS ||
        v->num < 1 || v->den < 1 || v->num > MAX_GRID || v->den > MAX_GRID ||
        (v->num > 1 && v->den > 1))
        return dosi_fail(err, DOSI_EINVAL,
            "sql: the bounds or the grid of %s are out of range",
            column->name);
    dosi_buffer z = {0};
    if (column->type == TABLE_DOUBLE)
        put_double(&z, rows, v, column);
    else
        status = put_scaled(&z, rows, v, column, err);
    if (status != DOSI_OK) {
        dosi_buffer_free(&z);
        return status;
    }
    dosi_buffer_text(out, "CASE WHEN ");
    sql_test(out, rows, column);
    dosi_buffer_text(out, " THEN ");
    sql_take(out, &z);
    if (v->missing != TABLE_MISSING) {
        int64_t missing = v->missing < v->lo   ? v->lo
                          : v->missing > v->hi ? v->hi
                                               : v->missing;
        dosi_buffer_text(out, " ELSE ");
        sql_integer(out, missing);
    }
    dosi_buffer_text(out, " END");
    return DOSI_OK;
}

void sql_bad(dosi_buffer *out, const struct sql_rows *rows)
{
    dosi_buffer_text(out, "CASE WHEN ");
    for (size_t i = 0; i < rows->layout->n_values; i++) {
        dosi_buffer_text(out, i > 0 ? " AND " : "");
        sql_test(out, rows, value_column(rows, i));
    }
    dosi_buffer_text(out, " THEN 0 ELSE 1 END");
}

/* ---- Texts ---- */

/* Bytes of the column, NULL for no bytes; of an integer, of its digits. */
void sql_bytes(dosi_buffer *out, const struct sql_rows *rows,
    const struct table_column *column)
{
    const struct sql_dialect *d = rows->dialect;
    const struct sql_bytes *tokens = sql_bytes_of(d, column);
    bool is_integer = column->type == TABLE_INT64;
    dosi_buffer_text(out, is_integer ? "" : "nullif(");
    dosi_buffer_text(out, tokens->bytes[0]);
    dosi_buffer_text(out, is_integer ? "CAST(" : "");
    sql_name(out, d, column->name);
    if (is_integer)
        sql_print(out, " AS %s)", d->text);
    dosi_buffer_text(out, tokens->bytes[1]);
    if (!is_integer)
        sql_print(out, ", %s)", tokens->empty);
}

dosi_status sql_cell(dosi_buffer *out, const struct sql_rows *rows,
    size_t column, dosi_error *err)
{
    const struct table_column *c = &rows->layout->columns[column];
    if (c->type == TABLE_DOUBLE || c->type == TABLE_DECIMAL)
        return dosi_fail(err, DOSI_EINVAL,
            "sql: cells of %s must be texts, bytes or integers", c->name);
    sql_bytes(out, rows, c);
    return DOSI_OK;
}

/* Undeclared keys are ordered as the engine orders their type. */
dosi_status sql_key(dosi_buffer *out, const struct sql_rows *rows,
    size_t column, dosi_error *err)
{
    const struct table_column *c = &rows->layout->columns[column];
    if (c->type == TABLE_DOUBLE)
        return dosi_fail(err, DOSI_EINVAL,
            "sql: --order %s: doubles are no order of a person's rows",
            c->name);
    if (c->type == TABLE_TEXT || c->type == TABLE_BINARY)
        sql_bytes(out, rows, c);
    else
        sql_name(out, rows->dialect, c->name);
    return DOSI_OK;
}

dosi_status sql_user(
    dosi_buffer *out, const struct sql_rows *rows, dosi_error *err)
{
    const struct table_column *c =
        &rows->layout->columns[rows->layout->user];
    if (c->type == TABLE_DOUBLE || c->type == TABLE_DECIMAL)
        return dosi_fail(err, DOSI_EINVAL,
            "sql: --user %s must be text, bytes or an integer", c->name);
    if (c->type == TABLE_INT64)
        sql_name(out, rows->dialect, c->name);
    else
        sql_bytes(out, rows, c);
    return DOSI_OK;
}
