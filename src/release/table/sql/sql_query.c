/*
 * Queries by SQL: the statement of a query, the query of a statement, and
 * the tally that an engine gives. docs/theory/release_engines.md.
 */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/float_environment.h"
#include "release/table/query/query_object.h"
#include "sql_origin.h"
#include "sql_self_test.h"
#include "tally_read.h"

_Static_assert(sizeof((dosi_table_query *)NULL)->statement >=
                   SQL_DIGEST_BYTES,
    "a query keeps the digest of its statement");

const char *dosi_sql_name(dosi_dialect dialect)
{
    const struct sql_dialect *d = sql_dialect_at(dialect);
    return d != NULL ? d->name : NULL;
}

const char *dosi_sql_settings(dosi_dialect dialect)
{
    const struct sql_dialect *d = sql_dialect_at(dialect);
    return d != NULL ? d->settings : NULL;
}

void dosi_sql_free(char *text)
{
    free(text);
}

/* ---- Statements ---- */

static dosi_status statement_of(dosi_buffer *out,
    char digest[SQL_DIGEST_BYTES], const dosi_table_query *q,
    const struct sql_dialect *d, const char *table, dosi_error *err)
{
    dosi_buffer line = {0};
    dosi_status status =
        sql_origin_write(&line, table_query_lines(q), d->name, table, err);
    if (status == DOSI_OK) {
        struct sql_source source = {
            .dialect = d, .table = table, .origin = line.text, .prelude = ""};
        status =
            sql_statement(out, digest, table_query_layout(q), &source, err);
    }
    dosi_buffer_free(&line);
    return status;
}

dosi_status dosi_table_query_sql(char **text, dosi_table_query *q,
    dosi_dialect dialect, const char *table, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    const struct sql_dialect *d = sql_dialect_at(dialect);
    dosi_buffer out = {0};
    *text = NULL;
    if (d == NULL)
        return dosi_fail(err, DOSI_EINVAL, "sql: there is no such dialect");
    dosi_status status = statement_of(&out, q->statement, q, d, table, err);
    if (status != DOSI_OK) {
        q->statement[0] = '\0';
        dosi_buffer_free(&out);
        return status;
    }
    *text = out.text;
    return DOSI_OK;
}

/* The beginning of the statement in a file: after the settings of its dialect,
 * if they are there. NULL if there is none. */
static const char *statement_begin(
    const struct sql_dialect **d, const char *text, size_t n)
{
    size_t n_mark = strlen(SQL_FIRST_LINE);
    for (int i = 0; (*d = sql_dialect_at((dosi_dialect)i)) != NULL; i++) {
        size_t n_settings = strlen((*d)->settings);
        size_t skip = n_settings > 0 ? n_settings + 2 : 0; /* ";\n" */
        if (n < skip + n_mark || (skip > 0 && (memcmp(text, (*d)->settings,
                                                   n_settings) != 0 ||
                                                  memcmp(text + n_settings,
                                                      ";\n", 2) != 0)))
            continue;
        if (memcmp(text + skip, SQL_FIRST_LINE, n_mark) == 0)
            return text + skip;
    }
    return NULL;
}

/* Behind a statement there may be a semicolon and blanks. */
static bool is_statement(
    const dosi_buffer *statement, const char *text, size_t n)
{
    size_t at = statement->length;
    if (n < at || memcmp(text, statement->text, at) != 0)
        return false;
    if (at < n && text[at] == ';')
        at++;
    while (at < n && (text[at] == '\n' || text[at] == '\r' || text[at] == ' '))
        at++;
    return at == n;
}

static dosi_status query_of(dosi_table_query **out,
    const struct sql_origin *origin, const dosi_options *accounting,
    dosi_error *err)
{
    dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
    const struct table_lines *lines = &origin->lines;
    options.settings = (const char *const *)lines->settings;
    options.n_settings = lines->n_settings;
    options.accounting = accounting;
    return dosi_table_query_new(out, (const char *const *)lines->statistics,
        lines->n_statistics, &options, err);
}

/* The query printed again must be the text, or its integers mean something
 * else than the query says. */
static dosi_status check_statement(dosi_table_query *q,
    const struct sql_origin *origin, const char *text, size_t n,
    dosi_error *err)
{
    const struct sql_dialect *d = NULL;
    dosi_buffer again = {0};
    for (int i = 0; (d = sql_dialect_at((dosi_dialect)i)) != NULL; i++)
        if (strcmp(d->name, origin->dialect) == 0)
            break;
    if (d == NULL)
        return dosi_fail(
            err, DOSI_EINVAL, "statement: there is no such dialect");
    dosi_status status =
        statement_of(&again, q->statement, q, d, origin->table, err);
    if (status == DOSI_OK && !is_statement(&again, text, n))
        status = dosi_fail(err, DOSI_EINVAL,
            "statement: this version prints something else for its first line; "
            "it was changed, or another version printed it");
    dosi_buffer_free(&again);
    return status;
}

dosi_status dosi_table_query_from_sql(
    dosi_table_query **out, const char *text, size_t n,
    const dosi_options *accounting, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    const struct sql_dialect *d;
    struct sql_origin origin;
    dosi_table_query *q = NULL;
    *out = NULL;
    const char *begin = n > 0 ? statement_begin(&d, text, n) : NULL;
    if (begin == NULL)
        return dosi_fail(err, DOSI_ESYNTAX,
            "statement: it does not begin as one that --sql printed");
    size_t rest = n - (size_t)(begin - text), n_mark = strlen(SQL_FIRST_LINE);
    const char *end = memchr(begin, '\n', rest);
    size_t n_line = end != NULL ? (size_t)(end - begin) : rest;
    dosi_status status =
        sql_origin_read(&origin, begin + n_mark, n_line - n_mark, err);
    if (status != DOSI_OK)
        return status;
    status = query_of(&q, &origin, accounting, err);
    if (status == DOSI_OK)
        status = check_statement(q, &origin, begin, rest, err);
    sql_origin_free(&origin);
    if (status != DOSI_OK) {
        dosi_table_query_free(q);
        return status;
    }
    *out = q;
    return DOSI_OK;
}

/* ---- Tallies ---- */

static const char *const assumptions[] = {
    "the table is a union of people: no person's rows depend on another's",
    "the engine computed what the statement says; it passed --self-test-sql",
    "text columns are valid UTF-8, and types are as --type declares them",
    "whoever sees the tally, the engine's time or its errors is a curator",
};

/* The tally of the query; the first time with what is assumed of it. */
static dosi_status open_tally(
    struct table_tally **out, dosi_table_query *q, dosi_error *err)
{
    bool is_new = !q->has_tally;
    size_t n = sizeof assumptions / sizeof *assumptions;
    dosi_status status = DOSI_OK;
    *out = table_query_tally(q);
    if (*out == NULL)
        return dosi_fail(err, DOSI_EINVAL,
            "tally: the query has read rows, or is finished, or there is no "
            "memory");
    for (size_t i = 0; status == DOSI_OK && is_new && i < n; i++)
        status = table_query_assume(q, assumptions[i], err);
    if (status != DOSI_OK) { /* or the next call would assume nothing */
        table_tally_free(&q->tally, &q->layout);
        q->has_tally = false;
    }
    return status;
}

dosi_status dosi_table_query_read_tally(
    dosi_table_query *q, const char *bytes, size_t n, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    struct tally_reader *reader = NULL;
    struct table_tally *tally, answer = {NULL, NULL};
    if (q->statement[0] == '\0')
        return dosi_fail(err, DOSI_EINVAL,
            "tally: the query has no statement that is still unanswered");
    dosi_status status = open_tally(&tally, q, err);
    if (status == DOSI_OK)
        status = tally_reader_new(&reader, &q->layout, err);
    if (status == DOSI_OK)
        status = table_tally_new(&answer, &q->layout, err);
    if (status == DOSI_OK)
        status = tally_read(&answer, reader, q->statement, bytes, n, err);
    /* All of it or nothing: a part would be counted again with the next try. */
    if (status == DOSI_OK)
        status = table_tally_add(tally, &answer, &q->layout, err);
    table_tally_free(&answer, &q->layout);
    tally_reader_free(reader);
    /* Twice the same people would be twice the distance. */
    if (status == DOSI_OK)
        q->statement[0] = '\0';
    return status;
}

dosi_status dosi_table_query_add(dosi_table_query *q, const char *part,
    const void *cell, size_t cell_size, const char *decimal, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    struct tally_reader *reader = NULL;
    struct table_tally *tally;
    struct table_bytes name = {cell_size > 0 ? cell : "", cell_size};
    if (query_is_filtered(q))
        return dosi_fail(err, DOSI_EINVAL,
            "tally: with min-count an engine's answer is read as a whole");
    dosi_status status = open_tally(&tally, q, err);
    if (status == DOSI_OK)
        status = tally_reader_new(&reader, table_query_layout(q), err);
    if (status == DOSI_OK)
        status = tally_add(tally, reader, part, name, decimal, err);
    tally_reader_free(reader);
    return status;
}

/* ---- The admission test of an engine ---- */

dosi_status dosi_sql_self_test(
    char **text, dosi_dialect dialect, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    const struct sql_dialect *d = sql_dialect_at(dialect);
    char digest[SQL_DIGEST_BYTES];
    dosi_buffer out = {0};
    *text = NULL;
    if (d == NULL)
        return dosi_fail(err, DOSI_EINVAL, "sql: there is no such dialect");
    dosi_status status = sql_self_test(&out, digest, d, err);
    if (status != DOSI_OK) {
        dosi_buffer_free(&out);
        return status;
    }
    *text = out.text;
    return DOSI_OK;
}

dosi_status dosi_sql_self_check(dosi_dialect dialect, const char *answer,
    size_t n, dosi_error *err)
{
    FLOAT_ENVIRONMENT_DEFAULT;
    const struct sql_dialect *d = sql_dialect_at(dialect);
    if (d == NULL)
        return dosi_fail(err, DOSI_EINVAL, "sql: there is no such dialect");
    return sql_self_check(d, answer, n, err);
}
