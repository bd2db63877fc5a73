/*
 * The public face of queries: everything about a query is checked and priced
 * when it is made; then bytes come in, and the noise is drawn once.
 */
#include "release/table/reader/compiled_query.h"

#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "base/error.h"
#include "base/float_environment.h"
#include "budget.h"
#include "draw.h"
#include "layout_build.h"
#include "person_limits.h"
#include "query_object.h"
#include "report_print.h"
#include "statistics.h"

/* ---- Making ------------------------------------------------------------ */

/* The line with one blank after its word, and none at its ends. */
static char *normal_line(const char *line)
{
    const char *argument;
    line += strspn(line, " ");
    size_t n = settings_word(line, &argument), rest = strlen(argument);
    while (rest > 0 && argument[rest - 1] == ' ')
        rest--;
    char *out = malloc(n + rest + 2);
    if (out == NULL)
        return NULL;
    memcpy(out, line, n);
    if (rest > 0) {
        out[n++] = ' ';
        memcpy(out + n, argument, rest);
    }
    out[n + rest] = '\0';
    return out;
}

static dosi_status copy_lines(char ***out, size_t *n_out,
    const char *const *lines, size_t n, dosi_error *err)
{
    *out = calloc(n + 1, sizeof **out);
    if (*out == NULL)
        return dosi_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        (*out)[i] = normal_line(lines[i]);
        if ((*out)[i] == NULL)
            return dosi_fail_memory(err);
        ++*n_out;
    }
    return DOSI_OK;
}

/* Noise is that of another query with the same texts, if there is one. */
static dosi_status query_make(dosi_table_query *q,
    const char *const *statistics, size_t n,
    const dosi_table_options *options, const dosi_table_query *like,
    dosi_error *err)
{
    size_t n_settings = options != NULL ? options->n_settings : 0;
    dosi_status status = copy_lines(
        &q->lines.statistics, &q->lines.n_statistics, statistics, n, err);
    if (status == DOSI_OK)
        status = copy_lines(&q->lines.settings, &q->lines.n_settings,
            n_settings > 0 ? options->settings : NULL, n_settings, err);
    if (status == DOSI_OK)
        status = settings_read(&q->settings,
            (const char *const *)q->lines.settings, n_settings, err);
    if (status == DOSI_OK)
        status = limits_check(q, err);
    if (status == DOSI_OK)
        status = layout_start(q, err);
    if (status == DOSI_OK)
        status = statistics_compile(
            q, (const char *const *)q->lines.statistics, n, err);
    if (status == DOSI_OK)
        status = layout_check(q, err);
    if (status == DOSI_OK && !q->settings.is_not_private)
        status = like != NULL ? budget_copy(q, like, err) : budget_set(q, err);
    return status;
}

/* The options of the search, which may be older than this library. */
static void accounting_read(
    dosi_options *out, const dosi_table_options *options)
{
    const dosi_options *given = NULL;
    *out = (dosi_options)DOSI_OPTIONS_INIT;
    if (options != NULL && options->size >= sizeof *options)
        given = options->accounting;
    if (given == NULL)
        return;
    memcpy(out, given, given->size < sizeof *out ? given->size : sizeof *out);
    out->size = sizeof *out;
    out->width = 0;
}

static dosi_status query_new(dosi_table_query **out,
    const char *const *statistics, size_t n,
    const dosi_table_options *options, const dosi_table_query *like,
    dosi_error *err)
{
    *out = NULL;
    dosi_table_query *q = calloc(1, sizeof *q);
    if (q == NULL)
        return dosi_fail_memory(err);
    q->layout.user = TABLE_NONE;
    accounting_read(&q->accounting, options);
    dosi_status status = query_make(q, statistics, n, options, like, err);
    if (status == DOSI_OK)
        *out = q;
    else
        dosi_table_query_free(q);
    return status;
}

dosi_status dosi_table_query_new(dosi_table_query **out,
    const char *const *statistics, size_t n,
    const dosi_table_options *options, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    return query_new(out, statistics, n, options, NULL, err);
}

dosi_status dosi_table_query_part(dosi_table_query **out,
    const dosi_table_query *query, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    const struct table_lines *lines = &query->lines;
    dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
    options.settings = (const char *const *)lines->settings;
    options.n_settings = lines->n_settings;
    return query_new(out, (const char *const *)lines->statistics,
        lines->n_statistics, &options, query, err);
}

static void free_lines(char **lines, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(lines[i]);
    free(lines);
}

void dosi_table_query_free(dosi_table_query *q)
{
    if (q == NULL)
        return;
    table_reader_free(q->reader);
    if (q->has_tally)
        table_tally_free(&q->tally, &q->layout);
    statistics_free(q);
    layout_free(&q->layout);
    settings_free(&q->settings);
    dosi_plan_free(q->plan);
    free_lines(q->lines.statistics, q->lines.n_statistics);
    free_lines(q->lines.settings, q->lines.n_settings);
    text_list_free(q->assumptions, q->n_assumptions);
    free(q);
}

/* ---- What others see of it --------------------------------------------- */

const dosi_plan *dosi_table_query_plan(const dosi_table_query *q)
{
    return q->plan;
}

const struct table_layout *table_query_layout(const dosi_table_query *q)
{
    return &q->layout;
}

const struct table_lines *table_query_lines(const dosi_table_query *q)
{
    return &q->lines;
}

dosi_status table_query_assume(
    dosi_table_query *q, const char *sentence, dosi_error *err)
{
    char *copy = text_copy(sentence, strlen(sentence));
    void *more = copy == NULL ? NULL
                              : text_more(q->assumptions, q->n_assumptions,
                                    sizeof *q->assumptions);
    if (more == NULL) {
        free(copy);
        return dosi_fail_memory(err);
    }
    q->assumptions = more;
    q->assumptions[q->n_assumptions++] =
        (struct table_bytes){copy, strlen(copy)};
    return DOSI_OK;
}

/* ---- Data -------------------------------------------------------------- */

dosi_status query_open_reader(dosi_table_query *q, dosi_error *err)
{
    if (q->is_finished)
        return dosi_fail(err, DOSI_EINVAL, QUERY_FINISHED);
    if (q->has_tally)
        return dosi_fail(
            err, DOSI_EINVAL, "the query has a tally and reads no rows");
    if (q->reader != NULL)
        return DOSI_OK;
    dosi_status status = table_reader_new(&q->reader, &q->layout, err);
    if (status == DOSI_OK && q->settings.is_not_private)
        status = table_reader_watch(q->reader, err);
    return status;
}

struct table_reader *table_query_reader(dosi_table_query *q)
{
    return query_open_reader(q, NULL) == DOSI_OK ? q->reader : NULL;
}

struct table_tally *table_query_tally(dosi_table_query *q)
{
    if (q->is_finished || q->reader != NULL)
        return NULL;
    if (!q->has_tally)
        q->has_tally =
            table_tally_new(&q->tally, &q->layout, NULL) == DOSI_OK;
    return q->has_tally ? &q->tally : NULL;
}

dosi_status dosi_table_query_read_csv(
    dosi_table_query *q, const char *bytes, size_t n, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    dosi_status status = query_open_reader(q, err);
    if (status != DOSI_OK)
        return status;
    return table_reader_csv(q->reader, bytes, n, err);
}

/* ---- The end ----------------------------------------------------------- */

struct dosi_release {
    struct report_facts facts;
    struct answer_rows rows;
};

dosi_status query_close_reader(dosi_table_query *q, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    if (q->has_tally)
        return DOSI_OK;
    if (q->reader == NULL)
        status = query_open_reader(q, err);
    if (status == DOSI_OK)
        status = table_reader_finish(&q->tally, q->reader, err);
    q->has_tally = status == DOSI_OK;
    return status;
}

/* Facts come first: what may fail does so before the noise is drawn. */
static dosi_status release_make(
    dosi_release *r, dosi_table_query *q, dosi_error *err)
{
    struct answer_integers drawn = {0};
    dosi_status status = query_close_reader(q, err);
    if (status == DOSI_OK)
        status = report_facts_make(&r->facts, q, err);
    if (status == DOSI_OK)
        status = draw_all(&drawn, q, &q->tally, err);
    if (status != DOSI_OK)
        return status;
    for (size_t i = 0; i < q->n_statistics; i++) {
        const struct table_statistic *s = &q->statistics[i];
        s->row->answer(&r->rows, q, s, &drawn);
    }
    draw_free(&drawn, q);
    return r->rows.failed ? dosi_fail_memory(err) : DOSI_OK;
}

dosi_status dosi_table_query_finish(
    dosi_release **out, dosi_table_query *q, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    *out = NULL;
    if (q->is_finished)
        return dosi_fail(err, DOSI_EINVAL, QUERY_FINISHED);
    if (q->plan == NULL)
        return dosi_fail(err, DOSI_EINVAL,
            "a query that is not-private releases nothing");
    dosi_release *r = calloc(1, sizeof *r);
    if (r == NULL)
        return dosi_fail_memory(err);
    dosi_status status = release_make(r, q, err);
    q->is_finished = true;
    if (status == DOSI_OK)
        *out = r;
    else
        dosi_release_free(r);
    return status;
}

void dosi_release_free(dosi_release *r)
{
    if (r == NULL)
        return;
    report_facts_free(&r->facts);
    answer_rows_free(&r->rows);
    free(r);
}

/* ---- Answers ----------------------------------------------------------- */

size_t dosi_release_row_count(const dosi_release *r)
{
    return r->rows.n;
}

static const char *text_of(const dosi_release *r, size_t offset)
{
    return offset == ANSWER_NONE ? NULL : r->rows.text.text + offset;
}

dosi_release_row dosi_release_row_at(const dosi_release *r, size_t index)
{
    const struct answer_row *row = &r->rows.rows[index];
    return (dosi_release_row){text_of(r, row->name), text_of(r, row->cell),
        text_of(r, row->value), text_of(r, row->lower),
        text_of(r, row->upper), text_of(r, row->within)};
}

const dosi_plan *dosi_release_plan(const dosi_release *r)
{
    return r->facts.plan;
}

dosi_release_cost dosi_release_cost_of(const dosi_release *r)
{
    return (dosi_release_cost){
        r->facts.epsilon, r->facts.delta, r->facts.neighbours};
}

size_t dosi_release_assumption_count(const dosi_release *r)
{
    return r->facts.lists[FACT_ASSUMED].n;
}

const char *dosi_release_assumption_at(const dosi_release *r, size_t index)
{
    return r->facts.lists[FACT_ASSUMED].texts[index];
}

dosi_status dosi_release_print(char *text, size_t size, size_t *length,
    const dosi_release *r, dosi_release_form form, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    return report_print(text, size, length, &r->facts, &r->rows, form, err);
}

dosi_status dosi_table_query_print(char *text, size_t size, size_t *length,
    const dosi_table_query *q, dosi_release_form form, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    struct report_facts facts = {0};
    *length = 0;
    if (q->plan == NULL)
        return dosi_fail(
            err, DOSI_EINVAL, "a query that is not-private has no plan");
    dosi_status status = report_facts_make(&facts, q, err);
    if (status == DOSI_OK)
        status =
            report_print(text, size, length, &facts, NULL, form, err);
    report_facts_free(&facts);
    return status;
}
