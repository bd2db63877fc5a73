/*
 * Mixtures of shifted Gaussian noise on a moved line in double-doubles, against
 * Arb: every term must lie in its disc, and the disc be narrow where digits
 * are asked for. At choices so poor that one bound is the largest of all it
 * must cover what it bounds.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/random.h"
#include "contour/engine/engine.h"
#include "contour/part/part_group.h"
#include "support/group_moment.h"
#include "support/dd_terms.h"
#include "support/group_truths.h"

static prop_random source;

static const unsigned splits[][2] = {
    {1, 1}, {2, 0}, {0, 2}, {6, 0}, {2, 1}, {1, 3}, {4, 0}, {0, 5}};

static loss_law random_law(int i)
{
    double mu = exp(prop_uniform(&source, log(0.3), log(1.8)));
    double q = exp(prop_uniform(&source, log(1e-4), log(0.5)));
    double count = floor(exp(prop_uniform(&source, 0, log(40))));
    loss_law pair;
    if (i % 4 == 3) {
        double n = floor(exp(prop_uniform(&source, log(10), log(2000))));
        double m = ceil(n * fmin(q, 0.1)) + 3;
        pair = i % 8 == 3 ? drawn_law(2, 0, m, n, fmin(mu, 1.5))
                          : drawn_law(0, 3, m, n, fmin(mu, 1));
    } else {
        const unsigned *s = splits[(size_t)(i / 4 * 3 + i % 4) % 8];
        pair = split_law(s[0], s[1], q, fmin(mu, 4.0 / (s[0] + s[1])));
    }
    pair.count = count;
    return pair;
}

/* As far as the reference goes, u < 30. */
static part_request random_want(double digits)
{
    double step = ldexp(floor(prop_uniform(&source, 1, 75)), -7);
    return (part_request){.t = prop_uniform(&source, 0.3, 6),
        .outer = TERMS * step, .shifted_from = step, .step = step,
        .digits = digits, .multiple = 1};
}

static void many_digits_are_had(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = 0; i < 12; i++) {
        loss_law pair = random_law(i);
        part_request w = random_want(62);
        contour_part part;
        double widest, epsilon = prop_uniform(&source, -1, 3);
        assert_true(tilted(&part, &pair, &w));
        double r = worst_miss(
            &widest, &part, group_shifted_mean(&part), epsilon);
        assert_true(r <= 1);
        worst = fmax(worst, r);
        assert_true(widest <= 1e-25 * pair.count);
        contour_part_free(&part);
    }
    assert_true(worst > 1e-5);
}

/* Few digits: nodes that are left out, and the rule, are what errs. */
static void few_digits_are_covered(void **state)
{
    (void)state;
    double worst = 0;
    int n_found = 0;
    for (int i = 0; i < 16; i++) {
        loss_law pair = random_law(i);
        pair.count = 1;
        part_request w = random_want(prop_uniform(&source, 6, 14));
        contour_part part;
        double widest;
        if (tilted(&part, &pair, &w)) {
            n_found++;
            double r = worst_miss(
                &widest, &part, group_shifted_mean(&part), 0.5);
            assert_true(r <= 1);
            worst = fmax(worst, r);
        }
        contour_part_free(&part);
    }
    assert_true(n_found > 10);
    assert_true(worst > 1e-3);
}

/* Terms that are advanced to a later u before the first is asked for. */
static void later_terms_hold(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        loss_law pair = random_law(i);
        part_request w = random_want(40);
        contour_part part;
        double first = floor(prop_uniform(&source, 1, TERMS - 4));
        assert_true(tilted(&part, &pair, &w));
        dd_rule_skip(&part, first);
        for (double n = first; n < first + 3; n++) {
            disc power = dd_rule_next_power(&part, n);
            assert_true(power.rad < 1e-12 * pair.count);
            assert_true(power_miss(&part, power, group_shifted_mean(&part),
                            n * w.step) <= 1);
        }
        contour_part_free(&part);
    }
}

/* Makes the line again with other nodes; false if its bounds are useless. */
static bool made_again(contour_part *part)
{
    bool found = false;
    assert_int_equal(group_dd_tilt(&found, part, NULL), DOSI_OK);
    return found;
}

/* Steps much too long: the rule's own error is all there is. */
static void long_steps_are_charged(void **state)
{
    (void)state;
    double worst[2] = {0, 0}, widest; /* of laws with B = 1, and others */
    for (int i = 0; i < 24; i++) {
        loss_law pair = random_law(i);
        part_request w = random_want(30);
        w.t = prop_uniform(&source, 0.3, 3);
        contour_part part;
        pair.count = 1;
        assert_true(tilted(&part, &pair, &w));
        double lo = part.shifted.first * part.shifted.h;
        double hi = part.shifted.last * part.shifted.h;
        double eta = prop_uniform(&source, 0.2, 0.6);
        part.shifted.alpha = fmin(part.shifted.alpha, eta * pair.parameter.hi);
        eta = part.shifted.alpha / pair.parameter.hi;
        part.shifted.h = ceil(eta * prop_uniform(&source, 50, 100)) / 64;
        part.shifted.first = floor(lo / part.shifted.h);
        part.shifted.last = ceil(hi / part.shifted.h);
        if (made_again(&part)) {
            double r = worst_miss(
                &widest, &part, group_shifted_mean(&part), 0.5);
            assert_true(r <= 1);
            int other = pair.added > 0;
            worst[other] = fmax(worst[other], r);
        }
        contour_part_free(&part);
    }
    assert_true(fmax(worst[0], worst[1]) > 0.003);
}

/* Nodes are taken away at one end until what lies beyond is what errs. */
static void short_ranges_are_charged(void **state)
{
    (void)state;
    double worst[2] = {0, 0}, widest; /* left and right */
    for (int i = 0; i < 32; i++) {
        loss_law pair = random_law(i / 2);
        part_request w = random_want(40);
        w.t = prop_uniform(&source, 0.3, 3);
        contour_part part;
        pair.count = 1;
        assert_true(tilted(&part, &pair, &w));
        double mu = pair.parameter.hi;
        double right = mu * ((w.t + 1) * pair.removed + w.t * pair.added) +
                       prop_uniform(&source, 0.5, 3);
        if (i % 2)
            part.shifted.last =
                fmin(part.shifted.last, floor(right / part.shifted.h));
        else
            part.shifted.first = ceil(
                -prop_uniform(&source, 0.5, 3) / part.shifted.h);
        if (made_again(&part)) {
            double r = worst_miss(
                &widest, &part, group_shifted_mean(&part), 0.5);
            assert_true(r <= 1);
            worst[i % 2] = fmax(worst[i % 2], r);
        }
        contour_part_free(&part);
    }
    assert_true(worst[0] > 0.2 && worst[1] > 0.2);
}

/* ---- All of it --------------------------------------------------------- */

/* The logarithm of digits less x. */
static double digits_above(const char *digits, double x)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    assert_int_equal(arb_set_str(a, digits, 128), 0);
    arb_log(a, a, 128);
    arb_set_d(b, x);
    arb_sub(a, a, b, 128);
    double found = arf_get_d(arb_midref(a), ARF_RND_NEAR);
    arb_clear(a);
    arb_clear(b);
    return found;
}

static bool holds(dosi_interval log_delta, const char *digits)
{
    return digits_above(digits, log_delta.lo) >= 0 &&
           digits_above(digits, log_delta.hi) <= 0;
}

/* Contours in double-doubles where doubles would do, too: at epsilon, and from
 * others on. */
static void ask_contour(
    const loss_law *pair, double epsilon, const char *digits)
{
    static const double moved[] = {1, 0.9, 1.05};
    for (int i = 0; i < 3; i++) {
        contour_part part;
        contour_parts parts = {1, &part, NULL};
        part_request w;
        contour c;
        contour_choice k = {.epsilon = moved[i] * epsilon,
            .log_estimate = log(strtod(digits, NULL))};
        contour_effort effort = {.max_cost = 3e7};
        bool found = false;
        assert_true(contour_part_init(&part, pair));
        assert_true(
            contour_choose_dd(&k, k.epsilon, &w, &parts, &effort));
        assert_true(k.use_dd);
        assert_int_equal(contour_build(
                             &c, &found, &parts, &w, &k, NULL, NULL),
            DOSI_OK);
        assert_true(found);
        dosi_interval there = contour_read(&c, epsilon);
        assert_true(holds(there, digits));
        assert_true(there.hi - there.lo <= (i < 2 ? 1e-8 : 1e-3));
        /* left of where it was chosen, delta is not below what it is there */
        c.has_floor = true;
        c.floor_at = k.epsilon;
        c.log_floor = contour_read(&c, k.epsilon).lo;
        assert_true(holds(contour_read(&c, epsilon), digits));
        assert_true(contour_read(&c, 0).lo >= c.log_floor);
        contour_free(&c);
        contour_part_free(&part);
    }
}

/* Through the engine: delta at epsilon, and epsilon back from delta. */
static void ask_engine(const loss_law *pair, double epsilon, const char *digits)
{
    double count = pair->count;
    contour_engine *s = NULL;
    dosi_interval log_delta, back;
    double delta = strtod(digits, NULL);
    assert_int_equal(engine_new(&s, pair, 1, NULL, NULL), DOSI_OK);
    assert_int_equal(
        engine_log_delta(&log_delta, s, epsilon, NULL), DOSI_OK);
    assert_true(holds(log_delta, digits));
    /* two runs at a small delta are left to lists */
    if (count > 2 || delta > 1e-20)
        assert_true(log_delta.hi - log_delta.lo <= 1e-8);
    /* the double nearest to delta moves epsilon by some 1e-15 */
    ball d = ball_widen(ball_of(delta), 0x1p-53 * delta);
    assert_int_equal(
        engine_epsilon(&back, s, d, ball_log(d), NULL), DOSI_OK);
    assert_true(back.lo <= epsilon && epsilon <= back.hi);
    assert_true(back.hi - back.lo <= 1e-9 * epsilon);
    engine_free(s);
}

static void ask_both(const loss_law *pair, double epsilon, const char *digits)
{
    ask_contour(pair, epsilon, digits);
    ask_engine(pair, epsilon, digits);
}

static void truths_are_enclosed(void **state)
{
    (void)state;
    assert_true(split_truths_each(
                    DOSI_TEST_DATA "/oracles/group_truth.csv", ask_both) >=
                5);
}

int main(void)
{
    source = prop_start("test_part_group_dd");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_digits_are_had),
        cmocka_unit_test(few_digits_are_covered),
        cmocka_unit_test(later_terms_hold),
        cmocka_unit_test(long_steps_are_charged),
        cmocka_unit_test(short_ranges_are_charged),
        cmocka_unit_test(truths_are_enclosed),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
