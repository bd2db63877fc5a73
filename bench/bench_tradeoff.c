/*
 * What the view as a test costs: a certified curve of 200 points, the least
 * mu above a floor, and risk, for training by Poisson samples and by batches
 * of fixed size. Least and median of one core's time over a few runs. Prints;
 * decides nothing. The first argument multiplies the number of runs.
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dosimeter.h"

#define N_POINTS 200
#define MAX_RUNS 999

static const struct row {
    const char *plan;
    dosi_neighbours neighbours;
} rows[] = {
    {"gaussian(50) * 10000", DOSI_ADD_REMOVE},
    {"pure(0.1) * 100", DOSI_ADD_REMOVE},
    {"poisson(256/60000, gaussian(1.3)) * 14062", DOSI_ADD_REMOVE},
    {"without_replacement(256, 60000, gaussian(1.3)) * 14062", DOSI_REPLACE},
};

/* Its widest interval, or mu, or the advantage. */
typedef dosi_status (*asking)(double *out, const dosi_plan *plan,
    const dosi_options *options);

static dosi_status curve(
    double *out, const dosi_plan *plan, const dosi_options *options)
{
    static dosi_answer answers[N_POINTS];
    double alphas[N_POINTS];
    dosi_tradeoff_alphas(alphas, N_POINTS);
    dosi_status status =
        dosi_tradeoff_curve(answers, plan, alphas, N_POINTS, options, NULL);
    *out = 0;
    for (int i = 0; status == DOSI_OK && i < N_POINTS; i++)
        *out = fmax(*out, answers[i].value.hi - answers[i].value.lo);
    return status;
}

static dosi_status least_mu(
    double *out, const dosi_plan *plan, const dosi_options *options)
{
    dosi_answer answer;
    dosi_status status =
        dosi_gdp_at_floor(&answer, plan, 1e-6, options, NULL);
    *out = answer.value.hi;
    return status;
}

static dosi_status advantage(
    double *out, const dosi_plan *plan, const dosi_options *options)
{
    dosi_risk risk;
    dosi_status status = dosi_risk_of_plan(&risk, plan, 0.5, options, NULL);
    *out = risk.advantage.value.hi;
    return status;
}

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

static int measure(const struct row *row, const char *label, asking ask,
    const char *unit, int n)
{
    static double times[MAX_RUNS];
    dosi_options options = DOSI_OPTIONS_INIT;
    const dosi_plan *plan = NULL;
    double value = 0;
    options.neighbours = row->neighbours;
    dosi_status status =
        dosi_plan_parse(&plan, row->plan, strlen(row->plan), NULL);
    for (int i = 0; i < n && status == DOSI_OK; i++) {
        double start = now_ms();
        status = ask(&value, plan, &options);
        times[i] = now_ms() - start;
    }
    qsort(times, (size_t)n, sizeof *times, compare);
    printf("%9.3f ms (median %9.3f)  %-9s %-56s %s %.6g\n", times[0],
        times[n / 2], label, row->plan, unit, value);
    dosi_plan_free(plan);
    return status != DOSI_OK;
}

int main(int argc, char **argv)
{
    double factor = argc > 1 ? atof(argv[1]) : 1;
    int n = (int)fmin(fmax(15 * factor, 1), MAX_RUNS), failed = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        failed |= measure(&rows[i], "curve", curve, "widest", n);
        failed |= measure(&rows[i], "gdp", least_mu, "mu", n);
        failed |= measure(&rows[i], "risk", advantage, "advantage", n);
    }
    return failed;
}
