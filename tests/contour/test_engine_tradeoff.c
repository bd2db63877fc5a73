/*
 * Errors of tests by contours, from both sides of a pair: against closed forms
 * where there are some, and curves against those of the reversed pair, of
 * which they are the inverse.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "special/special.h"
#include "support/random.h"
#include "noise/gaussian.h"
#include "contour/engine/engine_impl.h"

static prop_random source;

static double log_uniform(double a, double b)
{
    return exp(prop_uniform(&source, log(a), log(b)));
}

static contour_engine *engine_of(const loss_law *pairs, size_t n)
{
    contour_engine *s = NULL;
    assert_int_equal(engine_new(&s, pairs, n, NULL, NULL), DOSI_OK);
    assert_non_null(s);
    return s;
}

static dosi_interval beta_of(contour_engine *s, double alpha)
{
    dosi_interval beta;
    tradeoff_known none = {1, NAN};
    assert_int_equal(engine_tradeoff(&beta, &none, s, alpha, NULL), DOSI_OK);
    assert_true(0 <= beta.lo && beta.lo <= beta.hi && beta.hi <= 1);
    return beta;
}

/* Phi(Phi^-1(1 - alpha) - mu), down to what a double holds. */
static void gaussian_curves(void **state)
{
    (void)state;
    static const double alphas[] = {1e-9, 1e-3, 0.05, 0.5, 0.9, 0.999};
    for (double mu = 0.01; mu < 42; mu *= 1.9)
        for (size_t i = 0; i < sizeof alphas / sizeof *alphas; i++) {
            loss_law pair = {.noise = LOSS_GAUSSIAN,
                .map = LOSS_PLAIN,
                .parameter = ball_of(mu / 8),
                .count = 64};
            contour_engine *s = engine_of(&pair, 1);
            dosi_interval beta = beta_of(s, alphas[i]);
            dosi_interval exact =
                ball_interval(gauss_tradeoff(ball_of(mu), ball_of(alphas[i])));
            engine_free(s);
            assert_true(beta.lo <= exact.hi && exact.lo <= beta.hi);
            /* where both errors are tiny, 1 - alpha - delta has few digits */
            double width = alphas[i] < 1e-6 ? 1e-2 : 2e-8;
            if (exact.lo > 1e-290)
                assert_true(beta.hi - beta.lo <= width * beta.hi);
            assert_true(beta.hi <= fmax(1.1 * exact.hi, 1e-290));
        }
}

/* sum_i Bin(i; n, q) Phi(z + i s) */
static ball shifted(const loss_law *pair, unsigned n, double z, double s)
{
    double q = ball_mid(pair->rate);
    ball sum = ball_of(0), weight = ball_of(1);
    for (unsigned i = 0; i < n; i++)
        weight = ball_mul(weight, ball_sub(ball_of(1), ball_of(q)));
    for (unsigned i = 0; i <= n; i++) {
        ball at = ball_add_d(ball_mul_d(pair->parameter, s * i), z);
        sum = ball_add(sum, ball_mul(weight, ball_normal_cdf(at)));
        weight = ball_mul_d(weight, (double)(n - i) / (i + 1) * q);
        weight = ball_div(weight, ball_sub(ball_of(1), ball_of(q)));
    }
    return sum;
}

/* In one run the loss rises with the noise x: a test rejects above some c. As
 * beta falls with alpha, both neighbours of alpha(c) enclose it. */
static void one_run(void **state)
{
    (void)state;
    int n_narrow = 0, n_all = 0;
    for (int i = 0; i < 24; i++) {
        loss_law pair = {.noise = LOSS_GAUSSIAN,
            .map = LOSS_GROUP,
            .parameter = ball_of(log_uniform(0.3, 2)),
            .rate = ball_of(log_uniform(0.01, 0.4)),
            .removed = (unsigned)(i % 4),
            .count = 1};
        pair.added = i % 4 == 0 ? 2u : i % 4 == 3 ? 1u : 0u;
        if (i % 4 == 1)
            pair.map = LOSS_MIXTURE_FIRST;
        double c = prop_uniform(&source, -2, 3);
        ball alpha = shifted(&pair, pair.added, -c, -1);
        ball beta = shifted(
            &pair, pair.map == LOSS_MIXTURE_FIRST ? 1 : pair.removed, c, -1);
        contour_engine *s = engine_of(&pair, 1);
        dosi_interval high = beta_of(s, ball_lower(alpha));
        dosi_interval low = beta_of(s, ball_upper(alpha));
        engine_free(s);
        assert_true(low.lo <= ball_upper(beta));
        assert_true(ball_lower(beta) <= high.hi);
        n_narrow += high.hi - low.lo < 1e-6 * high.hi;
        n_all++;
    }
    assert_true(n_narrow > n_all * 3 / 4);
}

static loss_law random_pair(int i)
{
    static const loss_map maps[] = {
        LOSS_MIXTURE_FIRST, LOSS_BASE_FIRST, LOSS_GROUP, LOSS_PLAIN};
    loss_law pair = {.noise = LOSS_GAUSSIAN,
        .map = maps[i % 4],
        .parameter = ball_of(log_uniform(0.3, 2)),
        .rate = ball_of(log_uniform(1e-3, 0.3)),
        .count = floor(log_uniform(20, 1e5))};
    if (pair.map == LOSS_GROUP) {
        pair.removed = 1 + (unsigned)(i / 4 % 3);
        pair.added = (unsigned)(i / 4 % 2);
    }
    if (pair.map == LOSS_PLAIN) {
        pair.noise = LOSS_LAPLACE;
        pair.parameter = ball_of(log_uniform(0.05, 1));
        pair.count = floor(log_uniform(20, 1e3));
    }
    return pair;
}

/* Of the reversed pair: delta at -eps, and the curve's inverse. */
static void reversed_pairs(void **state)
{
    (void)state;
    int n_narrow = 0, n_small = 0;
    for (int i = 0; i < 40; i++) {
        loss_law pairs[2] = {random_pair(i), random_pair(i / 2 + 1)};
        size_t n = i % 3 == 0 ? 2 : 1;
        contour_engine *s = engine_of(pairs, n), *other;
        assert_int_equal(contour_reversed(&other, s, NULL), DOSI_OK);
        assert_non_null(other);
        double alpha = prop_uniform(&source, 0.01, 0.99);
        dosi_interval beta = beta_of(s, alpha);
        n_small += beta.hi < 1e-20;
        if (beta.lo > 1e-280 && beta.hi < 1) {
            dosi_interval least = beta_of(other, beta.hi);
            dosi_interval most = beta_of(other, beta.lo);
            assert_true(least.lo <= alpha && alpha <= most.hi);
            n_narrow +=
                beta.hi - beta.lo < 1e-7 * beta.hi && most.hi - least.lo < 1e-4;
        }
        engine_free(s);
    }
    assert_true(n_small > 2 && n_narrow > 15);
}

/* Errors of five runs of a finite law against all atoms of the reversed one,
 * whose first hypothesis is the null. */
static void check_atoms_curve(contour_engine *s, const finite_law *one)
{
    static const double alphas[] = {1e-6, 0.05, 0.5, 0.95};
    finite_law *all = NULL;
    assert_int_equal(finite_power(&all, one, 5, 0, NULL), DOSI_OK);
    for (size_t i = 0; i < sizeof alphas / sizeof *alphas; i++) {
        dosi_interval beta = beta_of(s, alphas[i]);
        dosi_interval exact = finite_tradeoff(all, alphas[i]);
        assert_true(beta.lo <= exact.hi && exact.lo <= beta.hi);
    }
    finite_free(all);
}

/* Finite laws, with mass at infinity on one side only, or on both. */
static void check_reversed_atoms(finite_law *own)
{
    finite_law *reversed = NULL;
    loss_law pair = {
        .noise = LOSS_FINITE, .map = LOSS_PLAIN, .finite = own, .count = 5};
    contour_engine *s = engine_of(&pair, 1), *other;
    assert_int_equal(contour_reversed(&other, s, NULL), DOSI_OK);
    assert_non_null(other);
    for (double eps = -1.2; eps < 1.3; eps += 0.3) {
        dosi_interval ahead, back;
        assert_int_equal(engine_log_delta(&ahead, s, eps, NULL), DOSI_OK);
        assert_int_equal(engine_log_delta(&back, other, -eps, NULL), DOSI_OK);
        /* delta(eps) = 1 - e^eps + e^eps delta_(Q,P)(-eps) */
        double lo = 1 - exp(eps) + exp(eps + back.lo) - 1e-14;
        double hi = 1 - exp(eps) + exp(eps + back.hi) + 1e-14;
        assert_true(exp(ahead.lo) <= hi && lo <= exp(ahead.hi));
        assert_true(hi - lo < 1e-5);
    }
    assert_int_equal(finite_reverse(&reversed, own, NULL), DOSI_OK);
    check_atoms_curve(s, reversed);
    check_atoms_curve(other, own);
    engine_free(s);
    finite_free(reversed);
    finite_free(own);
}

static void reversed_atoms(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        finite_law *base = NULL, *own = NULL;
        assert_int_equal(
            finite_leaky_response(&base, ball_of(0.5), ball_of(1e-3), NULL),
            DOSI_OK);
        if (i == 2) {
            check_reversed_atoms(base);
            continue;
        }
        assert_int_equal(
            finite_poisson(&own, base, ball_of(0.3),
                i == 0 ? FINITE_MIXTURE_FIRST : FINITE_BASE_FIRST, NULL),
            DOSI_OK);
        finite_free(base);
        check_reversed_atoms(own);
    }
}

/* Where another pair is worse there is no need for the value. */
static void known_errors(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        loss_law pair = random_pair(i), half = pair;
        half.count = ceil(pair.count / 4);
        contour_engine *s = engine_of(&pair, 1), *t = engine_of(&half, 1);
        tradeoff_known known = {1, NAN};
        dosi_interval worse, found;
        assert_int_equal(
            engine_tradeoff(&worse, &known, s, 0.1, NULL), DOSI_OK);
        known.threshold = worse.lo;
        assert_int_equal(
            engine_tradeoff(&found, &known, t, 0.1, NULL), DOSI_OK);
        dosi_interval own = beta_of(t, 0.1);
        assert_true(found.lo >= worse.lo || worse.lo == 0);
        assert_true(found.lo <= own.hi && own.lo <= found.hi);
        assert_true(found.lo <= fmax(worse.lo, own.lo)); /* nor is it more */
        engine_free(s);
        engine_free(t);
    }
}

/* Nor is one taken for no worse that is. */
static void close_known_errors(void **state)
{
    (void)state;
    int n_ahead = 0;
    for (int i = 0; i < 16; i++) {
        loss_law pair = random_pair(i);
        double alpha = i % 2 ? 0.5 : 1e-3;
        contour_engine *s = engine_of(&pair, 1);
        tradeoff_known known = {1, NAN};
        dosi_interval own, found;
        assert_int_equal(
            engine_tradeoff(&own, &known, s, alpha, NULL), DOSI_OK);
        known.threshold = fmin(1.001 * own.hi, 1);
        n_ahead += known.epsilon > 0 && known.threshold < 1;
        assert_int_equal(
            engine_tradeoff(&found, &known, s, alpha, NULL), DOSI_OK);
        assert_true(found.lo <= own.hi && own.lo <= found.hi);
        known.threshold = own.lo * (1 - 1e-6); /* that it is, and no more */
        assert_int_equal(
            engine_tradeoff(&found, &known, s, alpha, NULL), DOSI_OK);
        assert_true(found.lo <= own.hi && own.lo <= found.hi);
        engine_free(s);
    }
    assert_true(n_ahead > 2);
}

int main(void)
{
    source = prop_start("test_engine_tradeoff");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gaussian_curves),
        cmocka_unit_test(one_run),
        cmocka_unit_test(reversed_pairs),
        cmocka_unit_test(reversed_atoms),
        cmocka_unit_test(known_errors),
        cmocka_unit_test(close_known_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
