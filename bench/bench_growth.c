/*
 * A million questions in a row: what the heap holds before and after.
 */
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "dosimeter.h"

static const char *const texts[] = {"gaussian(50) * 10000", "gaussian(1)",
    "laplace(10)", "rr(1, 5)", "exponential(0.3)"};

int main(void)
{
    const size_t n_texts = sizeof texts / sizeof *texts;
    const dosi_plan *plans[sizeof texts / sizeof *texts];
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_answer answer;
    for (size_t i = 0; i < n_texts; i++)
        if (dosi_plan_parse(&plans[i], texts[i], strlen(texts[i]), NULL))
            return 1;
    size_t before = 0;
    for (int i = 0; i < 1000000; i++) {
        if (i == 1000)
            before = mallinfo2().uordblks;
        if (dosi_epsilon_at_delta(&answer, plans[(size_t)i % n_texts],
                1e-6, &options, NULL) != DOSI_OK)
            return 1;
    }
    size_t after = mallinfo2().uordblks;
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    printf("heap after 1e3 questions %zu bytes, after 1e6 %zu bytes; "
           "peak memory %ld KB\n",
        before, after, usage.ru_maxrss);
    for (size_t i = 0; i < n_texts; i++)
        dosi_plan_free(plans[i]);
    return after > before;
}
