/*
 * A query from its texts to its answer while the n-th allocation fails, for
 * n = 1, 2, ... until all goes through: every failure is DOSI_ENOMEM, leaves
 * nothing behind and releases nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter/release.h"
#include "release/table/query/query_object.h"
#include "support/fail_alloc.h"
#include "support/statement_digest.h"

#define MOST 24

/* Plans, so that few questions are asked: none of the first. */
static const struct query_case {
    const char *statistics[MOST], *settings[MOST];
} cases[] = {
    {{"count", "users", "sum x:0..9.5", "sum y:0..10", "mean x:0..9.5",
         "variance x:0..9.5", "histogram s,x", "median y:0..10",
         "quantile y:0..10:1/4", "mode s", "count-bad"},
        {"categories s:a,\"b,c\"", "bins x:0..10:2.5", "user u",
            "max-rows 2", "order o", "user-bounds y:0..30", "where x >= 0",
            "where s != 'q'", "missing y:3", "type o:int64", "level 0.9",
            "plan group(2, discrete_laplace(3)) + discrete_laplace(3) + "
            "laplace(3) + laplace(3) + group(2, discrete_laplace(3)) + "
            "laplace(3) + group(2, discrete_laplace(3)) + laplace(3) + "
            "laplace(3) + group(2, discrete_laplace(3)) + exponential(0.1) + "
            "exponential(0.1) + exponential(0.1) + discrete_laplace(30)"}},
    {{"count", "sum x:0..9.5"},
        {"by s", "categories s:a,b", "epsilon 1", "weight count:2"}},
    {{"histogram t"},
        {"unknown-cells t", "user u", "order o", "max-cells t:2",
            "max-per-cell 1", "delta 1e-6",
            "plan (discrete_laplace(3) + approx(0, 1e-7)) * 2"}},
    {{"count"}, {"epsilon 1", "delta 1e-6", "noise gaussian"}},
};

static size_t length_of(const char *const *texts)
{
    size_t n = 0;
    while (n < MOST && texts[n] != NULL)
        n++;
    return n;
}

static const char data[] = "u,o,x,y,s,t\n"
                           "1,1,2,3,a,north\n"
                           "1,2,5.5,,\"b,c\",south\n"
                           "2,1,9,9,a,\n"
                           ",,,,,\n";

/* Another part of the table, with a person of the first and others. */
static const char more[] = "u,o,x,y,s,t\n"
                           "1,0,1,2,\"b,c\",a town with a longer name\n"
                           "somebody with a longer id,1,2,3,a,north\n"
                           "3,1,2,3,a,north";

/* Whether it went through. */
static bool use(const struct query_case *c)
{
    dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
    dosi_table_query *query = NULL, *part = NULL;
    dosi_release *release = NULL;
    dosi_error err = {.message = ""};
    char text[20000];
    size_t length = 0;
    options.settings = c->settings;
    options.n_settings = length_of(c->settings);
    dosi_status status = dosi_table_query_new(
        &query, c->statistics, length_of(c->statistics), &options, &err);
    assert_true((status == DOSI_OK) == (query != NULL));
    if (status == DOSI_OK)
        status = dosi_table_query_read_csv(query, data, strlen(data), &err);
    if (status == DOSI_OK)
        status = dosi_table_query_part(&part, query, &err);
    if (status == DOSI_OK)
        status = dosi_table_query_read_csv(part, more, strlen(more), &err);
    if (status == DOSI_OK)
        status = dosi_table_query_merge(query, part, &err);
    dosi_table_query_free(part);
    if (status == DOSI_OK)
        status = dosi_table_query_finish(&release, query, &err);
    assert_true((status == DOSI_OK) == (release != NULL));
    if (status == DOSI_OK)
        status = dosi_release_print(
            text, sizeof text, &length, release, DOSI_RELEASE_JSON, &err);
    if (status == DOSI_OK)
        status = dosi_table_query_print(
            text, sizeof text, &length, query, DOSI_RELEASE_TEXT, &err);
    dosi_release_free(release);
    dosi_table_query_free(query);
    if (status != DOSI_OK && status != DOSI_ENOMEM)
        fail_msg("%s", err.message);
    return status == DOSI_OK;
}

static void test_query(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool through = false;
        assert_true(use(&cases[i])); /* as it is, first */
        for (long at = 1; !through; at++) {
            long before = fail_live;
            fail_countdown = at;
            through = use(&cases[i]);
            fail_countdown = -1;
            assert_int_equal(fail_live, before);
        }
    }
}

/* ---- Tallies ------------------------------------------------------------- */

static const struct query_case tally_case = {
    {"count", "histogram t"},
    {"unknown-cells t", "user u", "order o", "max-cells t:2",
        "max-per-cell 1", "max-rows 1", "not-private"}};

/* The answer to the statement of a query: 20 towns of one row each. */
static void write_answer(char *out, size_t size, const char *statement)
{
    char digest[STATEMENT_DIGEST_BYTES];
    statement_digest(digest, statement);
    size_t n = (size_t)snprintf(out, size, "users,,20,22\n");
    for (int i = 0; i < 20; i++)
        n += (size_t)snprintf(out + n, size - n, "cells.1,%02x,1,22\n", 65 + i);
    (void)snprintf(out + n, size - n, "query,%s,,22\n", digest);
}

/* Memory runs out while a tally is read: read again, it counts once, with all
 * that is assumed of it. Twice would be twice the distance. */
static void test_tally(void **state)
{
    (void)state;
    for (long at = 1;; at++) {
        dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
        dosi_table_query *query = NULL;
        char *statement = NULL, answer[2000];
        options.settings = tally_case.settings;
        options.n_settings = length_of(tally_case.settings);
        assert_int_equal(dosi_table_query_new(&query, tally_case.statistics,
                             length_of(tally_case.statistics), &options, NULL),
            DOSI_OK);
        assert_int_equal(dosi_table_query_sql(&statement, query,
                             DOSI_SQL_DUCKDB, "visits", NULL),
            DOSI_OK);
        write_answer(answer, sizeof answer, statement);
        fail_countdown = at;
        dosi_status status = dosi_table_query_read_tally(
            query, answer, strlen(answer), NULL);
        bool is_over = fail_countdown > 0;
        fail_countdown = -1;
        assert_true((status == DOSI_OK) == is_over);
        if (!is_over)
            assert_int_equal(dosi_table_query_read_tally(
                                 query, answer, strlen(answer), NULL),
                DOSI_OK);
        const struct table_tally *tally = table_query_tally(query);
        assert_true(tally->integers[0] == 20);
        assert_int_equal(tally->unknown[0].n, 20);
        for (size_t i = 0; i < tally->unknown[0].n; i++)
            assert_true(tally->unknown[0].cells[i].count == 1);
        assert_true(query->n_assumptions >= 4);
        dosi_sql_free(statement);
        dosi_table_query_free(query);
        if (is_over) {
            assert_true(at > 10);
            return;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_query), cmocka_unit_test(test_tally)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
