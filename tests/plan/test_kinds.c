/*
 * The kind table: every row is complete, found by its names, and its ranges
 * hold what their words say.
 */
#include "plan/kinds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void every_row_is_complete(void **state)
{
    (void)state;
    for (int i = 0; i < DOSI_KIND_COUNT; i++) {
        dosi_kind_info info = dosi_kind_at((dosi_kind)i);
        assert_true(strlen(info.name) > 0 && strlen(info.meaning) > 0);
        assert_null(strchr(info.meaning, '\n'));
        dosi_kind found;
        assert_true(dosi_kind_find(&found, info.name, strlen(info.name)));
        assert_int_equal(found, i);
        const kind_row *row = dosi_kind_row((dosi_kind)i);
        for (size_t j = 0; j < info.n_parameters; j++) {
            const char *name = info.parameters[j].name;
            assert_int_equal(
                dosi_kind_find_parameter(row, name, strlen(name)), j);
            assert_true(strlen(info.parameters[j].rule) > 0);
            if (info.parameters[j].has_default)
                assert_true(dosi_kind_range_holds(row->parameters[j].range,
                    info.parameters[j].default_value));
        }
        dosi_kind kind = (dosi_kind)i;
        const char *name;
        for (size_t j = 0; (name = dosi_kind_unit_at(kind, j)) != NULL; j++)
            assert_int_equal(dosi_kind_find_parameter(row, name, strlen(name)),
                info.n_parameters);
    }
    assert_string_equal(dosi_kind_unit_at(DOSI_GAUSSIAN, 1), "sensitivity");
    assert_null(dosi_kind_unit_at(DOSI_GAUSSIAN, 2));
    assert_null(dosi_kind_unit_at(DOSI_COMPOSE, 0));
    assert_null(dosi_kind_unit_at((dosi_kind)DOSI_KIND_COUNT, 0));
}

static void rows_are_those_of_the_header(void **state)
{
    (void)state;
    static const struct {
        dosi_kind kind;
        const char *name;
        size_t n_parameters;
        size_t n_children;
        dosi_safer first;
    } rows[] = {
        {DOSI_GAUSSIAN, "gaussian", 1, 0, DOSI_SAFER_GREATER},
        {DOSI_LAPLACE, "laplace", 1, 0, DOSI_SAFER_GREATER},
        {DOSI_DISCRETE_GAUSSIAN, "discrete_gaussian", 1, 0, DOSI_SAFER_GREATER},
        {DOSI_DISCRETE_LAPLACE, "discrete_laplace", 1, 0, DOSI_SAFER_GREATER},
        {DOSI_RANDOMIZED_RESPONSE, "rr", 2, 0, DOSI_SAFER_SMALLER},
        {DOSI_EXPONENTIAL, "exponential", 1, 0, DOSI_SAFER_SMALLER},
        {DOSI_PURE, "pure", 1, 0, DOSI_SAFER_SMALLER},
        {DOSI_APPROX, "approx", 2, 0, DOSI_SAFER_SMALLER},
        {DOSI_ZCDP, "zcdp", 3, 0, DOSI_SAFER_SMALLER},
        {DOSI_RENYI, "renyi", 2, 0, DOSI_SAFER_GREATER},
        {DOSI_GDP, "gdp", 1, 0, DOSI_SAFER_SMALLER},
        {DOSI_PMF, "pmf", 2, 0, DOSI_SAFER_NEITHER},
        {DOSI_NONPRIVATE, "nonprivate", 0, 0, DOSI_SAFER_GREATER},
        {DOSI_POISSON, "poisson", 1, 1, DOSI_SAFER_SMALLER},
        {DOSI_WITHOUT_REPLACEMENT, "without_replacement", 2, 1,
            DOSI_SAFER_SMALLER},
        {DOSI_WITH_REPLACEMENT, "with_replacement", 2, 1, DOSI_SAFER_SMALLER},
        {DOSI_GROUP, "group", 1, 1, DOSI_SAFER_SMALLER},
        {DOSI_REPEAT, "repeat", 1, 1, DOSI_SAFER_SMALLER},
        {DOSI_COMPOSE, "compose", 0, 2, DOSI_SAFER_GREATER},
        {DOSI_LOSS, "loss", 4, 0, DOSI_SAFER_NEITHER},
    };
    const size_t n_rows = sizeof rows / sizeof rows[0];
    assert_int_equal(n_rows, DOSI_KIND_COUNT);
    for (size_t i = 0; i < n_rows; i++) {
        dosi_kind_info info = dosi_kind_at(rows[i].kind);
        assert_string_equal(info.name, rows[i].name);
        assert_int_equal(info.n_parameters, rows[i].n_parameters);
        assert_int_equal(info.n_children, rows[i].n_children);
        if (info.n_parameters > 0)
            assert_int_equal(info.parameters[0].safer, rows[i].first);
    }
}

static void a_kind_that_is_none_has_an_empty_row(void **state)
{
    (void)state;
    assert_string_equal(dosi_kind_at((dosi_kind)DOSI_KIND_COUNT).name, "");
    assert_string_equal(dosi_kind_at((dosi_kind)-1).name, "");
    assert_null(dosi_kind_row((dosi_kind)1000));
}

static void ranges_hold_what_they_say(void **state)
{
    (void)state;
    static const struct {
        kind_range range;
        double x;
        bool holds;
    } cases[] = {
        {RANGE_POSITIVE, 5e-324, true},
        {RANGE_POSITIVE, 1.7976931348623157e308, true},
        {RANGE_POSITIVE, 0, false},
        {RANGE_POSITIVE, -1, false},
        {RANGE_NONNEGATIVE, 0, true},
        {RANGE_NONNEGATIVE, -5e-324, false},
        {RANGE_PROBABILITY, 0, true},
        {RANGE_PROBABILITY, 1, true},
        {RANGE_PROBABILITY, 1 + 0x1p-52, false},
        {RANGE_PROBABILITY, -5e-324, false},
        {RANGE_ORDER, 1, false},
        {RANGE_ORDER, 1 + 0x1p-52, true},
        {RANGE_CATEGORIES, 1, false},
        {RANGE_CATEGORIES, 2, true},
        {RANGE_COUNT, 0, false},
        {RANGE_COUNT, 1, true},
        {RANGE_COUNT, 1.5, false},
        {RANGE_COUNT, 0x1p53, true},
        {RANGE_COUNT, 0x1p53 + 2, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(
            dosi_kind_range_holds(cases[i].range, cases[i].x), cases[i].holds);
    for (int r = RANGE_POSITIVE; r <= RANGE_COUNT; r++) {
        assert_false(dosi_kind_range_holds((kind_range)r, (double)NAN));
        assert_int_equal(dosi_kind_range_holds((kind_range)r, HUGE_VAL),
            r == RANGE_LOSS);
        assert_false(dosi_kind_range_holds((kind_range)r, -HUGE_VAL));
    }
}

static void aliases_are_names_too(void **state)
{
    (void)state;
    const kind_row *gaussian = dosi_kind_row(DOSI_GAUSSIAN);
    const kind_row *poisson = dosi_kind_row(DOSI_POISSON);
    assert_int_equal(
        dosi_kind_find_parameter(gaussian, "noise_multiplier", 16), 0);
    assert_int_equal(
        dosi_kind_find_parameter(poisson, "sampling_probability", 20), 0);
    assert_int_equal(dosi_kind_find_parameter(poisson, "sample_rate", 11), 0);
    assert_int_equal(dosi_kind_find_parameter(poisson, "sample_rat", 10), 1);
    assert_int_equal(dosi_kind_find_parameter(poisson, "", 0), 1);
    assert_int_equal(dosi_kind_find_parameter(
                         poisson, "sampling_probability sample_rate", 32),
        1);
}

static void the_nearest_name_is_found(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"gausian", "gaussian"},
        {"guassian", "gaussian"}, {"Gaussian", "gaussian"},
        {"laplac", "laplace"}, {"poison", "poisson"},
        {"non_private", "nonprivate"}, {"zCDP", NULL}, {"zcpd", "zcdp"},
        {"x", NULL}, {"tree", NULL}, {"a_name_longer_than_every_kind", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *near = dosi_kind_nearest(cases[i][0], strlen(cases[i][0]));
        if (cases[i][1] == NULL)
            assert_null(near);
        else
            assert_string_equal(near, cases[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_complete),
        cmocka_unit_test(rows_are_those_of_the_header),
        cmocka_unit_test(a_kind_that_is_none_has_an_empty_row),
        cmocka_unit_test(ranges_hold_what_they_say),
        cmocka_unit_test(aliases_are_names_too),
        cmocka_unit_test(the_nearest_name_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
