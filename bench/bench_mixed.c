/*
 * What questions about mixed plans cost. Everyday plans: releases of 5, 30, 60
 * and 100 different statistics with Gaussian, Laplace and discrete noise,
 * randomized response, exponential mechanisms, stated guarantees and a sampled
 * part, each asked for every quantity. Or random questions of every kind of
 * plan, nested, with corners, of which those that take much work are listed.
 *
 * Of every question: milliseconds of one core, the operations that it counted
 * (a nanosecond each, if they are a fair measure) and the relative width of the
 * answer. Prints; decides nothing. tests/account/prop_work.c holds random
 * questions against their allowance of operations.
 *
 * usage: bench_mixed [SEED [PARTS...]]
 *        bench_mixed slow [QUESTIONS [SEED [MILLISECONDS]]]
 */
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_random.h"
#include "dosimeter.h"

#define N_POINTS 200

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* ---- Questions --------------------------------------------------------- */

/* Each fills in the answer's interval; of several the widest. */
typedef dosi_status (*asking)(dosi_interval *out, const dosi_plan *plan,
    double at, const dosi_options *options, dosi_error *err);

static double width_of(dosi_interval v)
{
    if (v.lo == v.hi || v.hi < 1e-250)
        return 0;
    return v.hi < HUGE_VAL ? (v.hi - v.lo) / v.hi : HUGE_VAL;
}

#define ASKS(name, function) \
    static dosi_status name(dosi_interval *out, const dosi_plan *plan, \
        double at, const dosi_options *options, dosi_error *err) \
    { \
        dosi_answer a; \
        dosi_status status = function(&a, plan, at, options, err); \
        *out = a.value; \
        return status; \
    }

ASKS(ask_epsilon, dosi_epsilon_at_delta)
ASKS(ask_delta, dosi_delta_at_epsilon)
ASKS(ask_tradeoff, dosi_tradeoff_at_alpha)
ASKS(ask_gdp, dosi_gdp_at_floor)
ASKS(ask_renyi, dosi_renyi_at_order)
ASKS(ask_zcdp, dosi_zcdp_at_xi)

static dosi_status ask_risk(dosi_interval *out, const dosi_plan *plan,
    double at, const dosi_options *options, dosi_error *err)
{
    dosi_risk r;
    dosi_status status = dosi_risk_of_plan(&r, plan, at, options, err);
    *out = r.advantage.value;
    return status;
}

static dosi_status ask_curve(dosi_interval *out, const dosi_plan *plan,
    double at, const dosi_options *options, dosi_error *err)
{
    static dosi_answer points[N_POINTS];
    double alphas[N_POINTS];
    (void)at;
    dosi_tradeoff_alphas(alphas, N_POINTS);
    dosi_status status =
        dosi_tradeoff_curve(points, plan, alphas, N_POINTS, options, err);
    *out = (dosi_interval){0, 0};
    for (size_t i = 0; i < N_POINTS && status == DOSI_OK; i++)
        if (width_of(points[i].value) > width_of(*out))
            *out = points[i].value;
    return status;
}

/* Gaussian noise that may be added until epsilon is that at delta 1e-6. */
static dosi_status ask_calibrate(dosi_interval *out, const dosi_plan *plan,
    double at, const dosi_options *options, dosi_error *err)
{
    static const char text[] = "gaussian(?)";
    const dosi_plan *more = NULL, *all = NULL;
    dosi_target target = {DOSI_TARGET_EPSILON, at, 1e-6};
    dosi_calibration c = {.value = 0};
    dosi_status status =
        dosi_plan_parse(&more, text, sizeof text - 1, err);
    const dosi_plan *both[] = {plan, more};
    if (status == DOSI_OK)
        status = dosi_plan_compose(&all, both, 2, err);
    if (status == DOSI_OK)
        status = dosi_calibrate(&c, all, &target, 1, options, err);
    *out = c.answer.value;
    dosi_plan_free(more);
    dosi_plan_free(all);
    return status;
}

/* At one number in everyday plans, and within a range in random questions. */
static const struct quantity {
    const char *name;
    asking ask;
    double everyday, least, most;
} quantities[] = {
    {"epsilon", ask_epsilon, 1e-6, 1e-60, 0.1},
    {"delta", ask_delta, 2, 0.01, 100},
    {"tradeoff", ask_tradeoff, 0.05, 1e-9, 0.9},
    {"gdp", ask_gdp, 1e-3, 1e-9, 0.3},
    {"renyi", ask_renyi, 8, 1.01, 1e4},
    {"zcdp", ask_zcdp, 0, 1e-6, 1},
    {"risk", ask_risk, 0.5, 1e-3, 0.9},
    {"curve", ask_curve, 0, 1, 1},
    {"calibrate", ask_calibrate, 20, 0.1, 100},
};
#define N_QUANTITIES (sizeof quantities / sizeof *quantities)

/* ---- Work -------------------------------------------------------------- */

typedef struct work {
    dosi_status status;
    dosi_error error;
    double operations, ms, width;
} work;

static work work_of(const struct quantity *q, const dosi_plan *plan,
    double at, dosi_neighbours neighbours)
{
    work w = {.operations = 0};
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_interval v = {0, HUGE_VAL};
    options.neighbours = neighbours;
    options.operations = &w.operations;
    double start = now_ms();
    w.status = q->ask(&v, plan, at, &options, &w.error);
    w.ms = now_ms() - start;
    w.width = width_of(v);
    return w;
}

/* Nanoseconds of one operation. */
static double cost_of(const work *w)
{
    return w->ms * 1e6 / fmax(w->operations, 1);
}

/* ---- Plans ------------------------------------------------------------- */

/* The text of a mechanism: head, a number, tail. */
typedef struct mechanism {
    const char *head, *tail;
    double least, most;
} mechanism;

typedef void (*writing)(FILE *out, int n);

static const dosi_plan *plan_of(writing write, int n, char **text)
{
    const dosi_plan *plan = NULL;
    size_t length = 0;
    dosi_error error;
    FILE *out = open_memstream(text, &length);
    if (out == NULL)
        exit(4);
    write(out, n);
    if (fclose(out) != 0)
        exit(4);
    if (dosi_plan_parse(&plan, *text, length, &error) != DOSI_OK) {
        printf("    %s: %s\n", *text, error.message);
        exit(1);
    }
    return plan;
}

/* ---- Everyday plans ---------------------------------------------------- */

/* Numbers that are greater where there is more noise, those that are less, and
 * squares of such. */
static const mechanism noise[] = {{"gaussian(", ")", 1, 4},
    {"laplace(", ")", 1, 5}, {"discrete_gaussian(", ")", 1, 6},
    {"discrete_laplace(", ")", 1, 6}};
static const mechanism bounds[] = {{"rr(", ")", 0.2, 1},
    {"rr(", ", 5)", 0.2, 1}, {"exponential(", ")", 0.2, 1},
    {"pure(", ")", 0.1, 0.5}, {"approx(", ", 1e-9)", 0.1, 0.5}};
static const mechanism squares[] = {{"zcdp(", ")", 0.05, 0.3}};

static const struct family {
    const mechanism *items;
    int n;
    double power; /* of the number of statistics that its number grows with */
} families[] = {{noise, 4, 0.5}, {bounds, 5, -0.5}, {squares, 1, -1}};

/* A sampled part, and n - 1 statistics: the more the less each of them
 * loses. */
static void write_everyday(FILE *out, int n)
{
    fputs("poisson(0.01, gaussian(1.2)) * 1000", out);
    for (int i = 1; i < n; i++) {
        int at = below(10);
        const struct family *f = &families[at < 4 ? 0 : at < 9 ? 1 : 2];
        const mechanism *m = &f->items[below(f->n)];
        fprintf(out, " + %s%.4g%s", m->head,
            log_uniform(m->least, m->most) * pow(n, f->power), m->tail);
    }
}

static void everyday(int n)
{
    char *text = NULL;
    const dosi_plan *plan = plan_of(write_everyday, n, &text);
    for (size_t i = 0; i < N_QUANTITIES; i++) {
        const struct quantity *q = &quantities[i];
        work w = work_of(q, plan, q->everyday, DOSI_ADD_REMOVE);
        printf("%4d parts  %-9s %9.1f ms %8.1e operations, width %.1e%s%s\n",
            n, q->name, w.ms, w.operations, w.width,
            w.status == DOSI_OK ? "" : ": ",
            w.status == DOSI_OK ? "" : w.error.message);
        fflush(stdout);
    }
    dosi_plan_free(plan);
    free(text);
}

/* ---- Random questions -------------------------------------------------- */

/* Mostly within the range, sometimes at one of its ends. */
static double with_corners(double least, double most)
{
    int i = below(8);
    return i == 0 ? least : i == 1 ? most : log_uniform(least, most);
}

static const mechanism mechanisms[] = {{"gaussian(", ")", 0.2, 200},
    {"laplace(", ")", 0.05, 200}, {"discrete_gaussian(", ")", 0.3, 100},
    {"discrete_laplace(", ")", 0.1, 100}, {"rr(", ")", 1e-3, 8},
    {"rr(", ", 1000)", 1e-3, 8}, {"exponential(", ")", 1e-3, 8},
    {"pure(", ")", 1e-3, 4}, {"approx(", ", 1e-8)", 1e-3, 4},
    {"zcdp(", ")", 1e-5, 2}, {"gdp(", ")", 1e-3, 4},
    {"renyi(8, ", ")", 1e-3, 4},
    {"pmf(p=[0.5, 0.3, 0.2], q=[0.5, ", ", 0.1])", 1e-3, 0.4}};
#define N_MECHANISMS ((int)(sizeof mechanisms / sizeof *mechanisms))

/* Runs of a mechanism, or samples, groups and sums of plans less deep. */
static void write_random(FILE *out, int depth)
{
    int form = depth > 0 ? below(8) : 0;
    double rows = floor(log_uniform(100, 1e7));
    double runs = floor(with_corners(1, depth > 1 ? 1e5 : 300));
    if (form <= 2) {
        const mechanism *m = &mechanisms[below(N_MECHANISMS)];
        fprintf(out, "%s%.4g%s * %.0f", m->head,
            with_corners(m->least, m->most), m->tail, runs);
        return;
    }
    if (form == 3)
        fprintf(out, "poisson(%.4g, ", with_corners(1e-6, 0.9));
    else if (form <= 5)
        fprintf(out, "%s_replacement(%.0f, %.0f, ",
            form == 4 ? "without" : "with", floor(log_uniform(1, rows)), rows);
    else if (form == 6)
        fprintf(out, "group(%d, ", 2 + below(8));
    write_random(out, depth - 1);
    if (form <= 6) {
        fprintf(out, ") * %.0f", runs);
        return;
    }
    fputs(" + ", out);
    write_random(out, depth - 1);
}

/* Questions that take a millisecond or more, by the cost of an operation. */
#define N_COSTS 6

static void random_questions(long n, double slow_ms)
{
    long counts[N_COSTS] = {0}, n_refused = 0;
    double total = 0;
    for (long i = 0; i < n; i++) {
        char *text = NULL;
        const dosi_plan *plan = plan_of(write_random, 3, &text);
        const struct quantity *q = &quantities[below((int)N_QUANTITIES)];
        double at = with_corners(q->least, q->most);
        dosi_neighbours neighbours =
            below(3) == 0 ? DOSI_REPLACE : DOSI_ADD_REMOVE;
        work w = work_of(q, plan, at, neighbours);
        dosi_plan_free(plan);
        total += w.ms;
        n_refused += w.status != DOSI_OK;
        int cost = (int)fmax(fmin(log2(cost_of(&w)) + 2, N_COSTS - 1), 0);
        counts[cost] += w.ms >= 1;
        if (w.ms > slow_ms || (w.ms > slow_ms / 50 && cost == N_COSTS - 1)) {
            printf("%8.1f ms, %8.1e operations, %4.1f ns each, width %.1e: "
                   "%s at %g%s, %s\n",
                w.ms, w.operations, cost_of(&w), w.width, q->name, at,
                neighbours == DOSI_REPLACE ? ", replace" : "", text);
            fflush(stdout);
        }
        free(text);
    }
    printf("%ld questions, %ld without an answer; %.1f ms in the mean\n", n,
        n_refused, total / (double)n);
    for (int i = 0; i < N_COSTS; i++)
        printf("  %s %4g ns an operation: %ld of those from 1 ms on\n",
            i < N_COSTS - 1 ? "below" : "from ",
            i < N_COSTS - 1 ? pow(2, i - 1) : pow(2, i - 2), counts[i]);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {5, 30, 60, 100};
    if (argc > 1 && strcmp(argv[1], "slow") == 0) {
        long n = argc > 2 ? strtol(argv[2], NULL, 10) : 200;
        state = argc > 3 ? strtoull(argv[3], NULL, 0) : 1;
        random_questions(n, argc > 4 ? strtod(argv[4], NULL) : 500);
        return 0;
    }
    uint64_t seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    int n = argc > 2 ? argc - 2 : (int)(sizeof sizes / sizeof *sizes);
    for (int i = 0; i < n; i++) {
        state = seed;
        everyday(argc > 2 ? atoi(argv[i + 2]) : sizes[i]);
    }
    return 0;
}
