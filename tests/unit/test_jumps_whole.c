/*
 * All below a cut on one contour: what is known of its left aliases, of the
 * rest and of what is cut off, against integrals by Arb; contours that are
 * poor in one way or another, against each other; and guesses of epsilon.
 * Derivation: docs/theory/spectral.md, section 9.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "prop/random.h"
#include "repr/spectral_jumps_class.h"
#include "support/jump_integrals.h"
#include "support/jump_plans.h"

#define FAR_OUT 9 /* deviations where nothing is left */

static const double pi = 3.14159265358979323846;

static prop_random source;

static double log_uniform(double a, double b)
{
    return exp(prop_uniform(&source, log(a), log(b)));
}

/* ---- Contours ---------------------------------------------------------- */

/* A choice whose last class is all below a cut; of two parts now and then. */
static bool choose(jump_choice *c, bench *b, int i)
{
    loss laws[2];
    size_t n = i % 4 == 3 ? 2 : 1;
    for (size_t k = 0; k < n; k++)
        laws[k] = jumps_of(log_uniform(1e-5, 0.01), log_uniform(0.3, 1.5),
            floor(log_uniform(50, 1e4)));
    bench_open(b, laws, n);
    double log_delta = log(log_uniform(1e-9, 1e-4));
    double epsilon = bench_guess(b, log_delta);
    bool no_memory = false;
    return epsilon > 0 &&
           jump_choose(c, &b->parts, epsilon, log_delta, 0, &no_memory) &&
           c->classes[c->n - 1].is_bulk;
}

static bool build(
    spectral_contour *out, const jump_choice *c, const jump_class *k)
{
    bool found;
    assert_int_equal(
        jump_class_build(out, &found, c, k, NULL, NULL), DOSI_OK);
    return found;
}

/* Whether a ball holds e^x, and is small. */
static void assert_holds_exp(ball b, const arb_t x)
{
    arb_t a, y;
    arb_init(a);
    arb_init(y);
    arb_exp(y, x, JUMP_BITS);
    arb_set_d(a, b.lo);
    arb_sub(y, y, a, JUMP_BITS);
    arb_set_d(a, b.hi);
    arb_sub(y, y, a, JUMP_BITS);
    arb_abs(y, y);
    assert_true(arf_get_d(arb_midref(y), ARF_RND_UP) <= b.rad + 1e-33);
    assert_true(b.rad < 1e-22);
    arb_clear(a);
    arb_clear(y);
}

/* Adds k log |sum e^((1 + t) l)|. */
static void add_log(arb_t sum, const jump_points *p, double t, double count)
{
    acb_t z;
    arb_t a;
    acb_init(z);
    arb_init(a);
    jump_points_at(z, p, t, 0);
    arb_log(acb_realref(z), acb_realref(z), JUMP_BITS);
    arb_set_d(a, count);
    arb_addmul(sum, acb_realref(z), a, JUMP_BITS);
    acb_clear(z);
    arb_clear(a);
}

/* What a contour is to know: logs of the masses under P and Q, of the moments
 * of both kinds of aliases, of |S(t + iU)|. */
typedef struct bulk_truth {
    arb_t mass_p, mass_q;
    double right, left, cut;
} bulk_truth;

static void find_truth(
    bulk_truth *out, const jump_choice *c, const jump_class *k)
{
    double outer = k->n_outer * k->step, a = k->left - k->t;
    arb_init(out->mass_p);
    arb_init(out->mass_q);
    out->right = out->left = out->cut = 0;
    for (size_t i = 0; i < c->n_parts; i++) {
        const jump_part *p = &c->parts[i];
        jump_law below = {.cut = 0};
        assert_true(jump_lay_below(&below, p, 4, c->from[i], k->low[i]));
        jump_points s = jump_integral(&below, k->t + k->right + outer);
        jump_points all = jump_integral_all(p, -12, FAR_OUT, a);
        add_log(out->mass_p, &s, 0, p->count);
        add_log(out->mass_q, &s, -1, p->count);
        out->right += p->count * jump_points_log(&s, k->t + k->right, 0);
        out->left += p->count * jump_points_log(&all, -a, 0);
        out->cut += p->count * jump_points_log(&s, k->t, outer);
        jump_points_free(&s);
        jump_points_free(&all);
        jump_line_free(&below.line);
    }
}

/* Decay at a multiple of the outer end. */
static void take_multiple(jump_class *k, const jump_choice *c)
{
    k->multiple = 1.6;
    for (size_t i = 0; i < c->n_parts; i++)
        k->alpha[i] = fmin(1.3, k->alpha[i] * k->multiple);
}

/* Masses, aliases on both sides and what is cut off. */
static void masses_hold(void **state)
{
    (void)state;
    jump_choice *c = malloc(sizeof *c);
    assert_non_null(c);
    int n_told = 0, n_cut[2] = {0, 0};
    double most[2] = {0, 0};
    for (int i = 0; i < 12; i++) {
        bench b;
        spectral_contour at;
        bool found = choose(c, &b, i);
        jump_class *k = &c->classes[found ? c->n - 1 : 0];
        if (found && i % 3 > 0)
            take_multiple(k, c);
        if (found && build(&at, c, k)) {
            bulk_truth truth;
            find_truth(&truth, c, k);
            assert_holds_exp(at.mass_p, truth.mass_p);
            assert_holds_exp(at.mass_q, truth.mass_q);
            ball right = spectral_log_alias(
                &at.choice, k->right, ball_of(truth.right));
            ball left = spectral_log_alias(
                &at.choice, -k->left, ball_of(truth.left));
            double all = ball_mid(at.cumulant);
            double cut = log(at.cut_upper) + all -
                         ball_mid(spectral_log_tail(&at.choice));
            double over[] = {ball_mid(at.log_alias[0]) - ball_mid(right),
                ball_mid(at.log_alias[1]) - ball_mid(left)};
            assert_true(over[0] >= -1e-11 && over[1] >= -1e-11);
            assert_true(cut >= truth.cut);
            most[0] = fmax(most[0], over[0]);
            most[1] = fmax(most[1], over[1] / truth.left);
            n_cut[i % 3 > 0] += all - cut > 0.4 * (all - truth.cut);
            arb_clear(truth.mass_p);
            arb_clear(truth.mass_q);
            spectral_contour_free(&at);
            n_told++;
        }
        bench_close(&b);
    }
    free(c);
    assert_true(n_told > 7 && n_cut[0] > 1 && n_cut[1] > 1);
    assert_true(most[0] < 0.2 && most[1] < 0.5);
}

/* log of sup_x (e^x - 1) e^(-ax), or (1 - e^-x) e^(-ax), looked for. */
static double log_sup(double a, bool is_left)
{
    double most = -HUGE_VAL;
    for (double x = 1e-3; x < 30; x *= 1.001)
        most = fmax(most,
            log(is_left ? expm1(x) : -expm1(-x)) - a * x);
    return most;
}

/* Aliases of a law whose moments are 1, period by period. */
static void kernels_hold(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        double a = prop_uniform(&source, 1.1, 6);
        spectral_choice k = {.t = log_uniform(0.1, 3),
            .step = log_uniform(2, 20)};
        double period = 2 * pi / k.step, sum[2] = {0, 0};
        for (int m = 1; m < 1000; m++) {
            sum[0] += exp(-m * a * period);
            sum[1] += exp(-m * (k.t + a) * period);
        }
        double right = log(sum[0]) + log_sup(k.t + a, false);
        double left = log(sum[1]) + log_sup(a, true);
        ball found = spectral_log_alias(&k, a, ball_of(0));
        assert_true(fabs(ball_mid(found) - right) < 1e-5);
        found = spectral_log_alias(&k, -k.t - a, ball_of(0));
        assert_true(fabs(ball_mid(found) - left) < 1e-5);
    }
}

/* One way to be poor. */
typedef struct poor_way {
    double tilt, longer, fewer;
} poor_way;

static const poor_way ways[] = {{0.1, 1, 1}, {0.3, 1, 1}, {0.6, 1, 1},
    {1.3, 1, 1}, {1, 1.5, 1}, {1, 2.5, 1}, {1, 1, 0.6}, {1, 1, 0.4},
    {0.03, 1, 1}, {0.1, 2, 1}, {0.3, 3, 1}, {0.3, 1, 0.5}, {0.03, 4, 1}};

#define N_WAYS (sizeof ways / sizeof *ways)

static jump_class made_poor(const jump_class *from, poor_way way)
{
    jump_class k = *from;
    k.t *= way.tilt;
    k.left += k.t - from->t; /* a is the same */
    k.step *= way.longer;
    k.n_outer = ceil(k.n_outer * way.fewer / way.longer);
    return k;
}

static const double moved[] = {1, 0.5, 0.8, 1.2, 2};

/* log of left aliases that are known, over delta. */
static double log_share(const spectral_contour *c, double log_delta)
{
    double turn = 2 * pi * c->choice.t / c->choice.step;
    return log(ball_mid(c->mass_p)) - jump_log_expm1(turn) - log_delta;
}

/* Near the epsilon of choice all contours say the same of delta[nu]. */
static void readings_overlap(void **state)
{
    (void)state;
    jump_choice *c = malloc(sizeof *c);
    assert_non_null(c);
    int n_told = 0, n_shared = 0, n_wide[N_WAYS] = {0}, n_vague = 0;
    for (int i = 0; i < 16; i++) {
        bench b;
        spectral_contour fine, poor;
        bool found = choose(c, &b, i);
        const jump_class *k = &c->classes[found ? c->n - 1 : 0];
        bool is_built = found && build(&fine, c, k);
        for (size_t j = 0; is_built && j < N_WAYS; j++) {
            jump_class other = made_poor(k, ways[j]);
            if (!build(&poor, c, &other))
                continue;
            for (int m = 0; m < 5; m++) {
                double at = c->epsilon * moved[m];
                dosi_interval x = spectral_contour_read(&fine, at);
                dosi_interval y = spectral_contour_read(&poor, at);
                assert_true(x.lo <= y.hi && y.lo <= x.hi);
                double width = y.hi - y.lo;
                n_told += x.hi - x.lo < 1e-7 && width < 1e-3;
                n_wide[j] += m == 0 && width > 1e-6;
                n_shared += m == 0 && width < 1e-3 &&
                            log_share(&poor, x.lo) > 2;
                double share = exp(fmin(x.hi - c->log_delta, 0));
                n_vague += m == 0 && (x.hi - x.lo) * share > 1e-8;
            }
            spectral_contour_free(&poor);
        }
        if (is_built)
            spectral_contour_free(&fine);
        bench_close(&b);
    }
    free(c);
    assert_true(n_told > 100 && n_shared > 30);
    assert_true(n_vague < 2 * (int)N_WAYS);
    /* aliases and what is cut off are charged, a lower tilt is not */
    assert_true(n_wide[5] > 9 && n_wide[7] > 9 && n_wide[2] < 8);
}

/* ---- Guesses ----------------------------------------------------------- */

static void guesses_are_near(void **state)
{
    (void)state;
    FILE *f = fopen(DOSI_TEST_DATA "/oracles/jump_truth.csv", "r");
    assert_non_null(f);
    char line[256];
    int n = 0;
    while (fgets(line, sizeof line, f) != NULL) {
        double epsilon, delta, q, mu, count, plain;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf,%lf,%lf", &epsilon,
                             &delta, &q, &mu, &count, &plain),
            6);
        loss laws[] = {jumps_of(q, mu, count), noise_of(plain, 1)};
        bench b;
        bench_open(&b, laws, plain > 0 ? 2 : 1);
        double guess = bench_guess(&b, log(delta));
        double there = spectral_jumps_log_delta(&b.parts, epsilon);
        assert_true(fabs(log(guess / epsilon)) < 0.25);
        assert_true(there < log(delta) + 0.3);
        bool is_near = mu < 1.5 && delta > 1e-6; /* one jump at most */
        assert_true(!is_near || there > log(delta) - 1);
        bench_close(&b);
        n++;
    }
    assert_int_equal(fclose(f), 0);
    assert_true(n >= 30);
}

/* Whatever the noise, rate and number of runs: an end, and a number. */
static void guesses_end(void **state)
{
    (void)state;
    for (int i = 0; i < 300; i++) {
        loss laws[] = {jumps_of(log_uniform(1e-15, 0.9),
                           log_uniform(1e-6, 2000),
                           floor(log_uniform(1, 9e15))),
            noise_of(log_uniform(1e-6, 1000), 1)};
        double log_delta = i % 3 == 0 ? prop_uniform(&source, -700, 0)
                                      : prop_uniform(&source, -40, 0);
        bench b;
        bench_open(&b, laws, i % 2 ? 2 : 1);
        double epsilon = bench_guess(&b, log_delta);
        assert_true(epsilon > 0 && epsilon < HUGE_VAL);
        assert_true(spectral_jumps_estimate(&b.parts, epsilon) <= 0);
        bench_close(&b);
    }
}

int main(void)
{
    source = prop_start("test_jumps_whole");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_hold),
        cmocka_unit_test(masses_hold),
        cmocka_unit_test(readings_overlap),
        cmocka_unit_test(guesses_are_near),
        cmocka_unit_test(guesses_end),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
