/*
 * What a table adds up to, by the plain rule: each person's rows are copied,
 * sorted and cut. Slow, and in nothing like the reader. Variants that are
 * known to be wrong are there for controls.
 */
#ifndef DOSI_TESTS_SUPPORT_TABLE_REFERENCE_H
#define DOSI_TESTS_SUPPORT_TABLE_REFERENCE_H

#include <stdlib.h>

#include "random_tables.h"

#define MAX_TEST_INTEGERS 1024
#define MAX_TEST_NAMES 8 /* of towns */

struct reference {
    int128 integers[MAX_TEST_INTEGERS];
    int64_t unknown[4][MAX_TEST_NAMES]; /* by town; 0: does not exist */
    bool exists[4][MAX_TEST_NAMES];
};

enum reference_variant {
    REFERENCE_RIGHT,
    REFERENCE_WITHOUT_Z,  /* rows are ordered by key alone */
    REFERENCE_EARLY_NAMES /* a cell exists before the limits */
};

static const char *const reference_towns[MAX_TEST_NAMES] = {
    "x", "y", "z", "x,", "\"q", "w", "", ""};

struct reference_row {
    const struct test_row *row;
    int64_t z[3];
    size_t line;
};

static const struct test_query *reference_query; /* for qsort */
static enum reference_variant reference_variant;

static inline int64_t reference_z(
    const struct table_value *v, const struct test_row *row)
{
    size_t i = v->column == COL_A ? 0 : 1;
    if (!row->has[i])
        return v->missing;
    int64_t over = 2000 * v->num;
    int64_t top = 2 * row->milli[i] * v->den + 1000 * v->num;
    int64_t z = top / over - (top % over < 0);
    return z < v->lo ? v->lo : z > v->hi ? v->hi : z;
}

static inline int text_order(const char *a, const char *b)
{
    if (a[0] == '\0' || b[0] == '\0')
        return (a[0] == '\0') - (b[0] == '\0');
    return strcmp(a, b);
}

static inline int key_order(
    const struct reference_row *a, const struct reference_row *b)
{
    const struct table_layout *l = &reference_query->layout;
    if (l->is_file_order)
        return (a->line > b->line) - (a->line < b->line);
    for (size_t i = 0; i < l->n_keys; i++) {
        int c = 0;
        if (l->keys[i] == COL_U)
            c = text_order(a->row->u, b->row->u);
        else if (!a->row->has_t || !b->row->has_t)
            c = b->row->has_t - a->row->has_t;
        else
            c = (a->row->t > b->row->t) - (a->row->t < b->row->t);
        if (c != 0)
            return c;
    }
    return 0;
}

static inline int row_order(const void *x, const void *y)
{
    const struct reference_row *a = x, *b = y;
    int c = key_order(a, b);
    if (reference_variant == REFERENCE_WITHOUT_Z)
        return c != 0 ? c : (a->line > b->line) - (a->line < b->line);
    for (size_t i = 0; i < reference_query->layout.n_values && c == 0; i++)
        c = (a->z[i] > b->z[i]) - (a->z[i] < b->z[i]);
    if (c == 0)
        c = text_order(a->row->c, b->row->c);
    return c != 0 ? c : text_order(a->row->d, b->row->d);
}

/* A cell by its name for the order, and by its index if it is declared. */
static inline bool reference_cell(char *name, int64_t *index,
    const struct reference_row *row, size_t rule_index)
{
    const struct table_rule *rule = &reference_query->rules[rule_index];
    *index = -1;
    if (rule->kind == TABLE_BINS || rule->kind == TABLE_LEVELS) {
        int64_t z = row->z[rule->value];
        int64_t lo = reference_query->values[rule->value].lo;
        if (z == TABLE_MISSING)
            return false;
        *index = rule->kind == TABLE_LEVELS ? z - lo : (z - lo) / rule->width;
        if (*index >= (int64_t)rule->n_cells)
            *index = (int64_t)rule->n_cells - 1;
        (void)sprintf(name, "%02d", (int)*index);
        return true;
    }
    (void)strcpy(name, rule->text == 0 ? row->row->c : row->row->d);
    if (rule->kind == TABLE_UNKNOWN) {
        for (size_t i = 0; i < MAX_TEST_NAMES; i++) {
            if (*index < 0 && strcmp(reference_towns[i], name) == 0)
                *index = (int64_t)i;
        }
        return name[0] != '\0';
    }
    for (size_t i = 0; i < rule->n_cells; i++) {
        if (rule->names[i].n == strlen(name) &&
            memcmp(rule->names[i].bytes, name, rule->names[i].n) == 0)
            *index = (int64_t)i;
    }
    return name[0] != '\0';
}

static inline void reference_add(struct reference *out,
    const struct table_item *item, const int64_t *index, int128 x)
{
    if (item->unknown != TABLE_NONE) {
        out->unknown[item->unknown][index[0]] += (int64_t)x;
        out->exists[item->unknown][index[0]] |= x > 0;
        return;
    }
    size_t at = 0;
    for (size_t i = 0; i < 2 && item->rules[i] != TABLE_NONE; i++) {
        if (index[i] < 0)
            return;
        at = at * reference_query->rules[item->rules[i]].n_cells +
             (size_t)index[i];
    }
    out->integers[item->first + at] += x;
}

struct reference_cell {
    char name[2][8];
    int64_t index[2], n_rows;
    struct reference_row least;
};

static inline int cell_order(const void *x, const void *y)
{
    const struct reference_cell *a = x, *b = y;
    int c = key_order(&a->least, &b->least);
    if (c == 0)
        c = strcmp(a->name[0], b->name[0]);
    return c != 0 ? c : strcmp(a->name[1], b->name[1]);
}

static inline void reference_cells(struct reference *out,
    const struct table_item *item, const struct reference_row *rows, size_t n)
{
    struct reference_cell cells[MAX_TEST_ROWS];
    size_t n_cells = 0;
    for (size_t j = 0; j < n; j++) {
        struct reference_cell cell = {.n_rows = 1, .least = rows[j]};
        bool has_cell = true;
        for (size_t i = 0; i < 2 && item->rules[i] != TABLE_NONE; i++)
            has_cell &= reference_cell(
                cell.name[i], &cell.index[i], &rows[j], item->rules[i]);
        if (!has_cell)
            continue;
        size_t k = 0;
        while (k < n_cells && (strcmp(cells[k].name[0], cell.name[0]) != 0 ||
                                  strcmp(cells[k].name[1], cell.name[1]) != 0))
            k++;
        if (k == n_cells) {
            cells[n_cells++] = cell;
            continue;
        }
        cells[k].n_rows++;
        if (key_order(&rows[j], &cells[k].least) < 0)
            cells[k].least = rows[j];
    }
    qsort(cells, n_cells, sizeof *cells, cell_order);
    for (size_t k = 0; k < n_cells; k++) {
        int64_t m = item->max_per_cell;
        if (k < (size_t)item->max_cells)
            reference_add(out, item, cells[k].index,
                cells[k].n_rows < m ? cells[k].n_rows : m);
        else if (reference_variant == REFERENCE_EARLY_NAMES &&
                 item->unknown != TABLE_NONE)
            out->exists[item->unknown][cells[k].index[0]] = true;
    }
}

/* f of one person's rows, in the order of the file. */
static inline void reference_person(
    struct reference *out, struct reference_row *rows, size_t n)
{
    const struct table_layout *l = &reference_query->layout;
    if (n == 0)
        return;
    qsort(rows, n, sizeof *rows, row_order);
    size_t k = (uint64_t)n < (uint64_t)l->max_rows ? n : (size_t)l->max_rows;
    for (size_t i = 0; i < l->n_items; i++) {
        const struct table_item *item = &l->items[i];
        int64_t index[2] = {0, 0}, total = 0;
        char name[8];
        if (item->limit == TABLE_BY_CELLS) {
            reference_cells(out, item, rows, n);
            continue;
        }
        if (item->limit == TABLE_BY_PERSON) {
            int128 x = 1;
            bool is_bad = false;
            for (size_t j = 0; j < n; j++) {
                for (size_t v = 0; v < l->n_values; v++)
                    is_bad |= !rows[j].row->has[l->values[v].column != COL_A];
                if (item->term == TABLE_TOTAL &&
                    rows[j].z[item->value] != TABLE_MISSING)
                    total += rows[j].z[item->value];
            }
            if (item->term == TABLE_BAD)
                x = is_bad;
            if (item->term == TABLE_TOTAL)
                x = total < item->total_lo   ? item->total_lo
                    : total > item->total_hi ? item->total_hi
                                             : total;
            reference_add(out, item, index, x);
            continue;
        }
        for (size_t j = 0; j < k; j++) {
            int64_t z = rows[j].z[item->value], x = 1;
            bool counts = item->term == TABLE_ONE || z != TABLE_MISSING;
            if (!counts)
                continue;
            for (size_t d = 0; d < 2 && item->rules[d] != TABLE_NONE; d++)
                counts &=
                    reference_cell(name, &index[d], &rows[j], item->rules[d]);
            if (item->term == TABLE_SUM)
                x = z;
            if (item->term == TABLE_CENTRED)
                x = z - item->centre;
            if (item->term == TABLE_SQUARE)
                x = (z - item->centre) * (z - item->centre);
            if (counts)
                reference_add(out, item, index, x);
        }
    }
}

static inline bool reference_where(
    const struct test_query *q, const struct test_row *row)
{
    for (size_t i = 0; i < q->layout.n_where; i++) {
        const struct table_where *w = &q->where[i];
        double number = strtod(w->operand.bytes, NULL) * 1000;
        int64_t milli = (int64_t)(number < 0 ? number - 0.5 : number + 0.5);
        int c = w->is_text ? strcmp(row->c, "x")
                           : (row->milli[0] > milli) - (row->milli[0] < milli);
        bool holds[] = {c == 0, c != 0, c<0, c <= 0, c> 0, c >= 0};
        if ((w->is_text ? row->c[0] == '\0' : !row->has[0]) || !holds[w->op])
            return false;
    }
    return true;
}

/* The whole table. */
static inline void reference_table(struct reference *out,
    const struct test_query *q, const struct test_table *t,
    enum reference_variant variant)
{
    bool is_done[MAX_TEST_ROWS] = {false};
    memset(out, 0, sizeof *out);
    reference_query = q;
    reference_variant = variant;
    for (size_t i = 0; i < t->n; i++) {
        struct reference_row rows[MAX_TEST_ROWS];
        size_t n = 0;
        for (size_t j = i; j < t->n && !is_done[i]; j++) {
            const struct test_row *row = &t->rows[j];
            if (q->layout.user == TABLE_NONE
                    ? j != i
                    : row->id[0] == '\0' || strcmp(row->id, t->rows[i].id) != 0)
                continue;
            is_done[j] = j > i;
            if (!reference_where(q, row))
                continue;
            rows[n] = (struct reference_row){.row = row, .line = j};
            for (size_t v = 0; v < q->layout.n_values; v++)
                rows[n].z[v] = reference_z(&q->values[v], row);
            n++;
        }
        reference_person(out, rows, n);
    }
}

#endif
