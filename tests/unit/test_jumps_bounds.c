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

/* How many records are removed and added. */
static unsigned removed = 1, added = 0;

static bool is_one(void)
{
    return removed == 1 && added == 0;
}

/* References take longer for several. */
static int rounds(int n)
{
    return is_one() ? n : added == 0 ? n / 2 : n / 3;
}

/* A part near some epsilon, with a class there. */
typedef struct bench {
    loss pair;
    spectral_part item;
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
    double ratio = jump_point_at(p, jump_where(p, epsilon)).ratio;
    double tau = fmin(fmin(0.25, JUMP_MOVED_TAU / p->mu),
        0.13 * epsilon / (p->mu * ratio));
    int e;
    double m = frexp(tau / NORMAL_STEPS, &e);
    return NORMAL_STEPS * ldexp(floor(ldexp(m, 12)), e - 12);
}

/* A part and an epsilon. */
static void part_open(bench *b)
{
    jump_part *p = &b->part;
    double mu = log_uniform(0.02, is_one() ? 6 : 3);
    double q = log_uniform(1e-9, 0.3);
    b->pair = (loss){.noise = LOSS_GAUSSIAN,
        .map = is_one() ? LOSS_REMOVE : LOSS_SPLIT,
        .parameter = ball_of(mu), .rate = ball_of(q), .removed = removed,
        .added = added, .count = 1};
    assert_true(spectral_part_init(&b->item, &b->pair));
    assert_true(is_one() || split_of(&b->item) != NULL);
    *p = jump_part_of(&b->item);
    double x = mu / 2 + prop_uniform(&source, 0.5, 7);
    b->epsilon = jump_loss_at(p, x);
    p->tau = tau_for(p, b->epsilon);
}

/* Cuts and a tilt. */
static void class_open(bench *b)
{
    static const double widths[] = {14, 10, 7, 5, 3, 2};
    const jump_part *p = &b->part;
    b->from = -ceil(-jump_first(p, 40) / p->tau);
    b->cut = ceil(jump_where(p, b->epsilon) / p->tau) +
             floor(prop_uniform(&source, -10, 9));
    b->low = b->cut - widths[prop_below(&source, 6)];
    b->t = prop_uniform(&source, 1, 15) / b->epsilon;
    double ratio = jump_point_at(p, b->cut * p->tau).ratio;
    b->outer = prop_uniform(&source, 1, 10) / (p->tau * p->mu * ratio);
}

/* How fast an integrand turns at most, with exponents of so many tilts and
 * outer ends. */
static double turns_of(const bench *b, double times, double end)
{
    const jump_part *p = &b->part;
    double left = jump_point_at(p, -9).ratio;
    double ratio = fmax(jump_point_at(p, end).ratio, left);
    return times * (b->t + b->outer) * p->mu * ratio;
}

/* Not so fine that references take long. */
static void bench_open(bench *b)
{
    bool is_quick = false;
    *b = (bench){.epsilon = 0};
    while (!is_quick) {
        spectral_part_free(&b->item);
        part_open(b);
        if (!(b->part.tau > 0.02 && b->epsilon > 1e-5))
            continue;
        class_open(b);
        double end = (b->cut + JUMP_REACH) * b->part.tau;
        is_quick = is_one() || turns_of(b, 1, end) < 1000;
    }
}

static void bench_close(bench *b)
{
    spectral_part_free(&b->item);
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
    for (int i = 0; i < rounds(16); i++) {
        bench b;
        bench_open(&b);
        jump_law own = one_of(&b, i, pers[i % 4]);
        jump_points lattice = jump_lattice(&own);
        const double at[] = {-1, 0, b.t, 3 * b.t};
        for (int j = 0; j < 4; j++) {
            double mean, slack = jump_slack(&own.line, at[j]);
            double sum = jump_log_sum(&mean, &own, at[j]);
            double off = jump_points_above(sum, &lattice, at[j], 0);
            assert_true(fabs(off) <= slack && slack < 1e-5);
            worst = fmax(worst, fabs(off) / slack);
        }
        jump_points_free(&lattice);
        jump_line_free(&own.line);
        bench_close(&b);
    }
    assert_true(worst > (is_one() ? 1e-4 : 1e-6));
}

/* Moments, from few nodes to a tau on; where the cuts' ends matter at huge
 * exponents, they hold, too. */
static void uppers_hold(void **state)
{
    (void)state;
    double closest = HUGE_VAL;
    for (int i = 0; i < rounds(16); i++) {
        bench b;
        bench_open(&b);
        double end = 14 / (b.part.tau * b.part.mu * (1 + 3.0 * added));
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
        bench_close(&b);
    }
    assert_true(closest < 1e-6);
}

/* Lines that start too far right: what is left of them counts. */
static void left_parts_are_charged(void **state)
{
    (void)state;
    double closest = HUGE_VAL;
    for (int i = 0; i < rounds(8); i++) {
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
        bench_close(&b);
    }
    assert_true(closest < (added > 0 ? 2 : 0.5)); /* cells are wider */
}

/* ---- Off the real axis ------------------------------------------------- */

/* What a coarse lattice errs by, where that is more than rounding. */
static void errors_hold(void **state)
{
    (void)state;
    double closest = HUGE_VAL;
    int n_told = 0;
    for (int i = 0; i < rounds(18); i++) {
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
        bench_close(&b);
    }
    assert_true(closest < (added > 0 ? 9 : 3) && n_told > rounds(6));
}

static void decays_hold(void **state)
{
    (void)state;
    static const double turns[] = {2, 4, 6, 8};
    double closest = HUGE_VAL, deepest = 0;
    for (int i = 0; i < rounds(12); i++) {
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
        bench_close(&b);
    }
    assert_true(closest < 3 && deepest < -8);
}

/* One for which those of S, or of all, do not take long, either. */
static void bench_open_quick(bench *b, double times, bool is_whole)
{
    for (;;) {
        bench_open(b);
        const jump_part *p = &b->part;
        double end = is_whole ? p->removed * p->mu + 9
                              : (b->low + JUMP_REACH) * p->tau;
        if (turns_of(b, times, end) < 1000)
            return;
        bench_close(b);
    }
}

/* log of |B| at e^(-y - ia) over B at e^-y, by its terms. */
static double log_rho(const jump_part *p, double x, double a)
{
    const shifts *b = &p->split->q;
    double re = 0, im = 0, sum = 0;
    for (unsigned j = 0; j <= b->n; j++) {
        double term = exp(b->log_term_d[j] - j * p->mu * x);
        re += term * cos(j * a);
        im += term * sin(j * a);
        sum += term;
    }
    return log(sqrt(re * re + im * im) / sum);
}

/* What |B|^-t grows by on turned lines, by a fine lattice. */
static void lifts_hold(void **state)
{
    (void)state;
    double closest = HUGE_VAL, most = 0;
    for (int i = 0; i < rounds(60) && added > 0; i++) {
        bench b;
        bench_open(&b);
        jump_law own = one_of(&b, i, 1 + i % 4), fine = one_of(&b, i, 24);
        double turn = prop_uniform(&source, 0.1, 1.2), top = -HUGE_VAL;
        double t = b.t, sum = 0;
        for (int pass = 0; pass < 2; pass++)
            for (size_t k = 0; k < fine.line.n; k++) {
                double x = jump_line_x(&fine.line, k);
                double e = fine.line.height[k] +
                           (t + 1) * fine.line.loss[k] -
                           t * log_rho(&b.part, x, turn);
                top = pass == 0 ? fmax(top, e) : top;
                sum += pass == 0 ? 0 : exp(e - top);
            }
        double over = jump_log_lifted(&own, t, turn) - top - log(sum);
        assert_true(over >= -1e-9);
        closest = fmin(closest, over);
        double mean;
        most = fmax(most, top + log(sum) - jump_log_sum(&mean, &own, t));
        jump_line_free(&own.line);
        jump_line_free(&fine.line);
        bench_close(&b);
    }
    assert_true(added == 0 || (closest < 0.5 && most > 0.1));
}

/* S as a whole, by moved lines. */
static void belows_hold(void **state)
{
    (void)state;
    double closest = HUGE_VAL, deepest = 0;
    for (int i = 0; i < rounds(12); i++) {
        bench b;
        bench_open_quick(&b, 3, false);
        jump_law own = below(&b, i % 2 ? 2 : 3);
        jump_points exact = jump_integral(&own, b.t + 3 * b.outer);
        double mean, top = jump_log_sum(&mean, &own, b.t);
        for (int j = 0; j < 4; j++) {
            double u = b.outer * (j == 0 ? 0.2 : j);
            double least = jump_log_below(&own, b.t, u);
            deepest = fmin(deepest, least - top);
            for (int k = j; k < 4; k++) {
                double v = b.outer * (k == 0 ? 0.2 : k);
                double over = jump_points_above(least, &exact, b.t, v);
                assert_true(over >= 0);
                closest = fmin(closest, over);
            }
        }
        jump_points_free(&exact);
        jump_line_free(&own.line);
        bench_close(&b);
    }
    assert_true(closest < 0.5 && deepest < -0.01);
}

/* N of all, and S that is decayed by it. */
static void falls_hold(void **state)
{
    (void)state;
    double closest = HUGE_VAL, deepest = 0, gained = 0;
    for (int i = 0; i < rounds(12); i++) {
        bench b;
        bench_open_quick(&b, 1, true);
        const jump_part *p = &b.part;
        double end = p->removed * p->mu + 9, u = b.outer;
        double t = i % 3 == 0 ? 0 : b.t;
        jump_weight w = {p, JUMP_ALL, 0, 0, 0, 0, -t};
        jump_points all = jump_integral_over(&w, -9, end, t + u);
        jump_law own = below(&b, 2);
        jump_points s = jump_integral(&own, t + u);
        jump_line line = {.n = 0};
        assert_true(jump_lay_whole(&line, p, b.from, 0));
        double log_n = jump_points_log(&all, 0, 0);
        double log_s = jump_points_log(&s, t, 0);
        for (double alpha = 0.9; alpha > 0.02; alpha /= 1.6) {
            jump_fall fall = jump_log_fall(&line, t, alpha, u);
            double over = fall.log_fall + log_n -
                          jump_points_log(&all, 0, u);
            assert_true(over >= -1e-12 && fall.log_mass <= log_n + 1e-12);
            assert_true(fall.log_fall == 0 || fall.log_mass > log_n - 0.01);
            closest = fmin(closest, over);
            deepest = fmin(deepest, fall.log_fall);
            double marked = ball_upper(jump_marked_p(p, b.low));
            double most =
                jump_log_decayed(p, marked, t, log_s + 1e-12, fall);
            assert_true(jump_points_above(most, &s, t, u) >= 0);
            gained = fmax(gained, log_s - most);
        }
        jump_points_free(&all);
        jump_points_free(&s);
        jump_line_free(&line);
        jump_line_free(&own.line);
        bench_close(&b);
    }
    assert_true(closest < 2 && deepest < -1 && gained > 0);
}

/* Where w^p rises as fast as the upper cut falls at its end. */
static bool is_steep(const bench *b)
{
    const jump_part *p = &b->part;
    double x = (b->cut + JUMP_REACH) * p->tau;
    double ratio = jump_point_at(p, x).ratio;
    return (b->t + 1) * p->mu * ratio * p->tau > 5;
}

/* A coarse lattice errs by its rule. */
static void moved_lines_hold(void **state)
{
    (void)state;
    double worst[2] = {0, 0}, least = HUGE_VAL;
    for (int i = 0; i < rounds(16); i++) {
        bench b;
        bool is_coarse = i % 2, has_left = added > 0 && i % 4 == 2;
        if (has_left) /* what is below another cut, too */
            bench_open_quick(&b, 1, false);
        else
            bench_open(&b);
        double error;
        jump_law own = between(&b, is_coarse ? 1 : JUMP_MOVED_PER), left;
        left = below(&b, JUMP_MOVED_PER);
        double r = jump_worst_moved(
            &error, &own, has_left ? &left : NULL, b.t, b.outer);
        jump_line_free(&own.line);
        jump_line_free(&left.line);
        assert_true(r <= 1);
        worst[is_coarse] = fmax(worst[is_coarse], r);
        assert_true(is_coarse || error < 1e-9 || is_steep(&b));
        least = fmin(least, error);
        bench_close(&b);
    }
    assert_true(worst[0] > 1e-5 && 
                worst[1] > (is_one() ? 0.005 : 0.001) && least < 1e-11);
}

/* ---- Losses far below -------------------------------------------------- */

static void low_moments_hold(void **state)
{
    (void)state;
    double farthest = 0;
    for (int i = 0; i < rounds(12); i++) {
        bench b;
        bench_open(&b);
        jump_line line = {.n = 0};
        double top = ceil(fmax(b.cut + 20, (b.part.mu + 9) / b.part.tau));
        assert_true(jump_line_lay(
            &line, &b.part, i % 2 ? 3 : 1, b.from, top));
        jump_weight w = {&b.part, JUMP_ALL, 0, 0, 0, 0, 0};
        double reach = b.cut * b.part.tau + 14.2 * b.part.tau;
        jump_weight above = {&b.part, JUMP_ABOVE, 0, b.cut, 0, reach, 0};
        double size = 64 / b.epsilon;
        double end = fmin(jump_where(&b.part, 10 * b.epsilon), 22);
        double from = added > 0 ? jump_line_x(&line, 0) : -22;
        jump_points all = jump_integral_over(&w, from, end, size);
        jump_points marked = jump_integral_over(&above, from, end, size);
        for (double a = 16 / b.epsilon; a < 100 / b.epsilon; a *= 2) {
            double shift = fmax(a, 1.5), mark;
            acb_t z;
            acb_init(z);
            jump_points_at(z, &all, -shift, 0);
            acb_sub_ui(z, z, 1, JUMP_BITS);
            double more = expm1(jump_log_moment(&line, shift));
            /* but for what is right of the nodes */
            double over = jump_above(log(more), z);
            assert_true(over >= 0 || !(more < 1e30) || added > 0);
            double whole = jump_log_moment(&line, shift);
            assert_true(
                jump_points_above(whole, &all, -shift, 0) >= -1e-12);
            if (more < 10 && added == 0) {
                more = fmax(more - shift * exp(-40), 0);
                farthest = fmax(farthest, jump_above(log(more), z));
            }
            mark = jump_log_marked(&line, b.cut, shift);
            jump_points_at(z, &marked, -shift, 0);
            over = jump_above(mark, z);
            assert_true(over >= 0);
            /* cells are a tau, or a third of it */
            assert_true(over < (i % 2 ? 4 : 10) || shift * b.part.q > 10 ||
                        !is_one());
            acb_clear(z);
        }
        /* no number is not passed over */
        line.loss[line.n / 2 + (size_t)i % 3] = NAN;
        assert_true(isnan(jump_log_moment(&line, 2)));
        jump_points_free(&all);
        jump_points_free(&marked);
        jump_line_free(&line);
        bench_close(&b);
    }
    assert_true(farthest < (is_one() ? 1.5 : 5));
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
        cmocka_unit_test(lifts_hold),
        cmocka_unit_test(belows_hold),
        cmocka_unit_test(falls_hold),
        cmocka_unit_test(moved_lines_hold),
        cmocka_unit_test(low_moments_hold),
    };
    static const unsigned many[][2] = {{1, 0}, {2, 0}, {7, 0}, {1, 1}, {3, 2}};
    int status = 0;
    for (size_t i = 0; i < sizeof many / sizeof *many; i++) {
        removed = many[i][0];
        added = many[i][1];
        status = cmocka_run_group_tests(tests, NULL, NULL) || status;
    }
    flint_cleanup();
    return status;
}
