/*
 * Batch invariance through the public calls: with every record in the sample
 * (rate 1) and the same noise, the noisy sum of one step is S + K, so that the
 * difference of two runs is a difference of exact sums. What one record adds
 * is the same 64-bit integers alone, at every place of batches of 1 to 67
 * records, with all other records replaced, and under a caller who flushes
 * subnormal numbers to zero. A product whose order of summation depends on
 * the size of the batch, the control, fails that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include <cmocka.h>

#include "support/random.h"
#include "release/train/network.h"
#include "support/training_runs.h"

#define FEATURES 9
#define LARGEST 67
#define MAX_PARAMETERS 256

/* Rate 1, clip 1, learning rate 1 and a batch of 64: the parameters move by
 * -Y / 2^30 exactly, while |Y| < 2^53. */
static const char *const softmax[] = {"model softmax", "label y",
    "categories y:a,b,c,d", "bounds 0..1", "examples 64", "batch 64",
    "steps 1", "clip 1", "learning-rate 1", "noise 1", "delta 1e-5", NULL};
static const char *const mlp[] = {"model mlp:7,5", "label y",
    "categories y:a,b,c,d", "bounds 0..1", "examples 64", "batch 64",
    "steps 1", "clip 1", "learning-rate 1", "noise 1", "delta 1e-5",
    "init-seed 3", NULL};
static const char *const linear[] = {"model mlp:6", "label y:0..1",
    "bounds 0..1", "examples 64", "batch 64", "steps 1", "clip 1",
    "learning-rate 1", "noise 1", "delta 1e-5", "init-seed 4", NULL};
static const char *const *const models[] = {softmax, mlp, linear};

struct record {
    double x[FEATURES];
    double y;
};

static struct record record_of(prop_random *r, bool is_linear)
{
    struct record one;
    int kind = prop_below(r, 3);
    for (size_t j = 0; j < FEATURES; j++)
        one.x[j] = kind == 0 && prop_below(r, 3) == 0
                       ? ldexp(1, -prop_below(r, 1074))
                       : prop_uniform(r, 0, 1);
    one.y = is_linear ? prop_uniform(r, 0, 1) : (double)prop_below(r, 4);
    return one;
}

/* Changes of the parameters in the first step. The update is theta - v, which
 * is exact if theta is 0; elsewhere it is rounded, so that only equality of
 * whole runs is compared there. */
static void one_step(double *out, size_t *n, const char *const *settings,
    const struct record *records, size_t n_records)
{
    double x[LARGEST * FEATURES + 1], y[LARGEST + 1];
    dosi_training_report report;
    dosi_error err;
    dosi_training *t = run_new(settings, &err);
    assert_non_null(t);
    for (size_t i = 0; i < n_records; i++) {
        memcpy(x + i * FEATURES, records[i].x, sizeof records[i].x);
        y[i] = records[i].y;
    }
    assert_int_equal(dosi_training_add_rows(
                         t, x, FEATURES, y, NULL, n_records, &err),
        DOSI_OK);
    assert_int_equal(dosi_training_start(t, &err), DOSI_OK);
    assert_int_equal(dosi_training_step(t, 1, &err), DOSI_OK);
    dosi_training_state(&report, t);
    *n = report.n_parameters;
    assert_true(*n <= MAX_PARAMETERS);
    memcpy(out, report.parameters, *n * sizeof *out);
    dosi_training_free(t);
}

/* What the first record adds beside the others: a difference of parameters
 * of two runs. It is -z / 2^30 up to the rounding of theta - v, at most
 * 2^-54, which z / 2^30 is far above. */
static void added(int64_t *z, size_t *n, const char *const *settings,
    const struct record *records, size_t n_records)
{
    double with[MAX_PARAMETERS], without[MAX_PARAMETERS];
    one_step(with, n, settings, records, n_records);
    one_step(without, n, settings, records + 1, n_records - 1);
    for (size_t j = 0; j < *n; j++)
        z[j] = llround((without[j] - with[j]) * 0x1p30);
}

static void test_alone_and_among_others(void **state)
{
    (void)state;
    prop_random r = prop_start("prop_batch");
    for (size_t m = 0; m < 3; m++) {
        struct record records[LARGEST], copy;
        int64_t alone[MAX_PARAMETERS], z[MAX_PARAMETERS];
        bool any = false;
        size_t n;
        records[0] = record_of(&r, m == 2);
        copy = records[0];
        added(alone, &n, models[m], records, 1);
        for (size_t j = 0; j < n; j++)
            any = any || alone[j] != 0;
        assert_true(any);
        for (size_t b = 2; b <= LARGEST; b += m == 0 ? 1 : 5) {
            for (size_t i = 1; i < b; i++)
                records[i] = record_of(&r, m == 2);
            records[0] = copy;
            added(z, &n, models[m], records, b);
            assert_memory_equal(z, alone, n * sizeof *z);
        }
    }
}

/* The sum of a permuted batch is the same, at every place. */
static void test_places(void **state)
{
    (void)state;
    prop_random r = {11};
    for (size_t m = 0; m < 3; m++) {
        struct record records[LARGEST], last;
        double first[MAX_PARAMETERS], now[MAX_PARAMETERS];
        size_t n;
        for (size_t i = 0; i < LARGEST; i++)
            records[i] = record_of(&r, m == 2);
        one_step(first, &n, models[m], records, LARGEST);
        for (size_t turn = 1; turn < LARGEST; turn += m == 0 ? 1 : 6) {
            last = records[LARGEST - 1];
            memmove(records + 1, records, (LARGEST - 1) * sizeof *records);
            records[0] = last;
            one_step(now, &n, models[m], records, LARGEST);
            assert_memory_equal(first, now, n * sizeof *now);
        }
    }
}

static void test_flush_to_zero(void **state)
{
    (void)state;
#if defined(__x86_64__)
    prop_random r = {12};
    for (size_t m = 0; m < 3; m++) {
        struct record records[LARGEST];
        double first[MAX_PARAMETERS], now[MAX_PARAMETERS];
        size_t n;
        for (size_t i = 0; i < LARGEST; i++)
            records[i] = record_of(&r, m == 2);
        one_step(first, &n, models[m], records, LARGEST);
        unsigned before = _mm_getcsr();
        _mm_setcsr(before | 0x8040 | 0x6000); /* FTZ, DAZ, towards zero */
        one_step(now, &n, models[m], records, LARGEST);
        _mm_setcsr(before);
        assert_memory_equal(first, now, n * sizeof *now);
    }
#endif
}

/* The doubles before the grid, which hides most of their last bits: alone in
 * new working memory, and after so many others. */
static void test_bits(void **state)
{
    (void)state;
    static const size_t hidden[] = {7, 5};
    prop_random r = {14};
    struct network net;
    struct network_pass *alone, *among;
    double theta[MAX_PARAMETERS], g[MAX_PARAMETERS], h[MAX_PARAMETERS];
    assert_int_equal(network_shape(&net, HEAD_SOFTMAX, FEATURES, hidden, 2, 4,
                         NULL),
        DOSI_OK);
    assert_int_equal(network_pass_new(&among, &net, NULL), DOSI_OK);
    for (size_t j = 0; j < net.n_parameters; j++)
        theta[j] = prop_uniform(&r, -1, 1);
    network_pass_set(among, theta);
    for (long i = 0; i < prop_count(500); i++) {
        struct record one = record_of(&r, false);
        double x[FEATURES + 1];
        memcpy(x, one.x, sizeof one.x);
        x[FEATURES] = 1;
        assert_int_equal(network_pass_new(&alone, &net, NULL), DOSI_OK);
        network_pass_set(alone, theta);
        network_gradient_exact(g, alone, x, one.y);
        network_gradient_exact(h, among, x, one.y);
        assert_memory_equal(g, h, net.n_parameters * sizeof *g);
        network_pass_free(alone);
    }
    network_pass_free(among);
}

/* ---- The control -------------------------------------------------------- */

/* A score as a matrix library has it: partial sums whose number depends on the
 * size of the batch. */
static double blocked_score(
    const double *w, const double *x, size_t n, size_t batch)
{
    size_t n_lanes = batch == 1 ? 1 : batch % 2 ? 2 : 4;
    double lanes[4] = {0}, sum = 0;
    for (size_t j = 0; j < n; j++)
        lanes[j % n_lanes] += w[j] * x[j];
    for (size_t k = 0; k < n_lanes; k++)
        sum += lanes[k];
    return sum;
}

static void test_control(void **state)
{
    (void)state;
    prop_random r = {13};
    size_t n_differ = 0;
    for (int i = 0; i < 100; i++) {
        double w[64], x[64];
        for (size_t j = 0; j < 64; j++) {
            w[j] = prop_uniform(&r, -1, 1);
            x[j] = prop_uniform(&r, 0, 1);
        }
        double alone = blocked_score(w, x, 64, 1);
        double among = blocked_score(w, x, 64, 2);
        n_differ += memcmp(&alone, &among, sizeof alone) != 0;
    }
    assert_true(n_differ >= 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone_and_among_others),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_flush_to_zero),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
