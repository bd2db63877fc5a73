/*
 * Every kind of question that is answered by one interval, asked of a random
 * plan by one route or by all, with a bounded amount of work. An answer is
 * checked for itself: its ends are in order and in the range of the
 * quantity, and log delta agrees with delta. Failures are printed as
 * commands and counted, so that one run shows all of them.
 *
 * To be included first, since it asks the system for timers.
 */
#ifndef DOSI_TESTS_SUPPORT_QUESTIONS_H
#define DOSI_TESTS_SUPPORT_QUESTIONS_H

#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "dosimeter.h"
#include "random.h"
#include "random_plans.h"

typedef enum ask_kind {
    ASK_EPSILON,  /* at a log delta */
    ASK_DELTA,    /* at an epsilon */
    ASK_TRADEOFF, /* beta at an alpha */
    ASK_RENYI,    /* at an order */
    ASK_ZCDP,     /* rho at a xi */
    ASK_GDP,      /* mu at a floor */
    ASK_KINDS
} ask_kind;

typedef struct question {
    const dosi_plan *plan;
    const char *text; /* of the plan */
    dosi_neighbours neighbours;
    ask_kind kind;
    double at;
    int max_looks; /* the question is stopped then; 0: ASK_LOOKS */
} question;

/* A question as a command. */
#define ASKED_BYTES (PLAN_BYTES + 200)
/* Some milliseconds, mostly. */
#define ASK_LOOKS 10
/* Seconds of this process after which a question counts as endless. */
#define ASK_SECONDS 20
/* And after which it is printed as slow, which is no failure. */
#define ASK_SLOW_SECONDS 2

/* ---- Failures ----------------------------------------------------------- */

static long n_failures;
static char asked_now[ASKED_BYTES];

static inline void question_print(char *out, size_t size, const question *q,
    const char *route)
{
    static const char *const words[ASK_KINDS][2] = {
        {"epsilon", "--log-delta"}, {"delta", "--epsilon"},
        {"tradeoff", "--alpha"}, {"renyi", "--order"}, {"zcdp", "--xi"},
        {"gdp", "--floor"}};
    snprintf(out, size, "%s '%.2290s' %s %.17g%s%s%s", words[q->kind][0],
        q->text, words[q->kind][1], q->at,
        q->neighbours == DOSI_REPLACE ? " --neighbours replace" : "",
        route != NULL ? " --route " : "", route != NULL ? route : "");
}

/* Counts a failure, and prints the first hundred of them. */
__attribute__((format(printf, 1, 2))) static inline void report(
    const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (n_failures++ < 100) {
        printf("FAILS ");
        vprintf(format, list);
        printf("\n");
        fflush(stdout);
    }
    va_end(list);
}

static inline void nothing_failed(void)
{
    if (n_failures > 0)
        fail_msg("%ld failures, printed above", n_failures);
}

static inline void question_is_endless(int signal_number)
{
    static const char words[] = "FAILS endless: ";
    (void)signal_number;
    ssize_t n = write(STDOUT_FILENO, words, sizeof words - 1);
    n += write(STDOUT_FILENO, asked_now, strlen(asked_now));
    n += write(STDOUT_FILENO, "\n", 1);
    _exit(n > 0 ? 1 : 2);
}

/* What is asked from now on ends the program after ASK_SECONDS. */
static inline void question_watch(
    const question *q, const char *route, const char *prefix)
{
    size_t n = (size_t)snprintf(asked_now, sizeof asked_now, "%s", prefix);
    struct itimerval limit = {{0, 0}, {ASK_SECONDS, 0}};
    question_print(asked_now + n, sizeof asked_now - n, q, route);
    signal(SIGVTALRM, question_is_endless);
    setitimer(ITIMER_VIRTUAL, &limit, NULL);
}

/* ---- Asking ------------------------------------------------------------- */

static inline const dosi_plan *plan_of(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err = {0};
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    return plan;
}

typedef struct looks {
    int n, most;
} looks;

static inline int stop_after(void *context)
{
    looks *l = context;
    return ++l->n > l->most;
}

static inline dosi_options question_options(
    const question *q, const char *route, looks *l)
{
    dosi_options options = DOSI_OPTIONS_INIT;
    *l = (looks){0, q->max_looks > 0 ? q->max_looks : ASK_LOOKS};
    options.route = route;
    options.neighbours = q->neighbours;
    options.max_terms = 1 << 13; /* keeps the run short */
    options.stop = stop_after;
    options.stop_context = l;
    return options;
}

static inline dosi_status question_put(dosi_answer *a, const question *q,
    const dosi_options *options, dosi_error *err)
{
    switch (q->kind) {
    case ASK_EPSILON:
        return dosi_epsilon_at_log_delta(a, q->plan, q->at, options, err);
    case ASK_DELTA:
        return dosi_delta_at_epsilon(a, q->plan, q->at, options, err);
    case ASK_TRADEOFF:
        return dosi_tradeoff_at_alpha(a, q->plan, q->at, options, err);
    case ASK_RENYI:
        return dosi_renyi_at_order(a, q->plan, q->at, options, err);
    case ASK_ZCDP:
        return dosi_zcdp_at_xi(a, q->plan, q->at, options, err);
    case ASK_GDP:
        return dosi_gdp_at_floor(a, q->plan, q->at, options, err);
    case ASK_KINDS:
        break;
    }
    return DOSI_EINVAL;
}

/* An interval of a value and one of its logarithm have a number in common,
 * but for the rounding of log itself. */
static inline bool logs_agree(dosi_interval x, dosi_interval l)
{
    double lower = log(x.lo), upper = log(x.hi);
    return l.lo <= l.hi &&
           (upper >= l.lo || upper >= l.lo - fabs(l.lo) * 0x1p-50) &&
           (lower <= l.hi || lower <= l.hi + fabs(l.hi) * 0x1p-50);
}

static inline bool answer_is_sane(const question *q, const dosi_answer *a)
{
    dosi_interval x = a->value;
    bool probability = q->kind == ASK_DELTA || q->kind == ASK_TRADEOFF;
    return x.lo >= 0 && x.lo <= x.hi && x.hi <= (probability ? 1 : HUGE_VAL) &&
           (q->kind != ASK_DELTA || logs_agree(x, a->log_value));
}

/* False if there is no answer: there is no theorem for the plan under the
 * relation, or the question fails, which is reported. */
static inline bool ask(dosi_answer *a, const question *q, const char *route)
{
    dosi_error err = {0};
    looks l;
    dosi_options options = question_options(q, route, &l);
    question_watch(q, route, "");
    clock_t start = clock();
    dosi_status status = question_put(a, q, &options, &err);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (seconds > ASK_SLOW_SECONDS)
        printf("SLOW (%.1f s) %s\n", seconds, asked_now);
    if (status == DOSI_EUNSUPPORTED)
        return false;
    if (status != DOSI_OK)
        report("%s: %s", asked_now, err.message);
    else if (!answer_is_sane(q, a))
        report("%s: [%.17g, %.17g], log [%.17g, %.17g]", asked_now,
            a->value.lo, a->value.hi, a->log_value.lo, a->log_value.hi);
    return status == DOSI_OK;
}

/* A greater number is a greater loss of privacy: beta is negated. */
static inline dosi_interval badness(ask_kind kind, dosi_interval x)
{
    return kind == ASK_TRADEOFF ? (dosi_interval){-x.hi, -x.lo} : x;
}

/* Whether what is asked of more may lose as much privacy as what is asked of
 * less; both answers are to questions of one kind. Reports if not. */
static inline void check_not_better(const question *more,
    const dosi_answer *at_more, const question *less,
    const dosi_answer *at_less, const char *why)
{
    dosi_interval m = badness(more->kind, at_more->value);
    dosi_interval l = badness(less->kind, at_less->value);
    char first[ASKED_BYTES], second[PLAN_BYTES + 200];
    if (m.hi >= l.lo)
        return;
    question_print(first, sizeof first, more, NULL);
    question_print(second, sizeof second, less, NULL);
    report("%s: %s: [%.17g, %.17g] by %s, but %s: [%.17g, %.17g] by %s", why,
        first, at_more->value.lo, at_more->value.hi, at_more->route, second,
        at_less->value.lo, at_less->value.hi, at_less->route);
}

/* ---- Random questions --------------------------------------------------- */

static inline double random_argument(ask_kind kind, prop_random *r)
{
    bool rare = prop_below(r, 8) == 0;
    int which = prop_below(r, 4);
    switch (kind) {
    case ASK_EPSILON: {
        static const double ends[] = {-690, -1e4, -0x1p-53, -1e9};
        return rare ? ends[which] : log(prop_scaled(r, -50, -1));
    }
    case ASK_DELTA: {
        static const double ends[] = {0, 700, 0x1p-1074, 1e300};
        return rare ? ends[which] : prop_scaled(r, -5, 4);
    }
    case ASK_TRADEOFF: {
        static const double ends[] = {0, 1, 0x1p-1074, 1 - 0x1p-53};
        if (prop_below(r, 3) == 0)
            return ends[which];
        return which == 0 ? prop_scaled(r, -60, 0) : prop_uniform(r, 0, 1);
    }
    case ASK_RENYI: {
        static const double ends[] = {1 + 0x1p-52, DBL_MAX, 1e6, 1 + 1e-9};
        return rare ? ends[which] : 1 + prop_scaled(r, -4, 8);
    }
    case ASK_ZCDP: {
        static const double ends[] = {0x1p-1074, 1e300, 1e-300, 100};
        return rare ? ends[which] : which < 2 ? 0 : prop_scaled(r, -8, 2);
    }
    case ASK_GDP: {
        static const double ends[] = {0x1p-1074, 0.5 - 0x1p-54, 1e-300, 1e-9};
        return rare      ? ends[which]
               : which < 2 ? 0
                           : prop_scaled(r, -30, -1);
    }
    case ASK_KINDS:
        break;
    }
    return 0;
}

/* One question in two is for epsilon or delta, which most routes answer. */
static inline ask_kind random_kind(prop_random *r)
{
    return (ask_kind)prop_below(
        r, prop_below(r, 2) ? ASK_TRADEOFF : ASK_KINDS);
}

/* An argument at which a plan loses as much privacy or more. */
static inline double worse_argument(ask_kind kind, double at, prop_random *r)
{
    switch (kind) {
    case ASK_EPSILON:
        return fmax(at * prop_uniform(r, 1, 3), -DBL_MAX);
    case ASK_TRADEOFF:
        return at + (1 - at) * prop_uniform(r, 0, 1);
    case ASK_RENYI:
        return fmin(at * prop_uniform(r, 1, 3), DBL_MAX);
    case ASK_DELTA:
    case ASK_ZCDP:
    case ASK_GDP:
    case ASK_KINDS:
        break;
    }
    return at * prop_uniform(r, 0, 1);
}

#endif
