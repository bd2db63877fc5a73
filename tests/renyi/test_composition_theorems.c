/*
 * Composition of stated (epsilon, delta) guarantees: values of the
 * literature, and the edge where the target delta is used up.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "renyi/composition_theorems.h"
#include "renyi/zcdp.h"

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

static approx_total times(double count, double eps, double delta)
{
    return approx_total_add(
        approx_total_empty(), ball_of(eps), ball_of(delta), ball_of(count));
}

/* Values at 25 digits from an mpmath reference. */
static void test_values(void **state)
{
    (void)state;
    approx_total total = times(1000, 0.01, 1e-12);
    dosi_interval slack = approx_slack(&total, ball_of(1e-6));
    check(approx_epsilon(&total, slack), 1.712318324407082886, 1e-14);
    total = times(100, 0.1, 1e-9);
    slack = approx_slack_product(&total, ball_of(1e-6));
    check(approx_epsilon_cdp(&total, slack), 5.242960632203597353, 1e-14);
    check_ball(approx_older_epsilon(
                   ball_of(1e6), ball_of(0.001), ball_log(ball_of(1e-30))),
        12.75444016909234004);
    check_ball(approx_lie_probability(ball_of(30), ball_of(1e-9)),
        9.357622959481675985e-14);
    check_ball(approx_replace_delta(ball_of(5), ball_of(1e-30)),
        1.494131591025766159e-28);
}

/* (1 + e^eps) delta where e^eps alone is beyond doubles. */
static void test_replace_large(void **state)
{
    (void)state;
    dosi_interval d =
        ball_interval(approx_replace_delta(ball_of(720), ball_of(1e-300)));
    check(d, 4920700930263.815841, 1e-15);
}

static void test_slack_sign(void **state)
{
    (void)state;
    /* 8 * 2^-23 = 2^-20 exactly: nothing is left, the sum alone holds */
    approx_total total = times(8, 0.5, 0x1p-23);
    dosi_interval slack = approx_slack(&total, ball_of(0x1p-20));
    assert_true(slack.lo == 0 && slack.hi == 0);
    dosi_interval eps = approx_epsilon(&total, slack);
    assert_true(eps.lo == 4 && eps.hi == 4);
    /* 6 fl(1e-9) against fl(6e-9): decided by the doubles' last bits */
    total = times(6, 0.5, 1e-9);
    slack = approx_slack(&total, ball_of(6e-9));
    double exact = fma(6, -1e-9, 6e-9);
    assert_true(exact != 0 && fabs(exact) < 1e-24);
    assert_true(slack.lo <= exact && exact <= slack.hi);
    assert_int_equal(slack.lo > 0, exact > 0);
    assert_int_equal(slack.hi < 0, exact < 0);
    /* too little */
    slack = approx_slack(&total, ball_of(5.9e-9));
    assert_true(slack.hi < 0);
    assert_true(approx_epsilon(&total, slack).lo == HUGE_VAL);
    assert_true(approx_epsilon_cdp(&total, slack).lo == HUGE_VAL);
}

/* The product form leaves more, and settles one mechanism's own delta. */
static void test_slack_product(void **state)
{
    (void)state;
    approx_total total = times(10, 0.1, 1e-3);
    dosi_interval linear = approx_slack(&total, ball_of(0.02));
    dosi_interval product = approx_slack_product(&total, ball_of(0.02));
    assert_true(linear.hi < product.lo);
    total = times(1, 0.1, 1e-3);
    product = approx_slack_product(&total, ball_of(1e-3));
    assert_true(product.lo == 0 && product.hi < 1e-28);
    dosi_interval eps = approx_epsilon(&total, product);
    assert_true(eps.lo <= 0.1 && eps.hi == 0.1);
    /* exact without leaks, subnormal delta included */
    total = times(10, 0.1, 0);
    product = approx_slack_product(&total, ball_of(0x1p-1074));
    assert_true(product.lo == 0x1p-1074 && product.hi == 0x1p-1074);
}

static void test_nothing_added(void **state)
{
    (void)state;
    approx_total total = times(0, 1, 0.5);
    dosi_interval eps =
        approx_epsilon_cdp(&total, approx_slack(&total, ball_of(0.1)));
    assert_true(eps.lo == 0 && eps.hi == 0);
    dosi_interval d = approx_log_delta(&total, ball_of(0));
    assert_true(d.hi == -HUGE_VAL);
}

static void test_infinite(void **state)
{
    (void)state;
    approx_total total = times(3, HUGE_VAL, 0);
    assert_true(ball_lower(total.eps) == HUGE_VAL);
    dosi_interval eps =
        approx_epsilon(&total, approx_slack(&total, ball_of(0.1)));
    assert_true(eps.hi == HUGE_VAL);
}

/* Delta at the epsilon that was certified at delta is that delta. */
static void test_round_trip(void **state)
{
    (void)state;
    const double deltas[] = {1e-3, 1e-9, 1e-100, 1e-300};
    for (int i = 0; i < 4; i++) {
        approx_total total = times(400, 0.05, deltas[i] / 1000);
        dosi_interval slack = approx_slack_product(&total, ball_of(deltas[i]));
        dosi_interval eps = approx_epsilon_cdp(&total, slack);
        dosi_interval d = approx_log_delta(&total, ball_of(eps.hi));
        double want = log(deltas[i]);
        if (eps.hi < 20 - 1e-9) /* below the sum of the epsilons */
            assert_true(fabs(d.lo - want) < 1e-9 * -want &&
                        fabs(d.hi - want) < 1e-9 * -want);
        else /* only the leaks remain */
            assert_true(d.hi <= log(deltas[i] * 0.4001));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_replace_large),
        cmocka_unit_test(test_slack_sign),
        cmocka_unit_test(test_slack_product),
        cmocka_unit_test(test_nothing_added),
        cmocka_unit_test(test_infinite),
        cmocka_unit_test(test_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
