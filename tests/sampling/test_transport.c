/*
 * Optimal transport and finite samplers: known optima, degenerate tables,
 * the compatibility of Poisson samples, and refusals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "num/interval.h"
#include "sampling/finite_sampler.h"
#include "sampling/transport.h"

static dosi_interval least(const double *from, size_t n, const double *to,
    size_t m, const double *cost)
{
    ball a[8], b[8], c[64];
    for (size_t i = 0; i < n; i++)
        a[i] = ball_of(from[i]);
    for (size_t j = 0; j < m; j++)
        b[j] = ball_of(to[j]);
    for (size_t i = 0; i < n * m; i++)
        c[i] = ball_of(cost[i]);
    transport x = {a, n, b, m, c};
    dosi_interval out;
    dosi_error err;
    assert_int_equal(transport_least(&out, &x, &err), DOSI_OK);
    assert_true(out.hi - out.lo <= 1e-15);
    return out;
}

static void test_line(void **state)
{
    (void)state;
    /* points 0, 1 to 2, 9: 1/2 of 0 to 2, 1/4 of 1 to 2 and to 9 */
    const double from[] = {0.5, 0.5}, to[] = {0.75, 0.25};
    const double cost[] = {0.125, 0.875, 0.0625, 0.75};
    assert_true(iv_contains(least(from, 2, to, 2, cost), 0.265625));
}

/* The first choice has to be taken back. */
static void test_rerouted(void **state)
{
    (void)state;
    const double third[] = {0.25, 0.25, 0.5};
    const double cost[] = {0, 0.5, 1, /* */ 0, 1, 1, /* */ 0.25, 0.5, 0.5};
    /* row 2 must have column 1 (0), row 1 then column 2 (1/8), row 3 the
     * rest at 1/2 */
    assert_true(iv_contains(least(third, 3, third, 3, cost), 0.375));
}

static void test_degenerate(void **state)
{
    (void)state;
    const double one[] = {1}, half[] = {0.5, 0.5}, cost[] = {0.25, 0.75};
    assert_true(iv_contains(least(one, 1, half, 2, cost), 0.5));
    assert_true(iv_contains(least(half, 2, one, 1, cost), 0.5));
    const double same[] = {0, 1, 1, 0};
    assert_true(least(half, 2, half, 2, same).hi == 0);
    transport none = {NULL, 0, NULL, 0, NULL};
    dosi_interval out;
    dosi_error err;
    assert_int_equal(transport_least(&out, &none, &err), DOSI_EUNABLE);
}

static bool compatible(sampler_part other, sampler_metric metric)
{
    const sampler s = {.kind = SAMPLER_POISSON,
        .n = 3,
        .gamma = ball_of(0.25),
        .is_substitute = true};
    sampler_table *table;
    dosi_error err;
    bool yes = false;
    assert_int_equal(sampler_table_new(&table, &s, &err), DOSI_OK);
    assert_int_equal(
        sampler_compatible(&yes, table, other, metric, ball_of(0.625), &err),
        DOSI_OK);
    sampler_table_free(table);
    return yes;
}

static void test_compatible(void **state)
{
    (void)state;
    assert_true(compatible(SAMPLER_SHARED, SAMPLER_METRIC_R));
    assert_false(compatible(SAMPLER_SHARED, SAMPLER_METRIC_S));
    assert_true(compatible(SAMPLER_SECOND, SAMPLER_METRIC_R));
    assert_true(compatible(SAMPLER_SECOND, SAMPLER_METRIC_S));
    assert_false(compatible(SAMPLER_MIXED, SAMPLER_METRIC_R));
    assert_false(compatible(SAMPLER_MIXED, SAMPLER_METRIC_S));
}

/* Three draws of three records: 7/38, at every step of the substitution. */
static void test_with_replacement(void **state)
{
    (void)state;
    const double delta[] = {0.125, 0.25, 0.5};
    sampler s = {.kind = SAMPLER_WITH, .n = 3, .m = 3, .is_substitute = true};
    sampler_table *table;
    dosi_interval cost;
    dosi_error err;
    assert_int_equal(sampler_table_new(&table, &s, &err), DOSI_OK);
    assert_true(
        iv_contains(ball_interval(sampler_table_eta(table)), 19.0 / 27));
    assert_int_equal(sampler_cost(&cost, table, SAMPLER_SECOND,
                         SAMPLER_METRIC_S, (sampler_deltas){delta, 3}, &err),
        DOSI_OK);
    assert_true(iv_contains(cost, 7.0 / 38));
    assert_true(cost.hi - cost.lo < 1e-15);
    sampler_table_free(table);
    s.is_substitute = false;
    s.n = 1; /* the neighbour has nothing to draw from */
    assert_int_equal(sampler_table_new(&table, &s, &err), DOSI_EDOMAIN);
    assert_null(table);
    s = (sampler){.kind = SAMPLER_POISSON, .n = 20, .gamma = ball_of(0.5)};
    assert_int_equal(sampler_table_new(&table, &s, &err), DOSI_EUNABLE);
    sampler_table_free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_rerouted),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_compatible),
        cmocka_unit_test(test_with_replacement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
