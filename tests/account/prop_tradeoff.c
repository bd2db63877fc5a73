/*
 * Trade-off curves of random plans: back to the profile they came from,
 * within the band of Berry and Esseen, and of samples against all threshold
 * tests between mixtures. DOSI_EFFORT=100 is ten thousand plans of each.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdbool.h>
#include <string.h>

#include "dosimeter.h"
#include "support/random.h"

static prop_random rng;

static const dosi_plan *plan_of(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    return plan;
}

/* Plans whose law some route knows; total losses of a few units. */
static void random_plan(char *text, size_t size)
{
    double x = prop_uniform(&rng, 0.4, 4);
    int k = 1 + prop_below(&rng, 30);
    switch (prop_below(&rng, 9)) {
    case 0:
        snprintf(text, size, "gaussian(%.17g) * %d", x * sqrt(k), k);
        break;
    case 5:
        snprintf(text, size, "approx(%.17g, %.17g) * %d", 1 / (x * sqrt(k)),
            prop_uniform(&rng, 0, 0.01), k);
        break;
    case 6:
        snprintf(text, size, "discrete_gaussian(%.17g)", x);
        break;
    case 7:
        snprintf(text, size,
            "without_replacement(%d, 1000, gaussian(%.17g)) * %d",
            5 + prop_below(&rng, 45), prop_uniform(&rng, 0.9, 2), 100 * k);
        break;
    case 1:
        snprintf(text, size, "pure(%.17g) * %d", 2 / (x * sqrt(k)), k);
        break;
    case 2:
        snprintf(text, size, "laplace(%.17g)", x);
        break;
    case 3:
        snprintf(text, size, "gaussian(%.17g) + pure(%.17g) * %d", x,
            1 / (x * sqrt(k)), k);
        break;
    case 4:
        snprintf(text, size, "rr(%.17g, categories=4) * %d",
            1 / (x * sqrt(k)), 1 + k / 4);
        break;
    default:
        snprintf(text, size, "poisson(%.17g, gaussian(%.17g)) * %d",
            prop_uniform(&rng, 1e-3, 0.05), prop_uniform(&rng, 0.8, 3),
            100 * k);
    }
}

/* Samples of fixed size are asked about under replace. */
static const dosi_options *options_of(const dosi_plan *plan)
{
    static dosi_options replace = DOSI_OPTIONS_INIT;
    dosi_kind kind = dosi_plan_kind(plan);
    if (kind == DOSI_REPEAT)
        kind = dosi_plan_kind(dosi_plan_child(plan, 0));
    replace.neighbours = DOSI_REPLACE;
    return kind == DOSI_WITHOUT_REPLACEMENT ? &replace : NULL;
}

static dosi_interval delta_of(const dosi_plan *plan, double eps)
{
    dosi_answer a;
    dosi_error err;
    if (dosi_delta_at_epsilon(&a, plan, eps, options_of(plan), &err) !=
        DOSI_OK)
        fail_msg("%s", err.message);
    return a.value;
}

static dosi_interval beta_of(const dosi_plan *plan, double alpha)
{
    dosi_answer a;
    dosi_error err;
    if (dosi_tradeoff_at_alpha(&a, plan, alpha, options_of(plan), &err) !=
        DOSI_OK)
        fail_msg("%s", err.message);
    return a.value;
}

/* delta = max over alpha of 1 - e^eps alpha - f, attained at the alpha that
 * is minus the slope of delta in e^eps. */
static void round_trip(const char *text)
{
    const dosi_plan *plan = plan_of(text);
    double eps = prop_uniform(&rng, 0.01, 2), h = 1e-6, x = exp(eps);
    dosi_interval delta = delta_of(plan, eps);
    dosi_interval before = delta_of(plan, eps - h);
    dosi_interval after = delta_of(plan, eps + h);
    double fall = before.hi - after.hi;
    double alpha = fall / (exp(eps + h) - exp(eps - h));
    alpha = fmin(fmax(alpha, 0), 1);
    dosi_interval beta = beta_of(plan, alpha);
    double lower = 1 - x * alpha - beta.hi, upper = 1 - x * alpha - beta.lo;
    if (!(lower <= delta.hi + 1e-14 * x))
        fail_msg("%s: eps %.17g: a test gains %.17g, delta %.17g", text, eps,
            lower, delta.hi);
    if (!(upper >= delta.lo - 1e-8))
        fail_msg("%s: eps %.17g: the curve gives %.17g, delta %.17g", text,
            eps, upper, delta.lo);
    /* the guarantees of both are the same line, but for the slope's noise
     * and where routes differ */
    bool is_open = options_of(plan) != NULL;
    if ((delta.hi - delta.lo < 1e-10 || is_open) &&
        !(fabs(upper - delta.hi) <= (is_open ? 1e-5 : 1e-8)))
        fail_msg("%s: eps %.17g: the curve gives %.17g, delta %.17g", text,
            eps, upper, delta.hi);
    dosi_plan_free(plan);
}

static void test_round_trip(void **state)
{
    (void)state;
    long n = prop_count(100);
    for (long i = 0; i < n; i++) {
        char text[256];
        random_plan(text, sizeof text);
        round_trip(text);
    }
}

/* ---- The band ---------------------------------------------------------- */

static double isf(double p)
{
    double lo = -40, hi = 40;
    for (int i = 0; i < 80; i++) {
        double x = lo / 2 + hi / 2;
        *(erfc(x / sqrt(2)) / 2 > p ? &lo : &hi) = x;
    }
    return lo;
}

static double gauss(double mu, double alpha)
{
    if (alpha >= 1)
        return 0;
    return alpha <= 0 ? 1 : erfc((mu - isf(alpha)) / sqrt(2)) / 2;
}

static void random_symmetric(char *text, size_t size)
{
    double x = prop_uniform(&rng, 0.3, 3);
    int k = 30 + prop_below(&rng, 300);
    double eps = x / sqrt(k);
    switch (prop_below(&rng, 5)) {
    case 0:
        snprintf(text, size, "pure(%.17g) * %d", eps, k);
        break;
    case 3:
        snprintf(text, size, "laplace(%.17g) * 8 + gaussian(%.17g) * %d",
            prop_uniform(&rng, 4, 20), 1 / eps, k);
        break;
    case 4:
        snprintf(text, size,
            "without_replacement(%d, 1000, gaussian(%.17g)) * %d",
            5 + prop_below(&rng, 15), prop_uniform(&rng, 1, 2.5), 30 * k);
        break;
    case 1:
        snprintf(text, size, "gaussian(%.17g) * %d", 1 / eps, k);
        break;
    default:
        snprintf(text, size, "gaussian(%.17g) * 9 + pure(%.17g) * %d",
            3 / prop_uniform(&rng, 0.2, 1), eps, k);
    }
}

static void test_band(void **state)
{
    (void)state;
    enum { N = 24 };
    long n = prop_count(100), n_bands = 0;
    double alphas[N];
    dosi_answer beta[N];
    dosi_tradeoff_alphas(alphas, N);
    for (long i = 0; i < n; i++) {
        char text[256];
        random_symmetric(text, sizeof text);
        const dosi_plan *plan = plan_of(text);
        dosi_gdp_limit limit;
        assert_int_equal(
            dosi_gdp_limit_approx(&limit, plan, options_of(plan), NULL),
            DOSI_OK);
        if (!limit.has_band) { /* too few steps */
            dosi_plan_free(plan);
            continue;
        }
        n_bands++;
        assert_int_equal(dosi_tradeoff_curve(beta, plan, alphas, N,
                             options_of(plan), NULL),
            DOSI_OK);
        double mu = limit.mu_approx, g = limit.gamma.hi;
        for (int j = 0; j < N; j++) {
            double a = alphas[j];
            if (gauss(mu, a + g) - g > beta[j].value.hi + 1e-10)
                fail_msg("%s: below the band at %.17g", text, a);
            if (a >= g && a <= 1 - g &&
                gauss(mu, a - g) + g < beta[j].value.lo - 1e-10)
                fail_msg("%s: above the band at %.17g", text, a);
        }
        dosi_plan_free(plan);
    }
    assert_true(n_bands >= 3 * n / 4);
}

/* ---- Samples ----------------------------------------------------------- */

#define N_THRESHOLDS 4000

typedef struct test_point {
    double alpha, beta;
} test_point;

static int by_alpha(const void *a, const void *b)
{
    const test_point *x = a, *y = b;
    return (x->alpha > y->alpha) - (x->alpha < y->alpha);
}

/* Errors of all tests "above t" between N(0, 1) and its mixture with
 * N(mu, 1), with either as the null, and the lower hull of them. */
static size_t all_tests(test_point *at, double rate, double mu)
{
    size_t n = 0, m = 0;
    for (int i = 0; i <= N_THRESHOLDS; i++) {
        double t = -9 + (18 + mu) * i / N_THRESHOLDS;
        double above = erfc(t / sqrt(2)) / 2;
        double hit = erfc((t - mu) / sqrt(2)) / 2;
        double mixed = (1 - rate) * above + rate * hit;
        at[n++] = (test_point){above, 1 - mixed};
        at[n++] = (test_point){1 - mixed, above};
    }
    qsort(at, n, sizeof *at, by_alpha);
    for (size_t i = 0; i < n; i++) {
        while (m > 1 && (at[m - 1].beta - at[m - 2].beta) *
                                (at[i].alpha - at[m - 2].alpha) >=
                            (at[i].beta - at[m - 2].beta) *
                                (at[m - 1].alpha - at[m - 2].alpha))
            m--;
        at[m++] = at[i];
    }
    return m;
}

static double hull_at(const test_point *at, size_t m, double alpha)
{
    size_t i = 1;
    while (i + 1 < m && at[i].alpha < alpha)
        i++;
    double share =
        (alpha - at[i - 1].alpha) / (at[i].alpha - at[i - 1].alpha);
    return at[i - 1].beta + share * (at[i].beta - at[i - 1].beta);
}

/* Chords are above the curve, by the square of the thresholds' distance. */
static void test_sample(void **state)
{
    (void)state;
    static test_point at[2 * N_THRESHOLDS + 2];
    long n = prop_count(100);
    for (long i = 0; i < n; i++) {
        char text[256];
        int batch = 1 + prop_below(&rng, 99);
        double sigma = prop_uniform(&rng, 0.3, 4);
        snprintf(text, sizeof text,
            "without_replacement(%d, 100, gaussian(%.17g))", batch, sigma);
        const dosi_plan *plan = plan_of(text);
        size_t m = all_tests(at, batch / 100.0, 1 / sigma);
        for (int j = 0; j < 4; j++) {
            double alpha = prop_uniform(&rng, 0.001, 0.999);
            double hull = hull_at(at, m, alpha);
            dosi_interval beta = beta_of(plan, alpha);
            if (!(beta.lo <= hull + 1e-13 && hull <= beta.hi + 1e-5))
                fail_msg("%s at %.17g: [%.17g, %.17g], tests %.17g", text,
                    alpha, beta.lo, beta.hi, hull);
            assert_true(beta.hi - beta.lo <= 1e-9);
        }
        dosi_plan_free(plan);
    }
}

/* More steps than one: what a pair of data sets attains is no better than
 * what all are guaranteed, and not far from it. */
static void test_pairs(void **state)
{
    (void)state;
    long n = prop_count(20);
    for (long i = 0; i < n; i++) {
        char text[256], pair[256];
        int batch = 5 + prop_below(&rng, 45), k = 50 + prop_below(&rng, 999);
        double sigma = prop_uniform(&rng, 0.9, 2);
        double mu = batch / 1000.0 * sqrt(k * expm1(1 / (sigma * sigma)));
        double eps = prop_uniform(&rng, 0, 3) * mu;
        snprintf(text, sizeof text,
            "without_replacement(%d, 1000, gaussian(%.17g)) * %d", batch,
            sigma, k);
        snprintf(pair, sizeof pair, "poisson(%d/1000, gaussian(%.17g)) * %d",
            batch, sigma, k);
        const dosi_plan *plan = plan_of(text), *attained = plan_of(pair);
        dosi_interval all = delta_of(plan, eps);
        dosi_interval one = delta_of(attained, eps);
        /* the pair is that of a Poisson sample with the record or without */
        if (!(all.lo <= one.hi && one.lo <= all.lo * (1 + 1e-5) + 1e-12 &&
                one.lo <= all.hi))
            fail_msg("%s at %.17g: [%.17g, %.17g], a pair has %.17g", text,
                eps, all.lo, all.hi, one.lo);
        dosi_plan_free(plan);
        dosi_plan_free(attained);
    }
}

/* The contour route's curve of Gaussian noise, found by chords around a
 * maximum, against the closed form; narrow unless the error is minute. */
static void test_chords(void **state)
{
    (void)state;
    long n = prop_count(100);
    for (long i = 0; i < n; i++) {
        char text[64];
        snprintf(text, sizeof text, "gaussian(%.17g)",
            exp(prop_uniform(&rng, -1.5, 3)));
        const dosi_plan *plan = plan_of(text);
        double alpha = prop_uniform(&rng, 1e-4, 0.9999);
        dosi_options closed = DOSI_OPTIONS_INIT;
        dosi_options spectral = DOSI_OPTIONS_INIT;
        closed.route = "closed";
        spectral.route = "contour";
        dosi_answer a, b;
        assert_int_equal(
            dosi_tradeoff_at_alpha(&a, plan, alpha, &closed, NULL), DOSI_OK);
        assert_int_equal(
            dosi_tradeoff_at_alpha(&b, plan, alpha, &spectral, NULL),
            DOSI_OK);
        if (b.value.lo > a.value.hi || b.value.hi < a.value.lo ||
            (a.value.lo > 1e-6 && b.value.hi - b.value.lo > 1e-9))
            fail_msg("%s at %.17g: [%.17g, %.17g], closed [%.17g, %.17g]",
                text, alpha, b.value.lo, b.value.hi, a.value.lo, a.value.hi);
        dosi_plan_free(plan);
    }
}

/* Whatever mu is certified bounds delta at every eps. */
static void test_mu_bounds_delta(void **state)
{
    (void)state;
    long n = prop_count(40);
    for (long i = 0; i < n; i++) {
        char text[256], gdp[64];
        random_plan(text, sizeof text);
        const dosi_plan *plan = plan_of(text);
        dosi_answer mu;
        assert_int_equal(
            dosi_gdp_at_floor(&mu, plan, 0, options_of(plan), NULL),
            DOSI_OK);
        if (!(mu.value.hi < HUGE_VAL)) { /* it leaks, or may */
            dosi_plan_free(plan);
            continue;
        }
        snprintf(gdp, sizeof gdp, "gdp(%.17g)", fmax(mu.value.hi, 1e-300));
        const dosi_plan *bound = plan_of(gdp);
        for (int j = 0; j < 5; j++) {
            double eps = prop_uniform(&rng, 0, 3);
            if (!(delta_of(plan, eps).lo <= delta_of(bound, eps).hi))
                fail_msg("%s is not %s at epsilon %.17g", text, gdp, eps);
        }
        dosi_plan_free(plan);
        dosi_plan_free(bound);
    }
}

int main(void)
{
    rng = prop_start("prop_tradeoff");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_band),
        cmocka_unit_test(test_sample),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_chords),
        cmocka_unit_test(test_mu_bounds_delta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
