/*
 * Released values: law and scale of the noise as a sampler that the test makes
 * itself draws it from the same words, the plan that is charged, saturation,
 * and everything that is refused. Words are those of tape_words.c: the n-th
 * call that opens words has the stream of key n.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "dosimeter/release.h"
#include "release/int128.h"
#include "release/noise.h"
#include "support/tape.h"

#define N 50
#define TWO53 ((int64_t)1 << 53)

static uint64_t n_opened; /* calls of words_open so far */

static const dosi_plan *plan_of(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err;
    assert_int_equal(
        dosi_plan_parse(&plan, text, strlen(text), &err), DOSI_OK);
    return plan;
}

/* The scale that the last sampler was made with. */
static double last_scale;
dosi_status __real_dosi_noise_new(dosi_noise **out, dosi_noise_law law,
    double scale, dosi_timing timing, dosi_error *err);
dosi_status __wrap_dosi_noise_new(dosi_noise **out, dosi_noise_law law,
    double scale, dosi_timing timing, dosi_error *err);

dosi_status __wrap_dosi_noise_new(dosi_noise **out, dosi_noise_law law,
    double scale, dosi_timing timing, dosi_error *err)
{
    last_scale = scale;
    return __real_dosi_noise_new(out, law, scale, timing, err);
}

static int64_t clamped(int128 x)
{
    return x > INT64_MAX ? INT64_MAX : x < INT64_MIN ? INT64_MIN : (int64_t)x;
}

static void check_values(const char *text, int64_t distance, size_t max_cells,
    dosi_noise_law law, double scale, const char *charged)
{
    int64_t values[N], out[N], noise[N];
    const dosi_plan *leaf = plan_of(text), *charge = NULL;
    const dosi_plan *expected = plan_of(charged);
    dosi_release_options options = DOSI_RELEASE_OPTIONS_INIT;
    dosi_noise *sampler = NULL;
    struct words w;
    dosi_error err;
    options.max_cells = max_cells;
    for (int i = 0; i < N; i++)
        values[i] = i < 2 ? (i ? INT64_MAX : INT64_MIN) : 1000 * i - 9000;
    tape_of_key(&w, n_opened++);
    assert_int_equal(dosi_noise_new(&sampler, law, scale,
                         DOSI_TIMING_CONSTANT, &err),
        DOSI_OK);
    assert_int_equal(noise_draw(noise, N, sampler, &w, &err), DOSI_OK);
    assert_int_equal(dosi_release_values(out, &charge, values, N, leaf,
                         distance, max_cells ? &options : NULL, &err),
        DOSI_OK);
    assert_true(last_scale == scale);
    for (int i = 0; i < N; i++)
        assert_true(out[i] == clamped((int128)values[i] + noise[i]));
    assert_true(dosi_plan_equal(charge, expected));
    dosi_plan_free(charge);
    dosi_plan_free(leaf);
    dosi_plan_free(expected);
    dosi_noise_free(sampler);
}

/* The least double >= sigma distance, by products of integers. */
static double above(double sigma, int64_t distance)
{
    int e = 0;
    int128 m = (int128)ldexp(frexp(sigma, &e), 53) * distance;
    double s = sigma * (double)distance;
    s = nextafter(s, 0);
    while ((int128)ldexp(s, 53 - e) < m)
        s = nextafter(s, HUGE_VAL);
    return s;
}

static void test_kinds(void **state)
{
    (void)state;
    assert_true(above(0.1, 3) > 0.3 && above(0.01, TWO53 + 1) > 0.01 * TWO53);
    check_values("gaussian(3)", 1, 0, DOSI_NOISE_ROUND_GAUSSIAN, 3,
        "gaussian(3)");
    for (int64_t i = 1; i < 60; i++)
        check_values("gaussian(0.7)", i, 1, DOSI_NOISE_ROUND_GAUSSIAN,
            above(0.7, i), "gaussian(0.7)");
    check_values("laplace(2)", 100, 3, DOSI_NOISE_ROUND_LAPLACE, 200,
        "laplace(2) * 3");
    check_values("discrete_gaussian(10)", 1, 0, DOSI_NOISE_DISCRETE_GAUSSIAN,
        10, "discrete_gaussian(10)");
    check_values("discrete_gaussian(10)", 7, 2, DOSI_NOISE_DISCRETE_GAUSSIAN,
        10, "group(7, discrete_gaussian(10)) * 2");
    check_values("discrete_laplace(0.5)", 3, 0, DOSI_NOISE_DISCRETE_LAPLACE,
        0.5, "group(3, discrete_laplace(0.5))");
    check_values("discrete_laplace(0.5)", 1, 4, DOSI_NOISE_DISCRETE_LAPLACE,
        0.5, "discrete_laplace(0.5) * 4");
    /* (double)distance rounds down: 2^53 + 1 is no double */
    check_values("laplace(0.01)", TWO53 + 1, 0, DOSI_NOISE_ROUND_LAPLACE,
        above(0.01, TWO53 + 1), "laplace(0.01)");
}

static void test_refusals(void **state)
{
    static const struct {
        const char *leaf;
        int64_t distance;
        size_t max_cells;
        dosi_status status;
    } cases[] = {
        {"gaussian(1)", 0, 0, DOSI_EINVAL},
        {"gaussian(1)", -1, 0, DOSI_EINVAL},
        {"gaussian(?)", 1, 0, DOSI_EINVAL},
        {"gaussian(1)", INT64_MAX, 0, DOSI_EINVAL}, /* scale */
        {"gaussian(0.01)", 1, 0, DOSI_EINVAL},      /* use a finer grid */
        {"laplace(1)", 1, SIZE_MAX, DOSI_EINVAL},
        {"discrete_laplace(1)", TWO53 + 1, 0, DOSI_EINVAL},
        {"exponential(1)", 1, 0, DOSI_EUNSUPPORTED},
        {"gaussian(1) * 2", 1, 0, DOSI_EUNSUPPORTED},
        {"poisson(0.1, gaussian(1))", 1, 0, DOSI_EUNSUPPORTED},
        {"group(2, laplace(1))", 1, 0, DOSI_EUNSUPPORTED},
    };
    int64_t out[3];
    const int64_t values[3] = {1, 2, 3};
    dosi_error err;
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const dosi_plan *leaf = plan_of(cases[i].leaf), *charge = leaf;
        dosi_release_options options = DOSI_RELEASE_OPTIONS_INIT;
        options.max_cells = cases[i].max_cells;
        memset(out, 0x55, sizeof out);
        assert_int_equal(dosi_release_values(out, &charge, values, 3, leaf,
                             cases[i].distance, &options, &err),
            cases[i].status);
        assert_null(charge);
        for (int j = 0; j < 3; j++)
            assert_int_equal(out[j], 0);
        dosi_plan_free(leaf);
    }
    const dosi_plan *leaf = plan_of("laplace(1)"), *charge = leaf;
    dosi_release_options flip = DOSI_RELEASE_OPTIONS_INIT;
    flip.permute_and_flip = 1;
    assert_int_equal(dosi_release_values(out, &charge, values, 3, leaf, 1,
                         &flip, &err),
        DOSI_EINVAL);
    assert_int_equal(
        dosi_release_values(out, &charge, values, 3, NULL, 1, NULL, &err),
        DOSI_EINVAL);
    /* no values: the plan is charged all the same */
    assert_int_equal(
        dosi_release_values(NULL, &charge, NULL, 0, leaf, 1, NULL, &err),
        DOSI_OK);
    n_opened++;
    assert_true(dosi_plan_equal(charge, leaf));
    dosi_plan_free(charge);
    dosi_plan_free(leaf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
