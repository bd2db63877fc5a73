/*
 * Cells of a tally from an engine: names as hexadecimal digits and numbers of
 * bins, looked up among the cells of the query, unknown names collected.
 */
#include "tally_cells.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "release/table/reader/bytes.h"
#include "tally_shape.h"

/* Moves the name at the root down to its place; a[0 .. n) is a heap. */
static void sift(size_t *a, size_t root, size_t n,
    const struct table_bytes *names)
{
    for (size_t child = 2 * root + 1; child < n; child = 2 * root + 1) {
        if (child + 1 < n &&
            bytes_compare(names[a[child]], names[a[child + 1]]) < 0)
            child++;
        if (bytes_compare(names[a[root]], names[a[child]]) >= 0)
            return;
        size_t other = a[root];
        a[root] = a[child];
        a[child] = other;
        root = child;
    }
}

static void sort_names(size_t *a, size_t n, const struct table_bytes *names)
{
    for (size_t i = 0; i < n; i++)
        a[i] = i;
    for (size_t i = n / 2; i-- > 0;)
        sift(a, i, n, names);
    for (size_t i = n; i-- > 1;) {
        size_t other = a[0];
        a[0] = a[i];
        a[i] = other;
        sift(a, 0, i, names);
    }
}

dosi_status tally_cells_new(struct tally_cells *out,
    const struct table_layout *layout, dosi_error *err)
{
    *out = (struct tally_cells){.layout = layout};
    out->sorted = calloc(layout->n_rules + 1, sizeof *out->sorted);
    if (out->sorted == NULL)
        return dosi_fail_memory(err);
    for (size_t r = 0; r < layout->n_rules; r++) {
        const struct table_rule *rule = &layout->rules[r];
        if (rule->kind != TABLE_CATEGORIES)
            continue;
        out->sorted[r] = calloc(rule->n_cells + 1, sizeof *out->sorted[r]);
        if (out->sorted[r] == NULL)
            return dosi_fail_memory(err);
        sort_names(out->sorted[r], rule->n_cells, rule->names);
    }
    return DOSI_OK;
}

void tally_cells_free(struct tally_cells *cells)
{
    for (size_t r = 0; cells->sorted != NULL && r < cells->layout->n_rules;
         r++)
        free(cells->sorted[r]);
    free(cells->sorted);
    free(cells->name);
    *cells = (struct tally_cells){0};
}

/* ---- One rule ---- */

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static bool read_name(struct tally_cells *cells, struct table_bytes text,
    struct table_bytes *name)
{
    if (text.n == 0 || text.n % 2 != 0)
        return false;
    if (text.n / 2 > cells->capacity) {
        char *more = realloc(cells->name, text.n / 2);
        if (more == NULL)
            return false;
        cells->name = more;
        cells->capacity = text.n / 2;
    }
    for (size_t i = 0; i < text.n / 2; i++) {
        int high = digit_of(text.bytes[2 * i]);
        int low = digit_of(text.bytes[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        cells->name[i] = (char)(unsigned char)(high * 16 + low);
    }
    *name = (struct table_bytes){cells->name, text.n / 2};
    return true;
}

static bool read_number(size_t *out, struct table_bytes text, size_t most)
{
    *out = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.bytes[i] < '0' || text.bytes[i] > '9')
            return false;
        if (*out <= most)
            *out = *out * 10 + (size_t)(text.bytes[i] - '0');
    }
    return text.n > 0;
}

/* The index of a name, or n_cells. */
static size_t find_name(const struct table_rule *rule, const size_t *sorted,
    struct table_bytes name)
{
    size_t low = 0, high = rule->n_cells;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int side = bytes_compare(rule->names[sorted[middle]], name);
        if (side == 0)
            return sorted[middle];
        if (side < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return rule->n_cells;
}

/* The index of a cell of one rule, n_cells for one that is not declared. */
static bool read_index(size_t *out, struct tally_cells *cells, size_t number,
    struct table_bytes text, struct table_bytes *name)
{
    const struct table_rule *rule = &cells->layout->rules[number];
    switch (rule->kind) {
    case TABLE_CATEGORIES:
        if (!read_name(cells, text, name))
            return false;
        *out = find_name(rule, cells->sorted[number], *name);
        return true;
    case TABLE_UNKNOWN:
        *out = 0;
        return read_name(cells, text, name);
    case TABLE_BINS:
    case TABLE_LEVELS:
        return read_number(out, text, rule->n_cells);
    }
    return false;
}

/* ---- Cells ---- */

bool tally_cell_read(struct tally_cell *out, struct tally_cells *cells,
    const struct table_item *item, const size_t rules[2], bool is_null,
    struct table_bytes text)
{
    const struct table_layout *layout = cells->layout;
    *out = (struct tally_cell){.is_cell = true};
    if (rules[0] == TABLE_NONE)
        return is_null;
    if (is_null) { /* rows without a cell */
        out->is_cell = false;
        return true;
    }
    const char *dot = memchr(text.bytes, '.', text.n);
    bool is_two = rules[1] != TABLE_NONE;
    if ((dot != NULL) != is_two)
        return false;
    struct table_bytes half[2] = {text, {NULL, 0}};
    if (is_two) {
        half[0].n = (size_t)(dot - text.bytes);
        half[1] = (struct table_bytes){dot + 1, text.n - half[0].n - 1};
    }
    for (size_t i = 0; i < 2 && item->rules[i] != TABLE_NONE; i++) {
        const struct table_rule *rule = &layout->rules[item->rules[i]];
        bool is_first = tally_first_rule(layout, item->rules[i]) == rules[0];
        size_t index;
        if (!read_index(&index, cells, item->rules[i], half[is_first ? 0 : 1],
                &out->name))
            return false;
        if (rule->kind != TABLE_UNKNOWN && index >= rule->n_cells)
            out->is_cell = false;
        out->index = out->index * rule->n_cells + index;
    }
    return true;
}

dosi_status tally_unknown_add(struct table_cells *cells,
    struct table_bytes name, int128 count, dosi_error *err)
{
    if (count < 1)
        return DOSI_OK;
    if (cells->n == cells->capacity) {
        size_t wider = cells->capacity == 0 ? 16 : 2 * cells->capacity;
        struct table_cell_count *more =
            realloc(cells->cells, wider * sizeof *more);
        if (more == NULL)
            return dosi_fail_memory(err);
        cells->cells = more;
        cells->capacity = wider;
    }
    char *copy = malloc(name.n);
    if (copy == NULL)
        return dosi_fail_memory(err);
    memcpy(copy, name.bytes, name.n);
    struct table_cell_count *cell = &cells->cells[cells->n++];
    cell->name.bytes = copy;
    cell->name.n = name.n;
    cell->count = count;
    return DOSI_OK;
}

/* Names of a tally are its own, though others must not change them. */
static void name_free(struct table_bytes name)
{
    void *bytes;
    memcpy(&bytes, &name.bytes, sizeof bytes);
    free(bytes);
}

static int compare_cells(const void *a, const void *b)
{
    const struct table_cell_count *x = a, *y = b;
    return bytes_compare(x->name, y->name);
}

void tally_unknown_merge(struct table_cells *cells)
{
    size_t n = 0;
    if (cells->n < 2)
        return;
    qsort(cells->cells, cells->n, sizeof *cells->cells, compare_cells);
    for (size_t i = 0; i < cells->n; i++) {
        struct table_cell_count *cell = &cells->cells[i];
        struct table_cell_count *last = n > 0 ? &cells->cells[n - 1] : NULL;
        if (last != NULL && bytes_compare(last->name, cell->name) == 0) {
            last->count =
                (int128)((uint128)last->count + (uint128)cell->count);
            name_free(cell->name);
        } else {
            cells->cells[n++] = *cell;
        }
    }
    cells->n = n;
}
