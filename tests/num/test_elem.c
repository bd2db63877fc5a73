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
    assert_interval(iv_log(iv_point(1)), 0, 0);
}

static void limits(void **state)
{
    (void)state;
    const dosi_interval all = {-inf, inf};
    assert_interval(iv_exp(all), 0, inf);
    assert_interval(iv_log(iv_make(0, inf)), -inf, inf);
    assert_interval(iv_log(iv_point(0)), -inf, -inf);
}

static void overflow_and_underflow(void **state)
{
    (void)state;
    assert_within(iv_exp(iv_point(710)), 0x1.ffp1023, inf);
    assert_true(iv_exp(iv_point(710)).hi == inf);
    assert_within(iv_exp(iv_point(-800)), 0, 0x1p-1070);
    assert_true(iv_exp(iv_point(-800)).lo == 0);
    /* never past what the function cannot pass */
    assert_within(iv_exp(iv_point(1e-300)), 1, 1 + 0x1p-49);
    assert_within(iv_exp(iv_point(-1e-300)), 1 - 0x1p-49, 1);
}

static void outside_the_domain(void **state)
{
    (void)state;
    assert_interval(iv_log(iv_make(-1, 1)), -inf, inf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_values),
        cmocka_unit_test(limits),
        cmocka_unit_test(overflow_and_underflow),
        cmocka_unit_test(outside_the_domain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
