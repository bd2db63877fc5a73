/*
 * The admission test of an engine: a statement with public rows on which
 * engines differ, and the comparison of its tally with the known integers.
 * Derivation: docs/theory/release_engines.md, section 4.
 */
#include "sql_self_test.h"

#include <string.h>

#include "base/error.h"
#include "release/table/reader/reader.h"
#include "sql_self_rows.h"
#include "tally_read.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- The layout ---- */

enum { UID, AT, TOWN, AMOUNT, LEVEL, PRICE, BIG, N_COLUMNS };

static const struct table_column self_columns[N_COLUMNS] = {
    [UID] = {(char[]){"uid"}, TABLE_TEXT, 0, 0},
    [AT] = {(char[]){"at"}, TABLE_INT64, 0, 0},
    [TOWN] = {(char[]){"town"}, TABLE_TEXT, 0, 0},
    [AMOUNT] = {(char[]){"amount"}, TABLE_DOUBLE, 0, 0},
    [LEVEL] = {(char[]){"level"}, TABLE_INT64, 0, 0},
    [PRICE] = {(char[]){"price"}, TABLE_DECIMAL, 12, 2},
    [BIG] = {(char[]){"big"}, TABLE_INT64, 0, 0},
};

#define FOUR_10_18 INT64_C(4000000000000000000)

static const struct table_value self_values[] = {
    {AMOUNT, 1, 100, 0, 100000, TABLE_MISSING},
    {AMOUNT, 1000, 1, -1000, 1000, TABLE_MISSING},
    {AMOUNT, 1, 1024, -(1 << 30), 1 << 30, TABLE_MISSING},
    {LEVEL, 1, 1, 0, 120, TABLE_MISSING},
    {PRICE, 1, 20, -1000, 1000, TABLE_MISSING},
    {BIG, 1, 1, -FOUR_10_18, FOUR_10_18, TABLE_MISSING},
    {LEVEL, 10, 1, 0, 12, -9},
};

static const struct table_bytes self_towns[] = {
    {"bern", 4}, {"Bern", 4}, {"Z\303\274rich", 7}, {" ", 1}, {"none", 4}};

#define NONE TABLE_NONE
#define ROWS(term, value, centre, a, b) \
    {TABLE_BY_ROWS, term, value, centre, 0, 0, {a, b}, 0, 0, 0, 0, 0, \
        NONE}

/* The places of integers are filled in self_layout. */
static const struct table_item self_items[] = {
    ROWS(TABLE_ONE, NONE, 0, NONE, NONE),
    ROWS(TABLE_SUM, 0, 0, NONE, NONE),
    ROWS(TABLE_SUM, 1, 0, NONE, NONE),
    ROWS(TABLE_SUM, 2, 0, NONE, NONE),
    ROWS(TABLE_PRESENT, 3, 0, NONE, NONE),
    ROWS(TABLE_CENTRED, 3, 60, NONE, NONE),
    ROWS(TABLE_SQUARE, 3, 60, NONE, NONE),
    ROWS(TABLE_SUM, 4, 0, NONE, NONE),
    ROWS(TABLE_SUM, 5, 0, NONE, NONE),
    ROWS(TABLE_ONE, NONE, 0, 2, NONE),
    ROWS(TABLE_ONE, NONE, 0, 0, 1),
    ROWS(TABLE_SUM, 5, 0, 0, NONE),
    {TABLE_BY_PERSON, TABLE_ONE, NONE, 0, 0, 0, {NONE, NONE}, 0, 0, 0, 0,
        0, NONE},
    {TABLE_BY_PERSON, TABLE_BAD, NONE, 0, 0, 0, {NONE, NONE}, 0, 0, 0, 0,
        0, NONE},
    {TABLE_BY_PERSON, TABLE_TOTAL, 0, 0, -10, 150000, {NONE, NONE}, 0, 0, 0,
        0, 0, NONE},
    {TABLE_BY_CELLS, TABLE_ONE, NONE, 0, 0, 0, {3, NONE}, 2, 2, 1, 0, 0,
        0},
};

struct self_layout {
    struct table_layout layout;
    struct table_column columns[N_COLUMNS];
    struct table_value values[COUNT(self_values)];
    struct table_bytes towns[COUNT(self_towns)];
    struct table_item items[COUNT(self_items)];
    struct table_rule rules[4];
    struct table_where where[2];
    size_t keys[1], texts[1];
};

static size_t self_cells(const struct self_layout *s, size_t rule)
{
    return rule == TABLE_NONE ? 1 : s->rules[rule].n_cells;
}

static void self_layout(struct self_layout *s)
{
    *s = (struct self_layout){.keys = {AT}, .texts = {TOWN}};
    memcpy(s->columns, self_columns, sizeof s->columns);
    memcpy(s->values, self_values, sizeof s->values);
    memcpy(s->towns, self_towns, sizeof s->towns);
    memcpy(s->items, self_items, sizeof s->items);
    s->rules[0] = (struct table_rule){
        TABLE_CATEGORIES, 0, TABLE_NONE, 0, COUNT(self_towns), s->towns};
    s->rules[1] =
        (struct table_rule){TABLE_BINS, TABLE_NONE, 3, 10, 13, NULL};
    s->rules[2] =
        (struct table_rule){TABLE_LEVELS, TABLE_NONE, 6, 1, 13, NULL};
    s->rules[3] = (struct table_rule){TABLE_UNKNOWN, 0, TABLE_NONE, 0, 0,
        NULL};
    s->where[0] = (struct table_where){AT, TABLE_LT, false, {"3.5", 3}};
    s->where[1] = (struct table_where){TOWN, TABLE_NE, true, {"BERN", 4}};
    s->layout = (struct table_layout){.columns = s->columns,
        .n_columns = N_COLUMNS,
        .user = UID,
        .keys = s->keys,
        .n_keys = COUNT(s->keys),
        .values = s->values,
        .n_values = COUNT(s->values),
        .texts = s->texts,
        .n_texts = COUNT(s->texts),
        .rules = s->rules,
        .n_rules = COUNT(s->rules),
        .where = s->where,
        .n_where = COUNT(s->where),
        .items = s->items,
        .n_items = COUNT(s->items),
        .n_unknown = 1,
        .max_rows = 3};
    for (size_t i = 0; i < COUNT(s->items); i++) {
        struct table_item *item = &s->items[i];
        item->first = s->layout.n_integers;
        if (item->unknown == TABLE_NONE)
            item->n_cells = self_cells(s, item->rules[0]) *
                            self_cells(s, item->rules[1]);
        s->layout.n_integers += item->n_cells;
    }
}

/* ---- The rows ---- */

static void put_field(dosi_buffer *out, const struct sql_dialect *d,
    const struct table_column *column, const char *field)
{
    const char *type = column->type == TABLE_TEXT     ? d->text
                       : column->type == TABLE_DOUBLE ? d->real
                                                      : "BIGINT";
    if (column->type == TABLE_TEXT && field != NULL) {
        sql_literal(out, d, (struct table_bytes){field, strlen(field)});
        return;
    }
    dosi_buffer_text(out, "CAST(");
    if (field == NULL)
        dosi_buffer_text(out, "NULL");
    else
        sql_print(out, "'%s'", field);
    if (column->type == TABLE_DECIMAL)
        sql_print(out, " AS DECIMAL(%d,%d))", column->precision,
            column->scale);
    else
        sql_print(out, " AS %s)", type);
}

/* A table of the statement's own, called nasty. */
static void put_rows(dosi_buffer *out, const struct sql_dialect *d)
{
    sql_print(out, "nasty AS (SELECT * FROM (VALUES\n");
    for (size_t r = 0; r < COUNT(self_rows); r++) {
        dosi_buffer_text(out, r > 0 ? ",\n(" : "(");
        for (size_t c = 0; c < N_COLUMNS; c++) {
            dosi_buffer_text(out, c > 0 ? ", " : "");
            put_field(out, d, &self_columns[c], self_rows[r][c]);
        }
        dosi_buffer_text(out, ")");
    }
    dosi_buffer_text(out, ") AS v(");
    for (size_t c = 0; c < N_COLUMNS; c++)
        sql_print(out, "%s%c%s%c", c > 0 ? ", " : "", d->quote,
            self_columns[c].name, d->quote);
    dosi_buffer_text(out, ")),\n");
}

dosi_status sql_self_test(dosi_buffer *out, char digest[SQL_DIGEST_BYTES],
    const struct sql_dialect *dialect, dosi_error *err)
{
    struct self_layout s;
    struct sql_dialect own = *dialect;
    dosi_buffer rows = {0};
    self_layout(&s);
    own.min_parts = 1; /* the statement's own table has no schema */
    put_rows(&rows, &own);
    if (rows.failed) {
        dosi_buffer_free(&rows);
        return dosi_fail_memory(err);
    }
    struct sql_source source = {.dialect = &own,
        .table = "nasty",
        .origin = "self-test",
        .prelude = rows.text};
    dosi_status status = sql_statement(out, digest, &s.layout, &source, err);
    dosi_buffer_free(&rows);
    return status;
}

/* ---- The comparison ---- */

/* The integer of the item in the cell of an expected one. */
static int128 self_found(const struct self_layout *s,
    const struct table_tally *tally, const struct self_integer *expected)
{
    const struct table_item *item = &s->items[expected->item];
    if (expected->cell == NULL)
        return tally->integers[item->first + expected->index];
    const struct table_cells *cells = &tally->unknown[item->unknown];
    for (size_t i = 0; i < cells->n; i++) {
        struct table_bytes name = cells->cells[i].name;
        if (name.n == strlen(expected->cell) &&
            memcmp(name.bytes, expected->cell, name.n) == 0)
            return cells->cells[i].count;
    }
    return 0;
}

/* Every expected integer is there; all others are 0. */
static dosi_status self_compare(const struct self_layout *s,
    const struct table_tally *tally, dosi_error *err)
{
    size_t n_wrong = 0, n_other = 0, first = 0;
    for (size_t i = COUNT(self_integers); i-- > 0;) {
        const struct self_integer *expected = &self_integers[i];
        dosi_buffer found = {0};
        sql_digits(&found, self_found(s, tally, expected));
        if (found.failed) {
            dosi_buffer_free(&found);
            return dosi_fail_memory(err);
        }
        if (strcmp(found.text, expected->integer) != 0) {
            n_wrong++;
            first = i;
        }
        dosi_buffer_free(&found);
    }
    for (size_t i = 0; i < s->layout.n_integers; i++)
        n_other += tally->integers[i] != 0;
    n_other += tally->unknown[0].n;
    if (n_wrong > 0)
        return dosi_fail(err, DOSI_EUNABLE,
            "self-test: %zu of %zu integers differ; the first is that of "
            "item %zu, which must be %s: do not use this engine",
            n_wrong, COUNT(self_integers), self_integers[first].item,
            self_integers[first].integer);
    if (n_other != COUNT(self_integers))
        return dosi_fail(err, DOSI_EUNABLE,
            "self-test: there are cells that must not be: do not use this "
            "engine");
    return DOSI_OK;
}

dosi_status sql_self_check(const struct sql_dialect *dialect,
    const char *answer, size_t n, dosi_error *err)
{
    struct self_layout s;
    struct tally_reader *reader = NULL;
    struct table_tally tally;
    char digest[SQL_DIGEST_BYTES];
    dosi_buffer text = {0};
    dosi_status status = sql_self_test(&text, digest, dialect, err);
    dosi_buffer_free(&text);
    if (status != DOSI_OK)
        return status;
    self_layout(&s);
    status = table_tally_new(&tally, &s.layout, err);
    if (status == DOSI_OK)
        status = tally_reader_new(&reader, &s.layout, err);
    if (status == DOSI_OK)
        status = tally_read(&tally, reader, digest, answer, n, err);
    if (status == DOSI_OK)
        status = self_compare(&s, &tally, err);
    tally_reader_free(reader);
    table_tally_free(&tally, &s.layout);
    return status;
}
