/*
 * What a tight answer costs: epsilon at delta by default, the worse of both
 * directions, for training of any length, rate and noise, a hundred different
 * trainings at once, and plans of other kinds. A single training is also asked
 * at a relative width of 0.01.
 * Medians of one core's time, and the peak memory so far. Prints; decides
 * nothing. The first argument multiplies the number of repetitions.
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "dosimeter.h"

#define DELTA 1e-5
#define RATE 0.01
#define SIGMA 1.1
#define N_GROUPS 100
#define MAX_RUNS 1001
#define ENOUGH_MS 400 /* a row stops repeating after this */

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static long peak_kb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct timing {
    double median_ms;
    int n;
} timing;

typedef dosi_status (*asking)(dosi_interval *out, const void *what);

/* The first run warms up, unless it is long. */
static timing repeat(
    dosi_interval *out, asking ask, const void *what, double factor)
{
    static double times[MAX_RUNS];
    int n = 0;
    double spent = 0;
    for (int i = 0; i < MAX_RUNS && (i < 2 || spent < ENOUGH_MS * factor);
         i++) {
        double start = now_ms();
        if (ask(out, what) != DOSI_OK)
            exit(1);
        double each = now_ms() - start;
        spent += each;
        if (i > 0 || each > ENOUGH_MS * factor)
            times[n++] = each;
        if (each > ENOUGH_MS * factor)
            break;
    }
    qsort(times, (size_t)n, sizeof *times, compare);
    return (timing){times[n / 2], n};
}

static dosi_status ask_default(dosi_interval *out, const void *what)
{
    dosi_answer answer;
    dosi_status status =
        dosi_epsilon_at_delta(&answer, what, DELTA, NULL, NULL);
    *out = answer.value;
    return status;
}

static dosi_status ask_coarse(dosi_interval *out, const void *what)
{
    dosi_answer answer;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.width = 0.01;
    dosi_status status =
        dosi_epsilon_at_delta(&answer, what, DELTA, &options, NULL);
    *out = answer.value;
    return status;
}

static const dosi_plan *read_plan(const char *text)
{
    const dosi_plan *plan = NULL;
    if (dosi_plan_parse(&plan, text, strlen(text), NULL) != DOSI_OK)
        exit(1);
    return plan;
}

static void time_plan(
    const dosi_plan *plan, const char *label, double factor)
{
    dosi_interval v = {0, 0};
    timing t = repeat(&v, ask_default, plan, factor);
    printf("%10.4f ms  (%4d)  %-36s [%.15g, %.15g]  width %.1e  "
           "peak %ld kB\n",
        t.median_ms, t.n, label, v.lo, v.hi, (v.hi - v.lo) / v.hi,
        peak_kb());
}

static void time_training(double count, double factor)
{
    char text[96];
    snprintf(text, sizeof text, "poisson(%.17g, gaussian(%.17g)) * %.0f",
        RATE, SIGMA, count);
    const dosi_plan *plan = read_plan(text);
    snprintf(text, sizeof text, "poisson(%g, gaussian(%g)) * %g", RATE,
        SIGMA, count);
    time_plan(plan, text, factor);
    dosi_interval v = {0, 0};
    timing coarse = repeat(&v, ask_coarse, plan, factor);
    printf("%10.4f ms  (%4d)  %-36s [%.15g, %.15g]  width %.1e\n",
        coarse.median_ms, coarse.n, "  to a hundredth", v.lo, v.hi,
        (v.hi - v.lo) / v.hi);
    dosi_plan_free(plan);
}

/* One row for each rate and noise, one column for each length: medians in
 * milliseconds, and the worst width of the row; and how many took more than
 * one. */
static void time_set(double factor)
{
    static const double rates[] = {
        1e-5, 1e-4, 1e-3, 256 / 60000.0, 0.01, 0.1};
    static const double sigmas[] = {0.3, 0.5, 0.6, 0.7, 0.8, 1, 2, 4};
    int n_all = 0, n_long = 0;
    double longest = 0, widest = 0;
    printf("%8s %6s", "rate", "sigma");
    for (double k = 1e2; k <= 1e8; k *= 10)
        printf(" %8.0e", k);
    printf(" %9s\n", "width");
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++)
        for (size_t j = 0; j < sizeof sigmas / sizeof *sigmas; j++) {
            double width = 0;
            printf("%8.4g %6g", rates[i], sigmas[j]);
            for (double k = 1e2; k <= 1e8; k *= 10) {
                char text[96];
                dosi_interval v = {0, 0};
                snprintf(text, sizeof text,
                    "poisson(%.17g, gaussian(%.17g)) * %.0f", rates[i],
                    sigmas[j], k);
                const dosi_plan *plan = read_plan(text);
                timing t = repeat(&v, ask_default, plan, factor / 20);
                dosi_plan_free(plan);
                if (v.hi > 0)
                    width = fmax(width, (v.hi - v.lo) / v.hi);
                n_all++;
                n_long += t.median_ms > 1;
                longest = fmax(longest, t.median_ms);
                printf(" %8.3f", t.median_ms);
            }
            widest = fmax(widest, width);
            printf(" %9.1e\n", width);
        }
    printf("%d of %d take more than 1 ms, %.2f ms at most; width %.1e\n",
        n_long, n_all, longest, widest);
}

/* Rates, noise and lengths that all differ. */
static void time_groups(double factor)
{
    static char text[N_GROUPS * 96];
    size_t used = 0;
    for (int i = 0; i < N_GROUPS; i++)
        used += (size_t)snprintf(text + used, sizeof text - used,
            "%spoisson(%.17g, gaussian(%.17g)) * %d", i > 0 ? " + " : "",
            0.002 + 1e-4 * i, 0.8 + 0.01 * i, 100 + 10 * i);
    const dosi_plan *plan = read_plan(text);
    time_plan(plan, "100 different trainings", factor);
    dosi_plan_free(plan);
}

int main(int argc, char **argv)
{
    static const double counts[] = {1e2, 1e4, 1e6, 1e8};
    double factor = argc > 1 ? strtod(argv[1], NULL) : 1;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        time_training(counts[i], factor);
    time_set(factor);
    time_groups(factor);
    static const char *const others[] = {
        "laplace(4) * 100", "exponential(0.3) * 100"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const dosi_plan *plan = read_plan(others[i]);
        time_plan(plan, others[i], factor);
        dosi_plan_free(plan);
    }
    return 0;
}
