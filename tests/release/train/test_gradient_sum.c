/*
 * Clipping and exact sums against integers of 128 bits: gradients with NaN,
 * infinities, the largest and the smallest numbers, norms within 4 ulp of the
 * clip; any chunks, layers and parts; sums that wrap; a caller who flushes
 * subnormal numbers to zero.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <cmocka.h>

#include "support/random.h"
#include "release/int128.h"
#include "release/train/clip.h"
#include "support/training_runs.h"

#define DIMENSION 67

static prop_random seed(uint64_t n)
{
    return (prop_random){n};
}

/* ---- Rows that are hard ------------------------------------------------- */

static double corner(prop_random *r)
{
    static const double corners[] = {0, -0.0, DBL_MIN, -DBL_MIN,
        DBL_TRUE_MIN, -DBL_TRUE_MIN, 1e308, -1e308, DBL_MAX, HUGE_VAL,
        -HUGE_VAL, NAN, 1e-160, 1e160};
    return corners[prop_below(r, (int)(sizeof corners / sizeof *corners))];
}

/* A row whose norm is within 4 ulp of the clip, as far as doubles tell. */
static void near_clip(double *row, size_t n, double clip, prop_random *r)
{
    double squares = 0;
    for (size_t j = 0; j < n; j++) {
        row[j] = prop_uniform(r, -1, 1);
        squares += row[j] * row[j];
    }
    double scale = clip / sqrt(squares) *
                   (1 + (prop_below(r, 9) - 4) * DBL_EPSILON);
    for (size_t j = 0; j < n; j++)
        row[j] *= scale;
}

static void hard_row(double *row, size_t n, double clip, prop_random *r)
{
    int kind = prop_below(r, 5);
    if (kind == 0) {
        near_clip(row, n, clip, r);
        return;
    }
    for (size_t j = 0; j < n; j++)
        row[j] = kind == 1   ? corner(r)
                 : kind == 2 ? prop_sign(r, prop_scaled(r, -1074, 500))
                 : kind == 3 ? clip * prop_uniform(r, -0.05, 0.05)
                             : clip * prop_uniform(r, -9, 9);
    if (kind == 4 && prop_below(r, 4) == 0)
        row[prop_below(r, (int)n)] = corner(r);
}

/* sum z_j^2 <= R^2 in 128 bits, an independent sum. */
static void assert_within(const int32_t *z, size_t n, int bits)
{
    uint128 total = 0;
    for (size_t j = 0; j < n; j++)
        total += (uint128)((int128)z[j] * z[j]);
    assert_true(total <= (uint128)1 << 2 * bits);
}

/* z against min(1, C/norm) (R/C) g in long doubles: at most one unit and the
 * allowance 2^-40 nearer to zero, never farther. */
static void assert_near(const int32_t *z, const double *g, size_t n,
    const struct clip_grid *grid)
{
    long double squares = 0;
    for (size_t j = 0; j < n; j++)
        squares += (long double)g[j] * g[j];
    long double norm = sqrtl(squares);
    bool finite = isfinite((double)squares);
    long double f = norm > grid->clip ? grid->clip / norm : 1;
    for (size_t j = 0; j < n; j++) {
        long double exact =
            finite ? f * g[j] * ((long double)grid->radius / grid->clip) : 0;
        long double slack = fabsl(exact) * 0x1p-39L;
        assert_true(fabsl((long double)z[j]) <= fabsl(exact));
        assert_true(fabsl(exact - z[j]) < 1 + slack);
    }
}

static void test_rows(void **state)
{
    (void)state;
    static const int bits[] = {12, 17, 24, 29, 30};
    static const double clips[] = {1, 0.25, 3, 1e-300, 1e300, 0.1};
    prop_random r = seed(1);
    double row[DIMENSION];
    int32_t z[DIMENSION];
    for (long i = 0; i < prop_count(20000); i++) {
        struct clip_grid grid = clip_grid_of(
            clips[prop_below(&r, 6)], bits[prop_below(&r, 5)]);
        size_t n = 1 + (size_t)prop_below(&r, DIMENSION);
        hard_row(row, n, grid.clip, &r);
        uint64_t sum[DIMENSION] = {0};
        if (clip_row(z, row, n, &grid) && clip_add(sum, z, n, grid.bits)) {
            for (size_t j = 0; j < n; j++)
                assert_true(sum[j] == (uint64_t)(int64_t)z[j]);
        } else {
            memset(z, 0, sizeof z);
        }
        assert_within(z, n, grid.bits);
        if (grid.clip > 1e-10 && grid.clip < 1e10)
            assert_near(z, row, n, &grid);
    }
}

/* The check itself: the least vector beyond the ball fails, in every block. */
static void test_check(void **state)
{
    (void)state;
    for (int bits = 12; bits <= 30; bits++) {
        int32_t z[40] = {0};
        z[39] = (int32_t)1 << bits;
        uint64_t sum[40] = {5};
        assert_true(clip_is_within(z, 40, bits));
        assert_true(clip_add(sum, z, 40, bits));
        assert_true(sum[39] == (uint64_t)1 << bits);
        z[3] = 1;
        assert_false(clip_is_within(z, 40, bits));
        assert_false(clip_add(sum, z, 40, bits));
        assert_true(sum[0] == 5 && sum[3] == 0);
        assert_true(sum[39] == (uint64_t)1 << bits);
        for (size_t j = 0; j < 40; j++)
            z[j] = j % 2 ? (int32_t)1 << bits : -((int32_t)1 << bits);
        assert_false(clip_is_within(z, 40, bits)); /* 40 R^2 is beyond 2^64 */
    }
}

/* ---- Sums --------------------------------------------------------------- */

static dosi_gradient_sum *sum_new(size_t n, double clip, int bits)
{
    dosi_gradient_sum *sum = NULL;
    assert_int_equal(
        dosi_gradient_sum_new(&sum, n, clip, bits, NULL), DOSI_OK);
    return sum;
}

static void test_sums(void **state)
{
    (void)state;
    enum { ROWS = 50 };
    static double rows[ROWS][DIMENSION];
    prop_random r = seed(2);
    int128 exact[DIMENSION] = {0};
    int64_t got[DIMENSION], parts[DIMENSION];
    struct clip_grid grid = clip_grid_of(0.5, 24);
    dosi_gradient_sum *whole = sum_new(DIMENSION, 0.5, 0);
    dosi_gradient_sum *one = sum_new(DIMENSION, 0.5, 0);
    dosi_gradient_sum *other = sum_new(DIMENSION, 0.5, 24);
    for (size_t i = 0; i < ROWS; i++) {
        int32_t z[DIMENSION];
        hard_row(rows[i], DIMENSION, 0.5, &r);
        bool good = clip_row(z, rows[i], DIMENSION, &grid);
        for (size_t j = 0; j < DIMENSION && good; j++)
            exact[j] += z[j];
        assert_int_equal(dosi_gradient_sum_add_f64(i % 2 ? one : other,
                             rows[i], 1, NULL),
            DOSI_OK);
    }
    assert_int_equal(
        dosi_gradient_sum_add_f64(whole, rows[0], ROWS, NULL), DOSI_OK);
    dosi_gradient_sum_take_integers(got, whole);
    for (size_t j = 0; j < DIMENSION; j++)
        assert_true(got[j] == exact[j]);
    dosi_gradient_sum_take_integers(parts, one);
    dosi_gradient_sum_add_integers(other, parts);
    dosi_gradient_sum_take_integers(parts, other);
    assert_memory_equal(got, parts, sizeof got);
    dosi_gradient_sum_take_integers(parts, other); /* empty again */
    for (size_t j = 0; j < DIMENSION; j++)
        assert_true(parts[j] == 0);
    dosi_gradient_sum_free(whole);
    dosi_gradient_sum_free(one);
    dosi_gradient_sum_free(other);
}

/* Layers are pieces of rows; floats are the doubles that they are. */
static void test_layers(void **state)
{
    (void)state;
    enum { ROWS = 5, A = 3, B = 7, N = A + B };
    prop_random r = seed(3);
    float rows[ROWS][N], first[ROWS][A], second[ROWS][B];
    double doubles[ROWS][N];
    int64_t got[N], wanted[N];
    dosi_gradient_sum *sum = sum_new(N, 2, 20);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < N; j++) {
            rows[i][j] = (float)prop_uniform(&r, -2, 2);
            doubles[i][j] = (double)rows[i][j];
            if (j < A)
                first[i][j] = rows[i][j];
            else
                second[i][j - A] = rows[i][j];
        }
    assert_int_equal(
        dosi_gradient_sum_add_f64(sum, doubles[0], ROWS, NULL), DOSI_OK);
    dosi_gradient_sum_take_integers(wanted, sum);
    assert_int_equal(
        dosi_gradient_sum_add_f32(sum, rows[0], ROWS, NULL), DOSI_OK);
    dosi_gradient_sum_take_integers(got, sum);
    assert_memory_equal(got, wanted, sizeof got);
    const float *layers[] = {first[0], second[0]};
    size_t sizes[] = {A, B};
    assert_int_equal(dosi_gradient_sum_add_layers_f32(
                         sum, layers, sizes, 2, ROWS, NULL),
        DOSI_OK);
    dosi_gradient_sum_take_integers(got, sum);
    assert_memory_equal(got, wanted, sizeof got);
    sizes[1] = B - 1;
    assert_int_equal(dosi_gradient_sum_add_layers_f32(
                         sum, layers, sizes, 2, ROWS, NULL),
        DOSI_EINVAL);
    sizes[1] = B + 1;
    assert_int_equal(dosi_gradient_sum_add_layers_f32(
                         sum, layers, sizes, 2, ROWS, NULL),
        DOSI_EINVAL);
    dosi_gradient_sum_free(sum);
}

/* The noise is that of the words, whatever the sum; sums wrap. */
static void test_release(void **state)
{
    (void)state;
    enum { N = 5 };
    int64_t zero[N], moved[N], shift[N] = {1, -5, INT64_MAX, INT64_MIN, 0};
    double out[N];
    dosi_gradient_sum *sum = sum_new(N, 2, 20);
    assert_int_equal(
        dosi_gradient_sum_release_integers(zero, sum, 1.5, NULL), DOSI_OK);
    dosi_gradient_sum_add_integers(sum, shift);
    assert_int_equal(
        dosi_gradient_sum_release_integers(moved, sum, 1.5, NULL), DOSI_OK);
    for (size_t j = 0; j < N; j++)
        assert_true(
            (uint64_t)moved[j] - (uint64_t)zero[j] == (uint64_t)shift[j]);
    assert_int_equal(
        dosi_gradient_sum_release(out, sum, 1.5, NULL), DOSI_OK);
    for (size_t j = 0; j < N; j++)
        assert_true(out[j] == (double)zero[j] * 2 / 0x1p20);
    assert_int_equal(
        dosi_gradient_sum_release(out, sum, NAN, NULL), DOSI_EINVAL);
    assert_int_equal(
        dosi_gradient_sum_release(out, sum, 0, NULL), DOSI_EINVAL);
    assert_int_equal(
        dosi_gradient_sum_release(out, sum, 1e-9, NULL), DOSI_EINVAL);
    assert_int_equal(
        dosi_gradient_sum_release(out, sum, 1e300, NULL), DOSI_EINVAL);
    assert_true(out[0] == 0);
    dosi_gradient_sum_free(sum);
}

static void test_refused(void **state)
{
    (void)state;
    dosi_gradient_sum *sum;
    static const double clips[] = {0, -1, NAN, HUGE_VAL, 1e-308};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(
            dosi_gradient_sum_new(&sum, 3, clips[i], 0, NULL), DOSI_EINVAL);
    assert_int_equal(dosi_gradient_sum_new(&sum, 0, 1, 0, NULL), DOSI_EINVAL);
    assert_int_equal(
        dosi_gradient_sum_new(&sum, 3, 1, 11, NULL), DOSI_EINVAL);
    assert_int_equal(
        dosi_gradient_sum_new(&sum, 3, 1, 31, NULL), DOSI_EINVAL);
    assert_null(sum);
}

/* Squares of these numbers are subnormal; a caller who flushes such to zero
 * gets the same integers. */
static void test_flush_to_zero(void **state)
{
    (void)state;
    const double rows[] = {2e-155, -2e-155, 1e-155, 2.1e-155};
    int64_t wanted[4], got[4];
    dosi_gradient_sum *sum = sum_new(4, 1e-160, 0);
    assert_int_equal(dosi_gradient_sum_add_f64(sum, rows, 1, NULL), DOSI_OK);
    dosi_gradient_sum_take_integers(wanted, sum);
    assert_true(wanted[0] > 1 << 22);
#if defined(__x86_64__)
    unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040); /* FTZ and DAZ */
#endif
    dosi_status status = dosi_gradient_sum_add_f64(sum, rows, 1, NULL);
#if defined(__x86_64__)
    assert_int_equal(_mm_getcsr() & 0x8040, 0x8040);
    _mm_setcsr(before);
#endif
    assert_int_equal(status, DOSI_OK);
    dosi_gradient_sum_take_integers(got, sum);
    assert_memory_equal(got, wanted, sizeof got);
    dosi_gradient_sum_free(sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_layers),
        cmocka_unit_test(test_release),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_flush_to_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
