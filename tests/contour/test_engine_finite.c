/*
 * Plans with atoms that once had wide or slow answers: an epsilon of 0 that no
 * saddle point shows, against lists on both sides of its first delta; and many
 * runs of a sampler composed with responses at a tiny delta, against the sum
 * over all losses of the responses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/loss_laws.h"
#include "list/list.h"
#include "contour/engine/engine.h"

static dosi_interval by_contours(
    const loss_law *parts, size_t n, ball log_delta)
{
    dosi_interval v = {0, HUGE_VAL};
    contour_engine *s = NULL;
    assert_int_equal(engine_new(&s, parts, n, NULL, NULL), DOSI_OK);
    assert_non_null(s);
    assert_int_equal(
        engine_epsilon(&v, s, ball_exp(log_delta), log_delta, NULL), DOSI_OK);
    engine_free(s);
    return v;
}

static dosi_interval by_lists(const loss_law *parts, size_t n, ball log_delta)
{
    dosi_interval v = {0, HUGE_VAL};
    assert_int_equal(
        list_epsilon(&v, parts, n, log_delta, NULL, NULL), DOSI_OK);
    return v;
}

/* ---- Next to 0 --------------------------------------------------------- */

static void zero_is_certain(void **state)
{
    (void)state;
    const loss_law parts[2] = {
        loss_of(LOSS_LAPLACE, 1 / 1.11, LOSS_MIXTURE_FIRST, 0.00234, 25),
        loss_of(LOSS_GAUSSIAN, 1 / 0.472, LOSS_MIXTURE_FIRST, 0.000256, 1)};
    dosi_interval at_zero;
    assert_int_equal(
        list_log_delta(&at_zero, parts, 2, 0, NULL, NULL), DOSI_OK);
    assert_true(at_zero.hi - at_zero.lo < 1e-4);
    for (int lists = 0; lists < 2; lists++) {
        dosi_interval (*ask)(const loss_law *, size_t, ball) =
            lists ? by_lists : by_contours;
        static const double above[] = {0.002, 1};
        for (int i = 0; i < 2; i++) {
            dosi_interval v = ask(parts, 2, ball_of(at_zero.hi + above[i]));
            assert_true(v.lo == 0 && v.hi == 0);
        }
        for (int i = 0; i < 2; i++) {
            double log_delta = at_zero.lo - above[i];
            dosi_interval v = ask(parts, 2, ball_of(log_delta)), d;
            assert_true(v.hi > 0 && v.lo <= v.hi);
            assert_int_equal(
                list_log_delta(&d, parts, 2, v.lo, NULL, NULL), DOSI_OK);
            assert_true(d.hi >= log_delta);
            assert_int_equal(
                list_log_delta(&d, parts, 2, v.hi, NULL, NULL), DOSI_OK);
            assert_true(d.lo <= log_delta);
        }
    }
}

/* ---- Beside responses -------------------------------------------------- */

#define RESPONSES 8
#define LOG_DELTA (-230.25850929940457)

/* Ends of the sum over all sums of responses of delta of the runs. */
static dosi_interval summed(
    const finite_law *sums, const loss_law *runs, double eps)
{
    ball lo = ball_of(0), hi = ball_of(0);
    for (size_t i = 0; i < finite_count(sums); i++) {
        ball p = ball_exp(finite_log_mass(sums, i));
        ball at = ball_sub(ball_of(eps), finite_loss(sums, i));
        contour_engine *s = NULL;
        dosi_interval v;
        assert_int_equal(engine_new(&s, runs, 1, NULL, NULL), DOSI_OK);
        assert_int_equal(
            engine_log_delta(&v, s, ball_mid(at), NULL), DOSI_OK);
        engine_free(s);
        lo = ball_add(lo, ball_mul(p, ball_exp(ball_of(v.lo))));
        hi = ball_add(hi, ball_mul(p, ball_exp(ball_of(v.hi))));
    }
    /* what rounding of at makes */
    return (dosi_interval){
        ball_lower(ball_log(lo)) - 1e-12, ball_upper(ball_log(hi)) + 1e-12};
}

static void rare_losses_with_responses(void **state)
{
    (void)state;
    finite_law *one = NULL, *sums = NULL;
    assert_int_equal(
        finite_randomized_response(&one, ball_of(0.0276), 7, NULL), DOSI_OK);
    assert_int_equal(finite_power(&sums, one, RESPONSES, 4096, NULL), DOSI_OK);
    const loss_law parts[2] = {loss_of_atoms(one, RESPONSES),
        loss_of(LOSS_GAUSSIAN, 1 / 1.12, LOSS_MIXTURE_FIRST, 0.000372, 145329)};
    dosi_interval v = by_lists(parts, 2, ball_of(LOG_DELTA));
    assert_true(v.hi - v.lo <= 2e-3 * v.hi); /* at delta = 1e-100 */
    assert_true(summed(sums, &parts[1], v.lo).hi >= LOG_DELTA);
    assert_true(summed(sums, &parts[1], v.hi).lo <= LOG_DELTA);
    finite_free(one);
    finite_free(sums);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(zero_is_certain),
        cmocka_unit_test(rare_losses_with_responses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
