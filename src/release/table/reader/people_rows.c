/*
 * Rows on their way into the state of their person. Rows of a table meet
 * people in no order, so each would wait for memory several times; instead a
 * few rows wait while the memory of their people is on its way.
 */
#include "people.h"

#include <string.h>

#include "person.h"

int people_compare_keys(
    const struct people *people, const int64_t *a, const int64_t *b)
{
    size_t n = people->layout->n_keys;
    if (people->layout->is_file_order)
        return (a[0] > b[0]) - (a[0] < b[0]);
    for (size_t i = 0; i < n; i++) {
        bool no_a = (a[n] >> i & 1) != 0, no_b = (b[n] >> i & 1) != 0;
        if (no_a || no_b) {
            if (no_a != no_b)
                return no_a ? 1 : -1;
            continue;
        }
        int c = people->is_text_key[i] ? names_compare(people->names,
                                             (uint32_t)a[i], (uint32_t)b[i])
                                       : (a[i] > b[i]) - (a[i] < b[i]);
        if (c != 0)
            return c;
    }
    return 0;
}

static int rows_compare(const void *context, const int64_t *a, const int64_t *b)
{
    const struct people *people = context;
    const struct table_layout *layout = people->layout;
    size_t at = people->n_key_words;
    int c = at > 0 ? people_compare_keys(people, a, b) : 0;
    for (size_t i = 0; i < layout->n_values && c == 0; i++, at++)
        c = (a[at] > b[at]) - (a[at] < b[at]); /* TABLE_MISSING is last */
    for (size_t i = 0; i < layout->n_texts && c == 0; i++, at++)
        c = names_compare(people->names, (uint32_t)a[at], (uint32_t)b[at]);
    return c;
}

void people_drop_row(struct people *people, const int64_t *words,
    size_t n_keys, size_t n_texts)
{
    const struct table_layout *layout = people->layout;
    const int64_t *texts = words + people->n_key_words + layout->n_values;
    for (size_t i = 0; i < n_keys; i++) {
        if (people->is_text_key[i])
            names_drop(people->names, (uint32_t)words[i]);
    }
    for (size_t i = 0; i < n_texts; i++)
        names_drop(people->names, (uint32_t)texts[i]);
}

/* The words of a row, whose names are held. */
static bool row_words_new(
    struct people *people, int64_t *words, const struct row *row)
{
    const struct table_layout *layout = people->layout;
    int64_t *const first = words;
    int64_t missing = 0;
    size_t n = keys_named(people);
    uint32_t id;
    for (size_t i = 0; i < n; i++) {
        const struct row_key *key = &row->keys[i];
        words[i] = key->number;
        if (people->is_text_key[i]) {
            if (!names_hold(&id, people->names, key->text)) {
                people_drop_row(people, words, i, 0);
                return false;
            }
            words[i] = id;
        }
        if (key->is_missing) {
            missing |= (int64_t)1 << i;
            if (!people->is_text_key[i])
                words[i] = 0;
        }
    }
    if (people->n_key_words > 0)
        words[n] = layout->is_file_order ? (int64_t)row->line : missing;
    words += people->n_key_words;
    if (layout->n_values > 0)
        memcpy(words, row->z, layout->n_values * sizeof *words);
    words += layout->n_values;
    for (size_t i = 0; i < layout->n_texts; i++) {
        words[i] = NAMES_MISSING;
        if (!people->needs_rows && people->n_families == 0)
            continue;
        if (!names_hold(&id, people->names, row->texts[i])) {
            people_drop_row(people, first, n, i);
            return false;
        }
        words[i] = id;
    }
    return true;
}

bool people_keep_row(struct people *people, struct person *person,
    const int64_t *words, bool *is_kept)
{
    struct least_order order = {rows_compare, people, people->row_words};
    size_t n = person->n_kept;
    *is_kept = false;
    if ((uint64_t)n < (uint64_t)people->layout->max_rows) {
        if (!people_rows_reserve(people, person))
            return false;
        least_push(person_rows(people, person), n, words, &order);
        person->n_kept++;
        *is_kept = true;
        return true;
    }
    int64_t *rows = person_rows(people, person);
    *is_kept = rows_compare(people, words, rows) < 0;
    if (*is_kept) {
        people_drop_row(
            people, rows, keys_named(people), people->layout->n_texts);
        least_replace(rows, n, words, &order);
    }
    return true;
}

/* The cell of a row, with the number of a name for each text: undeclared
 * cells take places, too. False if the row has none. */
static bool row_cell(int64_t *out, const struct people *people,
    const struct adder *adder, const int64_t *words, size_t family)
{
    const struct table_layout *layout = people->layout;
    const int64_t *z = words + people->n_key_words;
    const int64_t *texts = z + layout->n_values;
    uint32_t half[2] = {0, 0};
    for (size_t i = 0; i < 2; i++) {
        size_t r = people->families[family].rules[i];
        if (r == TABLE_NONE)
            break;
        const struct table_rule *rule = &layout->rules[r];
        int64_t cell;
        if (rule->kind == TABLE_CATEGORIES || rule->kind == TABLE_UNKNOWN)
            cell = texts[rule->text] == NAMES_MISSING ? -1 : texts[rule->text];
        else
            cell = adder_cell_of_value(adder, rule, z[rule->value]);
        if (cell < 0)
            return false;
        half[i] = (uint32_t)cell;
    }
    *out = cell_join(half[0], half[1]);
    return true;
}

static void totals_add(
    struct people *people, struct person *person, const int64_t *z)
{
    int64_t *words = person_totals(people, person);
    for (size_t t = 0; t < people->n_totals; t++, words += 2) {
        int64_t v = z[people->totals[t]];
        int128 sum;
        if (v == TABLE_MISSING)
            continue;
        memcpy(&sum, words, sizeof sum);
        sum = (int128)((uint128)sum + (uint128)(int128)v);
        memcpy(words, &sum, sizeof sum);
    }
}

/* Adds a row to the state of its person. */
static bool row_add(struct people *people, const struct adder *adder,
    struct waiting_row *row, int64_t *words)
{
    size_t n_texts = people->layout->n_texts;
    struct person *person = people_find(
        people, (struct table_bytes){row->id, row->n_id}, row->hash);
    bool is_kept = false, is_whole = person != NULL;
    if (is_whole) {
        person->n_rows++;
        person->is_bad |= row->is_bad;
        totals_add(people, person, words + people->n_key_words);
    }
    for (size_t f = 0; f < people->n_families && is_whole; f++) {
        int64_t cell;
        if (row_cell(&cell, people, adder, words, f))
            is_whole = people_add_cell(
                people, &person_cells(person)[f], f, cell, 1, words);
    }
    if (people->needs_rows && is_whole)
        is_whole = people_keep_row(people, person, words, &is_kept);
    if (!is_kept)
        people_drop_row(people, words, keys_named(people), n_texts);
    return is_whole;
}

/* ---- Rows that wait for memory ----------------------------------------- */

static int64_t *waiting_words(struct people *people, size_t i)
{
    return people->words + i % PEOPLE_WAITING * people->row_words;
}

/* The person of a waiting row, NULL if there is none yet or if the first of
 * the slots with that hash is somebody else's. */
static struct person *waiting_person(
    const struct people *people, const struct waiting_row *row)
{
    const struct slots *s = &people->slots;
    if (s->slots == NULL)
        return NULL;
    for (size_t i = row->hash & s->mask; s->slots[i] != 0;
         i = (i + 1) & s->mask) {
        if (slots_hash(s->slots[i]) == row->hash)
            return person_at(people, slots_index(s->slots[i]));
    }
    return NULL;
}

/* Asks for the memory that the row given after i will need: its slot now,
 * its person half a ring later, the cells and rows of that person after
 * another quarter. A wrong guess costs time only. */
static void waiting_prefetch(struct people *people, size_t i)
{
    const struct waiting_row *row = &people->waiting[i % PEOPLE_WAITING];
    struct person *person;
    if (people->slots.slots != NULL)
        __builtin_prefetch(
            &people->slots.slots[row->hash & people->slots.mask]);
    if (i < people->n_taken + PEOPLE_WAITING / 2)
        return;
    row = &people->waiting[(i - PEOPLE_WAITING / 2) % PEOPLE_WAITING];
    person = waiting_person(people, row);
    for (size_t at = 0; person != NULL && at < people->stride && at < 256;
         at += 64)
        __builtin_prefetch((const char *)person + at, 1);
    if (i < people->n_taken + 3 * PEOPLE_WAITING / 4)
        return;
    row = &people->waiting[(i - 3 * PEOPLE_WAITING / 4) % PEOPLE_WAITING];
    person = waiting_person(people, row);
    if (person == NULL)
        return;
    for (size_t f = 0; f < people->n_families; f++) {
        const char *set = (const char *)person_cells(person)[f];
        for (size_t at = 0; set != NULL && at < 192; at += 64)
            __builtin_prefetch(set + at, 1);
    }
    if (person->rows != NULL)
        __builtin_prefetch(person->rows, 1);
}

/* Adds the row that has waited longest. */
static bool waiting_take(struct people *people, const struct adder *adder)
{
    size_t i = people->n_taken++;
    return row_add(people, adder, &people->waiting[i % PEOPLE_WAITING],
        waiting_words(people, i));
}

bool people_flush(struct people *people, const struct adder *adder)
{
    bool is_whole = true;
    while (people->n_taken < people->n_given)
        is_whole = waiting_take(people, adder) && is_whole;
    return is_whole;
}

bool people_add(
    struct people *people, const struct adder *adder, const struct row *row)
{
    size_t i = people->n_given, n = row->user.n;
    struct waiting_row *entry = &people->waiting[i % PEOPLE_WAITING];
    if (n > UINT32_MAX || !row_words_new(people, waiting_words(people, i), row))
        return false;
    people->n_given++;
    entry->hash = (uint32_t)hash_bytes(row->user, people->key);
    entry->n_id = (uint32_t)n;
    entry->is_bad = row->is_bad;
    entry->id = row->user.bytes;
    if (n > sizeof entry->room) /* its bytes are there only now */
        return people_flush(people, adder);
    memcpy(entry->room, row->user.bytes, n);
    entry->id = entry->room;
    waiting_prefetch(people, i);
    return i + 1 < people->n_taken + PEOPLE_WAITING ||
           waiting_take(people, adder);
}
