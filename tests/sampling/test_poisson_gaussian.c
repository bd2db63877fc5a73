/*
 * One round of the sampled Gaussian at its corners: both directions, real
 * orders by the integral, the sum at whole orders, and the rounds built on
 * them. Random points are in prop_renyi and prop_amplify.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "noise/gaussian.h"
#include "renyi/poisson_base_renyi.h"
#include "renyi/poisson_renyi.h"
#include "literature/dpsgd_renyi.h"

static void check_interval(dosi_interval x, double value, double width)
{
    double slack = 2e-16 * fabs(value);
    assert_true(x.lo <= value + slack && value - slack <= x.hi);
    assert_true(x.hi - x.lo <= width * fabs(value));
}

/* Contains the 17 digits given, and is narrow. */
static void check(ball x, double value)
{
    check_interval(ball_interval(x), value, 1e-15);
}

#define ADD SAMPLED_MIXTURE_FIRST
#define REM SAMPLED_BASE_FIRST

static ball renyi(sampled_side side, double p, double mu, double order)
{
    return sampled_gaussian_renyi(
        side, ball_of(p), ball_of(mu), ball_of(order));
}

/* A dozen digits of the value. */
static void check_moment(ball x, double value)
{
    check_interval(ball_interval(x), value, 1e-12);
}

/* values of 25 digits from an independent reference */
static void test_renyi_values(void **state)
{
    (void)state;
    check_moment(renyi(ADD, 0.01, 1, 2.5), 2.175753322818804617e-4);
    check_moment(renyi(REM, 0.01, 1, 2.5), 1.981732890637608088e-4);
    check_moment(renyi(ADD, 0.3, 0.5, 1.5), 0.01839131921889508010);
    check_moment(renyi(REM, 0.3, 0.5, 1.5), 0.01654457625246879062);
    check_moment(renyi(ADD, 0.05, 1, 3.5), 0.009130678452710554687);
}

static void test_renyi_corners(void **state)
{
    (void)state;
    assert_true(ball_is_zero(renyi(ADD, 0, 1, 2.5)));
    assert_true(ball_is_zero(renyi(REM, 0.5, 0, 2.5)));
    check(renyi(ADD, 1, 2, 2.5), 5);
    check(renyi(REM, 1, 2, 2.5), 5);
    /* tiny everything: order p^2 mu^2/2 to first order */
    check_moment(renyi(ADD, 1e-8, 0x1p-30, 1.5), 6.5052130349130268791e-35);
    /* no overflow: order rho - order/(order-1) log(1/p) at large orders */
    ball x = renyi(ADD, 0.5, 100, 1000.5);
    assert_true(fabs(ball_mid(x) - 5002499.3061593) < 1e-3);
    assert_true(x.rad <= 1e-12 * x.hi);
    /* base first never exceeds log(1/(1-p)) */
    x = renyi(REM, 0.5, 100, 5000.5);
    assert_true(ball_lower(x) <= 0.6931471805599454);
    assert_true(x.rad <= 1e-12);
    assert_true(ball_less(ball_of(0.693), x));
}

static void test_profiles(void **state)
{
    (void)state;
    ball p = ball_of(0.5), mu = ball_of(0.5), zero = ball_of(0);
    check(sampled_gaussian_delta(ADD, p, mu, ball_of(0.3)),
        0.02366527159809648117);
    /* the total variation is p times that of the Gaussian, both ways */
    ball tv = ball_scale2(gauss_delta(mu, zero), -1);
    check(sampled_gaussian_delta(ADD, p, mu, zero), ball_mid(tv));
    check(sampled_gaussian_delta(REM, p, mu, zero), ball_mid(tv));
    /* beyond log(1/(1-p)) nothing is left */
    ball d = sampled_gaussian_delta(REM, p, mu, ball_of(0.6931471805599454));
    assert_true(ball_is_zero(d));
    d = sampled_gaussian_delta(REM, p, mu, ball_of(0.693147));
    assert_true(ball_is_positive(d) || ball_upper(d) < 1e-300);
    /* p = 1 is the Gaussian */
    ball one = ball_of(1), full = gauss_delta(mu, one);
    check(sampled_gaussian_delta(ADD, one, mu, one), ball_mid(full));
    check(sampled_gaussian_delta(REM, one, mu, one), ball_mid(full));
    d = sampled_gaussian_log_delta(ADD, zero, mu, zero);
    assert_true(d.hi == -HUGE_VAL);
    /* delta underflows, its logarithm does not */
    d = sampled_gaussian_log_delta(ADD, p, mu, ball_of(100));
    assert_true(ball_upper(d) < -19000 && d.rad < 1e-15 * fabs(d.hi));
}

static void test_sum(void **state)
{
    (void)state;
    ball rho = ball_of(0.5), d;
    assert_int_equal(sampled_renyi_once(&d, ball_of(0.01), 8,
                         renyi_curve_gaussian, &rho, NULL),
        DOSI_OK);
    check(d, 0.00089364390760603189);
    ball eps = ball_of(1);
    assert_int_equal(
        sampled_renyi_once(&d, ball_of(0.01), 16, renyi_curve_pure, &eps, NULL),
        DOSI_OK);
    check(d, 0.001410481494549331441);
    /* a base without a guarantee */
    ball inf = ball_of(HUGE_VAL);
    assert_int_equal(sampled_renyi_once(&d, ball_of(0.01), 5,
                         renyi_curve_gaussian, &inf, NULL),
        DOSI_OK);
    assert_true(isinf(d.hi));
    dosi_error err;
    assert_int_equal(sampled_renyi_once(&d, ball_of(0.01), 1e9,
                         renyi_curve_gaussian, &rho, &err),
        DOSI_EUNABLE);
    assert_int_equal(sampled_renyi_replace(&d, ball_of(0.01), 2,
                         renyi_curve_gaussian, &rho, NULL),
        DOSI_OK);
    check(d, 7.160041483569718799e-4);
    assert_int_equal(sampled_renyi_replace(&d, ball_of(0.01), 1e6,
                         renyi_curve_gaussian, &rho, &err),
        DOSI_EUNABLE);
}

static void test_rounds(void **state)
{
    (void)state;
    double orders[255];
    for (int i = 0; i < 255; i++)
        orders[i] = i + 2;
    sampled_rounds s = {0.004, 3750, 1, orders, 255};
    dosi_interval eps, order, sigma;
    dosi_error err;
    assert_int_equal(
        sampled_rounds_epsilon(&eps, &order, &s, 0.8, 1e-5, &err), DOSI_OK);
    check_interval(eps, 2.639455886899854255, 1e-15);
    assert_true(order.lo == 6 && order.hi == 6);
    s = (sampled_rounds){0.01, 1000, 1, orders, 63};
    assert_int_equal(sampled_rounds_sigma(&sigma, &s, 1, 1e-5, &err), DOSI_OK);
    check_interval(sigma, 1.5131221626072100830, 1e-14);
    /* orders up to 64 alone cost more than 0.01 at delta = 1e-5 */
    assert_int_equal(
        sampled_rounds_sigma(&sigma, &s, 0.01, 1e-5, &err), DOSI_EDOMAIN);
    const double many[] = {1e9};
    s = (sampled_rounds){0.01, 1000, 1, many, 1};
    assert_int_equal(
        sampled_rounds_epsilon(&eps, &order, &s, 1, 1e-5, &err), DOSI_EUNABLE);
    sampled_naive n = sampled_rounds_naive(
        ball_of(0.01), ball_of(10000), ball_of(0.25), ball_of(1e-5));
    check_interval(n.base, 1.216091811689811601, 1e-14);
    check_interval(n.sampled, 0.02346235174237099771, 1e-14);
    check_interval(n.total, 14.34484060710738815, 1e-14);
    /* delta/(2 T p) >= 1 asks for nothing */
    n = sampled_rounds_naive(
        ball_of(1e-6), ball_of(1), ball_of(0.25), ball_of(1e-5));
    assert_true(n.total.lo == 0 && n.total.hi == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_renyi_values),
        cmocka_unit_test(test_renyi_corners),
        cmocka_unit_test(test_profiles),
        cmocka_unit_test(test_sum),
        cmocka_unit_test(test_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
