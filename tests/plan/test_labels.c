/*
 * Labels: they live through every transformation of plans, and count for
 * nothing.
 */
#include "plan/label.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
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

static void assert_text(const dosi_plan *plan, const char *expected)
{
    char got[2048];
    size_t length;
    assert_int_equal(dosi_plan_print(got, sizeof got, &length, plan,
                         DOSI_FORM_TEXT, NULL),
        DOSI_OK);
    assert_string_equal(got, expected);
}

static const struct {
    const char *text, *without, *normal, *parts;
} cases[] = {
    {"\"a\": gaussian(20) * 3 + \"b\": gaussian(20) + pure(1)",
        "gaussian(20) * 3 + gaussian(20) + pure(1)",
        "\"a, b\": gaussian(20) * 4 + pure(1)",
        "\"a\": gaussian(20) * 3 + \"b\": gaussian(20) + pure(1)"},
    {"\"b\": gaussian(1) + gaussian(1) * 2 + \"b\": gaussian(1)",
        "gaussian(1) + gaussian(1) * 2 + gaussian(1)",
        "\"b, unlabelled\": gaussian(1) * 4",
        "\"b\": gaussian(1) * 2 + gaussian(1) * 2"},
    /* the outermost label is that of all that is in it */
    {"\"a\": (\"in\": laplace(2) + gaussian(1)) * 2 + pure(1)",
        "(laplace(2) + gaussian(1)) * 2 + pure(1)",
        "\"a\": gaussian(1) * 2 + \"a\": laplace(2) * 2 + pure(1)",
        "\"a\": (gaussian(1) * 2 + laplace(2) * 2) + pure(1)"},
    {"(\"in\": laplace(2) + gaussian(1)) * 2",
        "(laplace(2) + gaussian(1)) * 2",
        "gaussian(1) * 2 + \"in\": laplace(2) * 2",
        "\"in\": laplace(2) * 2 + gaussian(1) * 2"},
    {"group(2, \"a\": laplace(2) * 3)", "group(2, laplace(2) * 3)",
        "\"a\": group(2, laplace(2)) * 3", "\"a\": group(2, laplace(2)) * 3"},
    /* a part has no labels inside */
    {"poisson(0.5, \"a\": gaussian(1)) + \"s\": poisson(0.5, gaussian(1))",
        "poisson(0.5, gaussian(1)) + poisson(0.5, gaussian(1))",
        "\"s, unlabelled\": poisson(0.5, gaussian(1)) * 2",
        "\"s\": poisson(0.5, gaussian(1)) + poisson(0.5, gaussian(1))"},
    {"\"a\": (gaussian(1) + gaussian(2))", "gaussian(1) + gaussian(2)",
        "\"a\": gaussian(1) + \"a\": gaussian(2)",
        "\"a\": (gaussian(1) + gaussian(2))"},
    {"\"h\": gaussian(?) * 3 * 2", "gaussian(?) * 3 * 2",
        "\"h\": gaussian(?) * 6", "\"h\": gaussian(?) * 6"},
    {"\"h\": gaussian(1) * ?", "gaussian(1) * ?", "\"h\": gaussian(1) * ?",
        "\"h\": gaussian(1) * ?"},
    /* nothing is left of no loss; what is not private hides the others, but
     * not where each label is asked about */
    {"\"a\": pure(0)", "pure(0)", "pure(0)", "pure(0)"},
    {"\"a\": nonprivate() + \"b\": gaussian(1) + pure(1)",
        "nonprivate() + gaussian(1) + pure(1)", "nonprivate()",
        "\"a\": nonprivate() + \"b\": gaussian(1) + pure(1)"},
    {"\"b\": gaussian(1) + approx(1, 1) + pure(1)",
        "gaussian(1) + approx(1, 1) + pure(1)", "nonprivate()",
        "\"b\": gaussian(1) + nonprivate()"},
};

/* Equality and hash of the plan and its normal form, and what is printed. */
static void labels_count_for_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dosi_plan *plan = read_plan(cases[i].text);
        const dosi_plan *without = read_plan(cases[i].without);
        const dosi_plan *normal = NULL, *bare = NULL, *parts = NULL;
        dosi_error err;
        assert_true(dosi_plan_equal(plan, without));
        assert_true(dosi_plan_hash(plan) == dosi_plan_hash(without));
        assert_text(plan, cases[i].text);
        assert_int_equal(dosi_plan_normal(&normal, plan, &err), DOSI_OK);
        assert_int_equal(dosi_plan_normal(&bare, without, &err), DOSI_OK);
        assert_true(dosi_plan_equal(normal, bare));
        assert_true(dosi_plan_hash(normal) == dosi_plan_hash(bare));
        assert_text(normal, cases[i].normal);
        assert_int_equal(dosi_plan_parts(&parts, plan, &err), DOSI_OK);
        assert_text(parts, cases[i].parts);
        dosi_plan_free(bare);
        assert_int_equal(dosi_plan_normal(&bare, normal, &err), DOSI_OK);
        assert_text(bare, cases[i].normal);
        dosi_plan_free(plan);
        dosi_plan_free(without);
        dosi_plan_free(normal);
        dosi_plan_free(bare);
        dosi_plan_free(parts);
    }
}

/* Without labels the parts are the normal form. */
static void parts_of_no_labels(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dosi_plan *plan = read_plan(cases[i].without);
        const dosi_plan *normal = NULL, *parts = NULL;
        assert_int_equal(dosi_plan_normal(&normal, plan, NULL), DOSI_OK);
        assert_int_equal(dosi_plan_parts(&parts, plan, NULL), DOSI_OK);
        assert_true(dosi_plan_equal(normal, parts));
        dosi_plan_free(plan);
        dosi_plan_free(normal);
        dosi_plan_free(parts);
    }
}

static void a_label_is_set_and_taken(void **state)
{
    (void)state;
    const dosi_plan *plan = read_plan("pmf([1, 2], [2, 1])"), *a = NULL;
    const dosi_plan *b = NULL, *c = NULL, *filled = NULL;
    dosi_error err = {0};
    assert_null(dosi_plan_label(plan));
    assert_int_equal(dosi_plan_labelled(&a, plan, "one", &err), DOSI_OK);
    assert_string_equal(dosi_plan_label(a), "one");
    assert_text(a, "\"one\": pmf([1, 2], [2, 1])");
    assert_int_equal(dosi_plan_labelled(&b, a, "two", &err), DOSI_OK);
    assert_string_equal(dosi_plan_label(b), "two");
    assert_string_equal(dosi_plan_label(a), "one");
    assert_int_equal(dosi_plan_labelled(&c, b, NULL, &err), DOSI_OK);
    assert_null(dosi_plan_label(c));
    dosi_plan_free(c);
    assert_int_equal(dosi_plan_labelled(&c, plan, "", &err), DOSI_EINVAL);
    assert_null(c);
    assert_int_equal(dosi_plan_labelled(&c, plan, "a\nb", &err), DOSI_EINVAL);
    assert_string_equal(err.message,
        "a label must be UTF-8 without control characters, got byte 0x0a");
    dosi_plan_free(plan);
    dosi_plan_free(a);
    dosi_plan_free(b);
    plan = read_plan("\"x\": (\"y\": gaussian(?) + pure(1)) * 2");
    assert_int_equal(dosi_plan_fill(&filled, plan, 3, &err), DOSI_OK);
    assert_text(filled, "\"x\": (\"y\": gaussian(3) + pure(1)) * 2");
    dosi_plan_free(filled);
    dosi_plan_free(plan);
}

/* The labels of many equal parts are one of bounded length. */
static void labels_are_joined(void **state)
{
    (void)state;
    char text[LABEL_MAX_BYTES + 1], long_one[LABEL_MAX_BYTES + 1];
    const char *many[1000];
    static char words[1000][12];
    for (size_t i = 0; i < 1000; i++) {
        (void)snprintf(words[i], sizeof words[i], "part %03zu", i);
        many[i] = words[i];
    }
    assert_string_equal(
        dosi_label_join(text, many, 3), "part 000, part 001, part 002");
    const char *joined = dosi_label_join(text, many, 1000);
    assert_true(strlen(joined) <= LABEL_MAX_BYTES);
    assert_non_null(strstr(joined, "part 017, and 982 more"));
    const char *nameless[] = {NULL, NULL}, *some[] = {"a", NULL};
    assert_null(dosi_label_join(text, nameless, 2));
    assert_string_equal(dosi_label_join(text, some, 2), "a, unlabelled");
    memset(long_one, 'x', LABEL_MAX_BYTES);
    long_one[LABEL_MAX_BYTES] = '\0';
    for (size_t n = LABEL_MAX_BYTES; n > LABEL_MAX_BYTES - 40; n--) {
        long_one[n] = '\0';
        const char *two[] = {long_one, "y"};
        joined = dosi_label_join(text, two, 2);
        assert_true(strlen(joined) <= LABEL_MAX_BYTES);
        assert_memory_equal(joined, long_one, n);
        assert_int_equal(dosi_label_check(joined, strlen(joined), NULL), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_count_for_nothing),
        cmocka_unit_test(parts_of_no_labels),
        cmocka_unit_test(a_label_is_set_and_taken),
        cmocka_unit_test(labels_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
