/*
 * Conversions of zCDP at their corners and at values of the literature.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "renyi/zcdp.h"

/* Contains the 16 digits given, and is narrow. */
static void check(dosi_interval x, double value, double width)
{
    double slack = 1e-15 * fabs(value);
    assert_true(x.lo <= value + slack && value - slack <= x.hi);
    assert_true(x.hi - x.lo <= width * fabs(value));
}

static void check_ball(ball x, double value)
{
    check(ball_interval(x), value, 1e-15);
}

static ball log_of(double delta)
{
    return ball_log(ball_of(delta));
}

/* Values at 25 digits from an mpmath reference. */
static void test_values(void **state)
{
    (void)state;
    check(zcdp_epsilon(ball_of(0.5), log_of(1e-6)), 5.2215344445301692, 1e-14);
    check(zcdp_alpha(ball_of(1), log_of(1e-6)), 4.508496381168905791, 1e-15);
    check(
        zcdp_log_delta(ball_of(0.5), ball_of(1)), -1.398989278544332979, 1e-15);
    check(zcdp_log_delta(ball_of(5), ball_of(0)), -0.006545077808994238640,
        1e-15);
    check(zcdp_rho(ball_of(1), log_of(1e-10)), 0.01324258376570401328, 1e-14);
    check_ball(
        zcdp_epsilon_simple(ball_of(0.1), log_of(1e-6)), 2.450788000476799693);
    check_ball(zcdp_rho_simple(ball_of(1e-6), log_of(1e-10)),
        1.085736181181667986e-14);
    check_ball(zcdp_variance_simple(ball_of(0.5), log_of(1e-300), ball_of(1)),
        5530.204223185709641);
    check_ball(zcdp_log_delta_simple(ball_of(50), ball_of(100)), -12.5);
    check_ball(zcdp_log_delta_at(ball_of(0.5), ball_of(3), ball_of(2)),
        -4.909542504884438455);
}

static void test_nothing_spent(void **state)
{
    (void)state;
    dosi_interval zero = zcdp_epsilon(ball_of(0), log_of(1e-6));
    assert_true(zero.lo == 0 && zero.hi == 0);
    dosi_interval none = zcdp_log_delta(ball_of(0), ball_of(0));
    assert_true(none.lo == -HUGE_VAL && none.hi == -HUGE_VAL);
    none = zcdp_log_delta(ball_of(1), ball_of(HUGE_VAL));
    assert_true(none.hi == -HUGE_VAL);
    assert_true(zcdp_epsilon(ball_of(1), ball_of(0)).hi == 0);
}

static void test_no_guarantee(void **state)
{
    (void)state;
    assert_true(zcdp_epsilon(ball_of(HUGE_VAL), log_of(0.1)).lo == HUGE_VAL);
    assert_true(zcdp_epsilon(ball_of(1), ball_of(-HUGE_VAL)).lo == HUGE_VAL);
    dosi_interval e = zcdp_epsilon(ball_unknown(), log_of(0.1));
    assert_true(e.lo == 0 && e.hi == HUGE_VAL);
}

/* A negative epsilon is raised to 0, where (0, delta) holds. */
static void test_clamp(void **state)
{
    (void)state;
    dosi_interval e = zcdp_epsilon_unclamped(ball_of(1e-6), log_of(0.1));
    assert_true(e.hi < 0);
    e = zcdp_epsilon(ball_of(1e-6), log_of(0.1));
    assert_true(e.lo == 0 && e.hi == 0);
}

/* Ends beyond doubles stay honest. */
static void test_extremes(void **state)
{
    (void)state;
    /* the optimal t is about e^-1000, log delta about -e^-1000 */
    dosi_interval x = zcdp_log_delta(ball_of(1000), ball_of(0));
    assert_true(x.lo <= 0 && x.lo > -1e-300 && x.hi >= 0);
    /* about -eps^2 / (4 rho) = -2.5e307 */
    x = zcdp_log_delta(ball_of(1e-298), ball_of(1e5));
    assert_true(x.hi <= 0 && x.lo <= -2.4e307);
    x = zcdp_log_delta(ball_of(0x1p-1074), ball_of(1e5));
    assert_true(x.lo == -HUGE_VAL && x.hi <= 0);
    x = zcdp_epsilon(ball_of(1), ball_of(-1e9));
    assert_true(x.lo > 63000 && x.hi < 64000 && x.hi - x.lo < 1e-9);
}

/* Wide inputs give an interval that holds the values at their ends. */
static void test_wide_inputs(void **state)
{
    (void)state;
    ball rho = ball_of_interval((dosi_interval){0.4, 0.6});
    ball log_delta = log_of(1e-6);
    dosi_interval wide = zcdp_epsilon(rho, log_delta);
    assert_true(wide.lo <= zcdp_epsilon(ball_of(0.4), log_delta).lo);
    assert_true(wide.hi >= zcdp_epsilon(ball_of(0.6), log_delta).hi);
    wide = zcdp_log_delta(rho, ball_of(3));
    assert_true(wide.lo <= zcdp_log_delta(ball_of(0.4), ball_of(3)).lo);
    assert_true(wide.hi >= zcdp_log_delta(ball_of(0.6), ball_of(3)).hi);
    ball eps = ball_of_interval((dosi_interval){0.9, 1.1});
    wide = zcdp_rho(eps, log_delta);
    assert_true(wide.lo <= zcdp_rho(ball_of(0.9), log_delta).lo);
    assert_true(wide.hi >= zcdp_rho(ball_of(1.1), log_delta).hi);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_nothing_spent),
        cmocka_unit_test(test_no_guarantee),
        cmocka_unit_test(test_clamp),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_wide_inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
