/*
 * Loss laws of samples with replacement against their profiles in closed
 * form, laws from bounds on a profile, and both tight engines against each
 * other.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sampling/amplify_profile.h"
#include "list/list.h"
#include "profile/profile_sampled.h"
#include "loss/loss_with_replacement.h"
#include "loss/dominating_law.h"
#include "contour/engine/engine.h"
#include "sampling/with_replacement_gaussian.h"

static loss_law drawn(loss_noise noise, double x, double m, double n, double k)
{
    return (loss_law){.noise = noise,
        .map = LOSS_WITH_REPLACEMENT,
        .flag = ATTAINED_BY_NONE,
        .composed = ATTAINED_BY_NONE,
        .parameter = ball_of(x),
        .rate = amplify_rate_with_replacement(n, m),
        .removed = loss_with_replacement_terms(m, n, -80),
        .draws = m,
        .population = n,
        .count = k};
}

/* delta at s >= 0 from the tails, the atoms and the mass at +inf. */
static ball delta_of(loss_tails *c, double s)
{
    loss_tail t = loss_upper(c, ball_of(s));
    ball d = ball_add(ball_sub(t.p, t.xq), c->p_inf);
    for (size_t i = 0; i < loss_atom_count(c); i++) {
        loss_atom a = loss_atom_at(c, i);
        ball gap = ball_sub(ball_of(s), a.at);
        if (ball_mid(gap) < 0)
            d = ball_sub(d, ball_mul(a.p, ball_expm1(gap)));
    }
    return d;
}

static void assert_meet(dosi_interval a, dosi_interval b, double width)
{
    assert_true(a.lo <= b.hi && b.lo <= a.hi);
    assert_true(a.hi - a.lo <= width * a.hi);
}

/* All of P: above 0, below 0, atoms, +inf. */
static void assert_whole(loss_tails *c)
{
    ball zero = ball_of(0);
    ball sum = ball_add(loss_upper(c, zero).p, loss_lower(c, zero).p);
    sum = ball_add(sum, c->p_inf);
    for (size_t i = 0; i < loss_atom_count(c); i++)
        sum = ball_add(sum, loss_atom_at(c, i).p);
    assert_true(ball_lower(sum) <= 1 && ball_upper(sum) >= 1);
    assert_true(fabs(ball_mid(sum) - 1) < 1e-20);
}

/* T004-10: the law's profile is the theorem's sum. */
static void test_drawn_profiles(void **state)
{
    (void)state;
    static const struct {
        loss_noise noise;
        double x, m, n;
    } rows[] = {
        {LOSS_GAUSSIAN, 0.5, 256, 60000},
        {LOSS_GAUSSIAN, 1, 100, 100},
        {LOSS_LAPLACE, 1, 100, 1000},
        {LOSS_LAPLACE, 0.2, 3, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        loss_law pair =
            drawn(rows[i].noise, rows[i].x, rows[i].m, rows[i].n, 1);
        loss_tails c;
        loss_tails_init(&c, &pair);
        assert_whole(&c);
        base_profile base = {rows[i].noise == LOSS_GAUSSIAN
                                 ? BASE_PROFILE_GAUSSIAN
                                 : BASE_PROFILE_LAPLACE,
            pair.parameter, ball_of(0)};
        privacy_profile whole =
            profile_with_replacement(&base, rows[i].m, rows[i].n);
        for (double s = 0; s < 1; s += 0.11) {
            ball d = delta_of(&c, s);
            dosi_interval sum = profile_delta(&whole, ball_of(s));
            if (sum.hi > 1e-18)
                assert_meet(ball_interval(d), sum, 1e-9);
        }
    }
}

/* X004-11.gauss by the mixture's tails, both directions. */
static void test_pair_profiles(void **state)
{
    (void)state;
    static const double rows[][3] = {
        {0.5, 256, 60000}, {1, 10, 20}, {0.25, 60, 30}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int add = 0; add < 2; add++) {
            double theta = rows[i][0], m = rows[i][1], n = rows[i][2];
            loss_law pair = drawn(LOSS_GAUSSIAN, theta, m, n, 1);
            pair.map = LOSS_GROUP;
            pair.rate = ball_div(ball_of(1), ball_of(n));
            pair.added = add ? pair.removed : 0;
            pair.removed = add ? 0 : pair.removed;
            loss_tails c;
            loss_tails_init(&c, &pair);
            for (double s = 0; s < 0.6; s += 0.07) {
                dosi_interval exact =
                    ball_interval(scaled_ball(with_replacement_gaussian_delta(
                        add ? SAMPLED_BASE_FIRST : SAMPLED_MIXTURE_FIRST, n,
                        m, ball_of(theta), ball_of(s), NULL)));
                loss_tail t = loss_upper(&c, ball_of(s));
                ball d = ball_add(ball_sub(t.p, t.xq), c.p_inf);
                if (exact.hi > 1e-16)
                    assert_meet(ball_interval(d), exact, 1e-9);
            }
        }
}

/* The weights beyond the last term are charged; 0 means too great a charge. */
static void test_terms(void **state)
{
    (void)state;
    ball w[LOSS_MAX_GROUP + 1];
    assert_int_equal(loss_with_replacement_terms(3, 5, -1000), 3);
    assert_int_equal(loss_with_replacement_terms(1, 2, 0), 1);
    assert_int_equal(loss_with_replacement_terms(1e6, 100, -40), 0);
    for (unsigned n = 1; n < 8; n++) {
        ball rest = loss_with_replacement_weights(w, n, 20, 7), sum = rest;
        for (unsigned k = 0; k <= n; k++)
            sum = ball_add(sum, w[k]);
        assert_true(ball_lower(sum) <= 1 && ball_upper(sum) >= 1);
    }
    unsigned n = loss_with_replacement_terms(20, 7, -30);
    assert_true(n > 0 && n < 20);
    ball rest = loss_with_replacement_weights(w, n, 20, 7);
    assert_true(ball_upper(rest) <= exp(-30) * 1.0001);
}

/* Exact draws at the last k: nothing is left. */
static void test_all_terms(void **state)
{
    (void)state;
    ball w[LOSS_MAX_GROUP + 1];
    assert_true(ball_is_zero(loss_with_replacement_weights(w, 4, 4, 9)));
    ball last = ball_div(ball_of(1), ball_of(6561)); /* 9^-4 */
    assert_true(fabs(ball_mid(ball_sub(w[4], last))) < 1e-30);
}

/* ---- Profiles as laws -------------------------------------------------- */

/* The profile of Gaussian noise on some points: the law has their values
 * there, is above between them, and its masses sum to 1. */
static void test_dominating_law(void **state)
{
    (void)state;
    base_profile base = {BASE_PROFILE_GAUSSIAN, ball_of(0.7), ball_of(0)};
    profile_point points[33];
    for (int i = 0; i <= 32; i++) {
        double eps = 0.1 * i;
        points[i] = (profile_point){eps,
            ball_upper(scaled_ball(base_profile_delta(&base, ball_of(eps))))};
    }
    finite_law *made = NULL;
    assert_int_equal(dominating_law_make(&made, points, 33, NULL), DOSI_OK);
    ball sum = finite_p_inf(made);
    for (size_t i = 0; i < finite_count(made); i++)
        sum = ball_add(sum, ball_exp(finite_log_mass(made, i)));
    assert_true(ball_lower(sum) <= 1 && ball_upper(sum) >= 1);
    for (double eps = -3; eps < 3; eps += 0.0625) {
        ball exact = scaled_ball(base_profile_delta(&base, ball_of(eps)));
        ball law_value = finite_delta(made, ball_of(eps));
        assert_true(ball_upper(law_value) >= ball_lower(exact));
        assert_true(ball_mid(law_value) <= ball_mid(exact) * 1.02 + 1e-5);
    }
    ball at = ball_of(1.0), there = finite_delta(made, ball_of(0.1 * 10));
    assert_true(fabs(ball_mid(there) - ball_mid(scaled_ball(base_profile_delta(
                                           &base, at)))) < 1e-15);
    finite_free(made);
}

/* Bounds that are not convex are bounded by their hull, also across 0. */
static void test_dominating_law_hull(void **state)
{
    (void)state;
    profile_point points[] = {
        {0, 0.9}, {0.5, 0.2}, {1, 0.19}, {2, 0.01}, {3, 0.02}};
    profile_point given[5];
    for (int i = 0; i < 5; i++)
        given[i] = points[i];
    finite_law *made = NULL;
    assert_int_equal(dominating_law_make(&made, points, 5, NULL), DOSI_OK);
    ball sum = finite_p_inf(made);
    for (size_t i = 0; i < finite_count(made); i++)
        sum = ball_add(sum, ball_exp(finite_log_mass(made, i)));
    assert_true(ball_lower(sum) <= 1 && ball_upper(sum) >= 1);
    for (int i = 0; i < 5; i++) {
        ball d = finite_delta(made, ball_of(given[i].eps));
        assert_true(ball_lower(d) <= given[i].delta * (1 + 1e-12));
    }
    assert_true(fabs(ball_mid(finite_p_inf(made)) - 0.01) < 1e-15);
    finite_free(made);
}

/* Slopes whose digits underflow has taken: the law is above all the same. */
static void test_dominating_law_tiny(void **state)
{
    (void)state;
    profile_point points[257], given[257];
    for (int i = 0; i <= 256; i++) {
        double left = 1 - i / 256.0;
        points[i] = given[i] =
            (profile_point){i * 1.25e-318, 6e-317 * left * left};
    }
    finite_law *made = NULL;
    assert_int_equal(dominating_law_make(&made, points, 257, NULL), DOSI_OK);
    for (int i = 0; i <= 256; i++) {
        ball d = finite_delta(made, ball_of(given[i].eps));
        assert_true(ball_upper(d) >= given[i].delta);
    }
    finite_free(made);
}

/* ---- Engines ----------------------------------------------------------- */

/* Lists and the contour enclose the same composed law. */
static void test_engines(void **state)
{
    (void)state;
    static const struct {
        loss_noise noise;
        double x, m, n, count, eps;
    } rows[] = {
        {LOSS_GAUSSIAN, 0.25, 200, 1000, 400, 2},
        {LOSS_GAUSSIAN, 0.5, 60, 10000, 300, 0.1},
        {LOSS_LAPLACE, 0.5, 20, 1000, 100, 0.5},
        {LOSS_EXPONENTIAL, 0.5, 20, 1000, 100, 0.2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        loss_law pair = drawn(
            rows[i].noise, rows[i].x, rows[i].m, rows[i].n, rows[i].count);
        pair.removed = loss_with_replacement_terms(rows[i].m, rows[i].n, -40);
        dosi_interval by_list, by_contour;
        contour_engine *s = NULL;
        work_limits limits = {.width = 1e-6, .max_bytes = WORK_BYTES};
        assert_int_equal(list_log_delta(&by_list, &pair, 1, rows[i].eps,
                             &limits, NULL),
            DOSI_OK);
        assert_int_equal(
            engine_new(&s, &pair, 1, &limits, NULL), DOSI_OK);
        assert_non_null(s);
        assert_int_equal(
            engine_log_delta(&by_contour, s, rows[i].eps, NULL), DOSI_OK);
        engine_free(s);
        assert_true(by_list.lo <= by_contour.hi);
        assert_true(by_contour.lo <= by_list.hi);
        assert_true(by_contour.hi - by_contour.lo < 1e-3);
        assert_true(by_list.hi < by_contour.hi + 0.05);
    }
}

/* The weights of more draws than are told apart lie at +inf for the upper end
 * only, and are so small that any delta has an epsilon. */
static void test_small_deltas(void **state)
{
    (void)state;
    static const double log_deltas[] = {-12, -28, -69};
    static const double most[] = {2.6, 5.3, 80};
    work_limits limits = {.width = 1e-6, .max_bytes = WORK_BYTES};
    for (int i = 0; i < 6; i++) {
        loss_law pair = drawn(LOSS_GAUSSIAN, 1, 256, 60000, 10000);
        pair.removed = loss_with_replacement_terms(256, 60000, -40);
        if (i < 3) {
            pair.map = LOSS_GROUP;
            pair.flag = pair.composed = ATTAINED_BY_MECHANISM;
            pair.rate = ball_div(ball_of(1), ball_of(60000));
        }
        ball log_delta = ball_of(log_deltas[i % 3]);
        dosi_interval eps;
        contour_engine *s = NULL;
        assert_int_equal(
            engine_new(&s, &pair, 1, &limits, NULL), DOSI_OK);
        assert_int_equal(engine_epsilon(&eps, s, ball_exp(log_delta),
                             log_delta, NULL),
            DOSI_OK);
        engine_free(s);
        assert_true(eps.lo < HUGE_VAL && eps.hi < HUGE_VAL);
        assert_true(eps.lo <= eps.hi);
        if (i < 3) /* removed, which is worse than added from here on */
            assert_true(eps.hi < most[i] && eps.lo <= most[i]);
        if (i % 3 == 0)
            assert_true(eps.hi - eps.lo < 1e-5 * eps.hi);
    }
    /* lists with few terms do not know the lower end either */
    loss_law pair = drawn(LOSS_GAUSSIAN, 1, 256, 60000, 100);
    pair.map = LOSS_GROUP;
    pair.rate = ball_div(ball_of(1), ball_of(60000));
    pair.removed = 2;
    dosi_interval eps;
    assert_int_equal(list_epsilon(&eps, &pair, 1, ball_log(ball_of(1e-6)),
                         &limits, NULL),
        DOSI_OK);
    assert_true(eps.lo < 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drawn_profiles),
        cmocka_unit_test(test_pair_profiles),
        cmocka_unit_test(test_terms),
        cmocka_unit_test(test_all_terms),
        cmocka_unit_test(test_dominating_law),
        cmocka_unit_test(test_dominating_law_hull),
        cmocka_unit_test(test_dominating_law_tiny),
        cmocka_unit_test(test_engines),
        cmocka_unit_test(test_small_deltas),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
