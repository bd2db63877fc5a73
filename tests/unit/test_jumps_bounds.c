/*
 * The inequalities under classes of jumps, one by one, against integrals by
 * Arb: sums over nodes, upper ends of moments, what a lattice errs by up to an
 * outer node, how W decays, W on a moved line, and the moments of losses far
 * below. Each bound must hold, and be near what it bounds. Derivation:
 * docs/theory/spectral.md, section 9.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "prop/random.h"
#include "repr/spectral_jumps_moved.h"
#include "support/jump_moved_truth.h"

static prop_random source;

/* A part near some epsilon, with a class there. */
typedef struct bench {
    loss pair;
    jump_part part;
    double epsilon, from, low, cut;
    double t, outer; /* a tilt, and how far its contour goes */
} bench;

static double log_uniform(double a, double b)
{
    return exp(prop_uniform(&source, log(a), log(b)));
}

/* As it is chosen: an eighth of epsilon in loss, short. */
static double tau_for(const jump_part *p, double epsilon)
{
    double y = p->mu * jump_where(p, epsilon) - p->mu * p->mu / 2;
    double ratio = fmin(p->q * exp(y - epsilon), 1);
    double tau = fmin(fmin(0.25, JUMP_MOVED_TAU / p->mu),
        0.13 * epsilon / (p->mu * ratio));
    int e;
    double m = frexp(tau / NORMAL_STEPS, &e);
    return NORMAL_STEPS * ldexp(floor(ldexp(m, 12)), e - 12);
}

/* Not so fine that references take long. */
static void bench_open(bench *b)
{
    static const double widths[] = {14, 10, 7, 5, 3, 2};
    jump_part *p = &b->part;
    do {
        double mu = log_uniform(0.02, 6), q = log_uniform(1e-9, 0.3);
        *p = (jump_part){&b->pair, 1, mu, q, 0};
        double x = mu / 2 + prop_uniform(&source, 0.5, 7);
        b->epsilon = jump_loss_at(p, x);
        p->tau = tau_for(p, b->epsilon);
    } while (!(p->tau > 0.02 && b->epsilon > 1e-5));
    b->pair = (loss){.noise = LOSS_GAUSSIAN, .map = LOSS_REMOVE,
        .parameter = ball_of(p->mu), .rate = ball_of(p->q), .count = 1};
    b->from = -ceil(sqrt(80) / p->tau);
    b->cut = ceil(jump_where(p, b->epsilon) / p->tau) +
             floor(prop_uniform(&source, -10, 9));
    b->low = b->cut - widths[prop_below(&source, 6)];
    b->t = prop_uniform(&source, 1, 15) / b->epsilon;
    double y = p->mu * b->cut * p->tau - p->mu * p->mu / 2;
    double ratio = p->q * exp(y) / (1 - p->q + p->q * exp(y));
    b->outer = prop_uniform(&source, 1, 10) / (p->tau * p->mu * ratio);
}

static jump_law below(const bench *b, int per)
{
    jump_law own = {.cut = 0};
    assert_true(jump_lay_below(&own, &b->part, per, b->from, b->low));
    return own;
}

static jump_law between(const bench *b, int per)
{
    jump_law own = {.cut = 0};
    assert_true(jump_lay_between(&own, &b->part, per, b->low, b->cut));
    return own;
}

/* S or W, by turns. */
static jump_law one_of(const bench *b, int i, int per)
{
    return i % 2 ? between(b, per) : below(b, per);
}

/* ---- On the real axis -------------------------------------------------- */

static void sums_are_near(void **state)
{
    (void)state;
    static const int pers[] = {1, 2, 3, 4, 8, 24};
    double worst = 0;
    for (int i = 0; i < 16; i++) {
        bench b;
        bench_open(&b);
        jump_law own = one_of(&b, i, pers[i % 4]);
        jump_points lattice = jump_lattice(&own);
        const double at[] = {-1, 0, b.t, 3 * b.t};
        for (int j = 0; j < 4; j++) {
            double mean, slack = jump_slack(&own.line, at[j]);
            double sum = jump_log_sum(&mean, &own, at[j]);
            double off = jump_points_above(sum, &lattice, at[j], 0);
            assert_true(fabs(off) <= slack && slack < 1e-6);
            worst = fmax(worst, fabs(off) / slack);
        }
        jump_points_free(&lattice);
        jump_line_free(&own.line);
    }
    assert_true(worst > 1e-4);
}

/* Moments, from few nodes to a tau on; where the cuts' ends matter at huge
 * exponents, they hold, too. */
static void uppers_hold(void **state)
{
    (void)state;
    double closest = HUGE_VAL;
    for (int i = 0; i < 16; i++) {
        bench b;
        bench_open(&b);
        double end = 14 / (b.part.tau * b.part.mu);
        const double at[] = {-1, 0, b.t, 2 * b.t, 1.5 * end, 2 * end,
            3 * end, 5 * end};
        jump_law own = one_of(&b, i, i / 2 % 4 + 1);
        jump_points exact = jump_integral(&own, 5 * end + 2 * b.t);
        for (int j = 0; j < 8; j++) {
            double upper = jump_log_upper(&own, at[j]);
            double over = jump_points_above(upper, &exact, at[j], 0);
            assert_true(over >= 0);
            assert_true(over < 1e-3 || at[j] > 0.5 * end);
            closest = fmin(closest, over);
        }
        jump_points_free(&exact);
        jump_line_free(&own.line);
    }
    assert_true(closest < 1e-6);
}

/* Lines that start too far right: what is left of them counts. */
static void left_parts_are_charged(void **state)
{
    (void)state;
    double closest = HUGE_VAL;
    for (int i = 0; i < 8; i++) {
        bench b;
        bench_open(&b);
        double x = prop_uniform(&source, -3, -1.2);
        b.from = ceil(x / b.part.tau);
        if (b.low < b.from)
            b.low = b.from;
        jump_law own = below(&b, i % 4 + 1);
        x = jump_line_x(&own.line, 0);
        jump_points exact = jump_integral(&own, b.t + b.outer);
        jump_points nodes = jump_lattice(&own);
        jump_weight w = jump_weight_of(&own);
        jump_points left = jump_integral_over(&w, -22, x, b.t);
        for (int j = 0; j < 3; j++) {
            double v = j * b.t / 4;
            double rest = jump_log_rest(&own, v, 0);
            double over = jump_points_above(rest, &left, v, 0);
            assert_true(over >= 0);
            closest = fmin(closest, over);
            double upper = jump_log_upper(&own, v);
            assert_true(jump_points_above(upper, &exact, v, 0) >= 0);
            acb_t a, c;
            acb_init(a);
            acb_init(c);
            jump_points_at(a, &exact, v, b.outer);
            jump_points_at(c, &nodes, v, b.outer);
            double error = jump_log_error(&own, v, b.outer, -HUGE_VAL);
            assert_true(jump_above_gap(error, a, c) >= 0);
            acb_clear(a);
            acb_clear(c);
        }
        jump_points_free(&left);
        jump_points_free(&nodes);
        jump_points_free(&exact);
        jump_line_free(&own.line);
    }
    assert_true(closest < 0.5);
}

/* ---- Off the real axis ------------------------------------------------- */

/* What a coarse lattice errs by, where that is more than rounding. */
static void errors_hold(void **state)
{
    (void)state;
    double closest = HUGE_VAL;
    int n_told = 0;
    for (int i = 0; i < 18; i++) {
        bench b;
        bench_open(&b);
        b.outer *= i % 3 == 0 ? 0.1 : 1;
        jump_law own = below(&b, 1 + i % 2);
        jump_points exact = jump_integral(&own, b.t + b.outer);
        jump_points nodes = jump_lattice(&own);
        double error = jump_log_error(&own, b.t, b.outer, -HUGE_VAL), mean;
        n_told += error < jump_log_sum(&mean, &own, b.t);
        for (int j = 0; j < 4; j++) {
            double u = b.outer * (j == 0 ? 0 : 1 - (j - 1) * 0.07);
            acb_t a, c;
            acb_init(a);
            acb_init(c);
            jump_points_at(a, &exact, b.t, u);
            jump_points_at(c, &nodes, b.t, u);
            double over = jump_above_gap(error, a, c);
            assert_true(over >= 0);
            closest = fmin(closest, over);
            acb_clear(a);
            acb_clear(c);
        }
        jump_points_free(&exact);
        jump_points_free(&nodes);
        jump_line_free(&own.line);
    }
    assert_true(closest < 3 && n_told > 9);
}

static void decays_hold(void **state)
{
    (void)state;
    static const double turns[] = {2, 4, 6, 8};
    double closest = HUGE_VAL, deepest = 0;
    for (int i = 0; i < 12; i++) {
        bench b;
        bench_open(&b);
        jump_law own = between(&b, i % 4 ? 4 : 2);
        jump_points exact = jump_integral(&own, b.t + 3 * b.outer);
        double mean, top = jump_log_sum(&mean, &own, b.t);
        for (int j = 0; j < 4; j++) {
            double alpha =
                fmin(turns[j] * b.part.tau * b.part.mu, 0.9);
            double w = jump_log_decay(&own, b.t, alpha, b.outer);
            deepest = fmin(deepest, w - top);
            for (int k = 0; k < 3; k++) {
                double u = b.outer * (1 + k * k * 0.3);
                double over = jump_points_above(w, &exact, b.t, u);
                assert_true(over >= 0);
                closest = fmin(closest, over);
            }
        }
        jump_points_free(&exact);
        jump_line_free(&own.line);
    }
    assert_true(closest < 3 && deepest < -8);
}

/* Where w^p rises as fast as the upper cut falls at its end. */
static bool is_steep(const bench *b)
{
    const jump_part *p = &b->part;
    double x = (b->cut + JUMP_REACH) * p->tau;
    double l = jump_loss_at(p, x), mu = p->mu;
    double ratio = p->q * exp(mu * x - mu * mu / 2 - l);
    return (b->t + 1) * mu * ratio * p->tau > 5;
}

/* A coarse lattice errs by its rule. */
static void moved_lines_hold(void **state)
{
    (void)state;
    double worst[2] = {0, 0}, least = HUGE_VAL;
    for (int i = 0; i < 16; i++) {
        bench b;
        bench_open(&b);
        bool is_coarse = i % 2;
        double error;
        jump_law own = between(&b, is_coarse ? 1 : JUMP_MOVED_PER);
        double r = jump_worst_moved(&error, &own, b.t, b.outer);
        jump_line_free(&own.line);
        assert_true(r <= 1);
        worst[is_coarse] = fmax(worst[is_coarse], r);
        assert_true(is_coarse || error < 1e-9 || is_steep(&b));
        least = fmin(least, error);
    }
    assert_true(worst[0] > 1e-4 && worst[1] > 0.005 && least < 3e-12);
}

/* ---- Losses far below -------------------------------------------------- */

static void low_moments_hold(void **state)
{
    (void)state;
    double farthest = 0;
    for (int i = 0; i < 12; i++) {
        bench b;
        bench_open(&b);
        jump_line line = {.n = 0};
        double top = ceil(fmax(b.cut + 20, (b.part.mu + 9) / b.part.tau));
        assert_true(jump_line_lay(
            &line, &b.part, i % 2 ? 3 : 1, b.from, top));
        jump_weight w = {&b.part, JUMP_ALL, 0, 0, 0, 0};
        double reach = b.cut * b.part.tau + 14.2 * b.part.tau;
        jump_weight above = {&b.part, JUMP_ABOVE, 0, b.cut, 0, reach};
        double size = 64 / b.epsilon;
        double end = fmin(jump_where(&b.part, 10 * b.epsilon), 22);
        jump_points all = jump_integral_over(&w, -22, end, size);
        jump_points marked = jump_integral_over(&above, -22, end, size);
        for (double a = 16 / b.epsilon; a < 100 / b.epsilon; a *= 2) {
            double shift = fmax(a, 1.5), mark;
            acb_t z;
            acb_init(z);
            jump_points_at(z, &all, -shift, 0);
            acb_sub_ui(z, z, 1, JUMP_BITS);
            double more = expm1(jump_log_moment(&line, shift));
            /* but for what is right of the nodes */
            double over = jump_above(log(more), z);
            assert_true(over >= 0 || !(more < 1e30));
            if (more < 10) {
                more = fmax(more - shift * exp(-40), 0);
                farthest = fmax(farthest, jump_above(log(more), z));
            }
            mark = jump_log_marked(&line, b.cut, shift);
            jump_points_at(z, &marked, -shift, 0);
            over = jump_above(mark, z);
            assert_true(over >= 0);
            /* cells are a tau, or a third of it */
            assert_true(over < (i % 2 ? 4 : 10) || shift * b.part.q > 10);
            acb_clear(z);
        }
        /* no number is not passed over */
        line.loss[line.n / 2 + (size_t)i % 3] = NAN;
        assert_true(isnan(jump_log_moment(&line, 2)));
        jump_points_free(&all);
        jump_points_free(&marked);
        jump_line_free(&line);
    }
    assert_true(farthest < 1.5);
}

int main(void)
{
    source = prop_start("test_jumps_bounds");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_near),
        cmocka_unit_test(uppers_hold),
        cmocka_unit_test(left_parts_are_charged),
        cmocka_unit_test(errors_hold),
        cmocka_unit_test(decays_hold),
        cmocka_unit_test(moved_lines_hold),
        cmocka_unit_test(low_moments_hold),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
