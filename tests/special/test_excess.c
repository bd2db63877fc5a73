/*
 * The remainders of convex functions at their corners; the random points
 * are in prop_renyi, whose divergences are sums of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "special/excess.h"
#include "num/scaled.h"

/* Contains the 17 digits given, and is narrow. */
static void check(ball x, double value)
{
    dosi_interval i = ball_interval(x);
    double slack = 2e-16 * fabs(value);
    assert_true(i.lo <= value + slack && value - slack <= i.hi);
    assert_true(x.rad <= 1e-25 * fabs(value));
}

/* mpmath at 60 digits, arguments as doubles */
static void test_values(void **state)
{
    (void)state;
    check(excess_exp(ball_of(1e-20)), 5e-41);
    check(excess_exp(ball_of(-0.125)), 0.0074969025845954029);
    check(excess_exp(ball_of(2)), 4.3890560989306502);
    check(excess_power(ball_of(2), ball_of(0.5), ball_of(1.5)), 0.25);
    check(excess_power(ball_of(-1), ball_of(-0.5), ball_of(0.5)), 0.5);
    check(excess_power(ball_of(3), ball_of(1e-15), ball_of(1 + 1e-15)),
        3.0000000000000014662e-30);
    check(excess_log_sinhc(ball_of(1e-10)), 4.1666666666666666663e-22);
    check(excess_log_sinhc(ball_of(2)), 0.16143936157119563);
    check(excess_log_sinhc(ball_of(1000)), 493.09224472101786);
}

static void test_edges(void **state)
{
    (void)state;
    assert_true(ball_is_zero(excess_exp(ball_of(0))));
    assert_true(ball_is_zero(excess_log_sinhc(ball_of(0))));
    assert_true(ball_is_zero(excess_power(ball_of(1), ball_of(3), ball_of(4))));
    /* x = 0: s - 1 for s > 0, infinite for s < 0 */
    check(excess_power(ball_of(4), ball_of(-1), ball_of(0)), 3);
    ball pole = excess_power(ball_of(-1), ball_of(-1), ball_of(0));
    assert_true(isinf(pole.hi) || ball_is_unknown(pole));
}

static void test_scaled(void **state)
{
    (void)state;
    /* e^5000 e^-4999 + e^1 = 2 e */
    scaled x =
        scaled_mul(scaled_exp(ball_of(5000)), scaled_exp(ball_of(-4999)));
    x = scaled_add(x, scaled_exp(ball_of(1)));
    check(scaled_log(x), 1.6931471805599453);
    /* far apart: the small term only widens */
    scaled big = scaled_exp(ball_of(1e6)), small = scaled_exp(ball_of(1));
    check(scaled_log(scaled_add(big, small)), 1e6);
    check(scaled_log(scaled_add(small, big)), 1e6);
    check(scaled_log1p(big), 1e6);
    check(scaled_log1p(scaled_exp(ball_of(-500))), 7.1245764067412856e-218);
    check(scaled_log1p(scaled_expm1(ball_of(1e5))), 1e5);
    check(scaled_log1p(scaled_expm1(ball_of(1e-30))), 1e-30);
    scaled none = {ball_of(0), 0};
    check(scaled_log(scaled_add(none, small)), 1);
    assert_true(isinf(scaled_log1p(scaled_exp(ball_of(HUGE_VAL))).hi));
    /* 0 over something tiny is 0, and what is not known stays so */
    check(scaled_log1p(scaled_div(none, scaled_exp(ball_of(-1000)))), 0);
    scaled vague = {ball_unknown(), -4000};
    assert_true(ball_is_unknown(scaled_log1p(vague)));
    /* a radius far above the midpoint is kept, and no more */
    scaled charge = {ball_widen(ball_of(0), 0.5), -1119};
    scaled sum = scaled_add(scaled_exp(ball_of(-1500)), charge);
    assert_true(sum.e == -1119 && sum.m.rad >= 0.5 && sum.m.rad < 0.51);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_edges),
        cmocka_unit_test(test_scaled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
