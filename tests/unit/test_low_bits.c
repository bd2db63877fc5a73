/*
 * The low bits of an answer tell nothing of the sum. Control: Laplace noise in
 * doubles added to 0 and to 1, where most outputs of one cannot occur with the
 * other, and outputs at 1 are multiples of 2^-53 (Mironov 2012). A released
 * sum is a multiple of its grid as a text, and every residue occurs at both.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter/release.h"
#include "prop/random.h"

#define DRAWS 20000

/* ---- Doubles ------------------------------------------------------------- */

/* sum -+ log(k 2^-53), as people write it. */
static double noisy(double sum, double k, bool is_negative)
{
    double noise = -log(k * 0x1p-53);
    return is_negative ? sum - noise : sum + noise;
}

/* Whether some k near exp(-|y - sum|) 2^53 gives y exactly. */
static bool is_reachable(double y, double sum)
{
    double near = round(exp(-fabs(y - sum)) * 0x1p53);
    for (int i = -6; i <= 6; i++) {
        double k = near + i;
        if (k >= 1 && k <= 0x1p53 && noisy(sum, k, y < sum) == y)
            return true;
    }
    return false;
}

static void test_doubles(void **state)
{
    prop_random r = {1};
    double n_told[2] = {0, 0}, n_multiples[2] = {0, 0};
    (void)state;
    for (int i = 0; i < DRAWS; i++)
        for (int sum = 0; sum < 2; sum++) {
            double k = (double)(1 + (prop_bits(&r) >> 11));
            double y = noisy(sum, k, prop_bits(&r) & 1);
            assert_true(is_reachable(y, sum)); /* or the search finds nothing */
            n_told[sum] += !is_reachable(y, 1 - sum);
            n_multiples[sum] += y * 0x1p53 == floor(y * 0x1p53);
        }
    print_message("in doubles: %.0f and %.0f %% of outputs at 0 and 1 cannot "
                  "occur at the other; %.0f and %.0f %% are multiples of "
                  "2^-53\n",
        100 * n_told[0] / DRAWS, 100 * n_told[1] / DRAWS,
        100 * n_multiples[0] / DRAWS, 100 * n_multiples[1] / DRAWS);
    assert_true(n_told[0] >= 0.5 * DRAWS && n_told[1] >= 0.5 * DRAWS);
    assert_true(n_multiples[0] < 0.9 * DRAWS && n_multiples[1] == DRAWS);
}

/* ---- Released sums ------------------------------------------------------- */

#define RUNS 3000
#define GRID 100 /* units of 0.01 */

/* The units of a text with two decimals and nothing else. */
static long units_of(const char *text)
{
    const char *point = strchr(text, '.');
    assert_non_null(point);
    assert_int_equal(strlen(point), 3);
    assert_int_equal(strspn(point + 1, "0123456789"), 2);
    long units =
        labs(strtol(text, NULL, 10)) * GRID + strtol(point + 1, NULL, 10);
    return *text == '-' ? -units : units;
}

static void count_residues(long *counts, const char *csv)
{
    static const char *const statistics[] = {"sum x:0..1"};
    static const char *const settings[] = {"grid x:0.01", "epsilon 1"};
    dosi_table_options options = DOSI_TABLE_OPTIONS_INIT;
    options.settings = settings;
    options.n_settings = 2;
    for (int i = 0; i < RUNS; i++) {
        dosi_table_query *query = NULL;
        dosi_release *release = NULL;
        assert_int_equal(
            dosi_table_query_new(&query, statistics, 1, &options, NULL),
            DOSI_OK);
        assert_int_equal(
            dosi_table_query_read_csv(query, csv, strlen(csv), NULL), DOSI_OK);
        assert_int_equal(
            dosi_table_query_finish(&release, query, NULL), DOSI_OK);
        long units = units_of(dosi_release_row_at(release, 0).value);
        counts[(units % GRID + GRID) % GRID]++;
        dosi_release_free(release);
        dosi_table_query_free(query);
    }
}

/* Noise has a scale of 100 units: a residue expects 30 and more of 3000. */
static void test_released(void **state)
{
    long at_zero[GRID] = {0}, at_one[GRID] = {0};
    (void)state;
    count_residues(at_zero, "x\n0\n");
    count_residues(at_one, "x\n1\n");
    for (int i = 0; i < GRID; i++)
        assert_true(at_zero[i] > 0 && at_one[i] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_doubles),
        cmocka_unit_test(test_released),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
