/*
 * Factorials, binomial coefficients and binomial probabilities as balls, by the
 * saddle-point form of Loader: no large terms cancel, so that the logarithm of
 * a probability keeps its digits for n up to 2^53. Derivation:
 * docs/theory/finite.md.
 *
 * Counts are doubles holding integers, 0 <= k <= n <= 2^53; anything else gives
 * unknown.
 */
#ifndef DOSI_SPECIAL_BINOMIAL_H
#define DOSI_SPECIAL_BINOMIAL_H

#include <stddef.h>

#include "num/ball.h"

/* Encloses log n! - ((n + 1/2) log n - n + log(2 pi) / 2) for n >= 1. */
ball ball_stirling_error(double n);

/* Encloses log n!. */
ball ball_log_factorial(double n);

/* Encloses log(n! / (k! (n - k)!)). */
ball ball_log_binomial(double n, double k);

/*
 * Encloses log(C(n, k) p^k q^(n - k)) for p + q = 1, each given with its
 * logarithm.
 *
 * width     radius of about 1e-29 (1 + |k - n p|), plus k and n - k times the
 *           radii of the logarithms in the outer tails
 * source    [Loa00]; docs/theory/finite.md
 */
ball ball_binomial_log_pmf(
    double n, double k, ball log_p, ball log_q, ball p, ball q);

/* A coin: p + q = 1, with the quantities that would lose digits if derived. */
typedef struct ball_coin {
    ball p;
    ball q;
    ball log_p;
    ball log_q;
    ball odds;         /* p / q; may be unknown if it overflows */
    ball inverse_odds; /* q / p; may be unknown if it overflows */
} ball_coin;

/* The coin with p = 1 / (1 + e^-x), q = 1 / (1 + e^x). */
ball_coin ball_coin_of_log_odds(ball x);

/* The coin with its sides exchanged. */
ball_coin ball_coin_swap(ball_coin c);

/*
 * Encloses log P[X >= l] for X binomial(n, p) and any integer l: -inf above n.
 *
 * width     radius of about that of the log pmf plus 1e-29 a term
 * cost      O(sqrt n) terms; unknown if more than max_terms are needed
 */
ball ball_binomial_log_tail(
    double n, double l, const ball_coin *coin, size_t max_terms);

/* Estimates the number of terms of such a sum; no guarantee. */
double ball_binomial_tail_length_approx(double n, double l, double p);

#endif
