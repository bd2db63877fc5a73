/*
 * The decay of single parts along a contour against Arb: odd rotations, closed
 * forms, and bounds for several runs at once. A bound must cover what it
 * bounds, and not be far above it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/exact_moment.h"
#include "support/random.h"
#include "contour/part/part.h"
#include "support/part_moments.h"

static prop_random source;

static loss_law random_sampled(int i)
{
    double mu = exp(prop_uniform(&source, log(0.3), log(2.5)));
    double q = exp(prop_uniform(&source, log(0.003), log(0.95)));
    return sampled_law(q, mu, i % 2 == 1);
}

/* bound(u) >= log |chi(v)| for v >= u; returns how near it is at u. */
static double decay_holds(const contour_part *part, double u)
{
    double bound = part->type->log_decay(part, u), near = 0;
    assert_true(bound <= 0);
    for (int i = 0; i < 8; i++) {
        double v = u * (i == 0 ? 1 : exp(prop_uniform(&source, 0, 1.5)));
        double exact = exact_decay(part->law, part->want.t, v);
        assert_true(bound >= exact - 1e-13 - 1e-14 * fabs(exact));
        near = i == 0 ? bound / exact : near;
    }
    return near;
}

static void rotations_bound_the_decay(void **state)
{
    (void)state;
    double closest = 0;
    for (int i = 0; i < 80; i++) {
        loss_law pair = random_sampled(i);
        part_request w = {.t = prop_uniform(&source, 0.1, 5),
            .outer = 1, .digits = 30, .multiple = ldexp(1, i % 7 % 4)};
        double u = exp(prop_uniform(&source, log(0.05), log(20)));
        double alpha = pair.parameter.hi * pair.parameter.hi * u *
                       w.multiple * prop_uniform(&source, 0.1, 1.2);
        w.alpha = fmin(alpha, prop_uniform(&source, 0.02, 1.45));
        contour_part part;
        assert_true(tilted(&part, &pair, &w));
        double bound = part.type->log_decay(&part, u);
        double exact = exact_decay(&pair, w.t, u);
        for (int j = 0; j < 5; j++) {
            double v = u * exp(prop_uniform(&source, 0, 2));
            assert_true(bound >= exact_decay(&pair, w.t, v) - 1e-13);
        }
        assert_true(bound >= exact - 1e-13 && bound <= 0);
        closest = fmax(closest, bound / exact);
        contour_part_free(&part);
    }
    assert_true(closest > 0.6);
}

/* As many digits as a small count may want, and no more than there are. */
static void rotations_reach_far_down(void **state)
{
    (void)state;
    loss_law pair = sampled_law(0.5, 1, false);
    part_request w = {.t = 2, .outer = 30, .digits = 60, .alpha = 1.2,
        .multiple = 1};
    contour_part part;
    assert_true(tilted(&part, &pair, &w));
    assert_true(decay_holds(&part, 100) > 0.99);
    assert_true(part.type->log_decay(&part, 2000) < -20);
    contour_part_free(&part);
}

static void closed_forms_decay(void **state)
{
    (void)state;
    double closest[3] = {0, 0, 0};
    for (int i = 0; i < 60; i++) {
        loss_law pair = {.noise = (loss_noise)(i % 3),
            .count = 1,
            .parameter = ball_of(prop_uniform(&source, 0.1, 4))};
        part_request w = {.t = prop_uniform(&source, 0.05, 5),
            .outer = 1e9, .multiple = 1};
        contour_part part;
        assert_true(tilted(&part, &pair, &w));
        double u = exp(prop_uniform(&source, log(0.1), log(300)));
        closest[i % 3] = fmax(closest[i % 3], decay_holds(&part, u));
        assert_true(power_ratio(&part, u) <= 1);
        contour_part_free(&part);
    }
    assert_true(closest[0] > 0.05 && closest[1] > 0.5 && closest[2] > 0.5);
}

static void multiples_are_sound(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        double b = -exp(prop_uniform(&source, log(1e-12), log(700)));
        double m = ldexp(1, i % 8);
        double got = contour_decay_from_multiple(b, m);
        arb_t x, y;
        arb_init(x);
        arb_init(y);
        arb_set_d(x, b);
        arb_mul_2exp_si(x, x, 1);
        arb_expm1(x, x, precision);
        arb_set_d(y, m * m);
        arb_div(x, x, y, precision);
        arb_log1p(x, x, precision);
        arb_mul_2exp_si(x, x, -1);
        arb_set_d(y, got);
        assert_true(arb_ge(y, x) || got == b);
        double exact = arf_get_d(arb_midref(x), ARF_RND_NEAR);
        assert_true(got <= exact * (1 - 1e-12) || m == 1);
        arb_clear(x);
        arb_clear(y);
    }
}

int main(void)
{
    source = prop_start("test_part_decay");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotations_bound_the_decay),
        cmocka_unit_test(rotations_reach_far_down),
        cmocka_unit_test(closed_forms_decay),
        cmocka_unit_test(multiples_are_sound),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
