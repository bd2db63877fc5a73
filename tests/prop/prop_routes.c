/*
 * Routes against each other on random plans of every shape, corners among
 * them: what one route guarantees never lies below what another one attains,
 * for epsilon at delta and delta at epsilon, under both relations; answers
 * are monotone in delta and in every parameter; and the two questions invert
 * each other. Work on one question ends after so many looks at the clock, as
 * it were, which keeps the run short and checks that stopping is sound.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "dosimeter.h"
#include "random.h"

#define TEXT 512
#define PLAN 2048

/* Those that the library does not know are passed over; dear ones are asked
 * about one plan in so many. */
static const struct {
    const char *name;
    int one_in;
} routes[] = {{"closed", 1}, {"spectral", 3}, {"finite", 3}, {"grid", 12},
    {"zcdp", 1}, {"approx", 1}, {"renyi", 1}};
#define N_ROUTES (sizeof routes / sizeof *routes)

static prop_random rng;

/* Parameters are made worse by this much, while the plan is the same. */
static struct {
    double noise;  /* scales are multiplied by */
    double losses; /* and losses */
    double rate;
    int count; /* and this is added to counts */
} worse = {1, 1, 1, 0};

/* ---- Random plans ------------------------------------------------------ */

static double corner(double usual, double rare)
{
    return prop_below(&rng, 12) == 0 ? rare : usual;
}

static double same_scale(void)
{
    return corner(prop_scaled(&rng, -2, 5), prop_scaled(&rng, -4, -2));
}

static double scale(void)
{
    return worse.noise * same_scale();
}

static double loss(void)
{
    return worse.losses * prop_scaled(&rng, -8, 2);
}

static double small(void)
{
    return prop_scaled(&rng, -40, -4);
}

/* Points of a law: two losses far from each other, with some mass left. */
static void leaf_loss(char *text)
{
    double a = prop_uniform(&rng, 0.05, 0.9);
    double most = prop_uniform(&rng, 0.01, 1);
    /* a e^-most + b e^least <= 1 */
    double least = prop_uniform(&rng, 0, 0.5);
    double b = fmin(1 - a, (1 - a * exp(-most)) * exp(-least)) * 0.99;
    bool inf = prop_below(&rng, 2) != 0;
    snprintf(text, TEXT, "loss([%.17g, %.17g%s], [%.17g, %.17g%s])", -least,
        most, inf ? ", inf" : "", b, a, inf ? ", 0" : "");
}

static void leaf(char *text)
{
    switch (prop_below(&rng, 16)) {
    case 0:
    case 1:
        snprintf(text, TEXT, "gaussian(%.17g)", scale());
        break;
    case 2:
    case 3:
        snprintf(text, TEXT, "laplace(%.17g)", scale());
        break;
    case 4:
        /* on a lattice delta at one epsilon may grow with the noise */
        snprintf(text, TEXT, "discrete_gaussian(%.17g)", same_scale());
        break;
    case 5:
        snprintf(text, TEXT, "discrete_laplace(%.17g)", scale());
        break;
    case 6:
    case 7:
        snprintf(text, TEXT, "rr(%.17g, %d)", loss(),
            2 + prop_below(&rng, 4));
        break;
    case 8:
        snprintf(text, TEXT, "exponential(%.17g)", loss());
        break;
    case 9:
        snprintf(text, TEXT, "pure(%.17g)", loss());
        break;
    case 10:
        snprintf(text, TEXT, "approx(%.17g, %.17g)", loss(), small());
        break;
    case 11:
        snprintf(text, TEXT, "zcdp(%.17g, 0, %.17g)", loss(),
            prop_below(&rng, 2) ? 0 : small());
        break;
    case 12:
        snprintf(text, TEXT, "gdp(%.17g)", loss());
        break;
    case 13:
        snprintf(text, TEXT, "renyi(%.17g, %.17g)",
            1 + prop_scaled(&rng, -2, 6), loss());
        break;
    case 14:
        leaf_loss(text);
        break;
    default:
        snprintf(text, TEXT, "pmf(p=[%.17g, %.17g, 1], q=[1, %.17g, %d])",
            prop_scaled(&rng, -8, 2), prop_scaled(&rng, -8, 2),
            prop_scaled(&rng, -8, 2), prop_below(&rng, 3));
        break;
    }
}

/* A sampler that has a theorem under the relation. */
static void sampler(
    char *text, const char *inner, double rate, dosi_neighbours neighbours)
{
    bool replace = neighbours == DOSI_REPLACE;
    int which = prop_below(&rng, replace ? 3 : 6);
    const char *name =
        which == 1 ? "with_replacement" : "without_replacement";
    double most = which == 1 ? 64 : 4096;
    if (replace ? which == 0 : which != 1)
        snprintf(text, TEXT, "poisson(%.17g, %.400s)", rate, inner);
    else
        snprintf(text, TEXT, "%s(%.0f, 4096, %.400s)", name,
            fmin(fmax(floor(4096 * rate), 1), most), inner);
}

static void part(char *text, dosi_neighbours neighbours)
{
    char inner[TEXT], sampled[TEXT];
    leaf(inner);
    int wrap = prop_below(&rng, 10);
    double rate = prop_below(&rng, 2) ? prop_uniform(&rng, 0, 1)
                                      : prop_scaled(&rng, -12, -1);
    rate = fmin(worse.rate * corner(rate, 1e-9), 1);
    sampler(sampled, inner, rate, neighbours);
    if (wrap <= 1)
        snprintf(text, TEXT, "group(%d, %.480s)", 2 + prop_below(&rng, 3),
            wrap == 0 ? inner : sampled);
    else
        snprintf(text, TEXT, "%.500s", wrap <= 4 ? sampled : inner);
}

static double count(void)
{
    double k = 1 + prop_below(&rng, prop_below(&rng, 4) ? 3 : 40);
    if (prop_below(&rng, 8) == 0)
        k = floor(prop_scaled(&rng, 0, 31));
    return k + worse.count;
}

static void random_plan(char *text, dosi_neighbours neighbours)
{
    int n = 1 + prop_below(&rng, 3);
    size_t used = 0;
    for (int i = 0; i < n; i++) {
        char p[TEXT];
        part(p, neighbours);
        used += (size_t)snprintf(text + used, PLAN - used, "%s%.500s * %.0f",
            i > 0 ? " + " : "", p, count());
    }
}

/* ---- Asking ------------------------------------------------------------ */

typedef struct question {
    const dosi_plan *plan;
    const char *text;
    dosi_neighbours neighbours;
    bool for_epsilon;
    double at; /* log delta, else epsilon */
} question;

/* Some milliseconds, mostly. */
#define MAX_LOOKS 10

static int stop_after(void *looks)
{
    return ++*(int *)looks > MAX_LOOKS;
}

/* False when there is no theorem for the plan under the relation. */
static bool ask(dosi_answer *a, const question *q, const char *route)
{
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_error err = {0};
    int looks = 0;
    options.route = route;
    options.neighbours = q->neighbours;
    options.max_terms = 1 << 13; /* keeps the run short */
    options.stop = stop_after;
    options.stop_context = &looks;
    dosi_status status =
        q->for_epsilon
            ? dosi_epsilon_at_log_delta(a, q->plan, q->at, &options, &err)
            : dosi_delta_at_epsilon(a, q->plan, q->at, &options, &err);
    if (status == DOSI_EUNSUPPORTED)
        return false;
    const char *name = route != NULL ? route : "all";
    if (status != DOSI_OK)
        fail_msg("%s by %s at %.17g: %s", q->text, name, q->at, err.message);
    if (!(a->value.lo <= a->value.hi))
        fail_msg("%s by %s at %.17g: [%.17g, %.17g]", q->text, name, q->at,
            a->value.lo, a->value.hi);
    return true;
}

/* What all routes together say. */
typedef struct verdict {
    double lower, upper, log_lower, log_upper;
    const char *low, *high;
} verdict;

static verdict nothing(void)
{
    return (verdict){0, HUGE_VAL, -HUGE_VAL, HUGE_VAL, "none", "none"};
}

static void take(verdict *v, const dosi_answer *a, bool for_epsilon,
    const char *name)
{
    if (a->value.lo > v->lower)
        v->lower = a->value.lo, v->low = name;
    if (a->value.hi < v->upper)
        v->upper = a->value.hi, v->high = name;
    if (!for_epsilon) {
        v->log_lower = fmax(v->log_lower, a->log_value.lo);
        v->log_upper = fmin(v->log_upper, a->log_value.hi);
    }
}

/* The greatest lower end is at most the least upper one. */
static verdict compare(const question *q)
{
    verdict v = nothing();
    for (size_t i = 0; i < N_ROUTES; i++) {
        dosi_answer a;
        const char *name = routes[i].name;
        if (prop_below(&rng, routes[i].one_in) != 0)
            continue;
        if (ask(&a, q, name))
            take(&v, &a, q->for_epsilon, name);
    }
    if (v.lower > v.upper || v.log_lower > v.log_upper)
        fail_msg("%s (%s): %s at %.17g: %s attains %.17g (%.17g), %s "
                 "guarantees %.17g (%.17g)",
            q->text, q->neighbours == DOSI_REPLACE ? "replace" : "add_remove",
            q->for_epsilon ? "epsilon" : "delta", q->at, v.low, v.lower,
            v.log_lower, v.high, v.upper, v.log_upper);
    return v;
}

/* ---- The properties ---------------------------------------------------- */

/* Some route, or all. */
static const char *any_route(void)
{
    int i = prop_below(&rng, (int)N_ROUTES + 2);
    if (i >= (int)N_ROUTES ||
        prop_below(&rng, routes[i].one_in) != 0)
        return "closed";
    return routes[i].name;
}

static void not_below(const question *less, const verdict *v,
    const question *more, const char *route, const dosi_answer *a)
{
    if (v->lower > a->value.hi)
        fail_msg("%s at %.17g: %s attains %.17g; %s at %.17g: %s guarantees "
                 "%.17g",
            less->text, less->at, v->low, v->lower, more->text, more->at,
            route, a->value.hi);
}

/* A smaller delta, or a smaller epsilon, never has a smaller answer. */
static void check_argument(const question *q, const verdict *v)
{
    question other = *q;
    dosi_answer a;
    other.at = q->for_epsilon ? q->at * prop_uniform(&rng, 1, 3)
                              : q->at * prop_uniform(&rng, 0, 1);
    const char *route = any_route();
    if (ask(&a, &other, route))
        not_below(q, v, &other, route, &a);
}

/* A worse plan never has a smaller answer. */
static void check_parameters(
    const question *q, const verdict *v, prop_random start)
{
    char text[PLAN];
    question other = *q;
    dosi_answer a;
    dosi_error err = {0};
    worse.noise = prop_below(&rng, 2) ? 0.75 : 1;
    worse.losses = prop_below(&rng, 2) ? 1.5 : 1;
    worse.rate = prop_below(&rng, 2) ? 1.25 : 1;
    worse.count = prop_below(&rng, 2);
    prop_random after = rng;
    rng = start;
    random_plan(text, q->neighbours);
    rng = after;
    worse.noise = worse.losses = worse.rate = 1;
    worse.count = 0;
    if (dosi_plan_parse(&other.plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    other.text = text;
    const char *route = any_route();
    if (ask(&a, &other, route))
        not_below(q, v, &other, route, &a);
    dosi_plan_free(other.plan);
}

/* delta at an epsilon that suffices is at most the delta that was asked for,
 * and at one that does not it is at least that. */
static void check_inverse(const question *q, const verdict *v)
{
    question back = {.plan = q->plan,
        .text = q->text,
        .neighbours = q->neighbours,
        .for_epsilon = false};
    dosi_answer a;
    const char *route = any_route();
    if (!q->for_epsilon)
        return;
    back.at = v->upper;
    if (v->upper < HUGE_VAL && ask(&a, &back, route) &&
        a.log_value.lo > q->at * (1 - 0x1p-50))
        fail_msg("%s: epsilon %.17g by %s suffices at log delta %.17g, but "
                 "%s attains %.17g",
            q->text, back.at, v->high, q->at, route, a.log_value.lo);
    back.at = v->lower;
    if (v->lower > 0 && v->lower < HUGE_VAL && ask(&a, &back, route) &&
        a.log_value.hi < q->at * (1 + 0x1p-50))
        fail_msg("%s: epsilon %.17g by %s is needed at log delta %.17g, but "
                 "%s guarantees %.17g",
            q->text, back.at, v->low, q->at, route, a.log_value.hi);
}

static void one_plan(void)
{
    char text[PLAN];
    question q = {.text = text,
        .neighbours =
            prop_below(&rng, 3) ? DOSI_ADD_REMOVE : DOSI_REPLACE};
    prop_random start = rng;
    random_plan(text, q.neighbours);
    dosi_error err = {0};
    if (dosi_plan_parse(&q.plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    q.for_epsilon = prop_below(&rng, 2) != 0;
    q.at = q.for_epsilon ? corner(log(prop_scaled(&rng, -50, -1)), -690)
                         : corner(prop_scaled(&rng, -5, 4), 700);
    verdict v = compare(&q);
    check_argument(&q, &v);
    check_parameters(&q, &v, start);
    check_inverse(&q, &v);
    dosi_plan_free(q.plan);
}

static void test_routes(void **state)
{
    (void)state;
    for (long i = prop_count(150); i > 0; i--)
        one_plan();
}

int main(void)
{
    rng = prop_start("prop_routes");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_routes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
