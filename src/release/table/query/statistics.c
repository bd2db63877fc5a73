/*
 * The table of statistics, and the compilation of their texts to items of the
 * layout and leaves of the plan.
 */
#include "statistics.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "layout_build.h"
#include "person_limits.h"

static const struct statistic_row *const rows[] = {&statistic_count,
    &statistic_users, &statistic_sum, &statistic_mean, &statistic_variance,
    &statistic_histogram, &statistic_median, &statistic_quantile,
    &statistic_mode, &statistic_bad};

#define N_ROWS (sizeof rows / sizeof rows[0])

dosi_status statistic_name(struct table_statistic *s, const char *argument,
    const char *suffix, dosi_error *err)
{
    dosi_buffer name = {0};
    dosi_buffer_text(&name, s->row->name);
    if (argument != NULL) {
        dosi_buffer_text(&name, ".");
        dosi_buffer_text(&name, argument);
    }
    if (suffix != NULL) {
        dosi_buffer_text(&name, ".");
        dosi_buffer_text(&name, suffix);
    }
    if (name.failed) {
        dosi_buffer_free(&name);
        return dosi_fail_memory(err);
    }
    free(s->name);
    s->name = name.text;
    return DOSI_OK;
}

dosi_status statistic_part(struct table_statistic *s, dosi_table_query *q,
    struct table_item item, struct table_part part, dosi_error *err)
{
    dosi_status status = layout_item(&part.item, q, item, s->name, err);
    if (status == DOSI_OK)
        s->parts[s->n_parts++] = part;
    return status;
}

dosi_status statistic_value(struct table_statistic *s, dosi_table_query *q,
    const char *argument, const char **rest, dosi_error *err)
{
    struct value_bounds bounds = {.has_width = false};
    char *column;
    const char *at = argument;
    dosi_status status = text_name(&column, &at, ":", s->row->name, err);
    if (status != DOSI_OK)
        return status;
    status = statistic_name(s, column, NULL, err);
    if (status == DOSI_OK && *at != ':')
        status = dosi_fail(err, DOSI_EINVAL,
            "%s: must be followed by bounds, as in %s:LO..HI", s->name,
            column);
    if (status == DOSI_OK) {
        at++;
        status = text_range(&bounds.lo, &bounds.hi, &at, s->name, err);
    }
    if (status == DOSI_OK && rest == NULL && *at != '\0')
        status = text_refuse(err, s->name, "C:LO..HI", argument);
    if (status == DOSI_OK)
        status = layout_value(&s->value, q, column, &bounds, s->name, err);
    free(column);
    if (status != DOSI_OK)
        return status;
    s->lo = q->layout.values[s->value].lo;
    s->hi = q->layout.values[s->value].hi;
    if (rest != NULL)
        *rest = at;
    return DOSI_OK;
}

dosi_status statistic_cells(size_t cells[2], dosi_table_query *q,
    const struct table_bytes *columns, size_t n, const char *what,
    dosi_error *err)
{
    if (n > 2)
        return dosi_fail(err, DOSI_EINVAL,
            "%s: must be of one or two columns, got %zu", what, n);
    if (n == 2 && strcmp(columns[0].bytes, columns[1].bytes) == 0)
        return dosi_fail(
            err, DOSI_EINVAL, "%s: must be of two different columns", what);
    for (size_t i = 0; i < n; i++) {
        dosi_status status =
            layout_cells(&cells[i], q, columns[i].bytes, what, err);
        if (status != DOSI_OK)
            return status;
    }
    return DOSI_OK;
}

/* ---- All of them ------------------------------------------------------- */

static dosi_status find_row(
    const struct statistic_row **out, const char *text, dosi_error *err)
{
    const char *argument;
    size_t n = settings_word(text, &argument);
    for (size_t i = 0; i < N_ROWS; i++) {
        const char *name = rows[i]->name;
        if (strlen(name) != n || memcmp(name, text, n) != 0)
            continue;
        if (rows[i]->takes && *argument == '\0')
            return dosi_fail(err, DOSI_EINVAL, "%s: needs a column", name);
        if (!rows[i]->takes && *argument != '\0')
            return dosi_fail(err, DOSI_EINVAL,
                "%s takes no value, got \"%.100s\"", name, argument);
        *out = rows[i];
        return DOSI_OK;
    }
    return dosi_fail(
        err, DOSI_EINVAL, "there is no statistic \"%.*s\"", (int)n, text);
}

static dosi_status compile_one(struct table_statistic *s, dosi_table_query *q,
    const char *text, dosi_error *err)
{
    const char *argument;
    *s = (struct table_statistic){
        .value = TABLE_NONE, .rules = {TABLE_NONE, TABLE_NONE}};
    dosi_status status = find_row(&s->row, text, err);
    if (status != DOSI_OK || s->row == NULL)
        return status;
    status = statistic_name(s, NULL, NULL, err);
    if (status != DOSI_OK)
        return status;
    settings_word(text, &argument);
    return s->row->compile(s, q, argument, err);
}

static dosi_status check_twice(
    const dosi_table_query *q, const char *name, dosi_error *err)
{
    for (size_t i = 0; i + 1 < q->n_statistics && name != NULL; i++)
        if (q->statistics[i].name != NULL &&
            strcmp(q->statistics[i].name, name) == 0)
            return dosi_fail(
                err, DOSI_EINVAL, "%.150s is given twice", name);
    return DOSI_OK;
}

/* --by: the cells of every count, sum, mean and variance. */
static dosi_status compile_by(dosi_table_query *q, dosi_error *err)
{
    const struct table_settings *s = &q->settings;
    dosi_status status =
        statistic_cells(q->rules, q, s->by, s->n_by, "by", err);
    for (size_t i = 0; i < s->n_by && status == DOSI_OK; i++)
        if (q->layout.rules[q->rules[i]].kind == TABLE_UNKNOWN)
            return dosi_fail(err, DOSI_EINVAL,
                "by: cells must be declared by categories or bins, but %.100s "
                "has unknown ones",
                s->by[i].bytes);
    return status;
}

dosi_status statistics_compile(dosi_table_query *q, const char *const *texts,
    size_t n, dosi_error *err)
{
    if (n == 0)
        return dosi_fail(
            err, DOSI_EINVAL, "no statistic is asked for, such as count");
    q->rows_of_person = q->settings.user != NULL && q->settings.max_rows > 0
                            ? q->settings.max_rows
                            : 1;
    q->rules[0] = q->rules[1] = TABLE_NONE;
    q->statistics = calloc(n, sizeof *q->statistics);
    if (q->statistics == NULL)
        return dosi_fail_memory(err);
    dosi_status status = compile_by(q, err);
    for (size_t i = 0; i < n && status == DOSI_OK; i++) {
        q->n_statistics++;
        status = compile_one(&q->statistics[i], q, texts[i], err);
        if (status == DOSI_OK)
            status = check_twice(q, q->statistics[i].name, err);
    }
    if (status == DOSI_OK)
        status = limits_used(q, err);
    return status;
}

void statistics_free(dosi_table_query *q)
{
    for (size_t i = 0; i < q->n_statistics; i++) {
        struct table_statistic *s = &q->statistics[i];
        free(s->name);
        for (size_t j = 0; j < s->n_parts; j++)
            dosi_noise_free(s->parts[j].noise);
    }
    free(q->statistics);
    q->statistics = NULL;
    q->n_statistics = 0;
}
