/*
 * Runs of Poisson samples of bounded range: two and three of them, a record
 * being removed or added, against searches for the best choice after every
 * answer, by closed forms; members of the class never lose more, and the best
 * of them little less; with all records in the sample they are runs without
 * sampling; limits.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "num/round.h"
#include "finite/finite_law.h"
#include "noise/bounded_range.h"
#include "adaptive/adaptive_runs.h"

typedef struct sample {
    double e, rate;
} sample;

static adaptive_runs *runs_of(sample s, double k, work_limits *limits)
{
    adaptive_runs *r = NULL;
    const adaptive_class of = {ball_of(s.e), s.rate, k};
    assert_int_equal(adaptive_runs_new(&r, &of, limits, NULL), DOSI_OK);
    return r;
}

static dosi_interval log_delta_at(const adaptive_runs *r, double x, bool add)
{
    dosi_interval v;
    assert_int_equal(
        adaptive_runs_log_delta(&v, r, ball_of(x), add, NULL), DOSI_OK);
    return v;
}

static dosi_interval epsilon_at(
    const adaptive_runs *r, double log_delta, bool add)
{
    dosi_interval v;
    assert_int_equal(
        adaptive_runs_epsilon(&v, r, ball_of(log_delta), add, NULL), DOSI_OK);
    return v;
}

/* ---- By searches ------------------------------------------------------- */

/* One run, at any real x: q H(1 + (X - 1)/q), or 1 - X. */
static double one_run(sample s, double x)
{
    double y = 1 + expm1(x) / s.rate;
    if (!(y > 0))
        return -expm1(x);
    ball l = exponential_log_delta(ball_of(s.e), ball_of(log(y)));
    return s.rate * exp(ball_mid(l));
}

static double best_of(int k, sample s, double x);

/* The first of k runs has the losses t and t - e before it is sampled. */
static double first_at(int k, sample s, double x, double t)
{
    double high = 1 + s.rate * expm1(t), low = 1 + s.rate * expm1(t - s.e);
    double q = expm1(s.e - t) / expm1(s.e);
    return q * high * best_of(k - 1, s, x - log(high)) +
           (1 - q) * low * best_of(k - 1, s, x - log(low));
}

/* The greatest, by golden sections about the best of some. */
static double best_of(int k, sample s, double x)
{
    const double golden = 0.61803398874989484820;
    if (k == 1)
        return one_run(s, x);
    int n = 24, at = 0;
    double most = 0;
    for (int i = 0; i <= n; i++) {
        double y = first_at(k, s, x, s.e * i / n);
        at = y > most ? i : at;
        most = fmax(y, most);
    }
    double a = s.e * fmax(at - 1, 0) / n, b = s.e * fmin(at + 1, n) / n;
    for (int i = 0; i < 30; i++) {
        double c = b - golden * (b - a), d = a + golden * (b - a);
        double at_c = first_at(k, s, x, c), at_d = first_at(k, s, x, d);
        most = fmax(most, fmax(at_c, at_d));
        if (at_c > at_d)
            b = d;
        else
            a = c;
    }
    return most;
}

static void check_delta(
    const adaptive_runs *r, double x, bool add, double truth, double width)
{
    dosi_interval v = log_delta_at(r, x, add);
    double l = log(truth);
    if (!(v.lo <= l + 1e-9 && v.hi >= l - 1e-9))
        fail_msg("eps %g: [%.17g, %.17g] misses %.17g", x, v.lo, v.hi, l);
    if (!(v.hi - v.lo <= width))
        fail_msg("eps %g: [%.17g, %.17g]", x, v.lo, v.hi);
}

static void searches_agree(void **state)
{
    (void)state;
    static const sample samples[] = {{0.3, 0.1}, {2, 0.01}, {1, 0.7}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        sample s = samples[i];
        for (int k = 2; k <= 3; k++) {
            adaptive_runs *r = runs_of(s, k, NULL);
            double most = k * log1p(s.rate * expm1(s.e));
            double least = -k * log1p(s.rate * expm1(-s.e));
            double step = k == 2 ? 0.13 : 0.31;
            for (double u = -0.7; u < 0.75; u += step) {
                double x = u * (u < 0 ? least : most);
                check_delta(r, x, false, best_of(k, s, x), 4e-3);
            }
            /* next to 0, where (1 - X)_+ bends */
            for (double u = 1e-6; u < 2e-3 && k == 2; u *= 1.7) {
                double x = u * most;
                check_delta(r, x, false, best_of(k, s, x), 4e-3);
                check_delta(r, -x, false, best_of(k, s, -x), 4e-3);
            }
            for (double u = 0.05; u < 0.75; u += step) {
                /* H_add(X) = 1 - X + X H(1/X) */
                double x = u * least;
                double h = best_of(k, s, -x) + expm1(-x);
                check_delta(r, x, true, exp(x) * h, 4e-3);
            }
            adaptive_runs_free(r);
        }
    }
}

/* ---- Members, and all records ------------------------------------------ */

/* Two losses in all k runs. */
static finite_law *member_runs(sample s, double t, double k, bool add)
{
    double high = 1 + s.rate * expm1(t), low = 1 + s.rate * expm1(t - s.e);
    double q = expm1(s.e - t) / expm1(s.e);
    ball loss[] = {ball_of(log(low)), ball_of(log(high))};
    ball log_mass[] = {ball_of(log((1 - q) * low)), ball_of(log(q * high))};
    finite_law *one = NULL, *all = NULL, *back = NULL;
    assert_int_equal(finite_from_losses(&one, loss, log_mass, 2, ball_of(1e-15),
                         ball_of(1e-15), NULL),
        DOSI_OK);
    assert_int_equal(finite_power(&all, one, k, 0, NULL), DOSI_OK);
    finite_free(one);
    if (!add)
        return all;
    assert_int_equal(finite_reverse(&back, all, NULL), DOSI_OK);
    finite_free(all);
    return back;
}

static void members_lose_no_more(void **state)
{
    (void)state;
    static const double counts[] = {4, 30, 200};
    for (size_t i = 0; i < 3; i++) {
        sample s = {0.5, i == 1 ? 0.02 : 0.3};
        double k = counts[i];
        adaptive_runs *r = runs_of(s, k, NULL);
        for (int add = 0; add < 2; add++) {
            double l = log(1e-4), best = 0;
            dosi_interval eps = epsilon_at(r, l, add == 1);
            for (double t = 0.2 * s.e; t < s.e; t += 0.05 * s.e) {
                finite_law *all = member_runs(s, t, k, add == 1);
                double own = finite_log_delta(all, ball_of(eps.hi)).hi;
                assert_true(own <= l + 1e-6);
                double at = finite_log_delta(all, ball_of(0.95 * eps.lo)).lo;
                best = fmax(best, exp(at - l));
                finite_free(all);
            }
            assert_true(best >= 1); /* one loses nearly as much */
            if (!(eps.hi - eps.lo <= 4e-3 * eps.hi))
                fail_msg("k %g: [%.17g, %.17g]", k, eps.lo, eps.hi);
        }
        adaptive_runs_free(r);
    }
}

static void all_records_are_sampled(void **state)
{
    (void)state;
    sample s = {0.3, 1 - 0x1p-50};
    adaptive_runs *r = runs_of(s, 20, NULL);
    adaptive_runs *all = runs_of((sample){0.3, 1}, 20, NULL);
    for (double l = -3; l > -40; l *= 2) {
        dosi_interval v = epsilon_at(r, l, false), w = epsilon_at(r, l, true);
        dosi_interval truth;
        assert_int_equal(
            adaptive_runs_epsilon(&truth, all, ball_of(l), false, NULL),
            DOSI_OK);
        assert_true(v.lo <= truth.hi && v.hi >= truth.lo);
        assert_true(w.lo <= truth.hi && w.hi >= truth.lo - 1e-9);
        if (!(v.hi - v.lo <= 1e-3 * v.hi))
            fail_msg("log delta %g: [%.17g, %.17g]", l, v.lo, v.hi);
    }
    adaptive_runs_free(all);
    adaptive_runs_free(r);
}

/* ---- Readings and limits ----------------------------------------------- */

static void readings_are_laws(void **state)
{
    (void)state;
    sample s = {0.4, 0.2};
    adaptive_runs *r = runs_of(s, 12, NULL);
    for (int add = 0; add < 2; add++) {
        dosi_interval last = {0, 0};
        for (double x = -0.8; x < 0.8; x += 0.0137) {
            dosi_interval v = log_delta_at(r, x, add == 1);
            assert_true(v.lo <= v.hi && v.lo <= last.hi);
            assert_true(v.hi >= log1p(-exp(fmin(x, 0))));
            last = v;
        }
        for (double l = -1; l > -30; l *= 1.7) {
            dosi_interval eps = epsilon_at(r, l, add == 1);
            assert_true(log_delta_at(r, eps.hi, add == 1).lo <= l);
            assert_true(
                eps.lo == 0 || log_delta_at(r, eps.lo, add == 1).hi >= l);
        }
        assert_true(epsilon_at(r, -1e-3, add == 1).hi == 0);
    }
    adaptive_runs_free(r);
}

/* No more is lost than by the greatest loss in every run: delta is 0 from there
 * on, not before, and so is the greatest epsilon. */
static void losses_end(void **state)
{
    (void)state;
    sample s = {0.03, 0.18};
    adaptive_runs *r = runs_of(s, 2, NULL);
    for (int add = 0; add < 2; add++) {
        double most = add ? -2 * log1p(s.rate * expm1(-s.e))
                          : 2 * log1p(s.rate * expm1(s.e));
        assert_true(log_delta_at(r, 1.0001 * most, add).hi == -HUGE_VAL);
        assert_true(log_delta_at(r, 0.9999 * most, add).hi > -HUGE_VAL);
        dosi_interval v = epsilon_at(r, -80, add);
        if (!(v.hi >= 0.9999 * most && v.hi <= most * (1 + 1e-14) &&
                v.hi - v.lo <= 3e-3 * most))
            fail_msg("[%.17g, %.17g], at most %.17g", v.lo, v.hi, most);
    }
    adaptive_runs_free(r);
}

static int stop_soon(void *context)
{
    int *left = context;
    return --*left < 0;
}

static void limits_are_kept(void **state)
{
    (void)state;
    sample s = {0.3, 0.1};
    dosi_interval v;
    work_limits small = {.width = 1e-6, .max_bytes = 1000};
    adaptive_runs *r = runs_of(s, 50, &small);
    assert_int_equal(
        adaptive_runs_epsilon(&v, r, ball_of(-9), false, NULL), DOSI_EUNABLE);
    assert_true(v.lo == 0 && v.hi == HUGE_VAL);
    adaptive_runs_free(r);
    int left = 9;
    work_limits stopped = {.width = 1e-6,
        .max_bytes = WORK_BYTES,
        .stop = stop_soon,
        .stop_context = &left};
    r = runs_of(s, 50, &stopped);
    assert_int_equal(
        adaptive_runs_log_delta(&v, r, ball_of(1), true, NULL), DOSI_EUNABLE);
    assert_true(v.lo == -HUGE_VAL && v.hi == 0);
    adaptive_runs_free(r);
    s.e = 21;
    r = runs_of(s, 2, NULL);
    assert_int_equal(
        adaptive_runs_epsilon(&v, r, ball_of(-9), false, NULL), DOSI_EUNABLE);
    adaptive_runs_free(r);
    s.e = 0.5;
    r = runs_of(s, 1e9, NULL);
    assert_int_equal(
        adaptive_runs_epsilon(&v, r, ball_of(-9), false, NULL), DOSI_EUNABLE);
    adaptive_runs_free(r);
}

/*
 * Far out delta is below the least double, and not 0. A choice with the loss
 * t in every run, of P's mass (1 - e^(t-e))/(1 - e^-e), has
 * delta >= M^k (1 - e^(eps - kL)), L = log(1 + q (e^t - 1)) and M = e^(L - t)
 * times that mass.
 */
static void rare_losses_are_not_lost(void **state)
{
    (void)state;
    sample s = {10, 1e-4};
    double k = 100, t = 9.8;
    work_limits limits = {.width = 0.9 * WORK_WIDTH, .max_bytes = WORK_BYTES};
    ball loss = ball_log1p(ball_mul_d(ball_expm1(ball_of(t)), s.rate));
    ball log_p =
        ball_sub(ball_log1mexp(ball_of(t - s.e)), ball_log1mexp(ball_of(-s.e)));
    ball mass = ball_add(ball_sub_d(log_p, t), loss);
    adaptive_runs *r = runs_of(s, k, &limits);
    for (double eps = 80; eps < 103; eps += 2) {
        ball gap = ball_sub(ball_of(eps), ball_mul_d(loss, k));
        ball least = ball_add(ball_mul_d(mass, k), ball_log1mexp(gap));
        dosi_interval v = log_delta_at(r, eps, false);
        assert_true(v.hi >= ball_lower(least) && v.hi < -500);
        assert_true(v.lo <= v.hi);
    }
    adaptive_runs_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rare_losses_are_not_lost),
        cmocka_unit_test(searches_agree),
        cmocka_unit_test(members_lose_no_more),
        cmocka_unit_test(all_records_are_sampled),
        cmocka_unit_test(readings_are_laws),
        cmocka_unit_test(losses_end),
        cmocka_unit_test(limits_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
