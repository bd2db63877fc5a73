/*
 * Samples in samples: a chain of Poisson samples is one whose rate is the
 * product, at every depth and for every route; and samples of compositions
 * of samples take polynomial time, and stop when they are told to.
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

static const dosi_plan *read_plan(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    return plan;
}

/* base, with head before and tail behind it depth times. */
static const dosi_plan *nested_plan(
    const char *head, const char *base, const char *tail, int depth)
{
    char text[16384] = "";
    for (int i = 0; i < depth; i++)
        strcat(text, head);
    strcat(text, base);
    for (int i = 0; i < depth; i++)
        strcat(text, tail);
    return read_plan(text);
}

typedef dosi_status (*question)(dosi_answer *out, const dosi_plan *plan,
    double at, const dosi_options *options, dosi_error *err);

static const struct {
    question ask;
    double at;
} questions[] = {{dosi_epsilon_at_delta, 1e-7}, {dosi_delta_at_epsilon, 0.01},
    {dosi_tradeoff_at_alpha, 0.125}, {dosi_renyi_at_order, 3},
    {dosi_renyi_at_order, 4.5}};

/* The interval has a point in common with the other, and is as narrow. */
static void assert_same(const char *what, dosi_interval x, dosi_interval y)
{
    if (!(x.lo <= y.hi && y.lo <= x.hi &&
            x.hi - x.lo <= y.hi - y.lo + 1e-9 * y.hi))
        fail_msg("%s: [%.17g, %.17g] and [%.17g, %.17g]", what, x.lo, x.hi,
            y.lo, y.hi);
}

/*
 * 0.9 is the double 0.9 + 2.2e-17, and 0.9^n of the double, rounded, errs by
 * less than 2e-16 relatively, which the questions hardly feel: the intervals
 * have relative widths of 1e-10 and more, or the bounds are moved by less
 * than their ends are apart. To be sure the rate is taken from both sides.
 */
static void chain(const char *base, int depth, dosi_neighbours neighbours)
{
    long double product = 1;
    for (int i = 0; i < depth; i++)
        product *= (long double)0.9;
    double rates[2] = {nextafter((double)product, 0),
        nextafter((double)product, 1)};
    const dosi_plan *plan = nested_plan("poisson(0.9, ", base, ")", depth);
    const dosi_plan *inner = read_plan(base), *ends[2];
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_error err;
    options.neighbours = neighbours;
    for (int i = 0; i < 2; i++)
        assert_int_equal(
            dosi_plan_poisson(&ends[i], rates[i], inner, &err), DOSI_OK);
    for (size_t k = 0; k < sizeof questions / sizeof *questions; k++) {
        dosi_answer a, at[2];
        question ask = questions[k].ask;
        assert_int_equal(
            ask(&a, plan, questions[k].at, &options, &err), DOSI_OK);
        for (int i = 0; i < 2; i++)
            assert_int_equal(
                ask(&at[i], ends[i], questions[k].at, &options, &err),
                DOSI_OK);
        dosi_interval both = {fmin(at[0].value.lo, at[1].value.lo),
            fmax(at[0].value.hi, at[1].value.hi)};
        assert_same(base, a.value, both);
    }
    dosi_plan_free(ends[0]);
    dosi_plan_free(ends[1]);
    dosi_plan_free(inner);
    dosi_plan_free(plan);
}

static void chains(void **state)
{
    (void)state;
    static const char *const bases[] = {"gaussian(1)", "laplace(1)",
        "rr(1, 3)", "pmf([1, 2, 3], [3, 2, 1])", "pure(0.5)"};
    static const int depths[] = {2, 47, 48, 60, 180};
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        for (size_t k = 0; k < sizeof depths / sizeof *depths; k++)
            chain(bases[i], depths[k], DOSI_ADD_REMOVE);
    for (size_t k = 0; k < sizeof depths / sizeof *depths; k++)
        chain("gaussian(1)", depths[k], DOSI_REPLACE);
}

/* Every route that answers says the same of the chain as of one sample. */
static void routes_of_chains(void **state)
{
    (void)state;
    static const char *const bases[] = {"gaussian(1)", "laplace(1)",
        "pmf([1, 2, 3], [3, 2, 1])"};
    for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
        /* 0.3 0.3: in the normal form they stay two */
        const dosi_plan *plan =
            nested_plan("poisson(0.3, ", bases[b], ")", 2);
        const dosi_plan *inner = read_plan(bases[b]), *one = NULL;
        dosi_error err;
        assert_int_equal(
            dosi_plan_poisson(&one, 0.3 * 0.3, inner, &err), DOSI_OK);
        for (size_t i = 0; i < dosi_route_count(); i++) {
            dosi_options options = DOSI_OPTIONS_INIT;
            dosi_answer x, y;
            options.route = dosi_route_at(i).name;
            assert_int_equal(dosi_epsilon_at_delta(&x, plan, 1e-6, &options,
                                 &err), DOSI_OK);
            assert_int_equal(dosi_epsilon_at_delta(&y, one, 1e-6, &options,
                                 &err), DOSI_OK);
            assert_true((x.value.hi < HUGE_VAL) == (y.value.hi < HUGE_VAL));
            /* the rate 0.09 of the one is rounded, by 1e-16 relatively */
            double slack = 1e-13 * (y.value.hi < HUGE_VAL ? y.value.hi : 0);
            y.value.lo -= slack;
            y.value.hi += slack;
            if (y.value.hi < HUGE_VAL)
                assert_same(options.route, x.value, y.value);
        }
        dosi_plan_free(one);
        dosi_plan_free(inner);
        dosi_plan_free(plan);
    }
}

/* Bounded, with an answer within those of more and of less sampling. */
static void compositions(void **state)
{
    (void)state;
    const dosi_plan *deep =
        nested_plan("poisson(0.9, ", "gaussian(1)", " + laplace(50))", 90);
    const dosi_plan *plan = nested_plan(
        "poisson(0.25, ", "gaussian(1)", " + laplace(50))", 2);
    dosi_answer a, b;
    dosi_error err;
    assert_int_equal(dosi_renyi_at_order(&a, deep, 2, NULL, &err), DOSI_OK);
    assert_true(a.value.lo >= 0 && a.value.hi < 1);
    assert_int_equal(dosi_renyi_at_order(&a, plan, 20, NULL, &err), DOSI_OK);
    assert_int_equal(dosi_renyi_at_order(&b, plan, 8, NULL, &err), DOSI_OK);
    /* whole orders at which no sum ends early are exact */
    assert_true(b.value.hi - b.value.lo <= 1e-12 * b.value.hi);
    assert_true(a.value.lo >= b.value.lo && a.value.hi < HUGE_VAL);
    dosi_plan_free(plan);
    dosi_plan_free(deep);
}

/* With P = (0.9, 0.1), Q = (0.5, 0.5) and half of each, M = (0.7, 0.3):
 * D_2(M|Q) = log 1.16, and D_2(Q|M) = log(25/21) is the greater. */
static void samples_of_pairs(void **state)
{
    (void)state;
    const dosi_plan *plan =
        read_plan("poisson(0.5, pmf([0.9, 0.1], [0.5, 0.5]))");
    dosi_answer a;
    dosi_error err;
    assert_int_equal(dosi_renyi_at_order(&a, plan, 2, NULL, &err), DOSI_OK);
    assert_true(a.value.lo <= 0.17435338714477776 &&
                a.value.hi >= 0.17435338714477773 &&
                a.value.hi - a.value.lo <= 1e-15);
    dosi_plan_free(plan);
}

static int stop(void *context)
{
    return ++*(int *)context > 100;
}

static void stopped(void **state)
{
    (void)state;
    const dosi_plan *deep =
        nested_plan("poisson(0.9, ", "gaussian(1)", " + laplace(50))", 90);
    int n_asked = 0;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.stop = stop;
    options.stop_context = &n_asked;
    dosi_answer a;
    dosi_error err;
    assert_int_equal(
        dosi_epsilon_at_delta(&a, deep, 1e-5, &options, &err), DOSI_OK);
    assert_string_equal(a.reason, DOSI_STOPPED);
    assert_true(a.value.hi < HUGE_VAL); /* by zCDP, which is quick */
    dosi_plan_free(deep);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(chains),
        cmocka_unit_test(routes_of_chains), cmocka_unit_test(compositions),
        cmocka_unit_test(samples_of_pairs), cmocka_unit_test(stopped)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
