/*
 * One class of jumps against direct integrals by Arb, also where its contour
 * is poor; and what happens when memory runs out. Derivation:
 * docs/theory/spectral.md, section 9.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "prop/random.h"
#include "repr/spectral_jumps_class.h"
#include "repr/spectral_jumps_moved.h"
#include "support/fail_alloc.h"
#include "support/jump_integrals.h"
#include "support/jump_plans.h"

static prop_random source;

static double log_uniform(double a, double b)
{
    return exp(prop_uniform(&source, log(a), log(b)));
}

/* ---- One class --------------------------------------------------------- */

/* int (1 - e^(eps - l))_+ w phi (s_b - s_a) for one run, by Gauss's rule from
 * where l = eps on; and its logarithm less x. */
static double one_run_above(double x, const jump_choice *c, const jump_class *k)
{
    const jump_part *p = &c->parts[0];
    double reach = (JUMP_REACH + 0.5 / JUMP_MOVED_PER) * p->tau;
    jump_weight w = {p, JUMP_BETWEEN, k->low[0], k->high[0],
        k->low[0] * p->tau + reach, k->high[0] * p->tau + reach, 0};
    double from = jump_where(p, c->epsilon);
    jump_points all = jump_integral_over(&w, from, w.end_b, 1);
    acb_t a, b;
    arb_t e;
    acb_init(a);
    acb_init(b);
    arb_init(e);
    jump_points_at(a, &all, 0, 0);
    jump_points_at(b, &all, -1, 0);
    arb_set_d(e, c->epsilon);
    arb_exp(e, e, JUMP_BITS);
    acb_mul_arb(b, b, e, JUMP_BITS);
    double found = jump_above_gap(x, a, b);
    acb_clear(a);
    acb_clear(b);
    arb_clear(e);
    jump_points_free(&all);
    return found;
}

/* Unknown where its contour is refused. */
static dosi_interval class_log_delta(
    const jump_choice *c, const jump_class *k)
{
    spectral_contour contour;
    bool found;
    assert_int_equal(
        jump_class_build(&contour, &found, c, k, NULL, NULL), DOSI_OK);
    if (!found)
        return (dosi_interval){-HUGE_VAL, 0};
    dosi_interval out = spectral_contour_read(&contour, c->epsilon);
    spectral_contour_free(&contour);
    return out;
}

/* A choice for some runs of one random part; false where there is none. */
static bool choose(jump_choice *c, bench *b, double count)
{
    double q = log_uniform(1e-4, 0.1), mu = log_uniform(0.7, 4);
    double epsilon = log1p(q * expm1(mu * prop_uniform(&source, 1.5, 3)));
    loss pair = jumps_of(q, mu, count);
    bench_open(b, &pair, 1);
    double log_delta = spectral_jumps_log_delta(&b->parts, epsilon);
    bool no_memory = false;
    return jump_choose(c, &b->parts, epsilon, log_delta, 0, &no_memory);
}

/* With steps as chosen, longer ones and fewer: aliases and what is cut off are
 * charged, and not without need. */
static void classes_hold(void **state)
{
    (void)state;
    double narrow = 0;
    jump_choice *c = malloc(sizeof *c);
    assert_non_null(c);
    int n_told = 0, n_charged[3] = {0, 0, 0};
    for (int i = 0; i < 12; i++) {
        bench b;
        bool found = choose(c, &b, 1);
        for (size_t j = 0; found && j < c->n && j < 4; j++)
            for (int how = 0; c->classes[j].n_outer > 0 && how < 5; how++) {
                jump_class k = c->classes[j];
                double longer = how % 3 == 1 ? 1.5 + how / 6.0 : 1;
                double fewer = how % 3 == 2 ? 0.7 - how / 20.0 : 1;
                k.step *= longer;
                k.n_outer = ceil(k.n_outer * fewer / longer);
                dosi_interval at = class_log_delta(c, &k);
                assert_true(one_run_above(at.hi, c, &k) >= -1e-15);
                assert_true(one_run_above(at.lo, c, &k) <= 1e-15);
                bool counts = k.log_size > c->log_delta - 5;
                if (counts && how == 0)
                    narrow = fmax(narrow, at.hi - at.lo);
                n_charged[how % 3] += at.hi - at.lo > 1e-8 && at.hi < 0;
                n_told += counts;
            }
        bench_close(&b);
    }
    free(c);
    assert_true(narrow < 1e-8 && n_told > 20);
    assert_true(n_charged[1] > 3 && n_charged[2] > 3);
}

/* A class whose first node is too far right has lost some of S, and says
 * so. */
static void bulks_are_charged(void **state)
{
    (void)state;
    jump_choice *c = malloc(sizeof *c);
    assert_non_null(c);
    int n_told = 0;
    for (int i = 0; i < 12; i++) {
        bench b;
        bool found = choose(c, &b, floor(log_uniform(2, 60)));
        double from = c->from[0];
        for (size_t j = 0; found && j < c->n && j < 4; j++) {
            const jump_class *k = &c->classes[j];
            if (!(k->n_outer > 0) || k->is_bulk)
                continue;
            dosi_interval fine = class_log_delta(c, k);
            c->from[0] = ceil(-5 / c->parts[0].tau);
            dosi_interval poor = class_log_delta(c, k);
            c->from[0] = from;
            assert_true(poor.lo <= fine.hi && fine.lo <= poor.hi);
            n_told += fine.hi - fine.lo < 1e-8 && poor.hi < 0;
        }
        bench_close(&b);
    }
    free(c);
    assert_true(n_told > 6);
}

/* log of (S(v) + |W(v + iu)|)^k - S(v)^k, by Arb. */
static double log_difference(const jump_choice *c, const jump_class *k,
    double v, double u)
{
    const jump_part *p = &c->parts[0];
    jump_law below = {.cut = 0}, jump = {.cut = 0};
    assert_true(jump_lay_below(
        &below, p, JUMP_MOVED_PER, c->from[0], k->low[0]));
    assert_true(jump_lay_between(
        &jump, p, JUMP_MOVED_PER, k->low[0], k->high[0]));
    jump_points s = jump_integral(&below, fmax(v, 1));
    jump_points w = jump_integral(&jump, fmax(v, 1) + u);
    double log_s = -jump_points_above(0, &s, v, 0);
    double log_w = -jump_points_above(0, &w, v, u);
    jump_points_free(&s);
    jump_points_free(&w);
    jump_line_free(&below.line);
    jump_line_free(&jump.line);
    double more = p->count * log1p(exp(log_w - log_s));
    return p->count * log_s + (more > 40 ? more : log(expm1(more)));
}

/* D(t) from above, against S and W by Arb. */
static void sizes_hold(void **state)
{
    (void)state;
    jump_choice *c = malloc(sizeof *c);
    assert_non_null(c);
    int n_told = 0;
    for (int i = 0; i < 8; i++) {
        double count = i % 2 ? 1 : floor(log_uniform(2, 300)), log_d;
        bench b;
        bool found = choose(c, &b, count);
        for (size_t j = 0; found && j < c->n && j < 2; j++) {
            const jump_class *k = &c->classes[j];
            if (k->is_bulk)
                break;
            double exact = log_difference(c, k, k->t, 0);
            assert_true(jump_class_log_size(&log_d, c, k));
            assert_true(log_d >= exact - 1e-12 && log_d < exact + 0.5);
            n_told++;
        }
        bench_close(&b);
    }
    free(c);
    assert_true(n_told > 6);
}

static void near(ball found, double log_exact)
{
    double gap = ball_mid(ball_log(found)) - log_exact;
    assert_true(fabs(gap) < 1e-10 && found.rad < 1e-20 * found.hi);
}

/* What contours of many runs charge for right aliases, and for all from an
 * early node on; the masses that left aliases are known by. */
static void charges_hold(void **state)
{
    (void)state;
    jump_choice *c = malloc(sizeof *c);
    assert_non_null(c);
    int n_told = 0;
    double most[2] = {0, 0};
    for (int i = 0; i < 12; i++) {
        bench b;
        bool found = choose(c, &b, floor(log_uniform(3, 40)));
        for (size_t j = 0; found && j < c->n && j < 2; j++) {
            jump_class k = c->classes[j];
            if (!(k.n_outer > 0) || k.is_bulk)
                continue;
            spectral_contour at;
            k.n_outer = 2;
            assert_int_equal(
                jump_class_build(&at, &found, c, &k, NULL, NULL), DOSI_OK);
            if (!found)
                break;
            double exact = log_difference(c, &k, k.t + k.right, 0);
            ball alias = spectral_log_alias(
                &at.choice, k.right, ball_of(exact));
            double more = ball_mid(at.log_alias[0]) - ball_mid(alias);
            assert_true(more >= -1e-12 * (1 + fabs(exact)));
            most[0] = fmax(most[0], more);
            /* D(0) and D(-1) */
            near(at.mass_p, log_difference(c, &k, 0, 0));
            near(at.mass_q, log_difference(c, &k, -1, 0));
            double cut = log_difference(c, &k, k.t, 2 * k.step) +
                         ball_mid(spectral_log_tail(&at.choice)) -
                         ball_mid(at.cumulant);
            double over = log(at.cut_upper) - cut;
            assert_true(over >= 0);
            most[1] = fmax(most[1], over);
            n_told++;
            spectral_contour_free(&at);
        }
        bench_close(&b);
    }
    free(c);
    assert_true(n_told > 5 && most[0] < 2 && most[1] < 2);
}

/* ---- Running out of memory --------------------------------------------- */

static void runs_out(const bench *b, double epsilon, double log_delta)
{
    spectral_jumps *j = NULL;
    long before = fail_live, n = 1;
    for (; j == NULL && n < 2000; n++) {
        dosi_error err;
        fail_countdown = n;
        dosi_status status = spectral_jumps_new(
            &j, &b->parts, epsilon, log_delta, 0, 1e9, NULL, &err);
        bool had_all = fail_countdown > 0;
        fail_countdown = -1;
        if (had_all)
            break;
        assert_int_equal(status, DOSI_ENOMEM);
        assert_null(j);
        assert_int_equal(fail_live, before);
    }
    assert_non_null(j);
    assert_true(n > 20 && n < 2000);
    spectral_jumps_free(j);
    assert_int_equal(fail_live, before);
}

/* Of classes, and of all below a cut at once. */
static void memory_runs_out(void **state)
{
    (void)state;
    loss few[] = {jumps_of(0.01, 2, 1), jumps_of(0.02, 1.5, 1)};
    loss many[] = {jumps_of(0.001, 0.7, 200), jumps_of(0.002, 0.5, 300)};
    bench b;
    bench_open(&b, few, 2);
    runs_out(&b, 5, log(1e-6));
    bench_close(&b);
    bench_open(&b, many, 2);
    double epsilon = bench_guess(&b, log(1e-6));
    bool no_memory = false;
    jump_choice *c = malloc(sizeof *c);
    assert_non_null(c);
    assert_true(
        jump_choose(c, &b.parts, epsilon, log(1e-6), 0, &no_memory));
    assert_true(c->classes[c->n - 1].is_bulk);
    free(c);
    runs_out(&b, epsilon, log(1e-6));
    bench_close(&b);
}

int main(void)
{
    source = prop_start("test_jumps_class");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_hold),
        cmocka_unit_test(bulks_are_charged),
        cmocka_unit_test(sizes_hold),
        cmocka_unit_test(charges_hold),
        cmocka_unit_test(memory_runs_out),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
