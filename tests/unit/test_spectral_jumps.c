/*
 * Classes of jumps, all together: delta against truths of other methods,
 * closed profiles of one step, straight contours and other ways to write a
 * plan. Derivation: docs/theory/spectral.md, section 9.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <arb.h>

#include "prop/random.h"
#include "repr/sampled_gaussian.h"
#include "repr/spectral_contour.h"
#include "support/jump_plans.h"

static prop_random source;

static double log_uniform(double a, double b)
{
    return exp(prop_uniform(&source, log(a), log(b)));
}

/* ---- All --------------------------------------------------------------- */

/* The logarithm of digits less x. */
static double digits_above(const char *digits, double x)
{
    arb_t a, b;
    arb_init(a);
    arb_init(b);
    assert_int_equal(arb_set_str(a, digits, 128), 0);
    arb_log(a, a, 128);
    arb_set_d(b, x);
    arb_sub(a, a, b, 128);
    double found = arf_get_d(arb_midref(a), ARF_RND_NEAR);
    arb_clear(a);
    arb_clear(b);
    return found;
}

/* At epsilon, and chosen for others. */
static void ask(
    const loss *pair, size_t n, double epsilon, const char *digits)
{
    static const double moved[] = {1, 0.9, 1.13};
    bench b;
    bench_open(&b, pair, n);
    for (int i = 0; i < 3; i++) {
        double log_delta = log(strtod(digits, NULL));
        double at = epsilon * moved[i];
        if (i > 0) /* roughly */
            log_delta += spectral_jumps_estimate(&b.parts, at) -
                         spectral_jumps_estimate(&b.parts, epsilon);
        spectral_jumps *j = bench_build(&b, at, log_delta);
        if (j == NULL) {
            assert_true(i > 0);
            continue;
        }
        dosi_interval found = spectral_jumps_read(j, epsilon);
        assert_true(digits_above(digits, found.lo) >= 0);
        assert_true(digits_above(digits, found.hi) <= 0);
        assert_true(found.hi - found.lo <= (i > 0 ? 1e-4 : 1e-9));
        spectral_jumps_free(j);
    }
    bench_close(&b);
}

/* Through the engine: delta at epsilon, and epsilon back from delta. */
static void ask_engine(
    const loss *pair, size_t n, double epsilon, const char *digits)
{
    spectral *s = NULL;
    dosi_interval log_delta, back;
    double delta = strtod(digits, NULL);
    assert_int_equal(spectral_new(&s, pair, n, NULL, NULL), DOSI_OK);
    assert_int_equal(
        spectral_log_delta(&log_delta, s, epsilon, NULL), DOSI_OK);
    assert_true(digits_above(digits, log_delta.lo) >= 0);
    assert_true(digits_above(digits, log_delta.hi) <= 0);
    assert_true(log_delta.hi - log_delta.lo <= 1e-9);
    /* the double nearest to delta moves epsilon by some 1e-15 */
    ball d = ball_widen(ball_of(delta), 0x1p-53 * delta);
    assert_int_equal(
        spectral_epsilon(&back, s, d, ball_log(d), NULL), DOSI_OK);
    assert_true(back.lo <= epsilon && epsilon <= back.hi);
    assert_true(back.hi - back.lo <= 1e-9 * epsilon);
    spectral_free(s);
}

static void truths_are_enclosed(void **state)
{
    (void)state;
    FILE *f = fopen(DOSI_TEST_DATA "/oracles/jump_truth.csv", "r");
    assert_non_null(f);
    char line[256], digits[64];
    int n[2] = {0, 0};
    while (fgets(line, sizeof line, f) != NULL) {
        double epsilon, q, mu, count, plain;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%lf,%63[^,],%lf,%lf,%lf,%lf",
                             &epsilon, digits, &q, &mu, &count, &plain),
            6);
        loss laws[] = {jumps_of(q, mu, count), noise_of(plain, 1)};
        size_t n_laws = plain > 0 ? 2 : 1;
        ask(laws, n_laws, epsilon, digits);
        ask_engine(laws, n_laws, epsilon, digits);
        n[plain > 0]++;
    }
    assert_int_equal(fclose(f), 0);
    assert_true(n[0] >= 36 && n[1] >= 8);
}

/* One run has a closed profile. Far from the epsilon of choice what lies above
 * the top, or below all cuts, is all there is to the width. */
static void one_run_is_enclosed(void **state)
{
    (void)state;
    static const double moved[] = {
        0.3, 0.5, 0.7, 0.85, 1, 1.15, 1.3, 1.6, 2, 3};
    int n_built = 0, n_narrow = 0, n_wide[2] = {0, 0};
    for (int i = 0; i < 40; i++) {
        double q = log_uniform(1e-5, 0.1), mu = log_uniform(0.3, 3.5);
        double epsilon =
            log1p(q * expm1(mu * prop_uniform(&source, 1, 4)));
        loss pair = jumps_of(q, mu, 1);
        bench b;
        bench_open(&b, &pair, 1);
        double log_delta = spectral_jumps_log_delta(&b.parts, epsilon);
        spectral_jumps *j = bench_build(&b, epsilon, log_delta);
        for (int m = 0; j != NULL && m < 10; m++) {
            ball at = ball_of(epsilon * moved[m]);
            ball exact = sampled_gaussian_log_delta(
                SAMPLED_MIXTURE_FIRST, ball_of(q), ball_of(mu), at);
            dosi_interval f = spectral_jumps_read(j, at.hi);
            assert_true(f.lo <= ball_upper(exact));
            assert_true(f.hi >= ball_lower(exact));
            double width = f.hi - f.lo;
            n_narrow += m == 4 && width < 1e-7;
            if (width > 1e-3)
                n_wide[m > 4]++;
        }
        n_built += j != NULL;
        spectral_jumps_free(j);
        bench_close(&b);
    }
    assert_true(n_built > 20 && n_narrow >= n_built - 3);
    assert_true(n_wide[0] > 5 && n_wide[1] > 5);
}

/* ---- Several parts ----------------------------------------------------- */

static bool overlap(dosi_interval a, dosi_interval b)
{
    return a.lo <= b.hi && b.lo <= a.hi;
}

/* The same runs as one part and as several. */
static void parts_add_up(void **state)
{
    (void)state;
    static const double counts[][4] = {
        {1, 1, 0, 0}, {3, 7, 0, 0}, {1, 2, 3, 0}, {20, 1, 5, 4}};
    static const double plans[][3] = {
        {1e-3, 1.25, 1e-6}, {0.01, 2, 1e-7}, {1e-4, 1.7, 1e-9}};
    double widest = 0;
    for (size_t i = 0; i < 12; i++) {
        const double *p = plans[i % 3], *count = counts[i / 3];
        loss laws[JUMP_PARTS];
        double all = 0;
        size_t n = 0;
        for (; n < JUMP_PARTS && count[n] > 0; n++) {
            laws[n] = jumps_of(p[0], p[1], count[n]);
            all += count[n];
        }
        loss whole = jumps_of(p[0], p[1], all);
        bench one, many;
        bench_open(&one, &whole, 1);
        bench_open(&many, laws, n);
        double log_delta = log(p[2]);
        double epsilon = bench_guess(&one, log_delta);
        spectral_jumps *a = bench_build(&one, epsilon, log_delta);
        spectral_jumps *b = bench_build(&many, epsilon, log_delta);
        assert_true(a != NULL && b != NULL);
        for (int m = 0; m < 3; m++) {
            double at = epsilon * (1 + 0.1 * (m - 1));
            dosi_interval x = spectral_jumps_read(a, at);
            dosi_interval y = spectral_jumps_read(b, at);
            assert_true(overlap(x, y));
            if (m == 1)
                widest = fmax(widest,
                    fmax(x.hi - x.lo, y.hi - y.lo));
        }
        spectral_jumps_free(a);
        spectral_jumps_free(b);
        bench_close(&one);
        bench_close(&many);
    }
    assert_true(widest < 1e-8);
}

/* log delta by the straight contour; unknown where there is none. */
static dosi_interval straight(bench *b, double epsilon)
{
    spectral_want wants[JUMP_PARTS];
    spectral_choice choice;
    spectral_contour c;
    spectral_effort effort = {.width = 1e-12, .max_cost = 1e8};
    dosi_interval out = {-HUGE_VAL, 0};
    bool found = false;
    for (size_t i = 0; i < b->parts.n; i++)
        b->items[i].sketch.budget = 1e9;
    if (!spectral_saddle_at_epsilon(&choice, &b->parts, epsilon) ||
        !spectral_choose(&choice, wants, &b->parts, &effort))
        return out;
    assert_int_equal(spectral_contour_build(&c, &found, &b->parts, wants,
                         &choice, NULL, NULL),
        DOSI_OK);
    if (found) {
        out = spectral_contour_read(&c, epsilon);
        spectral_contour_free(&c);
    }
    return out;
}

/* Plans of one to four unlike parts, where both kinds of contours work. */
static void straight_contours_agree(void **state)
{
    (void)state;
    int n_told = 0;
    for (int i = 0; i < 16; i++) {
        loss laws[JUMP_PARTS];
        size_t n = (size_t)i % 4 + 1;
        for (size_t k = 0; k < n; k++)
            laws[k] = jumps_of(log_uniform(0.005, 0.05),
                log_uniform(0.5, 1.5), floor(log_uniform(30, 500)));
        bench b;
        bench_open(&b, laws, n);
        double epsilon = prop_uniform(&source, 1, 4);
        dosi_interval x = straight(&b, epsilon);
        if (x.lo > -HUGE_VAL && x.lo > -60 && x.hi < -3) {
            spectral_jumps *j = bench_build(&b, epsilon, (x.lo + x.hi) / 2);
            if (j != NULL) {
                dosi_interval y = spectral_jumps_read(j, epsilon);
                assert_true(overlap(x, y));
                n_told += y.hi - y.lo < 1e-7 && x.hi - x.lo < 1e-7;
            }
            spectral_jumps_free(j);
        }
        bench_close(&b);
    }
    assert_true(n_told >= 6);
}

/* Far from the epsilon of choice, against what is chosen there: many runs
 * below all cuts, or beyond the top. */
static void far_readings_overlap(void **state)
{
    (void)state;
    static const double moved[] = {0.15, 0.3, 1.5, 2};
    int n_told[2] = {0, 0};
    for (int i = 0; i < 14; i++) {
        loss pair = jumps_of(log_uniform(1e-3, 0.1), log_uniform(0.5, 3),
            floor(log_uniform(20, 300)));
        double log_delta = prop_uniform(&source, log(1e-12), log(1e-5));
        bench b;
        bench_open(&b, &pair, 1);
        double epsilon = bench_guess(&b, log_delta);
        spectral_jumps *j =
            epsilon > 0 ? bench_build(&b, epsilon, log_delta) : NULL;
        for (int m = 0; j != NULL && m < 4; m++) {
            double at = epsilon * moved[m];
            dosi_interval far = spectral_jumps_read(j, at);
            /* some delta there: the upper end, or what one jump tells */
            double log_there = fmin(
                far.hi, spectral_jumps_log_delta(&b.parts, at));
            spectral_jumps *there = NULL;
            assert_int_equal(spectral_jumps_new(&there, &b.parts, at,
                                 log_there, 0, 1e7, NULL, NULL),
                DOSI_OK);
            if (there == NULL)
                continue;
            dosi_interval near = spectral_jumps_read(there, at);
            assert_true(overlap(far, near));
            n_told[m > 1] +=
                near.hi - near.lo < 1e-4 && far.hi - far.lo > 1e-3;
            spectral_jumps_free(there);
        }
        spectral_jumps_free(j);
        bench_close(&b);
    }
    assert_true(n_told[0] > 2 && n_told[1] > 2);
}

/* ---- Random plans ------------------------------------------------------ */

/* Not less than one step, not more than basic composition, and falling. */
static void random_plans_are_consistent(void **state)
{
    (void)state;
    int n_built = 0, n_narrow = 0;
    for (int i = 0; i < 24; i++) {
        loss pair = jumps_of(log_uniform(1e-5, 0.1), log_uniform(0.1, 3.3),
            floor(log_uniform(1, 300)));
        double log_delta = prop_uniform(&source, log(1e-30), log(1e-4));
        bench b;
        bench_open(&b, &pair, 1);
        double epsilon = bench_guess(&b, log_delta);
        spectral_jumps *j =
            epsilon > 0 ? bench_build(&b, epsilon, log_delta) : NULL;
        double last = 0;
        for (int m = 0; j != NULL && m < 5; m++) {
            double at = epsilon * (0.85 + 0.075 * m);
            dosi_interval f = spectral_jumps_read(j, at);
            ball one = sampled_gaussian_log_delta(SAMPLED_MIXTURE_FIRST,
                pair.rate, pair.parameter, ball_of(at));
            assert_true(f.hi >= ball_lower(one));
            ball least = sampled_gaussian_log_delta(SAMPLED_MIXTURE_FIRST,
                pair.rate, pair.parameter, ball_of(at / pair.count));
            double most = log(pair.count) + ball_upper(least);
            assert_true(f.lo <= most + 1e-12);
            assert_true(f.lo <= last + 1e-15);
            last = f.hi;
            n_narrow += m == 2 && f.hi - f.lo < 1e-7;
        }
        n_built += j != NULL;
        spectral_jumps_free(j);
        bench_close(&b);
    }
    assert_true(n_built >= 12 && n_narrow >= n_built - 5);
}

int main(void)
{
    source = prop_start("test_spectral_jumps");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truths_are_enclosed),
        cmocka_unit_test(one_run_is_enclosed),
        cmocka_unit_test(parts_add_up),
        cmocka_unit_test(straight_contours_agree),
        cmocka_unit_test(far_readings_overlap),
        cmocka_unit_test(random_plans_are_consistent),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
