/*
 * Trade-off functions by a second way: iterates step by step, curves that
 * are their own inverses, profiles against brute force over a grid, and
 * quadratures where they have closed forms.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "special/special.h"
#include "tradeoff/berry_esseen.h"
#include "literature/fixed_size_rounds.h"
#include "noise/gaussian.h"
#include "literature/product_profile.h"
#include "finite/response_composition.h"
#include "literature/response_limit.h"
#include "contour/engine/engine.h"
#include "tradeoff/tradeoff.h"
#include "literature/tradeoff_compare.h"
#include "literature/tradeoff_curve.h"
#include "literature/tradeoff_fixed_size.h"

static ball b(double x)
{
    return ball_of(x);
}

/* Two enclosures of one number, both narrow. */
static void same(ball x, ball y, double width)
{
    ball gap = ball_sub(x, y);
    double size = fabs(ball_mid(y));
    if (ball_is_unknown(gap) || ball_is_positive(gap) ||
        ball_is_negative(gap) || !(x.rad <= width * size))
        fail_msg("%.20g +- %g against %.20g +- %g", ball_mid(x), x.rad,
            ball_mid(y), y.rad);
}

/* ---- Jets ------------------------------------------------------------- */

static jet density(ball x, const void *context)
{
    (void)context;
    return jet_normal_pdf(x);
}

static void test_quadrature(void **state)
{
    (void)state;
    jet_quadrature q = {
        .f = density, .tolerance = 0x1p-80, .max_panels = 400, .step = 0.3};
    for (double to = 0.5; to < 9; to += 1.75) {
        ball exact = ball_sub(ball_normal_sf(b(-1)), ball_normal_sf(b(to)));
        same(jet_integral(&q, b(-1), b(to), 0), exact, 1e-22);
    }
    q.max_panels = 3;
    assert_true(ball_is_unknown(jet_integral(&q, b(-1), b(30), 0)));
}

/* ---- Groups ------------------------------------------------------------ */

static void test_groups(void **state)
{
    (void)state;
    const double eps[] = {0, 0.01, 0.3, 2}, delta[] = {0, 1e-6, 0.02};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            for (double alpha = 0; alpha <= 1; alpha += 0.125) {
                share f = {ball_sub(b(1), b(alpha)), b(alpha)};
                for (double k = 1; k < 9; k++) {
                    f = tradeoff_approx(
                        b(eps[i]), b(delta[j]), (share){f.rest, f.value});
                    share g = tradeoff_approx_group(
                        b(eps[i]), b(delta[j]), k, share_of(alpha));
                    same(g.value, f.value, 1e-24);
                }
            }
    /* the gap to Laplace's curve is a vertex's */
    ball e = b(0.25), x = tradeoff_approx_fixed(e, b(0));
    ball at = ball_mul(x, ball_exp(ball_mul_d(e, -3)));
    ball limit = ball_div(ball_exp(b(-1)), ball_scale2(at, 2));
    same(tradeoff_group_gap(e), ball_sub(limit, x), 1e-24);
}

/* ---- Samples of fixed size --------------------------------------------- */

static void test_sampled_curve(void **state)
{
    (void)state;
    const double rates[] = {1e-6, 0.01, 0.35, 1}, mus[] = {0.01, 1, 5};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            for (double alpha = 0.03; alpha < 1; alpha += 0.12) {
                ball p = b(rates[i]), mu = b(mus[j]);
                share f = sampled_tradeoff(p, mu, share_of(alpha));
                share back = sampled_tradeoff(p, mu, (share){f.value, f.rest});
                same(back.value, b(alpha), 1e-20); /* symmetric */
                /* the profile's line supports the curve */
                ball eps = b(0.2);
                ball delta = ball_mul(p,
                    gauss_delta(mu, ball_log1p(ball_div(ball_expm1(eps), p))));
                ball line = ball_sub(
                    ball_sub(b(1), delta), ball_mul_d(ball_exp(eps), alpha));
                assert_false(ball_less(f.value, line));
            }
}

static void test_whole_sample(void **state)
{
    (void)state;
    fixed_sample s = {b(1), b(0.75)};
    loss_moments g = moments_of_gauss(s.mu);
    same(fixed_sample_mean(&s), g.mean, 1e-17);
    same(fixed_sample_square(&s), g.square, 1e-17);
    same(fixed_sample_cube(&s), g.cube, 1e-17);
    same(fixed_sample_central(&s, g.mean, false), g.central, 1e-17);
    fixed_sample far = {b(1), b(60)}; /* e^kl is no double */
    g = moments_of_gauss(far.mu);
    same(fixed_sample_central(&far, g.mean, false), g.central, 1e-17);
    ball root = ball_sqrt(b(2 * 0.75 * 0.75));
    same(fixed_sample_pair_delta(&s, b(0.4)), gauss_delta(root, b(0.4)), 1e-17);
    root = ball_sqrt(b(0.75 * 0.75 + 4));
    same(fixed_sample_gauss_delta(&s, b(2), b(1.5)), gauss_delta(root, b(1.5)),
        1e-17);
}

/* Moments too large for a rule: (p e^(t mu^2/2))^a for a = 1000, t = 999. */
static void test_large_moment(void **state)
{
    (void)state;
    fixed_rounds r = {b(0.5), b(4), 1};
    ball log_moment, exact = ball_mul_d(ball_ln2(), -1000);
    exact = ball_add_d(exact, 999000.0 * 8);
    assert_int_equal(
        fixed_rounds_log_moment(&log_moment, &r, 1000, NULL), DOSI_OK);
    same(log_moment, exact, 1e-17);
}

/* P[L > eps] lies between the slopes of delta in e^eps on both sides. */
static void test_rounds(void **state)
{
    (void)state;
    fixed_rounds r = {b(0.01), b(1), 1000};
    loss_law one = fixed_rounds_loss(&r);
    contour_engine *s = NULL;
    assert_int_equal(engine_new(&s, &one, 1, NULL, NULL), DOSI_OK);
    engine_set_target_width(s, 1e-14);
    const double eps[] = {0.99, 1, 1.01};
    ball delta[3];
    dosi_interval x;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(engine_log_delta(&x, s, eps[i], NULL), DOSI_OK);
        assert_true(x.hi - x.lo < 1e-11);
        delta[i] = ball_exp(ball_of_interval(x));
    }
    assert_int_equal(fixed_rounds_log_alpha(&x, &r, 1, NULL), DOSI_OK);
    assert_true(x.hi - x.lo < 1e-11);
    ball alpha = ball_exp(ball_of_interval(x));
    ball grown[3];
    for (int i = 0; i < 3; i++)
        grown[i] = ball_exp(b(eps[i]));
    ball before =
        ball_div(ball_sub(delta[0], delta[1]), ball_sub(grown[1], grown[0]));
    ball after =
        ball_div(ball_sub(delta[1], delta[2]), ball_sub(grown[2], grown[1]));
    assert_true(ball_less(alpha, before) && ball_less(after, alpha));
    engine_free(s);
}

/* ---- Products ----------------------------------------------------------- */

/* Products with nothing, and products that commute. */
static void test_products(void **state)
{
    (void)state;
    same(product_laplace_laplace(b(0.5), b(1.25), b(0.3)),
        product_laplace_laplace(b(1.25), b(0.5), b(0.3)), 1e-24);
    same(product_laplace_laplace(b(0), b(1.5), b(0.5)),
        ball_neg(ball_expm1(b(-0.5))), 1e-24);
    same(product_gauss_approx(b(2), b(0), b(0), b(1)), gauss_delta(b(2), b(1)),
        1e-24);
}

/* ---- The distance to the limit ------------------------------------------ */

static void test_gap(void **state)
{
    (void)state;
    const double mus[] = {0.3, 1, 2.5};
    for (int i = 0; i < 3; i++)
        for (double n = 1; n < 12; n += 2 + n / 2) {
            n = floor(n);
            ball mu = b(mus[i]), eps = ball_div(mu, ball_sqrt(b(n)));
            response_gap g = response_gap_of(mu, n);
            double found = 0;
            for (int j = 0; j < 800; j++) { /* a grid, then the losses */
                ball s =
                    j < 780 ? b(j * 0.015) : ball_mul_d(eps, fmin(j - 780, n));
                ball gap =
                    ball_sub(optimal_composition_delta(n, eps, b(0), s, 0),
                        gauss_delta(mu, s));
                double at = fabs(ball_mid(gap)) / (1 + exp(ball_mid(s)));
                assert_true(at <= ball_upper(g.shift) * (1 + 1e-12));
                found = fmax(found, at);
            }
            assert_true(found >= ball_lower(g.shift) * 0.999);
            for (double a = 0.002; a < 1; a += 0.01) {
                bool done;
                dosi_interval f =
                    optimal_composition_tradeoff(n, eps, b(0), a, 0, &done);
                double gap = f.lo - ball_mid(gauss_tradeoff(mu, b(a)));
                assert_true(done && gap <= ball_upper(g.over) + 1e-14);
                assert_true(-gap <= ball_upper(g.under) + 1e-14);
            }
        }
}

/* ---- Vertices ------------------------------------------------------------ */

static void test_curves(void **state)
{
    (void)state;
    const curve_vertex good[] = {{0, 1}, {0.125, 0.5}, {0.5, 0.125}, {1, 0}};
    const curve_vertex bent[] = {{0, 1}, {0.5, 0.5}, {0.75, 0.0625}, {1, 0}};
    const curve_vertex high[] = {{0, 1}, {0.5, 0.625}, {1, 0}};
    assert_int_equal(curve_is_tradeoff(good, 4), VERDICT_YES);
    assert_int_equal(curve_is_tradeoff(bent, 4), VERDICT_NO);
    assert_int_equal(curve_is_tradeoff(high, 3), VERDICT_NO);
    assert_true(curve_is_symmetric(good, 4));
    const curve_vertex skew[] = {{0, 1}, {0.25, 0.5}, {1, 0}};
    assert_false(curve_is_symmetric(skew, 3));
    /* a symmetric curve is its own envelope */
    for (double a = 0; a <= 1; a += 0.0625) {
        double f = a < 0.125 ? 1 - 4 * a : a < 0.5 ? 0.625 - a : 0.25 - a / 4;
        same(curve_envelope(good, 4, a), b(f), 1e-24);
    }
    curve pure = {CURVE_APPROX, 1, 0, 1}, lap = {CURVE_LAPLACE, 1, 0, 1},
          gauss = {CURVE_GAUSS, 1.2320353, 0, 1},
          more = {CURVE_GAUSS, 1.2320354, 0, 1};
    assert_int_equal(curve_dominates(pure, gauss), VERDICT_NO);
    assert_int_equal(curve_dominates(pure, more), VERDICT_YES);
    assert_int_equal(curve_dominates(lap, pure), VERDICT_YES);
    assert_int_equal(curve_dominates(pure, lap), VERDICT_NO);
    assert_int_equal(curve_dominates(lap, more), VERDICT_YES);
    assert_int_equal(curve_dominates(gauss, lap), VERDICT_NO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quadrature),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_sampled_curve),
        cmocka_unit_test(test_whole_sample),
        cmocka_unit_test(test_large_moment),
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_products),
        cmocka_unit_test(test_gap),
        cmocka_unit_test(test_curves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
