/* The cells of a person: a small sorted array, or a hash table above it. */
#include "person.h"

#include <stdlib.h>
#include <string.h>

/* An odd multiplier scatters cells; which numbers names have does not depend
 * on their bytes. */
static size_t cell_place(int64_t cell, size_t capacity)
{
    uint64_t mixed = (uint64_t)cell * 0x9e3779b97f4a7c15;
    return (size_t)(mixed >> 20 & (capacity - 1));
}

/* The position of a cell, or the one where it belongs. */
static size_t cells_position(
    const struct cell_set *set, size_t width, int64_t cell)
{
    size_t i = 0;
    if (set->capacity <= CELLS_SORTED) {
        while (i < set->n && set->entries[i * width] < cell)
            i++;
        return i;
    }
    i = cell_place(cell, set->capacity);
    while (set->entries[i * width + 1] != 0 && set->entries[i * width] != cell)
        i = (i + 1) & (set->capacity - 1);
    return i;
}

static struct cell_set *cells_alloc(size_t capacity, size_t width)
{
    struct cell_set *set =
        calloc(1, sizeof *set + capacity * width * sizeof(int64_t));
    if (set != NULL)
        set->capacity = capacity;
    return set;
}

/* Room for one more cell: hashed sets are at most half full. */
static bool cells_reserve(struct cell_set **set, size_t width)
{
    struct cell_set *old = *set;
    size_t capacity = old == NULL ? 0 : old->capacity;
    size_t n = old == NULL ? 0 : old->n;
    bool is_hashed = capacity > CELLS_SORTED;
    if (is_hashed ? 2 * (n + 1) <= capacity : n < capacity)
        return true;
    size_t wider = capacity == 0              ? 1
                   : capacity == CELLS_SORTED ? (size_t)4 * CELLS_SORTED
                                              : 2 * capacity;
    struct cell_set *grown = cells_alloc(wider, width);
    if (grown == NULL)
        return false;
    for (size_t i = 0; i < capacity; i++) {
        const int64_t *entry = cell_entry(old, width, i);
        if (entry == NULL)
            continue;
        size_t at =
            wider > CELLS_SORTED ? cells_position(grown, width, entry[0]) : i;
        memcpy(grown->entries + at * width, entry, width * sizeof *entry);
    }
    grown->n = n;
    free(old);
    *set = grown;
    return true;
}

/* Holds or drops the names of a key. */
static void key_names(const struct people *people, const int64_t *key_words,
    void (*change)(struct names *names, uint32_t id))
{
    for (size_t i = 0; i < keys_named(people); i++) {
        if (people->is_text_key[i])
            change(people->names, (uint32_t)key_words[i]);
    }
}

static void cell_names_keep(
    const struct people *people, size_t family, int64_t cell)
{
    for (size_t i = 0; i < 2; i++) {
        if (cell_half_is_name(people, family, i))
            names_keep(people->names, cell_half(cell, i));
    }
}

bool people_add_cell(struct people *people, struct cell_set **set,
    size_t family, int64_t cell, int64_t n_rows, const int64_t *key_words)
{
    size_t n_key_words = people->n_key_words, width = 2 + n_key_words;
    size_t bytes = n_key_words * sizeof *key_words;
    if (!cells_reserve(set, width))
        return false;
    struct cell_set *s = *set;
    size_t at = cells_position(s, width, cell);
    int64_t *entry = s->entries + at * width;
    bool is_sorted = s->capacity <= CELLS_SORTED;
    if (is_sorted ? at < s->n && entry[0] == cell : entry[1] != 0) {
        entry[1] += n_rows;
        if (people_compare_keys(people, key_words, entry + 2) < 0) {
            key_names(people, key_words, names_keep);
            key_names(people, entry + 2, names_drop);
            memcpy(entry + 2, key_words, bytes);
        }
        return true;
    }
    if (is_sorted)
        memmove(entry + width, entry, (s->n - at) * width * sizeof *entry);
    entry[0] = cell;
    entry[1] = n_rows;
    memcpy(entry + 2, key_words, bytes);
    key_names(people, key_words, names_keep);
    cell_names_keep(people, family, cell);
    s->n++;
    return true;
}

/* ---- Limits ------------------------------------------------------------ */

struct cells_context {
    const struct people *people;
    const struct table_item *item;
};

/* Entries in the order (least key, name); bins by their number. */
static int cells_compare(
    const void *context, const int64_t *a, const int64_t *b)
{
    const struct cells_context *c = context;
    const struct table_layout *layout = c->people->layout;
    int side = c->people->n_key_words > 0
                   ? people_compare_keys(c->people, a + 2, b + 2)
                   : 0;
    for (size_t i = 0; i < 2 && side == 0; i++) {
        if (c->item->rules[i] == TABLE_NONE)
            break;
        enum table_rule_kind kind = layout->rules[c->item->rules[i]].kind;
        uint32_t x = cell_half(a[0], i), y = cell_half(b[0], i);
        side = kind == TABLE_CATEGORIES || kind == TABLE_UNKNOWN
                   ? names_compare(c->people->names, x, y)
                   : (x > y) - (x < y);
    }
    return side;
}

/* min(rows, m) of an entry, in its cell if that is declared. */
static bool entry_add(
    struct adder *adder, const struct table_item *item, const int64_t *entry)
{
    for (size_t i = 0; i < 2 && item->rules[i] != TABLE_NONE; i++) {
        size_t r = item->rules[i];
        uint32_t half = cell_half(entry[0], i);
        adder->cells[r] = adder->layout->rules[r].kind == TABLE_CATEGORIES
                              ? categories_find(&adder->categories[r],
                                    names_text(adder->names, half))
                              : (int64_t)half;
    }
    int64_t rows =
        entry[1] < item->max_per_cell ? entry[1] : item->max_per_cell;
    return adder_add(adder, item, adder->cells, rows);
}

bool people_finish_cells(struct people *people, struct adder *adder,
    const struct table_item *item, const struct cell_set *set, bool *is_over)
{
    if (set == NULL)
        return true;
    size_t width = 2 + people->n_key_words, n = 0;
    bool is_many = (uint64_t)set->n > (uint64_t)item->max_cells;
    bool is_whole = true;
    size_t room = is_many ? (size_t)item->max_cells : 0;
    struct cells_context context = {people, item};
    struct least_order order = {cells_compare, &context, width};
    int64_t *first = NULL;
    if (room > 0)
        first = malloc(room * width * sizeof *first);
    if (room > 0 && first == NULL)
        return false;
    *is_over |= is_many;
    for (size_t i = 0; i < set->capacity && is_whole; i++) {
        const int64_t *entry = cell_entry(set, width, i);
        if (entry == NULL)
            continue;
        *is_over |= entry[1] > item->max_per_cell;
        if (!is_many)
            is_whole = entry_add(adder, item, entry);
        else if (n < room)
            least_push(first, n++, entry, &order);
        else if (room > 0 && cells_compare(&context, entry, first) < 0)
            least_replace(first, n, entry, &order);
    }
    for (size_t i = 0; i < n && is_whole; i++)
        is_whole = entry_add(adder, item, first + i * width);
    free(first);
    return is_whole;
}
