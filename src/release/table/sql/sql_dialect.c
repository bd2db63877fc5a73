/*
 * The table of SQL dialects, and the printers of names, constants and tables.
 * Derivation: docs/theory/release_engines.md, section 3.
 */
#include "sql_dialect.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/*
 * Sums are exact for 2^63 rows of at most 2^62: HUGEINT, numeric and
 * DECIMAL(38,0) hold 2^125. Text becomes bytes, or has the collation of
 * bytes, so that no collation of a column or session joins two people.
 */
static const struct sql_dialect sql_dialects[] = {
    [DOSI_SQL_DUCKDB] = {
        .name = "duckdb",
        .settings = "",
        .text = "VARCHAR",
        .real = "DOUBLE",
        .quote = '"',
        .min_parts = 1,
        .sum = {"sum(", ")"},
        .quotient = "//",
        .literal = {"decode(from_hex('", "'))"},
        .has_hex = true,
        .text_bytes = {
            .bytes = {"encode(", ")"},
            .constant = {"from_hex('", "')"},
            .empty = "encode('')",
            .hex = {"hex(", ")"},
        },
        .binary = {
            .bytes = {"", ""},
            .constant = {"from_hex('", "')"},
            .empty = "from_hex('')",
            .hex = {"hex(", ")"},
        },
    },
    [DOSI_SQL_POSTGRES] = {
        .name = "postgres",
        .settings = "SET search_path = ''",
        .text = "text",
        .real = "double precision",
        .quote = '"',
        .min_parts = 2,
        .sum = {"sum(", ")"},
        .quotient = "/",
        .literal = {"convert_from(decode('", "', 'hex'), 'UTF8')"},
        .has_hex = true,
        .text_bytes = {
            .bytes = {"CAST(", " AS text) COLLATE \"C\""},
            .constant = {"convert_from(decode('", "', 'hex'), 'UTF8')"},
            .empty = "''",
            .hex = {"encode(convert_to(", ", 'UTF8'), 'hex')"},
        },
        .binary = {
            .bytes = {"", ""},
            .constant = {"decode('", "', 'hex')"},
            .empty = "CAST('' AS bytea)",
            .hex = {"encode(", ", 'hex')"},
        },
    },
    [DOSI_SQL_SPARK] = {
        .name = "spark",
        .settings = "",
        .text = "STRING",
        .real = "DOUBLE",
        .quote = '`',
        .min_parts = 1,
        .variable = "${",
        .sum = {"sum(CAST(", " AS DECIMAL(38,0)))"},
        .quotient = "div",
        .literal = {"CAST(X'", "' AS STRING)"},
        .has_hex = true,
        .text_bytes = {
            .bytes = {"CAST(", " AS BINARY)"},
            .constant = {"X'", "'"},
            .empty = "X''",
            .hex = {"hex(", ")"},
        },
        .binary = {
            .bytes = {"", ""},
            .constant = {"X'", "'"},
            .empty = "X''",
            .hex = {"hex(", ")"},
        },
    },
    [DOSI_SQL_GENERIC] = {
        .name = "generic",
        .settings = "",
        .text = "VARCHAR(100)",
        .real = "DOUBLE PRECISION",
        .quote = '"',
        .min_parts = 1,
        .sum = {"sum(CAST(", " AS DECIMAL(38,0)))"},
        .quotient = NULL,
        .literal = {"'", "'"},
        .has_hex = false,
        .text_bytes = {
            .bytes = {"", ""},
            .constant = {"'", "'"},
            .empty = "''",
            .hex = {"hex(", ")"},
        },
        .binary = {
            .bytes = {"", ""},
            .constant = {"'", "'"},
            .empty = "''",
            .hex = {"hex(", ")"},
        },
    },
};

const struct sql_dialect *sql_dialect_at(dosi_dialect dialect)
{
    size_t i = (size_t)dialect;
    if (i >= sizeof sql_dialects / sizeof sql_dialects[0])
        return NULL;
    return &sql_dialects[i];
}

void sql_print(dosi_buffer *out, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n >= 0 && (size_t)n < sizeof text) {
        dosi_buffer_bytes(out, text, (size_t)n);
        return;
    }
    char *longer = n < 0 ? NULL : malloc((size_t)n + 1);
    if (longer == NULL) {
        out->failed = true;
        return;
    }
    va_start(args, format);
    vsnprintf(longer, (size_t)n + 1, format, args);
    va_end(args);
    dosi_buffer_bytes(out, longer, (size_t)n);
    free(longer);
}

void sql_take(dosi_buffer *out, dosi_buffer *part)
{
    if (part->failed)
        out->failed = true;
    else if (part->length > 0)
        dosi_buffer_bytes(out, part->text, part->length);
    dosi_buffer_free(part);
}

/* Bytes between quotes; a quote inside is doubled. */
static void sql_quoted(dosi_buffer *out, char quote, const char *s, size_t n)
{
    dosi_buffer_bytes(out, &quote, 1);
    for (size_t i = 0; i < n; i++) {
        if (s[i] == quote)
            dosi_buffer_bytes(out, &quote, 1);
        dosi_buffer_bytes(out, s + i, 1);
    }
    dosi_buffer_bytes(out, &quote, 1);
}

void sql_name(
    dosi_buffer *out, const struct sql_dialect *d, const char *column)
{
    dosi_buffer_text(out, "t.");
    sql_quoted(out, d->quote, column, strlen(column));
}

/* One part of the name at *s, without its quotes, into part; *s after it. */
static bool sql_table_part(dosi_buffer *part, const char **s)
{
    const char *p = *s;
    if (*p != '"') {
        size_t n = strcspn(p, ".\"");
        dosi_buffer_bytes(part, p, n);
        *s = p + n;
        return n > 0 && p[n] != '"';
    }
    for (p++; *p != '\0'; p++) {
        if (*p == '"' && p[1] != '"') {
            *s = p + 1;
            return part->length > 0 && (p[1] == '.' || p[1] == '\0');
        }
        p += *p == '"';
        dosi_buffer_bytes(part, p, 1);
    }
    return false; /* the quote is not closed */
}

dosi_status sql_table(dosi_buffer *out, const struct sql_dialect *d,
    const char *table, dosi_error *err)
{
    size_t n_parts = 0;
    for (const char *s = table;; s++) {
        dosi_buffer part = {0};
        bool is_good = sql_table_part(&part, &s);
        bool is_own = is_good && part.length == 1 &&
                      (*part.text == 'a' || *part.text == 'A');
        if (n_parts > 0)
            dosi_buffer_text(out, ".");
        if (is_good)
            sql_quoted(out, d->quote, part.text, part.length);
        out->failed |= part.failed;
        dosi_buffer_free(&part);
        n_parts++;
        if (!is_good || n_parts > 4)
            return dosi_fail(err, DOSI_EINVAL,
                "sql: the table must be a name, or several with dots "
                "between them, in double quotes if need be");
        if (*s == '\0' && n_parts == 1 && is_own)
            return dosi_fail(err, DOSI_EINVAL,
                "sql: the statement calls its own rows 'a'; write the table "
                "with its schema");
        if (*s == '\0')
            break;
    }
    if (n_parts < d->min_parts)
        return dosi_fail(err, DOSI_EINVAL,
            "sql: %s needs the table with its schema, as public.visits",
            d->name);
    return DOSI_OK;
}

void sql_integer(dosi_buffer *out, int64_t n)
{
    /* -2^63 has no literal: its digits alone leave the type */
    if (n == INT64_MIN)
        sql_print(out, "CAST('%lld' AS BIGINT)", (long long)n);
    else
        sql_print(out, "CAST(%lld AS BIGINT)", (long long)n);
}

void sql_real(dosi_buffer *out, const struct sql_dialect *d, double x)
{
    char text[DOSI_NUMBER_BYTES];
    dosi_print_exact(text, x);
    sql_print(out, "CAST('%s' AS %s)", text, d->real);
}

void sql_digits(dosi_buffer *out, int128 n)
{
    char text[48];
    size_t at = sizeof text - 1;
    uint128 rest = n < 0 ? -(uint128)n : (uint128)n;
    text[at] = '\0';
    do {
        text[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    } while (rest > 0);
    if (n < 0)
        text[--at] = '-';
    dosi_buffer_text(out, text + at);
}

void sql_decimal(dosi_buffer *out, int128 units, int precision, int scale)
{
    uint128 rest = units < 0 ? -(uint128)units : (uint128)units;
    char text[64];
    size_t at = sizeof text - 1;
    text[at] = '\0';
    for (int i = 0; i <= scale || rest > 0; i++) {
        if (i == scale && scale > 0)
            text[--at] = '.';
        text[--at] = (char)('0' + (int)(rest % 10));
        rest /= 10;
    }
    if (units < 0)
        text[--at] = '-';
    sql_print(out, "CAST('%s' AS DECIMAL(%d,%d))", text + at, precision,
        scale);
}

static void sql_hexadecimal(dosi_buffer *out, struct table_bytes text)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < text.n; i++) {
        unsigned c = (unsigned char)text.bytes[i];
        const char pair[] = {digits[c >> 4], digits[c & 15]};
        dosi_buffer_bytes(out, pair, sizeof pair);
    }
}

void sql_literal(dosi_buffer *out, const struct sql_dialect *d,
    struct table_bytes text)
{
    dosi_buffer_text(out, d->literal[0]);
    if (d->has_hex)
        sql_hexadecimal(out, text);
    else
        dosi_buffer_bytes(out, text.bytes, text.n);
    dosi_buffer_text(out, d->literal[1]);
}

/* Letters, digits and signs that no dialect of quoted texts reads as more
 * than themselves. */
static bool sql_is_plain(struct table_bytes text)
{
    for (size_t i = 0; i < text.n; i++) {
        char c = text.bytes[i];
        if (c < ' ' || c > '~' || strchr("'\"\\`$%{}", c) != NULL)
            return false;
    }
    return true;
}

static bool sql_is_utf8(struct table_bytes text)
{
    for (size_t i = 0, length; i < text.n; i += length) {
        length = dosi_utf8_length(text.bytes + i, text.n - i);
        if (length == 0 || text.bytes[i] == '\0')
            return false;
    }
    return true;
}

const struct sql_bytes *sql_bytes_of(
    const struct sql_dialect *d, const struct table_column *column)
{
    return column->type == TABLE_BINARY ? &d->binary : &d->text_bytes;
}

dosi_status sql_constant(dosi_buffer *out, const struct sql_dialect *d,
    const struct table_column *column, struct table_bytes text,
    dosi_error *err)
{
    const struct sql_bytes *tokens = sql_bytes_of(d, column);
    if (!d->has_hex && !sql_is_plain(text))
        return dosi_fail(err, DOSI_EINVAL,
            "sql: where %s: the text has characters that the generic dialect "
            "cannot write safely", column->name);
    if (column->type != TABLE_BINARY && !sql_is_utf8(text))
        return dosi_fail(err, DOSI_EINVAL,
            "sql: where %s: the text must be UTF-8", column->name);
    dosi_buffer_text(out, tokens->constant[0]);
    if (d->has_hex)
        sql_hexadecimal(out, text);
    else
        dosi_buffer_bytes(out, text.bytes, text.n);
    dosi_buffer_text(out, tokens->constant[1]);
    return DOSI_OK;
}
