/* Adds the rows of a table up to a tally. */
#include "reader.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "reader_state.h"
#include "release/entropy/words.h"

/* ---- Construction ------------------------------------------------------ */

static dosi_status key_draw(struct hash_key *key, dosi_error *err)
{
    struct words w;
    dosi_status status = words_open(&w, err);
    if (status != DOSI_OK)
        return status;
    for (size_t i = 0; i < sizeof key->bytes; i += sizeof(uint64_t)) {
        uint64_t word = words_next(&w);
        memcpy(key->bytes + i, &word, sizeof word);
    }
    status = words_check(&w, err);
    words_close(&w);
    return status;
}

static bool arrays_alloc(struct table_reader *r)
{
    const struct table_layout *layout = r->layout;
    r->units = calloc(layout->n_values + 1, sizeof *r->units);
    r->conditions = calloc(layout->n_where + 1, sizeof *r->conditions);
    r->is_text_key = calloc(layout->n_keys + 1, sizeof *r->is_text_key);
    r->key_kinds = calloc(layout->n_keys + 1, sizeof *r->key_kinds);
    r->row.keys = calloc(layout->n_keys + 1, sizeof *r->row.keys);
    r->row.z = calloc(layout->n_values + 1, sizeof *r->row.z);
    r->row.texts = calloc(layout->n_texts + 1, sizeof *r->row.texts);
    return r->units != NULL && r->conditions != NULL &&
           r->is_text_key != NULL && r->key_kinds != NULL &&
           r->row.keys != NULL && r->row.z != NULL && r->row.texts != NULL;
}

static dosi_status parts_new(struct table_reader *r, dosi_error *err)
{
    const struct table_layout *layout = r->layout;
    dosi_status status = DOSI_OK;
    if (!arrays_alloc(r))
        return dosi_fail_memory(err);
    if (layout->n_keys > READER_MAX_KEYS)
        return dosi_fail(err, DOSI_EINVAL, "order: at most %d columns, got %zu",
            READER_MAX_KEYS, layout->n_keys);
    for (size_t i = 0; i < layout->n_rules; i++) {
        if (layout->rules[i].n_cells > UINT32_MAX)
            return dosi_fail(err, DOSI_EINVAL, "at most 2^32 - 1 cells");
    }
    for (size_t i = 0; i < layout->n_values; i++)
        units_new(&r->units[i], &layout->values[i]);
    for (size_t i = 0; i < layout->n_where && status == DOSI_OK; i++)
        status = condition_new(&r->conditions[i], &layout->where[i], err);
    if (status == DOSI_OK)
        status = key_draw(&r->key, err);
    r->names.key = &r->key;
    if (status == DOSI_OK)
        status = csv_new(&r->csv, layout, err);
    if (status == DOSI_OK)
        status = table_tally_new(&r->tally, layout, err);
    if (status == DOSI_OK)
        status =
            adder_new(&r->adder, layout, &r->tally, &r->names, &r->key, err);
    if (status == DOSI_OK)
        status = people_new(
            &r->people, layout, &r->key, &r->names, r->is_text_key, err);
    return status;
}

dosi_status table_reader_new(struct table_reader **out,
    const struct table_layout *layout, dosi_error *err)
{
    *out = NULL;
    struct table_reader *r = calloc(1, sizeof *r);
    if (r == NULL)
        return dosi_fail_memory(err);
    r->layout = layout;
    dosi_status status = parts_new(r, err);
    if (status == DOSI_OK)
        *out = r;
    else
        table_reader_free(r);
    return status;
}

void table_reader_free(struct table_reader *reader)
{
    if (reader == NULL)
        return;
    people_free(&reader->people);
    adder_free(&reader->adder);
    table_tally_free(&reader->tally, reader->layout);
    csv_free(&reader->csv);
    names_free(&reader->names);
    free(reader->units);
    free(reader->conditions);
    free(reader->is_text_key);
    free(reader->key_kinds);
    free(reader->row.keys);
    free(reader->row.z);
    free(reader->row.texts);
    free(reader->faults.n_missing);
    free(reader->faults.n_below);
    free(reader->faults.n_above);
    sodium_memzero(&reader->key, sizeof reader->key);
    free(reader);
}

dosi_status reader_source(struct table_reader *reader, int id_kind,
    const int *key_kinds, dosi_error *err)
{
    size_t n = reader->layout->n_keys;
    bool is_same = reader->id_kind == id_kind;
    for (size_t i = 0; i < n; i++)
        is_same &= reader->key_kinds[i] == key_kinds[i];
    if (reader->has_source && !is_same)
        return dosi_fail(err, DOSI_EINVAL,
            "parts of one table must have ids and order columns of one type");
    reader->has_source = true;
    reader->id_kind = id_kind;
    for (size_t i = 0; i < n; i++) {
        reader->key_kinds[i] = key_kinds[i];
        reader->is_text_key[i] = key_kinds[i] == KEPT_TEXT;
    }
    return DOSI_OK;
}

/* ---- Rows -------------------------------------------------------------- */

void reader_value(
    struct table_reader *reader, size_t i, bool is_missing, int64_t units)
{
    const struct units *u = &reader->units[i];
    if (is_missing) {
        reader->row.z[i] = reader->layout->values[i].missing;
        reader->row.is_bad = true;
    } else {
        reader->row.z[i] = units_clamp(u, units);
    }
    if (reader->is_watched) {
        reader->faults.n_missing[i] += is_missing;
        reader->faults.n_below[i] += !is_missing && units < u->lo;
        reader->faults.n_above[i] += !is_missing && units > u->hi;
    }
}

/* The cells of a row whose unit is the row itself. */
static bool cells_find(struct table_reader *reader)
{
    const struct table_layout *layout = reader->layout;
    const struct row *row = &reader->row;
    for (size_t r = 0; r < layout->n_rules; r++) {
        const struct table_rule *rule = &layout->rules[r];
        int64_t cell = -1;
        uint32_t id;
        switch (rule->kind) {
        case TABLE_CATEGORIES:
            cell = categories_find(
                &reader->adder.categories[r], row->texts[rule->text]);
            break;
        case TABLE_UNKNOWN:
            if (!names_hold(&id, &reader->names, row->texts[rule->text]))
                return false;
            if (id != NAMES_MISSING)
                cell = id;
            break;
        case TABLE_BINS:
        case TABLE_LEVELS:
            cell =
                adder_cell_of_value(&reader->adder, rule, row->z[rule->value]);
            break;
        }
        reader->adder.cells[r] = cell;
    }
    return true;
}

/* A row that is a person: nothing is kept of it. */
static bool row_add(struct table_reader *reader)
{
    const struct table_layout *layout = reader->layout;
    const struct row *row = &reader->row;
    if (layout->n_rules > 0 && !cells_find(reader))
        return false;
    for (size_t i = 0; i < layout->n_items; i++) {
        const struct table_item *item = &layout->items[i];
        int128 x = 1;
        if (item->term == TABLE_BAD) {
            x = row->is_bad;
        } else if (item->term == TABLE_TOTAL) {
            int64_t z = row->z[item->value];
            x = adder_total(item, z == TABLE_MISSING ? 0 : z);
        } else if (!adder_term(&x, item, row->z)) {
            continue;
        }
        if (!adder_add(&reader->adder, item, reader->adder.cells, x))
            return false;
    }
    return true;
}

bool reader_row(struct table_reader *reader)
{
    if (reader->is_watched) {
        reader->faults.n_rows++;
        reader->faults.n_bad_rows += reader->row.is_bad;
    }
    if (reader->layout->user == TABLE_NONE)
        return row_add(reader);
    return people_add(&reader->people, &reader->adder, &reader->row);
}

void reader_bad_line(struct table_reader *reader)
{
    const struct table_layout *layout = reader->layout;
    if (layout->user != TABLE_NONE)
        return; /* it has no id */
    for (size_t i = 0; i < layout->n_items; i++) {
        if (layout->items[i].term == TABLE_BAD)
            (void)adder_add(
                &reader->adder, &layout->items[i], reader->adder.cells, 1);
    }
}

/* ---- The end ----------------------------------------------------------- */

dosi_status table_reader_finish(
    struct table_tally *out, struct table_reader *reader, dosi_error *err)
{
    *out = (struct table_tally){NULL, NULL};
    if (reader->status != DOSI_OK || reader->is_finished)
        return dosi_fail(err,
            reader->status != DOSI_OK ? reader->status : DOSI_EINVAL,
            "the table was not read to its end, or was finished before");
    dosi_status status = reader_csv_end(reader, err);
    if (status == DOSI_OK && !people_finish(&reader->people, &reader->adder,
                                 reader->is_watched ? &reader->faults : NULL))
        status = dosi_fail_memory(err);
    reader->status = status;
    if (status != DOSI_OK)
        return status;
    reader->is_finished = true;
    *out = reader->tally;
    reader->tally = (struct table_tally){NULL, NULL};
    return DOSI_OK;
}

dosi_status table_reader_watch(struct table_reader *reader, dosi_error *err)
{
    struct table_faults *faults = &reader->faults;
    size_t n = reader->layout->n_values + 1;
    if (reader->is_watched)
        return DOSI_OK;
    faults->n_missing = calloc(n, sizeof *faults->n_missing);
    faults->n_below = calloc(n, sizeof *faults->n_below);
    faults->n_above = calloc(n, sizeof *faults->n_above);
    if (faults->n_missing == NULL || faults->n_below == NULL ||
        faults->n_above == NULL)
        return dosi_fail_memory(err);
    reader->is_watched = true;
    return DOSI_OK;
}

const struct table_faults *table_reader_faults(
    const struct table_reader *reader)
{
    return &reader->faults;
}
