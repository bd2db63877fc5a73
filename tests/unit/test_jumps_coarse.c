/*
 * The inequalities under classes of jumps where one of their terms is all
 * there is: lattices so coarse that the rule errs by per cents, ends of cuts
 * and of ranges that matter. Against integrals by Arb. Derivation:
 * docs/theory/spectral.md, section 9.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <acb_hypgeom.h>

#include "support/jump_integrals.h"

/* Taus are NORMAL_STEPS short numbers. */
static jump_part part_of(loss *pair, double mu, double q, double tau)
{
    *pair = (loss){.noise = LOSS_GAUSSIAN, .map = LOSS_REMOVE,
        .parameter = ball_of(mu), .rate = ball_of(q), .count = 1};
    return (jump_part){.pair = pair, .count = 1, .mu = mu, .q = q,
        .removed = 1, .keep = log1p(-q), .tau = tau};
}

static jump_law below(const jump_part *p, int per, double from, double cut)
{
    jump_law own = {.cut = 0};
    assert_true(jump_lay_below(&own, p, per, from, cut));
    return own;
}

static jump_law between(const jump_part *p, int per, double low, double cut)
{
    jump_law own = {.cut = 0};
    assert_true(jump_lay_between(&own, p, per, low, cut));
    return own;
}

/* ---- Coarse lattices --------------------------------------------------- */

/* One node to a tau of more than a deviation: sums are off by as much as the
 * rule says, below the moments where their peaks lie between nodes. Without a
 * turn the bound of the decay is one of the moment. */
static void moments_between_nodes_hold(void **state)
{
    (void)state;
    static const double taus[] = {1.5, 2.25};
    double closest = HUGE_VAL, lowest = 0;
    for (int i = 0; i < 4; i++) {
        loss pair;
        jump_part part = part_of(&pair, 0.5, 0.3, taus[i % 2]);
        jump_law own = i < 2 ? below(&part, 1, -9, 4)
                             : between(&part, 1, -1, 1);
        jump_points exact = jump_integral(&own, 12);
        for (double v = -1; v < 10; v += 0.5) {
            double mean, sum = jump_log_sum(&mean, &own, v);
            double upper = jump_log_upper(&own, v);
            double over = jump_points_above(upper, &exact, v, 0);
            assert_true(over >= 0 && over < 0.3);
            closest = fmin(closest, over);
            lowest = fmin(lowest, jump_points_above(sum, &exact, v, 0));
            if (!own.is_jump)
                continue;
            double still = jump_log_decay(&own, v, 1e-6, 0);
            assert_true(jump_points_above(still, &exact, v, 0) >= 0);
        }
        jump_points_free(&exact);
        jump_line_free(&own.line);
    }
    assert_true(closest < 0.05 && lowest < -0.01);
}

static void errors_of_coarse_sums_hold(void **state)
{
    (void)state;
    static const double taus[] = {1.5, 2.25, 3, 4.5};
    double closest = HUGE_VAL;
    acb_t a, c;
    acb_init(a);
    acb_init(c);
    for (int i = 0; i < 4; i++) {
        loss pair;
        jump_part part = part_of(&pair, 0.25, 0.3, taus[i]);
        jump_law own = below(&part, 1, -9, 4);
        jump_points exact = jump_integral(&own, 12);
        jump_points nodes = jump_lattice(&own);
        for (double v = -1; v < 10; v += 0.5)
            for (double u = 0; u < 0.2; u += 0.1) {
                double error = jump_log_error(&own, v, 0.1, -HUGE_VAL);
                jump_points_at(a, &exact, v, u);
                jump_points_at(c, &nodes, v, u);
                double over = jump_above_gap(error, a, c);
                assert_true(over >= 0);
                closest = fmin(closest, over);
            }
        jump_points_free(&nodes);
        jump_points_free(&exact);
        jump_line_free(&own.line);
    }
    acb_clear(a);
    acb_clear(c);
    assert_true(closest < 2);
}

/* ---- Ends -------------------------------------------------------------- */

/* What is beyond a cut's end, up to half a step. */
static double beyond_above(double x, const jump_law *own, double cut)
{
    const jump_part *part = own->line.part;
    double end = (cut + JUMP_REACH) * part->tau;
    jump_weight w = {part, JUMP_BELOW, 0, cut, 0, 0, 0};
    jump_points p = jump_integral_over(&w, end, end + own->line.h / 2, 1);
    double found = jump_points_above(x, &p, -1, 0);
    jump_points_free(&p);
    return found;
}

/* W has two cuts that end. Here phi makes the lower one's end the greater. */
static void both_sides_are_charged(void **state)
{
    (void)state;
    for (int per = 1; per <= 24; per *= 2) {
        loss pair;
        jump_part part = part_of(&pair, 1, 0.1, 0.375);
        jump_law own = between(&part, per == 16 ? 24 : per, -11, 2);
        double rest = jump_log_rest(&own, -1, 0);
        double over = beyond_above(rest, &own, own.low);
        assert_true(over >= 0 && over < 8);
        assert_true(beyond_above(rest, &own, own.cut) >= 0);
        jump_line_free(&own.line);
    }
}

/* log of the integral of |phi s_c| from X' to X' + i eta, from below: it rises
 * with the height. */
static double log_way_up(const jump_law *own, double eta)
{
    const jump_part *part = own->line.part;
    double x = (own->cut + JUMP_REACH) * part->tau + own->line.h / 2;
    const int n = 400;
    double sum = 0;
    acb_t z;
    arb_t a;
    acb_init(z);
    arb_init(a);
    for (int i = 0; i < n; i++) {
        double s = eta * i / n;
        acb_set_d_d(z, (x / part->tau - own->cut) * sqrt(0.5),
            s / part->tau * sqrt(0.5));
        acb_hypgeom_erfc(z, z, JUMP_BITS);
        acb_abs(a, z, JUMP_BITS);
        arb_log(a, a, JUMP_BITS);
        double log_cut = arf_get_d(arb_midref(a), ARF_RND_DOWN) - log(2);
        sum += exp(log_cut + 98 + (s * s - x * x) / 2) * eta / n;
    }
    acb_clear(z);
    arb_clear(a);
    return log(sum) - 98 - 0.91893853320467274178 - 1e-9;
}

static void ways_up_are_charged(void **state)
{
    (void)state;
    for (int per = 1; per <= 24; per *= 2)
        for (double height = 0.5; height < 5; height += 1.5) {
            loss pair;
            jump_part part = part_of(&pair, 1, 0.1, 0.375);
            jump_law own = below(&part, per == 16 ? 24 : per, -60, -12);
            double eta = height * part.tau;
            double over = jump_log_rest(&own, -1, eta) - log_way_up(&own, eta);
            assert_true(over >= 0 && over < 16);
            jump_line_free(&own.line);
        }
}

/* Left of the nodes of W, where there is more of phi. */
static void left_ends_are_charged(void **state)
{
    (void)state;
    for (double low = 18; low < 40; low += 4) {
        loss pair;
        jump_part part = part_of(&pair, 1, 0.1, 0.1875);
        jump_law own = between(&part, 2, low, low + 6);
        jump_weight w = jump_weight_of(&own);
        double x = jump_line_x(&own.line, 0);
        jump_points left = jump_integral_over(
            &w, (low - JUMP_FAR) * part.tau, x, 4);
        for (double v = -1; v < 3; v++) {
            double rest = jump_log_rest(&own, v, 0);
            double over = jump_points_above(rest, &left, v, 0);
            assert_true(over >= 0 && over < 4);
        }
        jump_points_free(&left);
        jump_line_free(&own.line);
    }
}

/* ---- Decay ------------------------------------------------------------- */

/* A steep tilt of a narrow class where losses bend: rho^p makes up for half
 * of the cuts' growth. */
static void bent_losses_decay(void **state)
{
    (void)state;
    double closest = HUGE_VAL;
    loss pair;
    jump_part part = part_of(&pair, 1, 0.05, 0.2578125);
    for (double t = 11; t < 32; t += 10) {
        jump_law own = between(&part, 4, 7, 9);
        jump_points exact = jump_integral(&own, 150);
        for (double u = 4; u < 100; u *= 1.5) {
            acb_t z;
            acb_init(z);
            jump_points_at(z, &exact, t, u);
            for (double turns = 0.5; turns < 3.6; turns += 0.5) {
                double w =
                    jump_log_decay(&own, t, turns * part.tau, u);
                double over = jump_above(w, z);
                assert_true(over >= 0);
                closest = fmin(closest, over);
            }
            acb_clear(z);
        }
        jump_points_free(&exact);
        jump_line_free(&own.line);
    }
    assert_true(closest < 0.5);
}

/* ---- Losses far below -------------------------------------------------- */

static jump_line line_of(
    const jump_part *p, int per, double from, double to)
{
    jump_line line = {.n = 0};
    assert_true(jump_line_lay(&line, p, per, from, to));
    return line;
}

static jump_points above(const jump_part *p, double cut, double size)
{
    double reach = (cut + 14.2) * p->tau;
    jump_weight w = {p, JUMP_ABOVE, 0, cut, 0, reach, 0};
    return jump_integral_over(&w, -14, 14, size);
}

/* By how much E[w^(1-a)] - 1 is exceeded, in logarithms. */
static double moment_over(
    const jump_line *line, const jump_points *all, double a)
{
    acb_t z;
    acb_init(z);
    jump_points_at(z, all, -a, 0);
    acb_sub_ui(z, z, 1, JUMP_BITS);
    double found = jump_above(log(expm1(jump_log_moment(line, a))), z);
    acb_clear(z);
    return found;
}

/* Fine cells that end where there is more to come. */
static void right_ends_are_charged(void **state)
{
    (void)state;
    loss pair;
    jump_part part = part_of(&pair, 3, 1e-3, 0.046875);
    jump_weight w = {&part, JUMP_ALL, 0, 0, 0, 0, 0};
    jump_points all = jump_integral_over(&w, -14, 14, 8);
    for (double end = 90; end < 110; end += 9) {
        jump_line line = line_of(&part, 2, -480, end);
        for (double a = 1.5; a < 7; a *= 2) {
            double over = moment_over(&line, &all, a);
            assert_true(over >= 0 && over < 0.35);
        }
        double cut = end - 70; /* its mark is 1 at the end */
        jump_points marked = above(&part, cut, 8);
        double mark = jump_log_marked(&line, cut, 1.5);
        double over = jump_points_above(mark, &marked, -1.5, 0);
        assert_true(over >= 0 && over < 0.35);
        jump_points_free(&marked);
        jump_line_free(&line);
    }
    for (double end = 26; end < 60; end += 11) {
        jump_line line = line_of(&part, 2, -480, end);
        jump_points marked = above(&part, end - 3, 8);
        double mark = jump_log_marked(&line, end - 3, 1.5);
        double over = jump_points_above(mark, &marked, -1.5, 0);
        assert_true(over >= 0 && over < 0.7);
        jump_points_free(&marked);
        jump_line_free(&line);
    }
    jump_points_free(&all);
}

/* Cells of more than a deviation. */
static void coarse_cells_hold(void **state)
{
    (void)state;
    static const double taus[] = {2.25, 4.5}, mus[] = {1, 2, 3};
    for (int i = 0; i < 6; i++) {
        loss pair;
        double mu = mus[i / 2], q = i % 3 ? 0.1 : 0.3;
        jump_part part = part_of(&pair, mu, q, taus[i % 2]);
        jump_weight w = {&part, JUMP_ALL, 0, 0, 0, 0, 0};
        jump_points all = jump_integral_over(&w, -14, 14, 13);
        jump_line line = line_of(
            &part, 1, -9, ceil((mu + 9) / part.tau));
        for (double s = 0.1; s < 13; s *= 2)
            assert_true(moment_over(&line, &all, 1 + s) >= 0);
        for (double cut = -2; cut < 2; cut++) {
            jump_points marked = above(&part, cut, 13);
            for (double s = 0.1; s < 13; s *= 2) {
                double mark = jump_log_marked(&line, cut, 1 + s);
                assert_true(
                    jump_points_above(mark, &marked, -1 - s, 0) >= 0);
            }
            jump_points_free(&marked);
        }
        jump_points_free(&all);
        jump_line_free(&line);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_between_nodes_hold),
        cmocka_unit_test(errors_of_coarse_sums_hold),
        cmocka_unit_test(both_sides_are_charged),
        cmocka_unit_test(ways_up_are_charged),
        cmocka_unit_test(left_ends_are_charged),
        cmocka_unit_test(bent_losses_decay),
        cmocka_unit_test(right_ends_are_charged),
        cmocka_unit_test(coarse_cells_hold),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
