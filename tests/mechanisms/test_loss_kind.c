/*
 * Loss laws by points: what they must sum to, what they mean, how they are
 * printed and read, and that a plan made into one is bounded by it from the
 * side that was asked for, alone and composed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "dosimeter.h"
#include "num/exact_sum.h"

static const dosi_plan *plan_of(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err = {0};
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    return plan;
}

static void check_refused(const char *text, const char *message)
{
    const dosi_plan *plan = NULL;
    dosi_error err = {0};
    assert_int_equal(dosi_plan_parse(&plan, text, strlen(text), &err),
        DOSI_EINVAL);
    assert_string_equal(err.message, message);
    assert_null(plan);
}

static void bad_lists(void **state)
{
    (void)state;
    check_refused("loss([0, 1], [0.5, 0.6])",
        "loss: the sum of masses must be at most 1, got 1.10000000001");
    check_refused("loss([-1], [0.9])",
        "loss: no law has these losses: the sum of mass * exp(-loss) must be "
        "at most 1, got 2.44645364562");
    check_refused("loss([0, 1], [1])",
        "loss: losses and masses must have equally many entries, got 2 and 1");
    check_refused("loss([0], [-0.1])",
        "loss: each entry of masses must be between 0 and 1, got -0.1 as "
        "number 1");
    check_refused("loss([inf], [1])",
        "loss: masses must contain a positive mass at a finite loss");
    check_refused("loss([0], [1], [2], [0.9, 0.1])",
        "loss: add_losses and add_masses must have equally many entries, got 1 "
        "and 2");
}

static dosi_interval delta_of(const char *text, double eps, const char *route)
{
    const dosi_plan *plan = plan_of(text);
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_answer a;
    options.route = route;
    assert_int_equal(
        dosi_delta_at_epsilon(&a, plan, eps, &options, NULL), DOSI_OK);
    dosi_plan_free(plan);
    return a.value;
}

static void check_delta(const char *text, double eps, double want)
{
    dosi_interval got = delta_of(text, eps, NULL);
    if (!(got.lo <= want * (1 + 1e-14) && got.hi >= want * (1 - 1e-14) &&
            got.hi - got.lo <= 1e-14 * want))
        fail_msg("%s at %g: [%.17g, %.17g], not %.17g", text, eps, got.lo,
            got.hi, want);
}

#define E1 2.718281828459045235

/* By hand: delta = sum of mass (1 - e^(eps - loss)) above eps. */
static void meaning(void **state)
{
    (void)state;
    /* what is missing is at +inf */
    check_delta("loss([-1, 1], [0.25, 0.5])", 0.5,
        0.25 + 0.5 * -expm1(-0.5));
    /* adding: mass e^-loss at -loss, and what Q lacks at +inf */
    check_delta("loss([-1], [0.25])", 0.5,
        fmax(0.75, 1 - 0.25 * E1 + 0.25 * E1 * -expm1(-0.5)));
    /* +inf is listed: the rest is one outcome, 0.25 of P and 1 - 0.5/e of
     * Q; the worse direction is adding */
    double q = 1 - 0.5 / E1;
    check_delta("loss([1, inf], [0.5, 0.25])", 0,
        0.25 + 0.5 * -expm1(-1));
    check_delta("loss([1, inf], [0.5, 0.25])", 1,
        fmax(0.25, q - E1 * 0.25));
    /* its own law of adding */
    check_delta("loss([0], [1], [2], [1])", 1, -expm1(-1));
    check_delta("loss([2], [1], [0], [1])", 1, -expm1(-1));
}

static void forms(void **state)
{
    (void)state;
    const char *text = "loss([-1, 1, inf], [0.25, 0.5, 0], [0.5], [0.75])";
    const dosi_plan *plan = plan_of(text);
    char out[256];
    size_t n;
    assert_int_equal(dosi_plan_print(out, sizeof out, &n, plan,
                         DOSI_FORM_TEXT, NULL),
        DOSI_OK);
    assert_string_equal(out, text);
    assert_int_equal(dosi_plan_print(out, sizeof out, &n, plan,
                         DOSI_FORM_JSON, NULL),
        DOSI_OK);
    assert_string_equal(out,
        "{\"kind\":\"loss\",\"losses\":[-1,1,\"inf\"],\"masses\":[0.25,0.5,0],"
        "\"add_losses\":[0.5],\"add_masses\":[0.75]}");
    assert_int_equal(dosi_plan_print(out, sizeof out, &n, plan,
                         DOSI_FORM_EVENTS, NULL),
        DOSI_EUNSUPPORTED);
    const double *at = dosi_plan_list(plan, 2, &n);
    assert_int_equal(n, 1);
    assert_true(at[0] == 0.5);
    const dosi_plan *nothing = plan_of("loss([0], [1]) + pure(1)");
    const dosi_plan *normal = NULL, *pure = plan_of("pure(1)");
    assert_int_equal(dosi_plan_normal(&normal, nothing, NULL), DOSI_OK);
    assert_true(dosi_plan_equal(normal, pure));
    dosi_plan_free(plan);
    dosi_plan_free(nothing);
    dosi_plan_free(normal);
    dosi_plan_free(pure);
}

/* Every route that has something to say of a composition says the same. */
static void routes_agree(void **state)
{
    (void)state;
    const char *text =
        "loss([-1, 0.25, 1, inf], [0.1, 0.3, 0.5, 1e-9]) * 10 + gaussian(3)";
    double lower = 0, upper = 1;
    int n_narrow = 0;
    for (size_t i = 0; i < dosi_route_count(); i++) {
        dosi_interval x = delta_of(text, 4, dosi_route_at(i).name);
        lower = fmax(lower, x.lo);
        upper = fmin(upper, x.hi);
        n_narrow += x.hi - x.lo < 1e-4 * x.hi;
    }
    assert_true(lower <= upper);
    assert_true(n_narrow >= 3); /* contour, finite, lists */
}

static const dosi_plan *times(const dosi_plan *plan, double k)
{
    const dosi_plan *out = NULL;
    assert_int_equal(dosi_plan_repeat(&out, plan, k, NULL), DOSI_OK);
    return out;
}

static dosi_interval epsilon_of(
    const dosi_plan *plan, double k, double delta)
{
    const dosi_plan *all = times(plan, k);
    dosi_answer a;
    assert_int_equal(
        dosi_epsilon_at_delta(&a, all, delta, NULL, NULL), DOSI_OK);
    dosi_plan_free(all);
    return a.value;
}

static double upper_by(const char *text, double delta, const char *route)
{
    const dosi_plan *plan = plan_of(text);
    dosi_options options = DOSI_OPTIONS_INIT;
    dosi_answer a;
    options.route = route;
    assert_int_equal(
        dosi_epsilon_at_delta(&a, plan, delta, &options, NULL), DOSI_OK);
    dosi_plan_free(plan);
    return a.value.hi;
}

/* A stated guarantee as a law: above a member of its class, near to what its
 * conversion says alone, and of use beside others. */
static void stated_guarantees(void **state)
{
    (void)state;
    static const struct {
        const char *stated, *member, *alone;
    } cases[] = {
        {"zcdp(0.5) + rr(1e-6)", "gdp(1) + rr(1e-6)", "zcdp(0.5)"},
        {"zcdp(0.005) * 100 + rr(1e-6)", "gdp(0.1) * 100 + rr(1e-6)",
            "zcdp(0.5)"},
        {"zcdp(0.1, 0.2, 1e-7) + rr(1e-6)", "zcdp(0.1, 0.2, 1e-7)",
            "zcdp(0.1, 0.2, 1e-7)"},
        {"renyi(8, 1) + rr(1e-6)", "gdp(0.5) + rr(1e-6)", "renyi(8, 1)"},
    };
    static const double deltas[] = {1e-3, 1e-6, 1e-20};
    static const char *const routes[] = {"contour", "lists"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof deltas / sizeof *deltas; k++)
            for (size_t r = 0; r < 2; r++) {
                double by = upper_by(cases[i].stated, deltas[k], routes[r]);
                const dosi_plan *member = plan_of(cases[i].member);
                double least = epsilon_of(member, 1, deltas[k]).lo;
                double alone = upper_by(cases[i].alone, deltas[k], NULL);
                dosi_plan_free(member);
                if (!(by >= least && by <= 1.02 * alone + 1e-5))
                    fail_msg("%s at %g by %s: %.17g, member %.17g, alone "
                             "%.17g",
                        cases[i].stated, deltas[k], routes[r], by, least,
                        alone);
            }
    const char *mixed = "zcdp(0.5) + laplace(1) * 20";
    assert_true(upper_by(mixed, 1e-5, "contour") <
                0.999 * upper_by(mixed, 1e-5, "renyi"));
}

/* ---- Plans as laws ----------------------------------------------------- */

static const struct {
    const char *plan;
    size_t n_points;
    double delta;
    double width; /* relative, of the law's epsilon, one run and two */
    double tail;
    int only_upper;
} laws[] = {
    {"gaussian(1)", 200, 1e-5, 1e-2, 1e-15, 0},
    {"gaussian(0.1)", 200, 1e-8, 2e-2, 1e-15, 0},
    {"poisson(0.01, gaussian(1)) * 1000", 150, 1e-5, 2e-2, 1e-12, 0},
    {"poisson(1e-3, gaussian(0.5)) * 100", 100, 1e-8, 5e-2, 1e-10, 0},
    {"laplace(1) * 2", 21, 1e-6, 3e-2, 1e-12, 0},
    {"rr(1) + approx(0.5, 1e-7)", 101, 1e-5, 1e-3, 1e-12, 0},
    {"pmf([3, 1, 1], [1, 1, 3])", 100, 1e-4, 3e-2, 1e-10, 0},
    {"gaussian(2) * 4", 200, 1e-60, 0.1, 1e-100, 0},
    {"zcdp(0.1) + pure(0.5)", 30, 1e-5, 0.3, 1e-10, 1},
    {"group(2, poisson(0.1, gaussian(4)))", 5, 1e-3, 0.5, 1e-4, 1},
};

/* Losses next to the largest double: the sum of two of them is infinite. */
static void far_losses(void **state)
{
    (void)state;
    const dosi_plan *made = NULL;
    dosi_error err = {0};
    const dosi_plan *plan = plan_of(
        "discrete_laplace(2.3e-308) * 3 + gaussian(1)");
    if (dosi_loss_of_plan(&made, plan, DOSI_SIDE_LOWER, 16, 1e-4, NULL,
            &err) != DOSI_OK)
        fail_msg("%s", err.message);
    assert_true(epsilon_of(made, 1, 1e-3).lo <= 3 / 2.3e-308);
    dosi_plan_free(made);
    dosi_plan_free(plan);
}

static void plans_as_laws(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        const dosi_plan *plan = plan_of(laws[i].plan);
        for (int s = 0; s < 2 - laws[i].only_upper; s++) {
            const dosi_plan *made = NULL;
            dosi_error err = {0};
            dosi_side side = s == 0 ? DOSI_SIDE_UPPER : DOSI_SIDE_LOWER;
            if (dosi_loss_of_plan(&made, plan, side, laws[i].n_points,
                    laws[i].tail, NULL, &err) != DOSI_OK)
                fail_msg("%s: %s", laws[i].plan, err.message);
            for (int k = 1; k <= 2; k++) {
                dosi_interval own = epsilon_of(plan, k, laws[i].delta);
                dosi_interval by = epsilon_of(made, k, laws[i].delta);
                double off = fabs(s == 0 ? by.hi - own.hi : own.lo - by.lo);
                if (s == 0 ? by.hi < own.lo : by.lo > own.hi)
                    fail_msg("%s: side %d: [%.17g, %.17g] beside [%.17g, "
                             "%.17g]",
                        laws[i].plan, s, by.lo, by.hi, own.lo, own.hi);
                if (!(off <= laws[i].width * own.hi + 1e-300))
                    fail_msg("%s: side %d: off by %g of %g", laws[i].plan, s,
                        off, own.hi);
            }
            dosi_plan_free(made);
        }
        dosi_plan_free(plan);
    }
}

static void bad_exports(void **state)
{
    (void)state;
    const dosi_plan *plan = plan_of("zcdp(1)"), *made = NULL;
    dosi_error err = {0};
    assert_int_equal(dosi_loss_of_plan(&made, plan, DOSI_SIDE_LOWER, 10, 1e-6,
                         NULL, &err),
        DOSI_EUNSUPPORTED);
    assert_int_equal(dosi_loss_of_plan(&made, plan, DOSI_SIDE_UPPER, 1, 1e-6,
                         NULL, &err),
        DOSI_EINVAL);
    assert_string_equal(
        err.message, "loss: the points must be from 2 to 100000, got 1");
    assert_int_equal(dosi_loss_of_plan(&made, plan, DOSI_SIDE_UPPER, 10, 0,
                         NULL, &err),
        DOSI_EINVAL);
    assert_null(made);
    dosi_plan_free(plan);
}

/* Sums over the whole range of doubles keep every bit. */
static void exact_sums(void **state)
{
    (void)state;
    exact_sum s = {0};
    for (int round = 0; round < 2; round++)
        for (int e = -1022; e < 1000; e++)
            exact_sum_add(&s, (round == 0 ? 1.25 : -1.25) *
                                  ldexp(e % 3 == 0 ? -1 : 1, e));
    assert_int_equal(s.n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bad_lists),
        cmocka_unit_test(meaning), cmocka_unit_test(forms),
        cmocka_unit_test(routes_agree), cmocka_unit_test(stated_guarantees),
        cmocka_unit_test(far_losses),
        cmocka_unit_test(plans_as_laws),
        cmocka_unit_test(bad_exports), cmocka_unit_test(exact_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
