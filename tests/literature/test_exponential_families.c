/*
 * Exponential families, normal laws and the limits for one data set: values
 * of an independent reference, identities, and the edges of finiteness.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "literature/exponential_families.h"
#include "renyi/renyi.h"

static void check(ball x, double value)
{
    dosi_interval i = ball_interval(x);
    double slack = 2e-16 * fabs(value);
    if (!(i.lo <= value + slack && value - slack <= i.hi) ||
        !(x.rad <= 1e-17 * fabs(value)))
        fail_msg("%.17g +- %g for %.17g", ball_mid(x), x.rad, value);
}

static ball b(double x)
{
    return ball_of(x);
}

static void test_one_parameter(void **state)
{
    (void)state;
    ball odds = ball_log(ball_of(9)); /* logit(0.9), as a real number */
    check(family_divergence(FAMILY_BERNOULLI, odds, ball_neg(odds), b(2)),
        2.0932348638121720); /* randomised response */
    check(family_divergence(FAMILY_POISSON, b(3), b(2), b(2)), 0.5);
    check(family_divergence(FAMILY_POISSON, b(0.5), b(1), b(1.5)),
        0.2071067811865475244);
    check(family_divergence(FAMILY_POISSON, b(3), b(2), b(1)),
        0.2163953243244931459);
    assert_true(
        family_divergence(FAMILY_EXPONENTIAL, b(1), b(2), b(3)).hi == HUGE_VAL);
    /* log(3/2)... by hand: a = 2, rates 2 and 1: log(2^2/(1 * 3)) */
    check(family_divergence(FAMILY_EXPONENTIAL, b(2), b(1), b(2)),
        0.28768207245178093);
    /* log 2 + 1/2 - 1 */
    check(family_divergence(FAMILY_EXPONENTIAL, b(2), b(1), b(1)),
        0.19314718055994531);
    for (family f = FAMILY_BERNOULLI; f <= FAMILY_EXPONENTIAL; f++)
        assert_true(ball_is_zero(family_divergence(f, b(0.7), b(0.7), b(4))));
    /* continuous at order 1 */
    for (family f = FAMILY_BERNOULLI; f <= FAMILY_EXPONENTIAL; f++) {
        ball at = family_divergence(f, b(0.7), b(1.1), b(1));
        ball next = family_divergence(f, b(0.7), b(1.1), b(1 + 0x1p-30));
        assert_true(fabs(ball_mid(ball_sub(next, at))) < 1e-9);
        assert_true(ball_mid(next) > ball_mid(at));
    }
}

static void test_bounds(void **state)
{
    (void)state;
    check(family_local_bound(b(2), b(0.5), b(1), b(0.25)), 0.0625);
    check(family_local_bound(b(100), b(0.5), b(1), b(0.25)), 1);
    check(family_split_bound(b(2), b(0.5), b(9), b(9), b(1), b(2)), 0.375);
    check(family_split_bound(b(9), b(0.5), b(1), b(2), b(9), b(9)), 1.5);
    /* the Gaussian attains it: A = eta^2/2, L = 1 */
    check(family_local_bound(b(7), b(0.25), b(1e9), b(1)),
        ball_mid(renyi_gaussian(b(7), b(0.03125))));
}

static void test_normal_form(void **state)
{
    (void)state;
    const double mean1[] = {1, 0}, mean2[] = {0, 0.5};
    const double s1[] = {2, 0.5, 0.5, 1}, s2[] = {1.5, -0.25, -0.25, 2};
    const double flat[] = {1, 1, 1, 1};
    ball d;
    dosi_error err;
    assert_int_equal(
        family_normal(&d, mean1, s1, mean2, s2, 2, b(1.5), &err), DOSI_OK);
    check(d, 0.93062753467386248);
    assert_int_equal(
        family_normal(&d, mean1, s1, mean2, s2, 2, b(2), &err), DOSI_OK);
    check(d, 1.576177395222593351);
    assert_int_equal(
        family_normal(&d, mean1, s1, mean2, s2, 2, b(3), &err), DOSI_OK);
    assert_true(d.hi == HUGE_VAL);
    assert_int_equal(
        family_normal(&d, mean1, flat, mean2, s2, 2, b(2), &err), DOSI_EDOMAIN);
    /* one dimension by the other function, and equal variances */
    const double m1 = 0.5, m2 = -0.25, v1 = 1.25, v2 = 2;
    assert_int_equal(
        family_normal(&d, &m1, &v1, &m2, &v2, 1, b(3.5), &err), DOSI_OK);
    ball line = family_normal_line(b(m1), b(v1), b(m2), b(v2), b(3.5));
    check(d, ball_mid(line));
    check(family_normal_line(b(1), b(4), b(0), b(4), b(5)), 0.625);
    /* Kullback-Leibler by hand: (log(v2/v1) + (v1 + d^2)/v2 - 1)/2 */
    check(
        family_normal_line(b(1), b(2), b(0), b(1), b(1)), 0.65342640972002737);
    assert_true(
        family_normal_line(b(0), b(2), b(0), b(1), b(2)).hi == HUGE_VAL);
}

static void test_data_sets(void **state)
{
    (void)state;
    check(family_bad_pole(b(1), b(0.5), b(200)), 5.020100502512562814);
    check(family_bad_approx(b(5), b(0.001), b(100000), b(64)),
        1.3088210664482977e-6);
    check(family_good_approx(b(5), b(0.001), b(100000), b(64)),
        6.4032016011204003e-7);
    assert_true(family_bad_approx(b(1), b(0.5), b(200), b(5.1)).hi == HUGE_VAL);
    const double x[] = {0.5, -0.5, 0.25, 0, -0.25, 0.5, 0.5, -0.125};
    check(family_sample_mean_approx(x, 8, -0.5, b(1), b(0.5), b(2)),
        0.02648815034146551613802599);
    check(family_sample_mean_approx(x, 8, -0.5, b(2), b(0.25), b(8)),
        0.007900179984795227042647824);
    /* the same record: no difference */
    ball same = family_sample_mean_approx(x, 8, -0.125, b(2), b(0.25), b(8));
    assert_true(ball_upper(same) < 1e-28);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_parameter),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_normal_form),
        cmocka_unit_test(test_data_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
