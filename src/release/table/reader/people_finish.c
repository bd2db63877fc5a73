/* Everybody's contribution, after the last row. */
#include "people.h"

#include <string.h>

#include "person.h"

/* The cells of a kept row for all rules. */
static void row_cells(
    const struct people *people, struct adder *adder, const int64_t *words)
{
    const struct table_layout *layout = people->layout;
    const int64_t *z = words + people->n_key_words;
    const int64_t *texts = z + layout->n_values;
    for (size_t r = 0; r < layout->n_rules; r++) {
        const struct table_rule *rule = &layout->rules[r];
        int64_t cell = -1;
        switch (rule->kind) {
        case TABLE_CATEGORIES:
            if (texts[rule->text] != NAMES_MISSING)
                cell = categories_find(&adder->categories[r],
                    names_text(people->names, (uint32_t)texts[rule->text]));
            break;
        case TABLE_UNKNOWN:
            if (texts[rule->text] != NAMES_MISSING)
                cell = texts[rule->text];
            break;
        case TABLE_BINS:
        case TABLE_LEVELS:
            cell = adder_cell_of_value(adder, rule, z[rule->value]);
            break;
        }
        adder->cells[r] = cell;
    }
}

/* All items limited by rows, except plain counts. */
static bool rows_add(
    struct people *people, struct adder *adder, struct person *person)
{
    const struct table_layout *layout = people->layout;
    for (size_t j = 0; j < person->n_kept; j++) {
        const int64_t *words =
            person_rows(people, person) + j * people->row_words;
        row_cells(people, adder, words);
        for (size_t i = 0; i < layout->n_items; i++) {
            const struct table_item *item = &layout->items[i];
            int128 x;
            if (item->limit != TABLE_BY_ROWS ||
                (item->term == TABLE_ONE && item->rules[0] == TABLE_NONE) ||
                !adder_term(&x, item, words + people->n_key_words))
                continue;
            if (!adder_add(adder, item, adder->cells, x))
                return false;
        }
    }
    return true;
}

static int128 person_sum(
    const struct people *people, struct person *person, size_t value)
{
    const int64_t *words = person_totals(people, person);
    int128 sum;
    size_t t = 0;
    while (people->totals[t] != value)
        t++;
    memcpy(&sum, words + 2 * t, sizeof sum);
    return sum;
}

static struct cell_set *person_set(const struct people *people,
    struct person *person, const struct table_item *item)
{
    size_t f = 0;
    while (people->families[f].rules[0] != item->rules[0] ||
           people->families[f].rules[1] != item->rules[1])
        f++;
    return person_cells(person)[f];
}

/* min(n, k) rows for plain counts. */
static int128 rows_counted(const struct people *people, uint64_t n)
{
    uint64_t k = (uint64_t)people->layout->max_rows;
    return n < k ? n : k;
}

static bool person_add(struct people *people, struct adder *adder,
    struct person *person, bool *is_over)
{
    const struct table_layout *layout = people->layout;
    if (!rows_add(people, adder, person))
        return false;
    for (size_t i = 0; i < layout->n_items; i++) {
        const struct table_item *item = &layout->items[i];
        int128 x = 1;
        if (item->limit == TABLE_BY_CELLS) {
            if (!people_finish_cells(people, adder, item,
                    person_set(people, person, item), is_over))
                return false;
            continue;
        }
        if (item->limit == TABLE_BY_ROWS) {
            if (item->term != TABLE_ONE || item->rules[0] != TABLE_NONE)
                continue;
            x = rows_counted(people, person->n_rows);
        } else if (item->term == TABLE_BAD) {
            x = person->is_bad;
        } else if (item->term == TABLE_TOTAL) {
            x = adder_total(item, person_sum(people, person, item->value));
        }
        if (!adder_add(adder, item, adder->cells, x))
            return false;
    }
    return true;
}

bool people_finish(
    struct people *people, struct adder *adder, struct table_faults *faults)
{
    if (!people_flush(people, adder))
        return false;
    for (size_t i = 0; i < people->n; i++) {
        struct person *person = person_at(people, i);
        bool is_over = false;
        if (!person_add(people, adder, person, &is_over))
            return false;
        if (faults != NULL) {
            faults->n_over_cells += is_over;
            faults->n_over_rows +=
                person->n_rows > (uint64_t)people->layout->max_rows;
        }
    }
    if (faults != NULL)
        faults->n_people = people->n;
    return true;
}
