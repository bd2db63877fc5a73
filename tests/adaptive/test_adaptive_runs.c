/*
 * Runs of bounded range: two and three of them against searches for the best
 * choice after every answer, by closed forms; members of the class never lose
 * more, and the best of them little less; readings between points, finite laws
 * from both sides, other parts run before; limits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter.h"
#include "mechanisms/exponential/adaptive_cache.h"
#include "num/round.h"
#include "noise/bounded_range.h"
#include "adaptive/adaptive_grid.h"
#include "adaptive/adaptive_law.h"

static adaptive_runs *runs_of(double e, double k, work_limits *limits)
{
    adaptive_runs *r = NULL;
    const adaptive_class of = {ball_of(e), 1, k};
    assert_int_equal(adaptive_runs_new(&r, &of, limits, NULL), DOSI_OK);
    assert_non_null(r);
    return r;
}

static work_limits limits_of(double width)
{
    return (work_limits){.width = width, .max_bytes = WORK_BYTES};
}

static dosi_interval log_delta_at(const adaptive_runs *r, double x)
{
    dosi_interval v;
    assert_int_equal(
        adaptive_runs_log_delta(&v, r, ball_of(x), false, NULL), DOSI_OK);
    return v;
}

static dosi_interval epsilon_at(const adaptive_runs *r, double log_delta)
{
    dosi_interval v;
    assert_int_equal(
        adaptive_runs_epsilon(&v, r, ball_of(log_delta), false, NULL), DOSI_OK);
    return v;
}

/* ---- By searches ------------------------------------------------------- */

/* One run, at any real x. */
static double one_run(double e, double x)
{
    return exp(ball_mid(exponential_log_delta(ball_of(e), ball_of(x))));
}

static double best_of(int k, double e, double x);

/* The first of k runs has the losses t and t - e; the others are chosen with
 * that in view. */
static double first_at(int k, double e, double x, double t)
{
    double p = expm1(t - e) / expm1(-e);
    return p * best_of(k - 1, e, x - t) +
           (1 - p) * best_of(k - 1, e, x - t + e);
}

/* The greatest, by golden sections about the best of some. */
static double best_of(int k, double e, double x)
{
    const double golden = 0.61803398874989484820;
    if (k == 1)
        return one_run(e, x);
    int n = k == 2 ? 40 : 24, at = 0;
    double most = 0;
    for (int i = 0; i <= n; i++) {
        double y = first_at(k, e, x, e * i / n);
        at = y > most ? i : at;
        most = fmax(y, most);
    }
    double a = e * fmax(at - 1, 0) / n, b = e * fmin(at + 1, n) / n;
    double c = b - golden * (b - a), d = a + golden * (b - a);
    double at_c = first_at(k, e, x, c), at_d = first_at(k, e, x, d);
    for (int i = 0; i < 36; i++) {
        if (at_c > at_d) {
            b = d;
            d = c;
            at_d = at_c;
            c = b - golden * (b - a);
            at_c = first_at(k, e, x, c);
        } else {
            a = c;
            c = d;
            at_c = at_d;
            d = a + golden * (b - a);
            at_d = first_at(k, e, x, d);
        }
        most = fmax(most, fmax(at_c, at_d));
    }
    return most;
}

static void check_delta(
    const adaptive_runs *r, double x, double truth, double width)
{
    dosi_interval v = log_delta_at(r, x);
    double l = log(truth);
    if (!(v.lo <= l + 1e-12 && v.hi >= l - 1e-12))
        fail_msg("eps %g: [%.17g, %.17g] misses %.17g", x, v.lo, v.hi, l);
    if (!(v.hi - v.lo <= width))
        fail_msg("eps %g: [%.17g, %.17g]", x, v.lo, v.hi);
}

static void searches_agree(void **state)
{
    (void)state;
    static const double ranges[] = {0.01, 0.3, 1, 4};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        double e = ranges[i];
        work_limits limits = limits_of(1e-6);
        adaptive_runs *two = runs_of(e, 2, &limits);
        adaptive_runs *three = runs_of(e, 3, &limits);
        for (double s = -1.83; s < 2; s += 0.231)
            check_delta(two, s * e, best_of(2, e, s * e), 1e-6);
        for (double s = 0.117; s < 3; s += 0.619)
            check_delta(three, s * e, best_of(3, e, s * e), 1e-6);
        adaptive_runs_free(two);
        adaptive_runs_free(three);
    }
}

/* ---- Members ----------------------------------------------------------- */

/* Two losses, t and t - e, in all k runs. */
static finite_law *member_runs(double e, double t, double k)
{
    ball whole = ball_expm1(ball_of(-e));
    ball p = ball_div(ball_expm1(ball_sub(ball_of(t), ball_of(e))), whole);
    ball losses[] = {ball_sub(ball_of(t), ball_of(e)), ball_of(t)};
    ball log_mass[] = {
        ball_log(ball_sub(ball_of(1), p)), ball_log(p)};
    finite_law *one = NULL, *all = NULL;
    assert_int_equal(finite_from_losses(&one, losses, log_mass, 2, ball_of(0),
                         ball_of(0), NULL),
        DOSI_OK);
    assert_int_equal(finite_power(&all, one, k, 0, NULL), DOSI_OK);
    finite_free(one);
    return all;
}

static void members_lose_no_more(void **state)
{
    (void)state;
    static const double counts[] = {2, 7, 60, 300};
    static const double deltas[] = {1e-2, 1e-6, 1e-40};
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 3; j++) {
            double k = counts[i], e = i == 1 ? 2 : 0.2, best = 0;
            work_limits limits = limits_of(1e-5);
            adaptive_runs *r = runs_of(e, k, &limits);
            dosi_interval eps = epsilon_at(r, log(deltas[j]));
            for (double s = 0.3; s < 0.99; s += 0.02) {
                finite_law *all = member_runs(e, s * e, k);
                double own = finite_log_delta(all, ball_of(eps.hi)).lo;
                assert_true(own <= log(deltas[j]) + 1e-12);
                double at = finite_log_delta(all, ball_of(0.95 * eps.lo)).lo;
                best = fmax(best, exp(at - log(deltas[j])));
                finite_free(all);
            }
            assert_true(best >= 1); /* one loses nearly as much */
            if (!(eps.hi - eps.lo <= 1e-5 * eps.hi))
                fail_msg("k %g: [%.17g, %.17g]", k, eps.lo, eps.hi);
            adaptive_runs_free(r);
        }
}

/* ---- Readings ---------------------------------------------------------- */

static void readings_are_laws(void **state)
{
    (void)state;
    work_limits limits = limits_of(1e-5);
    adaptive_runs *r = runs_of(0.5, 20, &limits);
    dosi_interval last = {-HUGE_VAL, -HUGE_VAL};
    for (double x = 9.999; x > -11; x -= 0.0713) {
        dosi_interval v = log_delta_at(r, x);
        if (!(v.lo <= v.hi && v.hi - v.lo <= 1e-5))
            fail_msg("eps %g: [%.17g, %.17g]", x, v.lo, v.hi);
        assert_true(v.hi >= last.lo && (x < 0 || v.lo > last.hi));
        last = v;
    }
    /* nothing is lost beyond k e, and all that is possible below -k e */
    assert_true(log_delta_at(r, 10.001).hi == -HUGE_VAL);
    dosi_interval far = log_delta_at(r, -10.001);
    assert_true(fabs(far.lo - log1p(-exp(-10.001))) < 1e-12);
    /* and back */
    for (double l = -1; l > -60; l *= 1.7) {
        dosi_interval eps = epsilon_at(r, l);
        assert_true(log_delta_at(r, eps.hi).lo <= l);
        assert_true(log_delta_at(r, eps.lo).hi >= l);
        if (!(eps.hi - eps.lo <= 1e-5 * eps.hi))
            fail_msg("log delta %g: [%.17g, %.17g]", l, eps.lo, eps.hi);
    }
    assert_true(epsilon_at(r, -1e-9).hi == 0);
    adaptive_runs_free(r);
}

/* From (k-1) e on, and next to it, by the closed form and by a lattice that
 * knows nothing of it. */
static void lattices_know_the_top(void **state)
{
    (void)state;
    static const double counts[] = {2, 5, 12};
    for (size_t i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            double k = counts[i], e = j ? 2.5 : 0.3;
            adaptive_grid own;
            work_limits limits = limits_of(1e-6);
            adaptive_runs *r = runs_of(e, k, &limits);
            const adaptive_class of = {ball_of(e), 1, k};
            assert_int_equal(adaptive_grid_make(
                                 &own, &of, 100, 1000, &limits, NULL),
                DOSI_OK);
            for (double s = k - 1.05; s < k - 0.2; s += 0.097) {
                dosi_interval v = log_delta_at(r, s * e);
                dosi_interval l =
                    adaptive_grid_log_delta(&own, ball_of(s * e), false);
                assert_true(v.hi >= l.lo && v.lo <= l.hi);
                assert_true(s < k - 1 || (v.lo >= l.lo && v.hi <= l.hi));
                assert_true(s < k - 1 || v.hi - v.lo <= 1e-12 * -v.lo);
                assert_true(l.hi - l.lo <= 1e-3 * -l.lo);
                dosi_interval eps = epsilon_at(r, v.lo);
                assert_true(fabs(eps.hi - s * e) <= 2e-6 * s * e);
                assert_true(s < k - 1 || fabs(eps.hi - s * e) <= 1e-12);
            }
            adaptive_grid_clear(&own);
            adaptive_runs_free(r);
        }
}

/* Where points end before the range does, more may be lost; a grid_query that
 * goes on further has a lattice that does, too. */
static void lattices_end(void **state)
{
    (void)state;
    adaptive_grid own;
    work_limits limits = limits_of(1e-3);
    const adaptive_class of = {ball_of(0.2), 1, 300};
    assert_int_equal(
        adaptive_grid_make(&own, &of, 40, 64, &limits, NULL), DOSI_OK);
    double end = (double)own.end * own.upper.step;
    assert_true(end < 30);
    dosi_interval v = adaptive_grid_log_delta(&own, ball_of(end + 5), false);
    assert_true(v.hi > -HUGE_VAL && v.lo == -HUGE_VAL);
    adaptive_runs *r = runs_of(0.2, 300, &limits);
    /* what lies beyond the end is not left out before it */
    assert_true(adaptive_grid_log_delta(&own, ball_of(0.9995 * end), false)
                    .hi >= log_delta_at(r, 0.9995 * end).lo);
    dosi_interval near = epsilon_at(r, -4), far = epsilon_at(r, -150);
    assert_true(near.hi < 10 && far.lo > 25 && far.hi <= 1.001 * far.lo);
    v = log_delta_at(r, far.hi);
    assert_true(v.lo <= -150 && v.hi >= -150.5);
    adaptive_runs_free(r);
    adaptive_grid_clear(&own);
}

static void finite_laws_enclose(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        work_limits limits = limits_of(1e-5);
        adaptive_runs *r = runs_of(i ? 0.05 : 1, i ? 90 : 12, &limits);
        finite_law *above = NULL, *below = NULL;
        assert_int_equal(
            adaptive_runs_atoms(&above, r, DOSI_SIDE_UPPER, NULL), DOSI_OK);
        assert_int_equal(
            adaptive_runs_atoms(&below, r, DOSI_SIDE_LOWER, NULL), DOSI_OK);
        for (double x = -3; x < 6; x += 0.0379) {
            dosi_interval v = log_delta_at(r, x);
            dosi_interval hi = finite_log_delta(above, ball_of(x));
            dosi_interval lo = finite_log_delta(below, ball_of(x));
            assert_true(hi.hi >= v.lo && lo.lo <= v.hi);
            if (v.lo > -200 && !(hi.hi - lo.lo <= 2e-3 * (1 - v.lo)))
                fail_msg("eps %g: [%.17g, %.17g] in [%.17g, %.17g]", x, v.lo,
                    v.hi, lo.lo, hi.hi);
        }
        finite_free(above);
        finite_free(below);
        adaptive_runs_free(r);
    }
}

/* ---- Beside others ----------------------------------------------------- */

/* E[delta of the runs at epsilon - Z], Z being what was run before. */
static double composed_with_response(double e, double response, double eps)
{
    double p = 1 / (1 + exp(-response));
    return p * best_of(2, e, eps - response) +
           (1 - p) * best_of(2, e, eps + response);
}

static const dosi_plan *read_plan(const char *text)
{
    const dosi_plan *plan = NULL;
    assert_int_equal(
        dosi_plan_parse(&plan, text, strlen(text), NULL), DOSI_OK);
    return plan;
}

static void check_plan(
    const dosi_plan *plan, double eps, double truth, double width)
{
    dosi_answer a;
    assert_int_equal(
        dosi_delta_at_epsilon(&a, plan, eps, NULL, NULL), DOSI_OK);
    if (!(a.value.lo <= truth * (1 + 1e-12) &&
            a.value.hi >= truth * (1 - 1e-12)))
        fail_msg("eps %g: [%.17g, %.17g] misses %.17g", eps, a.value.lo,
            a.value.hi, truth);
    if (!(a.value.hi - a.value.lo <= width * truth))
        fail_msg("eps %g: [%.17g, %.17g]", eps, a.value.lo, a.value.hi);
}

static void others_are_run_first(void **state)
{
    (void)state;
    const dosi_plan *plan = read_plan("rr(0.7) + exponential(0.5) * 2");
    const dosi_plan *one = read_plan("rr(0.7) + exponential(0.5)");
    double p = 1 / (1 + exp(-0.7));
    for (double eps = 0.05; eps < 1.1; eps += 0.31) {
        check_plan(plan, eps, composed_with_response(0.5, 0.7, eps), 1e-3);
        check_plan(one, eps, p * one_run(0.5, eps - 0.7) +
                                 (1 - p) * one_run(0.5, eps + 0.7), 1e-5);
    }
    dosi_plan_free(one);
    dosi_plan_free(plan);
}

/* The first is of range a and chosen in advance, the second of range b: the
 * greatest, by many choices. */
static double best_in_order(double a, double b, double eps)
{
    double most = 0;
    for (int i = 0; i <= 4000; i++) {
        double t = a * i / 4000, p = expm1(t - a) / expm1(-a);
        most = fmax(most, p * one_run(b, eps - t) +
                              (1 - p) * one_run(b, eps - t + a));
    }
    return most;
}

static void unlike_ranges(void **state)
{
    (void)state;
    const dosi_plan *plan = read_plan("exponential(1) + exponential(0.8)");
    for (double eps = 0.1; eps < 1.7; eps += 0.3)
        check_plan(plan, eps, fmax(best_in_order(1, 0.8, eps),
                                  best_in_order(0.8, 1, eps)), 0.8);
    dosi_plan_free(plan);
}

/* Blocks of runs: a member is below, and not by much. */
static void blocks_of_runs(void **state)
{
    (void)state;
    const dosi_plan *plan = read_plan("exponential(0.05) * 5000");
    finite_law *all = member_runs(0.05, 0.0255, 5000);
    dosi_interval member =
        finite_epsilon(all, ball_of(1e-6), ball_log(ball_of(1e-6)));
    dosi_answer a;
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, 1e-6, NULL, NULL), DOSI_OK);
    assert_true(a.value.hi >= member.lo && a.value.lo <= 1.01 * member.hi);
    assert_true(a.value.hi - a.value.lo <= 3e-3 * a.value.hi);
    finite_free(all);
    dosi_plan_free(plan);
}

/* Of unlike samples each has its own runs, and is not made twice. */
static void samples_are_distinguished(void **state)
{
    (void)state;
    profile_pool pool;
    adaptive_cache store = {0};
    profile_pool_init(&pool);
    mechanism_context c = {.pool = &pool, .ranges = &store};
    const adaptive_runs *made[4];
    adaptive_class of = {ball_of(0.3), 0.1, 3};
    for (int i = 0; i < 4; i++) {
        const adaptive_class other = {ball_of(i == 1 ? 0.2 : 0.3),
            i == 2 ? 1 : 0.1, i == 3 ? 4 : 3};
        made[i] = adaptive_cache_runs(&other, &c);
        assert_non_null(made[i]);
        for (int j = 0; j < i; j++)
            assert_ptr_not_equal(made[i], made[j]);
    }
    assert_ptr_equal(adaptive_cache_runs(&of, &c), made[0]);
    of.e = ball_unknown(); /* no number, and as many runs as are too many */
    assert_null(adaptive_cache_runs(&of, &c));
    of = (adaptive_class){ball_of(0.3), 1, 2 * ADAPTIVE_RUNS_MAX};
    assert_null(adaptive_cache_runs(&of, &c));
    adaptive_cache_free(&store);
    profile_pool_free(&pool);
}

/* ---- Limits ------------------------------------------------------------ */

static int stop_soon(void *context)
{
    int *left = context;
    return --*left < 0;
}

static void limits_are_kept(void **state)
{
    (void)state;
    work_limits limits = limits_of(1e-4);
    work_limits small = {.width = 1e-6, .max_bytes = 1 << 18};
    adaptive_runs *fine = runs_of(0.3, 100, &limits);
    adaptive_runs *r = runs_of(0.3, 100, &small);
    dosi_interval wide = epsilon_at(r, -9), known = epsilon_at(fine, -9);
    assert_true(small.memory_bound && !limits.memory_bound);
    assert_true(wide.lo <= known.lo && wide.hi >= known.hi);
    assert_true(wide.hi - wide.lo <= 0.1 * wide.hi);
    adaptive_runs_free(fine);
    adaptive_runs_free(r);
    dosi_interval v;
    small.max_bytes = 1000;
    r = runs_of(0.3, 100, &small);
    assert_int_equal(
        adaptive_runs_epsilon(&v, r, ball_of(-9), false, NULL), DOSI_EUNABLE);
    assert_true(v.lo == 0 && v.hi == HUGE_VAL);
    adaptive_runs_free(r);
    int left = 20;
    work_limits stopped = {.width = 1e-6, .max_bytes = WORK_BYTES,
        .stop = stop_soon, .stop_context = &left};
    r = runs_of(0.3, 100, &stopped);
    assert_int_equal(
        adaptive_runs_log_delta(&v, r, ball_of(3), false, NULL), DOSI_EUNABLE);
    assert_true(v.lo == -HUGE_VAL && v.hi == 0);
    adaptive_runs_free(r);
    /* a budget for few cells only is spent on these */
    work_limits few = {
        .width = 1e-6, .max_bytes = WORK_BYTES, .budget = 1.3e6};
    r = runs_of(0.3, 100, &few);
    wide = epsilon_at(r, -9);
    assert_true(few.time_bound && few.spent <= few.budget);
    assert_true(wide.lo <= known.lo && wide.hi >= known.hi);
    assert_true(wide.hi - wide.lo <= 0.1 * wide.hi);
    adaptive_runs_free(r);
    r = runs_of(31, 3, NULL);
    assert_int_equal(
        adaptive_runs_log_delta(&v, r, ball_of(50), false, NULL), DOSI_EUNABLE);
    assert_int_equal(
        adaptive_runs_log_delta(&v, r, ball_of(70), false, NULL), DOSI_OK);
    adaptive_runs_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_agree),
        cmocka_unit_test(members_lose_no_more),
        cmocka_unit_test(readings_are_laws),
        cmocka_unit_test(lattices_know_the_top),
        cmocka_unit_test(lattices_end),
        cmocka_unit_test(finite_laws_enclose),
        cmocka_unit_test(others_are_run_first),
        cmocka_unit_test(unlike_ranges),
        cmocka_unit_test(blocks_of_runs),
        cmocka_unit_test(samples_are_distinguished),
        cmocka_unit_test(limits_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
