/*
 * What sampled plans cost: one value of an amplified profile by its theorem,
 * and epsilon of 10^4 steps through the accountant. Medians of one core's
 * time. Prints; decides nothing. The first argument multiplies the number of
 * repetitions.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dosimeter.h"
#include "sampling/amplify_profile.h"

#define MAX_RUNS 101

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, int n)
{
    qsort(times, (size_t)n, sizeof *times, compare);
    return times[n / 2];
}

/* ---- One step ---------------------------------------------------------- */

static const struct {
    const char *name;
    amplify_theorem theorem;
    double n, m, gamma;
} theorems[] = {
    {"poisson 0.01, add/remove", AMPLIFY_POISSON, 0, 0, 0.01},
    {"without replacement 256 of 60000", AMPLIFY_WITHOUT, 60000, 256, 0},
    {"with replacement 256 of 60000", AMPLIFY_WITH, 60000, 256, 0},
    {"with replacement 1000 of 1e6", AMPLIFY_WITH, 1e6, 1000, 0},
    {"with replacement 1e6 of 1e6", AMPLIFY_WITH, 1e6, 1e6, 0},
    {"poisson 0.01 of 1000, replace", AMPLIFY_SHARP, 1000, 0, 0.01},
    {"poisson 0.01, base add/remove", AMPLIFY_HYBRID, 0, 0, 0.01},
};

static void one_step(size_t i, int runs)
{
    double times[MAX_RUNS];
    amplified a = {.theorem = theorems[i].theorem,
        .base = {BASE_PROFILE_GAUSSIAN, {0.5, 0, 0}, {0, 0, 0}},
        .group = BASE_PROFILE_WHITE,
        .n = theorems[i].n,
        .m = theorems[i].m,
        .gamma = ball_of(theorems[i].gamma)};
    scaled delta = {{0, 0, 0}, 0};
    for (int k = 0; k < runs; k++) {
        double start = now_us();
        for (int j = 0; j < 10; j++)
            delta = amplified_delta(&a, ball_of(0.1), -HUGE_VAL);
        times[k] = (now_us() - start) / 10;
    }
    printf("%-36s %10.1f us   log delta %.6f\n", theorems[i].name,
        median(times, runs), ball_mid(scaled_log(delta)));
}

/* ---- Many steps -------------------------------------------------------- */

static const struct {
    const char *plan;
    dosi_neighbours neighbours;
} plans[] = {
    {"poisson(256/60000, gaussian(1)) * 10000", DOSI_ADD_REMOVE},
    {"poisson(256/60000, gaussian(1)) * 10000", DOSI_REPLACE},
    {"without_replacement(256, 60000, gaussian(1)) * 10000", DOSI_REPLACE},
    {"with_replacement(256, 60000, gaussian(1)) * 10000", DOSI_REPLACE},
    {"with_replacement(256, 60000, laplace(1)) * 10000", DOSI_REPLACE},
    {"with_replacement(256, 60000, gaussian(1)) * 10000", DOSI_ADD_REMOVE},
    {"poisson(256/60000, laplace(1)) * 10000", DOSI_REPLACE},
};

static void many_steps(size_t i, int runs)
{
    double times[MAX_RUNS];
    const dosi_plan *plan = NULL;
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_answer a;
    options.neighbours = plans[i].neighbours;
    if (dosi_plan_parse(&plan, plans[i].plan, strlen(plans[i].plan), NULL) !=
        DOSI_OK)
        exit(1);
    for (int k = 0; k < runs; k++) {
        double start = now_us();
        if (dosi_epsilon_at_delta(&a, plan, 1e-5, &options, NULL) != DOSI_OK)
            exit(1);
        times[k] = now_us() - start;
    }
    printf("%-54s %-10s %8.2f ms   %.6g .. %.6g  %s\n", plans[i].plan,
        plans[i].neighbours == DOSI_REPLACE ? "replace" : "add_remove",
        median(times, runs) / 1e3, a.value.lo, a.value.hi, a.route);
    dosi_plan_free(plan);
}

int main(int argc, char **argv)
{
    double factor = argc > 1 ? strtod(argv[1], NULL) : 1;
    int runs = (int)(21 * factor);
    runs = runs < 1 ? 1 : runs > MAX_RUNS ? MAX_RUNS : runs;
    for (size_t i = 0; i < sizeof theorems / sizeof *theorems; i++)
        one_step(i, runs);
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        many_steps(i, runs > 3 ? 3 : runs);
    return 0;
}
