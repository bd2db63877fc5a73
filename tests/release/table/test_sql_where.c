/*
 * Constants of statements: nearest doubles of fractions and floors of
 * decimals, against 128-bit arithmetic of another kind.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "release/table/sql/sql_where.h"

/* No double is nearer to p/q than x: |x q - p| against both neighbours, in
 * long double pairs of integers, where q x is exact in 128 bits. */
static void nearest_is_nearest(void **state)
{
    (void)state;
    uint64_t seed = 107;
    for (int trial = 0; trial < 200000; trial++) {
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        int64_t p = (int64_t)(seed >> (2 + trial % 61));
        seed = seed * 6364136223846793005U + 1442695040888963407U;
        int64_t q = (int64_t)(seed >> (11 + trial % 50)) + 1;
        double x = sql_nearest(p, q);
        if (p == 0) {
            assert_true(x == 0);
            continue;
        }
        /* x = m 2^e with m < 2^53; |m q 2^e - p| <= q 2^e / 2, ties even */
        int e;
        double m = frexp(x, &e);
        int128 mantissa = (int128)ldexp(m, 53);
        e -= 53;
        int128 left = mantissa * q, right = p, half = q;
        if (e >= 0) {
            left <<= e;
            half <<= e;
        } else {
            if (e < -63) { /* p 2^-e would leave 128 bits: p is small */
                assert_true(p < (int64_t)1 << 62);
                if (p >> (126 + e > 0 ? 126 + e : 0) != 0)
                    continue;
            }
            if (-e > 126)
                continue;
            right <<= -e;
        }
        int128 gap = left > right ? left - right : right - left;
        assert_true(2 * gap <= half);
        assert_true(2 * gap < half || mantissa % 2 == 0);
        assert_true(sql_nearest(-p, q) == -x);
    }
}

static void floors(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int scale;
        int64_t floor;
        bool is_exact;
    } rows[] = {
        {"18", 0, 18, true}, {"18.5", 0, 18, false}, {"-18.5", 0, -19, false},
        {"-18.0", 0, -18, true}, {"+7", 2, 700, true}, {"0.005", 2, 0, false},
        {"-0.005", 2, -1, false}, {"0.285", 3, 285, true}, {".5", 1, 5, true},
        {"5.", 1, 50, true}, {"1e3", 0, 1000, true}, {"1.5e1", 0, 15, true},
        {"15e-1", 0, 1, false}, {"-1e-400", 0, -1, false},
        {"0e999999999999", 0, 0, true}, {"00012.3400", 2, 1234, true},
        {"-0.0", 5, 0, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int128 floor;
        bool is_exact;
        struct table_bytes x = {rows[i].text, strlen(rows[i].text)};
        assert_true(sql_scaled_floor(&floor, &is_exact, x, rows[i].scale));
        assert_true(floor == rows[i].floor);
        assert_int_equal(is_exact, rows[i].is_exact);
    }
    static const char *const bad[] = {"", "-", ".", "1.2.3", "1e", "1e+",
        "0x1", "1 ", "nan", "e5", "1e5x"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int128 floor;
        bool is_exact;
        struct table_bytes x = {bad[i], strlen(bad[i])};
        assert_false(sql_scaled_floor(&floor, &is_exact, x, 0));
    }
    int128 floor, limit = 1;
    bool is_exact;
    for (int i = 0; i < 38; i++)
        limit *= 10;
    struct table_bytes large = {"-1e99999999999", 14};
    assert_true(sql_scaled_floor(&floor, &is_exact, large, 0));
    assert_true(floor == -limit && is_exact);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearest_is_nearest),
        cmocka_unit_test(floors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
