/*
 * Intervals: ends move outward, infinities and zeros behave, nothing turns
 * into NaN. Exact sums and products are checked in double-double arithmetic.
 */
#include "num/interval.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "num/dd.h"
#include "support/random.h"

static const double inf = HUGE_VAL;

static void assert_interval(dosi_interval x, double lo, double hi)
{
    if (!(x.lo == lo && x.hi == hi))
        fail_msg("[%a, %a] instead of [%a, %a]", x.lo, x.hi, lo, hi);
}

static void steps_are_those_of_nextafter(void **state)
{
    (void)state;
    const double points[] = {0, -0.0, 0x1p-1074, -0x1p-1074, 0x1p-1022, 1, -1,
        DBL_MAX, -DBL_MAX, 3.5};
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        double x = points[i];
        assert_true(round_up(x) == nextafter(x, inf));
        assert_true(round_down(x) == nextafter(x, -inf));
        assert_true(
            round_steps(round_steps(x, 100), -100) == x || fabs(x) == DBL_MAX);
    }
    assert_true(round_steps(1, 3) == 1 + 0x1.8p-51);
    assert_true(round_steps(0x1p-1074, -3) == -0x1p-1073);
    assert_true(round_steps(DBL_MAX, 7) == inf);
    assert_true(round_steps(inf, 1) == inf && round_steps(-inf, -1) == -inf);
    assert_true(round_up(inf) == inf && round_down(inf) == DBL_MAX);
    assert_true(round_up(NAN) == inf && round_down(NAN) == -inf);
}

static void making(void **state)
{
    (void)state;
    assert_interval(iv_point(2), 2, 2);
    assert_interval(iv_point(NAN), -inf, inf);
    assert_interval(iv_make(1, 2), 1, 2);
    assert_interval(iv_make(2, 1), -inf, inf);
    assert_interval(iv_make(NAN, 1), -inf, inf);
    assert_interval(iv_meet(iv_make(0, 2), iv_make(1, 3)), 1, 2);
    assert_interval(iv_meet(iv_make(0, 1), iv_make(2, 3)), 0, 1);
    assert_interval(iv_hull(iv_make(0, 1), iv_make(2, 3)), 0, 3);
    assert_interval(iv_max(iv_make(0, 5), iv_make(2, 3)), 2, 5);
    assert_interval(iv_min(iv_make(0, 5), iv_make(2, 3)), 0, 3);
    assert_interval(iv_neg(iv_make(-1, inf)), -inf, 1);
    assert_true(iv_contains(iv_make(0, 1), 1));
    assert_false(iv_contains(iv_make(0, 1), NAN));
}

static void corners_of_the_operations(void **state)
{
    (void)state;
    const dosi_interval unit = {0, 1}, all = {-inf, inf};
    assert_interval(iv_add(unit, iv_point(-1)), round_down(-1), 0);
    assert_interval(iv_add(iv_point(inf), iv_point(-inf)), -inf, inf);
    assert_interval(iv_sub(iv_point(3), iv_point(3)), 0, 0);
    assert_interval(iv_add(iv_point(DBL_MAX), iv_point(DBL_MAX)), DBL_MAX, inf);
    /* no product of numbers >= 0 is negative */
    assert_interval(iv_mul(unit, unit), 0, round_up(1));
    assert_interval(
        iv_mul(iv_point(0x1p-1000), iv_point(0x1p-1000)), 0, 0x1p-1074);
    assert_interval(
        iv_mul(iv_point(-0x1p-1000), iv_point(0x1p-1000)), -0x1p-1074, 0);
    assert_interval(iv_mul(iv_point(0), all), -0x1p-1074, 0x1p-1074);
    assert_interval(
        iv_mul(iv_make(-2, 3), iv_make(-5, 7)), round_down(-15), round_up(21));
    assert_interval(iv_mul(iv_make(0, inf), iv_make(-1, 0)), -inf, 0);
    assert_interval(iv_div(unit, unit), -inf, inf);
    assert_interval(iv_div(unit, iv_point(2)), 0, round_up(0.5));
    assert_interval(iv_div(unit, iv_make(2, inf)), 0, round_up(0.5));
    assert_interval(iv_div(iv_make(-1, 1), iv_make(-4, -2)), round_down(-0.5),
        round_up(0.5));
    assert_interval(iv_div(all, iv_make(1, 2)), -inf, inf);
    assert_interval(iv_div(iv_point(1), iv_point(0x1p-1074)), DBL_MAX, inf);
}

/* The exact result of points inside lies inside, and the ends are near. */
static void random_points(void **state)
{
    (void)state;
    prop_random r = prop_start("test_interval");
    for (long i = prop_count(200000); i > 0; i--) {
        double x = prop_sign(&r, prop_scaled(&r, -60, 60));
        double y = prop_sign(&r, prop_scaled(&r, -60, 60));
        dosi_interval s = iv_add(iv_point(x), iv_point(y));
        dosi_interval p = iv_mul(iv_point(x), iv_point(y));
        dosi_interval q = iv_div(iv_point(x), iv_point(y));
        dd sum = dd_two_sum(x, y), product = dd_two_product(x, y);
        /* strictly inside after one rounding and one step */
        assert_true(sum.hi == 0 || (s.lo < sum.hi && sum.hi < s.hi));
        assert_true(product.hi > p.lo && product.hi < p.hi);
        assert_true(fabs(sum.lo) <= s.hi - s.lo);
        assert_true(q.lo < x / y && x / y < q.hi);
        assert_true(round_steps(s.lo, 2) >= s.hi || sum.hi == 0);
        assert_true(round_steps(p.lo, 2) >= p.hi);
        assert_true(round_steps(q.lo, 2) >= q.hi);

        dosi_interval a = {fmin(x, x * 1.5), fmax(x, x * 1.5)};
        dosi_interval b = {fmin(y, -y * 0.5), fmax(y, -y * 0.5)};
        double u = prop_uniform(&r, a.lo, a.hi);
        double v = prop_uniform(&r, b.lo, b.hi);
        assert_true(iv_contains(iv_mul(a, b), u * v));
        assert_true(iv_contains(iv_sub(a, b), u - v));
        assert_true(iv_contains(iv_div(b, a), v / u));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_nextafter),
        cmocka_unit_test(making),
        cmocka_unit_test(corners_of_the_operations),
        cmocka_unit_test(random_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
