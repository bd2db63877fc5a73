/*
 * Gaussian noise beside classes of jumps: what it does to every bound of a
 * contour, to its terms and to the whole, against closed forms by Arb, one
 * run's profile spread by the noise, and other ways to write a plan.
 * Derivation: docs/theory/spectral.md, section 9.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <arb.h>

#include "prop/random.h"
#include "repr/spectral_jumps_class.h"
#include "support/jump_plans.h"

#define BITS 256

static prop_random source;

static double log_uniform(double a, double b)
{
    return exp(prop_uniform(&source, log(a), log(b)));
}

/* ---- Closed forms ------------------------------------------------------ */

/* a x + b x^2 times sum k mu^2. */
static void by_arb(arb_t out, const loss *laws, size_t n, double x, double a,
    double b)
{
    arb_t v, y;
    arb_init(v);
    arb_init(y);
    for (size_t i = 0; i < n; i++) {
        if (laws[i].map != LOSS_PLAIN)
            continue;
        arb_set_d(y, laws[i].parameter.hi);
        arb_sqr(y, y, BITS);
        arb_mul_si(y, y, (slong)laws[i].count, BITS);
        arb_add(v, v, y, BITS);
    }
    arb_set_d(out, b);
    arb_set_d(y, x);
    arb_mul(out, out, y, BITS);
    arb_set_d(y, a);
    arb_add(out, out, y, BITS);
    arb_set_d(y, x);
    arb_mul(out, out, y, BITS);
    arb_mul(out, out, v, BITS);
    arb_clear(v);
    arb_clear(y);
}

static void assert_holds(ball b, const arb_t exact)
{
    arb_t a, y;
    arb_init(a);
    arb_init(y);
    arb_set_d(a, b.lo);
    arb_sub(y, exact, a, BITS);
    arb_set_d(a, b.hi);
    arb_sub(y, y, a, BITS);
    arb_abs(y, y);
    assert_true(arf_get_d(arb_midref(y), ARF_RND_UP) <= b.rad);
    assert_true(b.rad <= 1e-28 * fabs(b.hi));
    arb_clear(a);
    arb_clear(y);
}

static double above(double x, const arb_t exact)
{
    arb_t y;
    arb_init(y);
    arb_set_d(y, x);
    arb_sub(y, y, exact, BITS);
    double found = arf_get_d(arb_midref(y), ARF_RND_DOWN);
    arb_clear(y);
    return found;
}

static void moments_hold(void **state)
{
    (void)state;
    arb_t exact;
    arb_init(exact);
    for (int i = 0; i < 200; i++) {
        loss laws[4] = {noise_of(log_uniform(1e-3, 10), 1 + i % 7),
            jumps_of(0.01, 1, 5), noise_of(log_uniform(1e-3, 10), 3),
            noise_of(0.1, 1000)};
        bench b;
        bench_open(&b, laws, 4);
        jump_plain plain = jump_plain_of(&b.parts);
        double x = log_uniform(1e-3, 1e3) * (i % 2 ? -1 : 1);
        by_arb(exact, laws, 4, x, 0.5, 0.5);
        assert_holds(jump_plain_cumulant(&plain, ball_of(x)), exact);
        double upper = jump_plain_log_upper(&plain, x);
        double size = fabs(upper);
        assert_true(above(upper, exact) >= 0);
        assert_true(above(upper, exact) <= 0x1p-51 * size);
        assert_true(
            fabs(jump_plain_rough(&plain, x) - upper) <= 1e-12 * size);
        by_arb(exact, laws, 4, x, 0, -0.5);
        assert_holds(jump_plain_log_fall(&plain, x), exact);
        by_arb(exact, laws, 4, 1, x + 0.5, 0);
        if (x > -0.4)
            assert_true(fabs(ball_mid(jump_plain_mean(&plain, x)) /
                                 arf_get_d(arb_midref(exact),
                                     ARF_RND_NEAR) - 1) < 1e-12);
        bench_close(&b);
    }
    arb_clear(exact);
}

/* ---- A class with noise beside it, and without ------------------------- */

/* A choice for some runs of one part and noise beside it. */
static bool choose(jump_choice *c, bench *b, int i)
{
    bool is_many = i % 2;
    double q = log_uniform(1e-4, 0.01), mu = log_uniform(0.5, 2.5);
    double count = floor(is_many ? log_uniform(50, 1e3) : log_uniform(1, 9));
    loss laws[2] = {noise_of(log_uniform(0.02, 0.5), 1 + i % 3),
        jumps_of(q, mu, count)};
    bench_open(b, laws, 2);
    double log_delta = log(log_uniform(1e-12, 1e-5));
    double epsilon = bench_guess(b, log_delta);
    bool no_memory = false;
    return epsilon > 0 &&
           jump_choose(c, &b->parts, epsilon, log_delta, 0, &no_memory);
}

static bool build(
    spectral_contour *out, const jump_choice *c, const jump_class *k)
{
    bool found;
    assert_int_equal(
        jump_class_build(out, &found, c, k, NULL, NULL), DOSI_OK);
    return found;
}

static bool is_same(ball a, ball b)
{
    return a.hi == b.hi && a.lo == b.lo && a.rad == b.rad;
}

/* An upper bound that is more by that much than without noise. */
static void assert_more(double with, double without, double more)
{
    double size = 1 + fabs(with) + fabs(without) + fabs(more);
    assert_true(fabs(with - without - more) <= 1e-13 * size);
}

/* Each term is turned and damped. */
static void assert_terms(const spectral_contour *with,
    const spectral_contour *bare, double v)
{
    const spectral_terms *a = &with->upper, *b = &bare->upper;
    double most = 0, t = with->choice.t;
    for (size_t n = 0; n < with->n; n++) {
        double u = (double)n * with->choice.step, mean = v * (t + 0.5);
        double size = exp(-v * u * u / 2);
        double re = b->re[n] * cos(u * mean) - b->im[n] * sin(u * mean);
        double im = b->im[n] * cos(u * mean) + b->re[n] * sin(u * mean);
        double room = 1e-13 * (1 + u * mean) * b->size[n];
        assert_true(fabs(a->re[n] - size * re) <= room + 1e-300);
        assert_true(fabs(a->im[n] - size * im) <= room + 1e-300);
        most = fmax(most, fabs(a->im[n]));
    }
    assert_true(most > 0);
}

static void bounds_are_multiplied(void **state)
{
    (void)state;
    jump_choice *c = malloc(sizeof *c);
    assert_non_null(c);
    int n_told[2] = {0, 0};
    for (int i = 0; i < 24; i++) {
        bench b;
        bool found = choose(c, &b, i);
        for (size_t j = 0; found && j < c->n && j < 4; j++) {
            jump_class k = c->classes[j];
            spectral_contour with, bare;
            if (!(k.n_outer > 0))
                continue;
            /* where what is cut off can be told */
            k.n_outer = ceil(k.n_outer / 4);
            jump_plain plain = c->plain;
            double v = plain.rough, outer = k.n_outer * k.step, size;
            double size_bare, right = k.t + k.right, a = k.left - k.t;
            bool is_built = build(&with, c, &k);
            if (!k.is_bulk)
                assert_true(jump_class_log_size(&size, c, &k));
            c->plain = (jump_plain){ball_of(0), 0};
            if (!k.is_bulk)
                assert_true(jump_class_log_size(&size_bare, c, &k));
            assert_int_equal(build(&bare, c, &k), is_built);
            c->plain = plain;
            if (!k.is_bulk)
                assert_more(size, size_bare, v * k.t * (k.t + 1) / 2);
            if (!is_built)
                continue;
            assert_more(ball_mid(with.cumulant), ball_mid(bare.cumulant),
                v * k.t * (k.t + 1) / 2);
            assert_more(ball_upper(with.log_alias[0]),
                ball_upper(bare.log_alias[0]), v * right * (right + 1) / 2);
            assert_more(ball_upper(with.log_alias[1]),
                ball_upper(bare.log_alias[1]), v * a * (a - 1) / 2);
            assert_more(log(with.cut_upper), log(bare.cut_upper),
                -v * outer * outer / 2);
            assert_true(with.cut_lower == with.cut_upper);
            assert_true(is_same(with.mass_p, bare.mass_p));
            assert_true(is_same(with.mass_q, bare.mass_q));
            assert_terms(&with, &bare, v);
            n_told[k.is_bulk]++;
            spectral_contour_free(&with);
            spectral_contour_free(&bare);
        }
        bench_close(&b);
    }
    free(c);
    assert_true(n_told[0] > 4 && n_told[1] > 4);
}

/* ---- All together ------------------------------------------------------ */

static double sf(double x)
{
    return erfc(x / sqrt(2)) / 2;
}

/* P[Z > e] - e^e Q[Z > e] of one run, for every e. */
static double one_run(const jump_part *p, double e)
{
    if (e <= log1p(-p->q) + 1e-12)
        return -expm1(e);
    double x = jump_where(p, e);
    return (1 - p->q) * sf(x) + p->q * sf(x - p->mu) - exp(e) * sf(x);
}

/* The same spread by noise: E[d(eps - Y)], Y ~ N(m^2/2, m^2). In closed form up
 * to e = log(1-q), where d is 1 - e^e; from there on at e = log(1-q) + e^v. */
static double beside_noise(const jump_part *p, double m, double epsilon)
{
    double sum = 0, h = 1.0 / 256, least = log1p(-p->q);
    double c = (epsilon - least) / m;
    for (double v = -40; v < 4; v += h) {
        double x = c - exp(v) / m - m / 2;
        sum += h * exp(v - x * x / 2) * one_run(p, least + exp(v));
    }
    return sum / m / sqrt(2 * 3.14159265358979323846) + sf(c - m / 2) -
           exp(epsilon) * sf(c + m / 2);
}

/* Far from the epsilon of choice what lies above the top, or below all cuts, is
 * all there is to the width. */
static void one_run_is_enclosed(void **state)
{
    (void)state;
    static const double moved[] = {0.2, 0.35, 0.5, 0.7, 0.85, 1, 1.15, 1.5,
        2, 3};
    int n_built = 0, n_narrow = 0, n_wide[2] = {0, 0};
    for (int i = 0; i < 60; i++) {
        double q = log_uniform(1e-5, 0.1), mu = log_uniform(0.3, 3.5);
        double epsilon =
            log1p(q * expm1(mu * prop_uniform(&source, 1, 4)));
        double m = epsilon * log_uniform(0.02, 0.5);
        loss laws[] = {jumps_of(q, mu, 1), noise_of(m, 1)};
        jump_part p = {.pair = &laws[0], .count = 1, .mu = mu, .q = q,
            .removed = 1, .keep = log1p(-q)};
        bench b;
        bench_open(&b, laws, 2);
        double truth = beside_noise(&p, m, epsilon);
        spectral_jumps *j = bench_build(&b, epsilon, log(truth));
        for (int k = 0; j != NULL && truth > 1e-13 && k < 10; k++) {
            double at = epsilon * moved[k];
            double exact = log(beside_noise(&p, m, at));
            dosi_interval f = spectral_jumps_read(j, at);
            if (!(exact > -30)) /* too few digits to tell */
                continue;
            assert_true(f.lo <= exact + 1e-8 && f.hi >= exact - 1e-8);
            double width = f.hi - f.lo;
            n_narrow += k == 5 && width < 1e-7;
            n_wide[k > 5] += width > 1e-3;
        }
        n_built += j != NULL && truth > 1e-13;
        spectral_jumps_free(j);
        bench_close(&b);
    }
    assert_true(n_built > 30 && n_narrow >= n_built - 3);
    assert_true(n_wide[0] > 10 && n_wide[1] > 10);
}

/* The same noise as one part and as several, wherever they stand; more of them
 * than there may be sampled parts. */
static void parts_add_up(void **state)
{
    (void)state;
    loss many[] = {noise_of(0.06, 1), jumps_of(1e-3, 1.25, 20),
        noise_of(0.01, 3), noise_of(0.01, 1), jumps_of(1e-4, 2, 5),
        noise_of(0.02, 2), noise_of(0.04, 1), noise_of(0.02, 1)};
    loss few[] = {
        jumps_of(1e-3, 1.25, 20), jumps_of(1e-4, 2, 5), noise_of(1, 1)};
    ball sum = ball_of(0);
    for (size_t i = 0; i < 8; i++)
        if (many[i].map == LOSS_PLAIN)
            sum = ball_add(sum, ball_mul_d(ball_sqr(many[i].parameter),
                                    many[i].count));
    few[2].parameter = ball_sqrt(sum);
    bench one, other;
    bench_open(&one, few, 3);
    bench_open(&other, many, 8);
    static const double deltas[] = {1e-4, 1e-9, 1e-20, 1e-50};
    for (int i = 0; i < 4; i++) {
        double epsilon = bench_guess(&one, log(deltas[i]));
        spectral_jumps *a = bench_build(&one, epsilon, log(deltas[i]));
        spectral_jumps *b = bench_build(&other, epsilon, log(deltas[i]));
        assert_true(a != NULL && b != NULL);
        dosi_interval x = spectral_jumps_read(a, epsilon);
        dosi_interval y = spectral_jumps_read(b, epsilon);
        assert_true(x.lo <= y.hi && y.lo <= x.hi);
        assert_true(x.hi - x.lo < 1e-8 && y.hi - y.lo < 1e-8);
        assert_true(x.hi < log(deltas[i]) + 1 && x.hi > log(deltas[i]) - 3);
        spectral_jumps_free(a);
        spectral_jumps_free(b);
    }
    bench_close(&one);
    bench_close(&other);
}

/* Noise alone has nothing to cut; samples in the other direction, or too many
 * kinds of them, are not served. */
static void some_plans_are_not_served(void **state)
{
    (void)state;
    loss laws[6] = {noise_of(0.1, 1), noise_of(0.2, 1), jumps_of(0.1, 1, 1),
        jumps_of(0.2, 1, 1), jumps_of(0.3, 1, 1), jumps_of(0.4, 1, 1)};
    spectral_part items[7];
    for (size_t i = 0; i < 6; i++)
        assert_true(spectral_part_init(&items[i], &laws[i]));
    loss last = jumps_of(0.5, 1, 1);
    assert_true(spectral_part_init(&items[6], &last));
    assert_false(spectral_can_jump(&(spectral_parts){2, items, NULL}));
    assert_true(spectral_can_jump(&(spectral_parts){3, items, NULL}));
    assert_true(spectral_can_jump(&(spectral_parts){6, items, NULL}));
    assert_false(spectral_can_jump(&(spectral_parts){7, items, NULL}));
    laws[2].map = LOSS_ADD;
    assert_false(spectral_can_jump(&(spectral_parts){3, items, NULL}));
}

int main(void)
{
    source = prop_start("test_jumps_plain");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_hold),
        cmocka_unit_test(bounds_are_multiplied),
        cmocka_unit_test(one_run_is_enclosed),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(some_plans_are_not_served),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
