/*
 * The accountant that mechanisms are added to: equal plans share an entry,
 * its answers are those of the composed plan, and large plans stay cheap;
 * the least rho of zCDP against closed forms.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter.h"

static const dosi_plan *plan_of(const char *text)
{
    const dosi_plan *plan = NULL;
    assert_int_equal(
        dosi_plan_parse(&plan, text, strlen(text), NULL), DOSI_OK);
    return plan;
}

static dosi_accountant *start(const char *route)
{
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_accountant *a = NULL;
    options.route = route;
    assert_int_equal(dosi_accountant_new(&a, &options, NULL), DOSI_OK);
    return a;
}

static void add(dosi_accountant *a, const char *text, double count)
{
    const dosi_plan *plan = plan_of(text);
    assert_int_equal(dosi_accountant_add(a, plan, count, NULL), DOSI_OK);
    dosi_plan_free(plan);
}

static void test_entries(void **state)
{
    (void)state;
    dosi_accountant *a = start(NULL);
    for (int i = 0; i < 100; i++) {
        add(a, "gaussian(5)", 1);
        add(a, "poisson(0.01, gaussian(1))", 3);
        add(a, "poisson(0.01, gaussian(2))", 1);
    }
    assert_int_equal(dosi_accountant_entry_count(a), 3);
    const dosi_plan *all = NULL, *normal = NULL, *wanted = NULL;
    assert_int_equal(dosi_accountant_plan(&all, a, NULL), DOSI_OK);
    assert_int_equal(dosi_plan_normal(&normal, all, NULL), DOSI_OK);
    dosi_plan_free(all);
    all = plan_of("gaussian(5) * 100 + poisson(0.01, gaussian(1)) * 300 + "
                  "poisson(0.01, gaussian(2)) * 100");
    assert_int_equal(dosi_plan_normal(&wanted, all, NULL), DOSI_OK);
    assert_true(dosi_plan_equal(normal, wanted));
    dosi_plan_free(all);
    dosi_plan_free(normal);
    dosi_plan_free(wanted);
    dosi_accountant_free(a);
    dosi_accountant_free(NULL);
}

/* Many entries, each found again. */
static void test_table(void **state)
{
    (void)state;
    dosi_accountant *a = start("renyi");
    double rho = 0;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 3000; i++) {
            double sigma = 50 + i / 64.0;
            const dosi_plan *plan = NULL;
            assert_int_equal(
                dosi_plan_gaussian(&plan, sigma, NULL), DOSI_OK);
            assert_int_equal(dosi_accountant_add(a, plan, 2, NULL), DOSI_OK);
            dosi_plan_free(plan);
            rho += 1 / (sigma * sigma);
        }
    assert_int_equal(dosi_accountant_entry_count(a), 3000);
    dosi_answer answer;
    assert_int_equal(
        dosi_accountant_renyi_at_order(&answer, a, 7.5, NULL), DOSI_OK);
    assert_true(fabs(answer.value.lo / (7.5 * rho) - 1) < 1e-12);
    assert_true(fabs(answer.value.hi / (7.5 * rho) - 1) < 1e-12);
    assert_int_equal(
        dosi_accountant_zcdp_at_xi(&answer, a, 0, NULL), DOSI_OK);
    assert_true(isinf(answer.value.hi)); /* the route is renyi */
    dosi_accountant_free(a);
}

/* Questions of the accountant are those of its plan, after each addition. */
static void test_questions(void **state)
{
    (void)state;
    static const char *const added[] = {
        "laplace(4)", "gaussian(3)", "laplace(4)", "approx(0.1, 1e-9)"};
    dosi_accountant *a = start(NULL);
    for (size_t i = 0; i < sizeof added / sizeof *added; i++) {
        add(a, added[i], 1);
        const dosi_plan *all = NULL;
        dosi_answer x, y;
        assert_int_equal(dosi_accountant_plan(&all, a, NULL), DOSI_OK);
        assert_int_equal(
            dosi_accountant_epsilon_at_delta(&x, a, 1e-6, NULL), DOSI_OK);
        assert_int_equal(
            dosi_epsilon_at_delta(&y, all, 1e-6, NULL, NULL), DOSI_OK);
        assert_true(x.value.lo == y.value.lo && x.value.hi == y.value.hi);
        assert_int_equal(
            dosi_accountant_delta_at_epsilon(&x, a, 1, NULL), DOSI_OK);
        assert_int_equal(
            dosi_delta_at_epsilon(&y, all, 1, NULL, NULL), DOSI_OK);
        assert_true(x.value.lo == y.value.lo && x.value.hi == y.value.hi);
        assert_int_equal(dosi_accountant_epsilon_at_log_delta(
                             &x, a, -20, NULL), DOSI_OK);
        assert_true(x.value.lo > 0 && x.value.hi < 10);
        dosi_plan_free(all);
    }
    dosi_accountant_free(a);
}

static void test_empty(void **state)
{
    (void)state;
    dosi_accountant *a = start(NULL);
    dosi_answer x;
    assert_int_equal(
        dosi_accountant_epsilon_at_delta(&x, a, 1e-6, NULL), DOSI_OK);
    assert_true(x.value.hi == 0);
    assert_int_equal(dosi_accountant_zcdp_at_xi(&x, a, 0, NULL), DOSI_OK);
    assert_true(x.value.hi == 0);
    dosi_accountant_free(a);
}

static void test_refusals(void **state)
{
    (void)state;
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_accountant *a = NULL;
    dosi_error err;
    options.route = "nowhere";
    assert_int_equal(dosi_accountant_new(&a, &options, &err), DOSI_EINVAL);
    assert_null(a);
    a = start(NULL);
    const dosi_plan *plan = plan_of("gaussian(1)");
    static const double bad[] = {0, -1, 1.5, NAN, HUGE_VAL, 0x1p54};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(
            dosi_accountant_add(a, plan, bad[i], &err), DOSI_EINVAL);
    assert_int_equal(dosi_accountant_entry_count(a), 0);
    assert_int_equal(dosi_accountant_add(a, plan, 0x1p53, &err), DOSI_OK);
    assert_int_equal(dosi_accountant_add(a, plan, 1, &err), DOSI_EINVAL);
    dosi_plan_free(plan);
    plan = plan_of("gaussian(?)");
    assert_int_equal(dosi_accountant_add(a, plan, 1, &err), DOSI_EINVAL);
    dosi_plan_free(plan);
    dosi_accountant_free(a);
}

/* ---- The least rho ------------------------------------------------------ */

static dosi_answer zcdp_of(const char *text, double xi)
{
    const dosi_plan *plan = plan_of(text);
    dosi_answer answer;
    assert_int_equal(
        dosi_zcdp_at_xi(&answer, plan, xi, NULL, NULL), DOSI_OK);
    dosi_plan_free(plan);
    return answer;
}

static void check_rho(const char *text, double xi, double rho, double tol)
{
    dosi_answer x = zcdp_of(text, xi);
    assert_true(x.value.lo <= rho * (1 + 1e-15));
    assert_true(x.value.hi >= rho * (1 - 1e-15));
    assert_true(x.value.hi - x.value.lo <= tol * rho);
}

static void test_zcdp(void **state)
{
    (void)state;
    check_rho("gaussian(5)", 0, 0.02, 1e-14);
    check_rho("pure(2)", 0, 2 * tanh(1), 1e-11);
    /* Kullback and Leibler's divergence of Laplace noise */
    check_rho("laplace(1)", 0, exp(-1), 1e-11);
    check_rho("gaussian(5) * 20 + pure(0.1) * 3", 0,
        0.4 + 0.3 * tanh(0.05), 1e-10);
    /* D = rho order at every order: an intercept does not help */
    check_rho("gaussian(5)", 0.5, 0.02, 1e-14);
    check_rho("pure(2)", -0.25, 0.25 + 2 * tanh(1), 1e-11);
    /* with the whole epsilon as intercept nothing is left */
    assert_true(zcdp_of("pure(2)", 2).value.hi == 0);
    /* sampling only mixes; at large orders it does not help */
    dosi_answer x = zcdp_of("poisson(0.01, gaussian(1)) * 10", 0);
    assert_true(x.value.lo > 4.99 && x.value.hi >= 5 && x.value.hi < 5.001);
    x = zcdp_of("approx(1, 1e-9)", 0);
    assert_true(x.value.lo == HUGE_VAL && x.reason != NULL);
    const dosi_plan *plan = plan_of("pure(1)");
    assert_int_equal(
        dosi_zcdp_at_xi(&x, plan, NAN, NULL, NULL), DOSI_EINVAL);
    dosi_plan_free(plan);
}

/* The pair of rho at xi is a line above the curve, which it touches. */
static void test_zcdp_touches(void **state)
{
    (void)state;
    const dosi_plan *plan = plan_of("laplace(0.5) + rr(1, 4) * 2");
    for (double xi = 0; xi < 3.5; xi += 0.5) {
        dosi_answer line, curve;
        double gap = HUGE_VAL;
        assert_int_equal(
            dosi_zcdp_at_xi(&line, plan, xi, NULL, NULL), DOSI_OK);
        for (double t = 0x1p-20; t < 1e6; t *= 1.01) {
            assert_int_equal(
                dosi_renyi_at_order(&curve, plan, 1 + t, NULL, NULL),
                DOSI_OK);
            double above = xi + line.value.hi * (1 + t) - curve.value.lo;
            assert_true(above >= 0);
            gap = fmin(gap, above / (1 + t));
        }
        assert_true(gap <= 1e-4 * line.value.hi);
    }
    dosi_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_entries),
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_questions),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_zcdp),
        cmocka_unit_test(test_zcdp_touches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
