/*
 * The n-th allocation of the table reader fails, for n = 1, 2, ... until the
 * rows are read: every failure is DOSI_ENOMEM, leaves no tally behind and
 * leaks nothing. And the peak of memory: it does not grow with the number of
 * rows without users, and it is linear in people with them.
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
#include "support/fail_alloc.h"
#include "support/nasty_layout.h"

/* ---- Failures ---------------------------------------------------------- */

static const char text[] =
    "uid,at,town,amount,price,level,big\n"
    "a,1,x,1,2,3,4\n"
    "somebody with a rather long name that is kept elsewhere,2,y,1,2,3,4\n"
    "a,2,\"q\"\"uoted\",1,2,3,4\na,0,z,1,2,3,4\na,0,w,1,2,3,4\n"
    "a,5,another town,1,2,3,4\nb,1,x,,,,\n\"open\n\nb,1,y,1,2,3,4\n";

static dosi_status read_twice(struct table_tally *out,
    const struct table_layout *layout, struct built_stream *stream,
    dosi_error *err)
{
    struct table_reader *reader = NULL;
    *out = (struct table_tally){NULL, NULL};
    dosi_status status = table_reader_new(&reader, layout, err);
    if (status == DOSI_OK)
        status = table_reader_watch(reader, err);
    for (size_t at = 0; at < sizeof text - 1 && status == DOSI_OK; at += 25)
        status = table_reader_csv(reader, text + at,
            sizeof text - 1 - at < 25 ? sizeof text - 1 - at : 25, err);
    if (status == DOSI_OK)
        status = table_reader_arrow(reader, &stream->stream, err);
    if (status == DOSI_OK)
        status = table_reader_finish(out, reader, err);
    table_reader_free(reader);
    return status;
}

static void check_failures(struct nasty_layout *nasty)
{
    static const char *const names[] = {
        "uid", "at", "town", "amount", "price", "level", "big"};
    static const char *const rows[][2] = {{"c", "a"}, {"1", "2"}, {"x", NULL},
        {"1", "2"}, {"1.00", "2.00"}, {"1", "2"}, {"1", "2"}};
    static const char *const formats[] = {
        "u", NULL, "vu", "g", "d:18,2", "l", "l"};
    struct built_column columns[NASTY_COLUMNS];
    struct table_tally tally, whole;
    struct built_stream stream;
    dosi_error err;
    bool is_number = nasty->columns[NASTY_AT].type == TABLE_INT64;
    for (size_t c = 0; c < NASTY_COLUMNS; c++)
        built_column_new(&columns[c], names[c],
            formats[c] != NULL ? formats[c]
            : is_number        ? "l"
                               : "u",
            rows[c], 2);
    fail_countdown = -1;
    built_stream_new(&stream, columns, NASTY_COLUMNS, 2, 1);
    assert_int_equal(
        read_twice(&whole, &nasty->layout, &stream, &err), DOSI_OK);
    size_t before = fail_bytes;
    long n = 1;
    for (;; n++) {
        built_stream_new(&stream, columns, NASTY_COLUMNS, 2, 1);
        fail_countdown = n;
        dosi_status status = read_twice(&tally, &nasty->layout, &stream, &err);
        bool is_over = fail_countdown > 0;
        fail_countdown = -1;
        assert_int_equal(stream.n_live, 0);
        if (is_over) {
            assert_int_equal(status, DOSI_OK);
            break;
        }
        assert_int_equal(status, DOSI_ENOMEM);
        assert_null(tally.integers);
        assert_int_equal(fail_bytes, before);
    }
    assert_true(n > 20);
    assert_memory_equal(tally.integers, whole.integers,
        nasty->layout.n_integers * sizeof *whole.integers);
    table_tally_free(&tally, &nasty->layout);
    table_tally_free(&whole, &nasty->layout);
    for (size_t c = 0; c < NASTY_COLUMNS; c++)
        built_free(&columns[c]);
}

static void test_failures(void **state)
{
    (void)state;
    struct nasty_layout nasty;
    nasty_layout_new(&nasty);
    check_failures(&nasty);
    nasty.columns[NASTY_AT].type = TABLE_TEXT;
    check_failures(&nasty);
    nasty.layout.max_rows = 100;
    check_failures(&nasty);
    nasty_layout_new(&nasty);
    nasty.layout.user = TABLE_NONE;
    nasty.layout.n_keys = 0;
    nasty.layout.max_rows = INT64_MAX;
    check_failures(&nasty);
}

/* ---- Peaks ------------------------------------------------------------- */

/* The peak of reading n rows of so many people, who have so many towns. */
static size_t peak(
    struct nasty_layout *nasty, size_t n, size_t n_people, size_t n_towns)
{
    struct table_reader *reader;
    struct table_tally tally;
    char lines[8192];
    size_t before = fail_bytes;
    fail_peak = fail_bytes;
    assert_int_equal(table_reader_new(&reader, &nasty->layout, NULL), DOSI_OK);
    int length = sprintf(lines, "uid,at,town,amount,price,level,big\n");
    for (size_t i = 0; i < n; i++) {
        length += sprintf(lines + length, "u%zu,%zu,t%zu,1.5,2,3,4\n",
            i * 7919 % n_people, (n - i) % 1000, i / n_people % n_towns);
        if (length > 8000 || i + 1 == n) {
            assert_int_equal(
                table_reader_csv(reader, lines, (size_t)length, NULL), DOSI_OK);
            length = 0;
        }
    }
    assert_int_equal(table_reader_finish(&tally, reader, NULL), DOSI_OK);
    table_tally_free(&tally, &nasty->layout);
    table_reader_free(reader);
    assert_int_equal(fail_bytes, before);
    return fail_peak - before;
}

static void test_peaks(void **state)
{
    (void)state;
    struct nasty_layout nasty;
    nasty_layout_new(&nasty);
    nasty.layout.user = TABLE_NONE;
    nasty.layout.n_keys = 0;
    nasty.layout.max_rows = INT64_MAX;
    /* a row is a person: nothing is kept of it */
    size_t few = peak(&nasty, 1000, 100, 3);
    size_t many = peak(&nasty, 100000, 10000, 3);
    assert_true(many <= few && many < 65536);
    /* count and sum of the three first rows: linear in people */
    nasty_layout_new(&nasty);
    nasty.layout.n_values = 1;
    nasty.layout.n_texts = 0;
    nasty.layout.n_rules = 0;
    nasty.layout.n_items = 4;
    nasty.layout.n_unknown = 0;
    size_t small = peak(&nasty, 20000, 1024 * 3, 1);
    size_t again = peak(&nasty, 80000, 1024 * 3, 1);
    size_t large = peak(&nasty, 80000, 1024 * 12, 1);
    print_message("count and sum, k = 3: %.0f bytes a person\n",
        (double)large / (1024 * 12));
    assert_true(again <= small + 4096); /* more rows of the same people */
    assert_true(large < 5 * small);
    assert_true(large / (1024 * 12) <= 160);
    /* cells: linear in pairs */
    nasty_layout_new(&nasty);
    nasty.layout.max_rows = 1;
    small = peak(&nasty, 2048 * 4, 2048, 4);
    large = peak(&nasty, 2048 * 32, 2048, 32);
    print_message("cells: %.0f bytes a pair from 4 to 32 a person\n",
        (double)(large - small) / (2048 * 28));
    assert_true((large - small) / (2048 * 28) <= 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_peaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
