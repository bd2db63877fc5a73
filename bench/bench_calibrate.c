/*
 * What a calibration costs: milliseconds of one core, median of several, for
 * the noise, rate and steps of private training, and for closed forms. Beside
 * it one question about the plan that was found. Prints; decides nothing. The
 * first argument multiplies the number of repetitions.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dosimeter.h"

#define MAX_RUNS 1001

typedef struct row {
    const char *plan;
    double epsilon, delta;
    int n;
} row;

static const row rows[] = {
    {"poisson(0.004, gaussian(?)) * 20000", 1, 1e-6, 20},
    {"poisson(256/60000, gaussian(?)) * 14062", 3, 1e-5, 20},
    {"poisson(0.01, gaussian(?)) * 1000", 8, 1e-6, 20},
    {"poisson(?, gaussian(1)) * 20000", 3, 1e-6, 20},
    {"poisson(0.01, gaussian(1)) * ?", 3, 1e-6, 20},
    {"gaussian(?) * 100", 1, 1e-6, 100},
    {"laplace(?)", 1, 1e-6, 100},
    {"pure(?) * 100", 1, 1e-6, 100},
    {"rr(?, categories=4) * 50", 1, 1e-6, 5},
};

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int measure(const row *r, double factor)
{
    static double times[MAX_RUNS], single[MAX_RUNS];
    const dosi_plan *plan = NULL, *filled = NULL;
    dosi_target target = {DOSI_TARGET_EPSILON, r->epsilon, r->delta};
    dosi_calibration c = {.value = 0};
    dosi_answer answer;
    if (dosi_plan_parse(&plan, r->plan, strlen(r->plan), NULL) != DOSI_OK)
        return 1;
    int n = (int)(r->n * factor);
    n = n < 1 ? 1 : n > MAX_RUNS ? MAX_RUNS : n;
    dosi_status status =
        dosi_calibrate(&c, plan, &target, 1, NULL, NULL); /* warms up */
    if (status == DOSI_OK)
        status = dosi_plan_fill(&filled, plan, c.value, NULL);
    for (int i = 0; i < n && status == DOSI_OK; i++) {
        double start = now_ms();
        status = dosi_calibrate(&c, plan, &target, 1, NULL, NULL);
        times[i] = now_ms() - start;
        start = now_ms();
        if (status == DOSI_OK)
            status =
                dosi_epsilon_at_delta(&answer, filled, r->delta, NULL, NULL);
        single[i] = now_ms() - start;
    }
    qsort(times, (size_t)n, sizeof *times, compare);
    qsort(single, (size_t)n, sizeof *single, compare);
    printf("%9.3f ms, one question %7.3f ms  %-42s %.17g\n", times[n / 2],
        single[n / 2], r->plan, c.value);
    dosi_plan_free(filled);
    dosi_plan_free(plan);
    return status != DOSI_OK;
}

int main(int argc, char **argv)
{
    double factor = argc > 1 ? atof(argv[1]) : 1;
    int failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        failed |= measure(&rows[i], factor);
    return failed;
}
