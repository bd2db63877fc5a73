/*
 * The questions at their edges: arguments, options, relations, refusals,
 * provenance, and plans that no route covers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdbool.h>
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

static dosi_status epsilon(dosi_answer *a, const char *text, double delta,
    const dosi_options *options, dosi_error *err)
{
    const dosi_plan *plan = read_plan(text);
    dosi_status status = dosi_epsilon_at_delta(a, plan, delta, options, err);
    dosi_plan_free(plan);
    return status;
}

static dosi_answer epsilon_of(const char *text, double delta)
{
    dosi_answer a;
    dosi_error err;
    if (epsilon(&a, text, delta, NULL, &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    return a;
}

static dosi_answer delta_of(const char *text, double eps)
{
    dosi_answer a;
    dosi_error err;
    const dosi_plan *plan = read_plan(text);
    if (dosi_delta_at_epsilon(&a, plan, eps, NULL, &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    dosi_plan_free(plan);
    return a;
}

static void test_arguments(void **state)
{
    (void)state;
    const dosi_plan *plan = read_plan("gaussian(1)");
    dosi_answer a;
    dosi_error err;
    const double bad_delta[] = {1, -1, 2, NAN, HUGE_VAL};
    for (size_t i = 0; i < sizeof bad_delta / sizeof *bad_delta; i++) {
        assert_int_equal(
            dosi_epsilon_at_delta(&a, plan, bad_delta[i], NULL, &err),
            DOSI_EINVAL);
        assert_non_null(strstr(err.message, "delta must be"));
    }
    const double bad_log[] = {0, 1, NAN, HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < sizeof bad_log / sizeof *bad_log; i++)
        assert_int_equal(
            dosi_epsilon_at_log_delta(&a, plan, bad_log[i], NULL, &err),
            DOSI_EINVAL);
    const double bad_epsilon[] = {-1e-300, NAN, HUGE_VAL};
    for (size_t i = 0; i < sizeof bad_epsilon / sizeof *bad_epsilon; i++)
        assert_int_equal(
            dosi_delta_at_epsilon(&a, plan, bad_epsilon[i], NULL, &err),
            DOSI_EINVAL);
    const double bad_alpha[] = {-0.1, 1.1, NAN};
    for (size_t i = 0; i < sizeof bad_alpha / sizeof *bad_alpha; i++)
        assert_int_equal(
            dosi_tradeoff_at_alpha(&a, plan, bad_alpha[i], NULL, &err),
            DOSI_EINVAL);
    const double bad_order[] = {1, 0, NAN, HUGE_VAL};
    for (size_t i = 0; i < sizeof bad_order / sizeof *bad_order; i++)
        assert_int_equal(
            dosi_renyi_at_order(&a, plan, bad_order[i], NULL, &err),
            DOSI_EINVAL);
    /* the error is optional */
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1, NULL, NULL), DOSI_EINVAL);
    dosi_plan_free(plan);
}

static void test_route_words(void **state)
{
    (void)state;
    static const char *const words[][2] = {{"closed form", "closed"},
        {"closed-form", "closed"}, {"Closed", "closed"}, {"Renyi", "renyi"},
        {"rdp", "renyi"}, {"zCDP", "zcdp"}, {"spectral", "contour"},
        {"list", "lists"}, {"grid", "lists"}};
    static const char *const unknown[] = {"", "c", "closedform", "listss",
        "renyi ", "_closed", "gri", "Rényi"};
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_answer a;

    for (size_t i = 0; i < dosi_route_count(); i++) {
        options.route = dosi_route_at(i).name;
        (void)epsilon(&a, "rr(1) * 2", 1e-3, &options, NULL);
        assert_string_equal(a.route, options.route);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        options.route = words[i][0];
        (void)epsilon(&a, "rr(1) * 2", 1e-3, &options, NULL);
        assert_string_equal(a.route, words[i][1]);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        options.route = unknown[i];
        assert_int_equal(
            epsilon(&a, "gaussian(1)", 1e-3, &options, NULL), DOSI_EINVAL);
    }
}

static void test_options(void **state)
{
    (void)state;
    dosi_answer a;
    dosi_error err;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.route = "magic";
    assert_int_equal(
        epsilon(&a, "gaussian(1)", 1e-6, &options, &err), DOSI_EINVAL);
    assert_non_null(strstr(err.message, "closed, approx, contour"));
    assert_non_null(strstr(err.message, "got \"magic\""));
    options.route = "zcdp";
    assert_int_equal(
        epsilon(&a, "gaussian(1)", 1e-6, &options, &err), DOSI_OK);
    assert_string_equal(a.route, "zcdp");
    assert_true(fabs(a.value.hi - 5.2215344445302) < 1e-12);
    options.route = "approx";
    assert_int_equal(
        epsilon(&a, "gaussian(1)", 1e-6, &options, &err), DOSI_OK);
    assert_string_equal(a.route, "none");
    assert_true(a.value.lo == 0 && a.value.hi == HUGE_VAL);
    options = (dosi_options)DOSI_OPTIONS_INIT;
    options.size = 0;
    assert_int_equal(
        epsilon(&a, "gaussian(1)", 1e-6, &options, &err), DOSI_EINVAL);
    options.size = sizeof options + 8;
    assert_int_equal(
        epsilon(&a, "gaussian(1)", 1e-6, &options, &err), DOSI_EINVAL);
    /* an older caller, whose struct ends after the relation */
    options.size = offsetof(dosi_options, max_terms);
    options.route = "magic";
    assert_int_equal(
        epsilon(&a, "gaussian(1)", 1e-6, &options, &err), DOSI_OK);
    options = (dosi_options)DOSI_OPTIONS_INIT;
    options.neighbours = (dosi_neighbours)7;
    assert_int_equal(
        epsilon(&a, "gaussian(1)", 1e-6, &options, &err), DOSI_EINVAL);
}

/* A small limit gives a wider answer, not a failure. */
static void test_max_terms(void **state)
{
    (void)state;
    dosi_answer wide, narrow;
    dosi_error err;
    const char *plan = "pure(0.1) * 20 + pure(0.23) * 20 + pure(0.37) * 20";
    dosi_options options = DOSI_OPTIONS_INIT;
    options.max_terms = 16;
    assert_int_equal(epsilon(&wide, plan, 1e-6, &options, &err), DOSI_OK);
    assert_int_equal(epsilon(&narrow, plan, 1e-6, NULL, &err), DOSI_OK);
    assert_string_equal(narrow.route, "finite");
    assert_true(narrow.value.hi - narrow.value.lo < 1e-12);
    assert_null(narrow.reason);
    assert_true(wide.value.lo <= narrow.value.lo);
    assert_true(wide.value.hi > narrow.value.hi);
    assert_true(wide.value.hi < HUGE_VAL);
    assert_string_not_equal(wide.route, "finite");
}

static void test_hole(void **state)
{
    (void)state;
    dosi_answer a;
    dosi_error err;
    assert_int_equal(
        epsilon(&a, "gaussian(?)", 1e-6, NULL, &err), DOSI_EINVAL);
    assert_non_null(strstr(err.message, "hole"));
}

/* A Poisson sample of everything is the plan itself, except that a record
 * replaced is one removed and one added for what is sampled. */
static void test_full_sample(void **state)
{
    (void)state;
    static const struct {
        const char *plan;
        dosi_neighbours neighbours;
        const char *same;
    } rows[] = {
        {"poisson(1, gaussian(2))*3", DOSI_ADD_REMOVE, "gaussian(2)*3"},
        {"poisson(1, gaussian(2))*3", DOSI_REPLACE, "group(2, gaussian(2))*3"},
        {"poisson(1, laplace(2) + gaussian(1)*2)", DOSI_REPLACE,
            "group(2, laplace(2)) + group(2, gaussian(1))*2"},
        {"group(3, poisson(1, gaussian(4)))", DOSI_REPLACE,
            "group(6, gaussian(4))"},
        {"poisson(1, poisson(0.1, gaussian(1)))*9", DOSI_REPLACE,
            "poisson(0.1, gaussian(1))*9"},
        {"poisson(0.1, poisson(1, gaussian(1)))*9", DOSI_REPLACE,
            "poisson(0.1, gaussian(1))*9"},
        {"poisson(1, poisson(1, gaussian(4)))", DOSI_REPLACE,
            "group(2, gaussian(4))"},
        {"poisson(1, gaussian(4))", DOSI_REPLACE,
            "poisson(0.99999999999, gaussian(4))"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dosi_options options = DOSI_OPTIONS_INIT;
        dosi_answer a, b;
        options.neighbours = rows[i].neighbours;
        assert_int_equal(
            epsilon(&a, rows[i].plan, 1e-5, &options, NULL), DOSI_OK);
        assert_int_equal(
            epsilon(&b, rows[i].same, 1e-5, &options, NULL), DOSI_OK);
        double scale = 1e-6 * b.value.hi;
        if (!(fabs(a.value.hi - b.value.hi) <= scale &&
                fabs(a.value.lo - b.value.lo) <= scale))
            fail_msg("%s: [%g, %g], not [%g, %g]", rows[i].plan, a.value.lo,
                a.value.hi, b.value.lo, b.value.hi);
    }
}

/* Which sampler has a theorem under which relation. */
static void test_refusals(void **state)
{
    (void)state;
    static const struct {
        const char *plan;
        dosi_status add_remove, replace;
    } rows[] = {
        {"gaussian(1)", DOSI_OK, DOSI_OK},
        {"pmf(p=[1,2], q=[2,1])", DOSI_OK, DOSI_OK},
        {"poisson(0.1, gaussian(1))", DOSI_OK, DOSI_OK},
        {"poisson(0.1, laplace(1)) * 3 + pure(1)", DOSI_OK, DOSI_OK},
        {"without_replacement(1, 9, gaussian(1))", DOSI_EUNSUPPORTED,
            DOSI_OK},
        {"pure(1) + group(2, without_replacement(1, 9, pure(1)))",
            DOSI_EUNSUPPORTED, DOSI_OK},
        {"with_replacement(1, 9, gaussian(1))", DOSI_OK, DOSI_OK},
        {"with_replacement(2, 1, gaussian(1))", DOSI_EUNSUPPORTED, DOSI_OK},
        {"poisson(0.1, poisson(0.2, gaussian(1)))", DOSI_OK, DOSI_OK},
        {"poisson(0.1, with_replacement(1, 9, gaussian(1)))",
            DOSI_EUNSUPPORTED, DOSI_EUNSUPPORTED},
        {"with_replacement(1, 9, poisson(0.1, gaussian(1)))",
            DOSI_EUNSUPPORTED, DOSI_EUNSUPPORTED},
        {"without_replacement(9, 9, gaussian(1))", DOSI_OK, DOSI_OK},
        {"poisson(1, gaussian(1))", DOSI_OK, DOSI_OK},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dosi_answer a;
        dosi_error err = {0};
        dosi_options options = DOSI_OPTIONS_INIT;
        if (epsilon(&a, rows[i].plan, 0.01, &options, &err) !=
            rows[i].add_remove)
            fail_msg("%s under add_remove: %s", rows[i].plan, err.message);
        options.neighbours = DOSI_REPLACE;
        if (epsilon(&a, rows[i].plan, 0.01, &options, &err) !=
            rows[i].replace)
            fail_msg("%s under replace: %s", rows[i].plan, err.message);
        if (rows[i].replace == DOSI_OK)
            assert_int_equal(a.neighbours, DOSI_REPLACE);
    }
}

/* A refusal offers the nearest question that has an answer. */
static void test_offers(void **state)
{
    (void)state;
    dosi_answer a;
    dosi_error err;
    dosi_options options = DOSI_OPTIONS_INIT;
    assert_int_equal(epsilon(&a, "without_replacement(1, 9, gaussian(1))",
                         0.01, &options, &err),
        DOSI_EUNSUPPORTED);
    assert_non_null(strstr(err.message, "ask under replace"));
    assert_int_equal(epsilon(&a, "with_replacement(3, 1, gaussian(1))", 0.01,
                         &options, &err),
        DOSI_EUNSUPPORTED);
    assert_non_null(strstr(err.message, "ask under replace"));
}

static void test_uncovered(void **state)
{
    (void)state;
    static const char plan[] = /* groups of different sizes */
        "group(2, with_replacement(1, 9, gaussian(1))) + gaussian(1)";
    dosi_answer a = epsilon_of(plan, 0.01);
    assert_true(a.value.hi == HUGE_VAL);
    assert_string_equal(a.route, "none");
    assert_non_null(strstr(a.reason, "with_replacement"));
    a = delta_of(plan, 1);
    assert_true(a.value.hi == 1 && a.log_value.hi == 0);
}

static void test_provenance(void **state)
{
    (void)state;
    dosi_answer a = epsilon_of("gaussian(1)", 1e-6);
    assert_string_equal(a.route, "closed");
    assert_non_null(strstr(a.theorem, "T000-08"));
    assert_string_equal(a.lower_meaning, "the mechanism");
    assert_null(a.reason);
    assert_int_equal(a.n_assumptions, 1);
    a = epsilon_of("pure(0.1) * 100", 1e-6);
    assert_non_null(strstr(a.theorem, "S000-7.kov"));
    assert_string_equal(a.lower_meaning, "the class");
    assert_int_equal(a.n_assumptions, 2); /* fixed in advance, stated */
    a = epsilon_of("poisson(0.1, gaussian(1))", 1e-6);
    assert_int_equal(a.n_assumptions, 2);
    assert_non_null(strstr(a.assumptions[0], "sampled independently"));
    a = epsilon_of("zcdp(0.5)", 1e-6);
    assert_string_equal(a.route, "zcdp");
    assert_string_equal(a.lower_meaning, "the class");
    assert_non_null(a.reason);
    a = epsilon_of("approx(0.1, 0.01) * 5", 0.001);
    assert_true(a.value.lo == HUGE_VAL);
    assert_non_null(strstr(a.reason, "leaks"));
}

/* Every kind that assumes something at once: all of it is said. */
static void test_assumptions(void **state)
{
    (void)state;
    static const char text[] =
        "gaussian(50) + laplace(50) + discrete_gaussian(50) + "
        "discrete_laplace(50) + rr(0.01) + exponential(0.01) + pure(0.01) + "
        "approx(0.01, 1e-9) + zcdp(1e-4) + renyi(2, 1e-4) + gdp(0.01) + "
        "pmf([1, 2], [2, 2]) + loss([0.01], [0.999]) + "
        "poisson(0.01, gaussian(50)) + "
        "without_replacement(2, 100, laplace(50)) + "
        "with_replacement(2, 100, laplace(50)) + group(2, rr(0.02))";
    static const char *const parts[] = {"fixed in advance",
        "Gaussian noise is exact, and sigma",
        "Laplace noise is exact, and scale", "discrete Gaussian noise",
        "discrete Laplace noise", "stated odds", "exponential mechanism",
        "stated epsilon-DP", "stated (epsilon, delta)-DP", "stated zCDP",
        "stated Renyi", "stated Gaussian-DP", "the lists are the worst",
        "the loss laws are those", "sampled independently",
        "uniformly without replacement", "uniformly with replacement",
        "the mechanism that poisson samples is stated", "no group is larger"};
    const size_t n = sizeof parts / sizeof *parts;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.neighbours = DOSI_REPLACE;
    options.route = "approx"; /* what is assumed does not depend on it */
    dosi_answer a;
    dosi_error err;
    assert_int_equal(epsilon(&a, text, 0.01, &options, &err), DOSI_OK);
    assert_int_equal(a.n_assumptions, n);
    for (size_t i = 0; i < n; i++) {
        bool found = false;
        for (size_t j = 0; j < a.n_assumptions; j++)
            found = found || strstr(a.assumptions[j], parts[i]) != NULL;
        if (!found)
            fail_msg("not assumed: %s", parts[i]);
    }
}

typedef dosi_status (*question)(dosi_answer *out, const dosi_plan *plan,
    double at, const dosi_options *options, dosi_error *err);

static dosi_interval ask(question q, const char *text, double at)
{
    const dosi_plan *plan = read_plan(text);
    dosi_answer a;
    dosi_error err;
    if (q(&a, plan, at, NULL, &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    dosi_plan_free(plan);
    return a.value;
}

/* A plan, and one that holds it and a guarantee without a law: what the first
 * attains the second does. */
static void test_more_parts(void **state)
{
    (void)state;
    static const char *const plans[][2] = {
        {"laplace(10) * 50", "laplace(10) * 50 + zcdp(0.002)"},
        {"laplace(10) * 50", "laplace(10) * 50 + renyi(2, 0.001)"},
        {"laplace(10) * 50", "laplace(10) * 50 + zcdp(0, 0.01)"},
        {"poisson(0.01, gaussian(1)) * 1000",
            "poisson(0.01, gaussian(1)) * 1000 + zcdp(0.002)"},
        {"poisson(0.01, gaussian(1)) * 1000",
            "poisson(0.01, gaussian(1)) * 1000 + poisson(0.1, zcdp(0.01))"},
        {"exponential(0.1) * 50", "exponential(0.1) * 50 + zcdp(0.001)"},
        {"gaussian(3) * 2 + laplace(4)",
            "gaussian(3) * 2 + laplace(4) + poisson(0.1, renyi(2, 0.1))"}};
    static const struct {
        question ask;
        double at;
        bool is_below;
    } questions[] = {{dosi_epsilon_at_delta, 1e-6, false},
        {dosi_delta_at_epsilon, 1, false},
        {dosi_tradeoff_at_alpha, 0.05, true},
        {dosi_renyi_at_order, 4, false}, {dosi_zcdp_at_xi, 0, false}};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        for (size_t j = 0; j < sizeof questions / sizeof *questions; j++) {
            double at = questions[j].at;
            dosi_interval a = ask(questions[j].ask, plans[i][0], at);
            dosi_interval b = ask(questions[j].ask, plans[i][1], at);
            if (questions[j].is_below ? !(b.hi <= a.hi * (1 + 1e-6))
                                      : !(b.lo >= a.lo * (1 - 1e-6)))
                fail_msg("%s: question %zu, %.9g .. %.9g after %.9g .. %.9g",
                    plans[i][1], j, b.lo, b.hi, a.lo, a.hi);
        }
    /* zcdp(rho) is attained by Gaussian noise of mu^2 = 2 rho, and no more is
     * known from below */
    dosi_interval one = ask(dosi_epsilon_at_delta,
        "laplace(10) * 50 + zcdp(0.02)", 1e-6);
    dosi_interval member = ask(dosi_epsilon_at_delta,
        "laplace(10) * 50 + gdp(0.2)", 1e-6);
    assert_true(one.lo <= member.hi && one.lo >= member.lo * (1 - 1e-5));
    /* the order is beyond what is stated: one run of noise, mu = 1, and a
     * member of mu^2 = 2 epsilon/order = 1; divergence order mu^2/2 */
    dosi_interval d =
        ask(dosi_renyi_at_order, "gaussian(1) + renyi(2, 1)", 4);
    assert_true(d.lo > 4 - 1e-12 && d.lo <= 4 && d.hi == HUGE_VAL);
    /* a part without any curve */
    d = ask(dosi_renyi_at_order, "laplace(1) + poisson(0.5, approx(1, 0.1))",
        4);
    assert_true(
        d.lo >= ask(dosi_renyi_at_order, "laplace(1)", 4).lo - 1e-12);
}

/* Values that are known however large the numbers are. */
static void test_far_values(void **state)
{
    (void)state;
    /* 1 - delta <= e^(1/2) A^k, with A below 0.92 for the pmf, and next to
     * nothing where noise is */
    static const char *const everything[] = {"gaussian(5e-324)",
        "gaussian(1e-309) + laplace(1)", "gaussian(1e-160) * 3",
        "laplace(1e-320)", "discrete_laplace(5e-324)", "gdp(1.7e308) * 2",
        "pmf([1, 2, 3], [3, 2, 1]) * 9007199254740992",
        "poisson(0.5, rr(1)) * 9007199254740992"};
    for (size_t i = 0; i < sizeof everything / sizeof *everything; i++) {
        const char *text = everything[i];
        dosi_interval delta = ask(dosi_delta_at_epsilon, text, 1);
        dosi_interval beta = ask(dosi_tradeoff_at_alpha, text, 0.1);
        dosi_interval eps = ask(dosi_epsilon_at_delta, text, 0.1);
        if (!(delta.lo >= 1 - 1e-15 && delta.hi <= 1 && beta.lo >= 0 &&
                beta.hi <= 1e-300 && eps.lo > 1e10 && eps.hi > eps.lo))
            fail_msg("%s: delta %.17g .. %.17g, beta %g .. %g, epsilon "
                     "%g .. %g",
                text, delta.lo, delta.hi, beta.lo, beta.hi, eps.lo, eps.hi);
    }
    /* 2^53 log(3) of the loss at most, half of it in the mean */
    dosi_interval eps = ask(dosi_epsilon_at_delta, everything[6], 0.1);
    double mean = 0x1p53 * log(3) / 3; /* under P, (3 - 1)/6 log 3 a run */
    assert_true(eps.lo <= mean && eps.lo >= mean / 2 && eps.hi >= mean);
    /* D rises up to the greatest loss, which it is next to at 1.7e308 */
    static const struct {
        const char *plan;
        double loss;
    } bounded[] = {{"laplace(1)", 1}, {"rr(2)", 2}, {"pure(1) * 3", 3},
        {"discrete_laplace(1)", 1}, {"exponential(1)", 1},
        {"pmf([1, 4], [2, 3])", 0.69314718055994531 /* log(0.4/0.2) */}};
    for (size_t i = 0; i < sizeof bounded / sizeof *bounded; i++) {
        dosi_interval d = ask(
            dosi_renyi_at_order, bounded[i].plan, 1.7976931348623157e308);
        if (!(d.lo <= bounded[i].loss && d.hi >= bounded[i].loss * 0.999999 &&
                d.hi - d.lo <= 1e-7))
            fail_msg("%s: %.17g .. %.17g", bounded[i].plan, d.lo, d.hi);
    }
}

/* Nothing lost, everything lost. */
static void test_trivial(void **state)
{
    (void)state;
    static const char *const nothing[] = {"pure(0)", "gdp(0) * 5",
        "poisson(0, nonprivate())", "approx(0, 0)", "zcdp(0)",
        "pmf(p=[1,2], q=[2,4])"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++) {
        dosi_answer a = epsilon_of(nothing[i], 1e-300);
        assert_true(a.value.lo == 0 && a.value.hi == 0);
        a = delta_of(nothing[i], 0);
        assert_true(a.value.hi == 0 && a.log_value.hi == -HUGE_VAL);
    }
    dosi_answer a = epsilon_of("nonprivate()", 0.999);
    assert_true(a.value.lo == HUGE_VAL);
    a = delta_of("nonprivate() + pure(1)", 1e5);
    assert_true(a.value.lo == 1 && a.log_value.lo == 0);
}

/* Parameters at the ends of the doubles. */
static void test_extremes(void **state)
{
    (void)state;
    dosi_answer a = epsilon_of("gaussian(1e300)", 1e-300);
    assert_true(a.value.lo >= 0 && a.value.hi < 1e-290);
    a = epsilon_of("gaussian(1e-300)", 1e-6);
    assert_true(a.value.lo > 1e300 && a.value.hi == HUGE_VAL);
    a = delta_of("gaussian(1e-300)", 1e5);
    assert_true(a.value.lo > 0.999999 && a.value.hi <= 1);
    a = epsilon_of("gaussian(1e8) * 9007199254740992", 1e-6);
    assert_true(a.value.lo > 4.6 && a.value.hi - a.value.lo < 1e-12);
    a = delta_of("laplace(1e-300)", 1e5);
    assert_true(a.value.lo > 0.999999 && a.value.hi <= 1);
    a = delta_of("pure(1e5)", 1e5 - 1);
    assert_true(fabs(a.value.lo - (1 - exp(-1))) < 1e-12);
    a = epsilon_of("laplace(1e15) * 9007199254740992", 1e-12);
    assert_true(a.value.lo >= 0 && a.value.hi < 1e-6);
    a = epsilon_of("discrete_gaussian(1e-200)", 0.5);
    assert_true(a.value.lo > 0 && a.value.hi >= a.value.lo);
    a = epsilon_of("exponential(1e-300) * 9007199254740992", 1e-6);
    assert_true(a.value.lo == 0 && a.value.hi < 1e-280);
    a = epsilon_of("zcdp(1e300)", 1e-6);
    assert_true(a.value.lo > 1e299);
    a = epsilon_of("pmf(p=[1e300, 1e-300], q=[1e-300, 1e300])", 1e-6);
    assert_true(a.value.lo > 1000 && a.value.hi < 1400);
}

/* The second direction may be the worse one. */
static void test_directions(void **state)
{
    (void)state;
    const char *one = "pmf(p=[0.9, 0.1], q=[0.5, 0.5])";
    const char *other = "pmf(p=[0.5, 0.5], q=[0.9, 0.1])";
    dosi_answer a = delta_of(one, 1), b = delta_of(other, 1);
    assert_true(a.value.lo == b.value.lo && a.value.hi == b.value.hi);
    double exact = 0.5 - exp(1) * 0.1; /* only the reverse has loss > 1 */
    assert_true(fabs(a.value.lo - exact) < 1e-15);
}

/* One batch by closed form and by atoms. */
static void test_batch_atoms(void **state)
{
    (void)state;
    static const char *const plans[] = {
        "without_replacement(3, 7, pure(1))",
        "without_replacement(3, 7, rr(2, 5))",
        "without_replacement(1, 50, approx(0.5, 1e-3) * 3)"};
    dosi_options options = DOSI_OPTIONS_INIT;
    options.neighbours = DOSI_REPLACE;
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        const dosi_plan *plan = read_plan(plans[i]);
        for (int j = 0; j < 20; j++) {
            double eps = 0.05 * j;
            dosi_answer a, b;
            dosi_error err;
            options.route = "closed";
            assert_int_equal(
                dosi_delta_at_epsilon(&a, plan, eps, &options, &err),
                DOSI_OK);
            options.route = "finite";
            assert_int_equal(
                dosi_delta_at_epsilon(&b, plan, eps, &options, &err),
                DOSI_OK);
            assert_true(a.value.hi - a.value.lo <= 1e-14);
            assert_true(b.value.hi >= a.value.lo);
            assert_true(b.value.hi <= a.value.hi + 1e-14);
        }
        dosi_plan_free(plan);
    }
}

/* Responses keep a zCDP guarantee with xi = epsilon: stated guarantees that are
 * summed are no less than what such responses lose, and not much more. */
static void stated_guarantees_add(void **state)
{
    (void)state;
    dosi_answer stated =
        epsilon_of("zcdp(1e-6, xi=0.5) * 4 + gaussian(10)", 1e-6);
    dosi_answer member = epsilon_of("rr(0.5) * 4 + gaussian(10)", 1e-6);
    assert_true(stated.value.hi >= member.value.lo);
    assert_true(stated.value.hi <= 1.03 * member.value.hi);
}

/* Under replace a sample is attained from above by one half of a pair for alpha
 * below 1/2 and by the other one beyond: both are asked where they say
 * something. */
static void test_half_pairs(void **state)
{
    (void)state;
    const dosi_plan *plan =
        read_plan("with_replacement(10, 1000, gaussian(1)) * 5");
    dosi_options options = DOSI_OPTIONS_INIT;
    options.neighbours = DOSI_REPLACE;
    for (int i = 1; i < 20; i++) {
        dosi_answer a;
        dosi_error err;
        double alpha = i / 20.0;
        assert_int_equal(
            dosi_tradeoff_at_alpha(&a, plan, alpha, &options, &err), DOSI_OK);
        /* five steps at rate 0.00995 and mu 2 are far from perfect privacy */
        assert_true(a.value.hi < 1 - alpha - 0.002);
        assert_true(a.value.lo <= a.value.hi);
        assert_true(a.value.hi - a.value.lo <= 0.003);
    }
    dosi_plan_free(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half_pairs),
        cmocka_unit_test(stated_guarantees_add),
        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_route_words),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_max_terms),
        cmocka_unit_test(test_hole),
        cmocka_unit_test(test_full_sample),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_offers),
        cmocka_unit_test(test_uncovered),
        cmocka_unit_test(test_provenance),
        cmocka_unit_test(test_assumptions),
        cmocka_unit_test(test_more_parts),
        cmocka_unit_test(test_far_values),
        cmocka_unit_test(test_trivial),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_directions),
        cmocka_unit_test(test_batch_atoms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
