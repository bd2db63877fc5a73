/*
 * Factorials, binomial coefficients and binomial probabilities: Stirling's
 * series with its enveloping error, Loader's saddle-point form of the binomial
 * law, and tails as sums with a geometric remainder. Derivation:
 * docs/theory/finite.md.
 */
#include "binomial.h"

/* Greatest count: every integer up to here is a double. */
#define MAX_COUNT 0x1p53

static bool is_count(double n)
{
    return n >= 0 && n <= MAX_COUNT && floor(n) == n;
}

/* The error for n = 1..31 as hi + lo, off by less than 2^-110. Digits: mpmath
 * at 600 bits, loggamma(n + 1) - ((n + 1/2) log n - n + log(2 pi) / 2). */
static const struct {
    double hi;
    double lo;
} stirling_table[] = {
    {0x1.4c071bcda0a5bp-4, -0x1.a4a5e4800a20dp-59},
    {0x1.52a9b923ea649p-5, -0x1.b21c90eb2a503p-59},
    {0x1.c579a268d80b3p-6, 0x1.d35ce8484658ap-61},
    {0x1.54a2662fd78a9p-6, -0x1.2afe4e0f15a3ep-62},
    {0x1.10b4e513fcbedp-6, -0x1.200924ec75416p-60},
    {0x1.c6b167bebdf36p-7, -0x1.020e24fcbbc56p-61},
    {0x1.85d4d612e4a86p-7, 0x1.4ef6e53b8cb9bp-61},
    {0x1.552805e7b3076p-7, 0x1.5ca393046ab10p-62},
    {0x1.2f4871b12ab64p-7, 0x1.290a4d10b6846p-64},
    {0x1.10f9d4c0743a7p-7, 0x1.11c17ffd55d36p-61},
    {0x1.f0593088014f8p-8, 0x1.e347b338def62p-63},
    {0x1.c7018733aa9c6p-8, -0x1.ed6fbeade83f0p-65},
    {0x1.a40514700f36cp-8, -0x1.60cf53580c190p-64},
    {0x1.86076c002d4a7p-8, 0x1.1b4980f2fdfa8p-62},
    {0x1.6c08f6f194a10p-8, 0x1.780f37e4e8d55p-62},
    {0x1.5549f7dd113bcp-8, -0x1.b3c23841d039ap-69},
    {0x1.4137c74da35f2p-8, -0x1.14c6fe6548b98p-62},
    {0x1.2f604ff627d77p-8, 0x1.943d54813fa4ap-63},
    {0x1.1f697dd857d8ep-8, 0x1.dba333cf9b8bcp-64},
    {0x1.110b3ed261fb3p-8, 0x1.bf2603e0b2b58p-64},
    {0x1.040b3999e0e2ap-8, -0x1.1a4fd95a234eep-62},
    {0x1.f0735f77a883ap-9, 0x1.99f66165d10c8p-66},
    {0x1.dade5f5c049d4p-9, -0x1.1f0658d1cd67ap-64},
    {0x1.c715b494f1b23p-9, 0x1.78878037332f5p-63},
    {0x1.b4e224e78a104p-9, -0x1.a9858200df40ap-64},
    {0x1.a414f4a0d8468p-9, -0x1.71e1bacc853dcp-64},
    {0x1.948654042bccap-9, -0x1.c080b7ec0268ep-63},
    {0x1.861422f5d68c0p-9, 0x1.08b1a6497350cp-65},
    {0x1.78a0f61376d1dp-9, 0x1.4f6061cbfcbcfp-64},
    {0x1.6c134df6e3d33p-9, -0x1.6a704a0e415fep-67},
    {0x1.6054f550b26c0p-9, -0x1.2a558c82620dbp-63},
};

/* B_2j / (2j (2j - 1)), j = 1..14, as exact fractions. */
static const struct {
    double numerator;
    double denominator;
} stirling_series[] = {
    {1, 12},
    {-1, 360},
    {1, 1260},
    {-1, 1680},
    {1, 1188},
    {-691, 360360},
    {1, 156},
    {-3617, 122400},
    {43867, 244188},
    {-174611, 125400},
    {77683, 5796},
    {-236364091, 1506960},
    {657931, 300},
    {-3392780147, 93960},
};

#define SERIES_LENGTH (sizeof stirling_series / sizeof stirling_series[0])

ball ball_stirling_error(double n)
{
    if (!(is_count(n) && n >= 1))
        return ball_unknown();
    if (n < 32) {
        size_t i = (size_t)n - 1;
        return (ball){stirling_table[i].hi, stirling_table[i].lo, 0x1p-108};
    }
    /* For n > 0 the series envelops: the remainder has the sign of the first
     * omitted term and is smaller. Negligible terms are left out. */
    double square = 1 / (n * n), power = 1 / n;
    size_t used = 0;
    double rest = 0;
    for (; used < SERIES_LENGTH; used++) {
        rest = fabs(stirling_series[used].numerator) /
               stirling_series[used].denominator * power;
        if (used > 0 && rest < 0x1p-112)
            break;
        power *= square;
    }
    if (used == SERIES_LENGTH)
        used--; /* the last term is the bound: below 2^-110 for n >= 32 */
    ball inverse_square =
        ball_div(ball_of(1), ball_mul(ball_of(n), ball_of(n)));
    ball sum = ball_of(0);
    for (size_t j = used; j-- > 0;) {
        ball c = ball_div(ball_of(stirling_series[j].numerator),
            ball_of(stirling_series[j].denominator));
        sum = ball_add(ball_mul(sum, inverse_square), c);
    }
    return ball_widen(ball_div_d(sum, n), rest * (1 + 0x1p-40));
}

ball ball_log_factorial(double n)
{
    if (!is_count(n))
        return ball_unknown();
    if (n < 2)
        return ball_of(0);
    if (n <= 22) { /* n! < 2^71 is 2^19 times a double: exact products */
        double product = 1;
        for (int i = 2; i <= (int)n; i++)
            product *= i;
        return ball_log(ball_of(product));
    }
    ball main = ball_mul(ball_add_d(ball_of(n), 0.5), ball_log(ball_of(n)));
    main = ball_add(ball_sub_d(main, n), ball_scale2(ball_log_2pi(), -1));
    return ball_add(main, ball_stirling_error(n));
}

/* stirling(n) - stirling(k) - stirling(n-k) + log(n / (2 pi k (n-k))) / 2 for 0
 * < k < n: the part of log C(n, k) that is not the entropy. */
static ball binomial_prefactor(double n, double k)
{
    ball s = ball_stirling_error(n);
    s = ball_sub(s, ball_stirling_error(k));
    s = ball_sub(s, ball_stirling_error(n - k));
    ball ratio = ball_div(ball_div(ball_of(n), ball_of(k)), ball_of(n - k));
    ball logs = ball_sub(ball_log(ratio), ball_log_2pi());
    return ball_add(s, ball_scale2(logs, -1));
}

ball ball_log_binomial(double n, double k)
{
    if (!(is_count(n) && is_count(k) && k <= n))
        return ball_unknown();
    if (n - k < k)
        k = n - k;
    if (k == 0)
        return ball_of(0);
    if (k == 1)
        return ball_log(ball_of(n));
    /* -k log(k/n) - (n-k) log(1 - k/n): both terms are positive */
    ball x = ball_div(ball_of(k), ball_of(n));
    ball entropy = ball_add(ball_mul_d(ball_log(x), -k),
        ball_mul_d(ball_log1p(ball_neg(x)), -(n - k)));
    return ball_add(entropy, binomial_prefactor(n, k));
}

/*
 * The deviance k log(k/m) - d with d = k - m, m = n p > 0, k > 0; d is given
 * because it may be known better than by subtraction.
 *
 * Near m, with v = d / (k + m): 2 k atanh(v) - d = d v + 2 k sum_{j>=1}
 * v^(2j+1) / (2j+1), so that only squares of the deviation enter.
 */
static ball deviance(double n, double k, ball p, ball log_p, ball d)
{
    ball m = ball_mul_d(p, n);
    ball v = ball_div(d, ball_add_d(m, k));
    if (!(fabs(v.hi) < 0.1 && v.rad < 0.01)) {
        ball log_ratio =
            ball_sub(ball_log(ball_div(ball_of(k), ball_of(n))), log_p);
        return ball_sub(ball_mul_d(log_ratio, k), d);
    }
    ball w = ball_sqr(v);
    double most = fabs(v.hi) + v.rad; /* |v| <= most < 0.11, up to rounding */
    double square = most * most * (1 + 0x1p-40);
    /* the series over v^3: sum_{j>=1} w^(j-1) / (2j+1), whose remainder after j
     * = terms is at most w^terms / ((2 terms + 3) (1 - w)), w < 0.0122 */
    int terms = 1;
    double power = square;
    for (; power > 0x1p-106 && terms < 17; terms++)
        power *= square;
    ball sum = ball_of(0);
    for (int j = terms; j >= 1; j--)
        sum = ball_add(
            ball_mul(sum, w), ball_div(ball_of(1), ball_of(2.0 * j + 1)));
    sum = ball_widen(sum, 1.1 * power / (2 * terms + 3));
    ball cube = ball_mul(ball_mul(v, w), sum);
    return ball_add(ball_mul(d, v), ball_mul_d(cube, 2 * k));
}

ball ball_binomial_log_pmf(
    double n, double k, ball log_p, ball log_q, ball p, ball q)
{
    if (!(is_count(n) && is_count(k) && k <= n))
        return ball_unknown();
    if (n == 0)
        return ball_of(0);
    if (k == 0)
        return ball_mul_d(log_q, n);
    if (k == n)
        return ball_mul_d(log_p, n);
    if ((isinf(log_p.hi) && log_p.hi < 0) || (isinf(log_q.hi) && log_q.hi < 0))
        return ball_of(-HUGE_VAL);
    /* d = k - n p = n q - (n - k), from the smaller product */
    ball d = ball_mid(p) <= ball_mid(q)
                 ? ball_sub(ball_of(k), ball_mul_d(p, n))
                 : ball_sub(ball_mul_d(q, n), ball_of(n - k));
    ball s = binomial_prefactor(n, k);
    s = ball_sub(s, deviance(n, k, p, log_p, d));
    return ball_sub(s, deviance(n, n - k, q, log_q, ball_neg(d)));
}

ball_coin ball_coin_of_log_odds(ball x)
{
    if (x.hi < 0)
        return ball_coin_swap(ball_coin_of_log_odds(ball_neg(x)));
    ball e = ball_exp(ball_neg(x));
    ball total = ball_add_d(e, 1);
    ball_coin c = {.p = ball_div(ball_of(1), total), .q = ball_div(e, total)};
    c.log_p = ball_neg(ball_log1p(e));
    c.log_q = ball_sub(c.log_p, x);
    c.odds = ball_div(ball_of(1), e);
    c.inverse_odds = e;
    return c;
}

ball_coin ball_coin_swap(ball_coin c)
{
    return (ball_coin){c.q, c.p, c.log_q, c.log_p, c.inverse_odds, c.odds};
}

double ball_binomial_tail_length_approx(double n, double l, double p)
{
    /* Gaussian approximation: t deviations out, terms fall by e^-74 after m
     * with t m + m^2 / 2 = 74; from inside, both sides count */
    double mean = n * p, deviation = sqrt(n * p * (1 - p));
    double t = deviation > 0 ? (l - mean) / deviation : 0;
    double outward =
        deviation * (sqrt(fmax(t, 0) * fmax(t, 0) + 148) - fmax(t, 0));
    double inward = deviation * fmin(fmax(-t, 0), 12.2);
    return fmin(outward, n - fmax(l, mean)) + inward;
}

/*
 * Sum of pmf(j) / pmf(start) over j = start..end, upward, or downward if end <
 * start; unknown if it needs more than *budget terms, which is used up.
 *
 * The ratio of neighbours, (n-j)/(j+1) odds upward and j/(n-j+1) / odds
 * downward, falls along the way. Once it is at most r < 1, the remainder is at
 * most w r / (1 - r), which is charged to the radius.
 */
static ball sum_of_ratios(double n, double start, double end, ball odds,
    size_t *budget)
{
    bool up = end > start;
    ball w = ball_of(1), sum = ball_of(1);
    double most = ball_upper(odds) * (1 + 0x1p-40);
    double j = start;
    while (j != end) {
        double a = up ? n - j : j, b = up ? j + 1 : n - j + 1;
        double r = a / b * most;
        double rest = r < 1 ? 1.01 * (w.hi + w.rad) * r / (1 - r) : HUGE_VAL;
        if (rest < 0x1p-106 * sum.hi)
            return ball_widen(sum, rest + BALL_TINY);
        if (*budget == 0 || ball_is_unknown(w))
            return ball_unknown();
        (*budget)--;
        w = ball_div_d(ball_mul(ball_mul_d(w, a), odds), b);
        sum = ball_add(sum, w);
        j += up ? 1 : -1;
    }
    return sum;
}

ball ball_binomial_log_tail(
    double n, double l, const ball_coin *coin, size_t max_terms)
{
    if (!(is_count(n) && floor(l) == l))
        return ball_unknown();
    if (l <= 0)
        return ball_of(0);
    if (l > n)
        return ball_of(-HUGE_VAL);
    double length = ball_binomial_tail_length_approx(n, l, ball_mid(coin->p));
    if (length > 1.25 * (double)max_terms + 100) /* decline before trying */
        return ball_unknown();
    /* start at the greatest term; any start is valid, this one needs the fewest
     * terms */
    double mode = fmin(n, floor((n + 1) * ball_mid(coin->p)));
    double start = fmax(l, mode);
    ball sum = sum_of_ratios(n, start, n, coin->odds, &max_terms);
    if (start > l) {
        ball below = sum_of_ratios(n, start, l, coin->inverse_odds, &max_terms);
        sum = ball_add(sum, ball_sub_d(below, 1));
    }
    ball log_pmf = ball_binomial_log_pmf(
        n, start, coin->log_p, coin->log_q, coin->p, coin->q);
    ball tail = ball_add(log_pmf, ball_log(sum));
    /* a probability: its logarithm is at most 0 */
    return ball_clamp(tail, -HUGE_VAL, 0);
}
