/*
 * Characteristic functions in doubles against Arb: rows of powers, the closed
 * forms, and powers of their discs. Each disc must contain the exact value, and
 * be narrow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/exact_moment.h"
#include "support/random.h"
#include "special/disc_row.h"
#include "support/part_moments.h"

static prop_random source;

static loss_law random_sampled(int i)
{
    double mu = exp(prop_uniform(&source, log(0.2), log(2.5)));
    double q = exp(prop_uniform(&source, log(3e-4), log(0.9)));
    return (loss_law){.noise = LOSS_GAUSSIAN,
        .map = i % 2 ? LOSS_BASE_FIRST : LOSS_MIXTURE_FIRST,
        .parameter = ball_of(mu),
        .rate = ball_of(q),
        .count = 1};
}

/* Near the real axis, rows of powers hold what they stand for, some of a great
 * count, and are hardly wider than those of single nodes. */
static void near_rows_hold(void **state)
{
    (void)state;
    double worst = 0, widest = 0;
    for (int i = 0; i < 16; i++) {
        loss_law pair = random_sampled(i);
        pair.count = floor(exp(prop_uniform(&source, 0, log(1e6))));
        double outer = exp(prop_uniform(&source, log(2), log(60)));
        part_request w = {.t = prop_uniform(&source, 0.3, 9),
            .outer = outer,
            .step = ldexp(floor(outer * 16) + 1, -11),
            .digits = i % 4 ? 40 : 8,
            .multiple = 1};
        contour_part part;
        phase_rows rows;
        assert_true(tilted(&part, &pair, &w));
        assert_true(phase_rows_make(&rows, &part.nodes, w.step, outer));
        for (double u = w.step; u + PHASE_ROW * w.step < outer;
             u += PHASE_ROW * w.step) {
            disc_row z;
            disc row[PHASE_ROW];
            contour_nodes_minus_one(&z, &part, &rows, u);
            disc_row_powers(row, &z, part.count, PHASE_ROW);
            for (size_t j = 0; j < PHASE_ROW; j += 15) {
                double v = u + (double)j * w.step;
                worst = fmax(worst, power_miss(&part, row[j], part.mean, v));
                double own = part.type->power(&part, v).rad;
                widest = fmax(widest, row[j].rad / (own + 1e-15));
            }
        }
        free(rows.storage);
        contour_part_free(&part);
    }
    assert_true(worst <= 1 && worst > 1e-3 && widest < 50);
}

/* Laplace noise and bounded range, up to many turns. */
static void closed_forms_hold(void **state)
{
    (void)state;
    for (int i = 0; i < 60; i++) {
        loss_law pair = {.noise = i % 2 ? LOSS_LAPLACE : LOSS_EXPONENTIAL,
            .parameter = ball_div(ball_of(1),
                ball_of(exp(prop_uniform(&source, log(0.1), log(20))))),
            .count = 1 + i % 4};
        pair.parameter = ball_of(pair.parameter.hi);
        part_request w = {.t = prop_uniform(&source, 0.1, 8),
            .outer = 1e7,
            .step = ldexp(1, (int)prop_uniform(&source, -6, 12)),
            .digits = 40,
            .multiple = 1};
        contour_part part;
        assert_true(tilted(&part, &pair, &w));
        for (double u = 8 * w.step; u < 40 * w.step; u += 5 * w.step) {
            disc power = part.type->power(&part, u);
            assert_true(power.rad <= 1e-12);
            assert_true(power_miss(&part, power, part.mean, u) <= 1);
        }
        contour_part_free(&part);
    }
}

/* z^n for all z of the disc: those at its rim, and not far beyond them. */
static void powers_hold(void **state)
{
    (void)state;
    acb_t z, w;
    arb_t a;
    acb_init(z);
    acb_init(w);
    arb_init(a);
    double closest = 0;
    for (int i = 0; i < 300; i++) {
        double n = floor(exp(prop_uniform(&source, 0, log(1e9))));
        double size = 1 - exp(prop_uniform(&source, -25, 0));
        double angle = prop_uniform(&source, -3, 3);
        double at = prop_uniform(&source, -3, 3);
        disc_double q = {size * cos(angle), size * sin(angle),
            exp(prop_uniform(&source, -40, -10))};
        disc d = disc_double_power(q, n);
        acb_set_d_d(z, q.re, q.im);
        acb_set_d_d(w, q.rad * cos(at), q.rad * sin(at));
        acb_add(z, z, w, precision);
        acb_pow_ui(z, z, (ulong)n, precision);
        acb_set_d_d(w, d.re.hi, d.im.hi);
        acb_sub(z, z, w, precision);
        acb_abs(a, z, precision);
        double gap = arf_get_d(arb_midref(a), ARF_RND_NEAR);
        assert_true(gap <= d.rad * (1 + 1e-9) || d.rad == 1);
        if (d.rad < 0.01 && d.rad > 1e-100)
            closest = fmax(closest, gap / d.rad);
    }
    assert_true(closest > 0.5);
    acb_clear(z);
    acb_clear(w);
    arb_clear(a);
}

/* (1 + z)^count of one z of a disc against its power: how much of the radius
 * is used. */
static double power_use(const disc *got, acb_t z, double count)
{
    acb_t power, centre;
    arb_t off;
    acb_init(power);
    acb_init(centre);
    arb_init(off);
    acb_add_ui(power, z, 1, 300);
    acb_pow_ui(power, power, (ulong)count, 300);
    acb_set_d_d(centre, got->re.hi, got->im.hi);
    acb_sub(power, power, centre, 300);
    acb_abs(off, power, 60);
    double used = arf_get_d(arb_midref(off), ARF_RND_UP) / got->rad;
    acb_clear(power);
    acb_clear(centre);
    arb_clear(off);
    return used;
}

/* Discs of any size, and points; counts with many digits, and powers of 2. */
static void powers_of_discs(void **state)
{
    (void)state;
    double worst[2] = {0, 0};
    acb_t z, off;
    acb_init(z);
    acb_init(off);
    for (int i = 0; i < 24; i++) {
        disc_row row;
        disc got[PHASE_ROW];
        double digits = floor(prop_uniform(&source, 2, 34));
        double count = ldexp(1, (int)digits) - (i % 2 ? 1 : 0);
        bool is_point = i % 4 < 2;
        for (size_t j = 0; j < PHASE_ROW; j++) {
            double size = exp(prop_uniform(&source, -2, 0.5)) / count;
            double turn = prop_uniform(&source, -3.14, 3.14) / count;
            row.re[j] = -size - turn * turn / 2;
            row.im[j] = turn;
            row.rad[j] = is_point ? 0 : 1e-9 / count;
        }
        disc_row_powers(got, &row, count, PHASE_ROW);
        for (size_t j = 0; j < PHASE_ROW; j++) {
            double at = prop_uniform(&source, 0, 6.28);
            acb_set_d_d(z, row.re[j], row.im[j]);
            acb_set_d_d(off, 0.999 * row.rad[j] * cos(at),
                0.999 * row.rad[j] * sin(at));
            acb_add(z, z, off, 300);
            double used = power_use(&got[j], z, count);
            assert_true(used <= 1);
            worst[is_point] = fmax(worst[is_point], used);
        }
    }
    acb_clear(z);
    acb_clear(off);
    assert_true(worst[false] > 0.5 && worst[true] > 0.05);
}

int main(void)
{
    source = prop_start("test_part_rows");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(near_rows_hold),
        cmocka_unit_test(closed_forms_hold),
        cmocka_unit_test(powers_hold),
        cmocka_unit_test(powers_of_discs),
    };
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return status;
}
