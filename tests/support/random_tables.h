/*
 * Random small tables and random queries on them, with many ties, missing
 * values, unreadable ids and people above the limits. Numbers are kept in
 * thousandths, so that a reference needs no decimals.
 */
#ifndef DOSI_TESTS_SUPPORT_RANDOM_TABLES_H
#define DOSI_TESTS_SUPPORT_RANDOM_TABLES_H

#include <stdio.h>
#include <string.h>

#include "random.h"
#include "release/table/reader/reader.h"

enum { COL_ID, COL_T, COL_U, COL_A, COL_B, COL_C, COL_D, N_COLS };

#define MAX_TEST_ROWS 64
#define MAX_TEST_ITEMS 24

struct test_row {
    int owner; /* whose row it is, even if the id is unreadable */
    char id[64];
    bool has_t;
    int64_t t;
    char u[8]; /* a text key */
    bool has[2];
    int64_t milli[2]; /* a and b */
    char c[8], d[8];
};

struct test_table {
    struct test_row rows[MAX_TEST_ROWS];
    size_t n;
};

struct test_query {
    struct table_layout layout;
    struct table_column columns[N_COLS];
    size_t keys[2], texts[2];
    struct table_value values[3];
    struct table_rule rules[4];
    struct table_item items[MAX_TEST_ITEMS];
    struct table_bytes names[3];
    struct table_where where[2];
    bool is_integral; /* b holds integers only */
};

static inline int64_t between(prop_random *r, int64_t a, int64_t b)
{
    return a + (int64_t)(prop_bits(r) % (uint64_t)(b - a + 1));
}

static inline struct test_row test_row_new(
    prop_random *r, const struct test_query *q, int owner)
{
    static const char *const towns[] = {"", "x", "y", "z", "x,", "\"q", "w"};
    struct test_row row = {.owner = owner};
    if (prop_below(r, 8) != 0)
        (void)snprintf(row.id, sizeof row.id, "p%0*d",
            (const int[]){1, 11, 12, 50}[owner % 4], owner);
    row.has_t = prop_below(r, 6) != 0;
    row.t = prop_below(r, 10) == 0 ? INT64_MAX : between(r, -2, 2);
    if (prop_below(r, 6) != 0)
        (void)snprintf(row.u, sizeof row.u, "%c%c", 'a' + prop_below(r, 2),
            prop_below(r, 2) == 0 ? '\0' : 'b');
    for (size_t i = 0; i < 2; i++) {
        row.has[i] = prop_below(r, 6) != 0;
        row.milli[i] = prop_below(r, 3) == 0 ? between(r, -20000, 20000)
                                             : 500 * between(r, -12, 12);
    }
    if (q->is_integral)
        row.milli[1] = 1000 * between(r, -100, 100);
    (void)strcpy(row.c, towns[prop_below(r, 7)]);
    (void)strcpy(row.d, towns[prop_below(r, 7)]);
    return row;
}

static inline void test_table_new(
    struct test_table *t, prop_random *r, const struct test_query *q)
{
    t->n = (size_t)prop_below(r, 40);
    for (size_t i = 0; i < t->n; i++)
        t->rows[i] = test_row_new(
            r, q, q->layout.user == TABLE_NONE ? (int)i : prop_below(r, 6));
}

/* ---- Queries ----------------------------------------------------------- */

static inline void test_values_new(struct test_query *q, prop_random *r)
{
    static const int64_t grids[][2] = {
        {1, 1}, {1, 10}, {1, 1000}, {1, 20}, {1, 8}, {2, 1}, {5, 1}};
    for (size_t i = 0; i < q->layout.n_values; i++) {
        const int64_t *g = grids[prop_below(r, 7)];
        struct table_value *v = &q->values[i];
        v->column = prop_below(r, 2) == 0 ? COL_A : COL_B;
        v->num = g[0];
        v->den = g[1];
        v->lo = between(r, -40, 10);
        v->hi = v->lo + 12; /* for bins of 1, 2, 3, 4 */
        v->missing =
            prop_below(r, 3) == 0 ? between(r, v->lo, v->hi) : TABLE_MISSING;
    }
}

static inline void test_rules_new(struct test_query *q, prop_random *r)
{
    static const char *const names[] = {"y", "x", "x,"};
    for (size_t i = 0; i < 3; i++)
        q->names[i] = (struct table_bytes){names[i], strlen(names[i])};
    q->rules[0] = (struct table_rule){.kind = TABLE_CATEGORIES,
        .text = 0,
        .n_cells = 1 + (size_t)prop_below(r, 3),
        .names = q->names};
    int64_t width = 1 + prop_below(r, 4);
    q->rules[1] = (struct table_rule){.kind = TABLE_BINS,
        .value = 0,
        .width = width,
        .n_cells = (size_t)(12 / width)};
    q->rules[2] =
        (struct table_rule){.kind = TABLE_LEVELS, .value = 0, .n_cells = 13};
    q->rules[3] = (struct table_rule){.kind = TABLE_UNKNOWN, .text = 1};
}

static inline void test_item_add(struct test_query *q, struct table_item item)
{
    size_t n = 1;
    for (size_t i = 0; i < 2 && item.rules[i] != TABLE_NONE; i++)
        n *= q->rules[item.rules[i]].n_cells;
    item.first = q->layout.n_integers;
    item.unknown = TABLE_NONE;
    if (n == 0)
        item.unknown = q->layout.n_unknown++;
    item.n_cells = n;
    q->layout.n_integers += n;
    q->items[q->layout.n_items++] = item;
}

/* All terms, without cells and with random ones. */
static inline void test_items_new(struct test_query *q, prop_random *r)
{
    static const size_t pairs[][2] = {{0, TABLE_NONE}, {1, TABLE_NONE},
        {2, TABLE_NONE}, {3, TABLE_NONE}, {0, 1}, {1, 0}, {2, 0}};
    static const enum table_term terms[] = {TABLE_ONE, TABLE_PRESENT, TABLE_SUM,
        TABLE_CENTRED, TABLE_SQUARE, TABLE_ONE, TABLE_BAD, TABLE_TOTAL};
    for (size_t i = 0; i < 8; i++) {
        struct table_item item = {
            .limit = i < 5 ? TABLE_BY_ROWS : TABLE_BY_PERSON,
            .term = terms[i],
            .rules = {TABLE_NONE, TABLE_NONE}};
        item.value = (size_t)prop_below(r, (int)q->layout.n_values);
        const struct table_value *v = &q->values[item.value];
        item.centre = (v->lo + v->hi) / 2;
        item.total_lo = between(r, -50, 20);
        item.total_hi = item.total_lo + between(r, 0, 60);
        if (prop_below(r, 4) != 0)
            test_item_add(q, item);
        if (i < 5 && prop_below(r, 3) == 0) { /* --by */
            size_t p = (size_t)prop_below(r, 7);
            memcpy(item.rules, pairs[p == 3 ? 0 : p], sizeof item.rules);
            test_item_add(q, item);
        }
    }
    for (size_t i = 0; i < 3; i++) {
        struct table_item item = {
            .limit = TABLE_BY_CELLS, .term = TABLE_ONE, .value = TABLE_NONE};
        bool is_bounded = q->layout.user != TABLE_NONE;
        item.max_cells = is_bounded ? between(r, 1, 3) : 1;
        item.max_per_cell = is_bounded ? between(r, 1, 3) : 1;
        memcpy(item.rules, pairs[prop_below(r, 7)], sizeof item.rules);
        test_item_add(q, item);
    }
}

static inline void test_where_new(struct test_query *q, prop_random *r)
{
    static const char *const numbers[] = {"0", "1.5", "-3", "2500e-3", "0.01"};
    q->layout.n_where = (size_t)prop_below(r, 3) / 2 * 2;
    const char *number = numbers[prop_below(r, 5)];
    q->where[0] = (struct table_where){.column = COL_A,
        .op = (enum table_operator)prop_below(r, 6),
        .operand = {number, strlen(number)}};
    q->where[1] = (struct table_where){.column = COL_C,
        .op = (enum table_operator)prop_below(r, 6),
        .is_text = true,
        .operand = {"x", 1}};
}

static inline void test_query_new(struct test_query *q, prop_random *r)
{
    static char names[N_COLS][4] = {"id", "t", "u", "a", "b", "c", "d"};
    memset(q, 0, sizeof *q);
    for (size_t i = 0; i < N_COLS; i++)
        q->columns[i].name = names[i];
    q->columns[COL_T].type = TABLE_INT64;
    q->is_integral = prop_below(r, 2) == 0;
    q->keys[0] = prop_below(r, 2) == 0 ? COL_T : COL_U;
    q->keys[1] = q->keys[0] == COL_T ? COL_U : COL_T;
    q->texts[0] = COL_C;
    q->texts[1] = COL_D;
    struct table_layout *l = &q->layout;
    *l = (struct table_layout){.columns = q->columns,
        .n_columns = N_COLS,
        .user = prop_below(r, 4) == 0 ? TABLE_NONE : COL_ID,
        .keys = q->keys,
        .n_keys = (size_t)prop_below(r, 3),
        .values = q->values,
        .n_values = 1 + (size_t)prop_below(r, 3),
        .texts = q->texts,
        .n_texts = 2,
        .rules = q->rules,
        .n_rules = 4,
        .where = q->where,
        .items = q->items,
        .max_rows = between(r, 1, prop_below(r, 2) == 0 ? 3 : 9),
        .delimiter = ',',
        .decimal = '.',
        .has_header = true};
    l->is_file_order = l->n_keys == 0 && prop_below(r, 2) == 0;
    if (l->user == TABLE_NONE)
        l->max_rows = INT64_MAX;
    test_values_new(q, r);
    test_rules_new(q, r);
    test_items_new(q, r);
    test_where_new(q, r);
}

/* ---- Texts ------------------------------------------------------------- */

/* A number in one of its spellings; s has room for 48 bytes. */
static inline void test_number(char *s, prop_random *r, int64_t milli)
{
    int64_t m = milli < 0 ? -milli : milli;
    const char *sign = milli < 0 ? "-" : prop_below(r, 4) == 0 ? "+" : "";
    switch (prop_below(r, 4)) {
    case 0:
        (void)snprintf(s, 48, "%s%lld.%03lld", sign, (long long)m / 1000,
            (long long)m % 1000);
        break;
    case 1:
        (void)snprintf(s, 48, "%s%lldE-3", sign, (long long)m);
        break;
    case 2:
        (void)snprintf(s, 48, " %s0%lld.%03lld000000000000000000000000", sign,
            (long long)m / 1000, (long long)m % 1000);
        break;
    default:
        (void)snprintf(s, 48, "%s.%06llde3 ", sign, (long long)m);
        break;
    }
}

/* One field, quoted if it must be or by chance. */
static inline char *test_field(char *s, prop_random *r, const char *text)
{
    bool is_quoted = strpbrk(text, ",\"") != NULL || prop_below(r, 8) == 0;
    if (is_quoted)
        *s++ = '"';
    for (; *text != '\0'; text++) {
        if (*text == '"')
            *s++ = '"';
        *s++ = *text;
    }
    if (is_quoted)
        *s++ = '"';
    return s;
}

/* The line of a row, without its end; what is missing is empty or junk. */
static inline size_t test_line(
    char *line, prop_random *r, const struct test_row *row)
{
    static const char *const junk[] = {"", "nan", "-", "\\N"};
    char text[48], *s = test_field(line, r, row->id);
    *s++ = ',';
    (void)strcpy(text, junk[prop_below(r, 4)]);
    if (row->has_t)
        (void)snprintf(text, sizeof text, "%lld", (long long)row->t);
    s = test_field(s, r, text);
    *s++ = ',';
    s = test_field(s, r, row->u);
    for (size_t i = 0; i < 2; i++) {
        *s++ = ',';
        (void)strcpy(text, junk[prop_below(r, 4)]);
        if (row->has[i])
            test_number(text, r, row->milli[i]);
        s = test_field(s, r, text);
    }
    *s++ = ',';
    s = test_field(s, r, row->c);
    *s++ = ',';
    s = test_field(s, r, row->d);
    return (size_t)(s - line);
}

#endif
