/*
 * The rows of nasty.csv as Arrow streams made by hand, in all formats of
 * texts, in batches of several sizes with offsets, against expected.csv; and
 * what is refused from the schema.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/arrow_build.h"
#include "support/nasty_file.h"

#define ROWS 6000

static const char *texts[NASTY_COLUMNS][ROWS];

/* Splits the file in place; \N is null. */
static void fields_read(char *s)
{
    s = strchr(s, '\n') + 1;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t c = 0; c < NASTY_COLUMNS; c++) {
            char *out = s, *first = s;
            if (*s == '"') {
                for (s++; *s != '"' || s[1] == '"'; s++) {
                    s += *s == '"';
                    *out++ = *s;
                }
                s++;
            } else {
                while (*s != ',' && *s != '\n')
                    s++;
                out = s;
            }
            *s++ = '\0'; /* the comma or the end of the line */
            *out = '\0';
            texts[c][i] = strcmp(first, "\\N") == 0 ? NULL : first;
        }
    }
}

static int setup(void **state)
{
    (void)state;
    int status = nasty_load("expected.csv");
    fields_read(nasty_bytes);
    return status;
}

static void columns_new(
    struct built_column *columns, const char *const *formats)
{
    static const char *const names[] = {
        "uid", "at", "town", "amount", "price", "level", "big"};
    for (size_t c = 0; c < NASTY_COLUMNS; c++)
        built_column_new(&columns[c], names[c], formats[c], texts[c], ROWS);
}

static void columns_free(struct built_column *columns)
{
    for (size_t c = 0; c < NASTY_COLUMNS; c++)
        built_free(&columns[c]);
}

static void check_stream(const char *const *formats, size_t batch_rows)
{
    struct built_column columns[NASTY_COLUMNS];
    struct built_stream stream;
    struct nasty_layout nasty;
    struct table_reader *reader;
    struct table_tally tally;
    columns_new(columns, formats);
    built_stream_new(&stream, columns, NASTY_COLUMNS, ROWS, batch_rows);
    nasty_layout_new(&nasty);
    assert_int_equal(table_reader_new(&reader, &nasty.layout, NULL), DOSI_OK);
    assert_int_equal(table_reader_arrow(reader, &stream.stream, NULL), DOSI_OK);
    assert_int_equal(stream.n_live, 0);
    assert_int_equal(table_reader_finish(&tally, reader, NULL), DOSI_OK);
    nasty_check(&tally, 85);
    table_tally_free(&tally, &nasty.layout);
    table_reader_free(reader);
    columns_free(columns);
}

static void test_formats(void **state)
{
    (void)state;
    static const char *const words[] = {
        "u", "U", "vu", "z", "Z", "vz", "*u", "*U", "*vu", "*z", "*Z", "*vz"};
    static const char *const keys[] = {"l", "tdm", "tsu:", "tsn:Europe/Bern"};
    static const size_t sizes[] = {1, 7, 64, 65536};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *formats[NASTY_COLUMNS] = {words[i], keys[i % 4],
            words[(i + 5) % 12], "g", "d:18,2", "l", "l"};
        check_stream(formats, sizes[i % 4]);
    }
    const char *formats[NASTY_COLUMNS] = {
        "u", "l", "vu", "g", "d:38,2,128", "d:38,0", "d:19,0"};
    check_stream(formats, 4096);
}

/* Half by half, from two streams and from a stream and nothing. */
static void test_two_streams(void **state)
{
    (void)state;
    const char *formats[NASTY_COLUMNS] = {
        "vu", "l", "*u", "g", "d:18,2", "l", "l"};
    struct built_column columns[NASTY_COLUMNS];
    struct built_stream stream;
    struct nasty_layout nasty;
    struct table_reader *reader;
    struct table_tally tally;
    columns_new(columns, formats);
    nasty_layout_new(&nasty);
    assert_int_equal(table_reader_new(&reader, &nasty.layout, NULL), DOSI_OK);
    built_stream_new(&stream, columns, NASTY_COLUMNS, 2500, 100);
    assert_int_equal(table_reader_arrow(reader, &stream.stream, NULL), DOSI_OK);
    built_stream_new(&stream, columns, NASTY_COLUMNS, ROWS, 100);
    stream.at = 2500;
    assert_int_equal(table_reader_arrow(reader, &stream.stream, NULL), DOSI_OK);
    /* ids of another type are another table */
    struct built_column id = columns[NASTY_UID];
    columns[NASTY_UID] = columns[NASTY_BIG];
    columns[NASTY_UID].schema.name = "uid";
    columns[NASTY_UID].array.buffers = columns[NASTY_BIG].buffers;
    built_stream_new(&stream, columns, NASTY_COLUMNS, ROWS, 100);
    assert_int_equal(
        table_reader_arrow(reader, &stream.stream, NULL), DOSI_EINVAL);
    assert_int_equal(stream.n_batches, 0);
    columns[NASTY_UID] = id;
    assert_int_equal(table_reader_finish(&tally, reader, NULL), DOSI_OK);
    nasty_check(&tally, 85);
    table_tally_free(&tally, &nasty.layout);
    table_reader_free(reader);
    columns_free(columns);
}

static dosi_status status_with(
    size_t column, const char *format, bool is_declared, dosi_error *err)
{
    const char *formats[NASTY_COLUMNS] = {
        "u", "l", "u", "g", "d:18,2", "l", "l"};
    struct built_column columns[NASTY_COLUMNS];
    struct built_stream stream;
    struct nasty_layout nasty;
    struct table_reader *reader;
    columns_new(columns, formats);
    nasty_layout_new(&nasty);
    if (is_declared)
        nasty.columns[column].type = TABLE_INT64;
    columns[column].schema.format = format;
    built_stream_new(&stream, columns, NASTY_COLUMNS, 0, 100);
    assert_int_equal(table_reader_new(&reader, &nasty.layout, NULL), DOSI_OK);
    dosi_status status = table_reader_arrow(reader, &stream.stream, err);
    assert_int_equal(stream.n_batches, status == DOSI_OK);
    assert_int_equal(stream.n_live, 0);
    table_reader_free(reader);
    columns_free(columns);
    return status;
}

static void test_refused(void **state)
{
    (void)state;
    dosi_error err;
    static const char *const never[] = {"n", "e", "+l", "+s", "w:16", "ttu",
        "tDs", "tiM", "d:18,2,256", "d:9,2,32", "d:77,2", "d:18", "", "uu",
        "+vl", "ts", "tsx:", "td"};
    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        for (size_t c = 0; c < NASTY_COLUMNS; c++)
            assert_int_equal(
                status_with(c, never[i], false, &err), DOSI_EINVAL);
    }
    const struct {
        size_t column;
        const char *format;
        bool is_declared;
        dosi_status status;
    } uses[] = {{NASTY_UID, "g", false, DOSI_EINVAL},
        {NASTY_UID, "f", false, DOSI_EINVAL},
        {NASTY_UID, "b", false, DOSI_EINVAL}, {NASTY_UID, "l", false, DOSI_OK},
        {NASTY_UID, "L", false, DOSI_OK}, {NASTY_UID, "tdD", false, DOSI_OK},
        {NASTY_UID, "d:38,0", false, DOSI_OK},
        {NASTY_AT, "g", false, DOSI_EINVAL},
        {NASTY_AT, "f", false, DOSI_EINVAL},
        {NASTY_AT, "b", false, DOSI_EINVAL},
        {NASTY_AT, "d:18,2", false, DOSI_EINVAL},
        {NASTY_AT, "u", false, DOSI_OK}, {NASTY_AT, "L", false, DOSI_OK},
        {NASTY_TOWN, "g", false, DOSI_EINVAL},
        {NASTY_TOWN, "tdD", false, DOSI_EINVAL},
        {NASTY_TOWN, "c", false, DOSI_OK}, {NASTY_TOWN, "b", false, DOSI_OK},
        {NASTY_LEVEL, "tdD", false, DOSI_EINVAL},
        {NASTY_LEVEL, "tss:", false, DOSI_EINVAL},
        {NASTY_LEVEL, "u", false, DOSI_OK}, {NASTY_LEVEL, "b", false, DOSI_OK},
        {NASTY_LEVEL, "g", true, DOSI_OK}, /* R107-8: 120 <= 2^50 */
        {NASTY_BIG, "g", true, DOSI_EINVAL}, {NASTY_BIG, "g", false, DOSI_OK},
        {NASTY_PRICE, "g", true, DOSI_EINVAL}};
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        assert_int_equal(status_with(uses[i].column, uses[i].format,
                             uses[i].is_declared, &err),
            uses[i].status);
    assert_int_equal(status_with(NASTY_UID, "g", false, &err), DOSI_EINVAL);
    assert_string_equal(err.message,
        "column uid cannot be the user: it is a float or a boolean");
}

/* A producer that fails in the middle: nothing may be released. */
static void test_error(void **state)
{
    (void)state;
    const char *formats[NASTY_COLUMNS] = {
        "u", "l", "u", "g", "d:18,2", "l", "l"};
    struct built_column columns[NASTY_COLUMNS];
    struct built_stream stream;
    struct nasty_layout nasty;
    struct table_reader *reader;
    struct table_tally tally;
    dosi_error err;
    columns_new(columns, formats);
    built_stream_new(&stream, columns, NASTY_COLUMNS, ROWS, 100);
    stream.fails_at = 3;
    nasty_layout_new(&nasty);
    assert_int_equal(table_reader_new(&reader, &nasty.layout, NULL), DOSI_OK);
    assert_int_equal(
        table_reader_arrow(reader, &stream.stream, &err), DOSI_EIO);
    assert_int_equal(stream.n_live, 0);
    assert_int_equal(
        table_reader_arrow(reader, &stream.stream, &err), DOSI_EIO);
    assert_int_equal(table_reader_finish(&tally, reader, &err), DOSI_EIO);
    assert_null(tally.integers);
    table_reader_free(reader);
    columns_free(columns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_two_streams),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_error),
    };
    return cmocka_run_group_tests(tests, setup, nasty_unload);
}
