/*
 * Little noise: classes of all jumps of records that were sampled, whose losses
 * are of the hundreds, bound by bound against integrals by Arb. Each bound must
 * hold, and be near what it bounds. Derivation: docs/theory/spectral.md,
 * section 9.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prop/random.h"
#include "support/jump_moved_truth.h"
#include "support/jump_plans.h"

#define N_FAR 5

static prop_random source;

/* From where a record that was sampled stands out, to where none is left. */
typedef struct far_class {
    loss pair;
    jump_part part;
    jump_law own;
    double t;
} far_class;

static void far_open(far_class *b, int i)
{
    static const double mus[N_FAR] = {4, 8, 15, 25, 34};
    double mu = mus[i] * prop_uniform(&source, 0.9, 1.1);
    double q = exp(prop_uniform(&source, log(1e-6), log(0.3)));
    b->pair = jumps_of(q, mu, 1);
    b->part = (jump_part){.pair = &b->pair, .count = 1, .mu = mu, .q = q,
        .removed = 1, .keep = log1p(-q),
        .tau = NORMAL_STEPS *
               ldexp(floor(ldexp(0.7 / mu / NORMAL_STEPS, 20)), -20)};
    double low = floor(jump_where(&b->part, 4) / b->part.tau);
    double end = mu + prop_uniform(&source, 7, 10);
    b->own = (jump_law){.cut = 0};
    assert_true(jump_lay_between(&b->own, &b->part, JUMP_MOVED_PER, low,
        ceil(end / b->part.tau)));
    b->t = prop_uniform(&source, 0.2, 2) / mu;
}

static void moments_hold(void **state)
{
    (void)state;
    for (int i = 0; i < N_FAR; i++) {
        far_class b;
        far_open(&b, i);
        jump_points exact = jump_integral(&b.own, 1 + 2 * b.t);
        for (int j = 0; j < 4; j++) {
            double upper = jump_log_upper(&b.own, j * b.t / 2), over;
            over = jump_points_above(upper, &exact, j * b.t / 2, 0);
            assert_true(over >= 0 && over < 1e-6);
        }
        jump_points_free(&exact);
        jump_line_free(&b.own.line);
    }
}

/* As deep as contours need it. */
static void decays_hold(void **state)
{
    (void)state;
    static const double turns[] = {0.6, 0.75, 0.9};
    for (int i = 0; i < N_FAR; i += 2) {
        far_class b;
        far_open(&b, i);
        jump_points exact = jump_integral(&b.own, 64 + b.t);
        double mean, top = jump_log_sum(&mean, &b.own, b.t), deepest = 0;
        for (int j = 0; j < 3; j++)
            for (double u = 1; u < 70; u *= 4) {
                double w = jump_log_decay(&b.own, b.t, turns[j], u);
                assert_true(
                    jump_points_above(w, &exact, b.t, u) >= 0);
                deepest = fmin(deepest, w - top);
            }
        assert_true(deepest < -27);
        jump_points_free(&exact);
        jump_line_free(&b.own.line);
    }
}

static void moved_lines_hold(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = 0; i < N_FAR; i++) {
        far_class b;
        far_open(&b, i);
        double error, outer = prop_uniform(&source, 2, 30);
        double share = jump_worst_moved(&error, &b.own, NULL, b.t, outer);
        assert_true(share <= 1);
        worst = fmax(worst, share);
        assert_true(error < 1e-10);
        jump_line_free(&b.own.line);
    }
    assert_true(worst > 1e-4);
}

/* E_Q[w^(1-a)] of losses that are too large for e^l: nodes far out say no more
 * than what is right of them. */
static void low_moments_hold(void **state)
{
    (void)state;
    for (int i = 0; i < N_FAR; i++) {
        far_class b;
        far_open(&b, i);
        jump_line line = {.n = 0};
        double from = -ceil(9 / b.part.tau);
        double to = ceil((b.part.mu + 30) / b.part.tau);
        assert_true(jump_line_lay(&line, &b.part, 2, from, to));
        assert_true(line.loss[line.n - 1] > 100);
        jump_weight w = {&b.part, JUMP_ALL, 0, 0, 0, 0, 0};
        jump_points all =
            jump_integral_over(&w, -22, b.part.mu + 22, 8);
        for (double a = 1.5; a < 8; a *= 2) {
            acb_t z;
            acb_init(z);
            jump_points_at(z, &all, -a, 0);
            acb_sub_ui(z, z, 1, JUMP_BITS);
            double more = expm1(jump_log_moment(&line, a));
            double over = jump_above(log(more), z);
            assert_true(over >= 0 && over < 1);
            acb_clear(z);
        }
        jump_points_free(&all);
        jump_line_free(&line);
        jump_line_free(&b.own.line);
    }
}

/* Ratios of nodes, and 1 less them. */
static void ratios_hold(void **state)
{
    (void)state;
    double worst = 0;
    for (int i = 0; i < N_FAR; i++) {
        far_class b;
        far_open(&b, i);
        const jump_line *line = &b.own.line;
        double off = jump_ratio_error(line);
        assert_true(off < 1e-11);
        for (size_t n = 0; n < line->n; n += 7) {
            double r = line->ratio[n], gap;
            arb_t x, y;
            arb_init(x);
            arb_init(y);
            arb_set_d(x, jump_line_x(line, n)); /* exact */
            arb_set_d(y, b.part.mu);
            arb_mul_2exp_si(y, y, -1);
            arb_sub(x, y, x, JUMP_BITS);
            arb_mul_2exp_si(y, y, 1);
            arb_mul(x, x, y, JUMP_BITS); /* -y */
            arb_exp(x, x, JUMP_BITS);
            arb_set_d(y, b.part.q);
            arb_sub_ui(y, y, 1, JUMP_BITS);
            arb_neg(y, y);
            arb_mul(x, x, y, JUMP_BITS);
            arb_set_d(y, b.part.q);
            arb_div(x, x, y, JUMP_BITS);
            arb_add_ui(x, x, 1, JUMP_BITS);
            arb_inv(x, x, JUMP_BITS);
            arb_set_d(y, r);
            arb_div(y, y, x, JUMP_BITS);
            arb_sub_ui(y, y, 1, JUMP_BITS);
            gap = fabs(arf_get_d(arb_midref(y), ARF_RND_NEAR));
            assert_true(gap <= off);
            worst = fmax(worst, gap / off);
            arb_clear(x);
            arb_clear(y);
        }
        jump_line_free(&b.own.line);
    }
    assert_true(worst > 1e-3);
}

int main(void)
{
    source = prop_start("test_jumps_far");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_hold),
        cmocka_unit_test(decays_hold),
        cmocka_unit_test(moved_lines_hold),
        cmocka_unit_test(low_moments_hold),
        cmocka_unit_test(ratios_hold),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
