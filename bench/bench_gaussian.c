/*
 * Nanoseconds a call of the normal law and the Gaussian hockey stick, on one
 * core, for typical questions. Prints; asserts nothing.
 */
#include <stdio.h>
#include <time.h>

#include "special/special.h"
#include "noise/gaussian.h"

#define CALLS 20000

static volatile double sink;

/* The i-th of CALLS points from a to b, evenly spread by ratio. */
static double spaced(double a, double b, int i)
{
    return a * exp(log(b / a) * i / CALLS);
}

static double run_mills(int i)
{
    return ball_mills(ball_of(spaced(0.01, 6, i))).hi;
}

static double run_mills_far(int i)
{
    return ball_mills(ball_of(spaced(6.3, 100, i))).hi;
}

static double run_sf(int i)
{
    return ball_normal_sf(ball_of(spaced(0.01, 30, i))).hi;
}

static double run_isf(int i)
{
    return ball_normal_isf(ball_of(spaced(1e-300, 0.4, i))).hi;
}

static double run_log_delta(int i)
{
    return gauss_log_delta(ball_of(spaced(0.01, 10, i)), ball_of(1)).hi;
}

static double run_delta(int i)
{
    return gauss_delta(ball_of(1), ball_of(spaced(0.01, 30, i))).hi;
}

static double run_epsilon(int i)
{
    return gauss_epsilon(ball_of(spaced(0.01, 10, i)), ball_of(-11.5)).hi;
}

static double run_epsilon_small(int i)
{
    return gauss_epsilon(ball_of(spaced(0.01, 10, i)), ball_of(-300)).hi;
}

static double run_mu(int i)
{
    return gauss_mu(ball_of(spaced(0.01, 10, i)), ball_of(-11.5)).hi;
}

static double run_tradeoff(int i)
{
    return gauss_tradeoff(ball_of(1), ball_of(spaced(1e-9, 1, i))).hi;
}

static const struct {
    const char *name;
    double (*run)(int i);
} rows[] = {
    {"ball_mills, x in [0.01, 6]", run_mills},
    {"ball_mills, x in [6.3, 100]", run_mills_far},
    {"ball_normal_sf", run_sf},
    {"normal_isf", run_isf},
    {"gauss_log_delta", run_log_delta},
    {"gauss_delta", run_delta},
    {"gauss_epsilon, delta 1e-5", run_epsilon},
    {"gauss_epsilon, delta 1e-130", run_epsilon_small},
    {"gauss_mu, delta 1e-5", run_mu},
    {"gauss_tradeoff", run_tradeoff},
};

int main(void)
{
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        clock_t start = clock();
        double sum = 0;
        for (int i = 0; i < CALLS; i++)
            sum += rows[k].run(i);
        sink = sum;
        printf("%-30s %8.0f ns\n", rows[k].name,
            (double)(clock() - start) / CLOCKS_PER_SEC / CALLS * 1e9);
    }
    return 0;
}
