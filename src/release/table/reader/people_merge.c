/*
 * The people of one reader added to those of another, as if one reader had
 * read all rows: numbers of rows and totals add up, the k least rows and the
 * least key of a cell are those of both (R107-3). Limits come after the last
 * merge.
 */
#include "people.h"

#include <stdlib.h>
#include <string.h>

#include "person.h"

struct merge {
    struct people *into;
    const struct people *from;
    int64_t *words; /* of a row of from, with numbers of names of into */
};

/* The number in `into` of a name of `from`, held once more; NAMES_MISSING
 * without memory. */
static bool name_hold(int64_t *out, const struct merge *m, int64_t number)
{
    struct table_bytes text = {NULL, 0};
    uint32_t held;
    if (number != NAMES_MISSING)
        text = names_text(m->from->names, (uint32_t)number);
    bool is_whole = names_hold(&held, m->into->names, text);
    *out = held;
    return is_whole;
}

/* The key words of a row, whose names are held. False without memory: then
 * none is. */
static bool keys_hold(const struct merge *m, const int64_t *words)
{
    struct people *into = m->into;
    if (into->n_key_words > 0)
        memcpy(m->words, words, into->n_key_words * sizeof *words);
    for (size_t i = 0; i < keys_named(into); i++) {
        if (into->is_text_key[i] && !name_hold(&m->words[i], m, words[i])) {
            people_drop_row(into, m->words, i, 0);
            return false;
        }
    }
    return true;
}

static bool row_hold(const struct merge *m, const int64_t *words)
{
    struct people *into = m->into;
    size_t at = into->n_key_words;
    size_t n_values = into->layout->n_values, n_texts = into->layout->n_texts;
    if (!keys_hold(m, words))
        return false;
    if (n_values > 0)
        memcpy(m->words + at, words + at, n_values * sizeof *words);
    at += n_values;
    for (size_t i = 0; i < n_texts; i++) {
        if (!name_hold(&m->words[at + i], m, words[at + i])) {
            people_drop_row(into, m->words, keys_named(into), i);
            return false;
        }
    }
    return true;
}

static bool rows_merge(
    const struct merge *m, struct person *person, struct person *other)
{
    struct people *into = m->into;
    bool is_whole = true;
    for (size_t j = 0; j < other->n_kept && is_whole; j++) {
        const int64_t *words =
            person_rows(m->from, other) + j * into->row_words;
        bool is_kept;
        if (!row_hold(m, words))
            return false;
        is_whole = people_keep_row(into, person, m->words, &is_kept);
        if (!is_kept)
            people_drop_row(
                into, m->words, keys_named(into), into->layout->n_texts);
    }
    return is_whole;
}

/* A cell with its number of rows and its least key. */
static bool cell_merge(const struct merge *m, struct cell_set **set,
    size_t family, const int64_t *entry)
{
    struct people *into = m->into;
    int64_t half[2];
    bool is_whole = true;
    if (!keys_hold(m, entry + 2))
        return false;
    for (size_t i = 0; i < 2; i++) {
        half[i] = cell_half(entry[0], i);
        if (cell_half_is_name(into, family, i))
            is_whole = name_hold(&half[i], m, half[i]) && is_whole;
    }
    if (is_whole)
        is_whole = people_add_cell(into, set, family,
            cell_join((uint32_t)half[0], (uint32_t)half[1]), entry[1],
            m->words);
    for (size_t i = 0; i < 2; i++) {
        if (cell_half_is_name(into, family, i))
            names_drop(into->names, (uint32_t)half[i]);
    }
    people_drop_row(into, m->words, keys_named(into), 0);
    return is_whole;
}

static bool cells_merge(
    const struct merge *m, struct person *person, struct person *other)
{
    size_t width = 2 + m->into->n_key_words;
    bool is_whole = true;
    for (size_t f = 0; f < m->into->n_families; f++) {
        const struct cell_set *set = person_cells(other)[f];
        size_t n = set != NULL ? set->capacity : 0;
        for (size_t i = 0; i < n && is_whole; i++) {
            const int64_t *entry = cell_entry(set, width, i);
            if (entry != NULL)
                is_whole =
                    cell_merge(m, &person_cells(person)[f], f, entry);
        }
    }
    return is_whole;
}

static bool person_merge(const struct merge *m, struct person *other)
{
    struct people *into = m->into;
    struct table_bytes id = person_id(other);
    struct person *person =
        people_find(into, id, (uint32_t)hash_bytes(id, into->key));
    if (person == NULL)
        return false;
    person->n_rows += other->n_rows;
    person->is_bad |= other->is_bad;
    for (size_t t = 0; t < into->n_totals; t++) {
        int128 sum, more;
        memcpy(&sum, person_totals(into, person) + 2 * t, sizeof sum);
        memcpy(&more, person_totals(m->from, other) + 2 * t, sizeof more);
        sum = (int128)((uint128)sum + (uint128)more);
        memcpy(person_totals(into, person) + 2 * t, &sum, sizeof sum);
    }
    return cells_merge(m, person, other) && rows_merge(m, person, other);
}

bool people_merge(struct people *into, const struct people *from)
{
    struct merge m = {into, from, NULL};
    bool is_whole;
    m.words = calloc(into->row_words + 1, sizeof *m.words);
    is_whole = m.words != NULL;
    for (size_t i = 0; i < from->n && is_whole; i++)
        is_whole = person_merge(&m, person_at(from, i));
    free(m.words);
    return is_whole;
}
