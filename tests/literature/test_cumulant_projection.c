/*
 * The projection of cumulant bounds: the example of the source, its defining
 * properties, and a hull by trying every pair of points.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/random.h"
#include "literature/cumulant_projection.h"

static void contains(ball x, double value)
{
    dosi_interval i = ball_interval(x);
    double slack = 2e-16 * fabs(value);
    assert_true(i.lo <= value + slack && value - slack <= i.hi);
    assert_true(x.rad <= 1e-20 * (1 + fabs(value)));
}

static ball hull_at(const double *x, const ball *k, int n, ball at)
{
    ball out;
    dosi_error err;
    assert_int_equal(
        projection_at(&out, x, k, (size_t)n, at, &err), DOSI_OK);
    return out;
}

static void test_example(void **state)
{
    (void)state;
    const double x[] = {0, 1, 2, 3, 4, 5};
    const double k[] = {0.5, 1, 1.2, 3, 3.5, 8};
    ball bound[6];
    for (int i = 0; i < 6; i++)
        bound[i] = ball_of(k[i]);
    contains(hull_at(x, bound, 6, ball_of(1)), 0.6);
    contains(hull_at(x, bound, 6, ball_of(2)), 1.2);
    contains(hull_at(x, bound, 6, ball_of(3)), 2.35);
    contains(hull_at(x, bound, 6, ball_of(4)), 3.5);
    contains(hull_at(x, bound, 6, ball_of(4.5)), 5.75);
    assert_true(ball_is_zero(hull_at(x, bound, 6, ball_of(0))));
    assert_true(ball_is_unknown(hull_at(x, bound, 6, ball_of(5.5))));
    assert_true(ball_is_unknown(hull_at(x, bound, 6, ball_of(-1))));
}

static void test_refusals(void **state)
{
    (void)state;
    const double falling[] = {1, 1}, negative[] = {-1, 2}, good[] = {1, 2};
    ball k[2] = {ball_of(1), ball_of(2)};
    ball out, at = ball_of(1);
    dosi_error err;
    assert_int_equal(
        projection_at(&out, falling, k, 2, at, &err), DOSI_EINVAL);
    assert_int_equal(
        projection_at(&out, negative, k, 2, at, &err), DOSI_EINVAL);
    k[1] = ball_unknown();
    assert_int_equal(projection_at(&out, good, k, 2, at, &err), DOSI_EINVAL);
    /* an infinite bound says nothing */
    k[0] = ball_of(HUGE_VAL);
    k[1] = ball_of(3);
    contains(hull_at(good, k, 2, at), 1.5);
    assert_true(ball_is_zero(hull_at(good, k, 0, ball_of(0))));
    assert_true(ball_is_unknown(hull_at(good, k, 0, at)));
}

/* The hull at x is the least chord over points on both sides of x. */
static double least_chord(const double *x, const ball *k, int n, double at)
{
    double best = HUGE_VAL;
    for (int i = -1; i < n; i++)
        for (int j = 0; j < n; j++) {
            double xi = i < 0 ? 0 : x[i], ki = i < 0 ? 0 : ball_mid(k[i]);
            if (!(xi <= at && at <= x[j] && x[j] > xi))
                continue;
            double t = (at - xi) / (x[j] - xi);
            best = fmin(best, ki + t * (ball_mid(k[j]) - ki));
        }
    return best;
}

static void test_random(void **state)
{
    (void)state;
    prop_random r = prop_start("projection");
    for (int trial = 0; trial < 200; trial++) {
        double x[24];
        ball k[24];
        int n = 1 + prop_below(&r, 24);
        for (int i = 0; i < n; i++) {
            x[i] = (i == 0 ? 0 : x[i - 1]) + prop_uniform(&r, 0.01, 2);
            k[i] = ball_widen(
                ball_of(x[i] * x[i] * prop_uniform(&r, 0.2, 1)), 1e-12);
        }
        double last = 0;
        for (int i = 1; i <= 40; i++) {
            double at = i == 40 ? x[n - 1] : x[n - 1] * i / 40;
            ball value = hull_at(x, k, n, ball_of(at));
            double want = least_chord(x, k, n, at);
            assert_true(fabs(ball_mid(value) - want) < 1e-12 * (1 + want));
            assert_true(value.rad >= 1e-12 && value.rad < 1.1e-12);
            /* F(x)/x grows */
            assert_true(ball_mid(value) / at >= last - 1e-12);
            last = ball_mid(value) / at;
            /* over a ball of arguments */
            if (i == 40)
                continue;
            ball wide =
                hull_at(x, k, n, ball_widen(ball_of(at), x[n - 1] / 50));
            assert_true(ball_lower(wide) <= want && want <= ball_upper(wide));
        }
    }
}

static void test_dent(void **state)
{
    (void)state;
    const double k[] = {1, 3, 6, 8, 12};
    ball b[5];
    for (int i = 0; i < 5; i++)
        b[i] = ball_of(k[i]);
    assert_int_equal(projection_first_dent(b, 5), 2); /* 3, 6, 8 */
    assert_int_equal(projection_first_dent(b, 3), 3);
    b[0] = ball_of(2); /* 0, 2, 3 */
    assert_int_equal(projection_first_dent(b, 5), 0);
    assert_int_equal(projection_first_dent(b, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_dent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
