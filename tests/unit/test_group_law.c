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
#include "repr/law.h"
#include "repr/profile.h"

static const double sizes[] = {2, 3, 10, 1000};
static const double epsilons[] = {0, 0.01, 0.3, 2, 20};

static double black(const profile *p, double k, double eps)
{
    scaled d = profile_group_delta(p, PROFILE_BLACK, k, ball_of(eps));
    return ball_mid(scaled_log(d));
}

static void lies_between(void **state)
{
    const struct {
        law base;
        profile p;
    } cases[] = {
        {law_gaussian(ball_of(0.25), LAW_EXACT),
            {PROFILE_GAUSSIAN, ball_of(0.25), ball_of(0)}},
        {law_laplace(ball_of(0.5)),
            {PROFILE_LAPLACE, ball_of(0.5), ball_of(0)}},
    };
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 5; j++) {
                law bound = law_group(&cases[c].base, NULL, sizes[i]);
                scaled exact = profile_group_delta(&cases[c].p,
                    PROFILE_WHITE, sizes[i], ball_of(epsilons[j]));
                double hi = law_log_delta(&bound, ball_of(epsilons[j])).hi;
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
    law base = law_gaussian(ball_of(0.25), LAW_EXACT);
    profile p = {PROFILE_GAUSSIAN, ball_of(0.25), ball_of(0)};
    static const double deltas[] = {1e-2, 1e-6, 1e-60};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            law bound = law_group(&base, &base, sizes[i]);
            ball delta = ball_of(deltas[j]), log_delta = ball_log(delta);
            dosi_interval e = law_epsilon(&bound, delta, log_delta);
            assert_true(e.lo == 0 && e.hi < HUGE_VAL);
            assert_true(black(&p, sizes[i], e.hi) <= log(deltas[j]) + 1e-12);
            assert_true(
                black(&p, sizes[i], e.hi * (1 - 1e-3)) > log(deltas[j]));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lies_between),
        cmocka_unit_test(inverts),
        cmocka_unit_test(bounds_samplers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
