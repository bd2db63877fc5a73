/*
 * What a question costs: microseconds of one core for each of a few plans,
 * and the peak memory after all of them. Prints; decides nothing. The first
 * argument multiplies the number of repetitions.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "dosimeter.h"

typedef struct row {
    const char *plan;
    char query; /* e at delta, d at epsilon, t at alpha, r at order */
    double at;
    int n;
} row;

static const row rows[] = {
    {"gaussian(1)", 'e', 1e-6, 100000},
    {"gaussian(1)", 'e', 1e-30, 100000},
    {"gaussian(1)", 'd', 1, 100000},
    {"gaussian(50) * 10000", 'e', 1e-5, 100000},
    {"laplace(2)", 'e', 1e-6, 100000},
    {"pure(0.1) * 100", 'e', 1e-6, 10000},
    {"pure(0.001) * 1000000", 'e', 1e-6, 100},
    {"approx(0.1, 1e-9) * 100", 'd', 4, 10000},
    {"exponential(1)", 'e', 1e-6, 100000},
    {"discrete_gaussian(4) * 10", 'e', 1e-6, 1000},
    {"poisson(0.01, gaussian(1))", 'd', 1, 10000},
    {"poisson(0.01, gaussian(1))", 'e', 1e-6, 1000},
    {"laplace(10) * 3 + gaussian(4)", 'd', 1, 1000},
    {"laplace(10) * 1000", 'e', 1e-6, 100},
    {"gaussian(1)", 't', 0.05, 100000},
    {"discrete_gaussian(2)", 't', 0.05, 1000},
    {"laplace(2)", 'r', 8, 100000},
    {"poisson(0.01, gaussian(1)) * 1000", 'e', 1e-5, 2},
};

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static dosi_status ask(dosi_answer *out, const dosi_plan *plan, const row *r)
{
    switch (r->query) {
    case 'e':
        return dosi_epsilon_at_delta(out, plan, r->at, NULL, NULL);
    case 'd':
        return dosi_delta_at_epsilon(out, plan, r->at, NULL, NULL);
    case 't':
        return dosi_tradeoff_at_alpha(out, plan, r->at, NULL, NULL);
    default:
        return dosi_renyi_at_order(out, plan, r->at, NULL, NULL);
    }
}

static long peak_kb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static int measure(const row *r, double factor)
{
    const dosi_plan *plan = NULL;
    dosi_answer answer;
    if (dosi_plan_parse(&plan, r->plan, strlen(r->plan), NULL) != DOSI_OK)
        return 1;
    int n = (int)(r->n * factor);
    n = n > 0 ? n : 1;
    dosi_status status = ask(&answer, plan, r); /* warms up */
    double start = now_us();
    for (int i = 0; i < n && status == DOSI_OK; i++)
        status = ask(&answer, plan, r);
    double each = (now_us() - start) / n;
    printf("%10.2f us  %c at %-7g %-36s [%.15g, %.15g] %s\n", each,
        r->query, r->at, r->plan, answer.value.lo, answer.value.hi,
        answer.route);
    dosi_plan_free(plan);
    return status != DOSI_OK;
}

int main(int argc, char **argv)
{
    double factor = argc > 1 ? atof(argv[1]) : 1;
    int failed = 0;
    long before = 0;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        failed |= measure(&rows[i], factor);
        if (i == 0)
            before = peak_kb();
    }
    printf("peak memory %ld kB after the first row, %ld kB after all\n",
        before, peak_kb());
    return failed;
}
