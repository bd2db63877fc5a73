/*
 * Amplification by sampling at its corners and at values of the literature;
 * the inequalities at random points are in prop_amplify.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "sampling/amplify.h"

/* Contains the 17 digits given, and is narrow. */
static void check(ball x, double value)
{
    dosi_interval i = ball_interval(x);
    double slack = 2e-16 * fabs(value);
    assert_true(i.lo <= value + slack && value - slack <= i.hi);
    assert_true(x.rad <= 1e-20 * fabs(value));
}

/* values of 25 digits from an independent reference */
static void test_values(void **state)
{
    (void)state;
    ball p = ball_of(1e-12);
    check(amplify_epsilon(p, ball_of(1)), 1.718281828457568954578875e-12);
    check(amplify_epsilon(p, ball_of(700)), 672.3689788840714517716708);
    check(amplify_epsilon(ball_of(1e-6), ball_of(2000)),
        1986.184489442035725850640);
    check(amplify_epsilon_base_first(p, ball_of(0.001)),
        9.995001666250088321375108e-16);
    check(amplify_base_epsilon(ball_of(1e-6), ball_of(0.1)),
        11.56335160520692427217817);
    check(amplify_delta_base_first(ball_of(0.01), ball_of(1), ball_of(1e-6)),
        3.702196758553524413313033e-9);
    check(amplify_large_order(
              ball_of(1e-6), ball_of(3), ball_mul_d(ball_of(0.1), 3)),
        3.321041004758741919857945e-7);
    check(amplify_analytic(ball_of(1e-4), ball_of(0.5), ball_of(6), ball_of(8)),
        1.401231801577609873118191e-7);
}

static void test_corners(void **state)
{
    (void)state;
    ball zero = ball_of(0), one = ball_of(1), inf = ball_of(HUGE_VAL);
    ball half = ball_of(0.5);
    assert_true(ball_is_zero(amplify_epsilon(zero, inf)));
    assert_true(ball_is_zero(amplify_epsilon(half, zero)));
    check(amplify_epsilon(one, ball_of(3)), 3);
    assert_true(isinf(amplify_epsilon(half, inf).hi));
    /* without the record nothing is revealed with probability 1 - p */
    check(amplify_epsilon_base_first(half, inf), 0.69314718055994531);
    assert_true(isinf(amplify_epsilon_base_first(one, inf).hi));
    assert_true(ball_is_zero(amplify_epsilon_base_first(zero, inf)));
    assert_true(ball_is_zero(amplify_delta_base_first(half, inf, ball_of(0.1))));
    assert_true(isinf(amplify_base_epsilon(half, inf).hi));
    /* close to the overflow of e^eps/p */
    check(amplify_base_epsilon(ball_of(1e-30), ball_of(709)),
        778.07755278982137045);
    assert_true(isinf(amplify_large_order(half, ball_of(2), inf).hi));
}

/* The corrected omega: log(1/p)/(4 rho), not log(1/p)/(4 p). */
static void test_omega(void **state)
{
    (void)state;
    check(amplify_omega(ball_of(1e-8), ball_of(1)), 4.605170185988091362805343);
    assert_true(amplify_slope_applies(ball_of(1e-6), ball_of(0.01)));
    assert_false(amplify_slope_applies(ball_of(0.01), ball_of(1e-6)));
    /* outside of p <= 1/2 and rho <= 1 it never does */
    assert_false(amplify_slope_applies(ball_of(0.6), ball_of(0.5)));
    assert_false(amplify_slope_applies(ball_of(1e-12), ball_of(1.0000001)));
    assert_false(amplify_slope_applies(ball_of(0), ball_of(0.5)));
}

static void test_quadratic(void **state)
{
    (void)state;
    /* 1 - 1/e = 0.63212055882855767840... */
    assert_true(amplify_rate_is_small(ball_of(0.632120558828557)));
    assert_false(amplify_rate_is_small(ball_of(0.632120558828558)));
    ball p = ball_of(0.05);
    assert_true(amplify_quadratic_applies(p, ball_of(200), ball_of(2)));
    assert_false(amplify_quadratic_applies(p, ball_of(200), ball_of(5)));
    assert_true(amplify_quadratic_applies(p, ball_of(1), ball_of(1e6)));
    assert_false(
        amplify_quadratic_applies(ball_of(0.7), ball_of(1), ball_of(2)));
}

/* An enormous second term leaves the logarithm, not the range. */
static void test_large(void **state)
{
    (void)state;
    ball x =
        amplify_analytic(ball_of(0.5), ball_of(100), ball_of(50), ball_of(60));
    /* (60 log(24.5) + 59 60 100)/49, the rest is below e^-350000 */
    check(x, 7228.4065385112865485);
    x = amplify_analytic(ball_of(0.5), ball_of(1000), ball_of(50), ball_of(60));
    assert_false(ball_is_unknown(x));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_omega),
        cmocka_unit_test(test_quadratic),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
