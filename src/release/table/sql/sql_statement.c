/*
 * Prints the statement of a query in one dialect, with its digest, and refuses
 * layouts that SQL cannot express. Derivation: docs/theory/release_engines.md,
 * section 3.
 */
#include "sql_statement.h"

#include <sodium.h>
#include <string.h>

#include "base/error.h"
#include "sql_parts.h"
#include "sql_where.h"

/* ---- The rows that count ---- */

static dosi_status put_columns(
    dosi_buffer *out, const struct sql_rows *rows, dosi_error *err)
{
    const struct table_layout *layout = rows->layout;
    dosi_status status = DOSI_OK;
    const char *comma = "";
    if (layout->user != TABLE_NONE) {
        status = sql_user(out, rows, err);
        dosi_buffer_text(out, " AS u");
        comma = ", ";
    }
    for (size_t i = 0; status == DOSI_OK && i < layout->n_keys; i++) {
        dosi_buffer_text(out, comma);
        status = sql_key(out, rows, layout->keys[i], err);
        sql_print(out, " AS o%zu", i + 1);
        comma = ", ";
    }
    for (size_t i = 0; status == DOSI_OK && i < layout->n_values; i++) {
        dosi_buffer_text(out, comma);
        status = sql_value(out, rows, i, err);
        sql_print(out, " AS z%zu", i + 1);
        comma = ", ";
    }
    for (size_t i = 0; status == DOSI_OK && i < layout->n_texts; i++) {
        dosi_buffer_text(out, comma);
        status = sql_cell(out, rows, layout->texts[i], err);
        sql_print(out, " AS c%zu", i + 1);
        comma = ", ";
    }
    if (status == DOSI_OK && layout->n_values > 0) {
        sql_print(out, "%s", comma);
        sql_bad(out, rows);
        dosi_buffer_text(out, " AS x");
    } else if (status == DOSI_OK) {
        sql_print(out, "%s0 AS x", comma); /* no row is bad */
    }
    return status;
}

static dosi_status put_conditions(
    dosi_buffer *out, const struct sql_rows *rows, dosi_error *err)
{
    const struct table_layout *layout = rows->layout;
    dosi_status status = DOSI_OK;
    const char *and = " WHERE ";
    if (layout->user != TABLE_NONE) {
        dosi_buffer_text(out, and);
        status = sql_user(out, rows, err);
        dosi_buffer_text(out, " IS NOT NULL");
        and = " AND ";
    }
    for (size_t i = 0; status == DOSI_OK && i < layout->n_where; i++) {
        dosi_buffer_text(out, and);
        status = sql_where(out, rows, &layout->where[i], err);
        and = " AND ";
    }
    return status;
}

static dosi_status put_rows(dosi_buffer *out, const struct sql_rows *rows,
    const struct sql_source *source, dosi_error *err)
{
    dosi_status status;
    sql_print(out, "WITH %s", source->prelude);
    dosi_buffer_text(out, "a AS (SELECT ");
    status = put_columns(out, rows, err);
    if (status != DOSI_OK)
        return status;
    dosi_buffer_text(out, " FROM ");
    status = sql_table(out, rows->dialect, source->table, err);
    if (status != DOSI_OK)
        return status;
    dosi_buffer_text(out, " AS t");
    status = put_conditions(out, rows, err);
    dosi_buffer_text(out, ")\n");
    return status;
}

/* ---- Checks that concern the statement as a whole ---- */

static dosi_status check_item(const struct table_layout *layout,
    const struct table_item *item, dosi_error *err)
{
    const int64_t most = (int64_t)1 << 62;
    if (item->value == TABLE_NONE)
        return DOSI_OK;
    const struct table_value *v = &layout->values[item->value];
    if (item->term == TABLE_SQUARE) {
        int128 below = (int128)item->centre - v->lo;
        int128 above = (int128)v->hi - item->centre;
        if (below >> 31 != 0 || above >> 31 != 0)
            return dosi_fail(err, DOSI_EINVAL,
                "sql: squares of %s need bounds less than 2^31 units from "
                "the middle",
                layout->columns[v->column].name);
    }
    if (item->term == TABLE_CENTRED &&
        (item->centre < v->lo || item->centre > v->hi))
        return dosi_fail(err, DOSI_EINVAL,
            "sql: the middle of %s must be between its bounds",
            layout->columns[v->column].name);
    if (item->term == TABLE_TOTAL &&
        (item->total_lo < -most || item->total_hi > most))
        return dosi_fail(err, DOSI_EINVAL,
            "sql: --user-bounds of %s must be at most 2^62 units",
            layout->columns[v->column].name);
    return DOSI_OK;
}

/* A cell is (z - lo) / width, and z - lo must fit 64 bits. */
static dosi_status check_rule(const struct table_layout *layout,
    const struct table_rule *rule, dosi_error *err)
{
    if (rule->kind != TABLE_BINS && rule->kind != TABLE_LEVELS)
        return DOSI_OK;
    const struct table_value *v = &layout->values[rule->value];
    if ((int128)v->hi - v->lo > INT64_MAX)
        return dosi_fail(err, DOSI_EINVAL,
            "sql: the bounds of %s are too far apart for 64-bit integers",
            layout->columns[v->column].name);
    return DOSI_OK;
}

static dosi_status check_names(const struct table_layout *layout,
    const struct sql_source *source, dosi_error *err)
{
    const char *variable = source->dialect->variable;
    bool is_in = variable != NULL && strstr(source->table, variable) != NULL;
    for (size_t i = 0; variable != NULL && i < layout->n_columns; i++)
        is_in |= strstr(layout->columns[i].name, variable) != NULL;
    if (is_in)
        return dosi_fail(err, DOSI_EINVAL,
            "sql: names must not hold %s, which %s replaces", variable,
            source->dialect->name);
    return DOSI_OK;
}

static dosi_status check_layout(const struct table_layout *layout,
    const struct sql_source *source, dosi_error *err)
{
    dosi_status status = check_names(layout, source, err);
    if (status == DOSI_OK && layout->is_file_order)
        return dosi_fail(err, DOSI_EINVAL,
            "sql: --file-order is for CSV files; rows of an engine have no "
            "order of their own, so give --order");
    for (size_t i = 0; status == DOSI_OK && i < layout->n_items; i++)
        status = check_item(layout, &layout->items[i], err);
    for (size_t i = 0; status == DOSI_OK && i < layout->n_rules; i++)
        status = check_rule(layout, &layout->rules[i], err);
    return status;
}

/* ---- The statement ---- */

static dosi_status digest_of(
    char digest[SQL_DIGEST_BYTES], const dosi_buffer *text, dosi_error *err)
{
    unsigned char hash[crypto_hash_sha256_BYTES];
    if (text->failed)
        return dosi_fail_memory(err);
    if (sodium_init() < 0)
        return dosi_fail(err, DOSI_EUNABLE, "sql: libsodium does not start");
    crypto_hash_sha256(
        hash, (const unsigned char *)text->text, text->length);
    sodium_bin2hex(digest, SQL_DIGEST_BYTES, hash, sizeof hash);
    return DOSI_OK;
}

/* The parts of the answer, one below the other. */
static dosi_status put_parts(dosi_buffer *text, const struct sql_rows *rows,
    const struct tally_shape *shape, char digest[SQL_DIGEST_BYTES],
    dosi_error *err)
{
    const char *all = "";
    dosi_buffer_text(text, "SELECT part, cell");
    for (size_t i = 0; i < shape->n_columns; i++)
        sql_print(text, ", n%zu", i);
    dosi_buffer_text(text, ", count(*) OVER () AS total FROM (\n");
    if (shape->has_rows) {
        sql_part_rows(text, rows, shape);
        all = "UNION ALL ";
    }
    if (shape->has_users) {
        dosi_buffer_text(text, all);
        sql_part_users(text, rows, shape);
        all = "UNION ALL ";
    }
    for (size_t i = 0; i < shape->n_items; i++) {
        if (shape->places[i].part != TALLY_CELLS)
            continue;
        dosi_buffer_text(text, all);
        sql_part_cells(text, rows, shape, i);
        all = "UNION ALL ";
    }
    dosi_status status = digest_of(digest, text, err);
    dosi_buffer_text(text, all);
    if (status == DOSI_OK)
        sql_part_query(text, rows, shape, digest);
    dosi_buffer_text(text, ") AS s");
    return status;
}

dosi_status sql_statement(dosi_buffer *out, char digest[SQL_DIGEST_BYTES],
    const struct table_layout *layout, const struct sql_source *source,
    dosi_error *err)
{
    struct sql_rows rows = {source->dialect, layout};
    struct tally_shape shape = {0};
    dosi_buffer text = {0};
    dosi_status status = check_layout(layout, source, err);
    if (status == DOSI_OK)
        status = tally_shape_new(&shape, layout, err);
    if (status == DOSI_OK) {
        dosi_buffer_text(&text, SQL_FIRST_LINE);
        dosi_buffer_text(&text, source->origin);
        dosi_buffer_text(&text, "\n");
        status = put_rows(&text, &rows, source, err);
    }
    if (status == DOSI_OK)
        status = put_parts(&text, &rows, &shape, digest, err);
    if (status == DOSI_OK && text.failed)
        status = dosi_fail_memory(err);
    if (status == DOSI_OK)
        sql_take(out, &text);
    dosi_buffer_free(&text);
    tally_shape_free(&shape);
    return status;
}
