/* The rows of one reader added to those of another. */
#include "reader.h"

#include "base/error.h"
#include "reader_state.h"

/* Integers of rows that are people add up. */
static bool tally_merge(
    struct table_reader *into, const struct table_reader *other)
{
    const struct table_layout *layout = into->layout;
    bool is_whole = true;
    for (size_t i = 0; i < layout->n_integers; i++)
        into->tally.integers[i] = (int128)((uint128)into->tally.integers[i] +
                                           (uint128)other->tally.integers[i]);
    for (size_t i = 0; i < layout->n_items; i++) {
        const struct table_item *item = &layout->items[i];
        if (item->unknown == TABLE_NONE)
            continue;
        const struct table_cells *cells =
            &other->tally.unknown[item->unknown];
        for (size_t c = 0; c < cells->n && is_whole; c++) {
            uint32_t number;
            is_whole =
                names_hold(&number, &into->names, cells->cells[c].name);
            into->adder.cells[item->rules[0]] = number;
            is_whole = is_whole && adder_add(&into->adder, item,
                                       into->adder.cells,
                                       cells->cells[c].count);
        }
    }
    return is_whole;
}

static void faults_merge(
    struct table_reader *into, const struct table_reader *other)
{
    struct table_faults *a = &into->faults;
    const struct table_faults *b = &other->faults;
    a->n_lines += b->n_lines;
    a->n_rows += b->n_rows;
    a->n_empty += b->n_empty;
    a->n_long += b->n_long;
    a->n_quote += b->n_quote;
    a->n_fields += b->n_fields;
    a->n_no_user += b->n_no_user;
    a->n_bad_rows += b->n_bad_rows;
    for (size_t i = 0; into->is_watched && i < into->layout->n_values; i++) {
        a->n_missing[i] += b->n_missing[i];
        a->n_below[i] += b->n_below[i];
        a->n_above[i] += b->n_above[i];
    }
}

dosi_status table_reader_merge(struct table_reader *into,
    struct table_reader *other, dosi_error *err)
{
    dosi_status status =
        into->status != DOSI_OK ? into->status : other->status;
    if (status != DOSI_OK || into->is_finished || other->is_finished)
        return dosi_fail(err, status != DOSI_OK ? status : DOSI_EINVAL,
            "nothing is merged after a failure or the end");
    if (other->has_source)
        status = reader_source(into, other->id_kind, other->key_kinds, err);
    if (status != DOSI_OK)
        return status;
    status = reader_csv_end(other, err);
    other->status = status;
    if (status != DOSI_OK)
        return status;
    other->is_finished = true;
    if (people_flush(&other->people, &other->adder) &&
        people_merge(&into->people, &other->people) &&
        tally_merge(into, other)) {
        faults_merge(into, other);
        return DOSI_OK;
    }
    into->status = dosi_fail_memory(err);
    return into->status;
}
