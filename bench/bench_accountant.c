/*
 * Times the accountant: adding known and new plans, and the questions that
 * follow, of one mechanism and of ten thousand. Prints; decides nothing. The
 * first argument multiplies the number of repetitions.
 */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "dosimeter.h"

#define N_DISTINCT 10000

static double now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static long peak_kb(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static const dosi_plan *read_plan(const char *text)
{
    const dosi_plan *plan = NULL;
    if (dosi_plan_parse(&plan, text, strlen(text), NULL) != DOSI_OK)
        exit(1);
    return plan;
}

static dosi_accountant *start(const char *route, dosi_neighbours neighbours)
{
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_accountant *a = NULL;
    options.route = route;
    options.neighbours = neighbours;
    if (dosi_accountant_new(&a, &options, NULL) != DOSI_OK)
        exit(1);
    return a;
}

static void add(dosi_accountant *a, const dosi_plan *plan, double count)
{
    if (dosi_accountant_add(a, plan, count, NULL) != DOSI_OK)
        exit(1);
}

static void time_adding(double factor)
{
    static const char *const texts[] = {"gaussian(1.5)", "laplace(2)",
        "poisson(0.01, gaussian(1.1))", "rr(1, categories=4)"};
    dosi_accountant *a = start("renyi", DOSI_ADD_REMOVE);
    int n = (int)(250000 * factor) + 1;
    for (size_t j = 0; j < sizeof texts / sizeof *texts; j++) {
        const dosi_plan *plan = read_plan(texts[j]);
        const dosi_plan *equal = read_plan(texts[j]);
        add(a, plan, 1);
        double begin = now_ns();
        for (int i = 0; i < n; i++)
            add(a, equal, 1);
        printf("%10.1f ns  add %s\n", (now_ns() - begin) / n, texts[j]);
        dosi_plan_free(plan);
        dosi_plan_free(equal);
    }
    dosi_accountant_free(a);
}

/* Asks twice; the first question also composes. */
static void time_question(dosi_accountant *a, const char *label, int n)
{
    dosi_answer answer;
    double begin = now_ns();
    if (dosi_accountant_epsilon_at_delta(&answer, a, 1e-6, NULL) != DOSI_OK)
        exit(1);
    double first = now_ns() - begin;
    begin = now_ns();
    for (int i = 0; i < n; i++)
        if (dosi_accountant_epsilon_at_delta(&answer, a, 1e-6, NULL) !=
            DOSI_OK)
            exit(1);
    printf("%10.1f us  (first %.1f us) %s [%.10g, %.10g] %s\n",
        (now_ns() - begin) / n / 1e3, first / 1e3, label, answer.value.lo,
        answer.value.hi, answer.route);
}

static void time_one(const char *text, double count,
    dosi_neighbours neighbours, double factor)
{
    dosi_accountant *a = start("renyi", neighbours);
    const dosi_plan *plan = read_plan(text);
    add(a, plan, count);
    time_question(a, text, (int)(100 * factor) + 1);
    dosi_plan_free(plan);
    dosi_accountant_free(a);
}

/* Parameters that all differ, between 10 and 20. */
static void time_many(const char *route, const char *const (*kinds)[2],
    size_t n_kinds, const char *label)
{
    dosi_accountant *a = start(route, DOSI_ADD_REMOVE);
    static const dosi_plan *plans[N_DISTINCT];
    for (int i = 0; i < N_DISTINCT; i++) {
        char text[96];
        const char *const *kind = kinds[(size_t)i % n_kinds];
        snprintf(text, sizeof text, "%s%.17g%s", kind[0],
            10 + i * (10.0 / N_DISTINCT), kind[1]);
        plans[i] = read_plan(text);
    }
    double begin = now_ns();
    for (int i = 0; i < N_DISTINCT; i++)
        add(a, plans[i], 1);
    printf("%10.1f ns  add one of %d %s\n", (now_ns() - begin) / N_DISTINCT,
        N_DISTINCT, label);
    for (int i = 0; i < N_DISTINCT; i++)
        dosi_plan_free(plans[i]);
    time_question(a, label, 1);
    printf("%10ld kB  peak\n", peak_kb());
    dosi_accountant_free(a);
}

int main(int argc, char **argv)
{
    static const char *const mixed[][2] = {{"gaussian(", ")"},
        {"laplace(", ")"}, {"pure(1/", ")"}, {"rr(1/", ", 4)"}};
    static const char *const noise[][2] = {{"gaussian(", ")"}};
    static const char *const sampled[][2] = {
        {"poisson(0.01, gaussian(", "))"}};
    double factor = argc > 1 ? atof(argv[1]) : 1;
    time_adding(factor);
    time_one("poisson(0.01, gaussian(1.1))", 10000, DOSI_ADD_REMOVE, factor);
    time_one("poisson(1e-5, gaussian(20))", 1e12, DOSI_ADD_REMOVE, factor);
    time_one("poisson(0.01, laplace(2))", 10000, DOSI_ADD_REMOVE, factor);
    time_one("without_replacement(600, 60000, gaussian(5))", 600000,
        DOSI_REPLACE, factor);
    time_one("without_replacement(600, 60000, laplace(2))", 10000,
        DOSI_REPLACE, factor);
    time_many("renyi", noise, 1, "gaussians");
    time_many("renyi", mixed, 4, "mixed mechanisms");
    time_many(NULL, mixed, 4, "mixed mechanisms, all routes");
    time_many("renyi", sampled, 1, "sampled gaussians");
    return 0;
}
