/*
 * Limits of a question: the width that is wanted, the memory ceiling, being
 * told to stop. A limit may widen an answer, it never makes it wrong: every
 * interval is held against the one without limits. And the table of routes.
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
    double at;
} questions[] = {{dosi_epsilon_at_delta, 1e-6}, {dosi_delta_at_epsilon, 0.5},
    {dosi_tradeoff_at_alpha, 0.125}, {dosi_renyi_at_order, 3},
    {dosi_zcdp_at_xi, 0}};
static const size_t n_questions = sizeof questions / sizeof *questions;

static const char *const plans[] = {
    "gaussian(2) * 3",
    "pure(0.1) * 20 + pure(0.23) * 20 + pure(0.37) * 20",
    "poisson(0.05, gaussian(2)) * 50",
    "poisson(0.3, laplace(2)) * 4 + gaussian(3)",
    "laplace(3) * 3 + rr(0.5) * 2 + gaussian(4)",
    "discrete_laplace(4) * 5 + approx(0.1, 1e-9) + zcdp(0.01)",
    "pmf([0.5, 0.25, 0.25], [0.25, 0.25, 0.5]) * 12 + exponential(0.3)",
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

/* Two enclosures of one value have a point in common. */
static void assert_agree(const char *plan, size_t i, const dosi_answer *a,
    const dosi_answer *free_of_limits)
{
    dosi_interval x = a->value, y = free_of_limits->value;
    if (!(x.lo <= y.hi && y.lo <= x.hi && x.lo <= x.hi))
        fail_msg("%s, question %zu: [%.17g, %.17g] without limits, "
                 "[%.17g, %.17g] within", plan, i, y.lo, y.hi, x.lo, x.hi);
}

/* ---- Width ------------------------------------------------------------- */

static double width_of(dosi_interval x)
{
    return x.lo == x.hi ? 0 : (x.hi - x.lo) / fmax(fabs(x.lo), fabs(x.hi));
}

static void test_width_values(void **state)
{
    (void)state;
    const dosi_plan *plan = read_plan("gaussian(1)");
    const double bad[] = {-1e-9, NAN, HUGE_VAL, -HUGE_VAL};
    dosi_answer a;
    dosi_error err;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        dosi_options options = DOSI_OPTIONS_INIT;
        options.width = bad[i];
        assert_int_equal(dosi_epsilon_at_delta(&a, plan, 1e-6, &options,
                             &err), DOSI_EINVAL);
        assert_non_null(strstr(err.message, "width must be"));
    }
    dosi_plan_free(plan);
}

/* 4.8865541174622120059 lies between two doubles, 2e-16 apart. */
static void test_width_is_a_duty(void **state)
{
    (void)state;
    const dosi_plan *plan = read_plan("gaussian(1)");
    dosi_answer a;
    dosi_error err;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.width = 1e-12;
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1e-6, &options, &err), DOSI_OK);
    assert_true(width_of(a.value) <= 1e-12);
    assert_null(a.reason);

    options.width = 1e-17;
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1e-6, &options, &err), DOSI_EUNABLE);
    assert_true(a.value.lo <= 4.8865541174622120059);
    assert_true(a.value.hi >= 4.8865541174622120059);
    assert_true(a.value.hi - a.value.lo < 1e-14);
    assert_string_not_equal(a.route, "none");
    assert_null(strchr(err.message, '\n'));

    /* the width it names is one that is reached */
    const char *named = strstr(err.message, "attainable is ");
    assert_non_null(named);
    options.width = strtod(named + strlen("attainable is "), NULL);
    assert_true(options.width > 1e-17 && options.width < 1e-14);
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1e-6, &options, &err), DOSI_OK);
    dosi_plan_free(plan);
}

/* Why an answer is as wide as it is: said by the route that it is from, and
 * of memory only where that is what is lacking. */
static void test_reasons(void **state)
{
    (void)state;
    static const struct {
        const char *plan;
        double width;
        size_t bytes;
        const char *reason;
    } rows[] = {
        {"poisson(1e-4, gaussian(0.5)) * 100", 1e-14, 0, "rounding"},
        {"laplace(2) * 10", 1e-13, 0, "take too long"},
        {"laplace(2) * 10 + exponential(0.1) * 3", 1e-9, 0,
            "no route knows the exact law"},
        {"with_replacement(10, 1000, laplace(1)) * 10", 0, 0,
            "no route knows the exact law"},
        {"poisson(0.1, laplace(1)) * 5", 1e-10, 1 << 17, "memory"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const dosi_plan *plan = read_plan(rows[i].plan);
        dosi_answer a;
        dosi_error err;
        dosi_options options = DOSI_OPTIONS_INIT;
        options.width = rows[i].width;
        options.max_bytes = rows[i].bytes;
        options.max_operations = HUGE_VAL;
        assert_int_equal(
            dosi_epsilon_at_delta(&a, plan, 1e-5, &options, &err),
            rows[i].width > 0 ? DOSI_EUNABLE : DOSI_OK);
        assert_non_null(a.reason);
        if (strstr(a.reason, rows[i].reason) == NULL)
            fail_msg("%s: %s", rows[i].plan, a.reason);
        dosi_plan_free(plan);
    }
}

/* Of lists: where a narrower one is found, a wider one is not refused. */
static void test_widths_of_lists(void **state)
{
    (void)state;
    static const double widths[] = {1e-7, 1e-8, 1e-9};
    const dosi_plan *plan = read_plan("laplace(2) * 10");
    for (size_t i = 0; i < 3; i++) {
        dosi_answer a;
        dosi_error err;
        dosi_options options = DOSI_OPTIONS_INIT;
        options.width = widths[i];
        assert_int_equal(
            dosi_epsilon_at_delta(&a, plan, 1e-5, &options, &err), DOSI_OK);
        assert_true(width_of(a.value) <= widths[i]);
    }
    dosi_plan_free(plan);
}

/* Lists get a second pass, and one without an end if they are named; another
 * route agrees with them. */
static void test_passes_of_lists(void **state)
{
    (void)state;
    const dosi_plan *plan =
        read_plan("poisson(0.0342, laplace(9.8)) + poisson(0.0317, "
                  "discrete_laplace(4.19)) * 5 + group(2, exponential(0.0318)) "
                  "* 3");
    static const char *const routes[] = {NULL, "lists", "finite"};
    dosi_answer a[3];
    for (size_t i = 0; i < 3; i++) {
        dosi_options options = DOSI_OPTIONS_INIT;
        options.route = routes[i];
        assert_int_equal(
            dosi_delta_at_epsilon(&a[i], plan, 0, &options, NULL), DOSI_OK);
        assert_true(a[i].value.lo <= a[0].value.hi);
        assert_true(a[i].value.hi >= a[0].value.lo);
    }
    dosi_plan_free(plan);
    assert_true(width_of(a[0].value) <= 1e-4);
    assert_true(width_of(a[1].value) <= 1e-4);
    assert_true(a[2].value.hi < 1);
}

/* A delta below the doubles is narrow by its logarithm. */
static void test_width_of_tiny_delta(void **state)
{
    (void)state;
    const dosi_plan *plan = read_plan("gaussian(1)");
    dosi_answer a;
    dosi_error err;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.width = 1e-9;
    assert_int_equal(dosi_delta_at_epsilon(&a, plan, 63.5, &options, &err),
        DOSI_OK);
    assert_true(a.value.lo == 0 && a.value.hi > 0);
    assert_true(a.log_value.hi - a.log_value.lo < 1e-9);
    dosi_plan_free(plan);
}

/* A width is met or refused, and either way the interval is right. */
static void test_widths_agree(void **state)
{
    (void)state;
    static const double widths[] = {0.5, 1e-3, 1e-9};
    for (size_t p = 0; p < n_plans; p++) {
        const dosi_plan *plan = read_plan(plans[p]);
        for (size_t i = 0; i < n_questions; i++) {
            dosi_answer free_of_limits, a;
            dosi_error err;
            assert_int_equal(questions[i].ask(&free_of_limits, plan,
                                 questions[i].at, NULL, &err), DOSI_OK);
            for (size_t j = 0; j < sizeof widths / sizeof *widths; j++) {
                dosi_options options = DOSI_OPTIONS_INIT;
                options.width = widths[j];
                options.max_bytes = (size_t)1 << 20;
                dosi_status status = questions[i].ask(
                    &a, plan, questions[i].at, &options, &err);
                assert_true(status == DOSI_OK || status == DOSI_EUNABLE);
                assert_agree(plans[p], i, &a, &free_of_limits);
                if (status == DOSI_OK)
                    assert_true(width_of(a.value) <= widths[j]);
                else
                    assert_true(width_of(a.value) > widths[j]);
            }
        }
        dosi_plan_free(plan);
    }
}

/* ---- Memory ------------------------------------------------------------ */

static void test_memory_ceiling(void **state)
{
    (void)state;
    static const size_t ceilings[] = {1, 4096, (size_t)1 << 20};
    for (size_t p = 0; p < n_plans; p++) {
        const dosi_plan *plan = read_plan(plans[p]);
        for (size_t i = 0; i < n_questions; i++) {
            dosi_answer free_of_limits, a;
            dosi_error err;
            assert_int_equal(questions[i].ask(&free_of_limits, plan,
                                 questions[i].at, NULL, &err), DOSI_OK);
            for (size_t j = 0; j < 3; j++) {
                dosi_options options = DOSI_OPTIONS_INIT;
                options.max_bytes = ceilings[j];
                assert_int_equal(questions[i].ask(&a, plan, questions[i].at,
                                     &options, &err), DOSI_OK);
                assert_agree(plans[p], i, &a, &free_of_limits);
            }
        }
        dosi_plan_free(plan);
    }
}

/* ---- Stopping ---------------------------------------------------------- */

typedef struct patience {
    long n_left;
    long n_asked;
} patience;

static int is_lost(void *context)
{
    patience *p = context;
    p->n_asked++;
    return p->n_left-- <= 0;
}

/* Stopped at the n-th time of asking, for growing n until it is not. */
static void stop_at_every_point(const char *text, size_t i)
{
    const dosi_plan *plan = read_plan(text);
    dosi_answer free_of_limits, a;
    dosi_error err;
    assert_int_equal(questions[i].ask(&free_of_limits, plan, questions[i].at,
                         NULL, &err), DOSI_OK);
    for (long n = 0;; n += 1 + 2 * n) {
        patience p = {n, 0};
        dosi_options options = DOSI_OPTIONS_INIT;
        options.stop = is_lost;
        options.stop_context = &p;
        assert_int_equal(questions[i].ask(&a, plan, questions[i].at,
                             &options, &err), DOSI_OK);
        assert_agree(text, i, &a, &free_of_limits);
        if (a.reason != NULL && strcmp(a.reason, DOSI_STOPPED) == 0)
            assert_true(p.n_left < 0);
        if (p.n_left >= 0 || n > 100000)
            break; /* it was never told to stop */
    }
    assert_true(a.value.lo == free_of_limits.value.lo);
    assert_true(a.value.hi == free_of_limits.value.hi);
    dosi_plan_free(plan);
}

static void test_stop(void **state)
{
    (void)state;
    for (size_t p = 0; p < n_plans; p++)
        for (size_t i = 0; i < n_questions; i++)
            stop_at_every_point(plans[p], i);
}

/* Trade-offs of these are known to six digits and more. Stopped before that
 * they say so, also where they are as narrow as a trade-off has to be. */
static void test_stop_is_said(void **state)
{
    (void)state;
    static const char *const texts[] = {"exponential(0.02) * 300",
        "poisson(0.3, laplace(1)) * 5", "laplace(2) * 9 + rr(0.5) * 3",
        "pmf([1, 2, 4], [3, 2, 1]) * 40 + rr(1, 7)", "rr(0.3, 5) * 2000"};
    static const double alphas[] = {0.05, 0.3, 0.7};
    for (size_t i = 0; i < 3 * sizeof texts / sizeof *texts; i++) {
        const dosi_plan *plan = read_plan(texts[i / 3]);
        patience p = {-1, 0};
        for (long n = 0; p.n_left < 0 && n < 4000; n += 1 + n / 8) {
            dosi_answer a;
            dosi_error err;
            dosi_options options = DOSI_OPTIONS_INIT;
            p = (patience){n, 0};
            options.stop = is_lost;
            options.stop_context = &p;
            assert_int_equal(dosi_tradeoff_at_alpha(&a, plan, alphas[i % 3],
                                 &options, &err), DOSI_OK);
            if (p.n_left < 0 && width_of(a.value) > 1.001e-6)
                assert_non_null(a.reason);
        }
        dosi_plan_free(plan);
    }
}

/* Plans whose questions took from seconds to forever. */
static const char *const endless[] = {
    "poisson(0.5, gaussian(1e-300))",
    "poisson(0.1, gaussian(1e-9)) * 30",
    "with_replacement(60000, 60000, gaussian(10))",
    "with_replacement(9007199254740992, 9007199254740992, gaussian(1e9))",
    "poisson(0.3, poisson(0.7, exponential(0.021)) + pure(0.01)) * 2",
    "group(1000, poisson(0.001, gaussian(100)))",
    "group(1000, pmf([1, 2], [2, 1]))",
    "group(2, with_replacement(10, 100, laplace(1)))",
    "poisson(0.01, gaussian(1)) * 9 + poisson(0.01, laplace(1)) * 9 + rr(1)",
    "exponential(0.1) * 50000"};

/* A small budget ends each of them after as many looks as it pays for, the
 * same way every time, at an interval that contains what more work says. */
static void test_budget(void **state)
{
    (void)state;
    const double most = 2e7, one_look = 1e4;
    for (size_t p = 0; p < sizeof endless / sizeof *endless; p++) {
        const dosi_plan *plan = read_plan(endless[p]);
        for (size_t i = 0; i < n_questions; i++) {
            dosi_answer a, again, longer;
            dosi_error err;
            patience looks = {1000000000, 0};
            dosi_options options = DOSI_OPTIONS_INIT;
            options.max_operations = most;
            options.stop = is_lost;
            options.stop_context = &looks;
            assert_int_equal(questions[i].ask(&a, plan, questions[i].at,
                                 &options, &err), DOSI_OK);
            assert_true((double)looks.n_asked <= 2 * most / one_look);
            assert_int_equal(questions[i].ask(&again, plan,
                                 questions[i].at, &options, &err), DOSI_OK);
            assert_true(a.value.lo == again.value.lo);
            assert_true(a.value.hi == again.value.hi);
            options.max_operations = 4 * most;
            assert_int_equal(questions[i].ask(&longer, plan,
                                 questions[i].at, &options, &err), DOSI_OK);
            assert_agree(endless[p], i, &a, &longer);
        }
        dosi_plan_free(plan);
    }
}

/* The reason names the budget, and a budget that is no number is refused. */
static void test_budget_words(void **state)
{
    (void)state;
    dosi_answer a;
    dosi_error err;
    dosi_options options = DOSI_OPTIONS_INIT;
    const dosi_plan *plan = read_plan(endless[8]);
    options.max_operations = 1e6;
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1e-5, &options, &err), DOSI_OK);
    assert_string_equal(a.reason, DOSI_SPENT);
    assert_true(a.value.hi < HUGE_VAL);
    options.max_operations = -1;
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1e-5, &options, &err), DOSI_EINVAL);
    options.max_operations = NAN;
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1e-5, &options, &err), DOSI_EINVAL);
    dosi_plan_free(plan);
}

/* What is quick is answered all the same. */
static void test_stop_at_once(void **state)
{
    (void)state;
    dosi_answer a;
    dosi_error err;
    patience p = {0, 0};
    dosi_options options = DOSI_OPTIONS_INIT;
    options.stop = is_lost;
    options.stop_context = &p;
    const dosi_plan *plan = read_plan("gaussian(1)");
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1e-6, &options, &err), DOSI_OK);
    assert_true(width_of(a.value) < 1e-14);
    assert_null(a.reason);
    dosi_plan_free(plan);
    plan = read_plan("laplace(3) * 3 + rr(0.5) * 2 + gaussian(4)");
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1e-6, &options, &err), DOSI_OK);
    assert_true(a.value.hi < 10);
    assert_string_equal(a.reason, DOSI_STOPPED);
    /* a width is a duty even so */
    options.width = 1e-9;
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1e-6, &options, &err), DOSI_EUNABLE);
    assert_non_null(strstr(err.message, DOSI_STOPPED));
    assert_true(a.value.hi < 10);
    dosi_plan_free(plan);
}

/* ---- Who passes options on --------------------------------------------- */

static void test_accountant_keeps_limits(void **state)
{
    (void)state;
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_accountant *accountant = NULL;
    dosi_answer a;
    dosi_error err;
    const dosi_plan *plan = read_plan("gaussian(1)");
    /* no width is no duty */
    assert_int_equal(dosi_accountant_new(&accountant, &options, &err), 0);
    assert_int_equal(dosi_accountant_add(accountant, plan, 1, &err), 0);
    assert_int_equal(
        dosi_accountant_epsilon_at_delta(&a, accountant, 1e-6, &err), 0);
    dosi_accountant_free(accountant);
    options.width = 1e-17;
    assert_int_equal(dosi_accountant_new(&accountant, &options, &err), 0);
    assert_int_equal(dosi_accountant_add(accountant, plan, 1, &err), 0);
    assert_int_equal(
        dosi_accountant_epsilon_at_delta(&a, accountant, 1e-6, &err),
        DOSI_EUNABLE);
    assert_true(width_of(a.value) < 1e-14);
    dosi_accountant_free(accountant);
    dosi_plan_free(plan);
}

/* A program compiled before width was there passes a shorter struct. */
static void test_older_options(void **state)
{
    (void)state;
    const dosi_plan *plan = read_plan("gaussian(1)");
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_answer a;
    options.size = offsetof(dosi_options, width);
    options.width = NAN; /* what lies behind is not read */
    options.stop = (int (*)(void *))NULL;
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1e-6, &options, NULL), DOSI_OK);
    dosi_plan_free(plan);
}

/* ---- Routes ------------------------------------------------------------ */

static void test_routes(void **state)
{
    (void)state;
    const dosi_plan *plan = read_plan("laplace(3) * 2 + gaussian(2)");
    dosi_answer best, a;
    dosi_error err;
    dosi_options options = DOSI_OPTIONS_INIT;
    assert_int_equal(
        dosi_epsilon_at_delta(&best, plan, 1e-6, NULL, &err), DOSI_OK);
    options.route = "no such route";
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1e-6, &options, &err), DOSI_EINVAL);
    char names[DOSI_MESSAGE_BYTES];
    memcpy(names, err.message, sizeof names);
    assert_true(dosi_route_count() >= 6);
    for (size_t i = 0; i < dosi_route_count(); i++) {
        dosi_route_info info = dosi_route_at(i);
        assert_true(strlen(info.meaning) > 10);
        assert_non_null(strstr(names, info.name));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(info.name, dosi_route_at(j).name);
        options.route = info.name;
        assert_int_equal(dosi_epsilon_at_delta(&a, plan, 1e-6, &options,
                             &err), DOSI_OK);
        assert_agree("one route", i, &a, &best);
        assert_true(strcmp(a.route, info.name) == 0 ||
                    strcmp(a.route, "none") == 0);
    }
    options.route = "grid"; /* what lists were called */
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1e-6, &options, &err), DOSI_OK);
    assert_string_equal(a.route, "lists");
    dosi_plan_free(plan);
}

/* ---- Epsilon 0 --------------------------------------------------------- */

/* The total variation is rate (2 Phi(1/2) - 1) = 0.0004 0.3829 = 1.53e-4. */
static void test_zero_is_explained(void **state)
{
    (void)state;
    const dosi_plan *plan = read_plan("poisson(0.0004, gaussian(1))");
    dosi_answer a;
    dosi_error err;
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1e-3, NULL, &err), DOSI_OK);
    assert_true(a.value.lo == 0 && a.value.hi == 0);
    assert_non_null(strstr(a.reason, "total variation"));
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1.5e-4, NULL, &err), DOSI_OK);
    assert_true(a.value.lo > 0);
    assert_null(a.reason);
    dosi_plan_free(plan);
    /* a thousand steps: at most 1000 1e-9 0.3829 = 3.83e-7 */
    plan = read_plan("poisson(1e-9, gaussian(1)) * 1000");
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 3.9e-7, NULL, &err), DOSI_OK);
    assert_true(a.value.lo == 0 && a.value.hi == 0);
    assert_non_null(strstr(a.reason, "total variation"));
    dosi_options options = DOSI_OPTIONS_INIT;
    options.route = "approx";
    assert_int_equal(
        dosi_delta_at_epsilon(&a, plan, 0.5, &options, &err), DOSI_OK);
    assert_true(a.value.hi > 3.82e-7 && a.value.hi < 3.83e-7);
    assert_int_equal(
        dosi_tradeoff_at_alpha(&a, plan, 0.25, &options, &err), DOSI_OK);
    assert_true(a.value.lo < 0.75 - 3.82e-7 && a.value.lo > 0.749999);
    dosi_plan_free(plan);
}

/* Losses below the rounding of their sums have no place on a line: the
 * contour route refuses, and others answer. */
static void test_tiny_losses(void **state)
{
    (void)state;
    static const struct {
        const char *plan;
        double most;
    } cases[] = {{"group(6, poisson(0.0134, gaussian(1e100)))", 0},
        {"group(3, poisson(0.5, gaussian(1e17))) * 50", 1e-10}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dosi_plan *plan = read_plan(cases[i].plan);
        dosi_options options = DOSI_OPTIONS_INIT;
        dosi_answer a;
        dosi_error err = {0};
        assert_int_equal(
            dosi_epsilon_at_delta(&a, plan, 1e-6, &options, &err), DOSI_OK);
        assert_true(a.value.lo == 0 && a.value.hi <= cases[i].most);
        options.route = "contour";
        assert_int_equal(
            dosi_epsilon_at_delta(&a, plan, 1e-6, &options, &err), DOSI_OK);
        assert_true(a.value.lo == 0);
        dosi_plan_free(plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_width_values),
        cmocka_unit_test(test_width_is_a_duty),
        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_widths_of_lists),
        cmocka_unit_test(test_passes_of_lists),
        cmocka_unit_test(test_width_of_tiny_delta),
        cmocka_unit_test(test_widths_agree),
        cmocka_unit_test(test_memory_ceiling),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_stop_is_said),
        cmocka_unit_test(test_budget),
        cmocka_unit_test(test_budget_words),
        cmocka_unit_test(test_stop_at_once),
        cmocka_unit_test(test_accountant_keeps_limits),
        cmocka_unit_test(test_older_options),
        cmocka_unit_test(test_routes),
        cmocka_unit_test(test_zero_is_explained),
        cmocka_unit_test(test_tiny_losses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
