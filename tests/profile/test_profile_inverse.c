/*
 * The inverse of a profile that is known by enclosures: log delta = -1 - x^p
 * with x = eps/scale is enclosed by itself plus or minus a width, so that both
 * ends of the answer are known in closed form. Profiles that are known from one
 * side alone, or nowhere.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "num/round.h"
#include "profile/profile_inverse.h"

typedef struct profile {
    double scale, power;
    double width;
    double floor; /* the upper end of log delta is never below this */
    int *n_looks;
} profile;

static dosi_interval enclosure(double eps, const void *context)
{
    const profile *p = context;
    double l = -1 - pow(eps / p->scale, p->power);
    ++*p->n_looks;
    return (dosi_interval){
        fmin(l - p->width, 0), fmin(fmax(l + p->width, p->floor), 0)};
}

static dosi_interval unknown(double eps, const void *context)
{
    (void)eps;
    ++*((const profile *)context)->n_looks;
    return (dosi_interval){NAN, NAN};
}

static const dosi_interval all = {0, HUGE_VAL};

/* Where log delta is l. */
static double root(const profile *p, double l)
{
    return p->scale * pow(fmax(-1 - l, 0), 1 / p->power);
}

/* Ends are no more than a unit within the truth, which is not quite known
 * either, and outside it by little of its width. */
static void check_ends(dosi_interval v, double lo, double hi)
{
    double give = 1e-13 * hi, open = (hi - lo) / 100;
    if (!(v.hi >= hi - give && v.hi <= hi + open + give))
        fail_msg("%.17g instead of %.17g", v.hi, hi);
    if (!(v.lo <= lo + give && v.lo >= lo - open - give))
        fail_msg("%.17g instead of %.17g", v.lo, lo);
}

static void ends_are_where_enclosures_decide(void **state)
{
    (void)state;
    static const double scales[] = {1e-9, 1e-3, 1, 1e5};
    static const double widths[] = {0, 1e-12, 1e-6, 0.3};
    static const double targets[] = {-1.4, -7, -300};
    for (size_t i = 0; i < 4 * 4 * 3 * 2; i++) {
        int n = 0;
        profile p = {scales[i % 4], i / 48 ? 2 : 0.7, widths[i / 4 % 4],
            -HUGE_VAL, &n};
        double l = targets[i / 16 % 3];
        dosi_interval v = profile_inverse(enclosure, &p, ball_of(l), all);
        assert_true(enclosure(v.hi, &p).hi <= l);
        assert_true(enclosure(v.lo, &p).lo > l);
        double lo = root(&p, l + p.width), hi = root(&p, l - p.width);
        check_ends(v, lo, hi);
        if (n > 60)
            fail_msg("%d values, width %g", n, p.width);
        /* no more is done where more is known */
        int most = n;
        n = 0;
        dosi_interval again = profile_inverse(enclosure, &p, ball_of(l),
            (dosi_interval){0.99 * v.lo, 1.01 * v.hi});
        check_ends(again, lo, hi);
        if (n > most + 4 || n > 40)
            fail_msg("%d values, and %d where more is known", most, n);
    }
}

static void zero_is_enough(void **state)
{
    (void)state;
    int n = 0;
    profile p = {1, 1, 1e-3, -HUGE_VAL, &n};
    dosi_interval v = profile_inverse(enclosure, &p, ball_of(-0.5), all);
    assert_true(v.lo == 0 && v.hi == 0);
    /* next to it that is not decided */
    v = profile_inverse(enclosure, &p, ball_of(-1), all);
    check_ends(v, 0, 1e-3);
}

static void one_side_alone(void **state)
{
    (void)state;
    int n = 0;
    profile p = {1, 1, 1e-3, -20, &n};
    dosi_interval v = profile_inverse(enclosure, &p, ball_of(-25), all);
    assert_true(v.hi == HUGE_VAL && fabs(v.lo - 24 + 1e-3) < 1e-12);
    v = profile_inverse(
        enclosure, &p, ball_of(-25), (dosi_interval){0, 30});
    check_ends(v, 24 - 1e-3, 30); /* as was known */
    p = (profile){1, 1, HUGE_VAL, -HUGE_VAL, &n};
    v = profile_inverse(enclosure, &p, ball_of(-25), all);
    assert_true(v.lo == 0 && v.hi == HUGE_VAL);
    v = profile_inverse(unknown, &p, ball_of(-25), all);
    assert_true(v.lo == 0 && v.hi == HUGE_VAL);
}

/* A target that is not quite known gives away as much, from both sides. */
static void targets_are_balls(void **state)
{
    (void)state;
    int n = 0;
    profile p = {1, 1, 0, -HUGE_VAL, &n};
    dosi_interval v =
        profile_inverse(enclosure, &p, (ball){-9, 0, 0.25}, all);
    check_ends(v, 7.75, 8.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_are_where_enclosures_decide),
        cmocka_unit_test(zero_is_enough),
        cmocka_unit_test(one_side_alone),
        cmocka_unit_test(targets_are_balls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
