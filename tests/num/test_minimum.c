/*
 * Minima in plain doubles: valleys near and far from the start, at an end, at
 * a cliff, next to values that do not exist, and how many values they cost.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "num/minimum.h"

typedef struct valley {
    double at;
    double power; /* of the distance on both sides */
    double cliff; /* jumps up by 10 from here on */
    double end;   /* +inf from here on */
    int *n_values;
} valley;

static double valley_at(double x, const void *context)
{
    const valley *v = context;
    ++*v->n_values;
    if (x >= v->end)
        return x > v->end + 1 ? NAN : HUGE_VAL;
    double away = fabs(x - v->at), bend = 1 + 0.3 * (v->power - 1) * away;
    return 3 + pow(away, v->power) * bend + (x >= v->cliff ? 10 : 0);
}

static double least(valley v, double first, double start, int most)
{
    int n = 0;
    v.n_values = &n;
    minimum_range range = {-30, 40, 1e-9, first};
    minimum_point found = minimum_near(valley_at, &v, range, start);
    assert_true(found.value == valley_at(found.x, &v));
    assert_true(n <= most);
    return found.x;
}

static void smooth_valleys(void **state)
{
    (void)state;
    static const double places[] = {-29, -3, 0.1, 0.4, 7, 39};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        valley v = {places[i], 2, HUGE_VAL, HUGE_VAL, NULL};
        /* f is flat about its minimum to 2^-23 */
        assert_true(fabs(least(v, 0.5, 0, 24) - places[i]) < 1e-6);
        assert_true(fabs(least(v, 0, 0, 50) - places[i]) < 1e-6);
        v.power = 1; /* a corner */
        assert_true(fabs(least(v, 0.5, 0, 80) - places[i]) < 1e-7);
    }
}

static void ends_of_the_range(void **state)
{
    (void)state;
    valley right = {41, 2, HUGE_VAL, HUGE_VAL, NULL};
    assert_true(least(right, 0.5, 0, 12) == 40);
    valley left = {-31, 2, HUGE_VAL, HUGE_VAL, NULL};
    assert_true(least(left, 0.5, 0, 12) == -30);
}

/* It falls to a cliff, and comes as near as the tolerance says. */
static void cliffs(void **state)
{
    (void)state;
    valley v = {8, 1, 5, HUGE_VAL, NULL};
    double x = least(v, 0.5, 0, 80);
    assert_true(x < 5 && x > 5 - 1e-6);
    v = (valley){8, 1, HUGE_VAL, 5, NULL};
    x = least(v, 0.5, 0, 80);
    assert_true(x < 5 && x > 5 - 1e-6);
}

/* Nothing is finite at the start. */
static void to_the_left(void **state)
{
    (void)state;
    valley v = {-12, 2, HUGE_VAL, -10, NULL};
    assert_true(fabs(least(v, 0.5, 20, 40) + 12) < 1e-6);
    assert_true(fabs(least(v, 0, 20, 60) + 12) < 1e-6);
    assert_true(fabs(least(v, 0, -5, 60) + 12) < 1e-6);
}

/* -inf on an interval, and +inf elsewhere: the walk to the left ends. */
static double well(double x, const void *context)
{
    (void)context;
    return x < 3 && x > -12 ? -HUGE_VAL : HUGE_VAL;
}

static void minus_infinity(void **state)
{
    (void)state;
    minimum_point p =
        minimum_near(well, NULL, (minimum_range){-20, 20, 1e-6, 1}, 20);
    assert_true(p.x < 3 && p.x > -12 && p.value == -HUGE_VAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_valleys),
        cmocka_unit_test(ends_of_the_range),
        cmocka_unit_test(cliffs),
        cmocka_unit_test(to_the_left),
        cmocka_unit_test(minus_infinity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
