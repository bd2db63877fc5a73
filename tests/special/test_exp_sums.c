/*
 * Exponentials and tilted sums in doubles against balls: within the units that
 * are promised, at the ends of their range, and where a number is none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "num/ball.h"
#include "special/exp_sums.h"
#include "support/random.h"

static prop_random source;

#define MANY 37 /* no multiple of the lanes */

/* |found - truth| in units of 2^-53 of the truth. */
static double units(double found, ball truth)
{
    double off = ball_mid(ball_sub_d(truth, found));
    return fabs(off) / (0x1p-53 * fabs(ball_mid(truth)));
}

static double argument(int i)
{
    switch (i % 4) {
    case 0:
        return prop_uniform(&source, -1, 1);
    case 1:
        return prop_uniform(&source, -699, 699);
    case 2:
        return prop_uniform(&source, -1, 1) * exp2(-(i % 60));
    default: /* next to where the power of two changes */
        return (floor(prop_uniform(&source, -40, 40)) + 0.5) *
               0.69314718055994530942;
    }
}

static void exponentials_are_near(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        double x[MANY], plain[MANY], less[MANY];
        for (int i = 0; i < MANY; i++)
            x[i] = plain[i] = less[i] = argument(round + i);
        exp_all(plain, MANY);
        expm1_all(less, MANY);
        for (int i = 0; i < MANY; i++) {
            assert_true(units(plain[i], ball_exp(ball_of(x[i]))) <= 4);
            if (x[i] != 0)
                assert_true(
                    units(less[i], ball_expm1(ball_of(x[i]))) <= 8);
        }
    }
}

/* Arguments of every size, and next to where the power of two changes. */
static double positive(int i)
{
    switch (i % 4) {
    case 0:
        return exp2(prop_uniform(&source, -1000, 1000));
    case 1:
        return prop_uniform(&source, 0.5, 2);
    case 2:
        return 1 + prop_uniform(&source, -1, 1) * exp2(-(i % 55));
    default:
        return exp2(floor(prop_uniform(&source, -40, 40)) + 0.5) *
               (1 + prop_uniform(&source, -1, 1) * exp2(-(i % 52)));
    }
}

static void logarithms_are_near(void **state)
{
    (void)state;
    for (int round = 0; round < 2000; round++) {
        double x[MANY], plain[MANY];
        for (int i = 0; i < MANY; i++)
            x[i] = plain[i] = positive(round + i);
        log_all(plain, MANY);
        for (int i = 0; i < MANY; i++)
            if (x[i] != 1)
                assert_true(units(plain[i], ball_log(ball_of(x[i]))) <= 8);
    }
    double none[] = {NAN, HUGE_VAL, 1};
    log_all(none, 3);
    assert_true(isnan(none[0]) && isnan(none[1]) && none[2] == 0);
}

static void ends_are_kept(void **state)
{
    (void)state;
    double x[] = {0, -0.0, 701, HUGE_VAL, -701, -HUGE_VAL, NAN};
    double y[] = {0, -0.0, 701, HUGE_VAL, -701, -HUGE_VAL, NAN};
    exp_all(x, 7);
    expm1_all(y, 7);
    assert_true(x[0] == 1 && x[1] == 1 && y[0] == 0 && y[1] == 0);
    assert_true(x[2] == HUGE_VAL && x[3] == HUGE_VAL);
    assert_true(y[2] == HUGE_VAL && y[3] == HUGE_VAL);
    assert_true(x[4] >= 0 && x[4] < 1e-300 && x[5] == x[4]);
    assert_true(y[4] == -1 && y[5] == -1);
    assert_true(isnan(x[6]) && isnan(y[6]));
}

static void tilted_sums_are_near(void **state)
{
    (void)state;
    for (size_t n = 1; n < MANY; n++) {
        double height[MANY], point[MANY];
        double p = prop_uniform(&source, -20, 20);
        for (size_t i = 0; i < n; i++) {
            height[i] = -prop_uniform(&source, 0, 30);
            point[i] = prop_uniform(&source, 0.1, 2);
        }
        if (n % 3 == 0)
            height[n / 2] = -HUGE_VAL;
        exp_moments found = exp_tilted(height, point, n, p);
        ball sums[3] = {ball_of(0), ball_of(0), ball_of(0)};
        for (size_t i = 0; i < n; i++) {
            double e = height[i] + p * point[i] - found.top;
            ball g = ball_exp(ball_of(e > -700 ? e : -700));
            assert_true(e <= 0);
            for (int m = 0; m < 3; m++, g = ball_mul_d(g, point[i]))
                sums[m] = ball_add(sums[m], g);
        }
        assert_true(units(found.sum, sums[0]) < 16);
        assert_true(units(found.first, sums[1]) < 16);
        assert_true(units(found.second, sums[2]) < 16);
    }
}

static void no_number_is_not_lost(void **state)
{
    (void)state;
    double height[MANY] = {0}, point[MANY] = {0};
    for (size_t i = 0; i < MANY; i += 9) {
        height[i] = NAN;
        assert_true(isnan(exp_tilted(height, point, MANY, 1).sum));
        height[i] = 0;
        point[i] = NAN;
        assert_true(isnan(exp_tilted(height, point, MANY, 1).sum));
        point[i] = 0;
    }
    assert_true(isnan(exp_tilted(height, point, MANY, NAN).sum));
    assert_true(exp_tilted(height, point, MANY, 1).sum == MANY);
}

int main(void)
{
    source = prop_start("test_exp_sums");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exponentials_are_near),
        cmocka_unit_test(logarithms_are_near),
        cmocka_unit_test(ends_are_kept),
        cmocka_unit_test(tilted_sums_are_near),
        cmocka_unit_test(no_number_is_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
