/*
 * Numbers as text: what is printed at the corners, what is read, and that
 * neither depends on the locale.
 */
#include "num/decimal.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const double inf = HUGE_VAL;

static void assert_printed(
    double x, int n, const char *lower, const char *upper, const char *exact)
{
    char text[DOSI_NUMBER_BYTES];
    assert_int_equal(dosi_print_lower(text, x, n), strlen(lower));
    assert_string_equal(text, lower);
    assert_int_equal(dosi_print_upper(text, x, n), strlen(upper));
    assert_string_equal(text, upper);
    assert_int_equal(dosi_print_exact(text, x), strlen(exact));
    assert_string_equal(text, exact);
}

static void printing(void **state)
{
    (void)state;
    assert_printed(0, 3, "0", "0", "0");
    assert_printed(-0.0, 3, "0", "0", "-0");
    assert_printed(inf, 3, "inf", "inf", "inf");
    assert_printed(-inf, 3, "-inf", "-inf", "-inf");
    assert_printed(1, 17, "1", "1", "1");
    assert_printed(-2.5, 2, "-2.5", "-2.5", "-2.5");
    assert_printed(-2.5, 1, "-3", "-2", "-2.5");
    /* 0.1 is a bit more than one tenth, 0.3 a bit less than three */
    assert_printed(0.1, 3, "0.1", "0.101", "0.1");
    assert_printed(0.3, 3, "0.299", "0.3", "0.3");
    assert_printed(0.1, 17, "0.1", "0.10000000000000001", "0.1");
    assert_printed(
        0.3, 17, "0.29999999999999998", "0.29999999999999999", "0.3");
    assert_printed(1.0 / 3, 5, "0.33333", "0.33334", "0.3333333333333333");
    /* carries */
    assert_printed(9.995, 3, "9.99", "10", "9.995");
    assert_printed(99999.5, 5, "99999", "100000", "99999.5");
    assert_printed(-9.9999, 2, "-10", "-9.9", "-9.9999");
    /* plain from 1e-4 to 1e16 */
    assert_printed(1e-5, 1, "1e-5", "2e-5", "1e-5");
    assert_printed(1e-4, 1, "0.0001", "0.0002", "0.0001");
    assert_printed(9.5e-6, 1, "9e-6", "1e-5", "9.5e-6");
    assert_printed(12345678, 3, "12300000", "12400000", "12345678");
    assert_printed(
        1e16, 5, "10000000000000000", "10000000000000000", "10000000000000000");
    assert_printed(
        9.99e16, 2, "99000000000000000", "1e17", "99900000000000000");
    assert_printed(1e17, 5, "1e17", "1e17", "1e17");
    assert_printed(
        1e23, 17, "9.9999999999999991e22", "9.9999999999999992e22", "1e23");
    assert_printed(-1.5e300, 1, "-2e300", "-1e300", "-1.5e300");
    /* the ends of the range */
    assert_printed(DBL_MAX, 17, "1.7976931348623157e308",
        "1.7976931348623158e308", "1.7976931348623157e308");
    assert_printed(DBL_MAX, 1, "1e308", "2e308", "1.7976931348623157e308");
    assert_printed(
        DBL_MIN, 4, "2.225e-308", "2.226e-308", "2.2250738585072014e-308");
    assert_printed(0x1p-1074, 5, "4.9406e-324", "4.9407e-324", "5e-324");
    assert_printed(3 * 0x1p-1074, 2, "1.4e-323", "1.5e-323", "1.5e-323");
    /* shorter than the nearest 16 digits, on the wide side of 2^-44 */
    assert_printed(0x1p-44, 16, "5.684341886080801e-14",
        "5.684341886080802e-14", "5.684341886080802e-14");
    /* digit counts outside 1..17 are taken as the nearest of them */
    assert_printed(0.3, 0, "0.2", "0.3", "0.3");
    assert_printed(0.1, 99, "0.1", "0.10000000000000001", "0.1");
}

/* Doubles that differ from a 17-digit decimal by less than 1e-32 of it (by
 * continued fractions): only the whole expansion tells the side. */
static void hair_breadths(void **state)
{
    (void)state;
    const struct {
        double x;
        const char *lower, *upper;
    } rows[] = {
        {0x0.ee07b22313fabp-1022, "2.0688846417353965e-308",
            "2.0688846417353966e-308"},
        {0x1.b3707abe12c45p-848, "9.0625706964541853e-256",
            "9.0625706964541854e-256"},
        {0x1.5f2df5e675a0fp-448, "1.8873444774605887e-135",
            "1.8873444774605888e-135"},
        {0x1.c47d20a19d1eep-291, "4.4426194178308472e-88",
            "4.4426194178308473e-88"},
        {0x1.8355f7eae78d9p-98, "4.7742825155074463e-30",
            "4.7742825155074464e-30"},
        {0x1.d25b42bb28962p+251, "6.5918447213668791e75",
            "6.5918447213668792e75"},
        {0x1.fc7b7a9fa7532p+951, "3.7806091850099561e286",
            "3.7806091850099562e286"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[DOSI_NUMBER_BYTES];
        (void)dosi_print_lower(text, rows[i].x, 17);
        assert_string_equal(text, rows[i].lower);
        (void)dosi_print_upper(text, rows[i].x, 17);
        assert_string_equal(text, rows[i].upper);
    }
}

static void nan_is_not_a_bound(void **state)
{
    (void)state;
    char text[DOSI_NUMBER_BYTES];
    (void)dosi_print_lower(text, NAN, 3);
    assert_string_equal(text, "-inf");
    (void)dosi_print_upper(text, NAN, 3);
    assert_string_equal(text, "inf");
    (void)dosi_print_exact(text, NAN);
    assert_string_equal(text, "nan");
}

static void assert_read(const char *text, double value, size_t n_used)
{
    double x = -1;
    size_t used = 99;
    assert_true(decimal_read(&x, text, strlen(text), &used));
    if (!(x == value && signbit(x) == signbit(value)) || used != n_used)
        fail_msg("%s reads as %a, %zu bytes", text, x, used);
}

static void assert_not_read(const char *text)
{
    double x = -1;
    size_t used = 99;
    assert_false(decimal_read(&x, text, strlen(text), &used));
    assert_true(x == 0);
    assert_int_equal(used, 0);
}

static void reading(void **state)
{
    (void)state;
    assert_read("0", 0, 1);
    assert_read("-0", -0.0, 2);
    assert_read("007", 7, 3);
    assert_read("+1.5", 1.5, 4);
    assert_read(".5", 0.5, 2);
    assert_read("5.", 5, 2);
    assert_read("-.5e1", -5, 5);
    assert_read("5.e-1", 0.5, 5);
    assert_read("1E3", 1000, 3);
    assert_read("1e+03", 1000, 5);
    assert_read("0.1", 0.1, 3);
    assert_read("1e-5", 1e-5, 4);
    /* stops where the number ends */
    assert_read("1e", 1, 1);
    assert_read("1e+", 1, 1);
    assert_read("1e-x", 1, 1);
    assert_read("12,5", 12, 2);
    assert_read("1.2.3", 1.2, 3);
    assert_read("256/60000", 256, 3);
    assert_read("0x10", 0, 1);
    assert_read("1_000", 1, 1);
    assert_read("3 4", 3, 1);
    /* beyond the range */
    assert_read("1e309", inf, 5);
    assert_read("-1e309", -inf, 6);
    assert_read("1.7976931348623157e308", DBL_MAX, 22);
    assert_read("1.7976931348623158e308", DBL_MAX, 22);
    assert_read("1.7976931348623159e308", inf, 22);
    assert_read("1e99999999999999999999999", inf, 25);
    assert_read("0e99999999999999999999999", 0, 25);
    assert_read("1e-99999999999999999999999", 0, 26);
    assert_read("-1e-400", -0.0, 7);
    assert_read("4.9406564584124654e-324", 0x1p-1074, 23);
    assert_read("2.4703282292062327e-324", 0, 23); /* just below the middle */
    assert_read("2.4703282292062328e-324", 0x1p-1074, 23);
}

static void not_numbers(void **state)
{
    (void)state;
    const char *const texts[] = {"", "+", "-", ".", "-.", ".e5", "e5", "inf",
        "nan", "-inf", "infinity", " 1", "--1", "+-1", ",5", "\xff"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_not_read(texts[i]);
    double x;
    size_t used;
    assert_false(decimal_read(&x, "1", 0, &used)); /* no byte may be read */
    assert_true(decimal_read(&x, "12", 1, &used));
    assert_true(x == 1 && used == 1);
}

/* 1 + 2^-53 is the middle of 1 and the next double: ties go to even, and any
 * digit after the tie, however late, decides. */
static void ties_and_long_texts(void **state)
{
    (void)state;
    const char *const tie =
        "1.00000000000000011102230246251565404236316680908203125";
    const char *const below =
        "1.00000000000000011102230246251565404236316680908203124999";
    assert_read(tie, 1, strlen(tie));
    assert_read(below, 1, strlen(below));
    const size_t zeros = 1000000;
    size_t n = strlen(tie) + zeros + 1;
    char *text = malloc(n + 1);
    assert_non_null(text);
    memcpy(text, tie, strlen(tie));
    memset(text + strlen(tie), '0', zeros);
    text[n - 1] = '1';
    text[n] = '\0';
    assert_read(text, 1 + 0x1p-52, n);
    text[n - 1] = '0';
    assert_read(text, 1, n);
    /* 0.000...0001e999999 and 1000...000e-999999 */
    memset(text, '0', n);
    text[1] = '.';
    memcpy(text + 1000000, "1e999999", 9);
    assert_read(text, 1, strlen(text));
    memset(text, '0', n);
    text[0] = '1';
    memcpy(text + 1000000, "e-999999", 9);
    assert_read(text, 1, strlen(text));
    free(text);
}

static void any_locale(void **state)
{
    (void)state;
    const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8",
        "fr_FR.utf8", "de_DE", "fr_FR", "nl_NL.UTF-8", "ru_RU.UTF-8",
        "ps_AF.UTF-8", "sv_SE.UTF-8"};
    const char *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++)
        if (setlocale(LC_NUMERIC, names[i]) != NULL &&
            strcmp(localeconv()->decimal_point, ".") != 0)
            found = names[i];
    if (found == NULL) {
        puts("no locale with a decimal comma is installed: skipped");
        skip();
    }
    printf("locale %s\n", found);
    printing(state);
    hair_breadths(state);
    reading(state);
    ties_and_long_texts(state);
    setlocale(LC_NUMERIC, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(printing),
        cmocka_unit_test(hair_breadths),
        cmocka_unit_test(nan_is_not_a_bound),
        cmocka_unit_test(reading),
        cmocka_unit_test(not_numbers),
        cmocka_unit_test(ties_and_long_texts),
        cmocka_unit_test(any_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
