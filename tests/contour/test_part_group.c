/*
 * Mixtures of shifted Gaussian noise on a contour against Arb, at choices so
 * poor that each bound is the largest term. A bound must cover what it
 * bounds, and not be far above it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/random.h"
#include "contour/part/part_group.h"
#include "support/group_moment.h"
#include "support/part_moments.h"

static prop_random source;

/* ---- Making parts ------------------------------------------------------ */

static unsigned fewer(double trials, unsigned most)
{
    return trials < most ? (unsigned)trials : most;
}

static const unsigned splits[][2] = {
    {1, 1}, {2, 0}, {0, 2}, {1, 1}, {2, 1}, {1, 3}, {4, 0}, {0, 5}};

static loss_law random_law(int i)
{
    double mu = exp(prop_uniform(&source, log(0.3), log(1.8)));
    double q = exp(prop_uniform(&source, log(0.003), log(0.9)));
    if (i % 3 == 2) {
        double n = floor(exp(prop_uniform(&source, log(4), log(2000))));
        double m = ceil(n * q);
        unsigned n_terms = fewer(m, 2 + (unsigned)i % 4);
        mu = fmin(mu, 3.0 / n_terms); /* within the digits of the reference */
        return i % 2 ? drawn_law(n_terms, 0, m, n, mu)
                     : drawn_law(0, n_terms, m, n, mu);
    }
    const unsigned *s = splits[(size_t)i % 8];
    return split_law(s[0], s[1], q, fmin(mu, 3.0 / (s[0] + s[1])));
}

/* ---- Quadrature -------------------------------------------------------- */

/* Few nats only: the error of the rule is far above rounding. */
static void coarse_rules_cover_their_error(void **state)
{
    (void)state;
    double worst = 0;
    int n_found = 0;
    for (int i = 0; i < 24; i++) {
        loss_law pair = random_law(i);
        part_request w = {.t = prop_uniform(&source, 0.3, 5),
            .outer = prop_uniform(&source, 1, 12),
            .digits = 8 + prop_uniform(&source, 0, 3),
            .multiple = 1};
        contour_part part;
        if (tilted(&part, &pair, &w)) {
            n_found++;
            for (int j = 1; j <= 2; j++) {
                double r = power_ratio(&part, w.outer * j / 2);
                assert_true(r <= 1);
                worst = fmax(worst, r);
            }
            double k = exact_cumulant(&pair, w.t), eps = 1e-14 * (1 + fabs(k));
            assert_true(ball_lower(part.cumulant) <= k + eps);
            assert_true(ball_upper(part.cumulant) >= k - eps);
        }
        contour_part_free(&part);
    }
    assert_true(n_found > 16);
    assert_true(worst > 1e-4);
}

/* What is asked for in digits is had. */
static void fine_rules_are_fine(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        loss_law pair = random_law(i);
        part_request w = {.t = prop_uniform(&source, 0.3, 4),
            .outer = prop_uniform(&source, 1, 15),
            .digits = 45,
            .multiple = 1};
        contour_part part;
        assert_true(tilted(&part, &pair, &w));
        assert_true(part.error <= exp(-38));
        assert_true(power_ratio(&part, w.outer) <= 1);
        contour_part_free(&part);
    }
}

/* Steps so long that the rule is off by parts in a hundred to 10^9, on strips
 * of all shapes. */
static void strips_bound_the_error(void **state)
{
    (void)state;
    double closest = HUGE_VAL;
    for (int i = 0; i < 60; i++) {
        loss_law pair = random_law(i);
        contour_part part;
        assert_true(contour_part_init(&part, &pair));
        const group *s = group_of(&part);
        assert_non_null(s);
        double t = prop_uniform(&source, 0.3, 3);
        double h = exp(prop_uniform(&source, log(0.6), log(2.5)));
        double sum = 0, fine = 0; /* at u = 0, where doubles suffice */
        double far = 14 + s->mu * ((t + 1) * s->p.n + t * pair.added);
        for (double x = -14; x < far; x += h / 64) {
            group_point p = group_at(s, x);
            double g = exp(group_log_density(&p, t));
            fine += g * h / 64;
        }
        for (double x = -h * floor(14 / h); x < far; x += h) {
            group_point p = group_at(s, x);
            sum += exp(group_log_density(&p, t)) * h;
        }
        double error = fabs(sum / fine - 1), least = HUGE_VAL;
        for (int j = 0; j < 40; j++) {
            double b = prop_uniform(&source, 0.05, 2.6);
            group_rule r = {.t = t,
                .h = h,
                .lo = -13,
                .hi = far,
                .strip = {
                    .b = b, .max_slope = exp(prop_uniform(&source, -3, 2.5))}};
            least = fmin(least, group_log_error(s, &r) - log(fine));
        }
        if (error > 1e-10) {
            assert_true(least >= log(error) - 1e-4);
            closest = fmin(closest, least - log(error));
        }
        contour_part_free(&part);
    }
    assert_true(closest < 3.5);
}

/* ---- Aliases ----------------------------------------------------------- */

static void cumulants_are_bounded(void **state)
{
    (void)state;
    int n_found = 0;
    for (int i = 0; i < 18; i++) {
        loss_law pair = random_law(i);
        part_request w = {.t = prop_uniform(&source, 0.2, 4),
            .reach = prop_uniform(&source, 0.1, 2),
            .outer = 1,
            .digits = 16,
            .multiple = 1};
        contour_part part;
        if (tilted(&part, &pair, &w)) {
            n_found++;
            const double moves[] = {0, w.reach / 9, w.reach};
            for (int j = 0; j < 3; j++) {
                double k = exact_cumulant(&pair, w.t + moves[j]);
                double bound = part.type->cumulant_upper(&part, moves[j]);
                assert_true(bound >= k - 1e-15 * (1 + fabs(k)));
                assert_true(bound <= k + 0.02 + 1e-12 * fabs(k));
            }
        }
        contour_part_free(&part);
    }
    assert_true(n_found > 12);
}

/* Nodes are taken away at one end until what lies beyond the range is a
 * good part of the sum: the bound on it must make up for them. */
static void short_ranges_are_made_up_for(void **state)
{
    (void)state;
    double tightest = HUGE_VAL;
    int n_decided = 0;
    for (int i = 0; i < 36; i++) {
        loss_law pair = random_law(i);
        part_request w = {.t = prop_uniform(&source, 0.3, 2.5),
            .reach = 1,
            .outer = 1,
            .digits = 30,
            .multiple = 1};
        contour_part part;
        assert_true(tilted(&part, &pair, &w));
        double mu = pair.parameter.hi;
        double right =
            (w.t + 1) * pair.removed * mu + prop_uniform(&source, 0.3, 2);
        if (i % 2)
            part.group->last = floor(right / part.group->h);
        else
            part.group->first =
                ceil(-prop_uniform(&source, 0.2, 3) / part.group->h);
        for (size_t j = 0; j < part.nodes.n; j++) {
            double at = part.at[j] / part.group->h;
            if (!(at > part.group->first - 0.5 && at < part.group->last + 0.5))
                part.storage[j] = 0;
        }
        double k = exact_cumulant(&pair, w.t);
        double bound = part.type->cumulant_upper(&part, 0);
        double inside =
            contour_nodes_log_sum(&part, 0) + ball_mid(part.cumulant);
        assert_true(bound >= k - 1e-12);
        if (bound < HUGE_VAL && inside < k - 1e-3) {
            n_decided++; /* the bound on the rest over the rest */
            tightest = fmin(tightest,
                (exp(bound - k) - exp(inside - k)) / (1 - exp(inside - k)));
        }
        contour_part_free(&part);
    }
    assert_true(n_decided > 8);
    assert_true(tightest < 2);
}

/* ---- Decay ------------------------------------------------------------- */

static void rotations_bound_the_decay(void **state)
{
    (void)state;
    double closest[2] = {0, 0};
    for (int i = 0; i < 36; i++) {
        loss_law pair = random_law(i);
        part_request w = {.t = prop_uniform(&source, 0.1, 4),
            .outer = 1,
            .digits = 30,
            .multiple = ldexp(1, i % 7 % 3)};
        double u = exp(prop_uniform(&source, log(0.05), log(8)));
        contour_part part;
        assert_true(contour_part_init(&part, &pair));
        cumulant_guess rough;
        assert_true(part.type->guess_cumulant(&rough, &part, w.t));
        double most = group_max_height(group_of(&part));
        contour_part_free(&part);
        double alpha = pair.parameter.hi * pair.parameter.hi * u * w.multiple *
                       prop_uniform(&source, 0.1, 1.2);
        w.alpha = fmin(alpha, prop_uniform(&source, 0.02, 0.8) * most);
        if (i % 4 < 2) { /* the alpha that a guess takes */
            assert_true(contour_part_init(&part, &pair));
            assert_true(part.type->guess_cumulant(&rough, &part, w.t));
            (void)part.type->guess_decay(&w, &part, w.t, u);
            contour_part_free(&part);
        }
        assert_true(tilted(&part, &pair, &w));
        double bound = part.type->log_decay(&part, u);
        double exact = exact_decay(&pair, w.t, u);
        assert_true(bound >= exact - 1e-13 && bound <= 0);
        for (int j = 0; j < 2; j++) {
            double v = u * exp(prop_uniform(&source, 0, 1.5));
            assert_true(bound >= exact_decay(&pair, w.t, v) - 1e-13);
        }
        bool is_truncated = part.group->p.is_truncated;
        closest[is_truncated] = fmax(closest[is_truncated], bound / exact);
        contour_part_free(&part);
    }
    assert_true(closest[0] > 0.6 && closest[1] > 0.1);
}

/* ---- Values ------------------------------------------------------------ */

/* (n, 0) against (0, n) at the tilt t: M of one pair at t is that of the
 * other at -1 - t; at 0 both are the whole mass. */
static void masses_are_whole(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        loss_law pair = random_law(i);
        contour_part part;
        assert_true(contour_part_init(&part, &pair));
        const group *s = group_of(&part);
        ball sum = ball_of(0);
        for (int j = -400; j <= 800; j++) { /* at y = 0 in steps of 1/16 */
            ball y = ball_mul_d(pair.parameter, j / 16.0);
            ball g =
                ball_sub(shifts_log(&s->p, y), ball_of(j * (double)j / 512));
            sum = ball_add(sum, ball_exp(g));
        }
        double mass = ball_mid(sum) / 16 / sqrt(2 * 3.14159265358979323846);
        double lost = 0;
        if (s->p.is_truncated) {
            double w = pow(1 - 1 / pair.population, pair.draws);
            for (unsigned k = 0; k <= pair.removed; k++) {
                lost += w;
                w *= (pair.draws - k) / ((k + 1) * (pair.population - 1));
            }
            lost = 1 - lost;
        }
        assert_true(fabs(mass + lost - 1) < 1e-12);
        contour_part_free(&part);
    }
}

int main(void)
{
    source = prop_start("test_part_group");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coarse_rules_cover_their_error),
        cmocka_unit_test(fine_rules_are_fine),
        cmocka_unit_test(strips_bound_the_error),
        cmocka_unit_test(cumulants_are_bounded),
        cmocka_unit_test(short_ranges_are_made_up_for),
        cmocka_unit_test(rotations_bound_the_decay),
        cmocka_unit_test(masses_are_whole),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
