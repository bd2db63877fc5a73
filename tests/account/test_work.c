/*
 * How much work a question takes, in subtractions of balls and in powers of
 * laws, never in time: a plan that is cheap to answer stays so. Linked with
 * --wrap for ball_sub and finite_power, which are counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dosimeter.h"
#include "finite/finite_law.h"
#include "renyi/poisson_base_renyi.h"

static size_t n_subtracted, n_large_powers;

ball __real_ball_sub(ball a, ball b);
ball __wrap_ball_sub(ball a, ball b);
dosi_status __real_finite_power(finite_law **out, const finite_law *law,
    double k, size_t max_terms, dosi_error *err);
dosi_status __wrap_finite_power(finite_law **out, const finite_law *law,
    double k, size_t max_terms, dosi_error *err);

ball __wrap_ball_sub(ball a, ball b)
{
    n_subtracted++;
    return __real_ball_sub(a, b);
}

dosi_status __wrap_finite_power(finite_law **out, const finite_law *law,
    double k, size_t max_terms, dosi_error *err)
{
    n_large_powers += k >= 1000;
    return __real_finite_power(out, law, k, max_terms, err);
}

/* k runs of randomized response on a Poisson sample. */
static finite_law *sampled_runs(double epsilon, double rate, double k)
{
    finite_law *one = NULL, *sampled = NULL, *power = NULL;
    assert_int_equal(
        finite_leaky_response(&one, ball_of(epsilon), ball_of(0), NULL),
        DOSI_OK);
    assert_int_equal(finite_poisson(&sampled, one, ball_of(rate),
                         FINITE_MIXTURE_FIRST, NULL),
        DOSI_OK);
    assert_int_equal(finite_power(&power, sampled, k, 0, NULL), DOSI_OK);
    assert_int_equal(finite_count(power), (size_t)k + 1);
    finite_free(one);
    finite_free(sampled);
    return power;
}

static void assert_meet(dosi_interval a, dosi_interval b, double width)
{
    assert_true(fmax(a.lo, b.lo) <= fmin(a.hi, b.hi));
    assert_true(a.hi - a.lo <= width * fabs(a.hi));
}

/* 2000 runs and 6000 runs are 8000 runs, and a value costs a sum over the
 * shorter law: losses lie so close that A - e^eps B cancels nearly
 * everywhere. */
static void test_product_value(void **state)
{
    (void)state;
    finite_law *a = sampled_runs(0.1, 1e-5, 2000);
    finite_law *b = sampled_runs(0.1, 1e-5, 6000);
    finite_law *all = sampled_runs(0.1, 1e-5, 8000);
    for (double eps = 0; eps < 8e-4; eps += 1e-4) {
        n_subtracted = 0;
        dosi_interval x = finite_product_log_delta(a, b, ball_of(eps));
        assert_true(n_subtracted < 2 * finite_count(a));
        assert_meet(x, finite_log_delta(all, ball_of(eps)), 1e-14);
    }
    finite_free(a);
    finite_free(b);
    finite_free(all);
}

/* Most atoms have masses that do not matter. */
static void test_product_range(void **state)
{
    (void)state;
    const double deltas[] = {1e-3, 1e-10, 1e-100, 1e-300};
    finite_law *a = sampled_runs(0.1, 0.01, 30000);
    finite_law *b = sampled_runs(0.1, 0.01, 31000);
    finite_law *all = sampled_runs(0.1, 0.01, 61000);
    for (size_t i = 0; i < sizeof deltas / sizeof *deltas; i++) {
        ball delta = ball_of(deltas[i]), log_delta = ball_log(delta);
        n_subtracted = 0;
        dosi_interval x = finite_product_epsilon(a, b, delta, log_delta);
        assert_true(n_subtracted < finite_count(a));
        assert_meet(x, finite_epsilon(all, delta, log_delta), 1e-15);
    }
    finite_free(a);
    finite_free(b);
    finite_free(all);
}

/* A power has at least that many atoms, and none where it says so. */
static void test_power_least(void **state)
{
    (void)state;
    const double p[] = {0.5, 0.3, 0.2}, q[] = {0.2, 0.3, 0.5};
    finite_law *law = NULL, *power = NULL;
    assert_int_equal(finite_from_pair(&law, p, q, 3, NULL), DOSI_OK);
    assert_int_equal(finite_power_min_atoms(law, 0, 0), 1);
    assert_int_equal(finite_power_min_atoms(law, 1, 0), 3);
    assert_int_equal(finite_power_min_atoms(law, 20, 0), 41);
    assert_int_equal(finite_power(&power, law, 20, 0, NULL), DOSI_OK);
    assert_true(finite_count(power) >= 41);
    finite_free(power);
    assert_int_equal(finite_power_min_atoms(law, 20, 40), 0);
    assert_int_equal(finite_power(&power, law, 20, 40, NULL), DOSI_EUNABLE);
    assert_null(power);
    finite_free(law);
}

/* Three parts that cannot be convolved: only the two large ones alone, in
 * both directions, are enumerated. */
static void test_declined_before(void **state)
{
    (void)state;
    static const char text[] = "poisson(0.001, gaussian(5)) * 6000 + "
                               "poisson(0.002, gaussian(4)) * 7000 + "
                               "laplace(20) * 3";
    const dosi_plan *plan = NULL;
    dosi_answer answer;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.route = "finite";
    assert_int_equal(
        dosi_plan_parse(&plan, text, sizeof text - 1, NULL), DOSI_OK);
    n_large_powers = 0;
    assert_int_equal(
        dosi_epsilon_at_delta(&answer, plan, 1e-5, &options, NULL), DOSI_OK);
    assert_true(answer.value.lo > 0);
    assert_true(n_large_powers <= 4);
    dosi_plan_free(plan);
}

/* An order that takes millions of nodes is not waited for, and an accountant
 * bounds it otherwise. */
static void test_large_order(void **state)
{
    (void)state;
    ball rate = ball_of(0.236);
    chi_law law = chi_gaussian(ball_div(ball_of(1), ball_of(17.6)));
    n_subtracted = 0;
    (void)sampled_law_renyi_quick(
        SAMPLED_BASE_FIRST, &law, rate, ball_of(1e9));
    assert_true(n_subtracted < 500000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_product_value),
        cmocka_unit_test(test_product_range),
        cmocka_unit_test(test_power_least),
        cmocka_unit_test(test_declined_before),
        cmocka_unit_test(test_large_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
