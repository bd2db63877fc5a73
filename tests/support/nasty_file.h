/*
 * nasty.csv of tests/data/table107 and a file of the integers expected from
 * it, and their comparison with a tally. Include it behind cmocka.h.
 */
#ifndef DOSI_TESTS_SUPPORT_NASTY_FILE_H
#define DOSI_TESTS_SUPPORT_NASTY_FILE_H

#include "nasty_layout.h"
#include "table_file.h"

static char *nasty_bytes, *nasty_expected;
static size_t nasty_size; /* of nasty_bytes, which ends with a NUL */

static inline int nasty_load(const char *expected)
{
    size_t n;
    nasty_bytes = table_file("nasty.csv", &nasty_size);
    nasty_expected = table_file(expected, &n);
    return 0;
}

static inline int nasty_unload(void **state)
{
    (void)state;
    free(nasty_bytes);
    free(nasty_expected);
    return 0;
}

/* Every line "query,cell,value" of the expected file, so many of them. */
static inline void nasty_check(const struct table_tally *tally, int n_lines)
{
    char query[64], cell[128];
    long long value;
    int n_checked = 0, used = 0;
    for (const char *s = strchr(nasty_expected, '\n') + 1; *s != '\0';
         s += used) {
        cell[0] = '\0';
        if (sscanf(s, "%63[^,],,%lld %n", query, &value, &used) != 2)
            assert_int_equal(sscanf(s, "%63[^,],%127[^,],%lld %n", query, cell,
                                 &value, &used),
                3);
        for (char *h = cell; *h != '\0'; h++) /* hexadecimal digits */
            *h = (char)(*h >= 'A' && *h <= 'F' ? *h + 32 : *h);
        int128 got = 0;
        bool is_there = nasty_find(&got, tally, query, cell);
        if (!is_there || got != value)
            print_error("%s %s: got %lld, not %lld\n", query, cell,
                (long long)got, value);
        assert_true(is_there && got == value);
        n_checked++;
    }
    assert_int_equal(n_checked, n_lines);
}

#endif
