/*
 * Laws of private choices, and of the coins of Poisson samples: sums of
 * positive terms. Derivation: docs/theory/release_laws.md, section 4.
 */
#include "choice_law.h"

#include <stdlib.h>
#include <string.h>

static ball weight_of(ball rate, double distance)
{
    return ball_exp(ball_neg(ball_mul_d(rate, distance)));
}

ball choice_exponential(const double *distance, size_t n, ball rate, size_t i)
{
    ball total = ball_of(0);
    for (size_t j = 0; j < n; j++)
        total = ball_add(total, weight_of(rate, distance[j]));
    return ball_clamp(ball_div(weight_of(rate, distance[i]), total), 0, 1);
}

/*
 * In uniformly random order, i comes at a uniform time t, and each other
 * candidate that accepts comes later with probability s = 1 - t, so that
 *
 *     P(i) = p_i * integral over s in [0, 1] of
 *            product over j != i of ((1 - p_j) + p_j s).
 *
 * The product is sum over m of P[B = m] s^m: no term is negative, and the
 * integral is sum over m of P[B = m] / (m + 1).
 */
dosi_status choice_permute_and_flip(ball *out, const double *distance,
    size_t n, ball rate, size_t i, dosi_error *err)
{
    *out = ball_unknown();
    ball *mass = malloc((n + 1) * sizeof *mass); /* P[B = m], m <= heads */
    if (mass == NULL)
        return dosi_fail_memory(err);
    size_t coins = 0;
    mass[0] = ball_of(1);
    for (size_t j = 0; j < n; j++) {
        if (j == i)
            continue;
        ball heads = weight_of(rate, distance[j]);
        ball tails = ball_neg(
            ball_expm1(ball_neg(ball_mul_d(rate, distance[j]))));
        mass[coins + 1] = ball_mul(mass[coins], heads);
        for (size_t m = coins; m > 0; m--)
            mass[m] = ball_add(
                ball_mul(mass[m], tails), ball_mul(mass[m - 1], heads));
        mass[0] = ball_mul(mass[0], tails);
        coins++;
    }
    ball mean = ball_of(0);
    for (size_t m = 0; m <= coins; m++)
        mean = ball_add(mean, ball_div_d(mass[m], (double)m + 1));
    *out = ball_clamp(ball_mul(weight_of(rate, distance[i]), mean), 0, 1);
    free(mass);
    return DOSI_OK;
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The number of sorted data below x; with is_closed, below or at x. */
static size_t count_below(
    const double *sorted, size_t n, double x, bool is_closed)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] < x || (is_closed && sorted[middle] == x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

dosi_status choice_quantile_distances(double *distance,
    const double *candidate, size_t n, const double *data, size_t n_data,
    double a, double b, dosi_error *err)
{
    double *sorted = malloc(n_data * sizeof *sorted);
    if (sorted == NULL)
        return dosi_fail_memory(err);
    memcpy(sorted, data, n_data * sizeof *sorted);
    qsort(sorted, n_data, sizeof *sorted, compare_doubles);
    double least = HUGE_VAL;
    for (size_t i = 0; i < n; i++) {
        size_t below = count_below(sorted, n_data, candidate[i], false);
        size_t above = n_data - count_below(sorted, n_data, candidate[i], true);
        /* whole numbers of at most b n_data <= 2^53: exact */
        distance[i] = fabs((b - a) * (double)below - a * (double)above);
        least = fmin(least, distance[i]);
    }
    for (size_t i = 0; i < n; i++)
        distance[i] -= least;
    free(sorted);
    return DOSI_OK;
}

ball choice_response_keep(ball epsilon, double categories)
{
    ball others = ball_mul_d(ball_exp(ball_neg(epsilon)), categories - 1);
    return ball_div(ball_of(1), ball_add_d(others, 1));
}

int choice_rate_digit(double rate, size_t i)
{
    if (i >= 135) /* a double has no bits below 2^-1074 */
        return 0;
    double digit = 0;
    for (size_t j = 0; j <= i; j++) {
        rate *= 256; /* exact, as is the difference below */
        digit = floor(rate);
        rate -= digit;
    }
    return (int)digit;
}
