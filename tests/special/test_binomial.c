/*
 * Stirling's error, binomial coefficients, probabilities and tails against
 * Arb's gamma and incomplete beta functions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/finite_pair.h"
#include "special/binomial.h"

static void exact_log_factorial(arb_t y, double n)
{
    arb_set_d(y, n);
    arb_add_ui(y, y, 1, PAIR_BITS);
    arb_lgamma(y, y, PAIR_BITS);
}

/* (n + 1/2) log n - n + log(2 pi) / 2 */
static void exact_stirling(arb_t y, double n)
{
    arb_t t;
    arb_init(t);
    arb_set_d(y, n);
    arb_log(y, y, PAIR_BITS);
    arb_set_d(t, n);
    arb_mul_2exp_si(t, t, 1);
    arb_add_ui(t, t, 1, PAIR_BITS);
    arb_mul_2exp_si(t, t, -1);
    arb_mul(y, y, t, PAIR_BITS);
    arb_set_d(t, n);
    arb_sub(y, y, t, PAIR_BITS);
    arb_const_pi(t, PAIR_BITS);
    arb_mul_2exp_si(t, t, 1);
    arb_log(t, t, PAIR_BITS);
    arb_mul_2exp_si(t, t, -1);
    arb_add(y, y, t, PAIR_BITS);
    arb_clear(t);
}

static void test_stirling_error(void **state)
{
    (void)state;
    arb_t exact, t;
    arb_init(exact);
    arb_init(t);
    for (double n = 1; n <= 0x1p53; n = n < 200 ? n + 1 : floor(n * 1.9)) {
        exact_log_factorial(exact, n);
        exact_stirling(t, n);
        arb_sub(exact, exact, t, PAIR_BITS);
        ball s = ball_stirling_error(n);
        assert_true(pair_in_ball(s, exact));
        assert_true(s.rad < 1e-31);
    }
    arb_clear(exact);
    arb_clear(t);
}

static void test_log_factorial(void **state)
{
    (void)state;
    arb_t exact;
    arb_init(exact);
    for (double n = 2; n <= 0x1p53; n = n < 100 ? n + 1 : floor(n * 2.3)) {
        exact_log_factorial(exact, n);
        ball s = ball_log_factorial(n);
        assert_true(pair_in_ball(s, exact));
        assert_true(pair_relative_radius(s) < 1e-28);
    }
    exact_log_factorial(exact, 0x1p53);
    assert_true(pair_in_ball(ball_log_factorial(0x1p53), exact));
    assert_true(ball_is_zero(ball_log_factorial(0)));
    assert_true(ball_is_zero(ball_log_factorial(1)));
    arb_clear(exact);
}

static void exact_log_binomial(arb_t y, double n, double k)
{
    arb_t t;
    arb_init(t);
    exact_log_factorial(y, n);
    exact_log_factorial(t, k);
    arb_sub(y, y, t, PAIR_BITS);
    exact_log_factorial(t, n - k);
    arb_sub(y, y, t, PAIR_BITS);
    arb_clear(t);
}

static void test_log_binomial(void **state)
{
    (void)state;
    arb_t exact;
    arb_init(exact);
    const double n[] = {1, 2, 5, 31, 32, 33, 64, 1000, 1e6, 1e12, 0x1p53};
    for (size_t i = 0; i < sizeof n / sizeof *n; i++)
        for (double k = 0; k <= n[i]; k += fmax(1, floor(n[i] / 7))) {
            exact_log_binomial(exact, n[i], k);
            ball s = ball_log_binomial(n[i], k);
            assert_true(pair_in_ball(s, exact));
            assert_true(s.rad <= 1e-27 * (1 + fabs(s.hi)));
        }
    assert_true(ball_is_zero(ball_log_binomial(7, 7)));
    arb_clear(exact);
}

/* log p^k q^(n-k) with log p = -log(1 + e^-x) */
static void exact_log_pmf(arb_t y, double n, double k, double x)
{
    arb_t t, u;
    arb_init(t);
    arb_init(u);
    exact_log_binomial(y, n, k);
    arb_set_d(t, -x);
    arb_exp(t, t, PAIR_BITS);
    arb_log1p(t, t, PAIR_BITS);
    arb_set_d(u, n);
    arb_mul(t, t, u, PAIR_BITS);
    arb_sub(y, y, t, PAIR_BITS);
    arb_set_d(t, n);
    arb_set_d(u, k);
    arb_sub(t, t, u, PAIR_BITS);
    arb_set_d(u, x);
    arb_mul(t, t, u, PAIR_BITS);
    arb_sub(y, y, t, PAIR_BITS);
    arb_clear(t);
    arb_clear(u);
}

static void test_log_pmf(void **state)
{
    (void)state;
    arb_t exact;
    arb_init(exact);
    const double n[] = {1, 2, 30, 1000, 1e6, 1e9, 0x1p53};
    const double x[] = {0, 1e-9, 0.001, 1, -3, 30, 800};
    for (size_t i = 0; i < sizeof n / sizeof *n; i++)
        for (size_t j = 0; j < sizeof x / sizeof *x; j++) {
            ball_coin c = ball_coin_of_log_odds(ball_of(x[j]));
            double mean = floor(n[i] * ball_mid(c.p));
            double spread = ceil(sqrt(n[i] * ball_mid(c.p) * ball_mid(c.q)));
            const double k[] = {0, 1, mean, mean + 3 * spread, n[i] - 1, n[i],
                floor(n[i] / 3), floor(mean * 0.99)};
            for (size_t l = 0; l < sizeof k / sizeof *k; l++) {
                if (!(k[l] >= 0 && k[l] <= n[i]))
                    continue;
                exact_log_pmf(exact, n[i], k[l], x[j]);
                ball s = ball_binomial_log_pmf(
                    n[i], k[l], c.log_p, c.log_q, c.p, c.q);
                double away = fabs(k[l] - n[i] * ball_mid(c.p));
                assert_true(pair_in_ball(s, exact));
                assert_true(s.rad <= 2e-27 * (1 + fabs(x[j])) * (1 + away));
                if (n[i] <= 1e6 && l != 0 && l != 5)
                    assert_true(s.rad <= 1e-24 * (1 + fabs(s.hi)));
            }
        }
    arb_clear(exact);
}

/* I_p(l, n - l + 1) */
static void exact_log_tail(arb_t y, double n, double l, double x)
{
    arb_t a, b, p;
    arb_init(a);
    arb_init(b);
    arb_init(p);
    arb_set_d(a, l);
    arb_set_d(b, n - l + 1);
    arb_set_d(p, -x);
    arb_exp(p, p, 2 * PAIR_BITS);
    arb_add_ui(p, p, 1, 2 * PAIR_BITS);
    arb_inv(p, p, 2 * PAIR_BITS);
    arb_hypgeom_beta_lower(y, a, b, p, 1, 2 * PAIR_BITS);
    arb_log(y, y, PAIR_BITS);
    arb_clear(a);
    arb_clear(b);
    arb_clear(p);
}

static void test_log_tail(void **state)
{
    (void)state;
    arb_t exact;
    arb_init(exact);
    const double n[] = {1, 2, 10, 100, 2000};
    const double x[] = {0, 0.01, 0.3, -0.3, 2};
    for (size_t i = 0; i < sizeof n / sizeof *n; i++)
        for (size_t j = 0; j < sizeof x / sizeof *x; j++) {
            ball_coin c = ball_coin_of_log_odds(ball_of(x[j]));
            for (double l = 1; l <= n[i]; l += fmax(1, floor(n[i] / 11))) {
                exact_log_tail(exact, n[i], l, x[j]);
                ball s = ball_binomial_log_tail(n[i], l, &c, 1 << 20);
                assert_true(pair_in_ball(s, exact));
                assert_true(s.rad < 1e-25);
            }
        }
    arb_clear(exact);
}

static void test_tail_edges(void **state)
{
    (void)state;
    ball_coin c = ball_coin_of_log_odds(ball_of(0.5));
    assert_true(ball_is_zero(ball_binomial_log_tail(10, 0, &c, 100)));
    assert_true(ball_is_zero(ball_binomial_log_tail(10, -3, &c, 100)));
    assert_true(ball_binomial_log_tail(10, 11, &c, 100).hi == -HUGE_VAL);
    /* too long a sum is refused, not begun */
    assert_true(
        ball_is_unknown(ball_binomial_log_tail(0x1p53, 0x1p52, &c, 1000)));
    assert_true(ball_is_unknown(ball_binomial_log_tail(1e6, 5e5, &c, 50)));
    assert_true(ball_is_unknown(ball_binomial_log_tail(2.5, 1, &c, 50)));
}

static void test_domain(void **state)
{
    (void)state;
    ball_coin c = ball_coin_of_log_odds(ball_of(1));
    assert_true(ball_is_unknown(ball_stirling_error(0)));
    assert_true(ball_is_unknown(ball_stirling_error(1.5)));
    assert_true(ball_is_unknown(ball_log_factorial(-1)));
    assert_true(ball_is_unknown(ball_log_factorial(0x1p54)));
    assert_true(ball_is_unknown(ball_log_factorial(NAN)));
    assert_true(ball_is_unknown(ball_log_binomial(3, 4)));
    assert_true(ball_is_unknown(ball_log_binomial(3, 0.5)));
    assert_true(ball_is_unknown(
        ball_binomial_log_pmf(3, 4, c.log_p, c.log_q, c.p, c.q)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stirling_error),
        cmocka_unit_test(test_log_factorial),
        cmocka_unit_test(test_log_binomial),
        cmocka_unit_test(test_log_pmf),
        cmocka_unit_test(test_log_tail),
        cmocka_unit_test(test_tail_edges),
        cmocka_unit_test(test_domain),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
