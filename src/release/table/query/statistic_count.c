/* Numbers of rows, of people, and of bad records. */
#include "statistics.h"

#include "base/error.h"
#include "person_limits.h"

/* The integers of a part, as counts. */
static void answer_count(struct answer_rows *rows, const dosi_table_query *q,
    const struct table_statistic *s, const struct answer_integers *noisy)
{
    struct exact_grid one = exact_grid_of_places(0);
    answer_part(rows, q, s, 0, "", &one, noisy);
}

/* The columns of --by as one text, which --max-cells may name. */
static dosi_status by_columns(
    dosi_buffer *out, const dosi_table_query *q, dosi_error *err)
{
    for (size_t i = 0; i < q->settings.n_by; i++) {
        dosi_buffer_text(out, i > 0 ? "," : "");
        dosi_buffer_text(out, q->settings.by[i].bytes);
    }
    return out->failed ? dosi_fail_memory(err) : DOSI_OK;
}

static dosi_status compile_in_cells(
    struct table_statistic *s, dosi_table_query *q, dosi_error *err)
{
    dosi_buffer columns = {0};
    bool by_cells = false;
    int64_t l = 0, m = 0;
    dosi_status status = by_columns(&columns, q, err);
    if (status == DOSI_OK)
        status = limits_cells(
            &by_cells, &l, &m, q, columns.text, s->name, err);
    dosi_buffer_free(&columns);
    if (status == DOSI_OK && !by_cells)
        status = limits_rows(q, true, s->name, err);
    if (status != DOSI_OK)
        return status;
    struct table_item item = {
        .limit = by_cells ? TABLE_BY_CELLS : TABLE_BY_ROWS,
        .term = TABLE_ONE,
        .value = TABLE_NONE,
        .rules = {q->rules[0], q->rules[1]},
        .max_cells = l,
        .max_per_cell = m};
    struct table_part part = {.leaf = LEAF_COUNT,
        .label = "",
        .distance = (uint128)(by_cells ? m : q->rows_of_person),
        .copies = distance_copies(q->settings.neighbours, by_cells ? l : 1),
        .share = 20};
    return statistic_part(s, q, item, part, err);
}

static dosi_status compile_plain(struct table_statistic *s,
    dosi_table_query *q, enum table_limit limit, enum table_term term,
    int64_t distance, dosi_error *err)
{
    struct table_item item = {.limit = limit,
        .term = term,
        .value = TABLE_NONE,
        .rules = {TABLE_NONE, TABLE_NONE}};
    struct table_part part = {.leaf = LEAF_COUNT,
        .label = "",
        .distance = (uint128)distance,
        .copies = 1,
        .share = 20};
    return statistic_part(s, q, item, part, err);
}

static dosi_status compile_count(struct table_statistic *s,
    dosi_table_query *q, const char *argument, dosi_error *err)
{
    (void)argument;
    if (q->rules[0] != TABLE_NONE)
        return compile_in_cells(s, q, err);
    dosi_status status = limits_rows(q, false, s->name, err);
    if (status != DOSI_OK)
        return status;
    return compile_plain(
        s, q, TABLE_BY_ROWS, TABLE_ONE, q->rows_of_person, err);
}

static dosi_status compile_users(struct table_statistic *s,
    dosi_table_query *q, const char *argument, dosi_error *err)
{
    (void)argument;
    if (q->settings.user == NULL)
        return dosi_fail(err, DOSI_EINVAL,
            "users: needs user C; without it every row is a person, and "
            "count counts them");
    return compile_plain(s, q, TABLE_BY_PERSON, TABLE_ONE, 1, err);
}

static dosi_status compile_bad(struct table_statistic *s, dosi_table_query *q,
    const char *argument, dosi_error *err)
{
    (void)argument;
    return compile_plain(s, q, TABLE_BY_PERSON, TABLE_BAD, 1, err);
}

const struct statistic_row statistic_count = {
    "count", false, 1, compile_count, answer_count};
const struct statistic_row statistic_users = {
    "users", false, 1, compile_users, answer_count};
const struct statistic_row statistic_bad = {
    "count-bad", false, 0.1, compile_bad, answer_count};
