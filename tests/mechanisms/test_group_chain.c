/*
 * Groups by chains: above what is exactly known of groups, no higher than the
 * black-box bound, inverted to where that bound meets delta; and in the
 * accountant over samplers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "dosimeter.h"
#include "profile/profile.h"
#include "noise/base_profile.h"

static const double sizes[] = {2, 3, 10, 1000};
static const double epsilons[] = {0, 0.01, 0.3, 2, 20};

static double black(const base_profile *p, double k, double eps)
{
    scaled d = base_profile_group_delta(p, BASE_PROFILE_BLACK, k, ball_of(eps));
    return ball_mid(scaled_log(d));
}

static void lies_between(void **state)
{
    const struct {
        privacy_profile base;
        base_profile p;
    } cases[] = {
        {profile_gaussian(ball_of(0.25), ATTAINED_BY_MECHANISM),
            {BASE_PROFILE_GAUSSIAN, ball_of(0.25), ball_of(0)}},
        {profile_laplace(ball_of(0.5)),
            {BASE_PROFILE_LAPLACE, ball_of(0.5), ball_of(0)}},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 5; j++) {
                privacy_profile bound =
                    profile_group(&cases[c].base, NULL, sizes[i]);
                scaled exact = base_profile_group_delta(&cases[c].p,
                    BASE_PROFILE_WHITE, sizes[i], ball_of(epsilons[j]));
                double hi = profile_log_delta(&bound, ball_of(epsilons[j])).hi;
                double most = black(&cases[c].p, sizes[i], epsilons[j]);
                double least = ball_is_zero(exact.m)
                                   ? -HUGE_VAL
                                   : ball_lower(scaled_log(exact));
                if (!(hi >= least && hi <= fmin(most, 0) + 1e-12))
                    fail_msg("case %zu, %g of them, epsilon %g: %.17g is not "
                             "in [%.17g, %.17g]",
                        c, sizes[i], epsilons[j], hi, least, most);
            }
}

static void inverts(void **state)
{
    privacy_profile base =
        profile_gaussian(ball_of(0.25), ATTAINED_BY_MECHANISM);
    base_profile p = {BASE_PROFILE_GAUSSIAN, ball_of(0.25), ball_of(0)};
    static const double deltas[] = {1e-2, 1e-6, 1e-60};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            privacy_profile bound = profile_group(&base, &base, sizes[i]);
            ball delta = ball_of(deltas[j]), log_delta = ball_log(delta);
            dosi_interval e = profile_epsilon(&bound, delta, log_delta);
            assert_true(e.lo == 0 && e.hi < HUGE_VAL);
            assert_true(black(&p, sizes[i], e.hi) <= log(deltas[j]) + 1e-12);
            assert_true(
                black(&p, sizes[i], e.hi * (1 - 1e-3)) > log(deltas[j]));
        }
}

/* The worse of two directions counts, whichever it is. */
static void takes_the_worse(void **state)
{
    (void)state;
    privacy_profile light = profile_laplace(ball_of(0.1));
    privacy_profile heavy =
        profile_gaussian(ball_of(0.5), ATTAINED_BY_MECHANISM);
    privacy_profile one = profile_group(&heavy, NULL, 3);
    const privacy_profile both[] = {
        profile_group(&heavy, &light, 3), profile_group(&light, &heavy, 3)};
    for (size_t i = 0; i < 2; i++) {
        ball eps = ball_of(0.4), delta = ball_of(1e-6);
        assert_true(profile_log_delta(&both[i], eps).hi ==
                    profile_log_delta(&one, eps).hi);
        double hi = profile_epsilon(&both[i], delta, ball_log(delta)).hi;
        assert_true(hi == profile_epsilon(&one, delta, ball_log(delta)).hi);
    }
}

/* Never below the least of the bounds at all smaller x, and near it. */
static void is_the_least_of_its_bounds(void **state)
{
    (void)state;
    privacy_profile base =
        profile_gaussian(ball_of(0.25), ATTAINED_BY_MECHANISM);
    base_profile p = {BASE_PROFILE_GAUSSIAN, ball_of(0.25), ball_of(0)};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 1; j < 5; j++) {
            privacy_profile bound = profile_group(&base, NULL, sizes[i]);
            double hi = profile_log_delta(&bound, ball_of(epsilons[j])).hi;
            scaled least =
                base_profile_group_least(&p, sizes[i], ball_of(epsilons[j]));
            double there = ball_mid(scaled_log(least));
            assert_true(hi >= fmin(there, 0) - 1e-9);
        }
}

static dosi_answer ask(const char *text, dosi_neighbours neighbours)
{
    const dosi_plan *plan = NULL;
    dosi_options opt = DOSI_OPTIONS_INIT;
    dosi_answer a = {0};
    dosi_error err;
    opt.neighbours = neighbours;
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK ||
        dosi_epsilon_at_delta(&a, plan, 1e-5, &opt, &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    dosi_plan_free(plan);
    return a;
}

/* At least what one record loses, and less than by adding up (epsilon,
 * delta) guarantees, which is all that is known otherwise. */
static void bounds_samplers(void **state)
{
    (void)state;
    dosi_answer one = ask(
        "without_replacement(100, 10000, gaussian(1))*50", DOSI_REPLACE);
    dosi_answer four = ask(
        "group(4, without_replacement(100, 10000, gaussian(1))*50)",
        DOSI_REPLACE);
    assert_true(four.value.lo >= one.value.lo * (1 - 1e-6));
    assert_true(four.value.hi >= one.value.hi && four.value.hi < HUGE_VAL);
    assert_string_equal(four.theorem, "T004-GB");
    dosi_answer other = ask(
        "group(2, poisson(0.01, laplace(1))*100)", DOSI_ADD_REMOVE);
    double added = 2 * 100 * log(1 + 0.01 * (exp(1) - 1));
    assert_true(other.value.lo > 0 && other.value.hi < added / 4);
}

static double delta_of(const char *text, double eps, dosi_neighbours how)
{
    const dosi_plan *plan = NULL;
    dosi_options opt = DOSI_OPTIONS_INIT;
    dosi_answer a = {0};
    dosi_error err;
    opt.neighbours = how;
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK ||
        dosi_delta_at_epsilon(&a, plan, eps, &opt, &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    dosi_plan_free(plan);
    return a.value.hi;
}

/* At a k-th of epsilon, delta of one step times that of the chain is the
 * delta that was asked for; so it is in plans whose adding is worse. */
static void chains_are_steps(void **state)
{
    static const struct {
        const char *group, *step;
        double k;
        dosi_neighbours how;
    } rows[] = {
        {"group(4, without_replacement(100, 10000, laplace(1)))",
            "without_replacement(100, 10000, laplace(1))", 4, DOSI_REPLACE},
        {"group(2, poisson(0.5, pmf(p=[0.5, 0.5], q=[0.9, 0.1])))",
            "poisson(0.5, pmf(p=[0.5, 0.5], q=[0.9, 0.1]))", 2,
            DOSI_ADD_REMOVE},
        {"group(2, poisson(0.5, pmf(p=[0.9, 0.1], q=[0.5, 0.5])))",
            "poisson(0.5, pmf(p=[0.9, 0.1], q=[0.5, 0.5]))", 2,
            DOSI_ADD_REMOVE},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double k = rows[i].k;
        double x = ask(rows[i].group, rows[i].how).value.hi / k;
        double grown = expm1(k * x) / expm1(x);
        assert_true(delta_of(rows[i].step, x, rows[i].how) * grown <=
                    1e-5 * (1 + 1e-6));
        x *= 0.99;
        grown = expm1(k * x) / expm1(x);
        assert_true(delta_of(rows[i].step, x, rows[i].how) * grown > 1e-5);
    }
}

/* Groups of several sizes are no group of the first one's: ten records over
 * the second part lose what they lose by themselves. */
static void sizes_are_not_mixed(void **state)
{
    (void)state;
    dosi_answer both = ask("group(2, poisson(0.1, laplace(1))) + "
                           "group(10, poisson(0.01, gaussian(1))*100)",
        DOSI_ADD_REMOVE);
    dosi_answer ten = ask(
        "group(10, poisson(0.01, gaussian(1))*100)", DOSI_ADD_REMOVE);
    assert_true(both.value.hi >= ten.value.lo);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lies_between),
        cmocka_unit_test(inverts),
        cmocka_unit_test(takes_the_worse),
        cmocka_unit_test(is_the_least_of_its_bounds),
        cmocka_unit_test(chains_are_steps),
        cmocka_unit_test(sizes_are_not_mixed),
        cmocka_unit_test(bounds_samplers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
