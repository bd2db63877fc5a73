/*
 * Filling the hole of a plan: every place it may be in, what is beside it,
 * and what the rules of the parameter refuse.
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

static void assert_fills(const char *text, double x, const char *expected)
{
    const dosi_plan *plan = read_plan(text), *filled = NULL;
    char printed[200];
    size_t length;
    assert_int_equal(dosi_plan_fill(&filled, plan, x, NULL), DOSI_OK);
    assert_int_equal(dosi_plan_print(printed, sizeof printed, &length, filled,
                         DOSI_FORM_TEXT, NULL),
        DOSI_OK);
    assert_string_equal(printed, expected);
    assert_false(dosi_plan_has_hole(filled));
    assert_true(dosi_plan_has_hole(plan));
    dosi_plan_free(filled);
    dosi_plan_free(plan);
}

static void assert_unfilled(const char *text, double x, const char *words)
{
    const dosi_plan *plan = read_plan(text), *filled = plan;
    dosi_error err;
    assert_int_equal(dosi_plan_fill(&filled, plan, x, &err), DOSI_EINVAL);
    assert_null(filled);
    if (strstr(err.message, words) == NULL)
        fail_msg("%s: %s", text, err.message);
    dosi_plan_free(plan);
}

static void fills(void **state)
{
    (void)state;
    assert_fills("gaussian(?)", 0.1, "gaussian(0.1)");
    assert_fills("group(2, poisson(0.1, laplace(1) + gaussian(?) * 3)) + "
                 "pmf([1, 2], [2, 1])", 2.5,
        "group(2, poisson(0.1, laplace(1) + gaussian(2.5) * 3)) + "
        "pmf([1, 2], [2, 1])");
    assert_fills("pure(1) * ? + pure(1)", 7, "pure(1) * 7 + pure(1)");
    assert_fills("zcdp(1, delta=?)", 0.5, "zcdp(1, 0, 0.5)");
    assert_unfilled("gaussian(1)", 1, "no hole");
    assert_unfilled("gaussian(?)", (double)NAN, "sigma must be positive");
    assert_unfilled("gaussian(?)", -1, "sigma must be positive");
    assert_unfilled("pure(1) * ?", 1.5, "count must be an integer");
    assert_unfilled("without_replacement(?, 5, pure(1))", 6,
        "batch must be at most the population");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fills),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
