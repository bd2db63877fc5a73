/*
 * The test whether delta is within a bound, without its value: it must never
 * contradict the value, and must decide clear cases.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/random.h"
#include "contour/engine/engine.h"

static prop_random source;

static loss_law random_pair(int i)
{
    loss_law pair = {.noise = LOSS_GAUSSIAN,
        .map = i % 3 == 0   ? LOSS_BASE_FIRST
               : i % 3 == 1 ? LOSS_MIXTURE_FIRST
                            : LOSS_PLAIN,
        .parameter = ball_of(prop_uniform(&source, 0.3, 1.5)),
        .rate = ball_of(exp(prop_uniform(&source, log(0.01), log(0.3)))),
        .count = floor(exp(prop_uniform(&source, 0, log(2000))))};
    if (pair.map == LOSS_PLAIN)
        pair.parameter = ball_of(0.5 / sqrt(pair.count));
    return pair;
}

static bool within(contour_engine *s, double epsilon, double log_delta)
{
    bool out = true;
    ball target = ball_of(log_delta);
    assert_int_equal(engine_is_within(
                         &out, s, epsilon, ball_exp(target), target, NULL),
        DOSI_OK);
    return out;
}

static void is_never_wrong(void **state)
{
    (void)state;
    static const double off[] = {-5, -3, -1, -0.3, -0.05, -0.01, -1e-4};
    int n_clear = 0, n_asked = 0;
    for (int i = 0; i < 30; i++) {
        loss_law pairs[2] = {random_pair(i), random_pair(i / 3)};
        contour_engine *s = NULL, *exact = NULL;
        size_t n = i % 2 ? 2 : 1;
        assert_int_equal(engine_new(&s, pairs, n, NULL, NULL), DOSI_OK);
        assert_int_equal(
            engine_new(&exact, pairs, n, NULL, NULL), DOSI_OK);
        ball delta =
            ball_exp(ball_of(prop_uniform(&source, log(1e-12), log(0.1))));
        dosi_interval epsilon, truth;
        assert_int_equal(engine_epsilon(&epsilon, exact, delta,
                             ball_log(delta), NULL),
            DOSI_OK);
        if (epsilon.lo > 0 && epsilon.hi < HUGE_VAL) {
            assert_int_equal(
                engine_log_delta(&truth, exact, epsilon.hi, NULL),
                DOSI_OK);
            assert_true(truth.hi - truth.lo < 1e-4);
            for (size_t j = 0; j < sizeof off / sizeof *off; j++)
                assert_false(within(s, epsilon.hi, truth.lo + off[j]));
            n_clear += within(s, epsilon.hi, truth.hi + 0.5);
            n_asked++;
        }
        engine_free(s);
        engine_free(exact);
    }
    assert_true(n_asked > 20 && n_clear > n_asked - 3);
}

/* P has mass where Q has none: delta is never below that mass, and if a bound
 * agrees with it up to the last digits, nothing is certain. */
static void leaks_are_not_within(void **state)
{
    (void)state;
    ball at[2] = {ball_of(0.5), ball_of(-0.25)}, lost = ball_of(0x1p-10);
    ball p[2] = {ball_of(0.5), ball_of(0.5 - 0x1p-10)}, q_lost = ball_of(1);
    ball log_mass[2];
    for (int i = 0; i < 2; i++) {
        log_mass[i] = ball_log(p[i]);
        q_lost = ball_sub(
            q_lost, ball_mul(p[i], ball_exp(ball_neg(at[i]))));
    }
    finite_law *found = NULL;
    assert_int_equal(
        finite_from_losses(&found, at, log_mass, 2, lost, q_lost, NULL),
        DOSI_OK);
    loss_law pair = {.noise = LOSS_FINITE,
        .finite = found,
        .count = 1,
        .parameter = ball_of(0),
        .rate = ball_of(1)};
    contour_engine *s = NULL;
    assert_int_equal(engine_new(&s, &pair, 1, NULL, NULL), DOSI_OK);
    static const double parts[] = {0.5, 1};
    for (int i = 0; i < 2; i++) {
        bool out = true;
        ball delta = ball_widen(ball_mul_d(lost, parts[i]), 1e-20);
        assert_int_equal(engine_is_within(
                             &out, s, 0.1, delta, ball_log(delta), NULL),
            DOSI_OK);
        assert_false(out);
    }
    engine_free(s);
    finite_free(found);
}

int main(void)
{
    source = prop_start("test_engine_no_worse");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_never_wrong),
        cmocka_unit_test(leaks_are_not_within),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
