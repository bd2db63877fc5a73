/*
 * Interval functions at the edges of their domains and ranges, where no
 * random point falls. The numbers between are the property test's.
 */
#include "num/elem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double inf = HUGE_VAL;

static void assert_interval(dosi_interval x, double lo, double hi)
{
    if (!(x.lo == lo && x.hi == hi))
        fail_msg("[%a, %a] instead of [%a, %a]", x.lo, x.hi, lo, hi);
}

static void assert_within(dosi_interval x, double lo, double hi)
{
    if (!(lo <= x.lo && x.lo <= x.hi && x.hi <= hi))
        fail_msg("[%a, %a] not within [%a, %a]", x.lo, x.hi, lo, hi);
}

static void exact_values(void **state)
{
    (void)state;
    assert_interval(iv_exp(iv_point(0)), 1, 1);
    assert_interval(iv_expm1(iv_point(0)), 0, 0);
    assert_interval(iv_log(iv_point(1)), 0, 0);
    assert_interval(iv_log1p(iv_point(0)), 0, 0);
    assert_interval(iv_sqrt(iv_point(2.25)), 1.5, 1.5);
    assert_interval(iv_sqrt(iv_point(0)), 0, 0);
    assert_interval(iv_sin(iv_point(0)), 0, 0);
    assert_interval(iv_cos(iv_point(0)), 1, 1);
    assert_interval(iv_sinh(iv_point(0)), 0, 0);
    assert_interval(iv_cosh(iv_point(0)), 1, 1);
    assert_interval(iv_tanh(iv_point(0)), 0, 0);
    assert_interval(iv_pow(iv_point(7), iv_point(0)), 1, 1);
    assert_interval(iv_pow(iv_point(1), iv_point(-3e8)), 1, 1);
    assert_interval(iv_pow(iv_point(0), iv_point(3)), 0, 0);
    assert_interval(iv_pow(iv_point(0), iv_point(0)), 1, 1);
}

static void limits(void **state)
{
    (void)state;
    const dosi_interval all = {-inf, inf};
    assert_interval(iv_exp(all), 0, inf);
    assert_interval(iv_expm1(all), -1, inf);
    assert_interval(iv_log(iv_make(0, inf)), -inf, inf);
    assert_interval(iv_log(iv_point(0)), -inf, -inf);
    assert_interval(iv_log1p(iv_make(-1, inf)), -inf, inf);
    assert_interval(iv_sqrt(iv_make(0, inf)), 0, inf);
    assert_interval(iv_sinh(all), -inf, inf);
    assert_interval(iv_cosh(all), 1, inf);
    assert_interval(iv_tanh(all), -1, 1);
    assert_interval(iv_sin(all), -1, 1);
    assert_interval(iv_pow(iv_make(0, inf), all), 0, inf);
    assert_interval(iv_pow(iv_make(0, 0.5), iv_point(inf)), 0, 0);
    assert_interval(iv_pow(iv_point(0), iv_point(-1)), inf, inf);
    assert_interval(iv_log1mexp(iv_make(-inf, 0)), -inf, 0);
}

static void overflow_and_underflow(void **state)
{
    (void)state;
    assert_within(iv_exp(iv_point(710)), 0x1.ffp1023, inf);
    assert_true(iv_exp(iv_point(710)).hi == inf);
    assert_within(iv_exp(iv_point(-800)), 0, 0x1p-1070);
    assert_true(iv_exp(iv_point(-800)).lo == 0);
    assert_within(iv_sinh(iv_make(-1000, -999)), -inf, -0x1.ffp1023);
    assert_within(iv_pow(iv_point(10), iv_point(-400)), 0, 0x1p-1070);
    assert_true(iv_pow(iv_point(10), iv_point(400)).hi == inf);
    /* never past what the function cannot pass */
    assert_within(iv_exp(iv_point(1e-300)), 1, 1 + 0x1p-49);
    assert_within(iv_exp(iv_point(-1e-300)), 1 - 0x1p-49, 1);
    assert_within(iv_tanh(iv_point(50)), 1 - 0x1p-49, 1);
    assert_within(iv_cosh(iv_make(-1e-200, 1e-200)), 1, 1 + 0x1p-49);
    assert_within(iv_expm1(iv_point(0x1p-1074)), 0x1p-1074, 0x1p-1073);
    assert_within(iv_log1p(iv_point(0x1p-1074)), 0, 0x1p-1074);
    assert_within(iv_expm1(iv_point(-1000)), -1, -1 + 0x1p-49);
    assert_within(iv_log1mexp(iv_point(-2000)), -0x1p-1070, 0);
    assert_within(iv_pow(iv_point(0.5), iv_point(1e-300)), 1 - 0x1p-49, 1);
    assert_within(iv_pow(iv_point(2), iv_point(1e-300)), 1, 1 + 0x1p-49);
}

static void outside_the_domain(void **state)
{
    (void)state;
    assert_interval(iv_log(iv_make(-1, 1)), -inf, inf);
    assert_interval(iv_log1p(iv_make(-2, 1)), -inf, inf);
    assert_interval(iv_pow(iv_make(-1, 1), iv_point(2)), -inf, inf);
    assert_interval(iv_log1mexp(iv_make(-1, 1)), -inf, inf);
    assert_interval(iv_sqrt(iv_make(-2, -1)), -inf, inf);
    assert_interval(iv_sqrt(iv_make(-2, 4)), 0, 2);
    assert_interval(iv_sqrt(iv_make(-0x1p-1074, 0)), 0, 0);
}

static void waves(void **state)
{
    (void)state;
    /* the top of the sine at pi/2 = 1.5707963..., the bottom at 3 pi/2 */
    assert_true(iv_sin(iv_make(1.57, 1.58)).hi == 1);
    assert_true(iv_sin(iv_make(4.71, 4.72)).lo == -1);
    assert_true(iv_sin(iv_make(1.4, 1.57)).hi < 1);
    assert_true(iv_sin(iv_make(1.58, 1.6)).hi < 1);
    assert_within(iv_sin(iv_make(-1, 1)), -0.8414709848079, 0.8414709848079);
    assert_true(iv_cos(iv_make(-0.1, 0.2)).hi == 1);
    assert_true(iv_cos(iv_make(3, 3.2)).lo == -1);
    assert_within(iv_cos(iv_make(0.5, 1)), 0.5403023058681, 0.8775825618904);
    assert_interval(iv_sin(iv_make(0, 3.5)), -1, 1);
    /* both extremes, with the same slope at both ends */
    assert_interval(iv_sin(iv_make(1.57, 4.713)), -1, 1);
    assert_interval(iv_cos(iv_point(0x1p21)), -1, 1);
    assert_interval(iv_cos(iv_make(0, 0.5)), iv_cos(iv_point(0.5)).lo, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_values),
        cmocka_unit_test(limits),
        cmocka_unit_test(overflow_and_underflow),
        cmocka_unit_test(outside_the_domain),
        cmocka_unit_test(waves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
