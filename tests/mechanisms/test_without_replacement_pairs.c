/*
 * Batches of fixed size in several steps: the interval against all data sets
 * and queries of a small mechanism, adaptive ones included, by enumeration;
 * and its ends against other numbers of the same plans.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "dosimeter.h"

static const dosi_plan *plan_of(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    return plan;
}

static dosi_answer delta_of(
    const char *text, double eps, dosi_neighbours neighbours)
{
    const dosi_plan *plan = plan_of(text);
    dosi_options opt = DOSI_OPTIONS_INIT;
    dosi_answer out;
    opt.neighbours = neighbours;
    assert_int_equal(
        dosi_delta_at_epsilon(&out, plan, eps, &opt, NULL), DOSI_OK);
    dosi_plan_free(plan);
    return out;
}

/* ---- Three records, batches of one, randomised response ---------------- */

/* The probability of a 1 with each of two data sets. */
typedef struct coin {
    double p, q;
} coin;

/*
 * A query says what bit a batch is, for each record that it may hold: two
 * bits of the records that both data sets have, and one bit each of the one
 * that was replaced. Responses keep a bit with odds e.
 */
static coin coin_of(int query)
{
    int others = (query & 1) + (query >> 1 & 1);
    double p = (others + (query >> 2 & 1)) / 3.0;
    double q = (others + (query >> 3 & 1)) / 3.0;
    double keep = 1 / (1 + exp(-1)), flip = 1 - keep;
    return (coin){flip + (keep - flip) * p, flip + (keep - flip) * q};
}

static double excess(double p, double q, double x)
{
    return fmax(p - x * q, 0);
}

/* The greatest delta of two steps, where the second query may depend on the
 * first answer. */
static double greatest(double eps)
{
    double x = exp(eps), most = 0;
    for (int first = 0; first < 16; first++) {
        coin a = coin_of(first);
        double after_one = 0, after_zero = 0;
        for (int second = 0; second < 16; second++) {
            coin b = coin_of(second);
            after_one = fmax(after_one,
                excess(a.p * b.p, a.q * b.q, x) +
                    excess(a.p * (1 - b.p), a.q * (1 - b.q), x));
            after_zero = fmax(after_zero,
                excess((1 - a.p) * b.p, (1 - a.q) * b.q, x) +
                    excess((1 - a.p) * (1 - b.p), (1 - a.q) * (1 - b.q), x));
        }
        most = fmax(most, after_one + after_zero);
    }
    return most;
}

/* The pair that is said to be attained: all other bits are 0. */
static double of_pair(double eps, bool add)
{
    coin a = coin_of(8); /* 0 in the first data set, 1 in the second */
    if (!add)
        a = (coin){a.q, a.p};
    double x = exp(eps), sum = 0;
    for (int i = 0; i < 4; i++) {
        double p = (i & 1 ? a.p : 1 - a.p) * (i & 2 ? a.p : 1 - a.p);
        double q = (i & 1 ? a.q : 1 - a.q) * (i & 2 ? a.q : 1 - a.q);
        sum += excess(p, q, x);
    }
    return sum;
}

static void test_all_queries(void **state)
{
    (void)state;
    for (int i = 0; i <= 10; i++) {
        double eps = i / 10.0;
        dosi_interval all = delta_of("without_replacement(1, 3, rr(1)) * 2",
            eps, DOSI_REPLACE)
                                .value;
        double most = greatest(eps), pair = fmax(of_pair(eps, false),
                                         of_pair(eps, true));
        assert_true(all.lo <= most + 1e-15 && most <= all.hi + 1e-15);
        /* the lower end is that of the pair */
        if (!(fabs(all.lo - pair) <= 1e-9))
            fail_msg("eps %g: %.17g, the pair has %.17g", eps, all.lo, pair);
        assert_true(most <= 1e-3 || all.hi <= 1.5 * most);
    }
}

/* ---- Many steps -------------------------------------------------------- */

static void test_ends(void **state)
{
    (void)state;
    dosi_answer all = delta_of(
        "without_replacement(256, 60000, gaussian(1.3)) * 3510", 1,
        DOSI_REPLACE);
    dosi_answer pair = delta_of(
        "poisson(256/60000, gaussian(1.3)) * 3510", 1, DOSI_ADD_REMOVE);
    /* T001-T10.delta at 15 digits */
    assert_true(all.value.hi >= 2.49507079686136e-5);
    assert_true(all.value.hi <= 2.49507079686137e-5 * (1 + 1e-6));
    assert_true(fabs(all.value.lo - pair.value.lo) <= 1e-6 * pair.value.lo);
    assert_string_equal(all.lower_meaning, "the mechanism");
}

/* A part beside the batches moves both ends. */
static void test_mixed(void **state)
{
    (void)state;
    dosi_answer all = delta_of(
        "without_replacement(10, 1000, gaussian(1)) * 200 + gaussian(3)", 1,
        DOSI_REPLACE);
    dosi_answer pair = delta_of(
        "poisson(10/1000, gaussian(1)) * 200 + gaussian(3)", 1,
        DOSI_ADD_REMOVE);
    assert_true(fabs(all.value.lo - pair.value.lo) <= 1e-6 * pair.value.lo);
    assert_true(all.value.hi > all.value.lo);
    assert_true(all.value.hi < 1.8 * all.value.lo);
}

static void test_curve(void **state)
{
    (void)state;
    const dosi_plan *plan =
        plan_of("without_replacement(10, 1000, gaussian(1)) * 500");
    const dosi_plan *pair = plan_of("poisson(10/1000, gaussian(1)) * 500");
    dosi_options opt = DOSI_OPTIONS_INIT;
    enum { N = 40 };
    double alphas[N];
    dosi_answer all[N], one[N];
    opt.neighbours = DOSI_REPLACE;
    dosi_tradeoff_alphas(alphas, N);
    assert_int_equal(
        dosi_tradeoff_curve(all, plan, alphas, N, &opt, NULL), DOSI_OK);
    assert_int_equal(
        dosi_tradeoff_curve(one, pair, alphas, N, NULL, NULL), DOSI_OK);
    for (int i = 0; i < N; i++) {
        assert_true(all[i].value.lo <= one[i].value.hi);
        /* above the pair's curve nothing is attained */
        assert_true(fabs(all[i].value.hi - one[i].value.hi) <= 2e-6);
        assert_true(all[i].value.hi - all[i].value.lo < 0.05);
    }
    dosi_plan_free(plan);
    dosi_plan_free(pair);
}

/* One step: exact, and of noise on the integers exact for the class. */
static void test_one_step(void **state)
{
    (void)state;
    dosi_answer real = delta_of(
        "without_replacement(1, 4, gaussian(1))", 0.1, DOSI_REPLACE);
    dosi_answer whole = delta_of(
        "without_replacement(1, 4, discrete_gaussian(1))", 0.1, DOSI_REPLACE);
    assert_string_equal(real.lower_meaning, "the mechanism");
    assert_string_equal(whole.lower_meaning, "the class");
    assert_true(real.value.hi - real.value.lo <= 1e-13);
    assert_true(whole.value.hi - whole.value.lo <= 1e-13);
}

/* mu is no less than the curve of the pair needs, above any floor. */
static void test_least_mu(void **state)
{
    (void)state;
    const dosi_plan *plan =
        plan_of("without_replacement(10, 1000, gaussian(1)) * 500");
    const dosi_plan *pair = plan_of("poisson(10/1000, gaussian(1)) * 500");
    dosi_options opt = DOSI_OPTIONS_INIT;
    dosi_answer all, one;
    opt.neighbours = DOSI_REPLACE;
    assert_int_equal(
        dosi_gdp_at_floor(&all, plan, 1e-4, &opt, NULL), DOSI_OK);
    assert_int_equal(
        dosi_gdp_at_floor(&one, pair, 1e-4, NULL, NULL), DOSI_OK);
    assert_true(all.value.lo <= one.value.hi);
    assert_true(all.value.lo >= 0.97 * one.value.lo);
    assert_true(all.value.hi <= 1.4 * one.value.hi);
    assert_non_null(all.reason);
    dosi_plan_free(plan);
    dosi_plan_free(pair);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_queries),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_curve),
        cmocka_unit_test(test_one_step),
        cmocka_unit_test(test_least_mu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
