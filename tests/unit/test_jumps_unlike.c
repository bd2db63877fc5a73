/*
 * Classes of jumps of several records where lines end early, and of parts that
 * are unlike: the top of one may be where it has no mass, that of another where
 * losses are about epsilon. By lattices, and for a run of each by the closed
 * profile of one under the law of the other. Derivation:
 * docs/theory/spectral.md, sections 9 and 11.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prop/random.h"
#include "repr/spectral_jumps_left.h"
#include "support/jump_many.h"

#define ROOT 0.39894228040143267794 /* 1/sqrt(2 pi) */

static prop_random source;

static double log_uniform(double a, double b)
{
    return exp(prop_uniform(&source, log(a), log(b)));
}

/* ---- Right of all nodes ------------------------------------------------ */

#define STEP 0x1p-6

/* log of int phi B (w^-s - 1 + s (w - 1)) from there on. */
static double log_more(const jump_part *p, double s, double from)
{
    double sum = 0;
    for (double x = from; x < p->removed * p->mu + 14; x += STEP) {
        jump_point at = jump_point_at(p, x);
        sum += STEP * ROOT * exp(at.log_b - x * x / 2) *
               (expm1(-s * at.loss) + s * expm1(at.loss));
    }
    return log(sum);
}

/* Cells end where one record is that is sampled, or a little further, and
 * others may be beyond; at exponents for which that matters. */
static void right_ends_hold(void **state)
{
    (void)state;
    static const unsigned many[][2] = {{6, 0}, {2, 0}, {3, 1}, {2, 2}, {1, 3}};
    double closest[5];
    for (int i = 0; i < 5; i++)
        closest[i] = HUGE_VAL;
    for (int i = 0; i < 120; i++) {
        const unsigned *m = many[i % 5];
        bool is_near = i % 2;
        double mu =
            is_near ? prop_uniform(&source, 1.6, 2.2) : log_uniform(0.5, 2);
        loss pair = many_of(m[0], m[1], log_uniform(1e-7, 1e-5), mu, 1);
        bench b;
        bench_open(&b, &pair, 1);
        jump_part p = jump_part_of(&b.items[0]);
        p.tau = ldexp(NORMAL_STEPS, -8);
        /* where no loss is far below */
        double from = -ceil((p.added > 0 ? 1.1 : 9) / p.tau);
        double beyond = is_near ? prop_uniform(&source, 1.02, 1.2)
                                : prop_uniform(&source, 2, 3.5);
        double end = ceil((p.mu + beyond) / p.tau);
        double s = is_near ? 0.1 / (p.removed * p.q)
                           : 30 / jump_loss_at(&p, end * p.tau);
        jump_line line = {.n = 0};
        assert_true(jump_line_lay(&line, &p, 3, from, end));
        double truth = log_more(&p, s, from * p.tau);
        double over = log(expm1(jump_log_moment(&line, 1 + s))) - truth;
        assert_true(over >= -1e-6 && over < 1);
        closest[i % 5] = fmin(closest[i % 5], over);
        jump_line_free(&line);
        bench_close(&b);
    }
    for (int i = 0; i < 5; i++)
        assert_true(closest[i] < 0.3);
}

/* More records are added than removed, and P has more of those who are not
 * sampled right of the cells. */
static void more_that_are_not_sampled_count(void **state)
{
    (void)state;
    loss pair = many_of(1, 3, 0.2, 1, 1);
    bench b;
    bench_open(&b, &pair, 1);
    jump_part p = jump_part_of(&b.items[0]);
    p.tau = ldexp(NORMAL_STEPS, -8);
    for (double end = 18; end < 30; end++) {
        jump_line line = {.n = 0};
        assert_true(jump_line_lay(&line, &p, 3, -ceil(1.1 / p.tau), end));
        for (double s = 10; s < 1000; s *= 3) {
            double truth = log_more(&p, s, -ceil(1.1 / p.tau) * p.tau);
            double found = log(expm1(jump_log_moment(&line, 1 + s)));
            assert_true(found >= truth - 1e-6);
        }
        jump_line_free(&line);
    }
    bench_close(&b);
}

/* ---- Losses far below -------------------------------------------------- */

#define LATTICE 800
#define LATTICE_END 14.0

typedef struct lattice {
    double p[LATTICE], q[LATTICE], mark[LATTICE];
} lattice;

static void fill(lattice *out, const jump_part *p, double cut)
{
    double h = 2 * LATTICE_END / LATTICE;
    for (int i = 0; i < LATTICE; i++) {
        double x = (i + 0.5) * h - LATTICE_END;
        jump_point at = jump_point_at(p, x);
        out->q[i] = h * ROOT * exp(at.log_b - x * x / 2);
        out->p[i] = out->q[i] * exp(at.loss);
        out->mark[i] = erfc((cut - x / p->tau) / sqrt(2)) / 2;
    }
}

/* int (e^(-x - Z) - 1)_+ dP over a run of each part, of which the first is
 * marked; its log. */
static double log_below(const jump_part *parts, double cut, double x)
{
    static lattice a, b;
    double sum = 0;
    fill(&a, &parts[0], cut);
    fill(&b, &parts[1], cut);
    for (int i = 0; i < LATTICE; i++)
        for (int j = 0; j < LATTICE; j++)
            sum += a.mark[i] *
                   fmax(exp(-x) * a.q[i] * b.q[j] - a.p[i] * b.p[j], 0);
    return log(sum);
}

/* A part that ends has no marks, wherever its cut is. */
static void ended_parts_have_no_marks(void **state)
{
    (void)state;
    static const bool ends[] = {false, true};
    double closest[2][2] = {{HUGE_VAL, HUGE_VAL}, {HUGE_VAL, HUGE_VAL}};
    for (int i = 0; i < 200; i++) {
        bool is_low = i % 2;
        loss laws[2];
        for (int k = 0; k < 2; k++)
            laws[k] =
                many_of(1, 1, log_uniform(1e-5, 1e-2), log_uniform(0.3, 2), 1);
        bench b;
        bench_open(&b, laws, 2);
        jump_choice c = {.n_parts = 2};
        jump_line lines[2] = {{.n = 0}, {.n = 0}};
        double left[2], lost = 0;
        for (int k = 0; k < 2; k++) {
            jump_part *p = &c.parts[k];
            *p = jump_part_of(&b.items[k]);
            p->tau = ldexp(NORMAL_STEPS, -8);
            c.from[k] = -ceil(9 / p->tau);
            assert_true(
                jump_line_lay(&lines[k], p, 3, c.from[k], ceil(12 / p->tau)));
            left[k] = ceil(prop_uniform(&source, -5, -1.2) / p->tau);
            lost = fmax(lost, -jump_loss_at(p, left[k] * p->tau));
        }
        double cuts[] = {ceil(prop_uniform(&source, 2.5, 5) / c.parts[0].tau),
            (is_low ? -20 : 60) / c.parts[1].tau};
        double x = prop_uniform(&source, -0.5, 1.2) * lost;
        double truth = log_below(c.parts, cuts[0], x);
        double far = jump_left_log_far(&c, left, cuts, ends) - x;
        double near = HUGE_VAL;
        for (double s = 0.1 / lost; s < 300 / lost; s *= 1.3)
            near = fmin(
                near, jump_left_log_near(&c, lines, left, cuts, ends, 1 + s) +
                          jump_log_kernel(s) - (1 + s) * x);
        double over = jump_log_add(far, near) - truth;
        assert_true(over >= -1e-6);
        double *least = &closest[is_low][far > near];
        *least = fmin(*least, over);
        jump_line_free(&lines[0]);
        jump_line_free(&lines[1]);
        bench_close(&b);
    }
    for (int i = 0; i < 4; i++)
        assert_true(closest[i / 2][i % 2] < (i % 2 ? 3 : 1.5));
}

/* ---- A run of each ----------------------------------------------------- */

/* log of E[delta_0(eps - Z_1)], Z_1 the loss of the second. */
static double log_truth(
    const loss *laws, const jump_part *parts, double epsilon)
{
    double sum = 0, end = parts[1].removed * parts[1].mu + 16;
    for (double x = -16; x < end; x += 0x1p-5) {
        jump_point at = jump_point_at(&parts[1], x);
        double rest = epsilon - at.loss;
        double one = many_one_run(&laws[0], jump_where(&parts[0], rest), rest);
        sum += 0x1p-5 * ROOT * exp(at.log_b + at.loss - x * x / 2 + one);
    }
    return log(sum);
}

/* Of much noise and of little, where the first ends at cuts of the second. */
static void unlike_parts_end_one_by_one(void **state)
{
    (void)state;
    static const unsigned many[][2] = {{1, 1}, {3, 0}, {2, 1}};
    int n_apart = 0, n_narrow = 0;
    for (int i = 0; i < 45; i++) {
        const unsigned *m = many[i % 3];
        loss laws[] = {many_of(m[0], m[1], log_uniform(1e-5, 1e-2),
                           log_uniform(0.8, 2), 1),
            many_of(m[0], m[1], log_uniform(1e-6, 1e-2), log_uniform(0.1, 0.25),
                1)};
        bench b;
        bench_open(&b, laws, 2);
        jump_part parts[] = {
            jump_part_of(&b.items[0]), jump_part_of(&b.items[1])};
        /* where the first alone bends, the second is not */
        double epsilon =
            fmax(jump_loss_at(&parts[0], prop_uniform(&source, 5, 9)),
                jump_loss_at(&parts[1], 12));
        double truth = log_truth(laws, parts, epsilon);
        jump_choice c;
        bool no_memory;
        if (jump_choose(&c, &b.parts, epsilon, truth, 0, &no_memory))
            n_apart += c.ends[0] != c.ends[1];
        spectral_jumps *j = bench_build(&b, epsilon, truth);
        if (j != NULL) {
            dosi_interval in = spectral_jumps_read(j, epsilon);
            double off = 1e-9 * (1 + fabs(truth));
            assert_true(in.lo <= truth + off && in.hi >= truth - off);
            n_narrow += in.hi - in.lo < 1e-7;
        }
        spectral_jumps_free(j);
        bench_close(&b);
    }
    assert_true(n_apart > 30 && n_narrow > 35);
}

int main(void)
{
    source = prop_start("test_jumps_unlike");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_ends_hold),
        cmocka_unit_test(more_that_are_not_sampled_count),
        cmocka_unit_test(ended_parts_have_no_marks),
        cmocka_unit_test(unlike_parts_end_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
