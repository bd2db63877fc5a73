/*
 * Fuzz target of the reader of tallies. The first byte chooses the query and
 * how the rest is read: as the answer of an engine, in which every byte 1
 * stands for the digest of the statement, or as lines "part,cell,decimal" of
 * dosi_table_query_add. A refusal has one line that shows nothing of what was
 * read and leaves every integer at zero; an accepted answer is read once, and
 * with other ends of lines it has the same integers.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "dosimeter/release.h"
#include "release/table/reader/compiled_query.h"
#include "support/statement_digest.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define MOST_LINES 12
#define MOST_BYTES 4096

static const struct query_case {
    const char *statistics[MOST_LINES], *settings[MOST_LINES];
} cases[] = {
    {{"count", "sum amount:0..1000", "histogram town", "users"},
        {"type amount:double", "categories town:bern,Z\303\274rich",
            "user uid", "max-rows 3", "order at", "max-cells 1",
            "max-per-cell 1", "not-private"}},
    {{"histogram town", "median age:0..120", "count-bad"},
        {"unknown-cells town", "type age:int64", "user uid", "max-cells 3",
            "max-per-cell 2", "order at", "max-rows 2", "not-private"}},
    {{"count", "mean amount:0..1000", "variance amount:0..1000"},
        {"by sex,age", "categories sex:f,m", "bins age:0..120:60",
            "type age:double", "type amount:double", "not-private"}},
};

static void require(bool condition)
{
    if (!condition)
        abort();
}

static size_t length_of(const char *const *lines)
{
    size_t n = 0;
    while (n < MOST_LINES && lines[n] != NULL)
        n++;
    return n;
}

/* The query, and the digest of its statement. */
static dosi_table_query *query_of(
    char digest[STATEMENT_DIGEST_BYTES], const struct query_case *c)
{
    dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
    dosi_table_query *query = NULL;
    char *text = NULL;
    options.settings = c->settings;
    options.n_settings = length_of(c->settings);
    require(dosi_table_query_new(&query, c->statistics,
                length_of(c->statistics), &options, NULL) == DOSI_OK);
    require(dosi_table_query_sql(&text, query, DOSI_SQL_DUCKDB, "visits",
                NULL) == DOSI_OK);
    statement_digest(digest, text);
    dosi_sql_free(text);
    return query;
}

/* Messages of tallies are fixed texts. */
static void check_refusal(dosi_status status, const dosi_error *err)
{
    static const char *const says[] = {"tally: a row is malformed",
        "tally: it answers another statement", "tally: it is incomplete",
        "tally: the query has no such part"};
    require(status == DOSI_EINVAL && strchr(err->message, '\n') == NULL);
    for (size_t i = 0; i < sizeof says / sizeof *says; i++)
        if (strncmp(err->message, says[i], strlen(says[i])) == 0)
            return;
    abort();
}

static void check_empty(dosi_table_query *query)
{
    const struct table_layout *layout = table_query_layout(query);
    const struct table_tally *tally = table_query_tally(query);
    for (size_t i = 0; i < layout->n_integers; i++)
        require(tally->integers[i] == 0);
    for (size_t i = 0; i < layout->n_unknown; i++)
        require(tally->unknown[i].n == 0);
}

static void check_equal(dosi_table_query *a, dosi_table_query *b)
{
    const struct table_layout *layout = table_query_layout(a);
    const struct table_tally *x = table_query_tally(a);
    const struct table_tally *y = table_query_tally(b);
    for (size_t i = 0; i < layout->n_integers; i++)
        require(x->integers[i] == y->integers[i]);
    for (size_t i = 0; i < layout->n_unknown; i++) {
        require(x->unknown[i].n == y->unknown[i].n);
        for (size_t j = 0; j < x->unknown[i].n; j++)
            require(x->unknown[i].cells[j].count ==
                y->unknown[i].cells[j].count);
    }
}

/* Writes the bytes with the digest for 1 and, if asked, CR before LF. */
static char *expand(size_t *n, const uint8_t *data, size_t size,
    const char *digest, bool has_returns)
{
    char *out = malloc(64 * size + 1);
    require(out != NULL);
    *n = 0;
    for (size_t i = 0; i < size; i++) {
        if (data[i] == 1) {
            memcpy(out + *n, digest, 64);
            *n += 64;
            continue;
        }
        if (data[i] == '\n' && has_returns)
            out[(*n)++] = '\r';
        out[(*n)++] = (char)data[i];
    }
    return out;
}

static dosi_status read_answer(dosi_table_query **query,
    const struct query_case *c, const uint8_t *data, size_t size,
    bool has_returns)
{
    char digest[STATEMENT_DIGEST_BYTES];
    size_t n;
    dosi_error err = {.status = DOSI_OK};
    *query = query_of(digest, c);
    char *text = expand(&n, data, size, digest, has_returns);
    dosi_status status = dosi_table_query_read_tally(*query, text, n, &err);
    if (status == DOSI_OK) {
        require(dosi_table_query_read_tally(*query, text, n, NULL) ==
            DOSI_EINVAL);
    } else {
        check_refusal(status, &err);
        check_empty(*query);
    }
    free(text);
    return status;
}

static void check_answer(
    const struct query_case *c, const uint8_t *data, size_t size)
{
    dosi_table_query *query, *other;
    dosi_status status = read_answer(&query, c, data, size, false);
    if (status == DOSI_OK && memchr(data, '\r', size) == NULL) {
        require(read_answer(&other, c, data, size, true) == DOSI_OK);
        check_equal(query, other);
        dosi_table_query_free(other);
    }
    dosi_table_query_free(query);
}

/* The text up to the next separator, with a NUL in its place; NULL behind the
 * last one. */
static char *cut(char **at, char separator)
{
    char *start = *at;
    char *end = start != NULL ? strchr(start, separator) : NULL;
    *at = end != NULL ? end + 1 : NULL;
    if (end != NULL)
        *end = '\0';
    return start;
}

static void check_additions(
    const struct query_case *c, const uint8_t *data, size_t size)
{
    char digest[STATEMENT_DIGEST_BYTES], text[MOST_BYTES + 1], *at = text;
    size_t n = size < MOST_BYTES ? size : MOST_BYTES;
    dosi_table_query *query = query_of(digest, c);
    memcpy(text, data, n);
    text[n] = '\0';
    for (char *line; (line = cut(&at, '\n')) != NULL;) {
        dosi_error err = {.status = DOSI_OK};
        const char *part = cut(&line, ','), *cell = cut(&line, ',');
        if (line == NULL)
            continue;
        dosi_status status = dosi_table_query_add(
            query, part, cell, strlen(cell), line, &err);
        if (status != DOSI_OK)
            check_refusal(status, &err);
    }
    dosi_table_query_free(query);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > MOST_BYTES)
        return 0;
    const struct query_case *c =
        &cases[data[0] / 2 % (sizeof cases / sizeof *cases)];
    if (data[0] % 2 == 0)
        check_answer(c, data + 1, size - 1);
    else
        check_additions(c, data + 1, size - 1);
    return 0;
}
