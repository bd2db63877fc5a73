/*
 * The layout of a tally in the parts and columns of the answer of an engine.
 */
#include "tally_shape.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"

/* Without users a row is a person, who has one cell. */
static bool is_by_rows(
    const struct table_layout *layout, const struct table_item *item)
{
    return item->limit == TABLE_BY_ROWS ||
           (item->limit == TABLE_BY_CELLS && layout->user == TABLE_NONE);
}

static bool is_plain_count(const struct table_item *item)
{
    return item->term == TABLE_ONE && item->rules[0] == TABLE_NONE;
}

static bool same_cells(const struct table_rule *a, const struct table_rule *b)
{
    bool is_text = a->kind == TABLE_CATEGORIES || a->kind == TABLE_UNKNOWN;
    if (is_text != (b->kind == TABLE_CATEGORIES || b->kind == TABLE_UNKNOWN))
        return false;
    if (is_text)
        return a->text == b->text;
    return a->value == b->value &&
           (a->kind == TABLE_LEVELS ? 1 : a->width) ==
               (b->kind == TABLE_LEVELS ? 1 : b->width);
}

size_t tally_first_rule(const struct table_layout *layout, size_t rule)
{
    size_t first = 0;
    if (rule == TABLE_NONE)
        return TABLE_NONE;
    while (!same_cells(&layout->rules[first], &layout->rules[rule]))
        first++;
    return first;
}

static void place_rules(struct tally_place *place,
    const struct table_layout *layout, const struct table_item *item,
    bool is_ordered)
{
    size_t a = tally_first_rule(layout, item->rules[0]);
    size_t b = tally_first_rule(layout, item->rules[1]);
    if (a == TABLE_NONE || a == b) {
        a = a == TABLE_NONE ? b : a;
        b = TABLE_NONE;
    }
    if (is_ordered && b != TABLE_NONE && b < a) {
        place->rules[0] = b;
        place->rules[1] = a;
    } else {
        place->rules[0] = a;
        place->rules[1] = b;
    }
}

static bool same_column(const struct table_item *a, const struct table_item *b)
{
    if (a->term != b->term || a->value != b->value)
        return false;
    switch (a->term) {
    case TABLE_CENTRED:
    case TABLE_SQUARE:
        return a->centre == b->centre;
    case TABLE_TOTAL:
        return a->total_lo == b->total_lo && a->total_hi == b->total_hi;
    case TABLE_ONE: /* of rows, or of people */
        return (a->limit == TABLE_BY_PERSON) == (b->limit == TABLE_BY_PERSON);
    case TABLE_BAD:
    case TABLE_PRESENT:
    case TABLE_SUM:
        return true;
    }
    return false;
}

/* Columns are numbered in each part in the order of the items. */
static void place_column(struct tally_shape *shape,
    const struct table_layout *layout, size_t i)
{
    struct tally_place *place = &shape->places[i];
    place->column = 0;
    place->is_first = place->is_first_part = true;
    if (place->part == TALLY_CELLS)
        return;
    for (size_t j = 0; j < i; j++) {
        const struct tally_place *other = &shape->places[j];
        if (other->part != place->part)
            continue;
        if (other->rules[0] == place->rules[0] &&
            other->rules[1] == place->rules[1])
            place->is_first_part = false;
        if (!place->is_first || !other->is_first)
            continue;
        if (same_column(&layout->items[i], &layout->items[j])) {
            place->column = other->column;
            place->is_first = false;
        } else {
            place->column++;
        }
    }
}

dosi_status tally_shape_new(struct tally_shape *out,
    const struct table_layout *layout, dosi_error *err)
{
    *out = (struct tally_shape){.is_count_only = true};
    for (size_t i = 0; i < layout->n_items; i++)
        if (is_by_rows(layout, &layout->items[i]) &&
            !is_plain_count(&layout->items[i]))
            out->is_count_only = false;
    out->places = calloc(layout->n_items + 1, sizeof *out->places);
    if (out->places == NULL)
        return dosi_fail_memory(err);
    out->n_items = layout->n_items;
    out->n_columns = 1;
    for (size_t i = 0; i < layout->n_items; i++) {
        const struct table_item *item = &layout->items[i];
        struct tally_place *place = &out->places[i];
        bool is_rows = is_by_rows(layout, item) && !out->is_count_only;
        place->part = is_rows ? TALLY_ROWS
                      : item->limit == TABLE_BY_CELLS ? TALLY_CELLS
                                                      : TALLY_USERS;
        place_rules(place, layout, item, is_rows);
        place_column(out, layout, i);
        out->has_rows = out->has_rows || is_rows;
        out->has_users = out->has_users || place->part == TALLY_USERS;
        if (place->column >= out->n_columns)
            out->n_columns = place->column + 1;
    }
    return DOSI_OK;
}

void tally_shape_free(struct tally_shape *shape)
{
    free(shape->places);
    *shape = (struct tally_shape){0};
}

void tally_part_name(
    char name[TALLY_NAME_BYTES], const struct tally_shape *shape, size_t item)
{
    const struct tally_place *place = &shape->places[item];
    switch (place->part) {
    case TALLY_ROWS:
        if (place->rules[0] == TABLE_NONE)
            snprintf(name, TALLY_NAME_BYTES, "rows");
        else if (place->rules[1] == TABLE_NONE)
            snprintf(name, TALLY_NAME_BYTES, "rows.%zu", place->rules[0]);
        else
            snprintf(name, TALLY_NAME_BYTES, "rows.%zu.%zu", place->rules[0],
                place->rules[1]);
        break;
    case TALLY_USERS:
        snprintf(name, TALLY_NAME_BYTES, "users");
        break;
    case TALLY_CELLS:
        snprintf(name, TALLY_NAME_BYTES, "cells.%zu", item);
        break;
    }
}
