/*
 * Epsilon at delta 0: against closed forms, as the limit of epsilon for small
 * deltas, and infinite with a reason where losses have no bound.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "dosimeter.h"

static dosi_answer ask(const char *text, const dosi_options *options)
{
    const dosi_plan *plan = NULL;
    dosi_options natural = DOSI_OPTIONS_INIT;
    dosi_answer a = {0};
    dosi_error err;
    natural.neighbours = DOSI_NATURAL;
    if (options == NULL)
        options = &natural;
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK ||
        dosi_epsilon_at_delta(&a, plan, 0, options, &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    dosi_plan_free(plan);
    return a;
}

static double at_log_delta(const char *text, double log_delta)
{
    const dosi_plan *plan = NULL;
    dosi_options natural = DOSI_OPTIONS_INIT;
    dosi_answer a;
    dosi_error err;
    natural.neighbours = DOSI_NATURAL;
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK ||
        dosi_epsilon_at_log_delta(&a, plan, log_delta, &natural, &err) !=
            DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    dosi_plan_free(plan);
    return a.value.lo;
}

/* What a sample of this rate makes of a bound on the loss. */
static double sampled(double rate, double epsilon)
{
    return log1p(rate * expm1(epsilon));
}

/* Bounds that are attained, to a dozen digits. */
static void test_closed_forms(void **state)
{
    (void)state;
    const struct {
        const char *text;
        double epsilon;
    } rows[] = {{"laplace(1)", 1}, {"laplace(4) * 1000", 250},
        {"discrete_laplace(2) * 3", 1.5}, {"rr(1) * 5", 5},
        {"rr(1, categories=4) * 5 + laplace(2)", 5.5},
        {"pure(0.25) * 100", 25}, {"exponential(0.25) * 8", 2},
        {"exponential(0.5)", 0.5}, {"approx(1, 0)", 1},
        {"pmf([0.5, 0.5], [0.25, 0.75]) * 3", 3 * log(2)},
        {"pmf([0.75, 0.25], [0.25, 0.75]) + rr(1)", log(3) + 1},
        {"group(3, laplace(1)) * 3", 9}, {"group(2, pure(0.5))", 1},
        {"poisson(0.01, laplace(1)) * 1000", 1000 * sampled(0.01, 1)},
        {"poisson(0.01, pure(1)) * 10", 10 * sampled(0.01, 1)},
        {"poisson(0.1, rr(1)) * 10", 10 * sampled(0.1, 1)},
        {"without_replacement(10, 1000, laplace(1)) * 10",
            10 * sampled(0.01, 1)},
        {"laplace(1e-4) * 1e6", 1e10}, {"pure(0)", 0}, {"gdp(0)", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dosi_answer a = ask(rows[i].text, NULL);
        double slack = 1e-11 * rows[i].epsilon;
        if (!(a.value.lo <= rows[i].epsilon + slack / 1e3 &&
                a.value.hi >= rows[i].epsilon - slack / 1e3 &&
                a.value.hi - a.value.lo <= slack))
            fail_msg("%s: %.17g .. %.17g, not %.17g", rows[i].text,
                a.value.lo, a.value.hi, rows[i].epsilon);
        assert_string_equal(a.route, "approx");
        assert_true(a.n_assumptions > 0);
        assert_true(at_log_delta(rows[i].text, -50) <= a.value.hi);
    }
}

/* The lower ends are those of some delta, the upper ones are sums. */
static void test_wide(void **state)
{
    (void)state;
    static const char *const texts[] = {"group(2, poisson(0.1, laplace(1)))",
        "poisson(0.01, laplace(1) * 3) * 10",
        ("laplace(1) + discrete_laplace(3) + rr(1) + exponential(1) + "
         "poisson(0.1, rr(2)) * 9"),
        "poisson(0.5, pmf([1, 0], [0.5, 0.5]))",
        "with_replacement(10, 1000, laplace(1)) * 3"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        dosi_answer a = ask(texts[i], NULL);
        assert_true(a.value.lo > 0 && a.value.lo < a.value.hi);
        assert_non_null(a.reason);
        assert_true(at_log_delta(texts[i], -1) <= a.value.hi);
        assert_true(at_log_delta(texts[i], -1e4) <= a.value.hi);
    }
    /* log(1 + q (e^3 - 1)) is attained by three Laplace losses of 1 */
    dosi_answer a = ask(texts[1], NULL);
    assert_true(a.value.hi >= 10 * sampled(0.01, 3) * (1 - 1e-14));
    /* a law without the record that has outcomes of its own is mixed with
     * the other: log 2, not infinite */
    a = ask(texts[3], NULL);
    assert_true(a.value.lo <= log(2) && a.value.lo > 0.69);
}

static void test_unbounded(void **state)
{
    (void)state;
    const struct {
        const char *text, *meaning, *reason;
    } rows[] = {{"gaussian(1e9)", "the mechanism", "Gaussian noise"},
        {"discrete_gaussian(5)", "the mechanism", "discrete Gaussian noise"},
        {"poisson(0.1, gaussian(1)) * 10", "the mechanism", "Gaussian noise"},
        {"without_replacement(1, 9, laplace(1) + gaussian(9))",
            "the mechanism", "Gaussian noise"},
        {"group(3, poisson(0.1, gaussian(1)))", "the mechanism", "Gaussian"},
        {"laplace(1) + nonprivate()", "the mechanism", "nonprivate"},
        {"pmf([0.5, 0.5], [1, 0])", "the mechanism", "an outcome"},
        {"pmf([1, 0], [0.5, 0.5])", "the mechanism", "an outcome"},
        {"gdp(1e-3)", "the class", "Gaussian-DP guarantee"},
        {"zcdp(1e-300)", "the class", "zCDP guarantee"},
        {"zcdp(0, xi=1, delta=1e-300)", "the class", "zCDP guarantee"},
        {"renyi(2, 1)", "the class", "Renyi guarantee"},
        {"poisson(0.5, approx(1, 1e-9))", "the class", "(epsilon, delta)"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dosi_answer a = ask(rows[i].text, NULL);
        if (!(a.value.lo == HUGE_VAL && a.value.hi == HUGE_VAL) ||
            strstr(a.reason, rows[i].reason) == NULL)
            fail_msg("%s: %.17g .. %.17g, %s", rows[i].text, a.value.lo,
                a.value.hi, a.reason);
        assert_string_equal(a.lower_meaning, rows[i].meaning);
    }
    /* nothing is said of xi alone */
    dosi_answer a = ask("zcdp(0, xi=1)", NULL);
    assert_true(a.value.lo < HUGE_VAL && a.value.hi == HUGE_VAL);
}

static void test_options(void **state)
{
    (void)state;
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_error err;
    dosi_answer a;
    const dosi_plan *plan = NULL;
    options.route = "contour";
    a = ask("laplace(1) * 3", &options);
    assert_true(a.value.hi == HUGE_VAL && a.value.lo <= 3);
    assert_non_null(strstr(a.reason, "route approx"));
    options.route = "approx";
    assert_true(ask("laplace(1) * 3", &options).value.hi == 3);
    options.route = NULL;
    options.neighbours = DOSI_REPLACE;
    a = ask("poisson(0.1, laplace(1))", &options);
    assert_int_equal(a.neighbours, DOSI_REPLACE);
    assert_true(a.value.hi >= at_log_delta("poisson(0.1, laplace(1))", -50));
    options.neighbours = DOSI_ADD_REMOVE;
    options.width = 1e-20;
    assert_int_equal(dosi_plan_parse(&plan, "laplace(1)", 10, NULL), DOSI_OK);
    assert_int_equal(dosi_epsilon_at_delta(&a, plan, 0, &options, &err),
        DOSI_EUNABLE);
    options.width = 1e-9;
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 0, &options, &err), DOSI_OK);
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, -0.0, NULL, &err), DOSI_OK);
    dosi_plan_free(plan);
    assert_int_equal(dosi_plan_parse(&plan,
                         "without_replacement(1, 9, laplace(1))", 37, NULL),
        DOSI_OK);
    options = (dosi_options)DOSI_OPTIONS_INIT;
    options.neighbours = DOSI_ADD_REMOVE;
    assert_int_equal(dosi_epsilon_at_delta(&a, plan, 0, &options, &err),
        DOSI_EUNSUPPORTED);
    dosi_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_wide), cmocka_unit_test(test_unbounded),
        cmocka_unit_test(test_options)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
