/*
 * The accountant on random plans: no route contradicts another, answers are
 * monotone in everything they should be, and questions invert each other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "dosimeter.h"
#include "support/random.h"

#define TEXT 1024

static prop_random rng;

/* ---- Random plans ------------------------------------------------------ */

static double moderate(void)
{
    return prop_scaled(&rng, -4, 4);
}

static double loss(int extreme)
{
    return extreme ? prop_scaled(&rng, -200, 12) : prop_scaled(&rng, -6, 2);
}

static double scale(int extreme)
{
    return extreme ? prop_scaled(&rng, -900, 900) : moderate();
}

static double small(int extreme)
{
    return extreme ? prop_scaled(&rng, -900, -1) : prop_scaled(&rng, -30, -3);
}

static double count(int extreme)
{
    switch (prop_below(&rng, 5)) {
    case 0:
    case 1:
        return 1;
    case 2:
        return 1 + prop_below(&rng, 4);
    case 3:
        return 1 + prop_below(&rng, 200);
    default:
        return floor(prop_scaled(&rng, 0, extreme ? 53 : 15));
    }
}

/* Kinds without samplers; 12 of them. */
static void leaf(char *text, int kind, int extreme)
{
    switch (kind) {
    case 0:
        snprintf(text, TEXT, "gaussian(%.17g)", scale(extreme));
        break;
    case 1:
        snprintf(text, TEXT, "laplace(%.17g)", scale(extreme));
        break;
    case 2:
        snprintf(text, TEXT, "discrete_gaussian(%.17g)", scale(extreme));
        break;
    case 3:
        snprintf(text, TEXT, "discrete_laplace(%.17g)", scale(extreme));
        break;
    case 4:
        snprintf(text, TEXT, "rr(%.17g, %d)", loss(extreme),
            2 + prop_below(&rng, 4));
        break;
    case 5:
        snprintf(text, TEXT, "exponential(%.17g)", loss(extreme));
        break;
    case 6:
        snprintf(text, TEXT, "pure(%.17g)", loss(extreme));
        break;
    case 7:
        snprintf(text, TEXT, "approx(%.17g, %.17g)", loss(extreme),
            small(extreme));
        break;
    case 8:
        snprintf(text, TEXT, "zcdp(%.17g, %.17g, %.17g)", loss(extreme),
            prop_below(&rng, 2) ? 0 : loss(extreme),
            prop_below(&rng, 2) ? 0 : small(extreme));
        break;
    case 9:
        snprintf(text, TEXT, "renyi(%.17g, %.17g)", 1 + moderate(),
            loss(extreme));
        break;
    case 10:
        snprintf(text, TEXT, "gdp(%.17g)", loss(extreme));
        break;
    default:
        snprintf(text, TEXT, "pmf(p=[%.17g, %.17g, %.17g], q=[%.17g, 1, %d])",
            moderate(), moderate(), moderate(), moderate(),
            prop_below(&rng, 3));
        break;
    }
}

static void part(char *text, int extreme, int allow_sampler)
{
    char inner[TEXT];
    leaf(inner, prop_below(&rng, 12), extreme);
    int wrap = prop_below(&rng, 10);
    if (wrap == 0)
        snprintf(text, TEXT, "group(%d, %.900s)", 1 + prop_below(&rng, 6),
            inner);
    else if (wrap <= 2 && allow_sampler)
        snprintf(text, TEXT, "poisson(%.17g, %.900s)",
            prop_uniform(&rng, 0, 1) * (prop_below(&rng, 2) ? 0.01 : 1),
            inner);
    else
        snprintf(text, TEXT, "%.1000s", inner);
}

/* One to three parts; samplers of Gaussian noise run few times, since their
 * exact composition takes long. */
static void random_plan(char *text, int extreme)
{
    int n = 1 + prop_below(&rng, 3);
    size_t used = 0;
    for (int i = 0; i < n; i++) {
        char p[TEXT];
        part(p, extreme, prop_below(&rng, 3) == 0);
        double k = count(extreme);
        if (strstr(p, "poisson") != NULL && strstr(p, "g") != NULL)
            k = 1;
        used += (size_t)snprintf(text + used, 4 * TEXT - used,
            "%s%.1000s * %.0f", i > 0 ? " + " : "", p, k);
    }
}

static const dosi_plan *read_plan(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    return plan;
}

/* ---- Asking ------------------------------------------------------------ */

/* Odd plans would take seconds; stopping must be sound, too. */
static int stop_after(void *looks)
{
    return ++*(int *)looks > 10;
}

typedef enum query { EPSILON, LOG_DELTA, DELTA, TRADEOFF, RENYI } query;

static dosi_status ask_route(dosi_answer *a, const char *text, query q,
    double at, const char *route, dosi_error *err)
{
    const dosi_plan *plan = read_plan(text);
    dosi_options options = DOSI_OPTIONS_INIT;
    options.route = route;
    options.max_terms = 1 << 16; /* keeps the run short */
    int looks = 0;
    options.stop = stop_after;
    options.stop_context = &looks;
    dosi_status status = DOSI_OK;
    switch (q) {
    case EPSILON:
        status = dosi_epsilon_at_delta(a, plan, at, &options, err);
        break;
    case LOG_DELTA:
        status = dosi_epsilon_at_log_delta(a, plan, at, &options, err);
        break;
    case DELTA:
        status = dosi_delta_at_epsilon(a, plan, at, &options, err);
        break;
    case TRADEOFF:
        status = dosi_tradeoff_at_alpha(a, plan, at, &options, err);
        break;
    case RENYI:
        status = dosi_renyi_at_order(a, plan, at, &options, err);
        break;
    }
    dosi_plan_free(plan);
    return status;
}

/* Every answer is an interval of numbers in range. */
static dosi_answer ask_by(
    const char *text, query q, double at, const char *route)
{
    dosi_answer a;
    dosi_error err = {0};
    if (ask_route(&a, text, q, at, route, &err) != DOSI_OK)
        fail_msg("%s: query %d at %.17g: %s", text, q, at, err.message);
    double least = 0, most = q == DELTA || q == TRADEOFF ? 1 : HUGE_VAL;
    if (!(least <= a.value.lo && a.value.lo <= a.value.hi &&
            a.value.hi <= nextafter(most, HUGE_VAL)))
        fail_msg("%s: query %d at %.17g: [%.17g, %.17g]", text, q, at,
            a.value.lo, a.value.hi);
    if (q == DELTA &&
        !(a.log_value.lo <= a.log_value.hi && a.log_value.hi <= 0))
        fail_msg("%s: log delta at %.17g: [%.17g, %.17g]", text, at,
            a.log_value.lo, a.log_value.hi);
    assert_non_null(a.route);
    assert_non_null(a.theorem);
    assert_non_null(a.lower_meaning);
    return a;
}

static dosi_answer ask(const char *text, query q, double at)
{
    return ask_by(text, q, at, NULL);
}

static double random_argument(query q)
{
    switch (q) {
    case EPSILON:
        return prop_scaled(&rng, -60, -1);
    case LOG_DELTA:
        return -prop_scaled(&rng, -3, 12);
    case DELTA:
        return prop_below(&rng, 8) ? prop_scaled(&rng, -5, 5) : 0;
    case TRADEOFF:
        return prop_uniform(&rng, 0, 1);
    case RENYI:
        break;
    }
    return 1 + prop_scaled(&rng, -3, 5);
}

/* ---- Properties -------------------------------------------------------- */

/* The guarantee of one route never lies below what another one attains. */
static void test_routes_agree(void **state)
{
    (void)state;
    static const char *const routes[] = {
        NULL, "closed", "contour", "finite", "zcdp", "approx", "renyi"};
    for (long i = prop_count(90); i > 0; i--) {
        char text[4 * TEXT];
        random_plan(text, prop_below(&rng, 3) == 0);
        query q = (query)prop_below(&rng, 5);
        double at = random_argument(q);
        double lo = 0, hi = HUGE_VAL;
        for (size_t j = 0; j < sizeof routes / sizeof *routes; j++) {
            dosi_answer a = ask_by(text, q, at, routes[j]);
            lo = fmax(lo, a.value.lo);
            hi = fmin(hi, a.value.hi);
        }
        if (lo > hi)
            fail_msg("%s: query %d at %.17g: %.17g > %.17g", text, q, at, lo,
                hi);
    }
}

/* Extreme parameters: an answer, whatever it is. */
static void test_extremes(void **state)
{
    (void)state;
    for (long i = prop_count(300); i > 0; i--) {
        char text[4 * TEXT];
        random_plan(text, 1);
        query q = (query)prop_below(&rng, 5);
        ask(text, q, random_argument(q));
    }
}

/* delta falls in epsilon, epsilon in delta, the trade-off in alpha. */
static void test_monotone_argument(void **state)
{
    (void)state;
    for (long i = prop_count(90); i > 0; i--) {
        char text[4 * TEXT];
        random_plan(text, 0);
        query q = (query)prop_below(&rng, 5);
        double x = random_argument(q), y = random_argument(q);
        double from = fmin(x, y), to = fmax(x, y);
        dosi_answer a = ask(text, q, from), b = ask(text, q, to);
        double high = q == RENYI ? b.value.hi : a.value.hi;
        double low = q == RENYI ? a.value.lo : b.value.lo;
        if (high < low)
            fail_msg("%s: query %d at %.17g and %.17g", text, q, from, to);
    }
}

/* More runs and less noise never lose less; more of the same is the same. */
static void test_monotone_plan(void **state)
{
    (void)state;
    for (long i = prop_count(96); i > 0; i--) {
        char one[TEXT], text[4 * TEXT], more[5 * TEXT];
        int kind = prop_below(&rng, 12);
        leaf(one, kind, 0);
        int k = 1 + prop_below(&rng, 30);
        double at = prop_scaled(&rng, -5, 3);
        snprintf(text, sizeof text, "%s * %d", one, k);
        snprintf(more, sizeof more, "%s * %d", one, k + 1);
        dosi_answer a = ask(text, DELTA, at), b = ask(more, DELTA, at);
        if (b.value.hi < a.value.lo)
            fail_msg("%s loses less than %s", more, text);
        snprintf(more, sizeof more, "%s * %d + %s", one, k, one);
        dosi_answer c = ask(more, DELTA, at);
        assert_true(
            c.value.lo == b.value.lo && c.value.hi == b.value.hi);
        double s = moderate();
        static const char *const noisy[] = {
            "gaussian", "laplace", "discrete_gaussian", "discrete_laplace"};
        const char *noise = noisy[prop_below(&rng, 4)];
        snprintf(text, sizeof text, "%s(%.17g) * %d", noise, s, k);
        snprintf(more, sizeof more, "%s(%.17g) * %d", noise, s * 0.9, k);
        a = ask(text, DELTA, at);
        b = ask(more, DELTA, at);
        if (b.value.hi < a.value.lo)
            fail_msg("%s loses less than %s", more, text);
    }
}

/* epsilon(delta) and delta(epsilon) are inverse to each other. */
static void test_inverse(void **state)
{
    (void)state;
    for (long i = prop_count(90); i > 0; i--) {
        char text[4 * TEXT];
        random_plan(text, 0);
        double delta = prop_scaled(&rng, -60, -1);
        dosi_answer e = ask(text, EPSILON, delta);
        if (e.value.hi < HUGE_VAL) {
            dosi_answer d = ask(text, DELTA, e.value.hi);
            if (d.value.lo > delta)
                fail_msg("%s: delta(epsilon(%.17g).hi) > it", text, delta);
        }
        if (e.value.lo > 0 && e.value.lo < HUGE_VAL) {
            dosi_answer d = ask(text, DELTA, nextafter(e.value.lo, 0));
            if (d.value.hi < delta)
                fail_msg("%s: delta(epsilon(%.17g).lo) < it", text, delta);
        }
    }
}

/* Any epsilon bounds the trade-off: f(alpha) >= 1 - delta - e^eps alpha; and
 * any order bounds delta: log delta <= (order - 1)(D - epsilon). */
static void test_views_agree(void **state)
{
    (void)state;
    for (long i = prop_count(96); i > 0; i--) {
        char text[4 * TEXT];
        random_plan(text, 0);
        double eps = prop_scaled(&rng, -5, 3);
        dosi_answer d = ask(text, DELTA, eps);
        double alpha = prop_uniform(&rng, 0, 1) * exp(-eps);
        dosi_answer f = ask(text, TRADEOFF, alpha);
        if (f.value.hi < 1 - d.value.hi - exp(eps) * alpha - 1e-14)
            fail_msg("%s: tradeoff(%.17g) below delta(%.17g)", text, alpha,
                eps);
        double order = 1 + moderate();
        dosi_answer r = ask(text, RENYI, order);
        double bound = (order - 1) * (r.value.hi - eps);
        if (d.log_value.lo > bound + 1e-12 * (1 + fabs(bound)))
            fail_msg("%s: log delta(%.17g) above order %.17g", text, eps,
                order);
    }
}

int main(void)
{
    rng = prop_start("prop_account");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_routes_agree),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_monotone_argument),
        cmocka_unit_test(test_monotone_plan),
        cmocka_unit_test(test_inverse),
        cmocka_unit_test(test_views_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
