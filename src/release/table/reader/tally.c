/* The contributions of rows and people to a tally. */
#include "tally.h"

#include <stdlib.h>

#include "base/error.h"
#include "bytes.h"

static int128 add_wrapping(int128 a, int128 b)
{
    return (int128)((uint128)a + (uint128)b);
}

/* ---- Tallies ----------------------------------------------------------- */

dosi_status table_tally_new(
    struct table_tally *out, const struct table_layout *layout, dosi_error *err)
{
    *out = (struct table_tally){NULL, NULL};
    out->integers = calloc(layout->n_integers + 1, sizeof *out->integers);
    out->unknown = calloc(layout->n_unknown + 1, sizeof *out->unknown);
    if (out->integers == NULL || out->unknown == NULL) {
        table_tally_free(out, layout);
        return dosi_fail_memory(err);
    }
    return DOSI_OK;
}

/* Names of a tally are its own. */
static void name_free(struct table_bytes name)
{
    char *bytes;
    memcpy(&bytes, &name.bytes, sizeof bytes);
    free(bytes);
}

static void cells_free(struct table_cells *cells)
{
    for (size_t i = 0; i < cells->n; i++)
        name_free(cells->cells[i].name);
    free(cells->cells);
    *cells = (struct table_cells){NULL, 0, 0};
}

void table_tally_free(
    struct table_tally *tally, const struct table_layout *layout)
{
    if (tally->unknown != NULL) {
        for (size_t u = 0; u < layout->n_unknown; u++)
            cells_free(&tally->unknown[u]);
    }
    free(tally->integers);
    free(tally->unknown);
    *tally = (struct table_tally){NULL, NULL};
}

/* One more cell after the others, with a copy of its name. */
static bool cells_append(
    struct table_cells *cells, struct table_bytes name, int128 count)
{
    if (cells->n == cells->capacity) {
        size_t wider = cells->capacity == 0 ? 16 : 2 * cells->capacity;
        struct table_cell_count *more =
            realloc(cells->cells, wider * sizeof *more);
        if (more == NULL)
            return false;
        cells->cells = more;
        cells->capacity = wider;
    }
    char *copy = malloc(name.n > 0 ? name.n : 1);
    if (copy == NULL)
        return false;
    if (name.n > 0)
        memcpy(copy, name.bytes, name.n);
    struct table_cell_count *cell = &cells->cells[cells->n++];
    cell->name.bytes = copy;
    cell->name.n = name.n;
    cell->count = count;
    return true;
}

static int by_name(const void *a, const void *b)
{
    const struct table_cell_count *x = a, *y = b;
    return bytes_compare(x->name, y->name);
}

/* The cells of both, sorted by name, each once. */
static bool cells_merge(struct table_cells *out, const struct table_cells *a,
    const struct table_cells *b)
{
    struct table_cells all = {NULL, 0, 0};
    bool is_whole = true;
    for (size_t i = 0; i < a->n && is_whole; i++)
        is_whole = cells_append(&all, a->cells[i].name, a->cells[i].count);
    for (size_t i = 0; i < b->n && is_whole; i++)
        is_whole = cells_append(&all, b->cells[i].name, b->cells[i].count);
    if (!is_whole) {
        cells_free(&all);
        return false;
    }
    if (all.n > 0)
        qsort(all.cells, all.n, sizeof *all.cells, by_name);
    size_t n = 0;
    for (size_t i = 0; i < all.n; i++) {
        struct table_cell_count *cell = &all.cells[i];
        if (n > 0 && bytes_equal(all.cells[n - 1].name, cell->name)) {
            all.cells[n - 1].count =
                add_wrapping(all.cells[n - 1].count, cell->count);
            name_free(cell->name);
        } else {
            all.cells[n++] = *cell;
        }
    }
    all.n = n;
    *out = all;
    return true;
}

dosi_status table_tally_add(struct table_tally *into,
    const struct table_tally *other, const struct table_layout *layout,
    dosi_error *err)
{
    struct table_cells *merged = calloc(layout->n_unknown + 1, sizeof *merged);
    bool is_whole = merged != NULL;
    for (size_t u = 0; u < layout->n_unknown && is_whole; u++)
        is_whole =
            cells_merge(&merged[u], &into->unknown[u], &other->unknown[u]);
    for (size_t u = 0; u < layout->n_unknown && merged != NULL; u++) {
        struct table_cells *cells = &merged[u];
        if (is_whole) { /* they change places */
            struct table_cells old = into->unknown[u];
            into->unknown[u] = *cells;
            *cells = old;
        }
        cells_free(cells);
    }
    free(merged);
    if (!is_whole)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < layout->n_integers; i++)
        into->integers[i] = add_wrapping(into->integers[i], other->integers[i]);
    return DOSI_OK;
}

/* ---- Adding ------------------------------------------------------------ */

dosi_status adder_new(struct adder *out, const struct table_layout *layout,
    struct table_tally *tally, const struct names *names,
    const struct hash_key *key, dosi_error *err)
{
    size_t n = layout->n_rules;
    *out = (struct adder){.layout = layout, .tally = tally, .names = names};
    out->categories = calloc(n + 1, sizeof *out->categories);
    out->cells = calloc(n + 1, sizeof *out->cells);
    out->unknown = calloc(layout->n_unknown + 1, sizeof *out->unknown);
    bool is_whole =
        out->categories != NULL && out->cells != NULL && out->unknown != NULL;
    for (size_t r = 0; r < n && is_whole; r++) {
        if (layout->rules[r].kind == TABLE_CATEGORIES)
            is_whole =
                categories_new(&out->categories[r], &layout->rules[r], key);
    }
    if (is_whole)
        return DOSI_OK;
    adder_free(out);
    return dosi_fail_memory(err);
}

void adder_free(struct adder *adder)
{
    if (adder->layout == NULL)
        return;
    for (size_t r = 0; r < adder->layout->n_rules; r++) {
        if (adder->categories != NULL)
            slots_free(&adder->categories[r].slots);
    }
    for (size_t u = 0; u < adder->layout->n_unknown; u++) {
        if (adder->unknown != NULL)
            free(adder->unknown[u].cell_of);
    }
    free(adder->categories);
    free(adder->cells);
    free(adder->unknown);
    *adder = (struct adder){.layout = NULL};
}

int64_t adder_cell_of_value(
    const struct adder *adder, const struct table_rule *rule, int64_t z)
{
    if (z == TABLE_MISSING)
        return -1;
    int64_t lo = adder->layout->values[rule->value].lo;
    uint64_t cell = (uint64_t)z - (uint64_t)lo; /* below 2^63 + 1 */
    if (rule->kind == TABLE_BINS)
        cell /= (uint64_t)rule->width;
    /* the outer bins are open: the upper bound belongs to the last one */
    return cell < rule->n_cells ? (int64_t)cell : (int64_t)rule->n_cells - 1;
}

static bool unknown_add(
    struct adder *adder, const struct table_item *item, uint32_t id, int128 x)
{
    struct adder_unknown *unknown = &adder->unknown[item->unknown];
    struct table_cells *cells = &adder->tally->unknown[item->unknown];
    if (id >= unknown->n) {
        size_t wider = 2 * (size_t)id + 16;
        uint32_t *more = realloc(unknown->cell_of, wider * sizeof *more);
        if (more == NULL)
            return false;
        memset(more + unknown->n, 0, (wider - unknown->n) * sizeof *more);
        unknown->cell_of = more;
        unknown->n = wider;
    }
    if (unknown->cell_of[id] == 0) {
        if (!cells_append(cells, names_text(adder->names, id), 0))
            return false;
        unknown->cell_of[id] = (uint32_t)cells->n;
    }
    struct table_cell_count *cell = &cells->cells[unknown->cell_of[id] - 1];
    cell->count = add_wrapping(cell->count, x);
    return true;
}

bool adder_add(struct adder *adder, const struct table_item *item,
    const int64_t *cells, int128 x)
{
    size_t at = 0;
    for (size_t i = 0; i < 2 && item->rules[i] != TABLE_NONE; i++) {
        int64_t cell = cells[item->rules[i]];
        if (cell < 0)
            return true; /* in no cell */
        if (item->unknown != TABLE_NONE)
            return unknown_add(adder, item, (uint32_t)cell, x);
        at = at * adder->layout->rules[item->rules[i]].n_cells + (size_t)cell;
    }
    int128 *integer = &adder->tally->integers[item->first + at];
    *integer = add_wrapping(*integer, x);
    return true;
}

bool adder_term(int128 *out, const struct table_item *item, const int64_t *z)
{
    int64_t v = item->value == TABLE_NONE ? 0 : z[item->value];
    *out = 1;
    if (item->term == TABLE_ONE)
        return true;
    if (v == TABLE_MISSING)
        return false;
    int128 x = (int128)v - item->centre;
    switch (item->term) {
    case TABLE_PRESENT:
        return true;
    case TABLE_SUM:
        *out = v;
        return true;
    case TABLE_CENTRED:
        *out = x;
        return true;
    case TABLE_SQUARE:
        *out = x * x; /* |x| < 2^31 (105 5.1) */
        return true;
    case TABLE_ONE:
    case TABLE_BAD:
    case TABLE_TOTAL:
        break;
    }
    return false;
}

int128 adder_total(const struct table_item *item, int128 sum)
{
    return sum < item->total_lo   ? item->total_lo
           : sum > item->total_hi ? item->total_hi
                                  : sum;
}
