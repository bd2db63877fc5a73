/*
 * nasty.csv against the integers of the plain reference: in one chunk, in
 * chunks of all small sizes and of random ones, with permuted lines, and with
 * other ends of lines.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/random.h"
#include "support/nasty_file.h"

static int setup(void **state)
{
    (void)state;
    return nasty_load("expected_text.csv");
}

/* Reads the text in pieces of given or (0) random sizes. */
static void check_chunks(const char *text, size_t n, size_t size)
{
    struct nasty_layout nasty;
    struct table_reader *reader;
    struct table_tally tally;
    prop_random r = {n ^ size};
    nasty_layout_new(&nasty);
    assert_int_equal(table_reader_new(&reader, &nasty.layout, NULL), DOSI_OK);
    for (size_t at = 0; at < n;) {
        size_t step = size > 0 ? size : 1 + prop_bits(&r) % 5000;
        if (step > n - at)
            step = n - at;
        /* a copy of its own, so that the sanitizer sees its ends */
        char *chunk = malloc(step);
        assert_non_null(chunk);
        memcpy(chunk, text + at, step);
        assert_int_equal(table_reader_csv(reader, chunk, step, NULL), DOSI_OK);
        free(chunk);
        at += step;
    }
    assert_int_equal(table_reader_finish(&tally, reader, NULL), DOSI_OK);
    nasty_check(&tally, 84);
    table_tally_free(&tally, &nasty.layout);
    table_reader_free(reader);
}

static void test_chunks(void **state)
{
    (void)state;
    check_chunks(nasty_bytes, nasty_size, nasty_size);
    for (size_t size = 1; size <= 6; size++)
        check_chunks(nasty_bytes, nasty_size, size);
    check_chunks(nasty_bytes, nasty_size, 4096);
    for (int i = 0; i < 4; i++)
        check_chunks(nasty_bytes, nasty_size, 0);
}

/* Lines behind the header in another order, with CR, without the last LF. */
static void test_permuted(void **state)
{
    (void)state;
    prop_random r = {5};
    size_t n = 0, at = 0;
    const char *lines[6001];
    size_t lengths[6001];
    for (const char *s = nasty_bytes; s < nasty_bytes + nasty_size; n++) {
        const char *end = strchr(s, '\n');
        lines[n] = s;
        lengths[n] = (size_t)(end - s);
        s = end + 1;
    }
    assert_int_equal(n, 6001);
    char *text = malloc(nasty_size + n);
    assert_non_null(text);
    for (int round = 0; round < 4; round++) {
        at = 0;
        for (size_t i = 0; i < n; i++) {
            size_t j = i == 0 ? 0 : i + prop_bits(&r) % (n - i);
            const char *line = lines[j];
            size_t length = lengths[j];
            lines[j] = lines[i];
            lengths[j] = lengths[i];
            lines[i] = line;
            lengths[i] = length;
            memcpy(text + at, line, length);
            at += length;
            if (round % 2 == 1)
                text[at++] = '\r';
            text[at++] = '\n';
        }
        check_chunks(text, at - (round > 1), 0);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_permuted),
    };
    return cmocka_run_group_tests(tests, setup, nasty_unload);
}
