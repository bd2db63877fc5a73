/* Records from CSV: the lines, fields and numbers of tables. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "release/train/records.h"

/* Bounds that map x to itself within a rounding, and [0, 1] beyond. */
static struct schema schema_of(char delimiter, char decimal, bool has_header)
{
    struct schema schema = {.delimiter = delimiter,
        .decimal = decimal,
        .has_header = has_header,
        .n_columns = has_header ? 0 : 2,
        .has_bounds = true,
        .lo = 0,
        .hi = 1};
    return schema;
}

/* Reads bytes in chunks of n_chunk; rows that are none are kept. */
static dosi_status read_all(struct records *r, struct schema *schema,
    const char *bytes, size_t n, size_t n_chunk, dosi_error *err)
{
    dosi_status status = DOSI_OK;
    records_start(r, schema, false);
    r->keeps_lines = true;
    for (size_t at = 0; at < n && status == DOSI_OK; at += n_chunk)
        status = records_csv(r, bytes + at,
            n - at < n_chunk ? n - at : n_chunk, err);
    return status == DOSI_OK ? records_end(r, err) : status;
}

struct line_case {
    char delimiter, decimal;
    const char *line;
    bool is_good;
    double first, second; /* if it is */
};

static const struct line_case lines[] = {
    {',', '.', "0.5,1", true, 0.5, 1},
    {',', '.', " +5e-1\t,\t1. ", true, 0.5, 1},
    {',', '.', "\"0.5\",\".5\"", true, 0.5, 0.5},
    {';', ',', "0,5;\"0,25\"", true, 0.5, 0.25},
    {';', ',', "0.5;1", false, 0, 0}, /* another decimal sign */
    {',', '.', "\"0.5\"1,1", false, 0, 0},
    {',', '.', "\"0.5,1", false, 0, 0}, /* an open quote */
    {',', '.', "0.5\",1", false, 0, 0}, /* a stray one: no number */
    {',', '.', "0.5", false, 0, 0},
    {',', '.', "0.5,1,", false, 0, 0},
    {',', '.', "", false, 0, 0},
    {',', '.', ",1", false, 0, 0},
    {',', '.', "nan,1", false, 0, 0},
    {',', '.', "inf,1", false, 0, 0},
    {',', '.', "0x1p-1,1", false, 0, 0},
    {',', '.', "1 000,1", false, 0, 0},
    {',', '.', "1e,1", false, 0, 0},
    /* a number beyond the doubles is cut to the bounds */
    {',', '.', "1e999,-1e999", true, 1, 0},
    {',', '.', "1e99999999999999999999,1e-99999999999999999999", true, 1, 0},
    {',', '.', "-0,0.1", true, 0, 0.1},
    {',', '.',
        "0.333333333333333333333333333333333333333333333333333333333333333333,"
        "000000000000000000000000000000000000000000000000000000000000000000.2",
        true, 1.0 / 3, 0.2},
};

static void test_lines(void **state)
{
    (void)state;
    char text[400];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        const struct line_case *c = &lines[i];
        int n = snprintf(text, sizeof text, "u%cv\n%s\r\n1%c1\n", c->delimiter,
            c->line, c->delimiter);
        for (size_t chunk = 1; chunk <= (size_t)n; chunk += 7) {
            struct schema schema = schema_of(c->delimiter, c->decimal, true);
            struct records r;
            dosi_error err;
            assert_int_equal(
                read_all(&r, &schema, text, (size_t)n, chunk, &err), DOSI_OK);
            assert_int_equal(r.n_rows, 2);
            assert_int_equal(r.is_good[0], c->is_good);
            if (c->is_good) {
                assert_true(r.inputs[0] == c->first);
                assert_true(r.inputs[1] == c->second);
            }
            assert_true(r.is_good[1] && r.inputs[r.stride] == 1);
            records_free(&r);
            schema_free(&schema);
        }
    }
}

/* A line has at most 10^6 bytes; a longer one is no row, and its end is the
 * beginning of the next. */
static void test_long_lines(void **state)
{
    (void)state;
    for (size_t more = 0; more < 3; more++) {
        size_t n = CSV_MAX_LINE + more; /* with a CR: one byte less */
        char *text = malloc(n + 100);
        assert_non_null(text);
        memset(text, '0', n);
        text[1] = ',';
        text[n - 1] = '\r';
        memcpy(text + n, "\n1,1\n", 5);
        struct schema schema = schema_of(',', '.', false);
        struct records r;
        dosi_error err;
        assert_int_equal(
            read_all(&r, &schema, text, n + 5, 65536, &err), DOSI_OK);
        assert_int_equal(r.n_rows, 2);
        assert_int_equal(r.is_good[0], more < 2);
        assert_true(r.is_good[1]);
        records_free(&r);
        schema_free(&schema);
        free(text);
    }
}

/* No message has a byte of the header: without one that is a record. */
static void test_headers(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "there is no header"},
        {"secret,secret\n", "columns 1 and 2 of the header have one name"},
        {"secret,\"secret\n", "a quote is not closed"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct schema schema = schema_of(',', '.', true);
        struct records r;
        dosi_error err;
        assert_int_equal(read_all(&r, &schema, cases[i].text,
                             strlen(cases[i].text), 3, &err),
            DOSI_EINVAL);
        assert_non_null(strstr(err.message, cases[i].message));
        assert_null(strstr(err.message, "secret"));
        records_free(&r);
        schema_free(&schema);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_headers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
