/*
 * The laws behind the questions: lattices that bound from above and below,
 * sampled laws against their atoms, sums of discrete Gaussians against
 * convolution, trade-off curves against chords.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "noise/discrete_gaussian.h"
#include "noise/bounded_range.h"
#include "noise/laplace.h"
#include "profile/profile.h"

#define CELLS 12

typedef void (*fill)(ball *loss, ball *log_mass, size_t m, ball parameter);

static finite_law *lattice(fill f, size_t n, double parameter)
{
    ball loss[CELLS + 2], log_mass[CELLS + 2];
    f(loss, log_mass, CELLS, ball_of(parameter));
    finite_law *made = NULL;
    assert_int_equal(finite_from_losses(&made, loss, log_mass, n, ball_of(0),
                         ball_of(0), NULL),
        DOSI_OK);
    return made;
}

/* Between its lattices, meeting the upper one at its points; both directions
 * of the lattices are alike. */
static void test_laplace_lattices(void **state)
{
    (void)state;
    const double a = 1.5;
    finite_law *above = lattice(laplace_lattice_above, CELLS + 1, a);
    finite_law *below = lattice(laplace_lattice_below, CELLS + 2, a);
    for (int i = -40; i <= 40; i++) {
        ball eps = ball_of(a * i / 40 + 0.01);
        ball exact = ball_exp(laplace_log_delta(ball_of(a), eps));
        if (i >= 39)
            exact = ball_of(fmax(0, -expm1((ball_mid(eps) - a) / 2)));
        assert_true(
            ball_upper(finite_delta(above, eps)) >= ball_lower(exact) - 1e-15);
        assert_true(
            ball_lower(finite_delta(below, eps)) <= ball_upper(exact) + 1e-15);
        double gap = ball_mid(finite_delta(above, eps)) -
                     ball_mid(finite_delta(below, eps));
        assert_true(gap >= -1e-15 && gap < 0.01);
    }
    for (int i = 1; i < CELLS; i++) {
        double eps = -a + 2 * a * i / CELLS;
        double exact = -expm1((eps - a) / 2);
        double met = ball_mid(finite_delta(above, ball_of(eps)));
        assert_true(fabs(met - exact) < 1e-14);
    }
    /* both are laws: masses add up to 1, and so do those of Q */
    assert_true(fabs(ball_mid(finite_delta(above, ball_of(-50))) - 1) < 1e-14);
    assert_true(fabs(ball_mid(finite_delta(below, ball_of(-50))) - 1) < 1e-14);
    assert_true(fabs(ball_mid(finite_tail_q(above, ball_of(-9))) - 1) < 1e-14);
    assert_true(fabs(ball_mid(finite_tail_q(below, ball_of(-9))) - 1) < 1e-14);
    finite_free(above);
    finite_free(below);
}

static void test_exponential_lattice(void **state)
{
    (void)state;
    const double e = 0.75;
    finite_law *above = lattice(exponential_lattice_above, CELLS + 1, e);
    for (int i = 0; i <= CELLS; i++) {
        double eps = -e + 2 * e * i / CELLS;
        double y = -expm1((eps - e) / 2);
        double exact = y * y / -expm1(-e);
        double met = ball_mid(finite_delta(above, ball_of(eps)));
        assert_true(fabs(met - exact) < 1e-14);
        y = -expm1((eps + 0.03 - e) / 2);
        exact = i < CELLS ? y * y / -expm1(-e) : 0;
        met = ball_upper(finite_delta(above, ball_of(eps + 0.03)));
        assert_true(met >= exact - 1e-15);
    }
    assert_true(fabs(ball_mid(finite_tail_q(above, ball_of(-9))) - 1) < 1e-14);
    finite_free(above);
}

/* k runs: the closed law against the lattice convolved k times. */
static void test_discrete_gaussian_sum(void **state)
{
    (void)state;
    const double sigma = 1.25;
    size_t n = discrete_gaussian_window(
        sigma, 1, DISCRETE_GAUSSIAN_REACH);
    assert_true(n > 0);
    ball *loss = malloc(2 * n * sizeof *loss);
    assert_non_null(loss);
    ball tail = discrete_gaussian_atoms(
        loss, loss + n, n, sigma, 1, DISCRETE_GAUSSIAN_REACH);
    assert_true(ball_upper(tail) < 1e-60 && ball_upper(tail) > 0);
    finite_law *one = NULL, *three = NULL;
    assert_int_equal(
        finite_from_losses(&one, loss, loss + n, n, tail, tail, NULL), DOSI_OK);
    assert_int_equal(finite_power(&three, one, 3, 0, NULL), DOSI_OK);
    privacy_profile closed = profile_discrete_gaussian(sigma, 1, 3);
    privacy_profile finite = profile_finite(three, ATTAINED_BY_MECHANISM);
    for (int i = 0; i < 20; i++) {
        ball eps = ball_of(0.2 * i);
        dosi_interval a = profile_delta(&closed, eps);
        dosi_interval b = profile_delta(&finite, eps);
        assert_true(a.lo <= b.hi && b.lo <= a.hi);
        assert_true(a.hi - a.lo < 1e-4 * a.hi);
    }
    assert_true(discrete_gaussian_sum_distance(4, 1e6) < 1e-50);
    assert_true(discrete_gaussian_sum_distance(0.3, 2) == HUGE_VAL);
    assert_true(discrete_gaussian_sum_distance(1, 1) == 0);
    finite_free(one);
    finite_free(three);
    free(loss);
}

/* Poisson sampling of a law, and of its atoms, in both directions. */
static void test_poisson_of_atoms(void **state)
{
    (void)state;
    const double p[] = {5, 2, 1, 1}, q[] = {1, 2, 5, 0};
    for (int add = 0; add < 2; add++) {
        finite_law *base = NULL, *sampled = NULL;
        assert_int_equal(
            finite_from_pair(&base, add ? q : p, add ? p : q, 4, NULL),
            DOSI_OK);
        assert_int_equal(
            finite_poisson(&sampled, base, ball_of(0.3),
                add ? FINITE_BASE_FIRST : FINITE_MIXTURE_FIRST, NULL),
            DOSI_OK);
        privacy_profile inner = profile_finite(base, ATTAINED_BY_MECHANISM);
        privacy_profile closed =
            profile_poisson(&inner, ball_of(0.3), add == 1);
        privacy_profile finite = profile_finite(sampled, ATTAINED_BY_MECHANISM);
        for (int i = -20; i <= 20; i++) {
            ball eps = ball_of(0.11 * i);
            dosi_interval a = profile_delta(&closed, eps);
            dosi_interval b = profile_delta(&finite, eps);
            assert_true(a.lo <= b.hi && b.lo <= a.hi);
            assert_true(a.hi - a.lo <= 1e-14 && b.hi - b.lo <= 1e-14);
        }
        finite_free(base);
        finite_free(sampled);
    }
}

/* A trade-off curve found from the profile alone meets the closed one. */
static void test_tradeoff_by_profile(void **state)
{
    (void)state;
    privacy_profile closed[] = {
        profile_gaussian(ball_of(1), ATTAINED_BY_MECHANISM),
        profile_laplace(ball_of(1)), profile_exponential(ball_of(2)),
        profile_response(ball_of(1), ball_of(0.01), 3, 0, ATTAINED_BY_CLASS)};
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++) {
        profile_type profile_only = *closed[i].type;
        profile_only.tradeoff = NULL;
        privacy_profile other = closed[i];
        other.type = &profile_only;
        for (int j = 1; j < 20; j++) {
            double alpha = j < 10 ? ldexp(1, -3 * j) : (j - 9) / 10.0;
            if (alpha >= 1)
                continue;
            dosi_interval a = profile_tradeoff(&closed[i], alpha, 1);
            dosi_interval b = profile_tradeoff(&other, alpha, 1);
            assert_true(a.lo <= b.hi && b.lo <= a.hi);
            assert_true(b.hi - b.lo < 1e-9);
        }
        dosi_interval at0 = profile_tradeoff(&other, 0, 1);
        dosi_interval floor_mass = profile_log_floor(&other);
        assert_true(at0.lo <= -expm1(floor_mass.lo) + 1e-15);
        assert_true(profile_tradeoff(&other, 1, 1).hi == 0);
    }
}

/* The inverse by search meets the closed one. */
static void test_epsilon_by_search(void **state)
{
    (void)state;
    privacy_profile closed[] = {
        profile_gaussian(ball_of(0.75), ATTAINED_BY_MECHANISM),
        profile_laplace(ball_of(1)), profile_exponential(ball_of(2)),
        profile_response(
            ball_of(0.5), ball_of(1e-9), 30, 0, ATTAINED_BY_CLASS)};
    for (size_t i = 0; i < sizeof closed / sizeof *closed; i++) {
        profile_type profile_only = *closed[i].type;
        profile_only.epsilon = NULL;
        privacy_profile other = closed[i];
        other.type = &profile_only;
        for (double delta = 0.9; delta > 1e-11; delta *= 0.03) {
            ball log_delta = ball_log(ball_of(delta));
            dosi_interval a =
                profile_epsilon(&closed[i], ball_of(delta), log_delta);
            dosi_interval b =
                profile_epsilon(&other, ball_of(delta), log_delta);
            assert_true(a.lo <= b.hi && b.lo <= a.hi);
            assert_true(b.hi - b.lo <= 1e-13 * b.hi ||
                        (a.lo == HUGE_VAL && b.lo == HUGE_VAL));
        }
    }
}

/* Without replacement: symmetric, amplified, and nothing is lost at rate 0. */
static void test_without_replacement_renyi(void **state)
{
    (void)state;
    privacy_profile base = profile_gaussian(ball_of(1), ATTAINED_BY_MECHANISM);
    privacy_profile batch =
        profile_without_replacement(&base, &base, ball_of(0.125));
    for (int i = 0; i < 12; i++) {
        double eps = 0.25 * i;
        dosi_interval d = profile_delta(&batch, ball_of(eps));
        dosi_interval back = profile_delta(&batch, ball_of(-eps));
        /* delta(-eps) = 1 - e^-eps (1 - delta(eps)) */
        double mirror = 1 - exp(-eps) * (1 - d.lo);
        assert_true(fabs(back.lo - mirror) < 1e-14);
        assert_true(d.hi < profile_delta(&base, ball_of(eps)).lo);
    }
}

/* log sum sqrt(P Q) = -mu^2/8 of Gaussian noise. The bound is below its
 * profile, above its curve, and near where both errors are alike. */
static void test_affinity(void **state)
{
    (void)state;
    for (double mu = 0.25; mu < 20; mu *= 1.5) {
        privacy_profile exact =
            profile_gaussian(ball_of(mu), ATTAINED_BY_MECHANISM);
        privacy_profile bound =
            profile_affinity(ball_of(-mu * mu / 8), ATTAINED_BY_MECHANISM);
        for (double eps = 0; eps < mu * mu; eps += mu * mu / 16) {
            ball at = ball_of(eps);
            assert_true(
                profile_delta(&bound, at).lo <= profile_delta(&exact, at).hi);
            assert_true(profile_delta(&bound, at).hi == 1);
        }
        for (double alpha = 1e-12; alpha < 1; alpha *= 3)
            assert_true(profile_tradeoff(&bound, alpha, 1).hi >=
                        profile_tradeoff(&exact, alpha, 1).lo);
        for (double delta = 1e-12; delta < 1; delta *= 3) {
            ball d = ball_of(delta), l = ball_log(d);
            assert_true(profile_epsilon(&bound, d, l).lo <=
                        profile_epsilon(&exact, d, l).hi);
        }
        /* 1 - delta(0) = 2 Phi(-mu/2) against e^(-mu^2/8) */
        double left = 1 - profile_delta(&bound, ball_of(0)).lo;
        assert_true(fabs(left - exp(-mu * mu / 8)) <= 1e-15);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laplace_lattices),
        cmocka_unit_test(test_exponential_lattice),
        cmocka_unit_test(test_discrete_gaussian_sum),
        cmocka_unit_test(test_poisson_of_atoms),
        cmocka_unit_test(test_tradeoff_by_profile),
        cmocka_unit_test(test_epsilon_by_search),
        cmocka_unit_test(test_without_replacement_renyi),
        cmocka_unit_test(test_affinity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
