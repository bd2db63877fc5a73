/*
 * Exact bounds on a probability from k hits in n trials (Clopper and Pearson
 * 1934), each wrong with probability at most alpha: the tails of the binomial
 * law are enclosed by balls, so no approximation enters.
 */
#ifndef DOSI_TESTS_SUPPORT_BINOMIAL_BOUNDS_H
#define DOSI_TESTS_SUPPORT_BINOMIAL_BOUNDS_H

#include "special/binomial.h"

/* The lower bound: P[X >= k] <= alpha for certain if p were that small. */
static inline double binomial_lower(long k, long n, double alpha)
{
    double low = -60, high = 60, log_alpha = log(alpha); /* of log p/(1 - p) */
    if (k == 0)
        return 0;
    for (int i = 0; i < 50; i++) {
        double middle = (low + high) / 2;
        ball_coin coin = ball_coin_of_log_odds(ball_of(middle));
        ball tail = ball_binomial_log_tail(
            (double)n, (double)k, &coin, (size_t)1 << 20);
        if (ball_interval(tail).hi <= log_alpha)
            low = middle;
        else
            high = middle;
    }
    return ball_interval(ball_coin_of_log_odds(ball_of(low)).p).lo;
}

static inline double binomial_upper(long k, long n, double alpha)
{
    return 1 - binomial_lower(n - k, n, alpha);
}

#endif
