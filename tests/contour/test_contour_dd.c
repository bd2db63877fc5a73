/*
 * Contours in double-doubles against Arb: every term must lie in its disc,
 * and the disc be narrow where digits are asked for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/exact_moment.h"
#include "support/random.h"
#include "contour/core/contour_dd.h"
#include "contour/part/part_group.h"
#include "support/dd_terms.h"

static prop_random source;

static loss_law random_sampled(int i)
{
    double mu = exp(prop_uniform(&source, log(0.2), log(2.5)));
    double q = exp(prop_uniform(&source, log(1e-5), log(0.9)));
    return (loss_law){.noise = LOSS_GAUSSIAN,
        .map = i % 2 ? LOSS_BASE_FIRST : LOSS_MIXTURE_FIRST,
        .parameter = ball_of(mu),
        .rate = ball_of(q),
        .count = floor(exp(prop_uniform(&source, 0, log(40))))};
}

static part_request random_want(double digits)
{
    double step = ldexp(floor(prop_uniform(&source, 1, 900)), -7);
    return (part_request){.t = prop_uniform(&source, 0.3, 12),
        .outer = TERMS * step,
        .shifted_from = step,
        .step = step,
        .digits = digits,
        .multiple = 1};
}

static void many_digits_are_had(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        loss_law pair = random_sampled(i);
        part_request w = random_want(58);
        contour_part part;
        double widest, epsilon = prop_uniform(&source, -1, 3);
        assert_true(tilted(&part, &pair, &w));
        assert_true(
            worst_miss(
                &widest, &part, group_shifted_mean(&part), epsilon) <= 1);
        assert_true(widest <= 4e-23 * pair.count);
        contour_part_free(&part);
    }
}

/* Terms that hardly turn are known by what they change by: with small rates
 * chi has all the digits that its sum has, however often it is a factor. */
static void small_changes_keep_digits(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = 0; i < 12; i++) {
        loss_law pair = random_sampled(i);
        pair.parameter = ball_of(prop_uniform(&source, 0.2, 0.8));
        pair.rate = ball_of(exp(prop_uniform(&source, log(1e-5), log(1e-4))));
        pair.count = floor(prop_uniform(&source, 1e3, 1e5));
        part_request w = random_want(68);
        contour_part part;
        double widest;
        assert_true(tilted(&part, &pair, &w));
        double r = worst_miss(&widest, &part, group_shifted_mean(&part), 0.1);
        assert_true(r <= 1);
        worst = fmax(worst, r);
        assert_true(widest <= 1e-29 * pair.count);
        contour_part_free(&part);
    }
    assert_true(worst > 1e-3);
}

/* Gaussian noise that is not sampled has a closed form. */
static void noise_has_all_digits(void **state)
{
    (void)state;
    for (int i = 0; i < 10; i++) {
        double mu = exp(prop_uniform(&source, log(1e-3), log(0.1)));
        loss_law pair = {.noise = LOSS_GAUSSIAN,
            .map = LOSS_PLAIN,
            .parameter = ball_of(mu),
            .rate = ball_of(0),
            .count = 1 + i};
        part_request w = random_want(58);
        contour_part part;
        double widest, epsilon = prop_uniform(&source, -1, 3);
        assert_true(tilted(&part, &pair, &w));
        assert_true(worst_miss(&widest, &part, part.mean, epsilon) <= 1);
        assert_true(widest <= 1e-26);
        contour_part_free(&part);
    }
}

/* Few digits: nodes that are dropped, and the rule, are what errs. */
static void few_digits_are_covered(void **state)
{
    (void)state;
    double worst[2] = {0, 0};
    for (int i = 0; i < 16; i++) {
        loss_law pair = random_sampled(i);
        pair.count = 1;
        part_request w = random_want(prop_uniform(&source, 6, 14));
        contour_part part;
        double widest;
        if (tilted(&part, &pair, &w)) {
            double r =
                worst_miss(&widest, &part, group_shifted_mean(&part), 0.5);
            assert_true(r <= 1);
            worst[i % 2] = fmax(worst[i % 2], r);
        }
        contour_part_free(&part);
    }
    assert_true(fmax(worst[0], worst[1]) > 1e-3);
}

/* Steps much too long: the rule's own error is all there is. */
static void long_steps_are_charged(void **state)
{
    (void)state;
    double worst[2] = {0, 0}, widest;
    for (int i = 0; i < 24; i++) {
        loss_law pair = random_sampled(i);
        part_request w = random_want(30);
        w.t = prop_uniform(&source, 0.3, 6);
        contour_part part;
        pair.count = 1;
        assert_true(tilted(&part, &pair, &w));
        part.shifted.h = floor(prop_uniform(&source, 6, 32)) / 16;
        part.shifted.first = floor(-12 / part.shifted.h);
        part.shifted.last =
            ceil((12 + (w.t + 1) * pair.parameter.hi) / part.shifted.h);
        bool found = false;
        assert_int_equal(group_dd_tilt(&found, &part, NULL), DOSI_OK);
        if (found) {
            double r =
                worst_miss(&widest, &part, group_shifted_mean(&part), 0.5);
            assert_true(r <= 1);
            worst[i % 2] = fmax(worst[i % 2], r);
        }
        contour_part_free(&part);
    }
    assert_true(fmax(worst[0], worst[1]) > 0.01);
}

int main(void)
{
    source = prop_start("test_contour_dd");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_digits_are_had),
        cmocka_unit_test(small_changes_keep_digits),
        cmocka_unit_test(noise_has_all_digits),
        cmocka_unit_test(few_digits_are_covered),
        cmocka_unit_test(long_steps_are_charged),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
