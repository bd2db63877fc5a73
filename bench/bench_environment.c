/*
 * What the guard of the floating-point environment costs: nanoseconds of the
 * cheapest public call with it, dosi_plan_equal of a plan with itself, and of
 * one without it, dosi_plan_kind; in the default environment, where the guard
 * only reads, and in another, where it writes twice.
 */
#define _POSIX_C_SOURCE 200809L

#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "dosimeter.h"

#define N_CALLS 5000000

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Nanoseconds of one call, the least of five measurements. */
static double measure(const dosi_plan *plan, int is_guarded, int rounding)
{
    double least = 1;
    for (int turn = 0; turn < 5; turn++) {
        long sum = 0;
        double start = seconds();
        (void)fesetround(rounding);
        for (long i = 0; i < N_CALLS; i++)
            sum += is_guarded ? dosi_plan_equal(plan, plan)
                              : (int)dosi_plan_kind(plan);
        (void)fesetround(FE_TONEAREST);
        double elapsed = seconds() - start;
        if (sum < 0) /* the calls are made */
            return HUGE_VAL;
        least = elapsed < least ? elapsed : least;
    }
    return least / N_CALLS * 1e9;
}

int main(void)
{
    const dosi_plan *plan = NULL;
    if (dosi_plan_gaussian(&plan, 1, NULL) != DOSI_OK)
        return 1;
    printf("without the guard             %5.2f ns\n",
        measure(plan, 0, FE_TONEAREST));
    printf("with it, default environment  %5.2f ns\n",
        measure(plan, 1, FE_TONEAREST));
    printf("with it, rounding upward      %5.2f ns\n",
        measure(plan, 1, FE_UPWARD));
    dosi_plan_free(plan);
    return 0;
}
