/*
 * Samplers by a table: the values of the theorems they are tables of, and
 * what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter.h"

static const dosi_plan *plan_of(const char *text)
{
    const dosi_plan *plan = NULL;
    assert_int_equal(
        dosi_plan_parse(&plan, text, strlen(text), NULL), DOSI_OK);
    return plan;
}

static dosi_sampler_answer ask(const dosi_sampler *s, const char *base,
    double epsilon, dosi_neighbours neighbours)
{
    dosi_sampler_answer a;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.neighbours = neighbours;
    const dosi_plan *plan = plan_of(base);
    assert_int_equal(
        dosi_sampler_delta_at_epsilon(&a, s, plan, epsilon, &options, NULL),
        DOSI_OK);
    dosi_plan_free(plan);
    return a;
}

/* One record, Poisson with rate 1/4: T004-8 in the worse direction. */
static void test_poisson(void **state)
{
    (void)state;
    const double first[] = {0.75, 0.25}, second[] = {1, 0};
    const double distance[] = {0, 1, 1, 0};
    dosi_sampler *s = NULL;
    assert_int_equal(
        dosi_sampler_new(&s, first, second, distance, 2, NULL), DOSI_OK);
    for (double eps = 0; eps < 0.5; eps += 0.07) {
        dosi_sampler_answer a =
            ask(s, "laplace(1)", eps, DOSI_ADD_REMOVE);
        double base = log1p(expm1(eps) / 0.25);
        double delta = base < 1 ? -0.25 * expm1((base - 1) / 2) : 0;
        assert_true(fabs(a.delta.hi - delta) <= 1e-12);
        assert_true(a.delta.hi >= delta * (1 - 1e-14));
        assert_true(a.eta.lo <= 0.25 && a.eta.hi >= 0.25);
        assert_true(fabs(a.base_epsilon.hi - base) < 1e-12);
        double plain = eps < 1 ? -0.25 * expm1((eps - 1) / 2) : 0;
        assert_true(fabs(a.coupling.hi - plain) <= 1e-12);
        assert_true(a.shared_is_nearest && a.other_is_nearest);
    }
    dosi_sampler_free(s);
}

/* Two draws out of two, one replaced: samples vv, vb, bb, vw ... as counts
 * of v; T004-10 with eta = 3/4. */
static void test_with_replacement(void **state)
{
    (void)state;
    /* bb, vb, vv, wb, ww */
    const double first[] = {0.25, 0.5, 0.25, 0, 0};
    const double second[] = {0.25, 0, 0, 0.5, 0.25};
    const double distance[] = {0, 1, 2, 1, 2, 1, 0, 1, 1, 2, 2, 1, 0, 2, 2,
        1, 1, 2, 0, 1, 2, 2, 2, 1, 0};
    dosi_sampler *s = NULL;
    assert_int_equal(
        dosi_sampler_new(&s, first, second, distance, 5, NULL), DOSI_OK);
    double eps = 0.3, base = log1p(expm1(eps) / 0.75);
    dosi_sampler_answer a = ask(s, "laplace(2)", eps, DOSI_REPLACE);
    double delta = -0.5 * expm1((base - 0.5) / 2) -
                   0.25 * expm1((base - 1) / 2);
    assert_true(fabs(a.delta.hi - delta) < 1e-12);
    assert_true(a.coupling.hi > a.delta.hi);
    dosi_sampler_free(s);
}

static void test_same(void **state)
{
    (void)state;
    const double law[] = {0.5, 0.5}, distance[] = {0, HUGE_VAL, HUGE_VAL, 0};
    const double other[] = {1, 0};
    dosi_sampler *s = NULL;
    assert_int_equal(
        dosi_sampler_new(&s, law, law, distance, 2, NULL), DOSI_OK);
    dosi_sampler_answer a = ask(s, "gaussian(1)", 0, DOSI_ADD_REMOVE);
    assert_true(a.delta.hi == 0 && a.eta.hi == 0);
    dosi_sampler_free(s);
    /* no way between the samples: the base does not protect */
    assert_int_equal(
        dosi_sampler_new(&s, law, other, distance, 2, NULL), DOSI_OK);
    a = ask(s, "gaussian(1)", 0.1, DOSI_ADD_REMOVE);
    assert_true(fabs(a.coupling.hi - 0.5) < 1e-12);
    dosi_sampler_free(s);
}

static void test_refused(void **state)
{
    (void)state;
    const double half[] = {0.5, 0.5}, short_sum[] = {0.5, 0.4};
    const double negative[] = {1.5, -0.5};
    const double good[] = {0, 1, 1, 0}, uneven[] = {0, 1, 2, 0};
    const double broken[] = {0, 0.5, 0.5, 0}, self[] = {1, 1, 1, 0};
    const struct {
        const double *first, *distance;
        size_t n;
        const char *says;
    } rows[] = {
        {half, good, 0, "samples"},
        {half, good, 769, "samples"},
        {short_sum, good, 2, "sum to 1"},
        {negative, good, 2, "between 0 and 1"},
        {half, uneven, 2, "symmetric"},
        {half, broken, 2, "whole number"},
        {half, self, 2, "itself"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dosi_sampler *s = NULL;
        dosi_error err;
        assert_int_equal(dosi_sampler_new(&s, rows[i].first, half,
                             rows[i].distance, rows[i].n, &err),
            DOSI_EINVAL);
        assert_null(s);
        assert_non_null(strstr(err.message, rows[i].says));
    }
    dosi_sampler_free(NULL);
}

static void test_bad_questions(void **state)
{
    (void)state;
    const double half[] = {0.5, 0.5}, other[] = {1, 0};
    const double distance[] = {0, 1, 1, 0};
    dosi_sampler *s = NULL;
    dosi_sampler_answer a;
    const dosi_plan *plan = plan_of("gaussian(?)");
    assert_int_equal(
        dosi_sampler_new(&s, half, other, distance, 2, NULL), DOSI_OK);
    assert_int_equal(
        dosi_sampler_delta_at_epsilon(&a, s, plan, 1, NULL, NULL),
        DOSI_EINVAL);
    assert_int_equal(
        dosi_sampler_delta_at_epsilon(&a, s, plan, -1, NULL, NULL),
        DOSI_EINVAL);
    dosi_plan_free(plan);
    dosi_sampler_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poisson),
        cmocka_unit_test(test_with_replacement),
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_bad_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
