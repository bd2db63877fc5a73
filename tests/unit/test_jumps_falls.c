/*
 * How the law below a cut decays, bound by bound against integrals by Arb:
 * first without cut and tilt, then with both. Each bound must hold, and be
 * near what it bounds. Derivation: docs/theory/spectral.md, section 9.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "prop/random.h"
#include "support/jump_integrals.h"
#include "support/jump_plans.h"

#define FAR_OUT 9 /* deviations where nothing is left */

static const double pi = 3.14159265358979323846;

static prop_random source;

static double log_uniform(double a, double b)
{
    return exp(prop_uniform(&source, log(a), log(b)));
}

/* A part whose cuts are about so wide: NORMAL_STEPS short numbers. */
static jump_part part_of(loss *pair, double q, double mu, double tau)
{
    int e;
    double m = frexp(tau / NORMAL_STEPS, &e);
    *pair = jumps_of(q, mu, 1);
    return (jump_part){.pair = pair, .count = 1, .mu = mu, .q = q,
        .removed = 1, .keep = log1p(-q),
        .tau = NORMAL_STEPS * ldexp(floor(ldexp(m, 12)), e - 12)};
}

static double ratio_at(const jump_part *p, double x)
{
    double y = p->mu * x - p->mu * p->mu / 2;
    return p->q * exp(y - jump_loss_at(p, x));
}

/* A part with nodes, where |E_Q[w^(1 + iv)]| is asked for from u on, and how
 * far noise is looked at. */
typedef struct fall_case {
    loss pair;
    jump_part part;
    double u, end;
} fall_case;

/* By turns: nearly Gaussian losses, on fine nodes and on coarse ones; a large
 * rate, where moduli matter; and w^(iv) that turns within less than a step of
 * coarse nodes, so that their rule errs. */
static fall_case random_fall(int i)
{
    fall_case c;
    double tau = i % 4 == 1 ? prop_uniform(&source, 0.4, 3) : 0.25;
    if (i % 4 < 2) {
        c.part = part_of(&c.pair, log_uniform(1e-3, 0.3),
            log_uniform(0.1, 2.5), tau);
        c.end = c.part.mu + FAR_OUT;
        c.u = fmin(log_uniform(0.2, 6) / (c.part.q * c.part.mu),
            200 / (c.part.mu * ratio_at(&c.part, c.end)));
    } else if (i % 4 == 2) {
        c.part = part_of(&c.pair, prop_uniform(&source, 0.2, 0.7),
            prop_uniform(&source, 0.5, 2.5), tau);
        c.end = c.part.mu + FAR_OUT;
        c.u = log_uniform(0.2, 3);
    } else {
        double mu = prop_uniform(&source, 2, 3.2);
        double x = prop_uniform(&source, 0, 1);
        c.part = part_of(&c.pair, log_uniform(1e-4, 1e-3), mu,
            prop_uniform(&source, 1, 3));
        c.end = 2.5;
        c.u = exp(mu * mu / 2 - mu * x) / c.part.q;
    }
    return c;
}

/* The noise beyond x. */
static double beyond(const jump_part *p, double x)
{
    double sum = (1 - p->q) * erfc(x / sqrt(2)) +
                 p->q * erfc((x - p->mu) / sqrt(2));
    return sum / 2 * (1 + 1e-9);
}

/* E_P[f] of a bound. */
static double mean_of(double fall, const jump_part *p, double alpha)
{
    return exp(fall - alpha * alpha / (2 * p->mu * p->mu));
}

/* Bounds hold at all u from where they are taken on; and of the integral that
 * they are made of coarse nodes tell no less than fine ones. */
static void falls_hold(void **state)
{
    (void)state;
    double closest[4] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL}, deepest = 0;
    for (int i = 0; i < 60; i++) {
        fall_case c = random_fall(i);
        jump_part *p = &c.part;
        p->pair = &c.pair;
        jump_points exact = jump_integral_all(p, -10, c.end, 2 * c.u);
        jump_line line = {.n = 0}, fine = {.n = 0};
        double from = -ceil(FAR_OUT / p->tau), to = ceil(c.end / p->tau);
        assert_true(jump_lay_whole(&line, p, from, 0));
        assert_true(jump_line_lay(&fine, p, 24, from, fmax(to, 1 - from)));
        double least[5], most = fmin(2 * p->mu * p->mu * c.u * p->q, 1.45);
        for (int j = 0; j < 5; j++) {
            double size = exp(jump_points_log(&exact, 0, c.u * (1 + j / 4.0)));
            least[j] = log(fmax(size - beyond(p, c.end), DBL_MIN));
        }
        for (double alpha = most; alpha > most / 8; alpha /= 1.3) {
            for (int j = 0; j < 5; j++) {
                double u = c.u * (1 + j / 4.0);
                double fall = jump_log_fall(&line, 0, alpha, u).log_fall;
                deepest = fmin(deepest, fall);
                assert_true(mean_of(fall, p, alpha) + 1e-9 >=
                            mean_of(jump_log_fall(&fine, 0, alpha, u).log_fall,
                                p, alpha));
                for (int k = j; k < 5; k++)
                    assert_true(fall >= least[k]);
                if (fall < -1e-3)
                    closest[i % 4] = fmin(
                        closest[i % 4], (fall - least[j]) / -fall);
            }
        }
        jump_line_free(&line);
        jump_line_free(&fine);
        jump_points_free(&exact);
    }
    assert_true(closest[0] < 0.1 && closest[1] < 0.1 && deepest < -3);
    assert_true(closest[2] < 0.3 && closest[3] < 2);
}

/* A part, a cut, and where S is asked for. */
typedef struct decay_case {
    loss pair;
    jump_part part;
    double cut, t, u;
} decay_case;

/* By turns: a rare jump turns half round, so that its mark counts twice; most
 * is left of the cut, where tilts make it less; most is near the cut, where
 * tilts make it great; and as it is used. */
static decay_case random_case(int i)
{
    decay_case c;
    double tau = prop_uniform(&source, 0.1, 0.25);
    if (i % 4 == 0) {
        double l = prop_uniform(&source, 0.3, 2);
        c.part = part_of(&c.pair, log_uniform(1e-4, 1e-2),
            prop_uniform(&source, 0.7, 2), tau);
        c.cut = ceil(jump_where(&c.part, l) / c.part.tau);
        c.t = i % 8 ? 0 : prop_uniform(&source, 0, 0.2);
        c.u = pi / jump_loss_at(&c.part, (c.cut + 2) * c.part.tau);
    } else if (i % 4 == 1) {
        c.part = part_of(&c.pair, prop_uniform(&source, 0.2, 0.4),
            prop_uniform(&source, 0.6, 1.5), tau);
        c.cut = ceil(prop_uniform(&source, 0.3, 1.1) / c.part.tau);
        c.t = prop_uniform(&source, 2, 30);
        c.u = log_uniform(3, 50);
    } else if (i % 4 == 2) {
        c.part = part_of(&c.pair, prop_uniform(&source, 0.14, 0.27),
            prop_uniform(&source, 2.2, 2.5), 0.06);
        c.cut = ceil(prop_uniform(&source, 3.2, 3.7) / c.part.tau);
        c.t = prop_uniform(&source, 4, 10);
        c.u = prop_uniform(&source, 1, 1.1);
    } else {
        double l = log_uniform(0.02, 0.5);
        c.part = part_of(&c.pair, log_uniform(1e-4, 1e-2),
            prop_uniform(&source, 0.3, 1.5), tau);
        c.cut = ceil(jump_where(&c.part, l) / c.part.tau);
        c.t = prop_uniform(&source, 1, 8) / l;
        c.u = prop_uniform(&source, 0.1, 30) / l;
    }
    return c;
}

/* |S(t + iu)| from S(t) and |E_Q[w^(1 + iu)]|, as Arb knows them. */
static void decays_hold(void **state)
{
    (void)state;
    double closest = HUGE_VAL, least_mark = HUGE_VAL;
    int n_gained[4] = {0, 0, 0, 0};
    for (int i = 0; i < 60; i++) {
        decay_case c = random_case(i);
        jump_law below = {.cut = 0};
        c.part.pair = &c.pair;
        assert_true(jump_lay_below(&below, &c.part, 4, -50, c.cut));
        double end = fmax(c.part.mu + FAR_OUT, c.cut * c.part.tau + 2);
        jump_points s = jump_integral(&below, c.t + c.u);
        jump_points all = jump_integral_all(&c.part, -10, end, c.u);
        double log_s = jump_points_log(&s, c.t, 0);
        double log_m = jump_points_log(&all, 0, c.u);
        double marked = ball_upper(jump_marked_p(&c.part, c.cut));
        double most = jump_log_decayed(
            &c.part, marked, c.t, log_s, (jump_fall){log_m, 0});
        double over = jump_points_above(most, &s, c.t, c.u);
        assert_true(over >= -1e-15 * (1 + fabs(log_s)));
        double gain = log_s - most;
        n_gained[i % 4] += gain > 0;
        if (i % 4 == 0)
            least_mark = fmin(least_mark, over / marked);
        else if (gain > 0)
            closest = fmin(closest, over / gain);
        jump_points_free(&s);
        jump_points_free(&all);
        jump_line_free(&below.line);
    }
    for (int i = 0; i < 4; i++)
        assert_true(n_gained[i] > 1);
    assert_true(closest < 0.5 && least_mark < 0.8);
}

int main(void)
{
    source = prop_start("test_jumps_falls");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(falls_hold),
        cmocka_unit_test(decays_hold),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
