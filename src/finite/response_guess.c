/*
 * Guesses for the inverse queries of response_composition.h in plain doubles:
 * Newton's method on the logarithms of the profile and of binomial tails.
 * response_inverse.c certifies the results.
 */
#include "response_guess.h"

#include "special/binomial.h"

#include <stdbool.h>

/* A coin in doubles; odds = p / q. */
typedef struct coin {
    double p;
    double q;
    double log_p;
    double log_q;
    double odds;
} coin;

static coin coin_of_log_odds(double x)
{
    double e = exp(-x); /* x >= 0 */
    coin c = {1 / (1 + e), e / (1 + e), -log1p(e), -x - log1p(e), exp(x)};
    return c;
}

static coin coin_swap(coin c)
{
    return (coin){c.q, c.p, c.log_q, c.log_p, 1 / c.odds};
}

static double stirling_approx(double n)
{
    double s = 1 / (n * n);
    return (1.0 / 12 - (1.0 / 360 - s / 1260) * s) / n;
}

/* k log(k / (n p)) - d, d = k - n p */
static double deviance_approx(
    double n, double k, double p, double log_p, double d)
{
    double v = d / (k + n * p);
    if (fabs(v) < 0.1)
        return d * v + 2 * k * (atanh(v) - v);
    return k * (log(k / n) - log_p) - d;
}

static double log_pmf_approx(double n, double k, const coin *c)
{
    if (k <= 0)
        return n == 0 ? 0 : n * c->log_q;
    if (k >= n)
        return n * c->log_p;
    double d = c->p <= c->q ? k - n * c->p : n * c->q - (n - k);
    double s = stirling_approx(n) - stirling_approx(k) -
               stirling_approx(n - k) +
               0.5 * log(n / k / (n - k) / 6.283185307179586);
    return s - deviance_approx(n, k, c->p, c->log_p, d) -
           deviance_approx(n, n - k, c->q, c->log_q, -d);
}

/* log P[X >= l] and the share of its first atom. */
static double log_tail_approx(
    double n, double l, const coin *c, size_t max_terms, double *hazard)
{
    double mode = fmin(n, floor((n + 1) * c->p));
    double start = fmax(l, mode), w = 1, sum = 1;
    for (double j = start; j < n && max_terms > 0; j++, max_terms--) {
        w *= (n - j) / (j + 1) * c->odds;
        sum += w;
        if (w < 1e-12 * sum)
            break;
    }
    w = 1;
    for (double j = start; j > l && max_terms > 0; j--, max_terms--) {
        w *= j / ((n - j + 1) * c->odds);
        sum += w;
        if (w < 1e-12 * sum) {
            w = 0;
            break;
        }
    }
    *hazard = w / sum;
    return log_pmf_approx(n, start, c) + log(sum);
}

/* log core(eps), and its derivative. */
static double log_core_approx(double k, double eps0, const coin *c, double eps,
    double first, size_t max_terms, double *slope)
{
    double mode = fmin(k, floor((k + 1) * c->p));
    double start = fmax(first, mode), w = 1;
    double m = expm1(eps - (2 * start - k) * eps0);
    double core = -m, tail = 1;
    double r = exp(-2 * eps0), r_minus_1 = expm1(-2 * eps0);
    for (double j = start; j < k && max_terms > 0; j++, max_terms--) {
        w *= (k - j) / (j + 1) * c->odds;
        m = m * r + r_minus_1;
        core -= w * m;
        tail += w;
        if (w < 1e-12 * core)
            break;
    }
    w = 1;
    for (double j = start; j > first && max_terms > 0; j--, max_terms--) {
        w *= j / ((k - j + 1) * c->odds);
        core -= w * expm1(eps - (2 * (j - 1) - k) * eps0);
        tail += w;
        if (w < 1e-12 * core)
            break;
    }
    *slope = (core - tail) / core; /* e^eps B = A - core */
    return log_pmf_approx(k, start, c) + log(core);
}

double response_guess_epsilon(
    double k, double eps0, double log_tau, size_t max_terms)
{
    coin c = coin_of_log_odds(eps0);
    double half = eps0 / 2, sd = sqrt(k) * eps0 / cosh(fmin(half, 300));
    double low = 0, high = k * eps0;
    double x = k * eps0 * tanh(half) + sd * sqrt(-2 * log_tau);
    double length =
        ball_binomial_tail_length_approx(k, (x / eps0 + k) / 2, c.p);
    if (length > 1.5 * (double)max_terms + 100)
        return NAN;
    for (int i = 0; i < 100; i++) {
        if (!(x > low && x < high))
            x = low + (high - low) / 2;
        double cell = fmin(k, floor((x / eps0 + k) / 2) + 1);
        double slope = 0;
        double f =
            log_core_approx(k, eps0, &c, x, cell, max_terms, &slope) - log_tau;
        if (f > 0)
            low = x;
        else
            high = x;
        double low_cell = floor((low / eps0 + k) / 2) + 1;
        double high_cell = fmin(k, floor((high / eps0 + k) / 2) + 1);
        if (low_cell >= high_cell || fabs(f) < 1e-9)
            return cell;
        double next = x - f / slope;
        double next_cell = floor((next / eps0 + k) / 2) + 1;
        if (fabs(f) < 1e-3 && next_cell == cell && next > low && next < high)
            return cell;
        x = next;
    }
    return fmin(k, floor((x / eps0 + k) / 2) + 1);
}

/* Guesses the last l with P[X >= l] >= level. */
static double guess_tail_index(
    double n, const coin *c, double log_level, size_t max_terms)
{
    double low = 0, high = n + 1; /* the tails there are 1 and 0 */
    double x = n * c->p + sqrt(n * c->p * c->q * -2 * log_level);
    double length = ball_binomial_tail_length_approx(n, x, c->p);
    if (length > 1.5 * (double)max_terms + 100)
        return NAN;
    for (int i = 0; i < 200 && high - low > 1.5; i++) {
        double l = floor(x);
        if (!(l > low && l < high)) {
            /* a guess next to a bound is tried there first */
            bool near_low = l >= low - 1 && l <= low;
            bool near_high = l >= high && l <= high + 1;
            l = near_low    ? low + 1
                : near_high ? high - 1
                            : floor(low + (high - low) / 2);
        }
        double hazard = 0;
        double f = log_tail_approx(n, l, c, max_terms, &hazard) - log_level;
        if (f >= 0)
            low = l;
        else
            high = l;
        x = hazard > 0 ? l + f / hazard : low + (high - low) / 2;
    }
    return low;
}

double response_guess_level(
    double k, double eps0, double log_a, double log_rest, size_t max_terms)
{
    coin c = coin_of_log_odds(eps0), under_q = coin_swap(c);
    if (log_a < log_rest)
        return guess_tail_index(k, &under_q, log_a, max_terms);
    /* P[Y <= l - 1] = P[X >= k - l + 1] */
    return k - guess_tail_index(k, &c, log_rest, max_terms);
}
