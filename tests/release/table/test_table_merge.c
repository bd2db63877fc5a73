/*
 * Queries filled from parts of the data and merged: the integers are those of
 * one pass, whoever is in several parts; a query counts once; whatever cannot
 * be merged is refused, and the first query is as it was.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "release/table/query/query_object.h"
#include "support/arrow_build.h"

#define MOST 12

struct texts {
    const char *statistics[MOST], *settings[MOST];
};

static const struct texts people = {
    {"count", "users", "sum x:0..100", "histogram town", "histogram sex",
        "count-bad"},
    {"unknown-cells town", "categories sex:f,m", "user id", "order at",
        "max-rows 2", "max-cells 1", "max-per-cell 2",
        "plan group(2, discrete_laplace(9)) + discrete_laplace(9) + "
        "laplace(9) + group(2, discrete_laplace(9)) + approx(0, 1e-7) + "
        "group(2, discrete_laplace(9)) + discrete_laplace(90)",
        "delta 1e-6"}};

static size_t length_of(const char *const *lines)
{
    size_t n = 0;
    while (n < MOST && lines[n] != NULL)
        n++;
    return n;
}

static dosi_table_query *query_of(const struct texts *t)
{
    dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
    dosi_table_query *query = NULL;
    dosi_error err = {0};
    options.settings = t->settings;
    options.n_settings = length_of(t->settings);
    if (dosi_table_query_new(&query, t->statistics, length_of(t->statistics),
            &options, &err) != DOSI_OK)
        fail_msg("%s", err.message);
    return query;
}

static dosi_table_query *read_csv(const struct texts *t, const char *csv)
{
    dosi_table_query *query = query_of(t);
    dosi_error err = {0};
    if (dosi_table_query_read_csv(query, csv, strlen(csv), &err) != DOSI_OK)
        fail_msg("%s", err.message);
    return query;
}

static void merge(dosi_table_query *into, dosi_table_query *other)
{
    dosi_error err = {0};
    if (dosi_table_query_merge(into, other, &err) != DOSI_OK)
        fail_msg("%s", err.message);
}

static void refused(
    dosi_table_query *into, dosi_table_query *other, const char *why)
{
    dosi_error err = {0};
    dosi_status status = dosi_table_query_merge(into, other, &err);
    if (strstr(err.message, why) == NULL)
        print_message("%s\n", err.message);
    assert_int_equal(status, DOSI_EINVAL);
    assert_non_null(strstr(err.message, why));
}

static int64_t unknown_count(const dosi_table_query *q, const char *name)
{
    const struct table_cells *cells = &q->tally.unknown[0];
    int64_t found = 0;
    for (size_t i = 0; i < cells->n; i++)
        if (cells->cells[i].name.n == strlen(name) &&
            memcmp(cells->cells[i].name.bytes, name, strlen(name)) == 0)
            found += (int64_t)cells->cells[i].count;
    return found;
}

/* Both have the same integers. */
static void same_integers(dosi_table_query *a, dosi_table_query *b)
{
    assert_int_equal(query_close_reader(a, NULL), DOSI_OK);
    assert_int_equal(query_close_reader(b, NULL), DOSI_OK);
    for (size_t i = 0; i < a->layout.n_integers; i++)
        assert_true(a->tally.integers[i] == b->tally.integers[i]);
    for (size_t u = 0; u < a->layout.n_unknown; u++) {
        const struct table_cells *cells = &a->tally.unknown[u];
        assert_int_equal(cells->n, b->tally.unknown[u].n);
        for (size_t i = 0; i < cells->n; i++) {
            char name[64] = {0};
            memcpy(name, cells->cells[i].name.bytes, cells->cells[i].name.n);
            assert_int_equal(
                unknown_count(a, name), unknown_count(b, name));
        }
    }
}

/* ---- Rows -------------------------------------------------------------- */

#define HEADER "id,at,x,town,sex\n"
static const char *const files[] = {
    HEADER "ann,3,10,bern,f\nbob,1,20,basel,m\nann,1,1,chur,f\n",
    HEADER "ann,2,5,bern,f\n\ncy,1,bad,bern,m\nann,1,2,bern,f",
    HEADER,
    HEADER "somebody with a name that is long,9,100,chur,f\nbob,0,7,chur,m\n"
           ",1,9,bern,f\nann,1,4,chur,\n",
};
static const char whole[] =
    HEADER "ann,3,10,bern,f\nbob,1,20,basel,m\nann,1,1,chur,f\n"
           "ann,2,5,bern,f\n\ncy,1,bad,bern,m\nann,1,2,bern,f\n"
           "somebody with a name that is long,9,100,chur,f\nbob,0,7,chur,m\n"
           ",1,9,bern,f\nann,1,4,chur,\n";

/* Ann's least rows are 1 and 2 of three files; min(o) of bern and chur is 1,
 * so bern is her first cell, with 3 rows of which 2 count. */
static void test_rows(void **state)
{
    (void)state;
    for (size_t first = 0; first < 4; first++)
        for (size_t step = 1; step < 4; step += 2) {
            dosi_table_query *into = query_of(&people);
            dosi_table_query *all = read_csv(&people, whole);
            for (size_t i = 0; i < 4; i++) {
                dosi_table_query *part =
                    read_csv(&people, files[(first + i * step) % 4]);
                merge(into, part);
                dosi_table_query_free(part);
            }
            same_integers(into, all);
            assert_true(into->tally.integers[0] == 6); /* rows, 2 of each */
            assert_true(into->tally.integers[1] == 4);
            assert_true(into->tally.integers[2] == 1 + 2 + 27 + 100);
            assert_int_equal(unknown_count(into, "bern"), 3);
            assert_int_equal(unknown_count(into, "chur"), 2);
            dosi_table_query_free(into);
            dosi_table_query_free(all);
        }
}

/* A row is a person; the first query goes on reading after a merge. */
static void test_plain_rows(void **state)
{
    (void)state;
    static const struct texts plain = {
        {"count", "sum x:0..100", "histogram town", "count-bad"},
        {"unknown-cells town",
            "plan discrete_laplace(9) + laplace(9) + discrete_laplace(9) + "
            "approx(0, 1e-7) + discrete_laplace(9)",
            "delta 1e-6"}};
    dosi_table_query *into = read_csv(&plain, "x,town\n1,bern\n2,ba");
    dosi_table_query *part = read_csv(&plain, "town,x\nbern,30\nchur,\n");
    merge(into, part);
    assert_int_equal(
        dosi_table_query_read_csv(into, "sel\n4,chur\n", 11, NULL), DOSI_OK);
    dosi_table_query *all = read_csv(
        &plain, "x,town\n1,bern\n2,basel\n4,chur\n30,bern\n,chur\n");
    same_integers(into, all);
    assert_true(into->tally.integers[1] == 37);
    assert_int_equal(unknown_count(into, "bern"), 2);
    dosi_table_query_free(into);
    dosi_table_query_free(part);
    dosi_table_query_free(all);
}

/* What the owner of the files is told is that of one file. */
static void test_owner(void **state)
{
    (void)state;
    static const struct texts owned = {{"sum x:0..9", "histogram sex"},
        {"categories sex:f,m", "user id", "order at", "max-rows 2",
            "max-cells sex:1", "max-per-cell sex:1", "not-private"}};
    dosi_table_query *all = read_csv(&owned, whole);
    dosi_table_query *into = read_csv(&owned, files[3]);
    char a[4096], b[4096];
    size_t length;
    for (size_t i = 0; i < 3; i++) {
        dosi_table_query *part = read_csv(&owned, files[i]);
        merge(into, part);
        dosi_table_query_free(part);
    }
    assert_int_equal(dosi_table_query_check(
                         a, sizeof a, &length, all, DOSI_RELEASE_JSON, NULL),
        DOSI_OK);
    assert_int_equal(dosi_table_query_check(
                         b, sizeof b, &length, into, DOSI_RELEASE_JSON, NULL),
        DOSI_OK);
    assert_string_equal(a, b);
    assert_non_null(strstr(a, "\"people\":4"));
    dosi_table_query_free(all);
    dosi_table_query_free(into);
}

/* A part has the noise of its query without a search, and merges with it. */
static void test_part(void **state)
{
    (void)state;
    static const struct texts searched = {
        {"count", "sum x:0..100", "histogram town", "median x:0..100"},
        {"unknown-cells town", "epsilon 0.7", "delta 1e-6", "user id",
            "order at", "max-rows 2", "max-cells 2", "max-per-cell 1",
            "min-count 4", "weight count:0.3"}};
    dosi_table_query *query = query_of(&searched), *part = NULL;
    char a[8192], b[8192];
    size_t length;
    assert_int_equal(dosi_table_query_part(&part, query, NULL), DOSI_OK);
    assert_int_equal(dosi_table_query_print(a, sizeof a, &length, query,
                         DOSI_RELEASE_JSON, NULL),
        DOSI_OK);
    assert_int_equal(dosi_table_query_print(b, sizeof b, &length, part,
                         DOSI_RELEASE_JSON, NULL),
        DOSI_OK);
    assert_string_equal(a, b);
    for (size_t i = 0; i < query->n_statistics; i++) {
        const struct table_part *x = &query->statistics[i].parts[0];
        const struct table_part *y = &part->statistics[i].parts[0];
        assert_true(x->scale == y->scale && x->tau == y->tau &&
                    x->d == y->d && x->parameter == y->parameter);
        assert_true((x->noise == NULL) == (y->noise == NULL));
    }
    assert_int_equal(dosi_table_query_read_csv(
                         part, files[0], strlen(files[0]), NULL),
        DOSI_OK);
    merge(query, part);
    dosi_table_query_free(query); /* the part has a plan of its own */
    assert_int_equal(dosi_table_query_print(b, sizeof b, &length, part,
                         DOSI_RELEASE_JSON, NULL),
        DOSI_OK);
    assert_string_equal(a, b);
    dosi_table_query_free(part);
}

/* A query that was merged is finished. */
static void test_once(void **state)
{
    (void)state;
    dosi_table_query *into = read_csv(&people, files[0]);
    dosi_table_query *part = read_csv(&people, files[1]);
    dosi_release *release = NULL;
    dosi_error err = {0};
    merge(into, part);
    refused(into, part, "went to another");
    refused(part, into, "went to another");
    assert_int_equal(
        dosi_table_query_finish(&release, part, &err), DOSI_EINVAL);
    assert_int_equal(
        dosi_table_query_read_csv(part, "x", 1, &err), DOSI_EINVAL);
    assert_int_equal(dosi_table_query_finish(&release, into, &err), DOSI_OK);
    dosi_release_free(release);
    dosi_table_query_free(part);
    part = read_csv(&people, files[1]);
    refused(into, part, "noise was drawn");
    dosi_table_query_free(into);
    dosi_table_query_free(part);
}

/* ---- Refusals ---------------------------------------------------------- */

static void refused_as(const struct texts *t, const char *why)
{
    dosi_table_query *into = read_csv(&people, whole);
    dosi_table_query *part = read_csv(t, files[0]);
    dosi_table_query *all = read_csv(&people, whole);
    refused(into, part, why);
    same_integers(into, all);
    dosi_table_query_free(into);
    dosi_table_query_free(part);
    dosi_table_query_free(all);
}

static void test_texts(void **state)
{
    (void)state;
    struct texts other = people;
    other.statistics[2] = "sum x:0..50";
    refused_as(&other,
        "merge: the queries must have the same statistics, got "
        "\"sum x:0..100\" and \"sum x:0..50\"");
    other = people;
    other.settings[8] = "delta 1e-5";
    refused_as(&other, "the same settings, got \"delta 1e-6\"");
    other = people;
    other.settings[9] = "nonnegative";
    refused_as(&other, "the same settings, got 9 and 10 of them");
    dosi_table_query *into = read_csv(&people, whole);
    refused(into, into, "one with itself");
    /* a file whose header has not the columns: the first query goes on */
    dosi_table_query *part = query_of(&people);
    assert_int_equal(
        dosi_table_query_read_csv(part, "id,at,x,town", 12, NULL), DOSI_OK);
    refused(into, part, "sex");
    dosi_table_query *all = read_csv(&people, whole);
    same_integers(into, all);
    dosi_table_query_free(part);
    dosi_table_query_free(all);
    dosi_table_query_free(into);
}

static void test_orders(void **state)
{
    (void)state;
    struct texts lines = people;
    lines.settings[3] = "file-order";
    dosi_table_query *into = read_csv(&lines, files[0]);
    dosi_table_query *part = read_csv(&lines, files[1]);
    refused(into, part, "file-order");
    dosi_table_query_free(into);
    dosi_table_query_free(part);
    /* ids as integers are not ids as texts */
    static const char *const names[] = {"id", "at", "x", "town", "sex"};
    static const char *const formats[] = {"l", "u", "l", "u", "u"};
    static const char *const values[][1] = {
        {"7"}, {"1"}, {"3"}, {"bern"}, {"f"}};
    struct built_column columns[5];
    struct built_stream stream;
    for (size_t c = 0; c < 5; c++)
        built_column_new(&columns[c], names[c], formats[c], values[c], 1);
    built_stream_new(&stream, columns, 5, 1, 1);
    into = read_csv(&people, files[0]);
    part = query_of(&people);
    assert_int_equal(
        dosi_table_query_read_arrow(part, &stream.stream, NULL), DOSI_OK);
    refused(into, part, "ids and order columns of one type");
    dosi_table_query_free(into);
    dosi_table_query_free(part);
    for (size_t c = 0; c < 5; c++)
        built_free(&columns[c]);
}

/* ---- Tallies ----------------------------------------------------------- */

static const struct texts visits = {{"count", "histogram town"},
    {"unknown-cells town", "user id", "order at", "max-rows 2",
        "max-cells 1", "max-per-cell 2", "delta 1e-6",
        "plan group(2, discrete_laplace(9)) + group(2, discrete_laplace(9)) "
        "+ approx(0, 1e-7)"}};

/* A query with the statement of a table, and its tally if there is one. */
static dosi_table_query *with_tally(
    const struct texts *t, const char *table, const char *rows)
{
    dosi_table_query *query = query_of(t);
    char text[1024], *statement = NULL;
    assert_int_equal(dosi_table_query_sql(&statement, query, DOSI_SQL_DUCKDB,
                         table, NULL),
        DOSI_OK);
    dosi_sql_free(statement);
    if (rows == NULL)
        return query;
    snprintf(text, sizeof text, "%squery,%s,,3\n", rows, query->statement);
    dosi_error err = {0};
    if (dosi_table_query_read_tally(query, text, strlen(text), &err) !=
        DOSI_OK)
        fail_msg("%s", err.message);
    return query;
}

#define TOWN(name, count) "users,,5,3\ncells.1," name "," count ",3\n"

static void test_tallies(void **state)
{
    (void)state;
    dosi_table_query *into =
        with_tally(&visits, "north", TOWN("6265726e", "3"));
    dosi_table_query *part =
        with_tally(&visits, "south", TOWN("6265726E", "4"));
    dosi_table_query *rows = read_csv(&visits, "id,at,town\na,1,bern\n");
    dosi_table_query *open = with_tally(&visits, "west", NULL);
    dosi_release *release = NULL;
    refused(into, rows, "do not merge with a tally");
    refused(rows, into, "do not merge with a tally");
    refused(into, open, "statement that no tally has answered");
    merge(into, part);
    assert_true(into->tally.integers[0] == 10);
    assert_int_equal(unknown_count(into, "bern"), 7);
    merge(open, into); /* and the first may still get its own */
    assert_int_equal(unknown_count(open, "bern"), 7);
    assert_int_equal(dosi_table_query_finish(&release, open, NULL), DOSI_OK);
    size_t n = dosi_release_assumption_count(release), n_said = 0, n_same = 0;
    for (size_t i = 0; i < n; i++) {
        const char *a = dosi_release_assumption_at(release, i);
        n_said += strstr(a, "nobody is in two of the tallies") != NULL;
        n_same += strstr(a, "union of people") != NULL;
    }
    assert_int_equal(n_said, 1);
    assert_int_equal(n_same, 1);
    dosi_release_free(release);
    dosi_table_query_free(into);
    dosi_table_query_free(part);
    dosi_table_query_free(rows);
    dosi_table_query_free(open);
}

/* Cells that an engine left out are not in its tally; rows that were read are
 * all there, and the least count is that of all parts together. */
static void test_min_count(void **state)
{
    (void)state;
    struct texts few = visits;
    few.settings[8] = "min-count 3";
    dosi_table_query *into =
        with_tally(&few, "north", TOWN("6265726e", "3"));
    dosi_table_query *part =
        with_tally(&few, "south", TOWN("6265726e", "4"));
    dosi_error err = {0};
    refused(into, part, "min-count");
    assert_int_equal(
        dosi_table_query_add(part, "users/n0", NULL, 0, "3", &err),
        DOSI_EINVAL);
    assert_non_null(strstr(err.message, "min-count"));
    dosi_table_query_free(into);
    dosi_table_query_free(part);
    into = read_csv(&few, "id,at,town\na,1,bern\nb,1,bern\n");
    part = read_csv(&few, "id,at,town\nc,1,bern\n");
    merge(into, part);
    assert_int_equal(query_close_reader(into, NULL), DOSI_OK);
    assert_int_equal(unknown_count(into, "bern"), 3);
    dosi_table_query_free(into);
    dosi_table_query_free(part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),
        cmocka_unit_test(test_plain_rows), cmocka_unit_test(test_owner),
        cmocka_unit_test(test_part),
        cmocka_unit_test(test_once),
        cmocka_unit_test(test_texts), cmocka_unit_test(test_orders),
        cmocka_unit_test(test_tallies), cmocka_unit_test(test_min_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
