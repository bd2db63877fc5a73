/*
 * The trade-off curve at its ends, where a leak decides: outcomes that one
 * data set never has. Every route alone encloses beta, and all of them
 * together know it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "dosimeter.h"

static dosi_interval beta_of(const char *text, double alpha, const char *route)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    dosi_answer a;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.route = route;
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK ||
        dosi_tradeoff_at_alpha(&a, plan, alpha, &options, &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    dosi_plan_free(plan);
    assert_true(a.value.lo >= 0 && a.value.lo <= a.value.hi);
    assert_true(a.value.hi <= 1);
    return a.value;
}

/* A plan, alpha and beta to some fifteen digits. */
typedef struct row {
    const char *plan;
    double alpha, beta;
} row;

#define ROOM 1e-14

static void encloses(const row *r, const char *route, double width)
{
    dosi_interval v = beta_of(r->plan, r->alpha, route);
    if (!(v.lo <= r->beta + ROOM && v.hi >= r->beta - ROOM &&
            v.hi - v.lo <= width))
        fail_msg("%s at %g by %s: %.17g .. %.17g for %.17g", r->plan,
            r->alpha, route != NULL ? route : "all", v.lo, v.hi, r->beta);
}

static void check(const row *r)
{
    encloses(r, NULL, 1e-9);
    for (size_t i = 0; i < dosi_route_count(); i++)
        encloses(r, dosi_route_at(i).name, 1);
}

static const char lossy[] =
    "poisson(0.5, loss([-0.29480248514458207, 0.9498050003828391,"
    " -1.497266710761091], [0.3391296618956345, 0.07584142556775472,"
    " 0.11306930068726284])) * 3";

/* At alpha 0 a test may reject what the null never has, and no more:
 * beta = prod (1 - rate leak). */
static void test_zero(void **state)
{
    (void)state;
    const row rows[] = {
        {"approx(1, 0.25)", 0, 0.75},
        {"poisson(0.3, approx(0.5, 0.1)) * 20", 0, pow(0.97, 20)},
        {"approx(4.78, 1e-6) + pure(4.32) * 2", 0, 1 - 1e-6},
        {"poisson(0.999, approx(2.48, 0.001)) * 2 + rr(3.6) + pure(4) * 2",
            0, pow(1 - 0.999e-3, 2)},
        /* (1 - (1 - 0.5280403886...)/2)^3, fractions of the doubles */
        {lossy, 0, 0.44597910653766188},
        /* the leak in the other direction is the greater one */
        {"pmf([1, 1, 0], [2, 1, 1])", 0, 0.75},
        {"pmf([2, 1, 1], [1, 1, 0]) * 2", 0, 0.5625},
        {"poisson(0.5, pmf([2, 1, 1], [1, 1, 0])) * 2 + rr(1)", 0,
            pow(0.875, 2)},
        {"gaussian(1) + poisson(0.25, approx(1, 0.5)) * 3", 0,
            pow(0.875, 3)},
        {"laplace(1) * 2 + approx(0.1, 0.01)", 0, 0.99},
        {"pmf([0, 1], [1, 0])", 0, 0},
        {"nonprivate()", 0, 0},
        {"rr(0.009462757441541644, 50) * 2", 0, 1},
        {"poisson(0.01, gaussian(1)) * 10 + exponential(0.1) * 3", 0, 1},
        {"zcdp(0.1, 0.1, 0.25)", 0, 0.75}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i]);
    /* Some mechanism moves a hundredth of its mass to a new outcome with
     * every record: groups of three leak 0.03. */
    dosi_interval group = beta_of("group(3, approx(0, 0.01))", 0, NULL);
    assert_true(group.lo <= 0.97 + ROOM && group.lo >= 0.97 - ROOM);
    /* one record alone leaks 1/8 here; a chain of two, at most twice that */
    group = beta_of("group(2, poisson(0.5, pmf([2, 1, 1], [1, 1, 0])))", 0,
        "closed");
    assert_true(group.lo <= 0.875 && group.lo >= 0.75 - ROOM);
    group = beta_of("group(2, poisson(0.5, gaussian(1)))", 0, "closed");
    assert_true(group.lo >= 1 - ROOM);
}

/* Next to 0 beta is as at 0, less what so small an alpha wins. */
static void test_next_to_zero(void **state)
{
    (void)state;
    const double alphas[] = {5e-324, 1e-310, 1e-200};
    for (size_t i = 0; i < sizeof alphas / sizeof *alphas; i++) {
        const row rows[] = {
            {"poisson(0.3, approx(0.5, 0.1)) * 20", alphas[i],
                pow(0.97, 20)},
            {"pmf([2, 1, 1], [1, 1, 0]) * 2", alphas[i], 0.5625},
            {"poisson(0.75, approx(9, 0.1)) * 2 + poisson(0.5, rr(0.5, 50))",
                alphas[i], pow(0.925, 2)},
            {lossy, alphas[i], 0.44597910653766188},
            {"gaussian(1) + approx(1, 0.5)", alphas[i], 0.5}};
        for (size_t j = 0; j < sizeof rows / sizeof *rows; j++)
            check(&rows[j]);
    }
}

/* Where the null has mass that the other never has, beta is 0 before alpha
 * is 1: rejecting all but that mass. */
static void test_near_one(void **state)
{
    (void)state;
    const row rows[] = {
        {"approx(1, 0.25)", 1, 0},
        {"approx(1, 0.25)", 0.75, 0},
        /* (1 - delta - alpha) e^-eps below that */
        {"approx(1, 0.25)", 0.625, 0.125 * exp(-1)},
        {"poisson(0.3, approx(0.5, 0.1)) * 20", 1, 0},
        {"poisson(0.3, approx(0.5, 0.1)) * 20", 0.75, 0},
        {"pmf([2, 1, 1], [1, 1, 0]) * 2", 1, 0},
        {"pmf([2, 1, 1], [1, 1, 0]) * 2", 0x1.fffffffffffffp-1, 0},
        {lossy, 1, 0},
        {lossy, 0x1.fffffffffffffp-1, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i]);
}

/* An alpha of one denormal rejects 1/2024 of an outcome that the null has
 * with probability 2024 2^-1074, in the better answer of rr(0.1). */
static void test_denormal(void **state)
{
    (void)state;
    const row rows[] = {
        {"pmf([1, 1], [1, 9.9998886718268301e-321])", 0x1p-1074,
            1 - 1.0 / 4048},
        {"pmf([1, 1], [1, 9.9998886718268301e-321]) + rr(0.1)", 0x1p-1074,
            1 - exp(0.1) / 4048},
        {"pmf([0.125, 0.5, 1.25e-200, 1], [1e-300, 6.25, 1e-12,"
         " 9.9998886718268301e-321]) + approx(0, 1e-200) * 2",
            0x1p-1074, 1 - 6.25 / 1.625 / 2024}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check(&rows[i]);
}

/* Losses so rare that their masses are no doubles any more. */
static void test_rare_losses(void **state)
{
    (void)state;
    const char text[] = "poisson(4.5787932322813038e-312,"
                        " discrete_gaussian(0.071760473473294673)) * 1797";
    const dosi_plan *plan = NULL;
    dosi_answer a;
    dosi_options options = DOSI_OPTIONS_INIT;
    options.route = "lists";
    assert_int_equal(
        dosi_plan_parse(&plan, text, strlen(text), NULL), DOSI_OK);
    assert_int_equal(
        dosi_delta_at_epsilon(&a, plan, 0, &options, NULL), DOSI_OK);
    dosi_plan_free(plan);
    /* rate x 1797 x 2 P[1 and above] = 8.2e-309 */
    assert_true(a.value.lo <= 8.23e-309 && a.value.hi >= 8.22e-309);
}

/* The greatest loss is finite, however large; a leak is a leak, however
 * small. */
static void test_divergences(void **state)
{
    (void)state;
    const struct {
        const char *plan;
        bool leaks;
    } rows[] = {{"poisson(0.0005, rr(1e300))", false},
        {"rr(1e308) * 30", false}, {"laplace(1) + approx(0, 1e-300)", true},
        {"approx(0.0625, 4.9406564584124654e-324) * 2 + rr(0.05)", true},
        {"approx(0.0625, 9.9998886718268301e-321)", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const dosi_plan *plan = NULL;
        dosi_answer mu, renyi, far; /* far: where curves run out of digits */
        const char *text = rows[i].plan;
        assert_int_equal(
            dosi_plan_parse(&plan, text, strlen(text), NULL), DOSI_OK);
        assert_int_equal(dosi_gdp_at_floor(&mu, plan, 0, NULL, NULL), DOSI_OK);
        assert_int_equal(
            dosi_renyi_at_order(&renyi, plan, 2, NULL, NULL), DOSI_OK);
        assert_int_equal(
            dosi_renyi_at_order(&far, plan, 0x1p600, NULL, NULL), DOSI_OK);
        dosi_plan_free(plan);
        const dosi_interval values[] = {mu.value, renyi.value, far.value};
        for (int k = 0; k < 3; k++)
            if (rows[i].leaks ? values[k].hi < HUGE_VAL
                              : values[k].lo == HUGE_VAL)
                fail_msg("%s: %s %g .. %g", text,
                    k == 0       ? "mu"
                        : k == 1 ? "D of order 2"
                                 : "D of order 2^600",
                    values[k].lo, values[k].hi);
    }
}

/* Laws of two directions that no pair of neighbours has together: each is
 * bounded as it is. */
static void test_unlike_directions(void **state)
{
    (void)state;
    const char text[] = "loss([0.41968489184290564, inf], [1, 0],"
                        " [0.67945302281399, inf], [0.25, 0]) * 3";
    const dosi_plan *plan = NULL;
    dosi_answer rho, delta;
    assert_int_equal(
        dosi_plan_parse(&plan, text, strlen(text), NULL), DOSI_OK);
    assert_int_equal(dosi_zcdp_at_xi(&rho, plan, 0, NULL, NULL), DOSI_OK);
    assert_int_equal(
        dosi_delta_at_epsilon(&delta, plan, 0, NULL, NULL), DOSI_OK);
    for (double order = 1e3; order < 1e9; order *= 10) {
        dosi_answer far;
        assert_int_equal(
            dosi_renyi_at_order(&far, plan, order, NULL, NULL), DOSI_OK);
        /* 3 x 0.6795 less the logarithm of 4^3 in order - 1 */
        double most = 3 * 0.67945302281399;
        assert_true(far.value.lo <= most - log(64) / (order - 1) + 1e-12);
        assert_true(far.value.hi >= most - log(64) / (order - 1) - 1e-12);
        assert_true(far.value.hi - far.value.lo < 1e-12);
    }
    dosi_plan_free(plan);
    /* the loss is 3 x 0.4197 at all times, or 0.6795 with mass 1/4 */
    double loss = 3 * 0.41968489184290564;
    assert_true(rho.value.lo <= loss && rho.value.hi >= loss * (1 - 1e-12));
    assert_true(rho.value.hi <= 3 * 0.68);
    assert_true(delta.value.hi >= 1 - exp(-loss));
}

/* What a part attains alone, it attains together with another one. */
static void test_part_of_two(void **state)
{
    (void)state;
    const char text[] = "laplace(2) * 38 + exponential(0.0015)";
    const dosi_plan *plan = NULL;
    dosi_answer a;
    assert_int_equal(
        dosi_plan_parse(&plan, text, strlen(text), NULL), DOSI_OK);
    assert_int_equal(
        dosi_epsilon_at_log_delta(&a, plan, -690, NULL, NULL), DOSI_OK);
    dosi_plan_free(plan);
    assert_true(a.value.lo >= 19 - 1e-6 && a.value.hi <= 19.0016);
}

/* Epsilon at delta 1e-6, mu, delta at epsilon 1/2, also by its logarithm, and
 * the power at alpha 0.1. */
enum { LOWER_ENDS = 5 };

static void lower_ends(double out[LOWER_ENDS], const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_answer epsilon, mu, delta, beta;
    assert_int_equal(
        dosi_plan_parse(&plan, text, strlen(text), NULL), DOSI_OK);
    assert_int_equal(
        dosi_epsilon_at_delta(&epsilon, plan, 1e-6, NULL, NULL), DOSI_OK);
    assert_int_equal(dosi_gdp_at_floor(&mu, plan, 0, NULL, NULL), DOSI_OK);
    assert_int_equal(
        dosi_delta_at_epsilon(&delta, plan, 0.5, NULL, NULL), DOSI_OK);
    assert_int_equal(
        dosi_tradeoff_at_alpha(&beta, plan, 0.1, NULL, NULL), DOSI_OK);
    dosi_plan_free(plan);
    out[0] = epsilon.value.lo;
    out[1] = mu.value.lo;
    out[2] = delta.value.lo;
    out[3] = exp(delta.log_value.lo);
    out[4] = 1 - beta.value.hi;
}

/* A part of which only a guarantee is stated takes nothing from the lower
 * ends of the others, though no law of the whole is known from below. */
static void test_stated_parts(void **state)
{
    (void)state;
    static const char *const plans[] = {
        "poisson(0.1, gaussian(1)) * 10", "group(3, poisson(0.1, gaussian(0.1)))",
        "laplace(1) * 3"};
    static const char *const stated[] = {
        "pure(0.1)", "poisson(0.1, pure(1))", "renyi(4, 0.1)"};
    static const char *const names[LOWER_ENDS] = {
        "epsilon", "mu", "delta", "e^(log delta)", "power"};
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        double alone[LOWER_ENDS];
        lower_ends(alone, plans[i]);
        assert_true(alone[0] > 0 && alone[1] > 0);
        for (size_t j = 0; j < sizeof stated / sizeof *stated; j++) {
            char text[200];
            double with[LOWER_ENDS];
            snprintf(text, sizeof text, "%s + %s", plans[i], stated[j]);
            lower_ends(with, text);
            for (int k = 0; k < LOWER_ENDS; k++)
                if (!(with[k] >= alone[k] * (1 - 1e-4)))
                    fail_msg("%s of '%s': %.17g, alone %.17g", names[k],
                        text, with[k], alone[k]);
        }
    }
}

/* A sum of lines and of curves whose least lines are known is an exact rho:
 * KL of Laplace noise of scale 2 is 1/2 + e^-1/2 - 1. */
static void test_exact_rho(void **state)
{
    (void)state;
    const char text[] = "gaussian(2) * 3 + laplace(2)";
    const dosi_plan *plan = NULL;
    dosi_answer rho;
    assert_int_equal(
        dosi_plan_parse(&plan, text, strlen(text), NULL), DOSI_OK);
    assert_int_equal(dosi_zcdp_at_xi(&rho, plan, 0, NULL, NULL), DOSI_OK);
    dosi_plan_free(plan);
    double exact = 3.0 / 8 + exp(-0.5) - 0.5;
    assert_true(rho.value.lo <= exact + 1e-15 && exact <= rho.value.hi + 1e-15);
    assert_true(rho.value.hi - rho.value.lo <= 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_part_of_two),
        cmocka_unit_test(test_stated_parts),
        cmocka_unit_test(test_exact_rho),
        cmocka_unit_test(test_denormal),
        cmocka_unit_test(test_rare_losses),
        cmocka_unit_test(test_divergences),
        cmocka_unit_test(test_unlike_directions),
        cmocka_unit_test(test_zero),
        cmocka_unit_test(test_next_to_zero),
        cmocka_unit_test(test_near_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
