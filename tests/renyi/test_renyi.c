/*
 * Rényi divergences at their corners and at values of the literature; random
 * points are in prop_renyi.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "finite/finite_law.h"
#include "renyi/renyi.h"

/* Contains the 17 digits given, and is narrow. */
static void check(ball x, double value)
{
    dosi_interval i = ball_interval(x);
    double slack = 2e-16 * fabs(value);
    assert_true(i.lo <= value + slack && value - slack <= i.hi);
    assert_true(x.rad <= 1e-17 * fabs(value));
}

/* mpmath at 60 digits from the printed formulas */
static void test_curves(void **state)
{
    (void)state;
    ball one = ball_of(1);
    check(renyi_gaussian(ball_of(3), ball_of(0.5)), 1.5);
    check(renyi_laplace(ball_of(2), ball_of(1e-12)), 9.9999999999966663e-25);
    check(renyi_laplace(ball_of(1e4), ball_of(2000)), 1999.9999306833504);
    check(renyi_laplace(one, ball_of(0.5)), 0.10653065971263342);
    check(renyi_rr(ball_of(3), one, 5), 0.62010954836633662);
    check(renyi_rr(ball_of(1 + 0x1p-40), one, 2), 0.46211715726036739);
    check(renyi_rr(one, one, 2), 0.46211715726000976);
    check(renyi_rr(one, one, 3), 0.36417532714874366);
    check(renyi_exponential(ball_of(8), one), 0.67866066262607208);
    check(
        renyi_exponential(ball_of(1.5), ball_of(1e-9)), 2.5000000000000003e-19);
    check(renyi_exponential(one, one), 0.16395341373865285);
    /* against a ternary search over the position of the atoms */
    check(renyi_bounded_range(ball_of(2), one), 0.240229013916555049);
    check(renyi_bounded_range(ball_of(30), ball_of(0.5)), 0.380979834425005455);
}

static void test_limits(void **state)
{
    (void)state;
    ball inf = ball_of(HUGE_VAL), three = ball_of(3), zero = ball_of(0);
    check(renyi_laplace(inf, three), 3);
    check(renyi_rr(inf, three, 4), 3);
    check(renyi_exponential(inf, three), 3);
    check(renyi_bounded_range(inf, three), 3);
    assert_true(ball_is_zero(renyi_laplace(ball_of(2), zero)));
    assert_true(ball_is_zero(renyi_rr(ball_of(2), zero, 2)));
    assert_true(ball_is_zero(renyi_gaussian(inf, zero)));
    /* one mechanism loses less than its dominating law */
    assert_true(ball_less(renyi_bounded_range(ball_of(4), three),
        renyi_exponential(ball_of(4), three)));
    check(renyi_rr_mean_loss(ball_of(40)), 40);
    check(renyi_rr_variance_loss(ball_of(40)), 2.718946723386616934e-14);
    assert_true(ball_is_zero(renyi_rr_mean_loss(zero)));
}

static ball pair_renyi(const double *p, const double *q, size_t n, double order)
{
    finite_law *pair = NULL;
    assert_int_equal(finite_from_pair(&pair, p, q, n, NULL), DOSI_OK);
    ball d = finite_renyi(pair, ball_of(order));
    finite_free(pair);
    return d;
}

static void test_pairs(void **state)
{
    (void)state;
    const double p[] = {0.5, 0.25, 0.25}, q[] = {0.25, 0.25, 0.5};
    check(pair_renyi(p, q, 3, 1), 0.17328679513998633);
    check(pair_renyi(p, q, 3, 2), 0.31845373111853462);
    check(pair_renyi(p, q, 3, HUGE_VAL), 0.69314718055994531);
    check(pair_renyi(p, q, 3, 1e6), 0.6931464874120716016);
}

/* Mass where the other law has none, and where both have none. */
static void test_holes(void **state)
{
    (void)state;
    const double p[] = {0, 1, 0}, q[] = {1, 1, 0};
    /* P puts all on one of two: D = log 2 at every order */
    check(pair_renyi(p, q, 3, 1), 0.69314718055994531);
    check(pair_renyi(p, q, 3, 3.5), 0.69314718055994531);
    check(pair_renyi(p, q, 3, 5000), 0.69314718055994531);
    ball inf = pair_renyi(q, p, 3, 2);
    assert_true(inf.hi == HUGE_VAL);
    inf = pair_renyi(q, p, 3, 1);
    assert_true(inf.hi == HUGE_VAL);
    /* mass without a match behind a matched one, at any order */
    const double late_p[] = {0.9, 0.1}, late_q[] = {1, 0};
    for (double order = 1.5; order < 1e8; order *= 7)
        assert_true(pair_renyi(late_p, late_q, 2, order).hi == HUGE_VAL);
    /* equal laws, given with different sums */
    const double twice[] = {2, 2, 0};
    assert_true(ball_magnitude(pair_renyi(q, twice, 3, 7)) < 1e-29);
}

static void test_rules(void **state)
{
    (void)state;
    ball inf = ball_of(HUGE_VAL);
    check(renyi_mixture(ball_of(2), ball_of(0.3), ball_of(0.1), ball_of(0.4)),
        0.1998070014502006386);
    check(renyi_mixture(ball_of(2), ball_of(0), ball_of(0.1), inf), 0.1);
    check(renyi_mixture(ball_of(2), ball_of(1), inf, ball_of(0.4)), 0.4);
    assert_true(
        isinf(renyi_mixture(ball_of(2), ball_of(0.5), inf, ball_of(0)).hi));
    /* the map of T000-33.7 is an involution */
    ball partner = renyi_group_partner(ball_of(2.5), ball_of(7));
    check(renyi_group_partner(ball_of(2.5), partner), 7);
    check(renyi_group_zcdp(ball_of(1e-12), ball_of(3)), 3.000003464102615138);
    /* conversion and its inverse */
    ball a = ball_of(1 + 0x1p-30), d = ball_of(0.25);
    ball eps = renyi_epsilon(a, d, ball_of(-20));
    check(renyi_log_delta(a, d, eps), -20);
    check(renyi_epsilon(inf, d, ball_of(-20)), 0.25);
    check(
        renyi_epsilon_simple(ball_of(32), ball_of(1), ball_log(ball_of(1e-30))),
        3.228308154510366788);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curves),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
