/*
 * Plan nodes: constructors and their rules, sharing, limits, comparison.
 */
#include "plan/plan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const dosi_plan *leaf(dosi_kind kind, double x)
{
    const dosi_plan *plan = NULL;
    assert_int_equal(dosi_plan_new(&plan, kind, &x, 1, NULL, 0, NULL), DOSI_OK);
    return plan;
}

static const dosi_plan *hole(void)
{
    const plan_spec spec = {.kind = DOSI_GAUSSIAN, .hole = 0};
    const dosi_plan *plan = NULL;
    assert_int_equal(dosi_plan_make(&plan, &spec, NULL, NULL), DOSI_OK);
    return plan;
}

static void parameters_are_checked(void **state)
{
    (void)state;
    static const struct {
        dosi_kind kind;
        double x[DOSI_MAX_PARAMETERS];
        size_t n;
        const char *message; /* NULL: accepted */
    } cases[] = {
        {DOSI_GAUSSIAN, {-1}, 1,
            "gaussian: sigma must be positive and finite, got -1"},
        {DOSI_GAUSSIAN, {0}, 1,
            "gaussian: sigma must be positive and finite, got 0"},
        {DOSI_GAUSSIAN, {(double)NAN}, 1,
            "gaussian: sigma must be positive and finite, got nan"},
        {DOSI_GAUSSIAN, {HUGE_VAL}, 1,
            "gaussian: sigma must be positive and finite, got inf"},
        {DOSI_GAUSSIAN, {1, 2}, 2, "gaussian: takes 1 parameter, got 2"},
        {DOSI_GAUSSIAN, {5e-324}, 1, NULL},
        {DOSI_APPROX, {1, 1.5}, 2,
            "approx: delta must be between 0 and 1, got 1.5"},
        {DOSI_APPROX, {0, 1}, 2, NULL},
        {DOSI_RENYI, {1, 1}, 2,
            "renyi: order must be greater than 1 and finite, got 1"},
        {DOSI_ZCDP, {1, -0.5, 0}, 3,
            "zcdp: xi must be non-negative and finite, got -0.5"},
        {DOSI_ZCDP, {1}, 1, "zcdp: takes 3 parameters, got 1"},
        {DOSI_RANDOMIZED_RESPONSE, {1, 1}, 2,
            "rr: categories must be an integer from 2 to 2^53, got 1"},
        {DOSI_RANDOMIZED_RESPONSE, {1, 0x1p53}, 2, NULL},
        {DOSI_NONPRIVATE, {0}, 0, NULL},
        {DOSI_PMF, {1, 1}, 2, "pmf: its parameters are lists, not numbers"},
        {DOSI_POISSON, {0.5}, 1, "poisson: takes one mechanism, got 0"},
        {(dosi_kind)77, {0}, 0, "plan: there is no kind number 77"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dosi_error err = {0};
        const dosi_plan *plan = NULL;
        dosi_status status = dosi_plan_new(
            &plan, cases[i].kind, cases[i].x, cases[i].n, NULL, 0, &err);
        if (cases[i].message == NULL) {
            assert_int_equal(status, DOSI_OK);
            assert_int_equal(dosi_plan_kind(plan), cases[i].kind);
        } else {
            assert_int_equal(status, DOSI_EINVAL);
            assert_int_equal(err.status, DOSI_EINVAL);
            assert_int_equal(err.offset, DOSI_NO_OFFSET);
            assert_string_equal(err.message, cases[i].message);
            assert_null(plan);
        }
        dosi_plan_free(plan);
    }
}

static void wrappers_are_checked(void **state)
{
    (void)state;
    static const struct {
        dosi_kind kind;
        double x[2];
        size_t n;
        const char *message;
    } cases[] = {
        {DOSI_POISSON, {1.01}, 1,
            "poisson: rate must be between 0 and 1, got 1.01"},
        {DOSI_WITHOUT_REPLACEMENT, {6, 5}, 2,
            "without_replacement: batch must be at most the population, "
            "got 6 of 5"},
        {DOSI_WITHOUT_REPLACEMENT, {5, 5}, 2, NULL},
        {DOSI_WITH_REPLACEMENT, {6, 5}, 2, NULL},
        {DOSI_GROUP, {0}, 1,
            "group: size must be an integer from 1 to 2^53, got 0"},
        {DOSI_REPEAT, {0x1p53 + 2}, 1,
            "repeat: count must be an integer from 1 to 2^53, "
            "got 9007199254740994"},
        {DOSI_REPEAT, {2.5}, 1,
            "repeat: count must be an integer from 1 to 2^53, got 2.5"},
        {DOSI_GAUSSIAN, {1}, 1, "gaussian: takes no mechanism, got 1"},
    };
    const dosi_plan *base = leaf(DOSI_GAUSSIAN, 1);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dosi_error err = {0};
        const dosi_plan *plan = NULL;
        dosi_status status = dosi_plan_new(
            &plan, cases[i].kind, cases[i].x, cases[i].n, &base, 1, &err);
        assert_int_equal(
            status, cases[i].message == NULL ? DOSI_OK : DOSI_EINVAL);
        if (cases[i].message != NULL)
            assert_string_equal(err.message, cases[i].message);
        dosi_plan_free(plan);
    }
    dosi_plan_free(base);
}

static void lists_are_checked(void **state)
{
    (void)state;
    const double p[] = {0.5, 0.5, 0}, q[] = {0.25, -0.0, 0.75};
    const double bad[] = {0.5, (double)NAN, 0.5}, none[] = {0, 0, 0};
    const double huge[] = {1e308, 1e308, 1e308};
    const dosi_plan *plan = NULL;
    dosi_error err = {0};
    size_t n = 0;

    assert_int_equal(dosi_plan_pmf(&plan, p, q, 3, &err), DOSI_OK);
    const double *list = dosi_plan_list(plan, 1, &n);
    assert_int_equal(n, 3);
    assert_true(list[0] == 0.25 && list[1] == 0 && !signbit(list[1]));
    assert_null(dosi_plan_list(plan, 2, &n));
    assert_int_equal(n, 0);
    assert_true(isnan(dosi_plan_parameter(plan, 0)));
    dosi_plan_free(plan);

    assert_int_equal(dosi_plan_pmf(&plan, p, bad, 3, &err), DOSI_EINVAL);
    assert_string_equal(err.message,
        "pmf: each entry of q must be "
        "non-negative and finite, got nan as number 2");
    assert_null(plan);
    assert_int_equal(dosi_plan_pmf(&plan, none, q, 3, &err), DOSI_EINVAL);
    assert_string_equal(
        err.message, "pmf: the sum of p must be positive and finite");
    assert_int_equal(dosi_plan_pmf(&plan, huge, q, 3, &err), DOSI_EINVAL);
    assert_int_equal(dosi_plan_pmf(&plan, NULL, NULL, 0, &err), DOSI_EINVAL);
    const plan_spec uneven = {.kind = DOSI_PMF,
        .hole = PLAN_NO_HOLE,
        .lists = {p, q},
        .n_lists = {2, 3}};
    assert_int_equal(dosi_plan_make(&plan, &uneven, NULL, &err), DOSI_EINVAL);
    assert_string_equal(
        err.message, "pmf: p and q must have equally many entries, got 2 and "
            "3");
}

static void compositions_of_few(void **state)
{
    (void)state;
    const dosi_plan *part = leaf(DOSI_LAPLACE, 2), *plan = NULL;
    const dosi_plan *const missing[] = {part, NULL};
    dosi_error err = {0};
    assert_int_equal(dosi_plan_compose(&plan, &part, 1, &err), DOSI_OK);
    assert_ptr_equal(plan, part);
    dosi_plan_free(plan);
    assert_int_equal(dosi_plan_compose(&plan, NULL, 0, &err), DOSI_OK);
    assert_int_equal(dosi_plan_kind(plan), DOSI_PURE);
    assert_true(dosi_plan_parameter(plan, 0) == 0);
    dosi_plan_free(plan);
    assert_int_equal(dosi_plan_compose(&plan, missing, 2, &err), DOSI_EINVAL);
    assert_string_equal(err.message, "compose: mechanism number 2 is missing");
    dosi_plan_free(part);
}

static void children_outlive_their_makers(void **state)
{
    (void)state;
    const dosi_plan *base = NULL, *sampled = NULL, *run = NULL;
    assert_int_equal(dosi_plan_gaussian(&base, 1.1, NULL), DOSI_OK);
    assert_int_equal(dosi_plan_poisson(&sampled, 0.01, base, NULL), DOSI_OK);
    assert_int_equal(dosi_plan_repeat(&run, sampled, 1000, NULL), DOSI_OK);
    dosi_plan_free(base);
    dosi_plan_free(sampled);
    const dosi_plan *inner = dosi_plan_child(dosi_plan_child(run, 0), 0);
    assert_true(dosi_plan_parameter(inner, 0) == 1.1);
    assert_int_equal(dosi_plan_child_count(run), 1);
    assert_null(dosi_plan_child(run, 1));
    assert_null(dosi_plan_child(inner, 0));
    assert_true(isnan(dosi_plan_parameter(inner, 1)));
    inner = dosi_plan_retain(inner);
    dosi_plan_free(run);
    assert_int_equal(dosi_plan_kind(inner), DOSI_GAUSSIAN);
    dosi_plan_free(inner);
    dosi_plan_free(NULL);
    assert_null(dosi_plan_retain(NULL));
}

/* Wraps *plan once more, or leaves it and returns the failure. */
static dosi_status wrap(
    const dosi_plan **plan, dosi_kind kind, double x, dosi_error *err)
{
    const dosi_plan *outer = NULL;
    dosi_status status = dosi_plan_new(&outer, kind, &x, 1, plan, 1, err);
    if (status == DOSI_OK) {
        dosi_plan_free(*plan);
        *plan = outer;
    }
    return status;
}

static void depth_is_limited(void **state)
{
    (void)state;
    static const dosi_kind kinds[] = {DOSI_POISSON, DOSI_GROUP, DOSI_REPEAT};
    for (size_t i = 0; i < 3; i++) {
        dosi_error err = {0};
        const dosi_plan *plan = leaf(DOSI_GAUSSIAN, 1);
        int n = 0;
        while (wrap(&plan, kinds[i], 1, &err) == DOSI_OK)
            assert_true(++n < 1000);
        assert_int_equal(err.status, DOSI_EINVAL);
        assert_non_null(strstr(err.message, "nested at most 200 levels"));
        /* the count that stands directly on the mechanism is free */
        assert_int_equal(n, kinds[i] == DOSI_REPEAT ? 200 : 199);
        dosi_plan_free(plan);
    }
}

static void size_is_limited_though_shared(void **state)
{
    (void)state;
    dosi_error err = {0};
    const dosi_plan *plan = leaf(DOSI_GAUSSIAN, 1);
    dosi_status status = DOSI_OK;
    for (int n = 0; status == DOSI_OK; n++) {
        assert_true(n <= 24);
        const dosi_plan *const twice[] = {plan, plan};
        const dosi_plan *outer = NULL;
        status = dosi_plan_compose(&outer, twice, 2, &err);
        if (status == DOSI_OK) {
            dosi_plan_free(plan);
            plan = outer;
        }
    }
    assert_int_equal(status, DOSI_EINVAL);
    assert_string_equal(
        err.message, "compose: a plan must have at most 2^24 parts");
    dosi_plan_free(plan);
}

static void one_hole_only(void **state)
{
    (void)state;
    dosi_error err = {0};
    const dosi_plan *open = hole(), *closed = leaf(DOSI_PURE, 1);
    const dosi_plan *const one[] = {closed, open}, *const two[] = {open, open};
    const dosi_plan *plan = NULL;
    assert_true(dosi_plan_has_hole(open) && !dosi_plan_has_hole(closed));
    assert_true(isnan(dosi_plan_parameter(open, 0)));
    assert_int_equal(dosi_plan_compose(&plan, one, 2, &err), DOSI_OK);
    assert_true(dosi_plan_has_hole(plan));
    dosi_plan_free(plan);
    assert_int_equal(dosi_plan_compose(&plan, two, 2, &err), DOSI_EINVAL);
    assert_string_equal(
        err.message, "compose: a plan must have at most one hole, got 2");
    dosi_plan_free(open);
    dosi_plan_free(closed);
}

static void comparison_is_a_total_order(void **state)
{
    (void)state;
    const double p[] = {1, 2}, q[] = {2, 1};
    const dosi_plan *plans[10] = {leaf(DOSI_GAUSSIAN, 1),
        leaf(DOSI_GAUSSIAN, 2), hole(), leaf(DOSI_LAPLACE, 1)};
    size_t n = 4;
    assert_int_equal(dosi_plan_pmf(&plans[n++], p, q, 1, NULL), DOSI_OK);
    assert_int_equal(dosi_plan_pmf(&plans[n++], p, q, 2, NULL), DOSI_OK);
    assert_int_equal(dosi_plan_pmf(&plans[n++], q, p, 2, NULL), DOSI_OK);
    assert_int_equal(dosi_plan_repeat(&plans[n++], plans[3], 2, NULL), DOSI_OK);
    assert_int_equal(dosi_plan_compose(&plans[n++], plans, 2, NULL), DOSI_OK);
    assert_int_equal(dosi_plan_compose(&plans[n++], plans, 3, NULL), DOSI_OK);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            int expected = (i > j) - (i < j);
            assert_int_equal(dosi_plan_compare(plans[i], plans[j]), expected);
            assert_int_equal(dosi_plan_equal(plans[i], plans[j]), i == j);
        }
    const dosi_plan *again = leaf(DOSI_GAUSSIAN, 2);
    assert_true(dosi_plan_equal(plans[1], again));
    dosi_plan_free(again);
    again = hole();
    assert_true(dosi_plan_equal(plans[2], again));
    dosi_plan_free(again);
    for (size_t i = 0; i < n; i++)
        dosi_plan_free(plans[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_checked),
        cmocka_unit_test(wrappers_are_checked),
        cmocka_unit_test(lists_are_checked),
        cmocka_unit_test(compositions_of_few),
        cmocka_unit_test(children_outlive_their_makers),
        cmocka_unit_test(depth_is_limited),
        cmocka_unit_test(size_is_limited_though_shared),
        cmocka_unit_test(one_hole_only),
        cmocka_unit_test(comparison_is_a_total_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
