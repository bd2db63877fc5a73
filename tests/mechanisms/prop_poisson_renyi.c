/*
 * Sampled mechanisms by the Renyi route over the whole range of parameters:
 * rates from 1e-12 to 1, noise from 1e-3 to 1e6, up to 10^12 runs, delta to
 * 1e-300, orders to 1e7. Answers are numbers, and monotone in each of them;
 * values with a dozen digits lie around those with more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include "dosimeter.h"
#include "support/random.h"
#include "renyi/poisson_base_renyi.h"
#include "renyi/without_replacement_renyi.h"

static prop_random rng;

/* ---- Plans ------------------------------------------------------------- */

typedef struct base {
    const char *before, *after;
    bool is_loss;    /* the parameter is a loss, not a scale */
    double greatest; /* scale or loss that is tried */
    int n_slow;      /* one in so many, for the dear ones */
} base;

static const base bases[] = {
    {"gaussian(", ")", false, 1e6, 1},
    {"gaussian(", ")", false, 1e6, 1},
    {"laplace(", ")", false, 1e6, 1},
    {"rr(", ")", true, 1e3, 1},
    {"rr(", ", 5)", true, 1e3, 1},
    {"pure(", ")", true, 1e3, 1},
    {"exponential(", ")", true, 1e3, 10},
    {"discrete_laplace(", ")", false, 1e6, 10},
    {"laplace(", ") + gaussian(3)", false, 1e6, 10},
};

typedef enum sampler { POISSON, BATCH } sampler;

typedef struct sampled {
    const base *base;
    sampler sampler;
    double rate, scale, count, delta;
} sampled;

/* Log-uniform, with a bias to the ends. */
static double spread(double low, double high)
{
    double u = prop_uniform(&rng, -0.05, 1.05);
    return low * pow(high / low, fmin(fmax(u, 0), 1));
}

static sampled random_sampled(void)
{
    sampled s;
    do
        s.base = &bases[prop_below(&rng, sizeof bases / sizeof *bases)];
    while (prop_below(&rng, s.base->n_slow) != 0);
    bool dear = s.base->n_slow > 1;
    s.sampler = !dear && prop_below(&rng, 20) == 0 ? BATCH : POISSON;
    s.rate = spread(1e-12, 1);
    s.scale = spread(1e-3, s.base->greatest);
    s.count = floor(spread(1, 1e12));
    s.delta = prop_below(&rng, 2) ? spread(1e-300, 0.5) : spread(1e-15, 0.5);
    return s;
}

/* Batches out of 2^40 records. */
static void print_plan(char *text, size_t size, const sampled *s)
{
    if (s->sampler == POISSON)
        snprintf(text, size, "poisson(%.17g, %s%.17g%s) * %.0f", s->rate,
            s->base->before, s->scale, s->base->after, s->count);
    else
        snprintf(text, size,
            "without_replacement(%.0f, 1099511627776, %s%.17g%s) * %.0f",
            fmax(floor(s->rate * 0x1p40), 1), s->base->before, s->scale,
            s->base->after, s->count);
}

typedef enum query { EPSILON, DELTA, RENYI } query;

static dosi_answer ask(const sampled *s, query q, double at)
{
    char text[200];
    print_plan(text, sizeof text, s);
    const dosi_plan *plan = NULL;
    dosi_error err = {0};
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    dosi_options options = DOSI_OPTIONS_INIT;
    options.route = "renyi";
    options.neighbours =
        s->sampler == BATCH ? DOSI_REPLACE : DOSI_ADD_REMOVE;
    dosi_answer a;
    dosi_status status =
        q == EPSILON ? dosi_epsilon_at_delta(&a, plan, at, &options, &err)
        : q == DELTA ? dosi_delta_at_epsilon(&a, plan, at, &options, &err)
                     : dosi_renyi_at_order(&a, plan, at, &options, &err);
    dosi_plan_free(plan);
    if (status != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    if (!(0 <= a.value.lo && a.value.lo <= a.value.hi))
        fail_msg("%s: query %d at %.17g: [%.17g, %.17g]", text, q, at,
            a.value.lo, a.value.hi);
    return a;
}

/* ---- Monotone ---------------------------------------------------------- */

/* A little, or much. */
static double factor(void)
{
    return prop_below(&rng, 2) ? 1 + prop_scaled(&rng, -40, 0)
                               : prop_scaled(&rng, 0, 10);
}

/* One parameter made worse. */
static sampled worsened(const sampled *s)
{
    sampled worse = *s;
    switch (prop_below(&rng, 4)) {
    case 0:
        worse.rate = fmin(worse.rate * factor(), 1);
        break;
    case 1:
        worse.scale = s->base->is_loss
                          ? fmin(worse.scale * factor(), 1e3)
                          : fmax(worse.scale / factor(), 1e-3);
        break;
    case 2:
        worse.count = fmin(floor(worse.count * factor()), 1e12);
        break;
    default:
        worse.delta = fmax(worse.delta / factor(), 1e-300);
        break;
    }
    return worse;
}

/* The best order is found to five digits or better. There the bound is flat,
 * but for cliffs between phases of a curve; curves without a rough value are
 * only looked at here and there, and may have several valleys. */
static double slack_of(const sampled *s)
{
    return s->sampler == BATCH || s->base->n_slow > 1 ? 1e-3 : 2e-5;
}

static void test_monotone(void **state)
{
    (void)state;
    for (long i = prop_count(500); i > 0; i--) {
        sampled s = random_sampled(), worse = worsened(&s);
        double a = ask(&s, EPSILON, s.delta).value.hi;
        double b = ask(&worse, EPSILON, worse.delta).value.hi;
        if (!(a <= b * (1 + slack_of(&s)))) {
            char text[200], more[200];
            print_plan(text, sizeof text, &s);
            print_plan(more, sizeof more, &worse);
            fail_msg("epsilon(%.17g) of %s: %.17g; epsilon(%.17g) of %s: "
                     "%.17g",
                s.delta, text, a, worse.delta, more, b);
        }
    }
}

/* The curve rises with the order, to 1e7 and beyond. */
static void test_orders(void **state)
{
    (void)state;
    for (long i = prop_count(120); i > 0; i--) {
        sampled s = random_sampled();
        s.count = 1;
        double low = 1 + spread(1e-4, 1e7), high = low * factor();
        if (s.base->n_slow > 1)
            low = fmin(low, 40), high = fmin(high, 60);
        dosi_answer a = ask(&s, RENYI, low), b = ask(&s, RENYI, high);
        if (!(a.value.lo <= b.value.hi)) {
            char text[200];
            print_plan(text, sizeof text, &s);
            fail_msg("%s: order %.17g: %.17g; order %.17g: %.17g", text, low,
                a.value.lo, high, b.value.hi);
        }
    }
}

/* No other order promises less than the one that was found. */
static void test_best_order(void **state)
{
    (void)state;
    for (long i = prop_count(120); i > 0; i--) {
        sampled s = random_sampled();
        if (s.sampler == BATCH || s.base->n_slow > 1)
            continue;
        dosi_answer a = ask(&s, EPSILON, s.delta);
        if (a.value.hi > 1e6) /* orders below 1 + 1e-9 are not tried */
            continue;
        double order = 1 + spread(1e-4, 1e6);
        if (prop_below(&rng, 2) && a.order > 1)
            order = 1 + (a.order - 1) * exp(prop_uniform(&rng, -1, 1));
        order = fmin(fmax(order, 1 + 1e-8), 1e9);
        double d = ask(&s, RENYI, order).value.hi, t = order - 1;
        double bound =
            d + log(t / order) - (log(s.delta) + log(order)) / t;
        if (!(a.value.hi <= fmax(bound, 0) * (1 + slack_of(&s)) + 1e-12)) {
            char text[200];
            print_plan(text, sizeof text, &s);
            fail_msg("epsilon(%.17g) of %s: %.17g at %.17g; %.17g at %.17g",
                s.delta, text, a.value.hi, a.order, bound, order);
        }
    }
}

/* delta(epsilon(delta)) <= delta but for the choice of the order. */
static void test_inverse(void **state)
{
    (void)state;
    for (long i = prop_count(120); i > 0; i--) {
        sampled s = random_sampled();
        double epsilon = ask(&s, EPSILON, s.delta).value.hi;
        if (!(epsilon > 0 && epsilon < 1e6))
            continue;
        dosi_answer a = ask(&s, DELTA, epsilon);
        double slack =
            slack_of(&s) * (1 + a.order * epsilon + fabs(log(s.delta)));
        if (!(a.log_value.hi <= log(s.delta) + slack)) {
            char text[200];
            print_plan(text, sizeof text, &s);
            fail_msg("%s: epsilon(%.17g) = %.17g, log delta there %.17g",
                text, s.delta, epsilon, a.log_value.hi);
        }
    }
}

/* ---- Moments ---------------------------------------------------------- */

/* E Y^s over the sample against the finite sum of P002-20 at a whole s. */
static void check_moment(ball moment, const chi_law *law, const char *name,
    double rate, double s)
{
    ball sum = wr_cumulant_at(law, ball_of(rate), WR_LOWER, s);
    double at = law->parameter.hi;
    if (ball_is_unknown(moment) || ball_is_unknown(sum))
        return;
    if (ball_less(moment, sum) || ball_less(sum, moment))
        fail_msg("%s: rate %.17g parameter %.17g s %.17g: %.17g, not %.17g",
            name, rate, at, s, moment.hi, sum.hi);
    if (moment.rad > 0x1p-35 * sum.hi)
        fail_msg("%s: rate %.17g parameter %.17g s %.17g: %g wide", name,
            rate, at, s, moment.rad / sum.hi);
}

/* Moments are known over most of the range; at whole s > 1 they are sums. */
static void check_moments(bool is_laplace, double greatest, long n)
{
    long n_known = 0;
    for (long i = n; i > 0; i--) {
        double rate = spread(1e-12, 1), t = spread(1e-6, 1e4);
        double at = spread(1e-6, greatest);
        rate = prop_below(&rng, 8) == 0 ? 1 - rate : rate;
        if (!(rate > 0 && rate < 1))
            continue;
        chi_law law = is_laplace ? chi_laplace(ball_of(at))
                                 : chi_gaussian(ball_of(at));
        bool whole = prop_below(&rng, 2);
        double s = whole ? 2 + floor(t) : -t;
        ball moment = sampled_law_log_moment(&law, ball_of(rate), ball_of(s));
        n_known += !ball_is_unknown(moment);
        if (whole)
            check_moment(moment, &law, is_laplace ? "laplace" : "gaussian",
                rate, s);
    }
    assert_true(2 * n_known > n);
}

static void test_gaussian_moments(void **state)
{
    (void)state;
    check_moments(false, 100, prop_count(600));
}

static void test_laplace_moments(void **state)
{
    (void)state;
    check_moments(true, 20, prop_count(200));
}

int main(void)
{
    rng = prop_start("prop_poisson_renyi");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_best_order),
        cmocka_unit_test(test_inverse),
        cmocka_unit_test(test_gaussian_moments),
        cmocka_unit_test(test_laplace_moments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
