/*
 * Routes against each other on random plans: what one route guarantees never
 * lies below what another one attains, for epsilon at delta and delta at
 * epsilon, under both relations, with samplers and groups.
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
} routes[] = {{"closed", 1}, {"spectral", 10}, {"finite", 1}, {"grid", 10},
    {"zcdp", 1}, {"approx", 1}, {"renyi", 1}};
#define N_ROUTES (sizeof routes / sizeof *routes)

static prop_random rng;

/* ---- Random plans ------------------------------------------------------ */

static double scale(void)
{
    return prop_scaled(&rng, -2, 5);
}

static double loss(void)
{
    return prop_scaled(&rng, -8, 2);
}

static double small(void)
{
    return prop_scaled(&rng, -40, -4);
}

static void leaf(char *text)
{
    switch (prop_below(&rng, 14)) {
    case 0:
    case 1:
        snprintf(text, TEXT, "gaussian(%.17g)", scale());
        break;
    case 2:
    case 3:
        snprintf(text, TEXT, "laplace(%.17g)", scale());
        break;
    case 4:
        snprintf(text, TEXT, "discrete_gaussian(%.17g)", scale());
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
    default:
        snprintf(text, TEXT, "pmf(p=[%.17g, %.17g, 1], q=[1, %.17g, %d])",
            loss(), loss(), loss(), prop_below(&rng, 3));
        break;
    }
}

static void part(char *text, dosi_neighbours neighbours)
{
    char inner[TEXT];
    leaf(inner);
    int wrap = prop_below(&rng, 8);
    double rate = prop_below(&rng, 2) ? prop_uniform(&rng, 0, 1)
                                      : prop_scaled(&rng, -12, -1);
    if (wrap == 0)
        snprintf(text, TEXT, "group(%d, %.400s)", 2 + prop_below(&rng, 4),
            inner);
    else if (wrap <= 3 && neighbours == DOSI_ADD_REMOVE)
        snprintf(text, TEXT, "poisson(%.17g, %.400s)", rate, inner);
    else if (wrap <= 3)
        snprintf(text, TEXT, "without_replacement(%.0f, 4096, %.400s)",
            fmax(floor(4096 * rate), 1), inner);
    else
        snprintf(text, TEXT, "%.400s", inner);
}

static void random_plan(char *text, dosi_neighbours neighbours)
{
    int n = 1 + prop_below(&rng, 3);
    size_t used = 0;
    for (int i = 0; i < n; i++) {
        char p[TEXT];
        part(p, neighbours);
        int k = 1 + prop_below(&rng, prop_below(&rng, 4) ? 3 : 40);
        used += (size_t)snprintf(text + used, PLAN - used, "%s%.500s * %d",
            i > 0 ? " + " : "", p, k);
    }
}

/* ---- Asking ------------------------------------------------------------ */

typedef struct question {
    const dosi_plan *plan;
    dosi_neighbours neighbours;
    bool for_epsilon;
    double at; /* delta, else epsilon */
} question;

/* False when the library does not know the route. */
static bool ask(dosi_answer *a, const question *q, const char *route,
    const char *text)
{
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_error err = {0};
    options.route = route;
    options.neighbours = q->neighbours;
    options.max_terms = 1 << 13; /* keeps the run short */
    dosi_status status =
        q->for_epsilon
            ? dosi_epsilon_at_delta(a, q->plan, q->at, &options, &err)
            : dosi_delta_at_epsilon(a, q->plan, q->at, &options, &err);
    if (status == DOSI_EINVAL && strstr(err.message, "route") != NULL)
        return false;
    if (status != DOSI_OK)
        fail_msg("%s by %s at %.17g: %s", text, route, q->at, err.message);
    if (!(a->value.lo <= a->value.hi))
        fail_msg("%s by %s at %.17g: [%.17g, %.17g]", text, route, q->at,
            a->value.lo, a->value.hi);
    return true;
}

/* The greatest lower end is at most the least upper one. */
static void compare(const question *q, const char *text)
{
    double lower = 0, upper = HUGE_VAL;
    double log_lower = -HUGE_VAL, log_upper = HUGE_VAL;
    const char *low = "none", *high = "none";
    for (size_t i = 0; i < N_ROUTES; i++) {
        dosi_answer a;
        const char *name = routes[i].name;
        if (prop_below(&rng, routes[i].one_in) != 0 ||
            !ask(&a, q, name, text))
            continue;
        if (a.value.lo > lower)
            lower = a.value.lo, low = name;
        if (a.value.hi < upper)
            upper = a.value.hi, high = name;
        if (!q->for_epsilon) {
            log_lower = fmax(log_lower, a.log_value.lo);
            log_upper = fmin(log_upper, a.log_value.hi);
        }
    }
    if (lower > upper || log_lower > log_upper)
        fail_msg("%s: %s at %.17g: %s attains %.17g (%.17g), %s guarantees "
                 "%.17g (%.17g)",
            text, q->for_epsilon ? "epsilon" : "delta", q->at, low, lower,
            log_lower, high, upper, log_upper);
}

static void test_routes(void **state)
{
    (void)state;
    for (long i = prop_count(150); i > 0; i--) {
        char text[PLAN];
        question q = {.neighbours = prop_below(&rng, 3) ? DOSI_ADD_REMOVE
                                                        : DOSI_REPLACE};
        random_plan(text, q.neighbours);
        dosi_error err = {0};
        if (dosi_plan_parse(&q.plan, text, strlen(text), &err) != DOSI_OK)
            fail_msg("%s: %s", text, err.message);
        q.for_epsilon = prop_below(&rng, 2) != 0;
        q.at = q.for_epsilon ? prop_scaled(&rng, -50, -1)
                             : prop_scaled(&rng, -5, 4);
        compare(&q, text);
        dosi_plan_free(q.plan);
    }
}

int main(void)
{
    rng = prop_start("prop_routes");
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_routes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
