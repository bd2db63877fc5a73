/*
 * Trade-off curves of random plans: back to the profile they came from, and
 * within the band of Berry and Esseen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "dosimeter.h"
#include "random.h"

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
    switch (prop_below(&rng, 6)) {
    case 0:
        snprintf(text, size, "gaussian(%.17g) * %d", x * sqrt(k), k);
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

static dosi_interval delta_of(const dosi_plan *plan, double eps)
{
    dosi_answer a;
    dosi_error err;
    if (dosi_delta_at_epsilon(&a, plan, eps, NULL, &err) != DOSI_OK)
        fail_msg("%s", err.message);
    return a.value;
}

static dosi_interval beta_of(const dosi_plan *plan, double alpha)
{
    dosi_answer a;
    dosi_error err;
    if (dosi_tradeoff_at_alpha(&a, plan, alpha, NULL, &err) != DOSI_OK)
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
    double fall = (before.lo + before.hi - after.lo - after.hi) / 2;
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
    dosi_plan_free(plan);
}

static void test_round_trip(void **state)
{
    (void)state;
    long n = prop_count(200);
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
    switch (prop_below(&rng, 3)) {
    case 0:
        snprintf(text, size, "pure(%.17g) * %d", eps, k);
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
    long n = prop_count(60);
    double alphas[N];
    dosi_answer beta[N];
    dosi_tradeoff_alphas(alphas, N);
    for (long i = 0; i < n; i++) {
        char text[256];
        random_symmetric(text, sizeof text);
        const dosi_plan *plan = plan_of(text);
        dosi_gdp_limit limit;
        assert_int_equal(
            dosi_gdp_limit_approx(&limit, plan, NULL, NULL), DOSI_OK);
        assert_int_equal(
            dosi_tradeoff_curve(beta, plan, alphas, N, NULL, NULL), DOSI_OK);
        assert_true(limit.has_band);
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
}

/* Whatever mu is certified bounds delta at every eps. */
static void test_mu_bounds_delta(void **state)
{
    (void)state;
    long n = prop_count(60);
    for (long i = 0; i < n; i++) {
        char text[256], gdp[64];
        random_plan(text, sizeof text);
        const dosi_plan *plan = plan_of(text);
        dosi_answer mu;
        assert_int_equal(
            dosi_gdp_at_floor(&mu, plan, 0, NULL, NULL), DOSI_OK);
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
        cmocka_unit_test(test_mu_bounds_delta),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
