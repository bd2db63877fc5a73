/*
 * The n-th allocation fails, for n = 1, 2, ... until the call succeeds: every
 * failure is DOSI_ENOMEM, leaves no result behind and leaks nothing. Then
 * many questions in a row: what was allocated was released.
 *
 * cJSON is told to use the wrapped malloc and free, too.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <cjson/cJSON.h>

#include "dosimeter.h"
#include "dosimeter/json.h"
#include "support/fail_alloc.h"

static const char *const plans[] = {
    "gaussian(1) * 10",
    "poisson(0.1, gaussian(4)) * 100",
    "poisson(0.5, laplace(2)) + laplace(2) * 3",
    "pure(0.1) * 10 + rr(0.5, 4) * 3 + gaussian(4)",
    "pmf([0.5, 0.25, 0.25], [0.25, 0.25, 0.5]) * 4 + approx(0.1, 1e-9)",
    "loss([-1, 1, inf], [0.2, 0.7, 0]) * 2 + gaussian(2)",
    "group(3, laplace(5) + gaussian(2)) + exponential(0.3) * 7",
    "exponential(0.3) * 7",
    "poisson(0.1, exponential(0.3)) * 3",
    "zcdp(0.5) + approx(0.1, 1e-8)",
    "with_replacement(2, 5, rr(1)) * 2",
    "group(2, poisson(0.2, gaussian(2))) * 40",
    "poisson(0.001, gaussian(1)) * 10 + laplace(2) + rr(0.5)",
};
static const size_t n_plans = sizeof plans / sizeof *plans;

/* One use of the library; 1 when it went through, 0 when memory ran out. */
typedef int (*use)(const char *text);

static int through(dosi_status status, const dosi_error *err)
{
    if (status == DOSI_OK)
        return 1;
    if (status == DOSI_ENOMEM) {
        assert_int_equal(err->status, DOSI_ENOMEM);
        return 0;
    }
    /* a plan may be unsupported, whatever the memory */
    assert_true(status == DOSI_EUNSUPPORTED || status == DOSI_EUNABLE);
    return 1;
}

static int use_plan(const char *text)
{
    const dosi_plan *plan = NULL, *normal = NULL, *parts = NULL;
    dosi_error err;
    char buffer[2000];
    size_t length;
    int ok = through(
        dosi_plan_parse(&plan, text, strlen(text), &err), &err);
    assert_true(ok == (plan != NULL));
    if (ok)
        ok = through(dosi_plan_normal(&normal, plan, &err), &err);
    assert_true(ok == (normal != NULL));
    if (ok)
        ok = through(dosi_plan_parts(&parts, plan, &err), &err);
    assert_true(ok == (parts != NULL));
    dosi_plan_free(parts);
    for (int form = 0; ok && form < 3; form++)
        ok = through(dosi_plan_print(buffer, sizeof buffer, &length, plan,
                         (dosi_form)form, &err),
            &err);
    dosi_plan_free(normal);
    dosi_plan_free(plan);
    return ok;
}

static int use_questions(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    dosi_answer a;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.max_terms = 2000;
    options.width = 0.05;
    int ok = through(
        dosi_plan_parse(&plan, text, strlen(text), &err), &err);
    if (ok)
        ok = through(
            dosi_epsilon_at_delta(&a, plan, 1e-6, &options, &err), &err);
    if (ok)
        ok = through(
            dosi_delta_at_epsilon(&a, plan, 1, &options, &err), &err);
    if (ok)
        ok = through(
            dosi_tradeoff_at_alpha(&a, plan, 0.05, &options, &err), &err);
    if (ok)
        ok = through(
            dosi_renyi_at_order(&a, plan, 8, &options, &err), &err);
    dosi_plan_free(plan);
    return ok;
}

/* A cache serves further questions when one of them ran out of memory. */
static int use_cache(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    dosi_answer a;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.max_terms = 2000;
    options.width = 0.05;
    int ok = through(dosi_cache_new(&options.cache, &err), &err);
    if (ok)
        ok = through(dosi_plan_parse(&plan, text, strlen(text), &err), &err);
    for (int i = 0; plan != NULL && i < 2; i++)
        if (!through(
                dosi_epsilon_at_delta(&a, plan, 1e-6, &options, &err), &err))
            ok = 0;
    dosi_plan_free(plan);
    dosi_cache_free(options.cache);
    return ok;
}

static int never(void *context)
{
    (void)context;
    return 0;
}

/* Every route alone, within a memory ceiling of 1 MB. */
static int use_routes(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    dosi_answer a;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.max_terms = 2000;
    options.width = 0.05;
    options.max_bytes = (size_t)1 << 20;
    options.width = 1e-3;
    options.stop = never;
    int ok = through(
        dosi_plan_parse(&plan, text, strlen(text), &err), &err);
    for (size_t i = 0; ok && i < dosi_route_count(); i++) {
        options.route = dosi_route_at(i).name;
        ok = through(
            dosi_epsilon_at_delta(&a, plan, 1e-6, &options, &err), &err);
    }
    dosi_plan_free(plan);
    return ok;
}

/* Calibrated to several targets. Plans that take no time suffice. */
static int use_calibration(const char *text)
{
    if (text != plans[0] && text != plans[3])
        return 1;
    char with_hole[600];
    const dosi_target targets[] = {{DOSI_TARGET_EPSILON, 40, 1e-6},
        {DOSI_TARGET_ADVANTAGE, 0.999999, 0}};
    const dosi_plan *plan = NULL;
    dosi_calibration c;
    dosi_error err;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.max_terms = 2000;
    options.width = 0.05;
    (void)snprintf(with_hole, sizeof with_hole,
        "%s + group(2, gaussian(?))", text);
    int ok = through(
        dosi_plan_parse(&plan, with_hole, strlen(with_hole), &err), &err);
    if (ok)
        ok = through(
            dosi_calibrate(&c, plan, targets, 2, &options, &err), &err);
    dosi_plan_free(plan);
    return ok;
}

static int use_formula(const char *text)
{
    (void)text;
    static const char *const cases[][2] = {
        {"T000-01.eps", "eps=1.0|0.5|0.25"},
        {"T000-07.delta", "eps=0.1;P=0.5|0.25|0.25;Q=0.25|0.25|0.5"},
        {"S000-7.hetero_delta", "eps=0.5|1.0;delta0=1e-06|0.0;target_eps=1"},
        {"S000-7.tight_delta_add", "sigma=2;sens=1;p=0.1;T=50;eps=0.5"},
        {"T004-7.compatible", "nu=0:0.5|1:0.5;nup=2:0.75|9:0.25;dist=2|9|1|8"},
        {"T004-5c.min_cost", "nu=0:1;nup=2:0.5|0:0.5;deltas=2:0.5"},
        {"R105-pf.p", "epsilon=1;sensitivity=1;distances=0|1|4;i=1"},
        {"R105-quantile.p", "epsilon=1;q=1/2;data=1|5|2;candidates=0|3;i=1"},
    };
    int ok = 1;
    for (size_t i = 0; ok && i < sizeof cases / sizeof *cases; i++) {
        dosi_interval out;
        dosi_error err;
        ok = through(
            dosi_formula_eval(&out, cases[i][0], cases[i][1], &err), &err);
    }
    return ok;
}

static int use_json(const char *text)
{
    char question[600];
    (void)snprintf(question, sizeof question,
        "{\"id\":[1,\"x\"],\"query\":\"delta\",\"plan\":\"%s\","
        "\"epsilon\":1}", text);
    char *answer = NULL;
    dosi_error err;
    int ok = through(
        dosi_json_answer(&answer, question, strlen(question), NULL, &err),
        &err);
    assert_true(ok == (answer != NULL));
    /* cJSON does not say why it stopped: an error is an answer */
    if (ok && fail_countdown == 0 && strstr(answer, "\"error\"") != NULL)
        ok = 0;
    dosi_json_free(answer);
    return ok;
}

static int use_json_tree(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    char tree[2000];
    size_t length = 0;
    int ok = through(
        dosi_plan_parse(&plan, text, strlen(text), &err), &err);
    if (ok)
        ok = through(dosi_plan_print(tree, sizeof tree, &length, plan,
                         DOSI_FORM_JSON, &err),
            &err);
    dosi_plan_free(plan);
    plan = NULL;
    if (ok) {
        dosi_status status = dosi_json_read_plan(&plan, tree, length, &err);
        /* cJSON does not say why it stopped */
        ok = status != DOSI_ESYNTAX && through(status, &err);
    }
    dosi_plan_free(plan);
    return ok;
}

static int use_json_claims(const char *text)
{
    char list[700];
    (void)snprintf(list, sizeof list,
        "[{\"label\":\"a\",\"plan\":\"%s\",\"mu\":1},"
        "{\"plan\":\"pure(1)\",\"epsilon\":1,\"delta\":1e-5}]", text);
    dosi_json_claims *claims = NULL;
    dosi_error err;
    dosi_status status = dosi_json_read_claims(
        &claims, list, strlen(list), DOSI_NATURAL, &err);
    /* cJSON does not say why it stopped */
    int ok = status != DOSI_ESYNTAX && through(status, &err);
    assert_true(ok == (claims != NULL));
    dosi_json_claims_free(claims);
    return ok;
}

/* A heavy tail by lists. */
static int use_classes(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    dosi_answer a;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.width = 1e-2;
    options.route = "lists";
    int ok = through(
        dosi_plan_parse(&plan, text, strlen(text), &err), &err);
    if (ok)
        ok = through(
            dosi_epsilon_at_delta(&a, plan, 1e-60, &options, &err), &err);
    dosi_plan_free(plan);
    return ok;
}

/* Epsilon at delta 0. */
static int use_pure(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    dosi_answer a;
    int ok = through(
        dosi_plan_parse(&plan, text, strlen(text), &err), &err);
    if (ok)
        ok = through(dosi_epsilon_at_delta(&a, plan, 0, NULL, &err), &err);
    dosi_plan_free(plan);
    return ok;
}

/* Every allocation at first, then fewer and fewer. */
static void exhaust_one(use call, const char *text, long fewer)
{
    fail_countdown = -1;
    (void)call(text); /* what is allocated once and kept */
    long before = fail_live;
    for (long n = 1;; n += 1 + n / fewer) {
        fail_countdown = n;
        int ok = call(text);
        int reached = fail_countdown == 0;
        fail_countdown = -1;
        assert_int_equal(fail_live, before);
        if (!reached) {
            assert_true(ok);
            break;
        }
        assert_false(ok);
    }
}

static void exhaust(use call)
{
    for (size_t i = 0; i < n_plans; i++)
        exhaust_one(call, plans[i], 4);
}

static void plans_survive(void **state)
{
    (void)state;
    exhaust(use_plan);
    exhaust_one(use_plan,
        "\"a\": gaussian(4) * 2 + \"b\": gaussian(4) + \"a\": (laplace(9) + "
        "\"in\": nonprivate()) + poisson(0.1, \"c\": pure(1))",
        1000);
}

static void questions_survive(void **state)
{
    (void)state;
    exhaust(use_questions);
}

static void cache_survives(void **state)
{
    (void)state;
    exhaust(use_cache);
}

static void routes_survive(void **state)
{
    (void)state;
    exhaust(use_routes);
}

static void classes_survive(void **state)
{
    (void)state;
    exhaust_one(
        use_classes, "poisson(0.00226, discrete_gaussian(2.21)) * 10", 40);
}

static void pure_epsilon_survives(void **state)
{
    (void)state;
    exhaust_one(use_pure, "laplace(1) * 3 + pmf([0.5, 0.5], [0.25, 0.75])", 8);
    exhaust_one(use_pure, "poisson(0.1, rr(1)) + gaussian(1)", 8);
    exhaust_one(use_pure, "poisson(0.1, pmf([1, 0], [0.5, 0.5])) * 2", 8);
}

static void calibration_survives(void **state)
{
    (void)state;
    exhaust(use_calibration);
}

static void formulas_survive(void **state)
{
    (void)state;
    exhaust(use_formula);
}

static void json_survives(void **state)
{
    (void)state;
    exhaust(use_json);
    exhaust(use_json_tree);
    exhaust(use_json_claims);
}

static void nothing_grows(void **state)
{
    (void)state;
    const dosi_plan *plan = NULL;
    assert_int_equal(
        dosi_plan_parse(&plan, "gaussian(50) * 10000", 20, NULL), DOSI_OK);
    long before = fail_live;
    for (int i = 0; i < 2000; i++) {
        dosi_answer a;
        dosi_options options = DOSI_OPTIONS_INIT;
        assert_int_equal(
            dosi_epsilon_at_delta(&a, plan, 1e-5, &options, NULL), DOSI_OK);
        assert_int_equal(fail_live, before);
    }
    dosi_plan_free(plan);
}

int main(void)
{
    cJSON_InitHooks(&(cJSON_Hooks){malloc, free});
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_survive),
        cmocka_unit_test(questions_survive),
        cmocka_unit_test(routes_survive),
        cmocka_unit_test(cache_survives),
        cmocka_unit_test(classes_survive),
        cmocka_unit_test(pure_epsilon_survives),
        cmocka_unit_test(calibration_survives),
        cmocka_unit_test(formulas_survive),
        cmocka_unit_test(json_survives),
        cmocka_unit_test(nothing_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
