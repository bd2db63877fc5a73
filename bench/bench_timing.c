/*
 * Does the time of one draw tell its value? Welch's t between the times of
 * draws with a large and a small |k|, and between signs, for constant mode and
 * for fast mode as a control; several runs each, all of them printed. Times
 * beyond the 95th percentile (interrupts) are left out by a common limit.
 * Prints; asserts nothing: noise of the machine decides too.
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "release/noise.h"
#include "release/words.h"

#define DRAWS 200000
#define RUNS 5

static uint64_t ticks(void)
{
#if defined(__x86_64__)
    unsigned low, high;
    __asm__ volatile("lfence\n\trdtsc\n\tlfence"
                     : "=a"(low), "=d"(high)
                     :
                     : "memory");
    return (uint64_t)high << 32 | low;
#else
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
#endif
}

static double elapsed[DRAWS];
static int64_t value[DRAWS];

/* No refill falls within the measured part: a draw takes at most 60 words,
 * nearly always. */
static void measure(const dosi_noise *noise, struct words *w)
{
    for (size_t i = 0; i < DRAWS; i++) {
        if (w->end - w->next < 200)
            w->next = w->end;
        if (w->next == w->end)
            w->refill(w);
        uint64_t start = ticks();
        if (noise_draw(&value[i], 1, noise, w, NULL) != DOSI_OK)
            exit(4);
        elapsed[i] = (double)(ticks() - start);
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *x, double q)
{
    static double sorted[DRAWS];
    for (size_t i = 0; i < DRAWS; i++)
        sorted[i] = x[i];
    qsort(sorted, DRAWS, sizeof(double), by_size);
    return sorted[(size_t)(q * (DRAWS - 1))];
}

static double welch(int (*is_second)(int64_t k, double middle), double middle)
{
    double limit = quantile(elapsed, 0.95), n[2] = {0, 0};
    double sum[2] = {0, 0}, square[2] = {0, 0};
    for (size_t i = 0; i < DRAWS; i++) {
        int class = is_second(value[i], middle);
        if (elapsed[i] > limit)
            continue;
        n[class]++;
        sum[class] += elapsed[i];
        square[class] += elapsed[i] * elapsed[i];
    }
    double mean[2], error = 0;
    for (int c = 0; c < 2; c++) {
        mean[c] = sum[c] / n[c];
        error += (square[c] / n[c] - mean[c] * mean[c]) / n[c];
    }
    return (mean[1] - mean[0]) / sqrt(error);
}

static int is_large(int64_t k, double middle)
{
    return fabs((double)k) > middle;
}

static int is_negative(int64_t k, double middle)
{
    (void)middle;
    return k < 0;
}

static void report(const char *name, dosi_noise_law law, double scale,
    dosi_timing timing, struct words *w)
{
    static double magnitude[DRAWS];
    dosi_noise *noise;
    if (dosi_noise_new(&noise, law, scale, timing, NULL) != DOSI_OK)
        exit(4);
    printf("%-34s t of |k|:", name);
    double t[RUNS];
    for (int run = 0; run < RUNS; run++) {
        measure(noise, w);
        for (size_t i = 0; i < DRAWS; i++)
            magnitude[i] = fabs((double)value[i]);
        printf(" %6.1f", welch(is_large, quantile(magnitude, 0.5)));
        t[run] = welch(is_negative, 0);
    }
    printf("   of the sign:");
    for (int run = 0; run < RUNS; run++)
        printf(" %5.1f", t[run]);
    printf("\n");
    dosi_noise_free(noise);
}

int main(void)
{
    static struct words w;
    if (words_open(&w, NULL) != DOSI_OK)
        return 4;
    report("constant rounded Gaussian 2^30", DOSI_NOISE_ROUND_GAUSSIAN,
        0x1.1p30, DOSI_TIMING_CONSTANT, &w);
    report("constant discrete Gaussian 10", DOSI_NOISE_DISCRETE_GAUSSIAN, 10,
        DOSI_TIMING_CONSTANT, &w);
    report("constant discrete Laplace 10", DOSI_NOISE_DISCRETE_LAPLACE, 10,
        DOSI_TIMING_CONSTANT, &w);
    report("control: fast rounded Gaussian", DOSI_NOISE_ROUND_GAUSSIAN,
        0x1.1p30, DOSI_TIMING_FAST, &w);
    report("control: fast discrete Laplace 10", DOSI_NOISE_DISCRETE_LAPLACE,
        10, DOSI_TIMING_FAST, &w);
    words_close(&w);
    return 0;
}
