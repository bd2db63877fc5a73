/*
 * Queries by SQL: the statement is a fixed text for each dialect (golden
 * files in data/sql), reads back as its query and nothing else does, refuses
 * what engines cannot do alike, and holds no foreign text unquoted. Tallies
 * that are cut, changed or of another statement are refused without a word
 * about the data. DOSI_WRITE_GOLDEN=1 writes the files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter/release.h"
#include "release/table/reader/compiled_query.h"
#include "support/statement_digest.h"

#define MOST_LINES 16

struct query_case {
    const char *name;
    const char *statistics[MOST_LINES];
    const char *settings[MOST_LINES];
};

static const struct query_case cases[] = {
    {"sums", {"count", "sum amount:0..1000", "sum level:-40..40", "users",
                 "mean price:-50..50", "variance big:-1000000..1000000",
                 "count-bad"},
        {"grid amount:0.01", "grid price:0.05", "type amount:double",
            "type level:int64", "grid level:5", "type price:decimal(12,2)",
            "type big:int64", "user uid", "max-rows 3", "order at,seq",
            "type seq:text", "not-private"}},
    {"cells", {"histogram town", "histogram sex,age", "mode sex", "count"},
        {"unknown-cells town", "categories sex:f,m", "bins age:0..120:10",
            "type age:int64", "user uid", "max-cells 3", "max-per-cell 2",
            "order at", "max-rows 2", "not-private"}},
    {"least", {"histogram town", "histogram sex", "mode sex"},
        {"unknown-cells town", "categories sex:f,m", "user uid",
            "max-cells 3", "max-per-cell 2", "min-count town:20", "order at",
            "not-private"}},
    {"least-rows", {"histogram town", "count", "histogram street"},
        {"unknown-cells town", "unknown-cells street", "min-count town:20",
            "not-private"}},
    {"by", {"count", "mean amount:0..1000", "sum weight:0..3000"},
        {"by sex,age", "categories sex:f,m", "bins age:0..120:60",
            "type age:double", "type amount:double", "type weight:double",
            "grid weight:1000", "missing amount:7", "not-private"}},
    {"levels", {"median age:0..120", "quantile age:0..120:1/4"},
        {"type age:int64", "where age >= 17.5", "where sex != 'f'",
            "where pay < 0.285", "type pay:double", "where fee <= -1.005",
            "type fee:decimal(20,2)", "type raw:binary", "where raw > 'x'",
            "user id", "type id:int64", "max-rows 1", "order raw",
            "not-private"}},
    {"total", {"sum amount:0..1000", "users", "count"},
        {"type amount:double", "user uid", "type uid:binary",
            "user-bounds amount:0..3000", "max-rows 5", "not-private"}},
    {"names", {"sum \"a \"\"b\"\" `c` 'd'\":0..1", "histogram t--*/",
                  "histogram town"},
        {"type \"a \"\"b\"\" `c` 'd'\":double", "categories t--*/:x,\"y\n;--\"",
            "where t--*/ = 'it''s; DROP TABLE x --'",
            "categories town:$\\,''';", "not-private"}},
};

static size_t length_of(const char *const *lines)
{
    size_t n = 0;
    while (n < MOST_LINES && lines[n] != NULL)
        n++;
    return n;
}

static dosi_table_query *query_of(const struct query_case *c)
{
    dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
    dosi_table_query *query = NULL;
    dosi_error err = {0};
    options.settings = c->settings;
    options.n_settings = length_of(c->settings);
    if (dosi_table_query_new(&query, c->statistics, length_of(c->statistics),
            &options, &err) != DOSI_OK)
        print_message("%s: %s\n", c->name, err.message);
    assert_non_null(query);
    return query;
}

/* Not inlined: gcc 12 would warn of a pointer to `text` that does not exist. */
__attribute__((noinline)) static char *statement_of(
    dosi_table_query *query, dosi_dialect dialect, const char *table)
{
    char *text = NULL;
    dosi_error err = {0};
    if (dosi_table_query_sql(&text, query, dialect, table, &err) != DOSI_OK)
        print_message("%s\n", err.message);
    assert_non_null(text);
    return text;
}

/* ---- Golden files ---- */

static void compare_golden(const char *name, const char *text)
{
    static char golden[1 << 18];
    char path[512];
    snprintf(path, sizeof path, "%s/data/sql/%s", DOSI_TEST_DATA, name);
    FILE *file = fopen(path, getenv("DOSI_WRITE_GOLDEN") ? "w+" : "r");
    assert_non_null(file);
    if (getenv("DOSI_WRITE_GOLDEN")) {
        fprintf(file, "%s\n", text);
        rewind(file);
    }
    size_t n = fread(golden, 1, sizeof golden - 1, file);
    fclose(file);
    golden[n] = '\0';
    assert_true(n > 0 && golden[n - 1] == '\n');
    golden[n - 1] = '\0';
    assert_string_equal(text, golden);
}

static void golden_statements(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int d = 0; dosi_sql_name((dosi_dialect)d) != NULL; d++) {
            char name[128];
            if (strcmp(cases[i].name, "names") == 0 && d == DOSI_SQL_GENERIC)
                continue; /* it has no safe way to write that text */
            dosi_table_query *query = query_of(&cases[i]);
            char *text = statement_of(query, (dosi_dialect)d, "public.visits");
            snprintf(name, sizeof name, "%s.%s.sql", cases[i].name,
                dosi_sql_name((dosi_dialect)d));
            compare_golden(name, text);
            dosi_sql_free(text);
            dosi_table_query_free(query);
        }
    for (int d = 0; dosi_sql_name((dosi_dialect)d) != NULL; d++) {
        char name[128];
        char *text;
        assert_int_equal(
            dosi_sql_self_test(&text, (dosi_dialect)d, NULL), DOSI_OK);
        snprintf(name, sizeof name, "self-test.%s.sql",
            dosi_sql_name((dosi_dialect)d));
        compare_golden(name, text);
        dosi_sql_free(text);
    }
}

/* ---- Foreign text ---- */

/* What is left of a statement without its first line, quoted names and
 * quoted texts: nothing of the caller's may be there. */
static void strip_quoted(char *out, const char *text, char quote)
{
    const char *s = strchr(text, '\n');
    assert_non_null(s);
    for (; *s != '\0'; s++) {
        if (*s == quote || *s == '\'') {
            char end = *s;
            for (s++; *s != end || s[1] == end; s++) {
                assert_int_not_equal(*s, '\0');
                s += *s == end;
            }
        } else {
            *out++ = *s;
        }
    }
    *out = '\0';
}

static void foreign_text_is_quoted(void **state)
{
    (void)state;
    const struct query_case *c = &cases[sizeof cases / sizeof *cases - 1];
    for (int d = 0; d < DOSI_SQL_GENERIC; d++) {
        dosi_table_query *query = query_of(c);
        char *text = statement_of(query, (dosi_dialect)d,
            "public.\"x\"\"; DROP TABLE y --\"");
        char *bare = malloc(strlen(text) + 1);
        assert_non_null(bare);
        strip_quoted(bare, text, d == DOSI_SQL_SPARK ? '`' : '"');
        assert_null(strstr(bare, "DROP"));
        assert_null(strstr(bare, "--"));
        assert_null(strstr(bare, "*/"));
        assert_null(strchr(bare, ';'));
        assert_null(strchr(bare, '\\'));
        assert_null(strchr(bare, '$'));
        /* the first line is one line, and no variable of Spark's */
        assert_null(strstr(text, "${"));
        assert_true(strncmp(text, "-- dosimeter 1 {", 16) == 0);
        assert_non_null(strstr(text, "}\nWITH a AS ("));
        free(bare);
        dosi_sql_free(text);
        dosi_table_query_free(query);
    }
}

/* ---- Refusals ---- */

static void refused(const struct query_case *c, dosi_dialect dialect,
    const char *table, const char *why)
{
    char *text;
    dosi_error err = {0};
    dosi_table_query *query = query_of(c);
    dosi_status status =
        dosi_table_query_sql(&text, query, dialect, table, &err);
    if (strstr(err.message, why) == NULL)
        print_message("%s: %s\n", c->name, err.message);
    assert_int_equal(status, DOSI_EINVAL);
    assert_null(text);
    assert_non_null(strstr(err.message, why));
    dosi_table_query_free(query);
}

static void refusals(void **state)
{
    (void)state;
    static const struct query_case undeclared = {
        "undeclared", {"sum amount:0..1"}, {"not-private"}};
    static const struct query_case file_order = {"file-order",
        {"sum amount:0..1"}, {"not-private", "user id", "max-rows 2",
                                 "file-order", "type amount:double"}};
    static const struct query_case wide = {"wide",
        {"sum n:-4000000000000000000..4000000000000000000"},
        {"not-private", "type n:int64", "grid n:2"}};
    static const struct query_case number = {"where number",
        {"count"}, {"not-private", "where age > 3"}};
    static const struct query_case cells = {"double cells",
        {"histogram x"}, {"not-private", "categories x:1,2", "type x:double"}};
    static const struct query_case places = {"places",
        {"sum x:0..1"},
        {"not-private", "grid x:0.125", "type x:decimal(10,1)"}};
    static const struct query_case text = {"generic text",
        {"count"}, {"not-private", "where t = 'a\\b'"}};
    static const struct query_case good = {
        "good", {"count"}, {"not-private"}};
    refused(&undeclared, DOSI_SQL_DUCKDB, "t", "--type");
    refused(&file_order, DOSI_SQL_DUCKDB, "t", "--file-order");
    refused(&wide, DOSI_SQL_DUCKDB, "t", "64-bit");
    refused(&number, DOSI_SQL_DUCKDB, "t", "--type");
    refused(&cells, DOSI_SQL_DUCKDB, "t", "texts, bytes or integers");
    refused(&places, DOSI_SQL_DUCKDB, "t", "decimal place");
    refused(&text, DOSI_SQL_GENERIC, "t", "generic");
    refused(&good, DOSI_SQL_POSTGRES, "visits", "schema");
    refused(&good, DOSI_SQL_DUCKDB, "a", "own rows");
    refused(&good, DOSI_SQL_SPARK, "s.${spark.home}", "${");
    static const char *const tables[] = {"", ".", "a.", ".a", "\"a", "a\"b",
        "\"a\"b", "\"\"", "a..b", "a.b.c.d.e"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        refused(&good, DOSI_SQL_DUCKDB, tables[i], "the table must be");
    refused(&good, (dosi_dialect)17, "t", "dialect");
}

/* ---- Statements as files ---- */

static void statements_read_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int d = 0; d < DOSI_SQL_GENERIC; d++) {
            dosi_table_query *query = query_of(&cases[i]), *again = NULL;
            char *text = statement_of(query, (dosi_dialect)d, "s.\"t\"\"\"");
            const char *settings = dosi_sql_settings((dosi_dialect)d);
            size_t n = strlen(text) + strlen(settings) + 8;
            char *file = malloc(n);
            assert_non_null(file);
            snprintf(file, n, "%s%s%s;\n", settings,
                *settings != '\0' ? ";\n" : "", text);
            dosi_error err = {0};
            dosi_status status = dosi_table_query_from_sql(
                &again, file, strlen(file), NULL, &err);
            if (status != DOSI_OK)
                print_message("%s: %s\n", cases[i].name, err.message);
            assert_int_equal(status, DOSI_OK);
            dosi_table_query_free(again);
            /* every changed byte is found */
            for (size_t at = 5; at + 2 < strlen(file);
                 at += strlen(file) / 9) {
                file[at] ^= 1;
                assert_int_not_equal(dosi_table_query_from_sql(&again, file,
                                         strlen(file), NULL, &err),
                    DOSI_OK);
                assert_null(again);
                file[at] ^= 1;
            }
            assert_int_not_equal(
                dosi_table_query_from_sql(&again, file, n / 2, NULL, &err),
                DOSI_OK);
            free(file);
            dosi_sql_free(text);
            dosi_table_query_free(query);
        }
    }
}

/* ---- Tallies ---- */

static const struct query_case tally_case = {"tally",
    {"count", "sum amount:0..1000", "histogram town", "users"},
    {"type amount:double", "categories town:bern,Z\303\274rich",
        "user uid", "max-rows 3", "order at", "max-cells 1",
        "max-per-cell 1", "epsilon 1"}};

/* An answer with the digest of the statement. %s: digest */
static const char answer[] = "part,cell,n0,n1,total\n"
                             "rows,,12,3400,5\n"
                             "users,,7,,5\n"
                             "cells.2,5AC3BC72696368,4,,5\n"
                             "cells.2,6c79f46e,1,,5\n"
                             "query,%s,,,5\n";

static dosi_status read_answer(struct table_tally **tally,
    dosi_table_query **query, const char *format, dosi_error *err)
{
    char text[2048], digest[STATEMENT_DIGEST_BYTES];
    *query = query_of(&tally_case);
    char *statement = statement_of(*query, DOSI_SQL_DUCKDB, "visits");
    statement_digest(digest, statement);
    dosi_sql_free(statement);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(text, sizeof text, format, digest);
#pragma GCC diagnostic pop
    dosi_status status =
        dosi_table_query_read_tally(*query, text, strlen(text), err);
    *tally = status == DOSI_OK ? table_query_tally(*query) : NULL;
    /* the same people twice would be twice the distance */
    if (status == DOSI_OK)
        assert_int_equal(
            dosi_table_query_read_tally(*query, text, strlen(text), NULL),
            DOSI_EINVAL);
    return status;
}

static int64_t integer(
    const dosi_table_query *query, const struct table_tally *tally,
    size_t item, size_t cell)
{
    const struct table_layout *layout = table_query_layout(query);
    return (int64_t)tally->integers[layout->items[item].first + cell];
}

static void tallies_are_read(void **state)
{
    (void)state;
    struct table_tally *tally;
    dosi_table_query *query;
    dosi_error err = {0};
    dosi_release *release = NULL;
    dosi_status status = read_answer(&tally, &query, answer, &err);
    if (status != DOSI_OK)
        print_message("%s\n", err.message);
    assert_int_equal(status, DOSI_OK);
    assert_int_equal(integer(query, tally, 0, 0), 12);
    assert_int_equal(integer(query, tally, 1, 0), 3400);
    assert_int_equal(integer(query, tally, 2, 0), 0); /* does not occur */
    assert_int_equal(integer(query, tally, 2, 1), 4);
    assert_int_equal(integer(query, tally, 3, 0), 7);
    assert_int_equal(
        dosi_table_query_finish(&release, query, &err), DOSI_OK);
    assert_true(dosi_release_assumption_count(release) >= 4);
    dosi_release_free(release);
    dosi_table_query_free(query);
}

static void other_forms_are_read(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "SET\r\nrows,,12,3400,5\r\nusers,NULL,7,\\N,5\r\n"
        "cells.2,5ac3bc72696368,4,None,5\r\ncells.2,00,1,,5\r\n"
        "query,%s,,,5\r\n\r\n",
        "\"part\",\"cell\",\"n0\",\"n1\",\"total\"\n"
        "\"rows\",\"\",\"12\",\"3400\",\"4\"\n\"users\",\"\",\"7\",\"\",\"4\""
        "\n\"other\",\"zz\",\"7\",\"x\",\"4\"\n\"query\",\"%s\",\"\",\"\","
        "\"4\"",
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct table_tally *tally;
        dosi_table_query *query;
        dosi_error err = {0};
        assert_int_equal(
            read_answer(&tally, &query, forms[i], &err), DOSI_OK);
        assert_int_equal(integer(query, tally, 1, 0), 3400);
        assert_int_equal(integer(query, tally, 3, 0), 7);
        dosi_table_query_free(query);
    }
}

/* Every refusal comes before anything counts and shows no data. */
static void bad_tallies_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *why;
    } bad[] = {
        {"", "incomplete"},
        {"part,cell,n0,n1,total\n", "incomplete"},
        {"rows,,12,3400,3\nquery,%s,,,3\n", "incomplete"},       /* cut */
        {"rows,,12,3400,2\nquery,%s,,,3\n", "incomplete"},
        {"rows,,12,3400,2\nusers,,7777,,2\n", "incomplete"},     /* no digest */
        {"rows,,12,3400,3\nquery,%s,,,3\nquery,%s,,,3\n", "other statement"},
        {"rows,,12,3400,2\nquery,0%s,,,2\n", "other statement"},
        {"rows,,12,3400,2\nquery,,,,2\n", "other statement"},
        {"rows,,7777x,3400,2\nquery,%s,,,2\n", "malformed"},
        {"rows,,1.5,7777,2\nquery,%s,,,2\n", "malformed"},
        {"rows,7777,12,3400,2\nquery,%s,,,2\n", "malformed"},
        {"rows,,12,3400\nquery,%s,,,2\n", "malformed"},
        {"rows,,12,3400,7777,2\nquery,%s,,,2\n", "malformed"},
        {"rows|7777|12|3400|2\nquery,%s,,,2\n", "malformed"},
        {"cells.2,777,4,,2\nquery,%s,,,2\n", "malformed"},      /* odd */
        {"cells.2,xx7777,4,,2\nquery,%s,,,2\n", "malformed"},
        {"cells.2,7777.1,4,,2\nquery,%s,,,2\n", "malformed"},
        {"rows,,123456789012345678901234567890123456789,1,2\nquery,%s,,,2\n",
            "malformed"},
        {"rows,,\"7777,3400,2\nquery,%s,,,2\n", "malformed"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct table_tally *tally;
        dosi_table_query *query;
        dosi_error err = {0};
        char other[256];
        const char *text = bad[i].text;
        if (strstr(text, "%s") != strrchr(text, '%')) { /* two queries */
            snprintf(other, sizeof other, "rows,,12,3400,3\nquery,%%s,,,3\n"
                                          "query,00,,,3\n");
            text = other;
        }
        dosi_status status = read_answer(&tally, &query, text, &err);
        if (strstr(err.message, bad[i].why) == NULL)
            print_message("%zu: %s\n", i, err.message);
        assert_int_equal(status, DOSI_EINVAL);
        assert_non_null(strstr(err.message, bad[i].why));
        assert_null(strstr(err.message, "7777"));
        tally = table_query_tally(query);
        for (size_t j = 0; j < table_query_layout(query)->n_integers; j++)
            assert_true(tally->integers[j] == 0);
        dosi_table_query_free(query);
    }
}

static void integers_are_added(void **state)
{
    (void)state;
    dosi_table_query *query = query_of(&tally_case);
    dosi_error err = {0};
    static const char town[] = "5AC3BC72696368";
    for (int i = 0; i < 2; i++) {
        assert_int_equal(dosi_table_query_add(
                             query, "rows/n1", NULL, 0, "-21", &err),
            DOSI_OK);
        assert_int_equal(dosi_table_query_add(query, "cells.2/n0", town,
                             sizeof town - 1, "3", &err),
            DOSI_OK);
    }
    static const char *const parts[] = {
        "rows", "rows/", "rows/n", "rows/n7", "rows/n1x", "row/n1", ""};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_int_equal(
            dosi_table_query_add(query, parts[i], NULL, 0, "1", &err),
            DOSI_EINVAL);
    assert_int_equal(
        dosi_table_query_add(query, "rows/n1", NULL, 0, "1e3", &err),
        DOSI_EINVAL);
    struct table_tally *tally = table_query_tally(query);
    assert_int_equal(integer(query, tally, 1, 0), -42);
    assert_int_equal(integer(query, tally, 2, 1), 6);
    dosi_table_query_free(query);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_statements),
        cmocka_unit_test(foreign_text_is_quoted),
        cmocka_unit_test(refusals),
        cmocka_unit_test(statements_read_back),
        cmocka_unit_test(tallies_are_read),
        cmocka_unit_test(other_forms_are_read),
        cmocka_unit_test(bad_tallies_are_refused),
        cmocka_unit_test(integers_are_added),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
