/*
 * Histograms and the fullest cell. Cells are public, or unknown: then a cell
 * exists if somebody's row is in it after the limits, and is printed if its
 * noisy count reaches tau. Cells below a least count may be left out before
 * the noise, with a higher tau (R107-6). docs/theory/release_table.md, R105-6
 * and R105-11.
 */
#include "statistics.h"

#include "base/error.h"
#include "layout_build.h"
#include "person_limits.h"

/* The rules and limits of a list of columns, as a part without its leaf. */
static dosi_status compile_columns(struct table_statistic *s,
    struct table_item *item, dosi_table_query *q, const char *argument,
    size_t most, dosi_error *err)
{
    struct table_bytes *columns;
    size_t n;
    bool by_cells = false;
    dosi_status status =
        text_list(&columns, &n, argument, s->row->name, err);
    if (status != DOSI_OK)
        return status;
    status = statistic_name(s, argument, NULL, err);
    if (status == DOSI_OK && n > most)
        status = dosi_fail(err, DOSI_EINVAL,
            "%s: must be of one column, got %zu", s->name, n);
    if (status == DOSI_OK)
        status = statistic_cells(s->rules, q, columns, n, s->name, err);
    text_list_free(columns, n);
    if (status == DOSI_OK)
        status = limits_cells(&by_cells, &item->max_cells,
            &item->max_per_cell, q, argument, s->name, err);
    item->limit = by_cells ? TABLE_BY_CELLS : TABLE_BY_ROWS;
    item->term = TABLE_ONE;
    item->value = TABLE_NONE;
    item->rules[0] = s->rules[0];
    item->rules[1] = s->rules[1];
    return status;
}

/* Checks that both limits are given, and one column; a row is one cell. */
static dosi_status limit_unknown(struct table_item *item,
    const dosi_table_query *q, const char *what, dosi_error *err)
{
    if (item->rules[1] != TABLE_NONE)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: unknown cells must be of one column", what);
    if (q->settings.user == NULL) {
        item->limit = TABLE_BY_CELLS;
        item->max_cells = item->max_per_cell = 1;
    }
    if (item->limit != TABLE_BY_CELLS)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: unknown cells need max-cells and max-per-cell", what);
    return DOSI_OK;
}

static bool is_unknown(const dosi_table_query *q, size_t rule)
{
    return rule != TABLE_NONE &&
           q->layout.rules[rule].kind == TABLE_UNKNOWN;
}

static dosi_status compile_histogram(struct table_statistic *s,
    dosi_table_query *q, const char *argument, dosi_error *err)
{
    struct table_item item = {0};
    dosi_status status = compile_columns(s, &item, q, argument, 2, err);
    if (status != DOSI_OK)
        return status;
    bool unknown =
        is_unknown(q, s->rules[0]) || is_unknown(q, s->rules[1]);
    if (unknown)
        item.min_count = limits_min_count(q, argument);
    if (unknown)
        status = limit_unknown(&item, q, s->name, err);
    else if (item.limit == TABLE_BY_ROWS)
        status = limits_rows(q, true, s->name, err);
    if (status != DOSI_OK)
        return status;
    bool by_cells = item.limit == TABLE_BY_CELLS;
    struct table_part part = {.leaf = LEAF_COUNT,
        .label = "",
        .distance =
            (uint128)(by_cells ? item.max_per_cell : q->rows_of_person),
        .copies = distance_copies(
            q->settings.neighbours, by_cells ? item.max_cells : 1),
        .has_threshold = unknown,
        .share = 20};
    return statistic_part(s, q, item, part, err);
}

/* Unknown cells that were printed, by bytes; no intervals, for they were
 * selected by their noise. */
static void answer_unknown(struct answer_rows *rows,
    const struct table_statistic *s, const struct table_cells *cells)
{
    struct exact_grid one = exact_grid_of_places(0);
    for (size_t i = 0; i < cells->n; i++) {
        struct answer_row row = ANSWER_ROW;
        row.cell = answer_start(rows);
        answer_escape(&rows->text, cells->cells[i].name.bytes,
            cells->cells[i].name.n, false);
        answer_end(rows);
        row.value = answer_start(rows);
        exact_print(&rows->text, cells->cells[i].count, &one);
        answer_end(rows);
        answer_add(rows, s, "", &row);
    }
}

static void answer_histogram(struct answer_rows *rows,
    const dosi_table_query *q, const struct table_statistic *s,
    const struct answer_integers *noisy)
{
    struct exact_grid one = exact_grid_of_places(0);
    size_t unknown = q->layout.items[s->parts[0].item].unknown;
    if (unknown != TABLE_NONE)
        answer_unknown(rows, s, &noisy->unknown[unknown]);
    else
        answer_part(rows, q, s, 0, "", &one, noisy);
}

/* ---- The mode ---------------------------------------------------------- */

static dosi_status compile_mode(struct table_statistic *s,
    dosi_table_query *q, const char *argument, dosi_error *err)
{
    struct table_item item = {0};
    dosi_status status = compile_columns(s, &item, q, argument, 1, err);
    if (status != DOSI_OK)
        return status;
    if (is_unknown(q, s->rules[0]))
        return dosi_fail(err, DOSI_EINVAL,
            "%s: cells must be declared by categories or bins, not unknown",
            s->name);
    bool by_cells = item.limit == TABLE_BY_CELLS;
    if (!by_cells)
        status = limits_rows(q, true, s->name, err);
    if (status != DOSI_OK)
        return status;
    struct table_part part = {.leaf = LEAF_CHOICE,
        .label = "",
        .distance =
            (uint128)(by_cells ? item.max_per_cell : q->rows_of_person),
        .copies = 1,
        .is_monotone = q->settings.neighbours == DOSI_ADD_REMOVE,
        .share = 20};
    return statistic_part(s, q, item, part, err);
}

static void answer_mode(struct answer_rows *rows, const dosi_table_query *q,
    const struct table_statistic *s, const struct answer_integers *noisy)
{
    const struct table_part *part = &s->parts[0];
    const struct table_item *item = &q->layout.items[part->item];
    size_t chosen = noisy->chosen[s - q->statistics];
    struct answer_row row = ANSWER_ROW;
    row.value = answer_cell(rows, q, item->rules, chosen);
    row.within = answer_start(rows);
    answer_bound(rows, answer_within(q, part, item->n_cells, 1));
    answer_add(rows, s, "", &row);
}

const struct statistic_row statistic_histogram = {
    "histogram", true, 1, compile_histogram, answer_histogram};
const struct statistic_row statistic_mode = {
    "mode", true, 1, compile_mode, answer_mode};
