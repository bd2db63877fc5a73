/*
 * Whether delta is within a bound, told without its value: never where the
 * value says otherwise, and always where it is clear.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "prop/random.h"
#include "repr/spectral.h"

static prop_random source;

static loss random_pair(int i)
{
    loss pair = {.noise = LOSS_GAUSSIAN,
        .map = i % 3 == 0   ? LOSS_ADD
               : i % 3 == 1 ? LOSS_REMOVE
                            : LOSS_PLAIN,
        .parameter = ball_of(prop_uniform(&source, 0.3, 1.5)),
        .rate = ball_of(exp(prop_uniform(&source, log(0.01), log(0.3)))),
        .count = floor(exp(prop_uniform(&source, 0, log(2000))))};
    if (pair.map == LOSS_PLAIN)
        pair.parameter = ball_of(0.5 / sqrt(pair.count));
    return pair;
}

static bool within_of(spectral *s, const spectral *reversed, double epsilon,
    double log_delta)
{
    bool out = true;
    ball target = ball_of(log_delta);
    assert_int_equal(spectral_is_within(&out, s, reversed, epsilon,
                         ball_exp(target), target, NULL),
        DOSI_OK);
    return out;
}

static bool within(spectral *s, double epsilon, double log_delta)
{
    return within_of(s, NULL, epsilon, log_delta);
}

static void is_never_wrong(void **state)
{
    (void)state;
    static const double off[] = {-5, -3, -1, -0.3, -0.05, -0.01, -1e-4};
    int n_clear = 0, n_asked = 0;
    for (int i = 0; i < 30; i++) {
        loss pairs[2] = {random_pair(i), random_pair(i / 3)};
        spectral *s = NULL, *exact = NULL;
        size_t n = i % 2 ? 2 : 1;
        assert_int_equal(spectral_new(&s, pairs, n, NULL, NULL), DOSI_OK);
        assert_int_equal(
            spectral_new(&exact, pairs, n, NULL, NULL), DOSI_OK);
        ball delta =
            ball_exp(ball_of(prop_uniform(&source, log(1e-12), log(0.1))));
        dosi_interval epsilon, truth;
        assert_int_equal(spectral_epsilon(&epsilon, exact, delta,
                             ball_log(delta), NULL),
            DOSI_OK);
        if (epsilon.lo > 0 && epsilon.hi < HUGE_VAL) {
            assert_int_equal(
                spectral_log_delta(&truth, exact, epsilon.hi, NULL),
                DOSI_OK);
            assert_true(truth.hi - truth.lo < 1e-4);
            for (size_t j = 0; j < sizeof off / sizeof *off; j++)
                assert_false(within(s, epsilon.hi, truth.lo + off[j]));
            n_clear += within(s, epsilon.hi, truth.hi + 0.5);
            n_asked++;
        }
        spectral_free(s);
        spectral_free(exact);
    }
    assert_true(n_asked > 20 && n_clear > n_asked - 3);
}

/* Some of P lies where Q has nothing: delta is never below that, and where it
 * is the same but for the last digits, nothing is certain. */
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
    atoms *found = NULL;
    assert_int_equal(
        atoms_from_losses(&found, at, log_mass, 2, lost, q_lost, NULL),
        DOSI_OK);
    loss pair = {.noise = LOSS_FINITE, .finite = found, .count = 1,
        .parameter = ball_of(0), .rate = ball_of(1)};
    spectral *s = NULL;
    assert_int_equal(spectral_new(&s, &pair, 1, NULL, NULL), DOSI_OK);
    static const double parts[] = {0.5, 1};
    for (int i = 0; i < 2; i++) {
        bool out = true;
        ball delta = ball_widen(ball_mul_d(lost, parts[i]), 1e-20);
        assert_int_equal(spectral_is_within(&out, s, NULL, 0.1, delta,
                             ball_log(delta), NULL),
            DOSI_OK);
        assert_false(out);
    }
    spectral_free(s);
    atoms_free(found);
}

/* Rare jumps of one plan, or of two parts, or with noise beside them, mixture
 * against base. */
static size_t rare_pairs(loss *pairs, int i)
{
    size_t n = i % 4 == 3 ? 2 : 1;
    for (size_t j = 0; j < n; j++) {
        double rate = exp(prop_uniform(&source, log(1e-5), log(1e-3)));
        double runs = prop_uniform(&source, 0.01, 0.1) / rate;
        pairs[j] = (loss){.noise = LOSS_GAUSSIAN, .map = LOSS_REMOVE,
            .parameter = ball_of(prop_uniform(&source, 0.4, 1)),
            .rate = ball_of(rate), .count = ceil(runs)};
    }
    if (i % 4 == 1)
        pairs[n++] = (loss){.noise = LOSS_GAUSSIAN, .map = LOSS_PLAIN,
            .parameter = ball_of(prop_uniform(&source, 0.003, 0.03)),
            .rate = ball_of(0), .count = 2};
    return n;
}

static spectral *plan_of(loss *pairs, size_t n, loss_map map)
{
    spectral *s = NULL;
    for (size_t i = 0; i < n; i++)
        if (pairs[i].map != LOSS_PLAIN)
            pairs[i].map = map;
    assert_int_equal(spectral_new(&s, pairs, n, NULL, NULL), DOSI_OK);
    return s;
}

/* What the contours of mixture against base say of base against mixture is
 * sharper than what a bound does, and never wrong; another plan's are not
 * asked. */
static void mirrors_are_never_wrong(void **state)
{
    (void)state;
    static const double off[] = {-3, -0.1, -1e-3, -1e-5};
    int n_sharp = 0, n_blunt = 0;
    for (int i = 0; i < 16; i++) {
        loss pairs[2];
        size_t n = rare_pairs(pairs, i);
        ball delta =
            ball_exp(ball_of(prop_uniform(&source, log(1e-9), log(1e-3))));
        spectral *remove = plan_of(pairs, n, LOSS_REMOVE);
        spectral *add = plan_of(pairs, n, LOSS_ADD);
        spectral *exact = plan_of(pairs, n, LOSS_ADD);
        dosi_interval epsilon, truth;
        assert_int_equal(spectral_epsilon(&epsilon, remove, delta,
                             ball_log(delta), NULL),
            DOSI_OK);
        assert_true(epsilon.hi < HUGE_VAL);
        assert_int_equal(
            spectral_log_delta(&truth, exact, epsilon.hi, NULL), DOSI_OK);
        if (epsilon.hi > 0 && truth.hi - truth.lo < 1e-6) {
            for (size_t j = 0; j < sizeof off / sizeof *off; j++)
                assert_false(within_of(
                    add, remove, epsilon.hi, truth.lo + off[j]));
            n_sharp += within_of(add, remove, epsilon.hi, truth.hi + 1e-3);
            n_blunt += within(add, epsilon.hi, truth.hi + 1e-3);
            loss *other = &pairs[i % 4 == 1 ? n - 1 : 0];
            other->parameter = ball_mul_d(other->parameter, 1.25);
            spectral *worse = plan_of(pairs, n, LOSS_ADD);
            assert_false(
                within_of(worse, remove, epsilon.hi, truth.hi + 1e-3));
            spectral_free(worse);
        }
        spectral_free(remove);
        spectral_free(add);
        spectral_free(exact);
    }
    assert_true(n_sharp >= 8 && n_sharp >= n_blunt + 4);
}

int main(void)
{
    source = prop_start("test_spectral_within");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_never_wrong),
        cmocka_unit_test(leaks_are_not_within),
        cmocka_unit_test(mirrors_are_never_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
