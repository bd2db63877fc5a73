/*
 * Least mu, its limit, curves and risk against values by other means: closed
 * forms, all vertices of a binomial pair, and the source's numbers, at 25
 * digits by mpmath.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dosimeter.h"

static const dosi_plan *plan_of(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    assert_int_equal(
        dosi_plan_parse(&plan, text, strlen(text), &err), DOSI_OK);
    return plan;
}

static void assert_near(dosi_interval x, double value, double width)
{
    /* the reference is rounded */
    double slack = 1e-14 * fabs(value);
    assert_true(x.lo <= value + slack && value - slack <= x.hi);
    assert_true(x.hi - x.lo <= width * fabs(value));
}

static dosi_answer gdp_of(const char *text, double floor)
{
    const dosi_plan *plan = plan_of(text);
    dosi_answer out;
    assert_int_equal(
        dosi_gdp_at_floor(&out, plan, floor, NULL, NULL), DOSI_OK);
    dosi_plan_free(plan);
    return out;
}

static double isf(double p)
{
    double lo = -40, hi = 40;
    for (int i = 0; i < 200; i++) {
        double x = lo / 2 + hi / 2;
        *(erfc(x / sqrt(2)) / 2 > p ? &lo : &hi) = x;
    }
    return lo;
}

static void test_closed(void **state)
{
    (void)state;
    const double floors[] = {0, 1e-9, 1e-6, 0.01};
    for (int i = 0; i < 4; i++) {
        double f = floors[i];
        assert_near(gdp_of("gaussian(2) * 5", f).value,
            1.1180339887498949, 2e-7);
        assert_near(
            gdp_of("gdp(3) + gdp(4)", f).value, 5, f > 0.001 ? 1 : 2e-7);
        assert_near(gdp_of("pure(1)", f).value, 1.2320353853449023, 2e-7);
        assert_near(gdp_of("laplace(1)", f).value, 1.0300639976244339, 2e-7);
        /* the largest over all vertices of B(100, p) against B(100, 1 - p) */
        assert_near(
            gdp_of("pure(0.1) * 100", f).value, 1.0022865657444140, 2e-7);
    }
    dosi_answer none = gdp_of("pure(0)", 0);
    assert_true(none.value.lo == 0 && none.value.hi == 0);
}

/* The far tail decides: as if nothing were sampled. */
static void test_sampled(void **state)
{
    (void)state;
    const char *text = "poisson(0.01, gaussian(2)) * 100";
    assert_near(gdp_of(text, 0).value, 5, 1e-12);
    dosi_answer with_floor = gdp_of(text, 1e-6);
    assert_true(with_floor.value.hi < 0.1);
    assert_true(with_floor.value.hi - with_floor.value.lo <=
                1e-6 * with_floor.value.hi);
    /* more tests count, a greater mu */
    assert_true(
        gdp_of(text, 1e-9).value.hi >= with_floor.value.lo);
}

static double normal_above(double x)
{
    return erfc(x / sqrt(2)) / 2;
}

/* The power of the best test at a tiny floor differs from it in the last
 * digits of beta only; G_mu allows that test. */
static void test_rare_jumps(void **state)
{
    (void)state;
    static const char text[] = "poisson(0.00019, gaussian(1.39)) * 20";
    const double floor = 4.33e-9;
    const dosi_plan *plan = plan_of(text);
    dosi_answer beta;
    assert_int_equal(
        dosi_tradeoff_at_alpha(&beta, plan, floor, NULL, NULL), DOSI_OK);
    dosi_plan_free(plan);
    dosi_interval mu = gdp_of(text, floor).value;
    assert_true(normal_above(isf(floor) - mu.hi) >=
                (1 - beta.value.hi) * (1 - 1e-7));
    assert_true(mu.hi - mu.lo <= 1e-5 * mu.hi);
}

/* A record replaced in a Poisson sample of N(0, 1) moves it from
 * (1-q) N(0) + q N(-m) to (1-q) N(0) + q N(m): the test that rejects above t
 * needs the mu isf(alpha) + isf(beta), and 2m is enough for all tests. */
static void test_sampled_replace(void **state)
{
    (void)state;
    const double rates[] = {0.05, 0.3, 0.577, 0.9, 0.999999};
    const double m = 0.5;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.neighbours = DOSI_REPLACE;
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        char text[64];
        double q = rates[i], most = 0;
        snprintf(text, sizeof text, "poisson(%.17g, gaussian(2))", q);
        const dosi_plan *plan = plan_of(text);
        dosi_answer out;
        assert_int_equal(
            dosi_gdp_at_floor(&out, plan, 0, &options, NULL), DOSI_OK);
        for (double t = -5; t <= 5; t += 1.0 / 64) {
            double alpha = (1 - q) * normal_above(t) + q * normal_above(t + m);
            double beta = (1 - q) * normal_above(-t) + q * normal_above(m - t);
            most = fmax(most, isf(alpha) + isf(beta));
        }
        assert_true(most <= out.value.hi + 1e-12);
        assert_true(out.value.hi <= 2 * m + 1e-12);
        assert_true(out.value.lo >= most * (1 - 1e-3));
        dosi_plan_free(plan);
    }
}

static void test_leak(void **state)
{
    (void)state;
    dosi_answer all = gdp_of("approx(1, 1e-6) * 3", 0);
    assert_true(all.value.lo == HUGE_VAL && all.value.hi == HUGE_VAL);
    assert_non_null(all.reason);
    dosi_answer some = gdp_of("approx(1, 1e-6) * 3", 1e-4);
    assert_true(some.value.hi < 2.2);
    dosi_answer open = gdp_of("zcdp(0.1)", 0);
    assert_true(open.value.hi == HUGE_VAL);
    assert_non_null(open.reason);
}

static void test_refused(void **state)
{
    (void)state;
    const dosi_plan *plan = plan_of("gaussian(1)");
    const double floors[] = {-1e-3, 0.5, 1, NAN};
    dosi_answer out;
    dosi_risk risk;
    for (int i = 0; i < 4; i++)
        assert_int_equal(
            dosi_gdp_at_floor(&out, plan, floors[i], NULL, NULL),
            DOSI_EINVAL);
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            dosi_risk_of_plan(&risk, plan, i, NULL, NULL), DOSI_EINVAL);
    dosi_plan_free(plan);
}

/* No test of the curve that counts needs more, and one needs that much. */
static void test_curve_below(void **state)
{
    (void)state;
    const char *texts[] = {"poisson(0.02, gaussian(1)) * 500",
        "gaussian(3) * 4 + pure(0.3) * 5", "rr(1, categories=4) * 10",
        "pmf([0.2,0.3,0.5],[0.5,0.3,0.2]) * 3"};
    double alphas[200];
    dosi_answer beta[200];
    dosi_tradeoff_alphas(alphas, 200);
    assert_true(alphas[0] == 0 && alphas[199] == 1);
    for (int i = 1; i < 200; i++)
        assert_true(alphas[i] > alphas[i - 1]);
    for (int i = 0; i < 4; i++) {
        const dosi_plan *plan = plan_of(texts[i]);
        double floor = 1e-4, most = 0;
        dosi_interval mu = gdp_of(texts[i], floor).value;
        assert_int_equal(
            dosi_tradeoff_curve(beta, plan, alphas, 200, NULL, NULL),
            DOSI_OK);
        for (int j = 1; j < 199; j++) {
            if (alphas[j] < floor || beta[j].value.lo < floor)
                continue;
            most = fmax(most, isf(alphas[j]) + isf(beta[j].value.hi));
        }
        assert_true(most <= mu.hi * (1 + 1e-12));
        assert_true(most >= mu.lo * 0.98);
        dosi_answer one;
        assert_int_equal(
            dosi_tradeoff_at_alpha(&one, plan, alphas[70], NULL, NULL),
            DOSI_OK);
        assert_true(one.value.lo <= beta[70].value.hi &&
                    beta[70].value.lo <= one.value.hi);
        dosi_plan_free(plan);
    }
}

static dosi_gdp_limit limit_of(const char *text, dosi_neighbours neighbours)
{
    const dosi_plan *plan = plan_of(text);
    dosi_options opt = DOSI_OPTIONS_INIT;
    dosi_gdp_limit out;
    opt.neighbours = neighbours;
    assert_int_equal(dosi_gdp_limit_approx(&out, plan, &opt, NULL), DOSI_OK);
    dosi_plan_free(plan);
    return out;
}

static void test_limit(void **state)
{
    (void)state;
    dosi_gdp_limit a = limit_of("pure(0.1) * 100", DOSI_ADD_REMOVE);
    assert_true(a.has_band);
    assert_near(a.mu, 1.00041671875310, 1e-13);
    assert_near(a.gamma, 0.0562099563264875, 1e-13);
    dosi_gdp_limit b = limit_of(
        "without_replacement(100, 10000, gaussian(2)) * 10000", DOSI_REPLACE);
    assert_true(b.has_band);
    assert_near(b.mu, 0.625115625141940, 1e-12);
    assert_near(b.gamma, 0.0138613025106568, 1e-12);
    dosi_gdp_limit c = limit_of(
        "poisson(256/60000, gaussian(1.3)) * 14062", DOSI_ADD_REMOVE);
    assert_true(!c.has_band && c.reason != NULL);
    assert_true(fabs(c.mu_approx - 0.45454025382380667) < 1e-12);
    dosi_gdp_limit d = limit_of("zcdp(0.1)", DOSI_ADD_REMOVE);
    assert_true(d.mu_approx == HUGE_VAL && d.reason != NULL);
}

static void test_risk(void **state)
{
    (void)state;
    const dosi_plan *plan = plan_of("gaussian(1)");
    dosi_risk r;
    assert_int_equal(dosi_risk_of_plan(&r, plan, 0.01, NULL, NULL), DOSI_OK);
    assert_near(r.advantage.value, 0.38292492254802621, 1e-14);
    assert_near(r.accuracy, 0.69146246127401310, 1e-14);
    assert_near(r.prior_accuracy, 0.99000003845727890, 1e-13);
    assert_near(r.true_positive[0], 0.018298468405656598, 1e-13);
    assert_near(r.true_positive[1], 0.092362248073693936, 1e-13);
    double odds = 0.092362248073693936 / 0.99;
    assert_near(r.posterior[1], odds / (1 + odds), 1e-12);
    /* a prior and its complement ask the same of a symmetric plan */
    dosi_risk s;
    assert_int_equal(dosi_risk_of_plan(&s, plan, 0.99, NULL, NULL), DOSI_OK);
    assert_near(s.prior_accuracy, 0.99000003845727890, 1e-13);
    dosi_plan_free(plan);
}

static dosi_risk risk_of(
    const char *text, double prior, dosi_neighbours neighbours)
{
    const dosi_plan *plan = plan_of(text);
    dosi_options options = DOSI_OPTIONS_INIT;
    options.neighbours = neighbours;
    dosi_risk r;
    assert_int_equal(
        dosi_risk_of_plan(&r, plan, prior, &options, NULL), DOSI_OK);
    dosi_plan_free(plan);
    return r;
}

/* The record is there (law p) with probability prior. By hand, with the masses
 * of the two outcomes: accuracy is sum max(prior p, (1 - prior) q); at a false
 * positive rate a the best test rejects the second outcome with a/0.5, resp.
 * the first one and the second with a. */
static void test_risk_directions(void **state)
{
    (void)state;
    const char *text = "pmf([0, 1], [0.5, 0.5])";
    dosi_risk r = risk_of(text, 0.01, DOSI_ADD_REMOVE);
    assert_near(r.advantage.value, 0.5, 1e-14);
    assert_near(r.accuracy, 0.75, 1e-14);
    assert_near(r.prior_accuracy, 0.99, 1e-13);
    assert_near(r.true_positive[0], 0.002, 1e-12);
    assert_near(r.posterior[0], 0.002 / (0.002 + 0.099), 1e-12);
    r = risk_of(text, 0.9, DOSI_ADD_REMOVE);
    assert_near(r.prior_accuracy, 0.05 + 0.9, 1e-13);
    assert_near(r.posterior[2], 0.18 / (0.18 + 0.01), 1e-13);
    const char *other = "pmf([0.5, 0.5], [0, 1])";
    r = risk_of(other, 0.01, DOSI_ADD_REMOVE);
    assert_near(r.prior_accuracy, 0.005 + 0.99, 1e-13);
    assert_near(r.true_positive[0], 0.5005, 1e-13);
    r = risk_of(other, 0.9, DOSI_ADD_REMOVE);
    assert_near(r.prior_accuracy, 0.9, 1e-13);
    /* where one is replaced by another, either order is meant */
    r = risk_of(text, 0.01, DOSI_REPLACE);
    assert_near(r.prior_accuracy, 0.995, 1e-13);
    assert_near(r.true_positive[0], 0.5005, 1e-13);
    /* a Poisson sample: p = (0.25, 0.75), q = (0.5, 0.5) and rate 1/2 */
    r = risk_of("poisson(0.5, pmf([0, 1], [0.5, 0.5]))", 0.4,
        DOSI_ADD_REMOVE);
    assert_near(r.prior_accuracy, 0.6, 1e-13);
    r = risk_of("poisson(0.5, pmf([0, 1], [0.5, 0.5]))", 0.6,
        DOSI_ADD_REMOVE);
    assert_near(r.prior_accuracy, 0.2 + 0.45, 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closed),
        cmocka_unit_test(test_sampled),
        cmocka_unit_test(test_rare_jumps),
        cmocka_unit_test(test_sampled_replace),
        cmocka_unit_test(test_leak),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_curve_below),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_risk),
        cmocka_unit_test(test_risk_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
