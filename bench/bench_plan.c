/*
 * Plans read, brought to normal form, printed and hashed, each a second on
 * one core.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "dosimeter.h"

static const char *const texts[] = {
    "gaussian(1)",
    "poisson(256/60000, gaussian(1.1)) * 14063",
    "laplace(10) * 3 + gaussian(4)",
    "(gaussian(1) + laplace(2)) * 3 + gaussian(1) + approx(1, 1e-6)",
    "group(3, without_replacement(100, 60000, gaussian(0.8)) * 600)",
    ("gaussian(1) + gaussian(2) + gaussian(3) + gaussian(1) + gaussian(2) + "
     "laplace(1) + laplace(2) + rr(0.5, 10) + zcdp(0.1) + gdp(0.3)"),
};

#define N_TEXTS (sizeof texts / sizeof texts[0])

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Reads, and with it all that the stages from 1 on add. */
static int run(const char *text, int stage, uint64_t *sum)
{
    const dosi_plan *plan = NULL, *normal = NULL;
    char out[512];
    size_t length = 0;
    if (dosi_plan_parse(&plan, text, strlen(text), NULL) != DOSI_OK)
        return 1;
    int failed = 0;
    if (stage >= 1)
        failed = dosi_plan_normal(&normal, plan, NULL) != DOSI_OK;
    if (stage >= 2 && !failed)
        failed = dosi_plan_print(out, sizeof out, &length, normal,
                     DOSI_FORM_TEXT, NULL) != DOSI_OK;
    if (stage >= 3 && !failed)
        *sum += dosi_plan_hash(normal);
    dosi_plan_free(normal);
    dosi_plan_free(plan);
    return failed;
}

int main(void)
{
    static const char *const stages[] = {
        "read", "+ normal form", "+ print", "+ hash"};
    uint64_t sum = 0;
    for (int stage = 0; stage < 4; stage++) {
        double start = seconds(), elapsed = 0;
        long n = 0;
        while (elapsed < 0.5) {
            for (size_t i = 0; i < N_TEXTS; i++, n++)
                if (run(texts[i], stage, &sum) != 0)
                    return 1;
            elapsed = seconds() - start;
        }
        printf("%-14s %9.0f plans/s\n", stages[stage], (double)n / elapsed);
    }
    printf("sum of hashes  %016llx\n", (unsigned long long)sum);
    return 0;
}
