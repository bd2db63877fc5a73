/*
 * The laws of choices: permute-and-flip against the sum over all sets of
 * candidates that come before and refuse, probabilities that add to 1,
 * quantile distances by counting, digits that rebuild their rate.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/finite_pair.h"
#include "release_laws/choice_law.h"

static const double lists[][6] = {{0, 1, 2, 5, 3, 4}, {4, 0, 9, 1, 0, 0},
    {0, 0, 0, 0, 0, 0}, {700, 3, 0, 200, 11, 1}, {0, 1e6, 1e9, 2, 1, 1}};
#define N_LISTS (sizeof lists / sizeof *lists)
#define N 6

static const double rates[] = {0, 0.05, 0.5, 1.0 / 3, 3};
#define N_RATES (sizeof rates / sizeof *rates)

static void exact_weight(arb_t y, double rate, double distance)
{
    arb_t t;
    arb_init(t);
    arb_set_d(y, -rate);
    arb_set_d(t, distance);
    arb_mul(y, y, t, PAIR_BITS);
    arb_exp(y, y, PAIR_BITS);
    arb_clear(t);
}

/* p_i times the sum over sets of r others, all refusing, that come before i:
 * r! (n - 1 - r)! / n! orders have exactly that set in front. */
static void exact_flip(arb_t y, const double *distance, double rate, int i)
{
    arb_t term, p;
    arb_init(term);
    arb_init(p);
    arb_zero(y);
    for (unsigned set = 0; set < 1u << N; set++) {
        if (set >> i & 1)
            continue;
        ulong r = 0;
        arb_one(term);
        for (int j = 0; j < N; j++) {
            if (!(set >> j & 1))
                continue;
            r++;
            exact_weight(p, rate, distance[j]);
            arb_sub_ui(p, p, 1, PAIR_BITS);
            arb_neg(p, p);
            arb_mul(term, term, p, PAIR_BITS);
        }
        arb_fac_ui(p, r, PAIR_BITS);
        arb_mul(term, term, p, PAIR_BITS);
        arb_fac_ui(p, N - 1 - r, PAIR_BITS);
        arb_mul(term, term, p, PAIR_BITS);
        arb_add(y, y, term, PAIR_BITS);
    }
    arb_fac_ui(p, N, PAIR_BITS);
    arb_div(y, y, p, PAIR_BITS);
    exact_weight(p, rate, distance[i]);
    arb_mul(y, y, p, PAIR_BITS);
    arb_clear(term);
    arb_clear(p);
}

static void exact_exponential(
    arb_t y, const double *distance, double rate, int i)
{
    arb_t t;
    arb_init(t);
    arb_zero(y);
    for (int j = 0; j < N; j++) {
        exact_weight(t, rate, distance[j]);
        arb_add(y, y, t, PAIR_BITS);
    }
    exact_weight(t, rate, distance[i]);
    arb_div(y, t, y, PAIR_BITS);
    arb_clear(t);
}

static void assert_encloses(ball x, const arb_t exact)
{
    assert_true(pair_in_ball(x, exact));
    assert_true(x.rad <= 1e-26 * fabs(x.hi) + 1e-300);
}

static void test_laws(void **state)
{
    (void)state;
    arb_t exact;
    arb_init(exact);
    for (size_t l = 0; l < N_LISTS; l++)
        for (size_t c = 0; c < N_RATES; c++) {
            ball rate = ball_of(rates[c]);
            ball all = ball_of(0), flips = ball_of(0), p;
            for (int i = 0; i < N; i++) {
                p = choice_exponential(lists[l], N, rate, (size_t)i);
                exact_exponential(exact, lists[l], rates[c], i);
                assert_encloses(p, exact);
                all = ball_add(all, p);
                assert_int_equal(choice_permute_and_flip(
                                     &p, lists[l], N, rate, (size_t)i, NULL),
                    DOSI_OK);
                exact_flip(exact, lists[l], rates[c], i);
                assert_encloses(p, exact);
                flips = ball_add(flips, p);
            }
            assert_true(fabs(ball_mid(ball_sub_d(all, 1))) < 1e-26);
            assert_true(fabs(ball_mid(ball_sub_d(flips, 1))) < 1e-26);
        }
    arb_clear(exact);
}

/* One candidate is chosen always; of n equal ones each with 1/n. */
static void test_many_equal(void **state)
{
    (void)state;
    static double distance[1000];
    ball p;
    assert_int_equal(
        choice_permute_and_flip(&p, distance, 1, ball_of(2), 0, NULL), DOSI_OK);
    assert_true(p.hi == 1 && p.rad == 0);
    assert_int_equal(
        choice_permute_and_flip(&p, distance, 1000, ball_of(2), 7, NULL),
        DOSI_OK);
    assert_true(fabs(ball_mid(ball_sub_d(ball_mul_d(p, 1000), 1))) < 1e-26);
    assert_true(p.rad < 1e-28);
}

static void test_quantile(void **state)
{
    (void)state;
    static const double data[] = {13, 1, 21, 1, 2, 3, 8, 5};
    static const double candidate[] = {24, 0, 4, 8, 8.5, 1, -3};
    static const double parts[][2] = {{1, 2}, {9, 10}, {1, 3}, {1, 1}};
    for (size_t q = 0; q < sizeof parts / sizeof *parts; q++) {
        double a = parts[q][0], b = parts[q][1];
        double distance[7], score[7], best = HUGE_VAL;
        assert_int_equal(choice_quantile_distances(
                             distance, candidate, 7, data, 8, a, b, NULL),
            DOSI_OK);
        for (int i = 0; i < 7; i++) {
            double below = 0, above = 0;
            for (int j = 0; j < 8; j++) {
                below += data[j] < candidate[i];
                above += data[j] > candidate[i];
            }
            score[i] = fabs((b - a) * below - a * above);
            best = fmin(best, score[i]);
        }
        for (int i = 0; i < 7; i++)
            assert_true(distance[i] == score[i] - best);
    }
}

static void test_response(void **state)
{
    (void)state;
    assert_true(ball_mid(choice_response_keep(ball_of(0), 4)) == 0.25);
    /* keep / (1 - keep) = e^eps / (categories - 1) */
    ball keep = choice_response_keep(ball_of(1.5), 5);
    ball odds = ball_div(keep, ball_sub(ball_of(1), keep));
    ball ratio = ball_div_d(ball_exp(ball_of(1.5)), 4);
    assert_false(ball_less(odds, ratio) || ball_less(ratio, odds));
    assert_true(keep.rad < 1e-29);
}

/* The digits add up to the rate, exactly, and end. */
static void test_digits(void **state)
{
    (void)state;
    static const double some[] = {0, 1, 0.5, 0.1, 256.0 / 1437, 1e-9, 0x1p-1074,
        1 - 0x1p-53, 1.0 / 3};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        double sum = 0;
        for (int j = 139; j >= 0; j--) { /* the least first: exact */
            int digit = choice_rate_digit(some[i], (size_t)j);
            assert_in_range(digit, 0, j == 0 ? 256 : 255);
            sum += ldexp(digit, -8 * (j + 1));
        }
        assert_true(sum == some[i]);
    }
    assert_int_equal(choice_rate_digit(1, 0), 256);
    assert_int_equal(choice_rate_digit(0x1p-1074, 134), 0x40);
    assert_int_equal(choice_rate_digit(0.5, SIZE_MAX), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),
        cmocka_unit_test(test_many_equal),
        cmocka_unit_test(test_quantile),
        cmocka_unit_test(test_response),
        cmocka_unit_test(test_digits),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
