/*
 * The bounds of single parts on a contour against Arb, at choices so poor
 * that each bound is the largest term: coarse quadrature, short ranges, vague
 * losses. A bound must cover what it bounds, and not be far above it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/exact_moment.h"
#include "support/random.h"
#include "contour/part/part_group.h"
#include "support/part_moments.h"

static prop_random source;

/* ---- Making parts ------------------------------------------------------ */

static loss_law random_sampled(int i)
{
    double mu = exp(prop_uniform(&source, log(0.3), log(2.5)));
    double q = exp(prop_uniform(&source, log(0.003), log(0.95)));
    return sampled_law(q, mu, i % 2 == 1);
}

/* ---- Quadrature -------------------------------------------------------- */

/* 15 nats only: the error of the rule is far above rounding. */
static void coarse_rules_cover_their_error(void **state)
{
    (void)state;
    double worst[2] = {0, 0};
    int n_found = 0;
    for (int i = 0; i < 30; i++) {
        loss_law pair = random_sampled(i);
        part_request w = {.t = prop_uniform(&source, 0.3, 12),
            .outer = prop_uniform(&source, 1, 20),
            .digits = 14 + prop_uniform(&source, 0, 3),
            .multiple = 1};
        contour_part part;
        if (tilted(&part, &pair, &w)) {
            n_found++;
            for (int j = 1; j <= 3; j++) {
                double r = power_ratio(&part, w.outer * j / 3);
                assert_true(r <= 1);
                worst[i % 2] = fmax(worst[i % 2], r);
            }
            /* K(t), too */
            double k = exact_cumulant(&pair, w.t), eps = 1e-14 * (1 + fabs(k));
            assert_true(ball_lower(part.cumulant) <= k + eps);
            assert_true(ball_upper(part.cumulant) >= k - eps);
        }
        contour_part_free(&part);
    }
    assert_true(n_found > 20);
    assert_true(worst[0] > 1e-3 && worst[1] > 1e-3);
}

/* What is asked for in digits is had. */
static void fine_rules_are_fine(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        loss_law pair = random_sampled(i);
        part_request w = {.t = prop_uniform(&source, 0.3, 12),
            .outer = prop_uniform(&source, 1, 25),
            .digits = 45,
            .multiple = 1};
        contour_part part;
        assert_true(tilted(&part, &pair, &w));
        assert_true(part.error <= exp(-40));
        assert_true(power_ratio(&part, w.outer) <= 1);
        contour_part_free(&part);
    }
}

/* Exponents so large that the strip hardly helps, and hardly a turn: then
 * the flat strip's own terms decide. */
static void steep_densities_cover_their_error(void **state)
{
    (void)state;
    for (int i = 0; i < 40; i++) {
        loss_law pair = sampled_law(prop_uniform(&source, 0.05, 0.9),
            prop_uniform(&source, 0.5, 2.5), i % 4 != 0);
        part_request w = {.t = prop_uniform(&source, 5, 60),
            .reach = 0.1,
            .outer = 0.02,
            .digits = 14,
            .multiple = 1};
        if (i % 4 == 0)
            w.t /= 8;
        contour_part part;
        if (tilted(&part, &pair, &w)) {
            double k = exact_cumulant(&pair, w.t);
            double most = part.type->cumulant_upper(&part, 0);
            assert_true(most >= k - 1e-15 * (1 + fabs(k)));
            assert_true(ball_upper(part.cumulant) >= k - 1e-15 * fabs(k));
            assert_true(ball_lower(part.cumulant) <= k + 1e-15 * fabs(k));
            assert_true(power_ratio(&part, w.outer) <= 1);
        }
        contour_part_free(&part);
    }
}

/* Rules of steps 1/2 to 1/8 by themselves, on strips of all shapes. */
static void curved_strips_bound_the_error(void **state)
{
    (void)state;
    acb_t exact, rule, at_zero;
    acb_init(exact);
    acb_init(rule);
    acb_init(at_zero);
    double closest = HUGE_VAL;
    for (int i = 0; i < 60; i++) {
        loss_law pair = random_sampled(i);
        double t = prop_uniform(&source, 0.3, 6);
        double u = exp(prop_uniform(&source, log(3), log(60)));
        int fine = 1 + i % 3;
        sampled_exact(at_zero, &pair, t, 0);
        sampled_rule(exact, &pair, t, u, 6);
        sampled_rule(rule, &pair, t, u, fine);
        acb_sub(rule, rule, exact, precision);
        acb_div(rule, rule, at_zero, precision);
        acb_abs(acb_realref(rule), rule, precision);
        double error = arf_get_d(arb_midref(acb_realref(rule)), ARF_RND_NEAR);
        double least = HUGE_VAL, mu = pair.parameter.hi;
        contour_part part;
        assert_true(contour_part_init(&part, &pair));
        /* over M and sqrt(2 pi) */
        double less = exact_cumulant(&pair, t) + 0.91893853320467274;
        for (int j = 0; j < 40; j++) {
            group_rule r = {.t = t,
                .outer = u,
                .h = ldexp(1, -fine),
                .lo = -13,
                .hi = 13 + mu * (t + 1),
                .strip = {.b = prop_uniform(&source, 0.1, 1.57),
                    .max_slope = exp(prop_uniform(&source, -5, 0))}};
            least = fmin(least, group_log_error(group_of(&part), &r) - less);
        }
        contour_part_free(&part);
        assert_true(least >= log(error) - 1e-6 || error < 1e-25);
        if (error > 1e-20 && error < 0.01)
            closest = fmin(closest, least - log(error));
    }
    assert_true(closest < 3);
    acb_clear(exact);
    acb_clear(rule);
    acb_clear(at_zero);
}

/* ---- Aliases ----------------------------------------------------------- */

static void cumulants_are_bounded(void **state)
{
    (void)state;
    for (int i = 0; i < 30; i++) {
        loss_law pair = random_sampled(i);
        if (i % 3 == 2) /* the closed forms in turn */
            pair = (loss_law){.noise = (loss_noise)(i % 9 / 3),
                .parameter = ball_of(prop_uniform(&source, 0.05, 3)),
                .count = 1};
        part_request w = {.t = prop_uniform(&source, 0.2, 8),
            .reach = prop_uniform(&source, 0.1, 5),
            .outer = 1,
            .digits = 16,
            .multiple = 1};
        contour_part part;
        if (tilted(&part, &pair, &w)) {
            const double moves[] = {0, w.reach / 9, w.reach};
            for (int j = 0; j < 3; j++) {
                double k = exact_cumulant(&pair, w.t + moves[j]);
                double bound = part.type->cumulant_upper(&part, moves[j]);
                assert_true(bound >= k - 1e-15 * (1 + fabs(k)));
                assert_true(bound <= k + 0.01 + 1e-12 * fabs(k));
            }
        }
        contour_part_free(&part);
    }
}

/* Nodes are taken away at one end until what lies beyond the range is a
 * good part of the sum: the bound on it must make up for them. */
static void short_ranges_are_made_up_for(void **state)
{
    (void)state;
    double tightest = HUGE_VAL;
    int n_decided = 0;
    for (int i = 0; i < 100; i++) {
        bool pulled = i % 4 == 1; /* to the right, by nearly t mu */
        double q = prop_uniform(&source, pulled ? 0.9 : 0.01, 0.99);
        loss_law pair = sampled_law(
            q, prop_uniform(&source, 0.2, pulled ? 0.4 : 1.5), i % 2 == 1);
        part_request w = {.t = prop_uniform(&source, 0.3, pulled ? 12 : 4),
            .reach = 1,
            .outer = 1,
            .digits = 30,
            .multiple = 1};
        contour_part part;
        assert_true(tilted(&part, &pair, &w));
        double mu = pair.parameter.hi, h = part.group->h;
        double right = prop_uniform(&source, 0.3, i % 2 ? 4 : 2);
        if (pulled)
            right = w.t * mu + prop_uniform(&source, 0, 1);
        else if (i % 2 == 0)
            right += (w.t + 1) * mu;
        if (pulled || i / 2 % 2)
            part.group->last = floor(right / h);
        else
            part.group->first = ceil(-prop_uniform(&source, 0.3, 4) / h);
        for (size_t j = 0; j < part.nodes.n; j++) {
            double at = part.at[j] / h;
            if (part.storage[j] > 0 &&
                !(at > part.group->first - 0.5 && at < part.group->last + 0.5))
                part.storage[j] = 0;
        }
        const double moves[] = {0, w.reach};
        for (int j = 0; j < 2; j++) {
            double k = exact_cumulant(&pair, w.t + moves[j]);
            double bound = part.type->cumulant_upper(&part, moves[j]);
            double inside = contour_nodes_log_sum(&part, moves[j]) +
                            ball_mid(part.cumulant) +
                            ball_mid(part.mean) * moves[j];
            assert_true(bound >= k - 1e-12);
            if (bound < HUGE_VAL && inside < k - 1e-3) {
                n_decided++; /* the bound on the rest over the rest */
                tightest = fmin(tightest,
                    (exp(bound - k) - exp(inside - k)) / (1 - exp(inside - k)));
            }
        }
        contour_part_free(&part);
    }
    assert_true(n_decided > 50);
    assert_true(tightest < 1.5);
}

/* Sums with a spread of the points, and far from their mean. */
static void sums_over_nodes_are_bounded(void **state)
{
    (void)state;
    finite_law *two;
    assert_int_equal(
        finite_leaky_response(&two, ball_of(0.7), ball_of(0.1), NULL), DOSI_OK);
    loss_law pair = {.noise = LOSS_FINITE, .finite = two, .count = 1};
    for (int i = 0; i < 20; i++) {
        part_request w = {.t = prop_uniform(&source, 0.1, 30),
            .reach = 100,
            .outer = 10,
            .digits = 60,
            .multiple = 1};
        contour_part part;
        assert_true(tilted(&part, &pair, &w));
        for (double x = w.t; x < 100; x += 7) {
            /* 0.9 (e^{0.7 (x+1)} + e^{-0.7 x}) / (1 + e^0.7) */
            double k = 0.7 * x + log(0.9) + log1p(exp(-0.7 * (2 * x + 1))) -
                       log1p(exp(-0.7));
            double bound = part.type->cumulant_upper(&part, x - w.t);
            assert_true(bound >= k - 1e-14 * (1 + k));
            assert_true(bound <= k + 1e-11 * (1 + k));
        }
        contour_part_free(&part);
    }
    finite_free(two);
}

/* ---- Digits that are not there --------------------------------------------
 */

/* Losses known to six digits: all the laws that they may be. */
static void vague_losses_are_covered(void **state)
{
    (void)state;
    const double rad = 1e-6;
    ball level = ball_widen(ball_of(0.5), rad);
    finite_law *two;
    assert_int_equal(
        finite_leaky_response(&two, level, ball_of(0), NULL), DOSI_OK);
    loss_law pair = {.noise = LOSS_FINITE, .finite = two, .count = 1};
    part_request w = {.t = 2, .outer = 40, .multiple = 1};
    contour_part part;
    assert_true(tilted(&part, &pair, &w));
    for (int i = 0; i < 200; i++) {
        double e = 0.5 + (i % 5 - 2) * 0.4999 * rad, u = i * 0.2;
        double g = 1 / (1 + exp(-5 * e)); /* e^{(2t+1) e}: up, 1: down */
        double mean = (2 * g - 1) * e;
        double re = g * cos(u * (e - mean)) + (1 - g) * cos(u * (-e - mean));
        double im = g * sin(u * (e - mean)) + (1 - g) * sin(u * (-e - mean));
        disc d = part.type->power(&part, u);
        assert_true(hypot(re - d.re.hi, im - d.im.hi) <= d.rad + 1e-14);
        assert_true(d.rad <= 400 * rad * (1 + u));
    }
    contour_part_free(&part);
    finite_free(two);
}

/* A disc that lost all its digits is the unit disc, not a smaller one. */
static void lost_values_are_the_unit_disc(void **state)
{
    (void)state;
    loss_law pair = sampled_law(0.1, 1, false);
    part_request w = {.t = 1, .outer = 10, .digits = 40, .multiple = 1};
    contour_part part;
    assert_true(tilted(&part, &pair, &w));
    static const double errors[] = {3, 1e10, HUGE_VAL};
    for (int i = 0; i < 3; i++) {
        part.error = errors[i];
        disc d = part.type->power(&part, 9);
        assert_true(disc_size(d) + 1 <= d.rad + 1e-9);
    }
    contour_part_free(&part);
}

int main(void)
{
    source = prop_start("test_part");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coarse_rules_cover_their_error),
        cmocka_unit_test(fine_rules_are_fine),
        cmocka_unit_test(steep_densities_cover_their_error),
        cmocka_unit_test(curved_strips_bound_the_error),
        cmocka_unit_test(cumulants_are_bounded),
        cmocka_unit_test(short_ranges_are_made_up_for),
        cmocka_unit_test(sums_over_nodes_are_bounded),
        cmocka_unit_test(lost_values_are_the_unit_disc),
        cmocka_unit_test(vague_losses_are_covered),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
