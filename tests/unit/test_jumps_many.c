/*
 * Classes of jumps of several records: against the closed form of one run,
 * against truths by Arb (tests/reference/split_truth.c), and as a user meets
 * them, by the engine. Derivation: docs/theory/spectral.md, sections 9, 10.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "prop/random.h"
#include "repr/spectral.h"
#include "repr/spectral_jumps_left.h"
#include "support/jump_many.h"
#include "support/split_truths.h"

static prop_random source;

static double log_uniform(double a, double b)
{
    return exp(prop_uniform(&source, log(a), log(b)));
}

/* ---- One run ----------------------------------------------------------- */

static void one_run_is_known(void **state)
{
    (void)state;
    static const unsigned many[][2] = {{2, 0}, {5, 0}, {1, 1}, {3, 1}, {1, 4}};
    int n_built = 0, n_narrow = 0;
    for (int i = 0; i < 150; i++) {
        const unsigned *m = many[i % 5];
        loss pair = many_of(m[0], m[1], log_uniform(1e-6, 0.1),
            log_uniform(0.1, 2.5), 1);
        bench b;
        bench_open(&b, &pair, 1);
        jump_part part = jump_part_of(&b.items[0]);
        double x = prop_uniform(&source, 2, 16);
        double epsilon = jump_loss_at(&part, x);
        double truth = many_one_run(&pair, x, epsilon);
        if (epsilon > 1e-7 && truth < -2) {
            spectral_jumps *j = bench_build(&b, epsilon, truth);
            n_built += j != NULL;
            for (int k = -1; k <= 1 && j != NULL; k++) {
                double near = epsilon * (1 + k * 0.02);
                double log_delta =
                    many_one_run(&pair, jump_where(&part, near), near);
                dosi_interval in = spectral_jumps_read(j, near);
                double off = 1e-10 * (1 + fabs(log_delta));
                assert_true(in.lo <= log_delta + off &&
                            in.hi >= log_delta - off);
                n_narrow += k == 0 && in.hi - in.lo < 1e-7;
            }
            spectral_jumps_free(j);
        }
        bench_close(&b);
    }
    assert_true(n_built > 100 && n_narrow > 90);
}

/* Where noise is left of a point, those who are added make it so. */
static void left_masses_are_known(void **state)
{
    (void)state;
    loss pair = many_of(1, 3, 0.01, 1.5, 1);
    bench b;
    bench_open(&b, &pair, 1);
    jump_part part = jump_part_of(&b.items[0]);
    for (double x = -12; x < 0; x += 1.5) {
        double most = jump_left_q(&part, x);
        double truth = /* its mirror image */
            ball_mid(many_tail(&pair, 3, 1, -x));
        assert_true(most >= truth * (1 - 1e-15) &&
                    most <= truth * (1 + 1e-12));
    }
    bench_close(&b);
}

/* ---- Losses far below -------------------------------------------------- */

#define LATTICE 800
#define LATTICE_END 14.0

/* int (e^(-x - Z) - 1)_+ dP over two runs, of which one is marked beyond a cut
 * unless that is infinite, by a lattice; its log. */
static double log_below(const jump_part *p, double cut, double x)
{
    static double p_mass[LATTICE], q_mass[LATTICE], keep[LATTICE];
    double h = 2 * LATTICE_END / LATTICE, sum = 0;
    for (int i = 0; i < LATTICE; i++) {
        double at = (i + 0.5) * h - LATTICE_END;
        jump_point point = jump_point_at(p, at);
        q_mass[i] = h * exp(point.log_b - at * at / 2) * 0.39894228040143267794;
        p_mass[i] = q_mass[i] * exp(point.loss);
        keep[i] = cut < HUGE_VAL
                      ? erfc((at / p->tau - cut) / sqrt(2)) / 2
                      : 0;
    }
    for (int i = 0; i < LATTICE; i++)
        for (int j = 0; j < LATTICE; j++)
            sum += (1 - keep[i] * keep[j]) *
                   fmax(exp(-x) * q_mass[i] * q_mass[j] -
                           p_mass[i] * p_mass[j], 0);
    return log(sum);
}

/* What runs left of a place add, and the others: by turns with cuts and
 * without. */
static void left_bounds_hold(void **state)
{
    (void)state;
    double closest[2][2] = {{HUGE_VAL, HUGE_VAL}, {HUGE_VAL, HUGE_VAL}};
    for (unsigned i = 0; i < 120; i++) {
        bool has_cut = i % 2;
        loss pair = many_of(1 + i % 3 / 2, 1 + i % 5 / 4,
            log_uniform(1e-5, 1e-2), log_uniform(0.3, 2), 2);
        bench b;
        bench_open(&b, &pair, 1);
        jump_choice c = {.n_parts = 1, .parts = {jump_part_of(&b.items[0])}};
        jump_part *p = &c.parts[0];
        p->tau = ldexp(NORMAL_STEPS, i % 4 < 2 ? -7 : -8);
        c.from[0] = -ceil(9 / p->tau);
        jump_line line = {.n = 0};
        assert_true(
            jump_line_lay(&line, p, 3, c.from[0], ceil(12 / p->tau)));
        double left = ceil(prop_uniform(&source, -6, -1.2) / p->tau);
        double cut = ceil(prop_uniform(&source, 1, 5) / p->tau);
        double lost = -jump_loss_at(p, left * p->tau);
        double x = prop_uniform(&source, has_cut ? -0.5 : 0.1, 1.2) * lost;
        double truth = log_below(p, has_cut ? cut : HUGE_VAL, x);
        double far = jump_left_log_far(
            &c, &left, has_cut ? &cut : NULL, NULL) - x;
        double near = HUGE_VAL;
        for (double s = 0.1 / lost; s < 300 / lost; s *= 1.3)
            near = fmin(near, jump_left_log_near(&c, &line, &left,
                                  has_cut ? &cut : NULL, NULL, 1 + s) +
                                  jump_log_kernel(s) - (1 + s) * x);
        double over = jump_log_add(far, near) - truth;
        assert_true(over >= -1e-6);
        double *least = &closest[has_cut][far > near];
        *least = fmin(*least, over);
        jump_line_free(&line);
        bench_close(&b);
    }
    for (int i = 0; i < 4; i++)
        assert_true(closest[i / 2][i % 2] < (i % 2 ? 3 : 1.5));
}

/* ---- Truths ------------------------------------------------------------ */

static void ask(const loss *pair, double epsilon, const char *digits)
{
    spectral *s = NULL;
    dosi_interval log_delta, back;
    double delta = strtod(digits, NULL);
    assert_int_equal(spectral_new(&s, pair, 1, NULL, NULL), DOSI_OK);
    assert_int_equal(
        spectral_log_delta(&log_delta, s, epsilon, NULL), DOSI_OK);
    ball d = ball_widen(ball_of(delta), 0x1p-53 * delta);
    ball truth = ball_log(d);
    assert_true(log_delta.lo <= ball_upper(truth) &&
                log_delta.hi >= ball_lower(truth));
    assert_true(log_delta.hi - log_delta.lo < 1e-7);
    assert_int_equal(
        spectral_epsilon(&back, s, d, truth, NULL), DOSI_OK);
    assert_true(back.lo <= epsilon && epsilon <= back.hi);
    assert_true(back.hi - back.lo <= 1e-9 * epsilon);
    spectral_free(s);
}

static void truths_are_enclosed(void **state)
{
    (void)state;
    assert_true(split_truths_each(
                    DOSI_TEST_DATA "/oracles/split_jump_truth.csv", ask) >=
                8);
}

/* ---- No worse ---------------------------------------------------------- */

/* Records that are added as well make delta less than those that are removed
 * alone, at an epsilon that is less by what nobody being sampled tells. */
static void fewer_are_within(void **state)
{
    (void)state;
    for (int i = 0; i < 12; i++) {
        double q = log_uniform(1e-5, 1e-3), mu = log_uniform(0.5, 2);
        double k = floor(log_uniform(1, 300));
        loss both = many_of(1, 1, q, mu, k), one = jumps_of(q, mu, k);
        spectral *s = NULL, *single = NULL;
        assert_int_equal(spectral_new(&s, &both, 1, NULL, NULL), DOSI_OK);
        assert_int_equal(
            spectral_new(&single, &one, 1, NULL, NULL), DOSI_OK);
        ball log_delta = ball_of(-prop_uniform(&source, 20, 120));
        ball delta = ball_exp(log_delta);
        dosi_interval alone, together;
        assert_int_equal(
            spectral_epsilon(&alone, single, delta, log_delta, NULL),
            DOSI_OK);
        assert_int_equal(
            spectral_epsilon(&together, s, delta, log_delta, NULL),
            DOSI_OK);
        double more = -k * log1p(-q);
        assert_true(together.lo <= (alone.hi + more) * (1 + 1e-12));
        assert_true(together.hi >= alone.lo);
        bool within;
        double at = (alone.hi + more) * (1 + 1e-6);
        assert_int_equal(spectral_is_within(&within, s, NULL, at, delta,
                             log_delta, NULL),
            DOSI_OK);
        assert_true(within);
        assert_int_equal(spectral_is_within(&within, s, NULL,
                             together.lo * (1 - 1e-3), delta, log_delta,
                             NULL),
            DOSI_OK);
        assert_false(within);
        spectral_free(s);
        spectral_free(single);
    }
}

/* ---- Epsilon 0 --------------------------------------------------------- */

static dosi_interval epsilon_of(const loss *pair, double delta)
{
    spectral *s = NULL;
    dosi_interval found;
    ball d = ball_of(delta);
    assert_int_equal(spectral_new(&s, pair, 1, NULL, NULL), DOSI_OK);
    assert_int_equal(
        spectral_epsilon(&found, s, d, ball_log(d), NULL), DOSI_OK);
    spectral_free(s);
    return found;
}

/* Total variation is 0.00752199034 in the last, and at most 0.002 in the first:
 * somebody is sampled. */
static void zeros_are_found(void **state)
{
    (void)state;
    loss few = many_of(2, 0, 1e-4, 2, 10);
    loss both = many_of(1, 1, 0.00167, 1 / 0.646, 11);
    dosi_interval never = epsilon_of(&few, 0.0021);
    dosi_interval within = epsilon_of(&both, 0.0076);
    assert_true(never.lo == 0 && never.hi == 0);
    assert_true(within.lo == 0 && within.hi == 0);
    assert_true(epsilon_of(&few, 1e-4).lo > 0);
    assert_true(epsilon_of(&both, 0.0075).hi > 0);
}

int main(void)
{
    source = prop_start("test_jumps_many");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_run_is_known),
        cmocka_unit_test(left_masses_are_known),
        cmocka_unit_test(left_bounds_hold),
        cmocka_unit_test(truths_are_enclosed),
        cmocka_unit_test(fewer_are_within),
        cmocka_unit_test(zeros_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
