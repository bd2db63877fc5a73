/*
 * Choices among 2^20 candidates against a loop in doubles that is neither exact
 * nor private, and Poisson samples against comparisons of doubles. Rounds are
 * interleaved, the time is that of the thread, the median round counts.
 * Prints; asserts nothing.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "release/candidates.h"
#include "release/choice.h"
#include "release/coins.h"

#define N ((size_t)1 << 20)
#define ROUNDS 15
#define RATE (256.0 / 60000)

static struct words source;
static int64_t distances[N];
static double weights[N];
static uint8_t member[N];
static volatile size_t sink;

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_choice(void)
{
    size_t chosen = 0;
    if (choice_draw(&chosen, distances, N, 0.1, 1, false, false, &source,
            NULL) == DOSI_OK)
        sink += chosen;
}

static void run_flip(void)
{
    size_t chosen = 0;
    if (choice_draw(&chosen, distances, N, 0.1, 1, false, true, &source,
            NULL) == DOSI_OK)
        sink += chosen;
}

/* Weights in doubles, a uniform double, and a scan that may stop. */
static void run_doubles(void)
{
    double sum = 0, prefix = 0;
    for (size_t i = 0; i < N; i++)
        sum += weights[i] = exp(-0.05 * (double)distances[i]);
    double target = (double)(words_next(&source) >> 11) * 0x1p-53 * sum;
    size_t i = 0;
    while (i + 1 < N && (prefix += weights[i]) <= target)
        i++;
    sink += i;
}

static void run_balls(void)
{
    struct candidates x = {.e = exponent_of(0.1, 2),
        .distances = (const uint64_t *)distances,
        .n = N};
    size_t chosen = 0;
    if (candidates_choose(&chosen, &x, TIER_BALLS, &source, NULL) == DOSI_OK)
        sink += chosen;
}

static void run_poisson(void)
{
    poisson_sample(member, N, RATE, &source);
    sink += member[N / 2];
}

static void run_words(void)
{
    for (size_t i = 0; i < N; i++)
        member[i] = (double)(words_next(&source) >> 11) * 0x1p-53 < RATE;
    sink += member[N / 2];
}

static const struct {
    const char *name;
    void (*run)(void);
} rows[] = {
    {"exponential mechanism, exact", run_choice},
    {"exponential mechanism, doubles (not exact)", run_doubles},
    {"exponential mechanism, an open choice (balls)", run_balls},
    {"permute-and-flip, exact, all coins", run_flip},
    {"Poisson sample, exact, a byte a record", run_poisson},
    {"Poisson sample, doubles (not exact)", run_words},
};

#define N_ROWS (sizeof rows / sizeof rows[0])

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    static double times[N_ROWS][ROUNDS];
    if (words_open(&source, NULL) != DOSI_OK)
        return 1;
    for (size_t i = 0; i < N; i++)
        distances[i] = (int64_t)uniform_below(1000, &source);
    distances[N / 2] = 0;
    for (int round = 0; round < ROUNDS; round++)
        for (size_t i = 0; i < N_ROWS; i++) {
            double start = seconds();
            rows[i].run();
            times[i][round] = seconds() - start;
        }
    words_close(&source);
    printf("2^20 candidates or records\n%-48s %10s %12s\n", "", "ms",
        "M a second");
    for (size_t i = 0; i < N_ROWS; i++) {
        qsort(times[i], ROUNDS, sizeof(double), compare);
        double median = times[i][ROUNDS / 2];
        printf("%-48s %10.2f %12.1f\n", rows[i].name, 1e3 * median,
            1e-6 * (double)N / median);
    }
    return 0;
}
