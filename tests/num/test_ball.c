/*
 * Balls at the edges: infinities, unknowns, exact results, and the constants
 * and tables, recomputed by Arb. Everything between is prop_ball's.
 */
#include "num/ball.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <arb.h>

#include "num/ends.h"
#include "num/exp_table.h"

static const double inf = HUGE_VAL;

static void assert_exactly(ball x, double value)
{
    if (!(x.hi == value && x.lo == 0 && x.rad == 0))
        fail_msg("{%a, %a, %a} instead of %a", x.hi, x.lo, x.rad, value);
}

static void assert_unknown(ball x)
{
    if (!ball_is_unknown(x) || x.hi != 0 || x.lo != 0)
        fail_msg("{%a, %a, %a} instead of unknown", x.hi, x.lo, x.rad);
    assert_true(ball_lower(x) == -inf && ball_upper(x) == inf);
}

static void making(void **state)
{
    (void)state;
    assert_exactly(ball_of(-2.5), -2.5);
    assert_exactly(ball_of(inf), inf);
    assert_unknown(ball_of(NAN));
    ball n = ball_of_int(INT64_MAX); /* 2^63 - 1 */
    assert_true(n.hi == 0x1p63 && n.lo == -1 && n.rad == 0);
    n = ball_of_int(INT64_MIN + 1);
    assert_true(n.hi == -0x1p63 && n.lo == 1 && n.rad == 0);
    assert_exactly(ball_of_int(INT64_MIN), -0x1p63);
    assert_exactly(ball_of_interval(iv_point(3)), 3);
    assert_exactly(ball_of_interval(iv_point(-inf)), -inf);
    assert_unknown(ball_of_interval(iv_make(0, inf)));
    assert_unknown(ball_of_interval(iv_make(-DBL_MAX, DBL_MAX)));
    ball half = ball_of_interval(iv_make(0, 1));
    assert_true(half.hi == 0.5 && half.rad >= 0.5 && half.rad < 0.5000001);
}

static void infinities(void **state)
{
    (void)state;
    ball plus = ball_of(inf), minus = ball_of(-inf), two = ball_of(2);
    ball wide = {1, 0, 3}, unknown = ball_unknown();
    assert_exactly(ball_add(plus, two), inf);
    assert_unknown(ball_add(plus, minus));
    assert_unknown(ball_add(plus, unknown));
    assert_exactly(ball_sub(two, plus), -inf);
    assert_exactly(ball_mul(plus, ball_neg(two)), -inf);
    assert_unknown(ball_mul(plus, ball_of(0)));
    assert_unknown(ball_mul(plus, wide));
    assert_unknown(ball_mul(unknown, ball_of(0)));
    assert_exactly(ball_div(two, minus), 0);
    assert_unknown(ball_div(plus, minus));
    assert_exactly(ball_div(plus, ball_neg(two)), -inf);
    assert_unknown(ball_div(plus, wide));
    assert_unknown(ball_div(two, wide));
    assert_unknown(ball_div(two, ball_of(0)));
    assert_unknown(ball_div(ball_of(0), ball_of(0)));
    assert_exactly(ball_sqrt(plus), inf);
    assert_exactly(ball_scale2(minus, 5), -inf);
    assert_exactly(ball_max(minus, two), 2);
    assert_exactly(ball_min(minus, two), -inf);
    assert_exactly(ball_widen(plus, 1), inf);
    assert_unknown(ball_widen(plus, inf));
    assert_unknown(ball_widen(two, NAN));
    assert_unknown(ball_widen(two, -1));
    assert_true(ball_less(minus, plus) && ball_less(two, plus));
    assert_true(ball_less_equal(plus, plus) && !ball_less(plus, plus));
    assert_false(ball_less(two, unknown) || ball_less_equal(unknown, two));
    assert_unknown(ball_hull(plus, two));
    assert_exactly(ball_hull(plus, plus), inf);
}

static void infinite_arguments(void **state)
{
    (void)state;
    ball plus = ball_of(inf), minus = ball_of(-inf), unknown = ball_unknown();
    assert_exactly(ball_exp(plus), inf);
    assert_exactly(ball_exp(minus), 0);
    assert_exactly(ball_expm1(minus), -1);
    assert_exactly(ball_expm1(plus), inf);
    assert_exactly(ball_log(plus), inf);
    assert_unknown(ball_log(minus));
    assert_exactly(ball_log(ball_of(0)), -inf);
    assert_exactly(ball_log1p(ball_of(-1)), -inf);
    assert_exactly(ball_log1p(plus), inf);
    assert_exactly(ball_log1mexp(ball_of(0)), -inf);
    assert_exactly(ball_log1mexp(minus), 0);
    assert_unknown(ball_log1mexp(ball_of(1e-300)));
    assert_exactly(ball_logexpm1(ball_of(0)), -inf);
    assert_exactly(ball_logexpm1(plus), inf);
    assert_exactly(ball_log1pexp(minus), 0);
    assert_exactly(ball_log1pexp(plus), inf);
    assert_exactly(ball_pow(ball_of(0), ball_of(2)), 0);
    assert_exactly(ball_pow(ball_of(0), ball_of(-2)), inf);
    assert_exactly(ball_pow(plus, ball_of(-2)), 0);
    assert_exactly(ball_logaddexp(minus, ball_of(3)), 3);
    assert_exactly(ball_logaddexp(minus, minus), -inf);
    assert_exactly(ball_logaddexp(plus, ball_of(3)), inf);
    assert_exactly(ball_logsubexp(ball_of(3), minus), 3);
    assert_exactly(ball_logsubexp(ball_of(3), ball_of(3)), -inf);
    assert_unknown(ball_logsubexp(ball_of(3), ball_of(4)));
    assert_exactly(ball_sinh(minus), -inf);
    assert_exactly(ball_cosh(minus), inf);
    assert_exactly(ball_tanh(minus), -1);
    ball (*const all[])(ball) = {ball_exp, ball_expm1, ball_log, ball_log1p,
        ball_log1mexp, ball_logexpm1, ball_log1pexp, ball_sinh, ball_cosh,
        ball_tanh, ball_sqrt, ball_sqr};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        assert_unknown(all[i](unknown));
}

static void exact_results(void **state)
{
    (void)state;
    assert_exactly(ball_exp(ball_of(0)), 1);
    assert_exactly(ball_log(ball_of(1)), 0);
    assert_exactly(ball_expm1(ball_of(0)), 0);
    assert_exactly(ball_log1p(ball_of(0)), 0);
    assert_exactly(ball_tanh(ball_of(0)), 0);
    assert_exactly(ball_cosh(ball_of(0)), 1);
    assert_exactly(ball_sqrt(ball_of(9)), 3);
    assert_exactly(ball_sqrt(ball_of(0)), 0);
    assert_exactly(ball_div(ball_of(6), ball_of(3)), 2);
    /* not exact, though what the radius makes is below the least double */
    ball near = ball_div(ball_of(0x1p-300), (ball){1, 0, 0x1p-1070});
    assert_true(near.hi == 0x1p-300 && near.rad > 0);
    assert_exactly(ball_mul(ball_of(0x1p300), ball_of(0x1p-300)), 1);
    assert_exactly(ball_pow(ball_of(1), ball_of(1e9)), 1);
    assert_exactly(ball_scale2(ball_of(0), -3), 0);
    assert_exactly(ball_scale2(ball_of(3), -1075 + 1), 3 * 0x1p-1074);
    assert_exactly(ball_scale2(ball_of(0x1p-1074), 2000), 0x1p926);
    assert_unknown(ball_scale2(ball_of(1), 1024));
    ball third = ball_div(ball_of(1), ball_of(3));
    assert_exactly(
        ball_sub((ball){third.hi, third.lo, 0}, (ball){third.hi, third.lo, 0}),
        0);
    /* what leaves is at most two units wide */
    dosi_interval e = ball_interval(ball_exp(ball_of(1)));
    assert_true(e.lo == 0x1.5bf0a8b145769p+1 && e.hi == round_up(e.lo));
}

static void the_ends_of_exp(void **state)
{
    (void)state;
    /* log of the largest double is 709.7827128933840 */
    assert_true(ball_upper(ball_exp(ball_of(709.78))) < inf);
    assert_unknown(ball_exp(ball_of(709.79)));
    assert_unknown(ball_exp(ball_of(1e300)));
    ball tiny = ball_exp(ball_of(-746.5));
    assert_true(ball_upper(tiny) > 0 && ball_upper(tiny) < 1e-310);
    tiny = ball_exp(ball_of(-1e300));
    assert_true(ball_upper(tiny) > 0 && ball_upper(tiny) < 1e-310);
    ball wide = ball_exp((ball){0, 0, 1e6});
    assert_unknown(wide);
    wide = ball_exp((ball){-1e6, 0, 1e6 - 1});
    assert_true(ball_upper(wide) > exp(-1) && ball_upper(wide) < 0.3679);
}

static void clamping(void **state)
{
    (void)state;
    ball x = ball_clamp((ball){0, 0, 1e-20}, 0, 1);
    assert_true(ball_lower(x) >= -1e-33 && ball_upper(x) <= 1.0001e-20);
    x = ball_clamp(ball_unknown(), 0, 1);
    assert_true(ball_lower(x) >= -1e-13 && ball_upper(x) <= 1 + 1e-13);
    assert_exactly(ball_clamp(ball_of(0.5), 0, 1), 0.5);
    assert_unknown(ball_clamp(ball_unknown(), 0, inf));
    /* not narrowed: the part inside, as doubles, would be wider */
    ball near_one = {1, 0, 1e-29};
    x = ball_clamp(near_one, 0, 1);
    assert_true(x.hi == 1 && x.rad == 1e-29);
}

static void hulls_and_ends(void **state)
{
    (void)state;
    ball x = {1, 0x1p-60, 0.5};
    assert_true(ball_upper(ball_top(x)) >= 1.5);
    assert_true(ball_lower(ball_bottom(x)) <= 0.5);
    assert_true(ball_top(x).rad == 0 && ball_bottom(x).rad == 0);
    ball h = ball_hull(ball_of(-1), ball_of(3));
    assert_true(ball_lower(h) <= -1 && ball_upper(h) >= 3);
    assert_true(h.hi == 1 && h.rad < 2.0000001);
    assert_exactly(ball_midpoint(ball_of(7)), 7);
}

/* |y - (hi + lo)| <= rad, and no more than bits wide. */
static void assert_constant(ball x, const arb_t y)
{
    arb_t d, t;
    arb_init(d);
    arb_init(t);
    arb_set_d(t, x.hi);
    arb_sub(d, y, t, 600);
    arb_set_d(t, x.lo);
    arb_sub(d, d, t, 600);
    arb_abs(d, d);
    arb_set_d(t, x.rad);
    assert_true(arb_le(d, t));
    assert_true(x.rad <= fabs(x.hi) * 0x1p-105);
    arb_clear(d);
    arb_clear(t);
}

static void constants(void **state)
{
    (void)state;
    arb_t y;
    arb_init(y);
    arb_const_pi(y, 400);
    assert_constant(ball_pi(), y);
    arb_mul_2exp_si(y, y, 1);
    arb_log(y, y, 400);
    assert_constant(ball_log_2pi(), y);
    arb_const_log2(y, 400);
    assert_constant(ball_ln2(), y);
    for (int j = -EXP_TABLE_REACH; j <= EXP_TABLE_REACH; j++) {
        dd entry = exp_table[j + EXP_TABLE_REACH];
        assert_true(entry.hi + entry.lo == entry.hi);
        arb_set_si(y, j);
        arb_div_si(y, y, EXP_TABLE_STEPS, 400);
        arb_expm1(y, y, 400);
        assert_constant(
            (ball){entry.hi, entry.lo, fabs(entry.hi) * 0x1p-106}, y);
    }
    arb_clear(y);
    flint_cleanup();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(making),
        cmocka_unit_test(infinities),
        cmocka_unit_test(infinite_arguments),
        cmocka_unit_test(exact_results),
        cmocka_unit_test(the_ends_of_exp),
        cmocka_unit_test(clamping),
        cmocka_unit_test(hulls_and_ends),
        cmocka_unit_test(constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
