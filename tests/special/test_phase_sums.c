/*
 * The sums of a characteristic function against Arb: the error that is
 * reported must cover the one that is made, for the given doubles and for
 * anything within 2^-52 of them, and must not be far above it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <arb.h>
#include <cmocka.h>

#include "special/phase_sums.h"
#include "support/random.h"

#define MOST_POINTS 1024

static const slong precision = 400;
static prop_random source;

typedef struct sample {
    size_t n; /* padded */
    double weight[MOST_POINTS], point[MOST_POINTS];
} sample;

static phase_set set_of(const sample *s, double cut)
{
    phase_set set = {.n = s->n, .weight = s->weight, .point = s->point};
    phase_prepare(&set, cut);
    return set;
}

/* |X^ - X| + |Y^ - Y| where all weights are stretched by 1 + tilt_g and all
 * points by 1 + tilt_c. */
static double actual_error(double x, double y, const sample *s, double u,
    double tilt_g, double tilt_c)
{
    arb_t g, a, sum_x, sum_y, w;
    arb_init(g);
    arb_init(a);
    arb_init(sum_x);
    arb_init(sum_y);
    arb_init(w);
    for (size_t i = 0; i < s->n; i++) {
        if (s->weight[i] == 0)
            continue;
        arb_set_d(g, s->weight[i]);
        arb_set_d(w, tilt_g);
        arb_addmul(g, g, w, precision);
        arb_set_d(a, s->point[i]);
        arb_set_d(w, tilt_c);
        arb_addmul(a, a, w, precision);
        arb_set_d(w, u);
        arb_mul(a, a, w, precision);
        arb_mul_2exp_si(w, a, -1);
        arb_sin(w, w, precision); /* 1 - cos a = 2 sin^2(a/2) */
        arb_sqr(w, w, precision);
        arb_mul_2exp_si(w, w, 1);
        arb_addmul(sum_x, w, g, precision);
        arb_sin(w, a, precision);
        arb_sub(w, w, a, precision);
        arb_addmul(sum_y, w, g, precision);
    }
    arb_set_d(w, x);
    arb_sub(sum_x, sum_x, w, precision);
    arb_set_d(w, y);
    arb_sub(sum_y, sum_y, w, precision);
    arb_abs(sum_x, sum_x);
    arb_abs(sum_y, sum_y);
    arb_add(sum_x, sum_x, sum_y, precision);
    double error = arf_get_d(arb_midref(sum_x), ARF_RND_UP);
    arb_clear(g);
    arb_clear(a);
    arb_clear(sum_x);
    arb_clear(sum_y);
    arb_clear(w);
    return error;
}

/* The worst of actual over reported error, for stretches that the contract
 * allows. */
static double worst_ratio(const sample *s, double cut, double u)
{
    phase_set set = set_of(s, cut);
    assert_true(u <= phase_reach(&set));
    double x, y, error, worst = 0;
    phase_sums(&x, &y, &error, &set, u);
    for (int i = 0; i < 9; i++) {
        double g = (i % 3 - 1) * 0x1p-52, c = (double)(i / 3 - 1) * 0x1p-52;
        double actual = actual_error(x, y, s, u, g, c);
        if (!(actual <= error))
            print_error("u %.17g: errs by %g, says %g\n", u, actual, error);
        assert_true(actual <= error);
        worst = fmax(worst, actual / error);
    }
    return worst;
}

/* n points of the given size in all, weights that sum to about 1. */
static sample random_sample(size_t n, double size)
{
    sample s = {.n = (n + PHASE_LANES - 1) / PHASE_LANES * PHASE_LANES};
    for (size_t i = 0; i < n; i++) {
        s.weight[i] = prop_uniform(&source, 0.1, 1) / (double)n;
        s.point[i] = prop_sign(&source, prop_uniform(&source, 0, size));
    }
    return s;
}

/* One point at a time: the bounds of a term, with little summation. */
static void one_point(void **state)
{
    (void)state;
    double worst[4] = {0, 0, 0, 0};
    for (int i = 0; i < 4000; i++) {
        sample s = {.n = PHASE_LANES};
        s.weight[0] = prop_uniform(&source, 0.5, 1);
        double u = prop_uniform(&source, 0.5, 2), a;
        int regime = i % 4;
        if (regime == 0) /* small */
            a = prop_scaled(&source, -40, 0);
        else if (regime == 1) /* around the first turn */
            a = prop_uniform(&source, 0.5, 3);
        else if (regime == 2) /* next to multiples of pi/2 */
            a = 1.57079632679489661923 * (1 + prop_below(&source, 1000)) *
                (1 + prop_sign(&source, prop_scaled(&source, -54, -2)));
        else
            a = prop_uniform(&source, 1, 0x1p24);
        s.point[0] = prop_sign(&source, a / u);
        double cut = prop_bits(&source) & 1 ? 1e-300 : 1e300;
        if (regime == 3)
            cut = 1e-300; /* the cube would be far off */
        worst[regime] = fmax(worst[regime], worst_ratio(&s, cut, u));
    }
    for (int i = 0; i < 4; i++)
        assert_true(worst[i] > 0.1);
}

static void many_points(void **state)
{
    (void)state;
    static const size_t sizes[] = {7, 64, 129, 500, MOST_POINTS};
    double worst = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int j = 0; j < 12; j++) {
            double size = prop_scaled(&source, -30, 10);
            sample s = random_sample(sizes[i], size);
            double u = prop_scaled(&source, -8, 4);
            worst = fmax(worst,
                worst_ratio(&s, size * prop_uniform(&source, 0, 1), u));
        }
    assert_true(worst > 0.02);
}

/* Nearly all the weight at tiny points, a rare one far away: the error must
 * know the difference, or powers in the billions lose their digits. */
static void far_point_is_rare(void **state)
{
    (void)state;
    sample s = random_sample(100, 1e-5);
    s.weight[3] = 1e-12;
    s.point[3] = 30;
    phase_set set = set_of(&s, 1e-4);
    double x, y, error;
    phase_sums(&x, &y, &error, &set, 10.0);
    assert_true(error < 1e-21);
    assert_true(worst_ratio(&s, 1e-4, 10) < 1);
}

/* All terms of one sign, rounded the same way: the summation. */
static void sums_of_equal_terms(void **state)
{
    (void)state;
    sample s = {.n = MOST_POINTS};
    for (size_t i = 0; i < s.n; i++) {
        s.weight[i] = 0x1.5555555555555p-11;
        s.point[i] = 0.7;
    }
    for (int i = 0; i < 40; i++)
        (void)worst_ratio(&s, i % 2 ? 1 : 0.1, prop_uniform(&source, 0.1, 9));
}

static void tiny_points_and_long_reach(void **state)
{
    (void)state;
    for (int e = -500; e >= -1000; e -= 50) {
        sample s = random_sample(16, ldexp(1, e));
        phase_set set = set_of(&s, 1);
        double u = fmin(phase_reach(&set), 0x1p1000) * 0x1p-30;
        (void)worst_ratio(&s, 1, u);
    }
    sample none = {.n = PHASE_LANES};
    none.weight[0] = 1;
    phase_set set = set_of(&none, 1);
    assert_true(phase_reach(&set) == HUGE_VAL);
    double x, y, error;
    phase_sums(&x, &y, &error, &set, 1e10);
    assert_true(x == 0 && y == 0 && error < 1e-280);
}

/* ---- Rows -------------------------------------------------------------- */

/* The worst of actual over reported error at some nodes of all rows. */
static double worst_of_rows(const sample *s, double step, size_t n_rows)
{
    phase_set set = set_of(s, 1);
    phase_rows rows;
    double worst = 0;
    assert_true(phase_rows_make(
        &rows, &set, step, (double)(n_rows * PHASE_ROW) * step));
    for (size_t i = 0; i < n_rows; i++) {
        double x[PHASE_ROW], y[PHASE_ROW], error[PHASE_ROW];
        double u = (double)(i * PHASE_ROW) * step;
        phase_rows_at(x, y, error, &rows, u);
        assert_true(rows.n_near + rows.n >= s->n);
        for (size_t j = i % 5; j < PHASE_ROW; j += 7)
            for (int k = 0; k < 4; k++) {
                double actual = actual_error(x[j], y[j], s,
                    u + (double)j * step, k % 2 ? 0x1p-52 : -0x1p-52,
                    k / 2 ? 0x1p-52 : -0x1p-52);
                assert_true(actual <= error[j]);
                worst = fmax(worst, actual / error[j]);
            }
    }
    free(rows.storage);
    return worst;
}

/* Points of one size, and of all sizes; all near, all far, and some of
 * each. */
static void rows_hold(void **state)
{
    (void)state;
    double worst = 0;
    for (size_t i = 0; i < 30; i++) {
        sample s = random_sample(1 + (size_t)prop_below(&source, 150), 1);
        for (size_t j = 0; i % 3 && j < s.n; j++)
            s.point[j] *= prop_scaled(&source, -20, i % 3 == 1 ? 0 : 6);
        double step = ldexp(floor(prop_uniform(&source, 1, 4096)),
            -12 - 3 * (int)prop_below(&source, 8));
        worst = fmax(worst, worst_of_rows(&s, step, 1 + i % 6));
    }
    assert_true(worst > 0.05);
    sample near = random_sample(64, 1e-3), far = random_sample(64, 0.1);
    for (size_t j = 0; j < far.n; j++)
        far.point[j] += far.point[j] < 0 ? -3 : 3;
    assert_true(worst_of_rows(&near, 1, 5) > 0.02);
    assert_true(worst_of_rows(&far, 1, 5) > 0.005);
}

/* Nearly all the weight at tiny points: what is rare costs what it weighs. */
static void rows_know_what_is_rare(void **state)
{
    (void)state;
    sample s = random_sample(100, 1e-5);
    s.weight[3] = 1e-12;
    s.point[3] = 30;
    phase_set set = set_of(&s, 1e-4);
    phase_rows rows;
    assert_true(phase_rows_make(&rows, &set, 0.25, 16));
    double x[PHASE_ROW], y[PHASE_ROW], error[PHASE_ROW];
    for (double u = 0; u < 16; u += 8) {
        phase_rows_at(x, y, error, &rows, u);
        assert_true(rows.n == PHASE_LANES && rows.n_near >= 99);
        for (size_t j = 0; j < PHASE_ROW; j++)
            assert_true(error[j] < 1e-21);
    }
    free(rows.storage);
    assert_true(worst_of_rows(&s, 0.25, 2) < 1);
}

static void turns_are_near(void **state)
{
    (void)state;
    arb_t a, s, c;
    arb_init(a);
    arb_init(s);
    arb_init(c);
    for (int i = 0; i < 500; i++) {
        double angle[PHASE_LANES], re[PHASE_LANES], im[PHASE_LANES];
        for (size_t j = 0; j < PHASE_LANES; j++)
            angle[j] = prop_sign(&source, prop_scaled(&source, -30, 25));
        phase_cos_sin(re, im, angle, PHASE_LANES);
        for (size_t j = 0; j < PHASE_LANES; j++) {
            arb_set_d(a, angle[j]);
            arb_sin_cos(s, c, a, precision);
            arb_set_d(a, re[j]);
            arb_sub(c, c, a, precision);
            arb_set_d(a, im[j]);
            arb_sub(s, s, a, precision);
            double off = hypot(arf_get_d(arb_midref(c), ARF_RND_UP),
                arf_get_d(arb_midref(s), ARF_RND_UP));
            assert_true(off <= 14 * 0x1p-53);
        }
    }
    arb_clear(a);
    arb_clear(s);
    arb_clear(c);
}

int main(void)
{
    source = prop_start("test_phase_sums");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_point),
        cmocka_unit_test(many_points),
        cmocka_unit_test(far_point_is_rare),
        cmocka_unit_test(sums_of_equal_terms),
        cmocka_unit_test(tiny_points_and_long_reach),
        cmocka_unit_test(rows_hold),
        cmocka_unit_test(rows_know_what_is_rare),
        cmocka_unit_test(turns_are_near),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
