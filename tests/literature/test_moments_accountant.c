/*
 * The moments accountant: closed forms of the Gaussian, the switch to the
 * pure level, values of an independent reference, mixed sums, extremes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/random.h"
#include "renyi/chi_divergence.h"
#include "literature/moments_accountant.h"

static ball cumulant(ball lambda, const void *law)
{
    return chi_log_moment(law, ball_add_d(lambda, 1));
}

static moments_term term_of(const chi_law *law, double count)
{
    ball atom = ball_of(-HUGE_VAL);
    if (law->kind == CHI_LAPLACE)
        atom = ball_neg(ball_ln2());
    if (law->kind == CHI_RESPONSE)
        atom = ball_neg(ball_log1pexp(ball_neg(law->parameter)));
    return (moments_term){cumulant, law, count, chi_divergence(law, ball_of(1)),
        chi_pure(law), atom};
}

static void near(dosi_interval x, double value, double width)
{
    double slack = 3e-16 * fabs(value);
    if (!(x.lo <= value + slack && value - slack <= x.hi) ||
        !(x.hi - x.lo <= width * fabs(value)))
        fail_msg("[%.17g, %.17g] for %.17g", x.lo, x.hi, value);
}

static void contains(dosi_interval x, ball value)
{
    dosi_interval v = ball_interval(value);
    assert_true(x.lo <= v.hi && v.lo <= x.hi);
}

/* k mu^2/2 = x: eps = x + 2 sqrt(x c), lambda = sqrt(c/x),
 * log delta = -(eps - x)^2/(4x). */
static void test_gaussian(void **state)
{
    (void)state;
    const double mus[] = {1e-6, 0.02, 0.2, 1, 3, 1000};
    const double counts[] = {1, 1000, 1e12}, logs[] = {0.01, 11, 690};
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 9; j++) {
            chi_law law = chi_gaussian(ball_of(mus[i]));
            moments_term term = term_of(&law, counts[j / 3]);
            moments_sum sum = {&term, 1};
            ball c = ball_of(logs[j % 3]);
            ball x = ball_mul_d(
                ball_scale2(ball_sqr(law.parameter), -1), counts[j / 3]);
            ball root = ball_sqrt(ball_mul(x, c));
            ball eps = ball_add(x, ball_scale2(root, 1));
            moments_optimum best = moments_epsilon(&sum, c);
            contains(best.least, eps);
            assert_true(best.least.hi - best.least.lo <= 1e-15 * eps.hi);
            contains(best.argument, ball_sqrt(ball_div(c, x)));
            /* below, the minimum is too flat beside its value */
            if (best.argument.lo > 1e-4)
                assert_true(best.argument.hi - best.argument.lo <=
                            1e-10 * best.argument.hi);
            /* and back: log delta at that epsilon is -c */
            moments_optimum back = moments_log_delta(&sum, eps);
            contains(back.least, ball_neg(c));
            assert_true(back.least.hi <= 0);
            assert_true(fabs(back.least.lo + c.hi) <
                        1e-9 * (c.hi + eps.hi * best.argument.hi));
        }
}

/* Oracle values (mpmath, 25 digits). */
static void test_laplace_and_response(void **state)
{
    (void)state;
    ball five = ball_neg(ball_log(ball_of(1e-5)));
    ball eight = ball_neg(ball_log(ball_of(1e-8)));
    chi_law law = chi_laplace(ball_of(2));
    moments_term term = term_of(&law, 100);
    moments_sum sum = {&term, 1};
    near(moments_epsilon(&sum, five).least, 166.6607642115309456114955, 4e-16);
    near(moments_epsilon(&sum, eight).least, 177.3620481728630012719683, 4e-16);
    term.count = 1e6;
    near(moments_log_delta(&sum, ball_of(1351500)).least,
        -15690.16529557712279351338, 4e-16);
    law = chi_response(
        ball_log(ball_div(ball_of(0.6), ball_sub(ball_of(1), ball_of(0.6)))),
        2);
    term = term_of(&law, 100);
    near(moments_epsilon(&sum, five).least, 26.14638277734720610419669, 4e-16);
    near(moments_log_delta(&sum, ball_of(37.3028)).least,
        -35.91004241065462762520328, 4e-16);
}

/* Up to log(1/delta) = -k log P[largest loss] the pure level is best. */
static void test_pure_level(void **state)
{
    (void)state;
    chi_law law = chi_laplace(ball_of(0.5));
    moments_term term = term_of(&law, 10);
    moments_sum sum = {&term, 1};
    /* 10 log 2 = 6.93147 */
    moments_optimum more = moments_epsilon(&sum, ball_of(6.932));
    assert_true(more.least.lo == 5 && more.least.hi == 5);
    assert_true(more.argument.lo == HUGE_VAL);
    moments_optimum less = moments_epsilon(&sum, ball_of(6.931));
    assert_true(less.least.hi < 5 && less.least.lo > 4.9);
    assert_true(less.argument.lo > 1000 && less.argument.lo < HUGE_VAL);
    assert_true(moments_epsilon(&sum, ball_of(HUGE_VAL)).least.hi == 5);
    assert_true(moments_log_delta(&sum, ball_of(5)).least.hi == -HUGE_VAL);
    /* at the mean and below, delta = 1 is all that is known */
    moments_optimum mean = moments_log_delta(&sum, ball_of(0.5));
    assert_true(mean.least.lo == 0 && mean.least.hi == 0);
    assert_true(mean.argument.hi == 0);
    term.count = 0;
    assert_true(moments_epsilon(&sum, ball_of(3)).least.hi == 0);
}

/* The least of all lambda of a dense grid is not below it, and near. */
static void test_mixed(void **state)
{
    (void)state;
    prop_random r = prop_start("moments");
    for (int trial = 0; trial < 40; trial++) {
        const chi_law laws[] = {chi_gaussian(ball_of(prop_scaled(&r, -8, 1))),
            chi_laplace(ball_of(prop_scaled(&r, -8, 2))),
            chi_response(ball_of(prop_scaled(&r, -8, 3)), 3)};
        moments_term terms[3];
        for (int i = 0; i < 3; i++)
            terms[i] = term_of(&laws[i], floor(prop_scaled(&r, 0, 14)));
        moments_sum sum = {terms, 3};
        ball c = ball_of(prop_scaled(&r, -3, 9));
        moments_optimum best = moments_epsilon(&sum, c);
        assert_true(
            best.least.hi - best.least.lo <= 1e-14 * fabs(best.least.hi));
        double at = best.argument.lo;
        for (double x = at / 3; x < 3 * at; x *= 1 + 0x1p-6) {
            ball eps = ball_div_d(ball_add(moments_at(&sum, ball_of(x)), c), x);
            assert_true(ball_upper(eps) >= best.least.lo);
        }
        ball eps = ball_of(best.least.hi * prop_uniform(&r, 0.9, 1.5));
        moments_optimum tail = moments_log_delta(&sum, eps);
        at = tail.argument.lo;
        for (double x = at / 3; x < 3 * at; x *= 1 + 0x1p-6) {
            ball d = ball_sub(moments_at(&sum, ball_of(x)), ball_mul_d(eps, x));
            assert_true(ball_upper(d) >= tail.least.lo);
        }
    }
}

/* K ends before lambda = 3 */
static ball with_pole(ball lambda, const void *context)
{
    (void)context;
    ball rest = ball_sub(ball_of(3), lambda);
    if (!ball_is_positive(rest))
        return ball_of(HUGE_VAL);
    return ball_neg(ball_log(ball_div_d(rest, 3)));
}

static void test_pole(void **state)
{
    (void)state;
    moments_term term = {with_pole, NULL, 2, ball_div_d(ball_of(1), 3),
        ball_of(HUGE_VAL), ball_of(-HUGE_VAL)};
    moments_sum sum = {&term, 1};
    /* mpmath: min over (0, 3) of (50 - 2 log(1 - x/3))/x */
    moments_optimum best = moments_epsilon(&sum, ball_of(50));
    near(best.least, 19.586883493885585, 4e-16);
    assert_true(best.argument.lo > 2.5 && best.argument.hi < 3);
}

/* max(lambda/2, 3 lambda - 5 pi/2), with a corner at pi. */
static ball with_corner(ball lambda, const void *context)
{
    (void)context;
    ball late = ball_sub(ball_mul_d(lambda, 3), ball_mul_d(ball_pi(), 2.5));
    return ball_max(ball_scale2(lambda, -1), late);
}

static ball linear(ball lambda, const void *context)
{
    (void)context;
    return lambda;
}

/* Where lines through values next to the minimum do not touch it: a corner,
 * whose value lies below all values but its own, and lambda without end. */
static void test_corner(void **state)
{
    (void)state;
    moments_term term = {with_corner, NULL, 1, ball_of(0.5),
        ball_of(HUGE_VAL), ball_of(-HUGE_VAL)};
    moments_sum sum = {&term, 1};
    for (int i = 1; i < 20; i++) {
        ball c = ball_of(i / 4.0); /* (c + pi/2)/pi */
        ball at = ball_add_d(ball_div(c, ball_pi()), 0.5);
        dosi_interval least = moments_epsilon(&sum, c).least;
        assert_true(least.lo <= ball_upper(at) && ball_lower(at) <= least.hi);
        assert_true(least.hi - least.lo <= 1e-9 * least.hi);
        ball eps = ball_of(0.5 + i / 8.0); /* pi/2 - pi eps */
        at = ball_mul(ball_pi(), ball_sub(ball_of(0.5), eps));
        least = moments_log_delta(&sum, eps).least;
        assert_true(least.lo <= ball_upper(at) && ball_lower(at) <= least.hi);
        assert_true(least.hi - least.lo <= 1e-9 * fabs(least.hi));
    }
    term.cumulant = linear; /* 1 + c/lambda */
    moments_optimum far = moments_epsilon(&sum, ball_of(1e18));
    assert_true(far.least.lo <= 1 && far.least.lo >= 1 - 1e-9);
    assert_true(far.argument.hi == HUGE_VAL);
}

static void test_between(void **state)
{
    (void)state;
    chi_law law = chi_gaussian(ball_of(1));
    moments_term term = term_of(&law, 1);
    moments_sum sum = {&term, 1};
    ball c = ball_of(8); /* x = 1/2: lambda = 4, eps = 1/2 + 4 */
    near(moments_epsilon_between(&sum, c, 3, 5).least, 4.5, 4e-16);
    near(moments_epsilon_between(&sum, c, 5, 9).least, 4.6, 4e-16);
    near(moments_epsilon_between(&sum, c, 1, 2).least, 5.5, 4e-16);
    near(moments_epsilon_between(&sum, c, 2, 2).least, 5.5, 4e-16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaussian),
        cmocka_unit_test(test_laplace_and_response),
        cmocka_unit_test(test_pure_level),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_pole),
        cmocka_unit_test(test_corner),
        cmocka_unit_test(test_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
