/*
 * Binomial logarithms against Arb on random counts up to 2^53 and coins from
 * even to certain: the exact value is inside, the radius small; and Pascal's
 * rule, whatever the counts.
 */
#include "support/finite_pair.h"
#include "special/binomial.h"
#include "support/random.h"

static int failures;

static void check(bool right, const char *what, double n, double k, double x)
{
    if (right)
        return;
    printf("%s fails at n=%.17g k=%.17g x=%.17g\n", what, n, k, x);
    failures++;
}

static void exact_log_factorial(arb_t y, double n)
{
    arb_set_d(y, n);
    arb_add_ui(y, y, 1, PAIR_BITS);
    arb_lgamma(y, y, PAIR_BITS);
}

/* log C(n, k) - n log(1 + e^-x) - (n - k) x */
static void exact_log_pmf(arb_t y, double n, double k, double x)
{
    arb_t t, u;
    arb_init(t);
    arb_init(u);
    exact_log_factorial(y, n);
    exact_log_factorial(t, k);
    arb_sub(y, y, t, PAIR_BITS);
    exact_log_factorial(t, n - k);
    arb_sub(y, y, t, PAIR_BITS);
    arb_set_d(t, -x);
    arb_exp(t, t, PAIR_BITS);
    arb_log1p(t, t, PAIR_BITS);
    arb_set_d(u, n);
    arb_submul(y, t, u, PAIR_BITS);
    arb_set_d(t, n - k);
    arb_set_d(u, x);
    arb_submul(y, t, u, PAIR_BITS);
    arb_clear(t);
    arb_clear(u);
}

static double random_count(prop_random *r)
{
    double n = floor(prop_scaled(r, 0, 53));
    return prop_below(r, 3) == 0 ? (double)prop_below(r, 100) : n;
}

/* Near the mean, near an end, or anywhere. */
static double random_part(prop_random *r, double n, double p)
{
    double k = floor(prop_uniform(r, 0, n + 1));
    if (prop_below(r, 2) == 0)
        k = floor(n * p + prop_uniform(r, -8, 8) * sqrt(n * p * (1 - p)));
    if (prop_below(r, 4) == 0)
        k = (double)prop_below(r, 40);
    if (prop_below(r, 4) == 0)
        k = n - k;
    return fmin(fmax(k, 0), n);
}

static void check_pmf(prop_random *r, arb_t exact)
{
    double n = random_count(r);
    double x = prop_sign(r, prop_scaled(r, -60, 10));
    ball_coin c = ball_coin_of_log_odds(ball_of(x));
    double k = random_part(r, n, ball_mid(c.p));
    exact_log_pmf(exact, n, k, x);
    ball s = ball_binomial_log_pmf(n, k, c.log_p, c.log_q, c.p, c.q);
    check(pair_in_ball(s, exact), "pmf", n, k, x);
    double away = fabs(k - n * ball_mid(c.p));
    double most = 2e-28 * (1 + away) * (1 + fabs(x));
    check(s.rad <= most + 1e-27 * fabs(s.hi), "pmf width", n, k, x);
}

/* C(n+1, k+1) = C(n, k) + C(n, k+1), in logarithms. */
static void check_pascal(prop_random *r)
{
    double n = fmax(2, random_count(r)) - 1;
    double k = fmin(random_part(r, n, 0.5), n - 1);
    ball left = ball_log_binomial(n + 1, k + 1);
    ball right =
        ball_logaddexp(ball_log_binomial(n, k), ball_log_binomial(n, k + 1));
    check(!ball_less(left, right) && !ball_less(right, left), "Pascal's rule",
        n, k, 0);
    check(left.rad <= 1e-26 * (1 + left.hi), "width", n, k, 0);
}

/* P[X >= l] falls with l by its mass. */
static void check_tail(prop_random *r)
{
    double n = floor(prop_scaled(r, 0, 16));
    double x = prop_sign(r, prop_scaled(r, -30, 6));
    ball_coin c = ball_coin_of_log_odds(ball_of(x));
    double l = random_part(r, n, ball_mid(c.p));
    ball here = ball_binomial_log_tail(n, l, &c, 1 << 20);
    ball next = ball_binomial_log_tail(n, l + 1, &c, 1 << 20);
    ball mass = ball_binomial_log_pmf(n, l, c.log_p, c.log_q, c.p, c.q);
    ball sum = ball_logaddexp(next, mass);
    check(!ball_less(here, sum) && !ball_less(sum, here), "tail", n, l, x);
    /* the other tail belongs to the coin's other side */
    ball_coin other = ball_coin_swap(c);
    ball below = ball_binomial_log_tail(n, n - l + 1, &other, 1 << 20);
    ball one = ball_logaddexp(here, below);
    check(iv_contains(ball_interval(one), 0), "both tails", n, l, x);
    check(here.rad <= 1e-22, "tail width", n, l, x);
}

int main(void)
{
    prop_random r = prop_start("prop_binomial");
    arb_t exact;
    arb_init(exact);
    for (long i = 0; i < prop_count(3000); i++)
        check_pmf(&r, exact);
    for (long i = 0; i < prop_count(5000); i++)
        check_pascal(&r);
    for (long i = 0; i < prop_count(2000); i++)
        check_tail(&r);
    arb_clear(exact);
    flint_cleanup();
    return failures > 0;
}
