/*
 * A cache of plans: questions that share one are answered as questions without
 * it are, however many they are and whatever was asked before, and the
 * operations that they spend are counted.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "dosimeter.h"

typedef dosi_status (*question)(dosi_answer *out, const dosi_plan *plan,
    double at, const dosi_options *options, dosi_error *err);

static const struct {
    question ask;
    double least, most; /* what it is asked at */
} questions[] = {{dosi_epsilon_at_delta, 1e-9, 0.01},
    {dosi_delta_at_epsilon, 0.1, 4}, {dosi_tradeoff_at_alpha, 0.01, 0.5},
    {dosi_renyi_at_order, 1.5, 30}, {dosi_zcdp_at_xi, 0.01, 1}};
static const size_t n_questions = sizeof questions / sizeof *questions;

static const char *const plans[] = {
    "gaussian(2) * 3",
    "poisson(0.05, gaussian(2)) * 50 + laplace(4)",
    "discrete_gaussian(3) * 2 + discrete_gaussian(5) + laplace(3)",
    "poisson(0.1, discrete_gaussian(3)) * 20",
    "exponential(0.3) * 3 + discrete_gaussian(3) + zcdp(0.01)",
    "without_replacement(10, 100, gaussian(2)) * 5",
    "group(2, discrete_gaussian(3) + gaussian(5))",
};
static const size_t n_plans = sizeof plans / sizeof *plans;

static const dosi_plan *read_plan(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    return plan;
}

static dosi_cache *new_cache(void)
{
    dosi_cache *cache = NULL;
    assert_int_equal(dosi_cache_new(&cache, NULL), DOSI_OK);
    return cache;
}

static dosi_options options_with(dosi_cache *cache)
{
    dosi_options options = DOSI_OPTIONS_INIT;
    options.cache = cache;
    options.neighbours = DOSI_NATURAL;
    return options;
}

static double width_of(dosi_interval x)
{
    return x.lo == x.hi ? 0 : x.hi < HUGE_VAL ? (x.hi - x.lo) / x.hi : 1;
}

/* Both enclose one value, and neither is much wider. */
static void assert_alike(const char *text, size_t asked,
    const dosi_answer *shared, const dosi_answer *alone)
{
    dosi_interval x = shared->value, y = alone->value;
    if (!(x.lo <= y.hi && y.lo <= x.hi && x.lo <= x.hi))
        fail_msg("%s, question %zu: [%.17g, %.17g] with a cache, "
                 "[%.17g, %.17g] without",
            text, asked, x.lo, x.hi, y.lo, y.hi);
    if (!(width_of(x) <= 1.01 * width_of(y) + 1e-6))
        fail_msg("%s, question %zu: width %g with a cache, %g without", text,
            asked, width_of(x), width_of(y));
}

static void ask_both(const char *text, const dosi_plan *plan, size_t asked,
    double at, dosi_cache *cache)
{
    dosi_options with = options_with(cache), without = options_with(NULL);
    dosi_answer shared, alone;
    dosi_error err;
    if (questions[asked].ask(&shared, plan, at, &with, &err) != DOSI_OK ||
        questions[asked].ask(&alone, plan, at, &without, &err) != DOSI_OK)
        fail_msg("%s, question %zu: %s", text, asked, err.message);
    assert_alike(text, asked, &shared, &alone);
}

static double between(size_t asked, size_t i, size_t n)
{
    double least = questions[asked].least, most = questions[asked].most;
    return least * pow(most / least, (double)i / (double)(n - 1));
}

/* All questions about all plans, in an order that leaves plans and comes back
 * to them. */
static void test_answers(void **state)
{
    (void)state;
    dosi_cache *cache = new_cache();
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 0; i < n_plans; i++) {
            const dosi_plan *plan = read_plan(plans[i]);
            for (size_t j = 0; j < n_questions; j++)
                for (size_t k = 0; k < 2; k++)
                    ask_both(
                        plans[i], plan, j, between(j, k + round, 3), cache);
            dosi_plan_free(plan);
        }
    dosi_cache_free(cache);
}

/* More questions than a plan has room for laws. */
static void test_many(void **state)
{
    (void)state;
    const size_t n = 60;
    static const size_t quick[] = {3, 4};
    dosi_cache *cache = new_cache();
    for (size_t i = 0; i < n_plans; i++) {
        const dosi_plan *plan = read_plan(plans[i]);
        for (size_t j = 0; j < sizeof quick / sizeof *quick; j++)
            for (size_t k = 0; k < n; k++)
                ask_both(
                    plans[i], plan, quick[j], between(quick[j], k, n), cache);
        dosi_plan_free(plan);
    }
    dosi_cache_free(cache);
}

/* Every route alone, which leaves the others' laws as they are. */
static void test_routes(void **state)
{
    (void)state;
    dosi_cache *cache = new_cache();
    const dosi_plan *plan = read_plan(plans[2]);
    dosi_answer all, one;
    dosi_options with = options_with(cache);
    assert_int_equal(
        dosi_epsilon_at_delta(&all, plan, 1e-6, &with, NULL), DOSI_OK);
    for (size_t i = 0; i < dosi_route_count(); i++) {
        with.route = dosi_route_at(i).name;
        if (dosi_epsilon_at_delta(&one, plan, 1e-6, &with, NULL) == DOSI_OK)
            assert_true(
                one.value.lo <= all.value.hi && all.value.lo <= one.value.hi);
    }
    with.route = NULL;
    assert_int_equal(
        dosi_epsilon_at_delta(&one, plan, 1e-6, &with, NULL), DOSI_OK);
    assert_true(width_of(one.value) <= width_of(all.value) + 1e-9);
    dosi_plan_free(plan);
    dosi_cache_free(cache);
}

/* Another relation, or a bound that cut the laws of an earlier question, does
 * not show in a later one. */
static void test_options(void **state)
{
    (void)state;
    dosi_cache *cache = new_cache();
    for (size_t i = 0; i < n_plans; i++) {
        const dosi_plan *plan = read_plan(plans[i]);
        dosi_options with = options_with(cache);
        dosi_answer cut;
        with.max_operations = 1e4;
        assert_int_equal(
            dosi_epsilon_at_delta(&cut, plan, 1e-6, &with, NULL), DOSI_OK);
        ask_both(plans[i], plan, 0, 1e-6, cache);
        with.max_operations = 0;
        with.neighbours = DOSI_REPLACE;
        if (i != 3 &&
            dosi_epsilon_at_delta(&cut, plan, 1e-6, &with, NULL) == DOSI_OK)
            ask_both(plans[i], plan, 0, 1e-6, cache);
        dosi_plan_free(plan);
    }
    dosi_cache_free(cache);
}

/* A second question about a plan takes fewer operations; they are added to
 * what is there. */
static void test_operations(void **state)
{
    (void)state;
    dosi_cache *cache = new_cache();
    const dosi_plan *plan = read_plan(plans[2]);
    dosi_options with = options_with(cache);
    double spent[2] = {0, 0};
    dosi_answer answer;
    for (int i = 0; i < 2; i++) {
        with.operations = &spent[i];
        assert_int_equal(
            dosi_epsilon_at_delta(&answer, plan, 1e-6, &with, NULL), DOSI_OK);
    }
    assert_true(spent[0] > 1e5 && spent[1] > 0 && spent[1] < spent[0]);
    double before = spent[1];
    assert_int_equal(
        dosi_epsilon_at_delta(&answer, plan, 1e-6, &with, NULL), DOSI_OK);
    assert_true(spent[1] > before);
    dosi_plan_free(plan);
    dosi_cache_free(cache);
    dosi_cache_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_routes),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_operations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
