/*
 * The laws of integer noise against Arb at random scales from 2^-6 to 2^50,
 * to 40 scales from 0: logarithms of masses and tails are inside and narrow,
 * half widths and thresholds are the smallest.
 */
#include "support/finite_pair.h"
#include "release_laws/integer_law.h"
#include "support/exact_noise.h"
#include "support/random.h"

static int failures;

static void check(bool right, const char *what, dosi_noise_law law,
    double scale, int64_t k, double x)
{
    if (right)
        return;
    printf("%s fails at law=%d scale=%a k=%lld x=%a\n", what, (int)law, scale,
        (long long)k, x);
    failures++;
}

static dosi_noise_law random_law(prop_random *r)
{
    return (dosi_noise_law)prop_below(r, 4);
}

/* Anywhere, and near the scales where formulas change. */
static double random_scale(prop_random *r)
{
    static const double seams[] = {1, 2, 2.01, 16, 32};
    if (prop_below(r, 4) == 0)
        return prop_near(r, seams[prop_below(r, 5)]);
    return prop_scaled(r, -6, 50);
}

static int64_t random_index(prop_random *r, double scale)
{
    switch (prop_below(r, 4)) {
    case 0:
        return prop_below(r, 5) - 2;
    case 1:
        return (int64_t)(prop_uniform(r, -40, 40) * scale);
    default:
        return (int64_t)(prop_uniform(r, 0, 40) * scale) + prop_below(r, 3);
    }
}

static void check_values(prop_random *r)
{
    dosi_noise_law law = random_law(r);
    double scale = random_scale(r);
    int64_t k = random_index(r, scale);
    arb_t exact;
    arb_init(exact);
    noise_mass(exact, law, scale, k);
    arb_log(exact, exact, NOISE_BITS);
    ball x = integer_law_log_pmf(law, scale, k);
    check(pair_in_ball(x, exact), "mass", law, scale, k, 0);
    check(x.rad <= 1e-27 * (1 + fabs(x.hi)), "mass width", law, scale, k, 0);
    noise_tail(exact, law, scale, k);
    arb_log(exact, exact, NOISE_BITS);
    x = integer_law_log_tail(law, scale, k);
    check(pair_in_ball(x, exact), "tail", law, scale, k, 0);
    check(x.rad <= 1e-27 * (1 + fabs(x.hi)), "tail width", law, scale, k, 0);
    arb_clear(exact);
}

/* The values themselves, where they are normal doubles. */
static void check_probabilities(prop_random *r)
{
    dosi_noise_law law = random_law(r);
    double scale = random_scale(r);
    int64_t k = random_index(r, scale);
    arb_t exact;
    arb_init(exact);
    noise_mass(exact, law, scale, k);
    ball x = integer_law_pmf(law, scale, k);
    check(pair_in_ball(x, exact), "pmf", law, scale, k, 0);
    check(x.rad <= 1e-24 * x.hi + 1e-300, "pmf width", law, scale, k, 0);
    noise_tail(exact, law, scale, k);
    x = integer_law_tail(law, scale, k);
    check(pair_in_ball(x, exact), "sf", law, scale, k, 0);
    check(x.rad <= 1e-24 * x.hi + 1e-300, "sf width", law, scale, k, 0);
    double upper = integer_law_tail_upper(law, scale, k);
    arb_t bound;
    arb_init(bound);
    arb_set_d(bound, upper);
    check(upper <= 1 && !arb_lt(bound, exact), "upper", law, scale, k, upper);
    arb_clear(bound);
    arb_clear(exact);
}

/* P[K >= k] <= x, certainly; the other way round with is_above. */
static bool tail_is(
    dosi_noise_law law, double scale, int64_t k, double x, bool is_above)
{
    arb_t exact, bound;
    arb_init(exact);
    arb_init(bound);
    noise_tail(exact, law, scale, k);
    arb_set_d(bound, x);
    bool holds = is_above ? arb_gt(exact, bound) : arb_le(exact, bound);
    arb_clear(exact);
    arb_clear(bound);
    return holds;
}

static double random_level(prop_random *r)
{
    static const double levels[] = {0.05, 0.01, 0.1, 0.5, 1e-6, 1e-9};
    if (prop_below(r, 2) == 0)
        return levels[prop_below(r, 6)];
    return pow(10, -prop_uniform(r, 0.01, prop_below(r, 2) ? 12 : 290));
}

static void check_half_width(prop_random *r)
{
    dosi_noise_law law = random_law(r);
    double scale = random_scale(r), beta = random_level(r);
    int64_t a = -1;
    dosi_status status = integer_law_half_width(&a, law, scale, beta, NULL);
    check(status == DOSI_OK, "half width", law, scale, a, beta);
    /* P[|K| > a] = 2 P[K >= a + 1]; beta/2 is exact */
    check(tail_is(law, scale, a + 1, beta / 2, false), "half width is safe",
        law, scale, a, beta);
    check(a == 0 || tail_is(law, scale, a, beta / 2, true),
        "half width is least", law, scale, a, beta);
}

static void check_threshold(prop_random *r)
{
    dosi_noise_law law = random_law(r);
    double scale = random_scale(r), most = random_level(r);
    int64_t m = prop_below(r, 100), tau = 0;
    double d = 0;
    dosi_status status =
        integer_law_threshold(&tau, &d, law, scale, m, most, NULL);
    check(status == DOSI_OK && d <= most, "threshold", law, scale, tau, most);
    check(tail_is(law, scale, tau - m, d, false), "threshold is safe", law,
        scale, tau, most);
    check(d < 0x1p-1000 ||
              tail_is(law, scale, tau - m, d * (1 - 0x1p-52), true),
        "threshold is tight", law, scale, tau, d);
    check(tail_is(law, scale, tau - m - 1, most, true), "threshold is least",
        law, scale, tau, most);
}

/* Var K = 2 sum over k >= 1 of (2 k - 1) P[K >= k], with tails of Arb. */
static void check_variance(prop_random *r)
{
    dosi_noise_law law = random_law(r);
    double scale = prop_scaled(r, -4, 2);
    bool is_laplace = law == DOSI_NOISE_ROUND_LAPLACE ||
                      law == DOSI_NOISE_DISCRETE_LAPLACE;
    int64_t last = (int64_t)((is_laplace ? 90 : 14) * scale) + 12;
    arb_t sum, tail;
    arb_init(sum);
    arb_init(tail);
    for (int64_t k = 1; k <= last; k++) {
        noise_tail(tail, law, scale, k);
        arb_addmul_si(sum, tail, 2 * k - 1, NOISE_BITS);
    }
    arb_mul_2exp_si(sum, sum, 1);
    /* the rest is below 2^-110 of the sum */
    arb_mul_2exp_si(tail, sum, -100);
    arb_add_error(sum, tail);
    ball x = integer_law_variance(law, scale);
    check(pair_in_ball(x, sum), "variance", law, scale, 0, x.hi);
    check(x.rad <= 2e-27 * x.hi, "variance width", law, scale, 0, x.rad);
    arb_clear(sum);
    arb_clear(tail);
}

int main(void)
{
    prop_random r = prop_start("prop_integer_law");
    static const prop_property properties[] = {
        {check_values, 1200},
        {check_probabilities, 800},
        {check_half_width, 250},
        {check_threshold, 250},
        {check_variance, 60},
    };
    prop_run(&r, properties, sizeof properties / sizeof *properties);
    flint_cleanup();
    return failures > 0;
}
