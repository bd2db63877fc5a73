/* Sums of a column: over the rows that count, or over all rows of a person
 * with one bound on the total. */
#include "statistics.h"

#include "base/error.h"
#include "layout_build.h"
#include "person_limits.h"

static dosi_status compile_total(struct table_statistic *s,
    dosi_table_query *q, struct column_settings *said, dosi_error *err)
{
    struct exact_grid grid = layout_grid(&q->layout, s->value);
    struct table_item item = {.limit = TABLE_BY_PERSON,
        .term = TABLE_TOTAL,
        .value = s->value,
        .rules = {TABLE_NONE, TABLE_NONE}};
    if (q->rules[0] != TABLE_NONE)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: by and user-bounds do not go together; use max-rows",
            s->name);
    if (!exact_units(&item.total_lo, &said->total_lo, &grid) ||
        !exact_units(&item.total_hi, &said->total_hi, &grid))
        return dosi_fail(err, DOSI_EINVAL,
            "user-bounds %.100s: must be multiples of the grid, at most 2^62 "
            "of them",
            said->name);
    said->is_total = true;
    struct table_part part = {.leaf = LEAF_SUM,
        .label = "",
        .distance = distance_total(
            q->settings.neighbours, item.total_lo, item.total_hi),
        .copies = 1,
        .share = 20};
    return statistic_part(s, q, item, part, err);
}

static dosi_status compile_sum(struct table_statistic *s, dosi_table_query *q,
    const char *argument, dosi_error *err)
{
    dosi_status status = statistic_value(s, q, argument, NULL, err);
    if (status != DOSI_OK)
        return status;
    size_t column = q->layout.values[s->value].column;
    struct column_settings *said =
        settings_column(&q->settings, q->layout.columns[column].name);
    if (said->has_user_bounds)
        return compile_total(s, q, said, err);
    status = limits_rows(q, true, s->name, err);
    if (status != DOSI_OK)
        return status;
    struct table_item item = {.limit = TABLE_BY_ROWS,
        .term = TABLE_SUM,
        .value = s->value,
        .rules = {q->rules[0], q->rules[1]}};
    struct table_part part = {.leaf = LEAF_SUM,
        .label = "",
        .distance = distance_sum(q->settings.neighbours, q->rows_of_person,
            s->lo, s->hi, q->rules[0] != TABLE_NONE),
        .copies = 1,
        .share = 20};
    return statistic_part(s, q, item, part, err);
}

static void answer_sum(struct answer_rows *rows, const dosi_table_query *q,
    const struct table_statistic *s, const struct answer_integers *noisy)
{
    struct exact_grid grid = layout_grid(&q->layout, s->value);
    answer_part(rows, q, s, 0, "", &grid, noisy);
}

const struct statistic_row statistic_sum = {
    "sum", true, 1, compile_sum, answer_sum};
