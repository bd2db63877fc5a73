/*
 * Random questions of every kind about plans of every shape, with no limits
 * but the defaults: none spends more operations than it is allowed. The long
 * form, `make slow-questions`, also holds the time of one core against the
 * operations, so that no work goes uncounted.
 */
#include "support/questions.h"

#include <math.h>
#include <stdlib.h>

static prop_random rng;

/* A question may spend 1e9 operations, a sixteenth of that after a stop, and a
 * plan without some of its parts a quarter of it again; between two looks at the
 * limits it may spend a little more. */
#define ALLOWED (1.25 * 1.0625 * 1.1e9)

/* A nanosecond is one operation, or four where a machine is busy; what is not
 * counted takes a tenth of a second at most. */
#define SECONDS_EACH 4e-9
#define SECONDS_UNCOUNTED 0.1

static bool is_timed;
static double slowest;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void check_work(const question *q)
{
    char words[ASKED_BYTES];
    double operations = 0, start = now_s();
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_answer a;
    dosi_error err;
    options.neighbours = q->neighbours;
    options.operations = &operations;
    (void)question_put(&a, q, &options, &err);
    double seconds = now_s() - start;
    question_print(words, sizeof words, q, NULL);
    if (operations > ALLOWED)
        report("%s: %.2g operations", words, operations);
    if (is_timed &&
        seconds > SECONDS_UNCOUNTED + SECONDS_EACH * operations)
        report("%s: %.2g s, but %.2g operations", words, seconds, operations);
    if (is_timed && seconds > slowest) {
        slowest = seconds;
        printf("%.2g s, %.2g operations: %s\n", seconds, operations, words);
    }
}

static void one_plan(void)
{
    char text[PLAN_BYTES];
    question q = {.text = text,
        .neighbours = prop_below(&rng, 3) ? DOSI_ADD_REMOVE : DOSI_REPLACE};
    plan_source s = {.rng = &rng,
        .extreme_one_in = prop_below(&rng, 3) == 0 ? 8 : 0,
        .worse = PLAN_AS_IT_IS};
    plan_random(text, &s, q.neighbours);
    q.plan = plan_of(text);
    q.kind = random_kind(&rng);
    q.at = random_argument(q.kind, &rng);
    check_work(&q);
    dosi_plan_free(q.plan);
}

static void test_work(void **state)
{
    (void)state;
    for (long i = prop_count(40); i > 0; i--)
        one_plan();
    nothing_failed();
}

int main(void)
{
    rng = prop_start("prop_work");
    is_timed = getenv("DOSI_TIMED") != NULL;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_work)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
