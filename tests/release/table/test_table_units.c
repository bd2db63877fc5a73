#define _POSIX_C_SOURCE 200809L

/*
 * From values to units: maps.csv of the plain reference, value by value; and
 * texts that are numbers, or are none, at the edges.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "release/table/reader/units.h"
#include "release/table/reader/where.h"
#include "support/table_file.h"

#define SATURATED ((int64_t)1 << 62)

static struct units units_for(int64_t num, int64_t den, int64_t lo, int64_t hi)
{
    struct units u;
    const struct table_value value = {0, num, den, lo, hi, TABLE_MISSING};
    units_new(&u, &value);
    return u;
}

/* Text to units, INT64_MIN if it is no number. */
static int64_t of_text(const struct units *u, const char *text, char sign)
{
    struct number x;
    if (!number_read(&x, text, strlen(text), sign))
        return INT64_MIN;
    return units_of_number(u, &x);
}

static void test_maps(void **state)
{
    (void)state;
    size_t n, n_doubles = 0, n_integers = 0;
    char *file = table_file("maps.csv", &n), *rest = NULL;
    for (char *line = strtok_r(file, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        char kind[16], value[64];
        long long lo, hi, num, den, z = 0;
        int fields = sscanf(line, "%15[^,],%63[^,],%lld,%lld,%lld,%lld,%lld",
            kind, value, &lo, &hi, &num, &den, &z);
        if (fields < 6)
            continue; /* the header */
        struct units u = units_for(num, den, lo, hi);
        int64_t got = 0;
        if (strcmp(kind, "double") == 0) {
            n_doubles++;
            bool is_number = units_of_double(&got, &u, strtod(value, NULL));
            assert_int_equal(is_number, fields == 7);
        } else {
            n_integers++;
            assert_int_equal(fields, 7);
            long long v = strtoll(value, NULL, 10);
            got = units_clamp(&u, units_of_integer(&u, v));
            assert_int_equal(units_clamp(&u, of_text(&u, value, '.')), got);
            assert_int_equal(units_clamp(&u, units_of_decimal(&u, v, 0)), got);
            assert_int_equal(
                units_clamp(&u, units_of_decimal(&u, (int128)v * 1000, 3)),
                got);
        }
        if (fields == 7)
            assert_int_equal(got, z);
    }
    free(file);
    assert_int_equal(n_doubles, 1296);
    assert_int_equal(n_integers, 667);
}

static void test_numbers(void **state)
{
    (void)state;
    struct units u = units_for(1, 100, -SATURATED, SATURATED);
    const struct {
        const char *text;
        int64_t z;
    } numbers[] = {{"0", 0}, {"-0", 0}, {"+1", 100}, {"1.", 100}, {".5", 50},
        {"0.005", 1}, {"0.00499999999999999999999999999999999999999", 0},
        {"-0.005", 0}, {"-0.00500000000000000000000000000000000000001", -1},
        {"-0.015", -1}, {"0.015", 2}, {"1e2", 10000}, {"1E+2", 10000},
        {"12345e-4", 123}, {"0.285", 29}, {"0000000000000000000000001", 100},
        {"100000000000000000000000000000000000000e-38", 100},
        {"1.000000000000000000000000000000000000000", 100}, {" 1\t", 100},
        {"1e-999999999999999999999999", 0}, {"0e999999999999999999999999", 0},
        {"1e99999999999999", SATURATED}, {"-1e99999999999999", -SATURATED},
        {"46116860184273879.04", SATURATED},
        {"46116860184273879.034", SATURATED - 1},
        {"-46116860184273879.036", -SATURATED},
        {"-46116860184273879.035", -SATURATED + 1}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        assert_int_equal(of_text(&u, numbers[i].text, '.'), numbers[i].z);
    const char *const others[] = {"", " ", "-", "+", ".", "-.", "e5", ".e5",
        "1e", "1e+", "1e5.0", "nan", "NaN", "inf", "-inf", "0x10", "1 0", "1,5",
        "1_000", "--1", "+-1", "1-", "1..2", "1.2.3", "\\N", "1\r",
        "\xef\xbc\x91", "1a", "a1"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_int_equal(of_text(&u, others[i], '.'), INT64_MIN);
    struct number nul;
    assert_false(number_read(&nul, "1\0", 2, '.'));
    assert_int_equal(of_text(&u, "1,5", ','), 150);
    assert_int_equal(of_text(&u, "1.5", ','), INT64_MIN);
}

/* Doubles next to half grid points of coarse grids, where the half must be
 * added before the division; values of Python's floor((v + num/2) / num). */
static void test_half_first(void **state)
{
    (void)state;
    const struct {
        int64_t num;
        double v;
        int64_t z;
    } cases[] = {{3, 0x1.ff7ffffffffffp+8, 171}, {7, 0x1.f7fffffffffffp+4, 5},
        {10, 0x1.fdfffffffffffp+7, 26}, {1000, 0x1.fff67ffffffffp+19, 1049},
        {12345, 0x1.fedbd7fffffffp+20, 170},
        {9007199254740991, 0x1.ffffffffffffep+51, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int64_t z = -1;
        struct units u = units_for(cases[i].num, 1, -SATURATED, SATURATED);
        assert_true(units_of_double(&z, &u, cases[i].v));
        assert_int_equal(z, cases[i].z);
    }
}

/* Coarse grids, where the half is decided by what follows the point. */
static void test_coarse(void **state)
{
    (void)state;
    struct units u = units_for(5, 1, -SATURATED, SATURATED);
    assert_int_equal(of_text(&u, "2.5", '.'), 1);
    assert_int_equal(of_text(&u, "2.4999999999999999999999999999", '.'), 0);
    assert_int_equal(of_text(&u, "2.5000000000000000000000000001", '.'), 1);
    assert_int_equal(of_text(&u, "-2.5", '.'), 0);
    assert_int_equal(of_text(&u, "-2.5000000000000000000000000001", '.'), -1);
    assert_int_equal(of_text(&u, "-2.4999999999999999999999999999", '.'), 0);
    u = units_for(4, 1, -SATURATED, SATURATED);
    assert_int_equal(of_text(&u, "2", '.'), 1);
    assert_int_equal(of_text(&u, "-2", '.'), 0);
    assert_int_equal(of_text(&u, "-2.00000000000000000000000000001", '.'), -1);
    assert_int_equal(of_text(&u, "1.99999999999999999999999999999", '.'), 0);
}

static bool holds(const char *x, enum table_operator op, const char *operand)
{
    struct condition c;
    struct number number;
    struct table_where where = {0, op, false, {operand, strlen(operand)}};
    assert_int_equal(condition_new(&c, &where, NULL), DOSI_OK);
    assert_true(number_read(&number, x, strlen(x), '.'));
    return condition_holds_number(&c, &number);
}

static void test_conditions(void **state)
{
    (void)state;
    assert_true(holds("0.1", TABLE_EQ, "0.10"));
    assert_true(holds("1e2", TABLE_EQ, "100"));
    assert_true(holds("-0", TABLE_EQ, "0"));
    assert_true(holds("0.1", TABLE_NE, "0.1000000000000000055511151231257827"));
    assert_true(holds("0.1", TABLE_LT, "0.1000000000000000055511151231257827"));
    assert_false(holds("18", TABLE_LT, "18"));
    assert_true(holds("18", TABLE_LE, "18.0"));
    assert_true(holds("-3", TABLE_LT, "-2.9"));
    assert_true(holds("-3", TABLE_GE, "-3.0000"));
    assert_true(holds("9223372036854775808", TABLE_GT, "9223372036854775807"));
    struct condition c;
    struct table_where where = {0, TABLE_GE, false, {"17.5", 4}};
    assert_int_equal(condition_new(&c, &where, NULL), DOSI_OK);
    assert_false(condition_holds_integer(&c, 17));
    assert_true(condition_holds_integer(&c, 18));
    assert_false(condition_holds_integer(&c, -18));
    where.operand = (struct table_bytes){"-17.5", 5};
    assert_int_equal(condition_new(&c, &where, NULL), DOSI_OK);
    assert_true(condition_holds_integer(&c, -17));
    assert_false(condition_holds_integer(&c, -18));
    where =
        (struct table_where){0, TABLE_EQ, false, {"9223372036854775808", 19}};
    assert_int_equal(condition_new(&c, &where, NULL), DOSI_OK);
    assert_false(condition_holds_integer(&c, INT64_MAX));
    assert_true(condition_holds_integer(&c, (int128)INT64_MAX + 1));
    where.operand = (struct table_bytes){"0.1", 3};
    assert_int_equal(condition_new(&c, &where, NULL), DOSI_OK);
    assert_true(condition_holds_double(&c, 0.1));
    where.operand = (struct table_bytes){"0.1x", 4};
    assert_int_equal(condition_new(&c, &where, NULL), DOSI_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_half_first),
        cmocka_unit_test(test_coarse),
        cmocka_unit_test(test_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
