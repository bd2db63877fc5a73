/*
 * Amplification by sampling at random points: the scalar inequalities of the
 * proofs (T000-36, 37, 39, 40), T000-35 on random pairs, the closed-form
 * bounds (T000-38, 41, 42, S000-6.6) against the exact divergence of the
 * sampled Gaussian, inverses, and monotone directions.
 */
#include "support/random.h"
#include "sampling/amplify.h"
#include "finite/finite_law.h"
#include "renyi/renyi.h"
#include "renyi/poisson_base_renyi.h"
#include "renyi/poisson_renyi.h"
#include "renyi/poisson_gaussian_moment.h"
#include "literature/dpsgd_renyi.h"

static int failures = 0;

/* a <= b may not be certainly wrong, and both must be known. */
static void expect_below(
    const char *what, ball a, ball b, const double *inputs, size_t n)
{
    if (!ball_is_unknown(a) && !ball_is_unknown(b) && !ball_less(b, a))
        return;
    failures++;
    printf("%s(", what);
    for (size_t i = 0; i < n; i++)
        printf("%s%.17g", i == 0 ? "" : ", ", inputs[i]);
    printf("): %.17g is not below %.17g\n", ball_mid(a), ball_mid(b));
}

static double draw_rate(prop_random *r)
{
    switch (prop_below(r, 6)) {
    case 0:
        return 1 - prop_scaled(r, -50, 0);
    case 1:
        return prop_below(r, 2);
    default:
        return prop_scaled(r, -40, 0);
    }
}

static void check_scalar(prop_random *r)
{
    double rate = draw_rate(r), x = prop_scaled(r, -12, 12);
    double v = 1 + prop_scaled(r, -10, 5);
    double omega = v + prop_scaled(r, -10, 4);
    const double inputs[] = {rate, x, v, omega};
    ball p = ball_of(rate), bx = ball_of(x), bv = ball_of(v);
    expect_below(
        "T000-36", amplify_harmonic(p, bx), amplify_mean(p, bx), inputs, 2);
    expect_below("T000-37", amplify_cubic_floor(p, bv),
        amplify_cubic(p, bx, bv), inputs, 3);
    if (amplify_quadratic_applies(p, bx, bv))
        expect_below("T000-39", amplify_power(p, bx, bv),
            amplify_quadratic(p, bx, bv), inputs, 3);
    if (amplify_rate_is_small(p) && rate > 0)
        expect_below("T000-40", amplify_power(p, bx, bv),
            amplify_quadratic_tail(p, bx, bv, ball_of(omega)), inputs, 4);
}

/* exp((a-1) D_a) of the pair on a sample. */
static ball sampled_moment(const double *p, const double *q, ball rate,
    finite_direction direction, ball order)
{
    finite_law *pair = NULL, *sampled = NULL;
    ball d = ball_unknown();
    if (finite_from_pair(&pair, p, q, 3, NULL) == DOSI_OK &&
        finite_poisson(&sampled, pair, rate, direction, NULL) == DOSI_OK)
        d = finite_renyi(sampled, order);
    finite_free(pair);
    finite_free(sampled);
    return ball_exp(ball_mul(ball_sub_d(order, 1), d));
}

static void check_pair(prop_random *r)
{
    double p[3], q[3], rate = prop_uniform(r, 0, 1);
    double order = 1 + prop_scaled(r, -8, 4);
    for (int i = 0; i < 3; i++) {
        p[i] = prop_scaled(r, -6, 1);
        q[i] = prop_below(r, 2) ? prop_scaled(r, -6, 1)
                                : p[i] * prop_uniform(r, 0.9, 1.1);
    }
    ball w = ball_of(rate), a = ball_of(order);
    ball share = amplify_lambda(w, a);
    ball removal = sampled_moment(q, p, w, FINITE_BASE_FIRST, a);
    ball first = sampled_moment(p, q, w, FINITE_MIXTURE_FIRST, a);
    ball second = sampled_moment(q, p, w, FINITE_MIXTURE_FIRST, a);
    ball bound = ball_add(ball_mul(ball_sub(ball_of(1), share), first),
        ball_mul(share, second));
    const double inputs[] = {rate, order, p[0], p[1], p[2], q[0], q[1], q[2]};
    expect_below("T000-35", removal, bound, inputs, 8);
}

/* rho-zCDP bounds against the Gaussian with that rho. */
static void check_bounds(prop_random *r)
{
    double rate = prop_scaled(r, -30, 0), rho = prop_scaled(r, -10, 2);
    double order = 1 + prop_scaled(r, -4, 5);
    const double inputs[] = {rate, rho, order};
    ball p = ball_of(rate), b = ball_of(rho), a = ball_of(order);
    ball mu = ball_sqrt(ball_scale2(b, 1));
    ball add = sampled_gaussian_renyi(SAMPLED_MIXTURE_FIRST, p, mu, a);
    ball rem = sampled_gaussian_renyi(SAMPLED_BASE_FIRST, p, mu, a);
    expect_below("removal", rem, add, inputs, 3);
    expect_below("S000-6.6", amplify_limit_lower(p, b, a), add, inputs, 3);
    expect_below(
        "T000-42", add, amplify_large_order(p, a, ball_mul(a, b)), inputs, 3);
    expect_below("T000-42.relaxed", amplify_large_order(p, a, ball_mul(a, b)),
        amplify_large_order_relaxed(p, a, ball_mul(a, b)), inputs, 3);
    if (amplify_rate_is_small(p)) {
        ball best = amplify_analytic_best(p, b, a);
        ball other =
            amplify_analytic(p, b, a, ball_of(order + prop_scaled(r, -4, 3)));
        expect_below("T000-41", add, best, inputs, 3);
        expect_below("T000-41.omega", best, other, inputs, 3);
    }
    if (amplify_slope_applies(p, b) && ball_less(a, amplify_omega(p, b)))
        expect_below(
            "T000-38", add, ball_mul(amplify_slope(p, b), a), inputs, 3);
}

/* The sum at whole orders against the integral, and its neighbours. */
static void check_orders(prop_random *r)
{
    double rate = prop_scaled(r, -30, 0), sigma = prop_scaled(r, -2, 6);
    double order = 2 + prop_below(r, 30);
    const double inputs[] = {rate, sigma, order};
    ball p = ball_of(rate), mu = ball_div(ball_of(1), ball_of(sigma));
    ball a = ball_of(order);
    ball sum = sampled_gaussian_renyi(SAMPLED_MIXTURE_FIRST, p, mu, a);
    ball integral =
        ball_div(sampled_log_moment(p, mu, a, SAMPLED_MAX_NODES),
            ball_of(order - 1));
    expect_below("sum <= integral", sum, integral, inputs, 3);
    expect_below("integral <= sum", integral, sum, inputs, 3);
    ball above = sampled_gaussian_renyi(
        SAMPLED_MIXTURE_FIRST, p, mu, ball_of(order + 0.5));
    expect_below("grows with the order", sum, above, inputs, 3);
    above = sampled_gaussian_renyi(
        SAMPLED_MIXTURE_FIRST, ball_of(rate + (1 - rate) / 8), mu, a);
    expect_below("grows with the rate", sum, above, inputs, 3);
    above = sampled_gaussian_renyi(
        SAMPLED_MIXTURE_FIRST, p, ball_mul_d(mu, 1.01), a);
    expect_below("falls with sigma", sum, above, inputs, 3);
}

static void check_inverse(prop_random *r)
{
    double rate = prop_scaled(r, -40, 0), eps = prop_scaled(r, -40, 12);
    const double inputs[] = {rate, eps};
    ball p = ball_of(rate), e = ball_of(eps);
    ball there = amplify_epsilon(p, e);
    ball back = amplify_base_epsilon(p, there);
    expect_below("back >= eps", e, back, inputs, 2);
    expect_below("back <= eps", back, e, inputs, 2);
    if (!(back.rad <= 1e-14 * eps))
        expect_below("back is wide", ball_of(1), ball_of(0), inputs, 2);
    expect_below(
        "removal <= add", amplify_epsilon_base_first(p, e), there, inputs, 2);
    if (eps < 700)
        expect_below(
            "add <= simple", there, amplify_epsilon_simple(p, e), inputs, 2);
}

/* epsilon at the certified sigma is the target again. */
static void check_sigma(prop_random *r)
{
    static const double orders[] = {2, 3, 4, 5, 6, 8, 12, 16, 32, 64, 256};
    sampled_rounds s = {prop_scaled(r, -20, 0), 1 + prop_below(r, 100000), 1,
        orders, sizeof orders / sizeof *orders};
    double eps = prop_scaled(r, -3, 7), delta = prop_scaled(r, -80, -4);
    const double inputs[] = {s.rate, s.rounds, eps, delta};
    dosi_interval sigma, low, high, order;
    dosi_error err;
    dosi_status status = sampled_rounds_sigma(&sigma, &s, eps, delta, &err);
    if (status == DOSI_EDOMAIN)
        return;
    bool done = status == DOSI_OK &&
                sampled_rounds_epsilon(
                    &low, &order, &s, sigma.hi, delta, &err) == DOSI_OK &&
                sampled_rounds_epsilon(
                    &high, &order, &s, sigma.lo, delta, &err) == DOSI_OK;
    if (!done || !(low.hi <= eps && eps <= high.hi) ||
        !(sigma.hi - sigma.lo <= 1e-13 * sigma.hi))
        expect_below("sigma", ball_of(1), ball_of(0), inputs, 4);
}

int main(void)
{
    prop_random r = prop_start("prop_amplify");
    long n = prop_count(3000);
    for (long i = 0; i < n; i++) {
        for (int j = 0; j < 10; j++) {
            check_scalar(&r);
            check_pair(&r);
            check_inverse(&r);
        }
        check_bounds(&r);
        check_orders(&r);
        if (i % 10 == 0)
            check_sigma(&r);
    }
    printf("%ld rounds, %d failures\n", n, failures);
    return failures != 0;
}
