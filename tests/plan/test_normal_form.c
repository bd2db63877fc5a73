/*
 * The normal form: each rule by an example, what must not be folded, and the
 * limits.
 */
#include "plan/normal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const dosi_plan *read_plan(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err = {0};
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    return plan;
}

/* The normal form's text, into out. */
static void normal_text(char *out, size_t size, const char *text)
{
    const dosi_plan *plan = read_plan(text), *normal = NULL;
    dosi_error err = {0};
    size_t length;
    if (dosi_plan_normal(&normal, plan, &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    assert_int_equal(dosi_plan_has_hole(plan), dosi_plan_has_hole(normal));
    assert_int_equal(
        dosi_plan_print(out, size, &length, normal, DOSI_FORM_TEXT, NULL),
        DOSI_OK);
    assert_true(length < size);
    dosi_plan_free(plan);
    dosi_plan_free(normal);
}

typedef struct normal_case {
    const char *text;
    const char *normal;
} normal_case;

/* Also that the right side is its own normal form. */
static void check(const normal_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char got[1024];
        normal_text(got, sizeof got, cases[i].text);
        assert_string_equal(got, cases[i].normal);
        normal_text(got, sizeof got, cases[i].normal);
        assert_string_equal(got, cases[i].normal);
    }
}

#define CHECK(cases) check(cases, sizeof(cases) / sizeof(cases)[0])

static void compositions(void **state)
{
    (void)state;
    static const normal_case cases[] = {
        {"gaussian(1)", "gaussian(1)"},
        {"gaussian(1) * 1", "gaussian(1)"},
        {"gaussian(1) + gaussian(1)", "gaussian(1) * 2"},
        {"gaussian(2) + gaussian(1)", "gaussian(1) + gaussian(2)"},
        {"laplace(1) + gaussian(2)", "gaussian(2) + laplace(1)"},
        {"(gaussian(1) + laplace(2)) + pure(1)",
            "gaussian(1) + laplace(2) + pure(1)"},
        {"(gaussian(1) + laplace(2)) * 3", "gaussian(1) * 3 + laplace(2) * 3"},
        {"gaussian(1) * 2 * 3", "gaussian(1) * 6"},
        {"gaussian(1) * 2 + laplace(1) + gaussian(1)",
            "gaussian(1) * 3 + laplace(1)"},
        {"((gaussian(1) + laplace(2)) * 3 + gaussian(1)) * 2",
            "gaussian(1) * 8 + laplace(2) * 6"},
        {"gaussian(1) * 4503599627370496 * 2",
            "gaussian(1) * 9007199254740992"},
        {"zcdp(0.1, 0, 0)", "zcdp(0.1)"},
        {"rr(1, 2) + rr(1, 3)", "rr(1) + rr(1, 3)"},
    };
    CHECK(cases);
}

static void samplers(void **state)
{
    (void)state;
    static const normal_case cases[] = {
        {"poisson(1, gaussian(1) * 1)", "poisson(1, gaussian(1))"},
        {"poisson(1, pure(0))", "pure(0)"},
        {"poisson(0, gaussian(1))", "pure(0)"},
        {"poisson(0, nonprivate())", "pure(0)"},
        {"poisson(0.5, poisson(0.5, gaussian(1)))",
            "poisson(0.25, gaussian(1))"},
        {"poisson(0.5, poisson(0.1, poisson(0.25, gaussian(1)))) * 2",
            "poisson(0.0125, gaussian(1)) * 2"},
        {"group(2, poisson(1, poisson(0.1, gaussian(1))))",
            "group(2, poisson(0.1, gaussian(1)))"},
        {"poisson(1, poisson(1, gaussian(1)))", "poisson(1, gaussian(1))"},
        /* neither 0.01 nor 2^-1074 3/4 is a double */
        {"poisson(0.1, poisson(0.1, gaussian(1)))",
            "poisson(0.1, poisson(0.1, gaussian(1)))"},
        {"poisson(0.75, poisson(5e-324, gaussian(1)))",
            "poisson(0.75, poisson(5e-324, gaussian(1)))"},
        {"poisson(1, poisson(5e-324, gaussian(1)))",
            "poisson(5e-324, gaussian(1))"},
        /* the inner runs share the outer sample */
        {"poisson(0.5, poisson(0.5, gaussian(1)) * 2)",
            "poisson(0.5, poisson(0.5, gaussian(1)) * 2)"},
        {"poisson(0.5, without_replacement(1, 2, gaussian(1)))",
            "poisson(0.5, without_replacement(1, 2, gaussian(1)))"},
        {"poisson(0.5, gaussian(1) + gaussian(1))",
            "poisson(0.5, gaussian(1) * 2)"},
        {"poisson(0.5, gaussian(1) * 2) * 3 + "
         "poisson(0.5, gaussian(1) + gaussian(1))",
            "poisson(0.5, gaussian(1) * 2) * 4"},
        {"poisson(0.5, pure(0) + gdp(0))", "pure(0)"},
        {"without_replacement(5, 5, laplace(1))", "laplace(1)"},
        {"without_replacement(5, 6, laplace(1))",
            "without_replacement(5, 6, laplace(1))"},
        {"without_replacement(5, 6, pure(0))", "pure(0)"},
        {"with_replacement(5, 5, laplace(1))",
            "with_replacement(5, 5, laplace(1))"},
        {"poisson(0.5, nonprivate())", "poisson(0.5, nonprivate())"},
    };
    CHECK(cases);
}

static void groups(void **state)
{
    (void)state;
    static const normal_case cases[] = {
        {"group(1, gaussian(1))", "gaussian(1)"},
        {"group(2, gaussian(1))", "group(2, gaussian(1))"},
        {"group(2, group(3, gaussian(1)))", "group(6, gaussian(1))"},
        {"group(2, gaussian(1) * 5)", "group(2, gaussian(1)) * 5"},
        {"group(2, gaussian(1) + group(3, laplace(1)) * 2)",
            "group(2, gaussian(1)) + group(6, laplace(1)) * 2"},
        {"group(2, poisson(0.5, gaussian(1)) * 2)",
            "group(2, poisson(0.5, gaussian(1))) * 2"},
        {"poisson(0.5, group(2, gaussian(1)))",
            "poisson(0.5, group(2, gaussian(1)))"},
        {"group(2, poisson(1, gaussian(1) * 1))",
            "group(2, poisson(1, gaussian(1)))"},
        {"group(2, pure(0))", "pure(0)"},
        {"group(2, nonprivate())", "nonprivate()"},
        {"group(2, pure(0.5))", "group(2, pure(0.5))"},
    };
    CHECK(cases);
}

static void trivial_parts(void **state)
{
    (void)state;
    static const normal_case cases[] = {
        {"pure(0) + gaussian(1)", "gaussian(1)"},
        {"pure(0) + gdp(0) + rr(0) + exponential(0) + approx(0, 0) + "
         "zcdp(0) + renyi(2, 0) + rr(0, 7)",
            "pure(0)"},
        {"approx(0.5, 0)", "pure(0.5)"},
        {"approx(0.5, 0) + pure(0.5)", "pure(0.5) * 2"},
        {"approx(0, 0.1)", "approx(0, 0.1)"},
        {"zcdp(0, 0.1)", "zcdp(0, 0.1)"},
        {"zcdp(0, 0, 0.1)", "zcdp(0, 0, 0.1)"},
        {"approx(1, 1)", "nonprivate()"},
        {"zcdp(1, 0, 1) * 4", "nonprivate()"},
        {"gaussian(1) + nonprivate() * 3 + laplace(1)", "nonprivate()"},
        {"pmf([0.5, 0.5], [0.5, 0.5])", "pure(0)"},
        {"pmf([1, 2, 0], [3, 6, 0])", "pure(0)"},
        {"pmf([0, 0.1], [0, 0.7])", "pure(0)"},
        {"pmf([1e-320, 3e-320], [1e300, 3e300])", "pure(0)"},
        {"pmf([1e-320, 3e-320], [1e300, 3.000000000000001e300])",
            "pmf([1e-320, 3e-320], [1e300, 3.000000000000001e300])"},
        {"pmf([0.25, 0.5], [2e-310, 4e-310])", "pure(0)"},
        {"pmf([1, 0], [0, 1])", "pmf([1, 0], [0, 1])"},
        {"pmf([1, 2], [1, 2.0000000000000004])",
            "pmf([1, 2], [1, 2.0000000000000004])"},
        /* the double 0.6 is twice the double 0.3, but not thrice 0.2 */
        {"pmf([0.1, 0.2], [0.3, 0.6])", "pure(0)"},
        {"pmf([0.2, 0.2], [0.6, 0.6000000000000001])",
            "pmf([0.2, 0.2], [0.6, 0.6000000000000001])"},
    };
    CHECK(cases);
}

static void holes(void **state)
{
    (void)state;
    static const normal_case cases[] = {
        {"gaussian(?) * 2 * 3", "gaussian(?) * 6"},
        {"laplace(1) + gaussian(?) + gaussian(1)",
            "gaussian(1) + gaussian(?) + laplace(1)"},
        {"gaussian(1) * ?", "gaussian(1) * ?"},
        {"gaussian(1) * ? * 3 + gaussian(1)",
            "gaussian(1) + gaussian(1) * 3 * ?"},
        {"3 * (gaussian(1) * 2 * ?)", "gaussian(1) * 6 * ?"},
        {"(gaussian(1) + laplace(1) + gaussian(1)) * ?",
            "(gaussian(1) * 2 + laplace(1)) * ?"},
        {"group(2, gaussian(1) * ?)", "group(2, gaussian(1)) * ?"},
        {"group(?, group(2, gaussian(1)) * 3)",
            "group(?, group(2, gaussian(1)) * 3)"},
        {"group(2, group(?, gaussian(1))) * 3",
            "group(?, group(2, gaussian(1)) * 3)"},
        {"poisson(?, pure(0))", "poisson(?, pure(0))"},
        {"poisson(?, poisson(0.5, gaussian(1)))",
            "poisson(?, poisson(0.5, gaussian(1)))"},
        {"poisson(1, poisson(?, gaussian(1)))",
            "poisson(1, poisson(?, gaussian(1)))"},
        {"poisson(0.5, poisson(0.5, gaussian(?)))",
            "poisson(0.25, gaussian(?))"},
        {"poisson(0, gaussian(?))", "poisson(0, gaussian(?))"},
        {"poisson(1, gaussian(?) * 1)", "poisson(1, gaussian(?))"},
        {"approx(?, 1)", "approx(?, 1)"},
        {"approx(1, ?) * 1", "approx(1, ?)"},
        {"zcdp(0, 0, ?)", "zcdp(0, 0, ?)"},
        {"pure(0) * ?", "pure(0) * ?"},
        {"without_replacement(?, 10, gaussian(1) * 1)",
            "without_replacement(?, 10, gaussian(1))"},
        {"nonprivate() + laplace(1) + gaussian(?)",
            "gaussian(?) + nonprivate()"},
    };
    CHECK(cases);
}

static void totals_are_limited(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        const char *message;
    } cases[] = {
        {"gaussian(1) * 9007199254740992 * 2",
            "repeat: the total count of a mechanism must be at most 2^53"},
        {"gaussian(1) * 9007199254740992 * 9007199254740992 * "
         "9007199254740992",
            "repeat: the total count of a mechanism must be at most 2^53"},
        {"gaussian(1) * 9007199254740992 + gaussian(1)",
            "repeat: the total count of a mechanism must be at most 2^53"},
        {"poisson(0.1, gaussian(1) * 9007199254740992 + gaussian(1))",
            "repeat: the total count of a mechanism must be at most 2^53"},
        {"group(9007199254740992, group(2, gaussian(1)))",
            "group: nested sizes must multiply to at most 2^53"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const dosi_plan *plan = read_plan(cases[i].text), *normal = plan;
        dosi_error err = {0};
        assert_int_equal(dosi_plan_normal(&normal, plan, &err), DOSI_EINVAL);
        assert_string_equal(err.message, cases[i].message);
        assert_null(normal);
        dosi_plan_free(plan);
    }
    /* what loses nothing loses nothing however often */
    char got[64];
    normal_text(got, sizeof got, "pure(0) * 9007199254740992 * 2");
    assert_string_equal(got, "pure(0)");
}

/* Built by the parser's limit, 200 levels: normal forms may not exceed it. */
static void the_deepest_plan_stays_readable(void **state)
{
    (void)state;
    const dosi_plan *plan = read_plan("gaussian(1)");
    const double rate = 0.5;
    for (int i = 0; i < 99; i++) {
        const dosi_plan *sampled = NULL, *outer = NULL;
        assert_int_equal(
            dosi_plan_poisson(&sampled, rate, plan, NULL), DOSI_OK);
        const dosi_plan *const parts[] = {
            sampled, sampled, dosi_plan_child(sampled, 0)};
        assert_int_equal(
            dosi_plan_compose(&outer, parts, i < 10 ? 3 : 1, NULL), DOSI_OK);
        dosi_plan_free(sampled);
        dosi_plan_free(plan);
        plan = outer;
    }
    const dosi_plan *normal = NULL, *again = NULL;
    assert_int_equal(dosi_plan_normal(&normal, plan, NULL), DOSI_OK);
    size_t length;
    assert_int_equal(
        dosi_plan_print(NULL, 0, &length, normal, DOSI_FORM_TEXT, NULL),
        DOSI_OK);
    char *text = malloc(length + 1);
    assert_non_null(text);
    assert_int_equal(dosi_plan_print(text, length + 1, &length, normal,
                         DOSI_FORM_TEXT, NULL),
        DOSI_OK);
    assert_int_equal(dosi_plan_parse(&again, text, length, NULL), DOSI_OK);
    assert_true(dosi_plan_equal(normal, again));
    free(text);
    dosi_plan_free(plan);
    dosi_plan_free(normal);
    dosi_plan_free(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compositions),
        cmocka_unit_test(samplers),
        cmocka_unit_test(groups),
        cmocka_unit_test(trivial_parts),
        cmocka_unit_test(holes),
        cmocka_unit_test(totals_are_limited),
        cmocka_unit_test(the_deepest_plan_stays_readable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
