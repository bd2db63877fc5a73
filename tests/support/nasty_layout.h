/*
 * The query behind expected.csv and expected_text.csv of tests/data/table107,
 * as a layout written by hand: of each user the three least rows by "at",
 * two rows in each of two towns, and the total amount within 0 .. 3000.
 */
#ifndef DOSI_TESTS_SUPPORT_NASTY_LAYOUT_H
#define DOSI_TESTS_SUPPORT_NASTY_LAYOUT_H

#include <string.h>

#include "release/table/reader/reader.h"

enum {
    NASTY_UID,
    NASTY_AT,
    NASTY_TOWN,
    NASTY_AMOUNT,
    NASTY_PRICE,
    NASTY_LEVEL,
    NASTY_BIG,
    NASTY_COLUMNS
};

enum {
    NASTY_COUNT,
    NASTY_SUM,
    NASTY_MEAN_N,
    NASTY_MEAN_SUM,
    NASTY_SUM_PRICE,
    NASTY_SUM_BIG,
    NASTY_SUM_COARSE,
    NASTY_SUM_DYADIC,
    NASTY_USERS,
    NASTY_USER_SUM,
    NASTY_LEVELS,
    NASTY_TOWNS,
    NASTY_ITEMS
};

struct nasty_layout {
    struct table_layout layout;
    struct table_column columns[NASTY_COLUMNS];
    struct table_value values[6];
    struct table_rule rules[2];
    struct table_item items[NASTY_ITEMS];
    size_t keys[1], texts[1];
};

static inline struct table_item nasty_rows(
    enum table_term term, size_t value, int64_t centre, size_t first)
{
    return (struct table_item){.limit = TABLE_BY_ROWS,
        .term = term,
        .value = value,
        .centre = centre,
        .rules = {TABLE_NONE, TABLE_NONE},
        .first = first,
        .n_cells = 1,
        .unknown = TABLE_NONE};
}

static inline void nasty_layout_new(struct nasty_layout *n)
{
    static char names[NASTY_COLUMNS][8] = {
        "uid", "at", "town", "amount", "price", "level", "big"};
    const int64_t big = 4000000000000000000;
    memset(n, 0, sizeof *n);
    for (size_t i = 0; i < NASTY_COLUMNS; i++)
        n->columns[i] = (struct table_column){names[i], TABLE_UNDECLARED, 0, 0};
    n->columns[NASTY_AT].type = TABLE_INT64;
    const struct table_value values[6] = {
        {NASTY_AMOUNT, 1, 100, 0, 100000, TABLE_MISSING},
        {NASTY_LEVEL, 1, 1, 0, 120, TABLE_MISSING},
        {NASTY_PRICE, 1, 20, -1000, 1000, TABLE_MISSING},
        {NASTY_BIG, 1, 1, -big, big, TABLE_MISSING},
        {NASTY_AMOUNT, 1000, 1, -1000, 1000, TABLE_MISSING},
        {NASTY_AMOUNT, 1, 1024, -1073741824, 1073741824, TABLE_MISSING}};
    memcpy(n->values, values, sizeof values);
    n->rules[0] =
        (struct table_rule){.kind = TABLE_LEVELS, .value = 1, .n_cells = 121};
    n->rules[1] = (struct table_rule){.kind = TABLE_UNKNOWN, .text = 0};
    n->items[NASTY_COUNT] = nasty_rows(TABLE_ONE, TABLE_NONE, 0, 0);
    n->items[NASTY_SUM] = nasty_rows(TABLE_SUM, 0, 0, 1);
    n->items[NASTY_MEAN_N] = nasty_rows(TABLE_PRESENT, 0, 0, 2);
    n->items[NASTY_MEAN_SUM] = nasty_rows(TABLE_CENTRED, 0, 50000, 3);
    n->items[NASTY_SUM_PRICE] = nasty_rows(TABLE_SUM, 2, 0, 4);
    n->items[NASTY_SUM_BIG] = nasty_rows(TABLE_SUM, 3, 0, 5);
    n->items[NASTY_SUM_COARSE] = nasty_rows(TABLE_SUM, 4, 0, 6);
    n->items[NASTY_SUM_DYADIC] = nasty_rows(TABLE_SUM, 5, 0, 7);
    n->items[NASTY_USERS] = nasty_rows(TABLE_ONE, TABLE_NONE, 0, 8);
    n->items[NASTY_USERS].limit = TABLE_BY_PERSON;
    n->items[NASTY_USER_SUM] = nasty_rows(TABLE_TOTAL, 0, 0, 9);
    n->items[NASTY_USER_SUM].limit = TABLE_BY_PERSON;
    n->items[NASTY_USER_SUM].total_hi = 300000;
    n->items[NASTY_LEVELS] = nasty_rows(TABLE_ONE, TABLE_NONE, 0, 10);
    n->items[NASTY_LEVELS].rules[0] = 0;
    n->items[NASTY_LEVELS].n_cells = 121;
    n->items[NASTY_TOWNS] = nasty_rows(TABLE_ONE, TABLE_NONE, 0, 131);
    n->items[NASTY_TOWNS].limit = TABLE_BY_CELLS;
    n->items[NASTY_TOWNS].rules[0] = 1;
    n->items[NASTY_TOWNS].max_cells = 2;
    n->items[NASTY_TOWNS].max_per_cell = 2;
    n->items[NASTY_TOWNS].n_cells = 0;
    n->items[NASTY_TOWNS].unknown = 0;
    n->keys[0] = NASTY_AT;
    n->texts[0] = NASTY_TOWN;
    n->layout = (struct table_layout){.columns = n->columns,
        .n_columns = NASTY_COLUMNS,
        .user = NASTY_UID,
        .keys = n->keys,
        .n_keys = 1,
        .values = n->values,
        .n_values = 6,
        .texts = n->texts,
        .n_texts = 1,
        .rules = n->rules,
        .n_rules = 2,
        .items = n->items,
        .n_items = NASTY_ITEMS,
        .n_integers = 131,
        .n_unknown = 1,
        .max_rows = 3,
        .delimiter = ',',
        .decimal = '.',
        .has_header = true};
}

/* Names of the items that have one integer, in the expected files. */
static const char *const nasty_names[NASTY_LEVELS] = {"count", "sum", "mean.n",
    "mean.sum", "sum.price", "sum.big", "sum.coarse", "sum.dyadic", "users",
    "user_sum"};

/* The integer that a line "query,cell,value" of the expected files is
 * about; false if the tally does not have it. */
static inline bool nasty_find(int128 *out, const struct table_tally *tally,
    const char *query, const char *cell)
{
    for (size_t i = 0; i < NASTY_LEVELS; i++) {
        if (strcmp(nasty_names[i], query) == 0) {
            *out = tally->integers[i];
            return true;
        }
    }
    if (strcmp(query, "level") == 0) {
        *out = tally->integers[10 + strtol(cell, NULL, 10)];
        return true;
    }
    for (size_t i = 0; i < tally->unknown[0].n; i++) {
        const struct table_cell_count *c = &tally->unknown[0].cells[i];
        char hex[256] = "";
        size_t n = 0;
        for (; n < c->name.n && n < 100; n++)
            (void)snprintf(hex + 2 * n, 3, "%02x",
                (unsigned)(unsigned char)c->name.bytes[n]);
        if (n == c->name.n && strcmp(hex, cell) == 0) {
            *out = c->count;
            return true;
        }
    }
    return false;
}

#endif
