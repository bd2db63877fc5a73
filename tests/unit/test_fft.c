/*
 * The transform against direct sums and Arb's own transform at 128 bits,
 * against FFTW, and against its bound: small cases of every length, hard
 * inputs (spikes, noise, powers of one root), there and back.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <acb.h>
#include <acb_dft.h>
#include <cmocka.h>
#include <fftw3.h>
#include <math.h>
#include <string.h>

#include "num/fft.h"
#include "prop/random.h"

#define BITS 128

typedef struct wave {
    size_t n;
    double *re, *im;
} wave;

static wave wave_new(size_t n)
{
    wave x = {n, calloc(n, sizeof(double)), calloc(n, sizeof(double))};
    assert_non_null(x.re);
    assert_non_null(x.im);
    return x;
}

static void wave_free(wave x)
{
    free(x.re);
    free(x.im);
}

/* Kinds: noise, a spike, a rising exponential, one frequency. */
#define KINDS 4
static void wave_fill(wave x, int kind, prop_random *random)
{
    size_t spike = (size_t)prop_below(random, (int)x.n);
    for (size_t j = 0; j < x.n; j++) {
        double t = 6.283185307179586 * (double)((3 * j) % x.n) / (double)x.n;
        switch (kind) {
        case 0:
            x.re[j] = prop_uniform(random, -1, 1);
            x.im[j] = prop_uniform(random, -1, 1);
            break;
        case 1:
            x.re[j] = j == spike;
            x.im[j] = 0;
            break;
        case 2:
            x.re[j] = exp(-200.0 * (double)j / (double)x.n);
            x.im[j] = exp(-100.0 * (double)j / (double)x.n);
            break;
        default:
            x.re[j] = cos(t);
            x.im[j] = sin(t);
            break;
        }
    }
}

static void to_acb(acb_ptr z, wave x)
{
    for (size_t j = 0; j < x.n; j++)
        acb_set_d_d(z + j, x.re[j], x.im[j]);
}

/* ||x - z||_2 / ||z||_2, by Arb. */
static double distance(wave x, acb_srcptr z)
{
    arb_t gap, size, square;
    acb_t d;
    arb_init(gap);
    arb_init(size);
    arb_init(square);
    acb_init(d);
    for (size_t j = 0; j < x.n; j++) {
        acb_set_d_d(d, x.re[j], x.im[j]);
        acb_sub(d, d, z + j, BITS);
        arb_addmul(gap, acb_realref(d), acb_realref(d), BITS);
        arb_addmul(gap, acb_imagref(d), acb_imagref(d), BITS);
        arb_addmul(size, acb_realref(z + j), acb_realref(z + j), BITS);
        arb_addmul(size, acb_imagref(z + j), acb_imagref(z + j), BITS);
    }
    arb_div(square, gap, size, BITS);
    double r = sqrt(arf_get_d(arb_midref(square), ARF_RND_UP));
    acb_clear(d);
    arb_clear(square);
    arb_clear(size);
    arb_clear(gap);
    return r;
}

static double worst_error(size_t n, int kind, prop_random *random)
{
    wave x = wave_new(n);
    wave_fill(x, kind, random);
    acb_ptr in = _acb_vec_init((slong)n), out = _acb_vec_init((slong)n);
    to_acb(in, x);
    if (n <= 64)
        acb_dft_naive(out, in, (slong)n, BITS);
    else
        acb_dft(out, in, (slong)n, BITS);
    fft_plan *plan = NULL;
    assert_int_equal(fft_plan_new(&plan, n, NULL), DOSI_OK);
    fft_forward(plan, x.re, x.im);
    double there = distance(x, out);
    to_acb(in, x);
    acb_dft_inverse(out, in, (slong)n, BITS);
    fft_inverse(plan, x.re, x.im);
    double back = distance(x, out);
    fft_plan_free(plan);
    _acb_vec_clear(in, (slong)n);
    _acb_vec_clear(out, (slong)n);
    wave_free(x);
    return fmax(there, back);
}

static void errors_are_within_the_bound(void **state)
{
    (void)state;
    prop_random random = prop_start("test_fft");
    for (size_t n = 2; n <= 8192; n *= 2) {
        double bound = fft_relative_error(n), worst = 0;
        for (int kind = 0; kind < KINDS; kind++)
            worst = fmax(worst, worst_error(n, kind, &random));
        assert_true(worst <= bound);
        /* the bound is worth having: some bits per stage */
        assert_true(bound <= 5.1 * 0x1p-53 * (ceil(log2((double)n) / 2)));
        if (n >= 256)
            assert_true(worst >= bound / 100);
    }
}

static void large_transforms_agree_with_fftw(void **state)
{
    (void)state;
    prop_random random = {7};
    for (size_t n = (size_t)1 << 14; n <= (size_t)1 << 17; n *= 2) {
        wave x = wave_new(n);
        wave_fill(x, 0, &random);
        fftwl_complex *z = fftwl_malloc(n * sizeof *z);
        fftwl_plan reference = fftwl_plan_dft_1d(
            (int)n, z, z, FFTW_FORWARD, FFTW_ESTIMATE);
        for (size_t j = 0; j < n; j++) {
            z[j][0] = x.re[j];
            z[j][1] = x.im[j];
        }
        fftwl_execute(reference);
        fft_plan *plan = NULL;
        assert_int_equal(fft_plan_new(&plan, n, NULL), DOSI_OK);
        fft_forward(plan, x.re, x.im);
        long double gap = 0, size = 0;
        for (size_t j = 0; j < n; j++) {
            long double a = z[j][0] - x.re[j], b = z[j][1] - x.im[j];
            gap += a * a + b * b;
            size += z[j][0] * z[j][0] + z[j][1] * z[j][1];
        }
        /* long doubles have eleven more bits */
        assert_true(sqrtl(gap / size) <= fft_relative_error(n));
        fft_plan_free(plan);
        fftwl_destroy_plan(reference);
        fftwl_free(z);
        wave_free(x);
    }
}

/* A spike at 1 shows the table: X_j is the rotation by j itself. */
static void rotations_are_the_nearest_doubles(void **state)
{
    (void)state;
    const size_t n = 4096;
    wave x = wave_new(n);
    x.re[1] = 1;
    fft_plan *plan = NULL;
    assert_int_equal(fft_plan_new(&plan, n, NULL), DOSI_OK);
    fft_forward(plan, x.re, x.im);
    for (size_t j = 0; j < n; j++) {
        long double t = -2 * acosl(-1.0L) * (long double)j / (long double)n;
        double gap = (double)hypotl(x.re[j] - cosl(t), x.im[j] - sinl(t));
        assert_true(gap <= 6 * 5.01 * 0x1p-53); /* six stages */
    }
    fft_plan_free(plan);
    wave_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_within_the_bound),
        cmocka_unit_test(large_transforms_agree_with_fftw),
        cmocka_unit_test(rotations_are_the_nearest_doubles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
