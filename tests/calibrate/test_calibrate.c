/*
 * Calibration: parameters with a closed form, integers found by counting,
 * every kind of target, ends of ranges, targets that nothing meets, and
 * being stopped. What is returned is asked about anew:
 * the safe end with value is within every target, with beyond it is not.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "dosimeter.h"

static const dosi_plan *read_plan(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    return plan;
}

/* Whether the safe end is within the target, with x in the hole. */
static int is_met(const dosi_plan *plan, const dosi_target *t, double x,
    const dosi_options *options)
{
    const dosi_plan *filled = NULL;
    dosi_answer a = {.value = {0, 0}};
    dosi_status status = DOSI_EINVAL;
    assert_int_equal(dosi_plan_fill(&filled, plan, x, NULL), DOSI_OK);
    switch (t->kind) {
    case DOSI_TARGET_EPSILON:
        status = dosi_epsilon_at_delta(&a, filled, t->at, options, NULL);
        break;
    case DOSI_TARGET_EPSILON_LOG:
        status = dosi_epsilon_at_log_delta(&a, filled, t->at, options, NULL);
        break;
    case DOSI_TARGET_DELTA:
        status = dosi_delta_at_epsilon(&a, filled, t->at, options, NULL);
        break;
    case DOSI_TARGET_TRADEOFF:
        status = dosi_tradeoff_at_alpha(&a, filled, t->at, options, NULL);
        break;
    case DOSI_TARGET_RENYI:
        status = dosi_renyi_at_order(&a, filled, t->at, options, NULL);
        break;
    case DOSI_TARGET_ZCDP:
        status = dosi_zcdp_at_xi(&a, filled, t->at, options, NULL);
        break;
    case DOSI_TARGET_GDP:
        status = dosi_gdp_at_floor(&a, filled, t->at, options, NULL);
        break;
    case DOSI_TARGET_ADVANTAGE:
        status = dosi_delta_at_epsilon(&a, filled, 0, options, NULL);
        break;
    }
    assert_int_equal(status, DOSI_OK);
    dosi_plan_free(filled);
    return t->kind == DOSI_TARGET_TRADEOFF ? a.value.lo >= t->value
                                           : a.value.hi <= t->value;
}

/* Calibrates, and asks about all that is returned anew. */
static dosi_calibration calibrate(const char *text, const dosi_target *targets,
    size_t n, const dosi_options *options)
{
    const dosi_plan *plan = read_plan(text);
    dosi_calibration c;
    dosi_error err;
    int all_beyond = 1;
    if (dosi_calibrate(&c, plan, targets, n, options, &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    for (size_t i = 0; i < n; i++) {
        assert_true(is_met(plan, &targets[i], c.value, options));
        assert_true(is_met(plan, &targets[i], c.rounded, options));
        all_beyond &= is_met(plan, &targets[i], c.beyond, options);
    }
    assert_true(c.binding < n);
    assert_int_equal(all_beyond, c.beyond == c.value);
    assert_int_equal(c.reason != NULL, c.beyond == c.value);
    dosi_plan_free(plan);
    return c;
}

static dosi_calibration calibrate_one(
    const char *text, dosi_target_kind kind, double value, double at)
{
    dosi_target target = {kind, value, at};
    return calibrate(text, &target, 1, NULL);
}

/* ---- Closed forms ------------------------------------------------------ */

static void near(double x, double exact, int n_ulps)
{
    double unit = nextafter(fabs(exact), HUGE_VAL) - fabs(exact);
    if (!(fabs(x - exact) <= n_ulps * unit))
        fail_msg("%.17g is not %.17g", x, exact);
}

static void closed_forms(void **state)
{
    (void)state;
    /* delta(1) of Laplace noise is 0 from scale 1 on */
    dosi_calibration c =
        calibrate_one("laplace(?)", DOSI_TARGET_DELTA, 0, 1);
    assert_true(c.value == 1 && c.rounded == 1);
    /* the advantage of rr(e) is tanh(e/2) */
    c = calibrate_one("rr(?)", DOSI_TARGET_ADVANTAGE, 0.5, 0);
    near(c.value, log(3), 4);
    c = calibrate_one("gaussian(?)", DOSI_TARGET_GDP, 0.25, 0);
    assert_true(c.value == 4);
    c = calibrate_one("gaussian(?) * 10", DOSI_TARGET_ZCDP, 0.5, 0);
    near(c.value, sqrt(10), 4);
    /* D_a = a/(2 sigma^2) */
    c = calibrate_one("gaussian(?)", DOSI_TARGET_RENYI, 1, 8);
    near(c.value, 2, 4);
    c = calibrate_one("gdp(?)", DOSI_TARGET_GDP, 1.5, 0);
    assert_true(c.value == 1.5);
    c = calibrate_one("zcdp(?)", DOSI_TARGET_ZCDP, 0.375, 0);
    near(c.value, 0.375, 2);
    c = calibrate_one("approx(0, ?)", DOSI_TARGET_ADVANTAGE, 0.125, 0);
    near(c.value, 0.125, 2);
    /* the curve of N(0, 1) against N(mu, 1) is 1/2 where alpha is Phi(-mu) */
    c = calibrate_one(
        "gdp(?)", DOSI_TARGET_TRADEOFF, 0.5, 0.022750131948179209);
    near(c.value, 2, 16);
}

/* Sigma of the analytic Gaussian mechanism [BW18], by mpmath to 40
 * digits: delta = Phi(1/(2s) - e s) - exp(e) Phi(-1/(2s) - e s). */
static void gaussian_sigma(void **state)
{
    (void)state;
    dosi_calibration c =
        calibrate_one("gaussian(?)", DOSI_TARGET_EPSILON, 1, 1e-5);
    near(c.value, 3.7306316348159418, 2);
    c = calibrate_one("gaussian(?)", DOSI_TARGET_DELTA, 1e-5, 1);
    near(c.value, 3.7306316348159418, 2);
}

/* ---- Integers ---------------------------------------------------------- */

static void integers(void **state)
{
    (void)state;
    /* delta of n runs of approx(0, d) is 1 - (1-d)^n; 0.875^5 > 1/2 > 0.875^6
     */
    dosi_calibration c =
        calibrate_one("approx(0, 0.125) * ?", DOSI_TARGET_ADVANTAGE, 0.5, 0);
    assert_true(c.value == 5 && c.beyond == 6 && c.rounded == 5);
    c = calibrate_one("group(?, gaussian(8))", DOSI_TARGET_GDP, 0.5, 0);
    assert_true(c.value == 4 && c.beyond == 5);
    /* TV of rr(log 4, k) is 3/(3 + k), of 60 categories 1/21 */
    c = calibrate_one("rr(1.3862943611198906, categories=?)",
        DOSI_TARGET_ADVANTAGE, 0.0477, 0);
    assert_true(c.value == 60 && c.beyond == 59);
    c = calibrate_one("poisson(0.01, gaussian(1)) * ?", DOSI_TARGET_EPSILON,
        3, 1e-6);
    assert_true(c.value == 2061 && c.beyond == 2062);
    assert_int_equal(c.kind, DOSI_REPEAT);
}

static void batches(void **state)
{
    (void)state;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.neighbours = DOSI_REPLACE;
    /* TV of a sampled rr is b/n tanh(e/2) = b/n 3/5 */
    dosi_target target = {DOSI_TARGET_ADVANTAGE, 0.26, 0};
    dosi_calibration c = calibrate(
        "without_replacement(?, 12, rr(1.3862943611198906))", &target, 1,
        &options);
    assert_true(c.value == 5 && c.beyond == 6);
    assert_int_equal(c.parameter, 0);
    c = calibrate("without_replacement(5, ?, rr(1.3862943611198906))",
        &target, 1, &options);
    assert_true(c.value == 12 && c.beyond == 11);
    /* a batch is at most the population, whatever the target */
    target.value = 0.75;
    c = calibrate("without_replacement(?, 12, rr(1.3862943611198906))",
        &target, 1, &options);
    assert_true(c.value == 12 && c.beyond == 12);
    assert_non_null(strstr(c.reason, "end of the range"));
    c = calibrate("without_replacement(5, ?, rr(1.3862943611198906))",
        &target, 1, &options);
    assert_true(c.value == 5 && c.beyond == 5);
}

/* One relation for all numbers, although batch = population is no sampler. */
static void natural_relation(void **state)
{
    (void)state;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.neighbours = DOSI_NATURAL;
    dosi_target target = {DOSI_TARGET_ADVANTAGE, 0.75, 0};
    const dosi_plan *plan =
        read_plan("without_replacement(5, ?, rr(1.3862943611198906))");
    dosi_calibration c;
    assert_int_equal(
        dosi_calibrate(&c, plan, &target, 1, &options, NULL), DOSI_OK);
    assert_true(c.value == 5);
    assert_int_equal(c.answer.neighbours, DOSI_REPLACE);
    dosi_plan_free(plan);
}

/* ---- Doubles ----------------------------------------------------------- */

/* Every kind of hole: value and beyond are next to each other. */
static void neighbours_of_doubles(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double to; /* the unsafe side */
    } cases[] = {{"poisson(0.004, gaussian(?)) * 20000", 0},
        {"poisson(?, gaussian(1)) * 20000", 1}, {"laplace(?)", 0},
        {"discrete_gaussian(?)", 0}, {"discrete_laplace(?) * 4", 0},
        {"rr(?, categories=4) * 3", HUGE_VAL}, {"exponential(?)", HUGE_VAL},
        {"pure(?) * 9", HUGE_VAL}, {"approx(?, 1e-8) * 5", HUGE_VAL},
        {"approx(0.1, ?) * 5", 1}, {"zcdp(?)", HUGE_VAL},
        {"zcdp(0.01, xi=?)", HUGE_VAL}, {"zcdp(0.01, 0, delta=?)", 1},
        {"renyi(?, 0.5)", 1}, {"renyi(40, ?)", HUGE_VAL},
        {"gdp(?)", HUGE_VAL}, {"gaussian(5) + gaussian(?)", 0},
        {"group(2, laplace(?))", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        dosi_calibration c =
            calibrate_one(cases[i].text, DOSI_TARGET_EPSILON, 1, 1e-6);
        if (c.beyond != nextafter(c.value, cases[i].to))
            fail_msg("%s: %.17g, then %.17g", cases[i].text, c.value,
                c.beyond);
        assert_true(c.answer.value.hi <= 1 && c.beyond_answer.value.hi > 1);
        assert_true(c.rounded_answer.value.hi <= 1);
        /* five digits, on the safe side */
        double moved = (c.rounded - c.value) / c.value;
        assert_true(cases[i].to < c.value ? moved >= 0 : moved <= 0);
        assert_true(fabs(moved) <= 1.1e-4 && moved != 0);
    }
}

static void tiny_and_huge(void **state)
{
    (void)state;
    (void)calibrate_one("gaussian(?)", DOSI_TARGET_EPSILON, 0, 1e-6);
    (void)calibrate_one("gaussian(?)", DOSI_TARGET_EPSILON, 1e-12, 1e-6);
    (void)calibrate_one("gaussian(?)", DOSI_TARGET_EPSILON, 1e6, 1e-6);
    (void)calibrate_one("gaussian(?)", DOSI_TARGET_EPSILON_LOG, 1, -2000);
    (void)calibrate_one("gaussian(?)", DOSI_TARGET_DELTA, 1e-300, 1);
    (void)calibrate_one("pure(?)", DOSI_TARGET_EPSILON, 1e-300, 1e-6);
    (void)calibrate_one("poisson(?, pure(1))", DOSI_TARGET_EPSILON, 0, 1e-200);
}

/* ---- Several targets --------------------------------------------------- */

static void several_targets(void **state)
{
    (void)state;
    dosi_target targets[] = {{DOSI_TARGET_EPSILON, 1, 1e-6},
        {DOSI_TARGET_ADVANTAGE, 0.05, 0}, {DOSI_TARGET_TRADEOFF, 0.8, 0.05},
        {DOSI_TARGET_GDP, 1, 0}, {DOSI_TARGET_EPSILON_LOG, 2, -30}};
    size_t n = sizeof targets / sizeof *targets;
    double greatest = 0;
    size_t which = 0;
    for (size_t i = 0; i < n; i++) {
        dosi_calibration one = calibrate("gaussian(?)", &targets[i], 1, NULL);
        if (one.value > greatest) {
            greatest = one.value;
            which = i;
        }
    }
    dosi_calibration all = calibrate("gaussian(?)", targets, n, NULL);
    assert_true(all.value == greatest);
    assert_int_equal(all.binding, which);
    /* and in the other order */
    for (size_t i = 0; i < n / 2; i++) {
        dosi_target swapped = targets[i];
        targets[i] = targets[n - 1 - i];
        targets[n - 1 - i] = swapped;
    }
    all = calibrate("gaussian(?)", targets, n, NULL);
    assert_true(all.value == greatest);
    assert_int_equal(all.binding, n - 1 - which);
}

/* ---- Ends of ranges ---------------------------------------------------- */

static void ends_of_ranges(void **state)
{
    (void)state;
    dosi_calibration c =
        calibrate_one("pure(0) * ?", DOSI_TARGET_EPSILON, 1, 1e-6);
    assert_true(c.value == 0x1p53);
    c = calibrate_one("poisson(1e-8, gaussian(?))", DOSI_TARGET_EPSILON, 1,
        1e-6);
    assert_true(c.value == 0x1p-1074);
    c = calibrate_one("poisson(?, pure(1))", DOSI_TARGET_EPSILON, 2, 1e-6);
    assert_true(c.value == 1);
    c = calibrate_one("pure(?)", DOSI_TARGET_TRADEOFF, 0, 0.5);
    assert_true(c.value > 1e308);
    c = calibrate_one("rr(1, categories=?)", DOSI_TARGET_EPSILON, 2, 1e-6);
    assert_true(c.value == 2);
    /* counts of counts end sooner */
    c = calibrate_one("(gaussian(1e10) * ?) * 8", DOSI_TARGET_EPSILON, 1, 1e-6);
    assert_true(c.value == 0x1p50);
    assert_non_null(strstr(c.reason, "takes no number"));
    /* only one number is safe */
    c = calibrate_one("approx(0, 1e-6) + approx(0, ?)", DOSI_TARGET_DELTA,
        1e-6, 1);
    assert_true(c.value == 0 && c.beyond == 0x1p-1074);
}

/* ---- Nothing meets the target ------------------------------------------ */

static void assert_refused(const char *text, dosi_target target,
    const dosi_options *options, dosi_status expected, const char *words)
{
    const dosi_plan *plan = read_plan(text);
    dosi_calibration c;
    dosi_error err = {.status = DOSI_OK};
    memset(&c, 1, sizeof c);
    dosi_status status = dosi_calibrate(&c, plan, &target, 1, options, &err);
    if (status != expected || strstr(err.message, words) == NULL)
        fail_msg("%s: %d %s", text, (int)status, err.message);
    assert_true(c.value == 0 && c.answer.route == NULL);
    assert_null(strchr(err.message, '\n'));
    dosi_plan_free(plan);
}

static void infeasible(void **state)
{
    (void)state;
    dosi_target one = {DOSI_TARGET_EPSILON, 1, 1e-6};
    assert_refused("gaussian(3) + gaussian(?)", one, NULL, DOSI_EDOMAIN,
        "epsilon <= 1 at delta 1e-6: even with 1.8e308, epsilon is at least "
        "1.44");
    assert_refused("approx(0, 1e-5) + pure(?)", one, NULL, DOSI_EDOMAIN,
        "even with 0, epsilon is inf: delta is below");
    assert_refused("nonprivate() + gaussian(?)", one, NULL, DOSI_EDOMAIN,
        "epsilon is inf");
    assert_refused("pure(2) * ?", one, NULL, DOSI_EDOMAIN,
        "no count of repeat meets the target");
    assert_refused("gaussian(3) + gaussian(?)",
        (dosi_target){DOSI_TARGET_TRADEOFF, 0.96, 0.05}, NULL, DOSI_EDOMAIN,
        "beta is at most 0.90");
    /* log(e - 1e-9 (1 + e)) = 1 - 1e-9 (1 + 1/e) = 0.99999999863...: digits
     * that show the miss */
    assert_refused("pure(1) + gaussian(?)",
        (dosi_target){DOSI_TARGET_EPSILON, 0.999999998, 1e-9}, NULL,
        DOSI_EDOMAIN, "epsilon is at least 0.9999999986");
    /* the exact epsilon of the class is between the ends, as far as is known:
     * no more is claimed */
    assert_refused("zcdp(0.1, 0, ?)",
        (dosi_target){DOSI_TARGET_EPSILON, 1.8, 1e-5}, NULL, DOSI_EDOMAIN,
        "no delta of zcdp is certain to meet the target epsilon <= 1.8 at "
        "delta 1e-5: even with 0, epsilon is between 1.76");
}

static void refused(void **state)
{
    (void)state;
    dosi_target one = {DOSI_TARGET_EPSILON, 1, 1e-6};
    dosi_options options = DOSI_OPTIONS_INIT;
    assert_refused("gaussian(1)", one, NULL, DOSI_EINVAL, "has none");
    assert_refused("gaussian(?)",
        (dosi_target){DOSI_TARGET_EPSILON, (double)NAN, 1e-6}, NULL,
        DOSI_EINVAL, "the target epsilon must be non-negative and finite");
    assert_refused("gaussian(?)",
        (dosi_target){DOSI_TARGET_EPSILON, HUGE_VAL, 1e-6}, NULL, DOSI_EINVAL,
        "got inf");
    assert_refused("gaussian(?)", (dosi_target){DOSI_TARGET_EPSILON, 1, 1},
        NULL, DOSI_EINVAL, "delta must be at least 0 and less than 1");
    assert_refused("gaussian(?)", (dosi_target){DOSI_TARGET_DELTA, 1, 1},
        NULL, DOSI_EINVAL, "the target delta must be non-negative and less");
    assert_refused("gaussian(?)", (dosi_target){DOSI_TARGET_RENYI, 1, 1},
        NULL, DOSI_EINVAL, "order must be");
    assert_refused("gaussian(?)", (dosi_target){(dosi_target_kind)8, 1, 1},
        NULL, DOSI_EINVAL, "no target number 8");
    options.route = "none such";
    assert_refused("gaussian(?)", one, &options, DOSI_EINVAL, "route must be");
    options = (dosi_options)DOSI_OPTIONS_INIT;
    assert_refused("without_replacement(2, 9, gaussian(?))", one, &options,
        DOSI_EUNSUPPORTED, "under add_remove");
    const dosi_plan *plan = read_plan("gaussian(?)");
    dosi_calibration c;
    assert_int_equal(
        dosi_calibrate(&c, plan, &one, 0, NULL, NULL), DOSI_EINVAL);
    dosi_plan_free(plan);
}

/* ---- Being stopped ----------------------------------------------------- */

static int stop_after(void *context)
{
    int *left = context;
    return --*left < 0;
}

static void stops(void **state)
{
    (void)state;
    dosi_target one = {DOSI_TARGET_EPSILON, 1, 1e-6};
    dosi_options options = DOSI_OPTIONS_INIT;
    const dosi_plan *plan = read_plan("poisson(0.01, gaussian(?)) * 500");
    int left = 0;
    int done = 0;
    options.stop = stop_after;
    options.stop_context = &left;
    for (int n = 0; n < 100000 && !done; n += 1 + n / 2) {
        dosi_calibration c;
        dosi_error err;
        left = n;
        dosi_status status =
            dosi_calibrate(&c, plan, &one, 1, &options, &err);
        done = status == DOSI_OK;
        if (!done) {
            assert_int_equal(status, DOSI_EUNABLE);
            assert_non_null(strstr(err.message, "stopped"));
        }
    }
    assert_true(done);
    dosi_plan_free(plan);
}

/* ---- Options ----------------------------------------------------------- */

/* A route alone, and a width that it does not reach: no failure. */
static void one_route(void **state)
{
    (void)state;
    dosi_target one = {DOSI_TARGET_EPSILON, 1, 1e-6};
    dosi_options options = DOSI_OPTIONS_INIT;
    double exact = calibrate("gaussian(?)", &one, 1, &options).value;
    options.route = "renyi";
    dosi_calibration c = calibrate("gaussian(?)", &one, 1, &options);
    assert_true(c.value > exact && c.value < 1.2 * exact);
    assert_string_equal(c.answer.route, "renyi");
    const dosi_plan *plan = read_plan("gaussian(?)");
    options.width = 1e-9;
    dosi_calibration wide;
    assert_int_equal(
        dosi_calibrate(&wide, plan, &one, 1, &options, NULL), DOSI_OK);
    assert_true(wide.value == c.value);
    dosi_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(gaussian_sigma),
        cmocka_unit_test(integers),
        cmocka_unit_test(batches),
        cmocka_unit_test(natural_relation),
        cmocka_unit_test(neighbours_of_doubles),
        cmocka_unit_test(tiny_and_huge),
        cmocka_unit_test(several_targets),
        cmocka_unit_test(ends_of_ranges),
        cmocka_unit_test(infeasible),
        cmocka_unit_test(refused),
        cmocka_unit_test(stops),
        cmocka_unit_test(one_route),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
