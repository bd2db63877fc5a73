/*
 * Quantiles: a grid point within the bounds, chosen by the exponential
 * mechanism with the score -|(b - a) below - a above|, where below and above
 * are the rows on either side of it.
 */
#include "statistics.h"

#include <string.h>

#include "base/error.h"
#include "layout_build.h"
#include "person_limits.h"

#define MAX_WHOLE 1000000

static dosi_status compile_rank(struct table_statistic *s,
    dosi_table_query *q, int64_t below, int64_t whole, dosi_error *err)
{
    s->below = below;
    s->whole = whole;
    dosi_status status = limits_rows(q, true, s->name, err);
    if (status == DOSI_OK)
        status = layout_levels(&s->rules[0], q, s->value, s->name, err);
    if (status != DOSI_OK)
        return status;
    struct table_item item = {.limit = TABLE_BY_ROWS,
        .term = TABLE_ONE,
        .value = TABLE_NONE,
        .rules = {s->rules[0], TABLE_NONE}};
    struct table_part part = {.leaf = LEAF_CHOICE,
        .label = "",
        .distance = (uint128)distance_rank(
            q->settings.neighbours, q->rows_of_person, below, whole),
        .copies = 1,
        .share = 20};
    return statistic_part(s, q, item, part, err);
}

static dosi_status compile_median(struct table_statistic *s,
    dosi_table_query *q, const char *argument, dosi_error *err)
{
    dosi_status status = statistic_value(s, q, argument, NULL, err);
    if (status != DOSI_OK)
        return status;
    return compile_rank(s, q, 1, 2, err);
}

static dosi_status compile_quantile(struct table_statistic *s,
    dosi_table_query *q, const char *argument, dosi_error *err)
{
    const char *rest;
    int64_t below = 0, whole = 0;
    dosi_status status = statistic_value(s, q, argument, &rest, err);
    if (status != DOSI_OK)
        return status;
    const char *slash = strchr(rest, '/');
    if (rest[0] != ':' || slash == NULL ||
        !exact_whole(&below, rest + 1, (size_t)(slash - rest - 1),
            MAX_WHOLE) ||
        !exact_whole(&whole, slash + 1, strlen(slash + 1), MAX_WHOLE) ||
        below == 0 || below >= whole)
        return text_refuse(err, s->name,
            "C:LO..HI:A/B with whole numbers 0 < A < B <= 1000000", argument);
    size_t column = q->layout.values[s->value].column;
    status = statistic_name(
        s, q->layout.columns[column].name, rest + 1, err);
    if (status != DOSI_OK)
        return status;
    return compile_rank(s, q, below, whole, err);
}

static void answer_rank(struct answer_rows *rows, const dosi_table_query *q,
    const struct table_statistic *s, const struct answer_integers *noisy)
{
    const struct table_part *part = &s->parts[0];
    const struct table_item *item = &q->layout.items[part->item];
    size_t chosen = noisy->chosen[s - q->statistics];
    struct answer_row row = ANSWER_ROW;
    row.value = answer_cell(rows, q, item->rules, chosen);
    row.within = answer_start(rows);
    answer_bound(rows,
        answer_within(q, part, item->n_cells, (double)s->whole));
    answer_add(rows, s, "", &row);
}

const struct statistic_row statistic_median = {
    "median", true, 1, compile_median, answer_rank};
const struct statistic_row statistic_quantile = {
    "quantile", true, 1, compile_quantile, answer_rank};
