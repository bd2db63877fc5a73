/*
 * Certified roots: the root is inside, the ends are where the sign is
 * certain, and a good guess costs few evaluations.
 */
#include "num/bracket.h"
#include "num/newton.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "support/random.h"

/* x - root, uncertain within haze of it; counts its evaluations. */
typedef struct line {
    double root;
    double haze;
    int *n_calls;
} line;

static int line_sign(double x, const void *context)
{
    const line *f = context;
    assert_true(x == x);
    ++*f->n_calls;
    if (fabs(x - f->root) <= f->haze)
        return 0;
    return x < f->root ? -1 : 1;
}

static int cube_sign(double x, const void *context)
{
    const double *c = context; /* x^3 - c */
    ball y = ball_mul(ball_of(x), ball_sqr(ball_of(x)));
    return bracket_sign_of(ball_sub_d(y, *c));
}

static int sign_unknown(double x, const void *context)
{
    (void)x;
    (void)context;
    return 0;
}

static int sign_below(double x, const void *context)
{
    (void)x;
    (void)context;
    return -1;
}

static void cube_roots_are_tight(void **state)
{
    (void)state;
    const double guesses[] = {
        NAN, HUGE_VAL, -5, 0, 1, 1.25992104989487316, 1e300};
    for (size_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++) {
        double c = 2;
        dosi_interval x = bracket_root(cube_sign, &c, 0, 1e100, guesses[i]);
        /* 2^(1/3) = 1.2599210498948731647672106... */
        assert_true(x.lo < x.hi && x.lo <= 1.2599210498948732);
        assert_true(x.hi >= 1.2599210498948731);
        assert_true(round_steps(x.lo, 2) >= x.hi);
        assert_true(cube_sign(x.lo, &c) < 0 && cube_sign(x.hi, &c) > 0);
    }
}

static void exact_roots_are_enclosed(void **state)
{
    (void)state;
    double c = 27;
    dosi_interval x = bracket_root(cube_sign, &c, -HUGE_VAL, HUGE_VAL, 3.1);
    assert_true(x.lo < 3 && x.hi > 3 && round_steps(x.lo, 4) >= x.hi);
    c = -27;
    x = bracket_root(cube_sign, &c, -HUGE_VAL, HUGE_VAL, NAN);
    assert_true(x.lo < -3 && x.hi > -3 && round_steps(x.lo, 4) >= x.hi);
    c = 0;
    x = bracket_root(cube_sign, &c, -1, 1, 0.5);
    assert_true(x.lo <= 0 && x.hi >= 0 && x.hi - x.lo < 1e-80);
}

static void any_root_any_guess(void **state)
{
    (void)state;
    prop_random r = prop_start("test_bracket");
    for (long i = prop_count(20000); i > 0; i--) {
        int n_calls = 0;
        line f = {prop_sign(&r, prop_scaled(&r, -300, 300)), 0, &n_calls};
        double lo = prop_bits(&r) & 1 ? -HUGE_VAL : f.root - fabs(f.root);
        double hi = prop_bits(&r) & 1 ? HUGE_VAL : f.root + fabs(f.root) * 3;
        double guess = prop_sign(&r, prop_scaled(&r, -300, 300));
        bool good = prop_bits(&r) & 1;
        if (good)
            guess = round_steps(f.root, prop_below(&r, 3) - 1);
        if (prop_bits(&r) & 1)
            f.haze = fabs(f.root) * prop_scaled(&r, -52, -3);
        dosi_interval x = bracket_root(line_sign, &f, lo, hi, guess);
        assert_true(x.lo <= f.root && f.root <= x.hi);
        assert_true(x.lo >= lo && x.hi <= hi);
        double width = fmax(8 * f.haze, fabs(f.root) * 0x1p-51);
        assert_true(x.hi - x.lo <= width);
        assert_in_range(n_calls, 1, good && f.haze == 0 ? 8 : 200);
    }
}

static void nothing_certain(void **state)
{
    (void)state;
    const double ends[] = {
        -HUGE_VAL, -DBL_MAX, -1, 0, 0x1p-1074, 1, DBL_MAX, HUGE_VAL};
    const size_t n = sizeof ends / sizeof ends[0];
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++)
            for (size_t k = 0; k < n; k++) {
                dosi_interval x =
                    bracket_root(sign_unknown, NULL, ends[i], ends[j], ends[k]);
                assert_true(x.lo == ends[i] && x.hi == ends[j]);
                /* the root is at the upper end */
                x = bracket_root(sign_below, NULL, ends[i], ends[j], ends[k]);
                assert_true(x.lo <= x.hi && x.hi == ends[j]);
                assert_true(round_up(x.lo) >= fmin(x.hi, DBL_MAX));
            }
}

static double exponential(double x, const void *context)
{
    return exp(x) - *(const double *)context;
}

static void guesses_come_near(void **state)
{
    (void)state;
    const double values[] = {1e-300, 0.5, 1.0000001, 7, 1e300};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        double x = bracket_approx(exponential, &values[i], -HUGE_VAL, HUGE_VAL);
        double exact = log(values[i]);
        assert_true(fabs(x - exact) <= 1e-15 + 1e-14 * fabs(exact));
    }
}

/* x^3 - c with an error of so much. */
typedef struct cube {
    double c, error;
} cube;

static ball cube_of(ball x, const void *context)
{
    const cube *f = context;
    ball y = ball_sub_d(ball_mul(x, ball_sqr(x)), f->c);
    return ball_widen(y, f->error);
}

static ball cube_slope(ball x, const void *context)
{
    (void)context;
    return ball_mul_d(ball_sqr(x), 3);
}

/* A slope that is never known leaves signs alone. */
static ball no_slope(ball x, const void *context)
{
    (void)x;
    (void)context;
    return ball_unknown();
}

static void roots_of_balls(void **state)
{
    (void)state;
    const double errors[] = {0, 1e-12, 1e-3};
    for (int i = 0; i < 3; i++) {
        const cube f = {2, errors[i]};
        /* the roots of all that the balls allow, but for cbrt's rounding */
        double low = cbrt(2 - errors[i]) + 1e-15;
        double high = cbrt(2 + errors[i]) - 1e-15;
        double most = 8 * fmax(high - low, 0) + 1e-15;
        dosi_interval x = bracket_root_of(cube_of, &f, 0, 1e100);
        assert_true(x.lo <= low && high <= x.hi && x.hi - x.lo <= most);
        ball by_signs = newton_root_in(cube_of, no_slope, &f, 0, 100, 0x1p-90);
        ball by_slope =
            newton_root_in(cube_of, cube_slope, &f, 0, 100, 0x1p-90);
        const ball roots[] = {by_signs, by_slope};
        for (int j = 0; j < 2; j++) {
            assert_true(ball_lower(roots[j]) <= low);
            assert_true(ball_upper(roots[j]) >= high);
            assert_true(2 * roots[j].rad <= most);
        }
        if (i == 0)
            assert_true(by_slope.rad < 1e-25);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_roots_are_tight),
        cmocka_unit_test(exact_roots_are_enclosed),
        cmocka_unit_test(any_root_any_guess),
        cmocka_unit_test(nothing_certain),
        cmocka_unit_test(guesses_come_near),
        cmocka_unit_test(roots_of_balls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
