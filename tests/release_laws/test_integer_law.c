/*
 * Edges of the laws of integer noise: identities of masses and tails, the
 * largest integers, scales at the ends, refusals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "release_laws/integer_law.h"

static const dosi_noise_law laws[] = {DOSI_NOISE_ROUND_GAUSSIAN,
    DOSI_NOISE_ROUND_LAPLACE, DOSI_NOISE_DISCRETE_GAUSSIAN,
    DOSI_NOISE_DISCRETE_LAPLACE};
#define N_LAWS (sizeof laws / sizeof *laws)

static void assert_same(ball a, ball b, double width)
{
    assert_false(ball_less(a, b) || ball_less(b, a));
    assert_true(a.rad <= width && b.rad <= width);
}

/* Masses over a window and the two tails add to 1. */
static void test_total(void **state)
{
    (void)state;
    static const double scales[] = {0x1p-6, 0.1, 0.3, 1, 2.5, 16, 100};
    for (size_t i = 0; i < N_LAWS; i++)
        for (size_t j = 0; j < sizeof scales / sizeof *scales; j++) {
            ball sum = integer_law_tail(laws[i], scales[j], 21);
            sum = ball_scale2(sum, 1);
            for (int64_t k = -20; k <= 20; k++)
                sum = ball_add(sum, integer_law_pmf(laws[i], scales[j], k));
            assert_same(sum, ball_of(1), 1e-26);
        }
}

/* P[K >= k] - P[K >= k + 1] = P[K = k], and P[K >= k] + P[K >= 1 - k] = 1. */
static void test_steps(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_LAWS; i++)
        for (int64_t k = -50; k <= 50; k++) {
            ball here = integer_law_tail(laws[i], 7.25, k);
            ball next = integer_law_tail(laws[i], 7.25, k + 1);
            assert_same(ball_sub(here, next),
                integer_law_pmf(laws[i], 7.25, k), 1e-26);
            ball other = integer_law_tail(laws[i], 7.25, 1 - k);
            assert_same(ball_add(here, other), ball_of(1), 1e-26);
        }
}

/* At the ends of int64_t nothing overflows, and the tails are 0 and 1. */
static void test_extremes(void **state)
{
    (void)state;
    static const double scales[] = {0x1p-60, 0x1p-6, 1, 0x1p50};
    for (size_t i = 0; i < N_LAWS; i++)
        for (size_t j = 0; j < sizeof scales / sizeof *scales; j++) {
            dosi_noise_law law = laws[i];
            double s = scales[j];
            assert_true(integer_law_tail_upper(law, s, INT64_MAX) <= 1e-300);
            assert_true(integer_law_tail_upper(law, s, INT64_MIN) == 1);
            ball all = integer_law_tail(law, s, INT64_MIN);
            assert_true(ball_lower(all) >= 1 - 0x1p-52);
            assert_true(
                ball_upper(integer_law_log_pmf(law, s, INT64_MIN)) < -8000);
            assert_true(
                ball_upper(integer_law_log_tail(law, s, INT64_MAX)) < -8000);
        }
}

/* Beyond the known scales nothing is claimed. */
static void test_unknown_scales(void **state)
{
    (void)state;
    static const double scales[] = {0, -1, 0x1p-61, 0x1p61, HUGE_VAL, NAN};
    for (size_t j = 0; j < sizeof scales / sizeof *scales; j++) {
        assert_true(ball_is_unknown(integer_law_log_pmf(laws[j % 4],
            scales[j], 1)));
        assert_true(ball_is_unknown(
            integer_law_variance(laws[j % 4], scales[j])));
        assert_true(integer_law_tail_upper(laws[j % 4], scales[j], 5) == 1);
    }
}

/* Discrete noise of a tiny scale is 0 almost surely: P[|K| > 0] is below any
 * beta. A wide interval of a large scale stays within int64_t. */
static void test_half_width_ends(void **state)
{
    (void)state;
    int64_t a = -1;
    for (size_t i = 0; i < N_LAWS; i++) {
        assert_int_equal(
            integer_law_half_width(&a, laws[i], 0x1p-60, 1e-300, NULL), 0);
        assert_int_equal(a, 0);
        assert_int_equal(
            integer_law_half_width(&a, laws[i], 10, 0.999, NULL), 0);
        assert_int_equal(a, 0);
        assert_int_equal(
            integer_law_half_width(&a, laws[i], 0x1p50, 0x1p-1074, NULL), 0);
        assert_true(a > (int64_t)1 << 55 && a < (int64_t)1 << 60);
        ball log_least = ball_mul_d(ball_ln2(), -1075);
        ball log_tail = integer_law_log_tail(laws[i], 0x1p50, a + 1);
        assert_true(ball_less_equal(log_tail, log_least));
        log_tail = integer_law_log_tail(laws[i], 0x1p50, a);
        assert_true(ball_less(log_least, log_tail));
    }
    assert_int_equal(integer_law_half_width(
                         &a, DOSI_NOISE_ROUND_GAUSSIAN, 1e6, 0.05, NULL),
        0);
    assert_int_equal(a, 1959964); /* 1.95996398454 scales, half an integer on */
}

static void test_threshold_ends(void **state)
{
    (void)state;
    int64_t tau = 0, high = (int64_t)1 << 61;
    double d = 0;
    for (size_t i = 0; i < N_LAWS; i++) {
        dosi_noise_law law = laws[i];
        /* with most just below 1 the threshold is far below the count */
        assert_int_equal(integer_law_threshold(
                             &tau, &d, law, 100, 5, 1 - 0x1p-53, NULL),
            0);
        assert_true(tau < -700 && d < 1 && d > 0.999);
        assert_int_equal(integer_law_threshold(
                             &tau, &d, law, 0x1p50, high, 0x1p-1000, NULL),
            0);
        assert_true(tau > high && d <= 0x1p-1000);
        assert_int_equal(integer_law_threshold(
                             &tau, &d, law, 0x1p50, -high, 0x1p-1000, NULL),
            0);
        assert_true(tau > -high && d <= 0x1p-1000);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    int64_t a = 7;
    double d = 7;
    dosi_noise_law law = DOSI_NOISE_DISCRETE_LAPLACE;
    static const double scales[] = {0, -1, 0x1p51, HUGE_VAL, NAN};
    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        assert_int_equal(integer_law_half_width(&a, law, scales[i], 0.1, NULL),
            DOSI_EINVAL);
        assert_int_equal(a, 0);
        assert_int_equal(
            integer_law_threshold(&a, &d, law, scales[i], 1, 0.1, NULL),
            DOSI_EINVAL);
        assert_true(a == 0 && d == 1);
    }
    static const double levels[] = {0, 1, -0.5, 2, HUGE_VAL, NAN};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        assert_int_equal(integer_law_half_width(&a, law, 1, levels[i], NULL),
            DOSI_EINVAL);
        assert_int_equal(
            integer_law_threshold(&a, &d, law, 1, 1, levels[i], NULL),
            DOSI_EINVAL);
    }
    assert_int_equal(
        integer_law_threshold(&a, &d, law, 1, 1, 0x1p-1001, NULL), DOSI_EINVAL);
    assert_int_equal(
        integer_law_threshold(&a, &d, law, 1, INT64_MAX, 0.1, NULL),
        DOSI_EINVAL);
    assert_int_equal(
        integer_law_threshold(&a, &d, law, 1, INT64_MIN, 0.1, NULL),
        DOSI_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_total),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_unknown_scales),
        cmocka_unit_test(test_half_width_ends),
        cmocka_unit_test(test_threshold_ends),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
