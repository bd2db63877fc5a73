/*
 * Laws from laws: powers, products and Poisson samples of finite laws against
 * plain definitions in Arb and optimal composition.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "finite/finite_law.h"
#include "finite/response_composition.h"
#include "support/finite_laws.h"

/* ---- Composition ------------------------------------------------------- */

/* Powers of three losses by the multinomial, by pairs, and by definition. */
static void test_power(void **state)
{
    (void)state;
    const double p[] = {0.5, 0.3, 0.15, 0.05}, q[] = {0.2, 0.3, 0.5, 0};
    finite_pair x = pair_of_doubles(p, q, 4);
    finite_pair x2 = pair_product(&x, &x), x3 = pair_product(&x2, &x);
    finite_law *law = NULL, *power = NULL, *chain = NULL;
    assert_int_equal(finite_from_pair(&law, p, q, 4, NULL), DOSI_OK);
    assert_int_equal(finite_power(&power, law, 3, 0, NULL), DOSI_OK);
    check_law(power, &x3);
    assert_int_equal(finite_convolve(&chain, law, law, 0, NULL), DOSI_OK);
    chain = composed(chain, law);
    check_law(chain, &x3);
    assert_int_equal(finite_count(chain), finite_count(power));
    finite_free(power);
    finite_free(chain);
    pair_clear(&x);
    pair_clear(&x2);
    pair_clear(&x3);
}

/* Many atoms on a lattice: powers by squaring merge what coincides. */
static void test_power_lattice(void **state)
{
    (void)state;
    double p[9], q[9];
    for (int i = 0; i < 9; i++) {
        p[i] = ldexp(1, -abs(i - 3));
        q[i] = ldexp(1, -abs(i - 5));
    }
    finite_law *law = NULL, *power = NULL;
    assert_int_equal(finite_from_pair(&law, p, q, 9, NULL), DOSI_OK);
    assert_int_equal(finite_count(law), 3); /* losses 2 log 2, 0, -2 log 2 */
    finite_free(law);
    for (int i = 0; i < 9; i++) {
        p[i] = ldexp(1, -(i * i));
        q[i] = ldexp(1, -(i * i) - i); /* losses i log 2, shifted */
    }
    assert_int_equal(finite_from_pair(&law, p, q, 9, NULL), DOSI_OK);
    assert_int_equal(finite_count(law), 9);
    assert_int_equal(finite_power(&power, law, 5, 0, NULL), DOSI_OK);
    assert_int_equal(finite_count(power), 41);
    ball delta = finite_delta(power, d(0.1));
    assert_true(pair_relative_radius(delta) < 1e-25);
    finite_free(power);
    assert_int_equal(finite_power(&power, law, 1e9, 0, NULL), DOSI_EUNABLE);
    assert_null(power);
    finite_free(law);
}

static void test_power_is_optimal(void **state)
{
    (void)state;
    finite_law *one = response(0.1, 1e-4), *law = NULL;
    assert_int_equal(finite_power(&law, one, 1000, 0, NULL), DOSI_OK);
    for (double eps = -1; eps < 40; eps += 3.7) {
        ball a = finite_delta(law, d(eps));
        ball b = optimal_composition_delta(1000, d(0.1), d(1e-4), d(eps), 0);
        assert_true(!ball_less(a, b) && !ball_less(b, a));
        assert_true(pair_relative_radius(a) < 1e-20);
    }
    finite_free(law);
    assert_int_equal(finite_power(&law, one, 0, 0, NULL), DOSI_OK);
    assert_true(ball_is_zero(finite_delta(law, d(0))));
    assert_int_equal(finite_count(law), 1);
    finite_free(law);
    finite_free(one);
}

static void test_deep_tail(void **state)
{
    (void)state;
    finite_law *one = response(0.25, 0), *law = NULL;
    assert_int_equal(finite_power(&law, one, 2000, 0, NULL), DOSI_OK);
    bool done = false;
    for (double log_delta = -600; log_delta > -1400; log_delta -= 100) {
        ball delta = ball_exp(d(log_delta));
        dosi_interval a = finite_epsilon(law, delta, d(log_delta));
        dosi_interval b = optimal_composition_epsilon(
            2000, d(0.25), d(0), delta, d(log_delta), 0, &done);
        assert_true(a.lo <= b.hi && b.lo <= a.hi);
        assert_true(pair_width(a) < 1e-15);
        dosi_interval back = finite_log_delta(law, d(a.lo));
        assert_true(back.hi >= log_delta);
        back = finite_log_delta(law, d(a.hi));
        assert_true(back.lo <= log_delta);
    }
    finite_free(law);
    finite_free(one);
}

/* Two laws at once equal their convolution. */
static void test_product(void **state)
{
    (void)state;
    finite_law *a = composed(response(0.3, 0), response(0.7, 1e-3));
    finite_law *b = composed(response(0.11, 1e-5), response(0.5, 0)),
               *ab = NULL;
    b = composed(b, response(0.9, 0));
    assert_int_equal(finite_convolve(&ab, a, b, 0, NULL), DOSI_OK);
    for (double eps = -3; eps < 3; eps += 0.17) {
        ball x = finite_delta(ab, d(eps));
        ball y = finite_product_delta(a, b, d(eps));
        assert_true(!ball_less(x, y) && !ball_less(y, x));
        assert_true(pair_relative_radius(y) < 1e-25);
        dosi_interval u = finite_log_delta(ab, d(eps));
        dosi_interval v = finite_product_log_delta(b, a, d(eps));
        assert_true(u.lo <= v.hi && v.lo <= u.hi);
    }
    for (double delta = 0.9; delta > 1e-3; delta *= 0.8) {
        dosi_interval u = finite_epsilon(ab, d(delta), ball_log(d(delta)));
        dosi_interval v =
            finite_product_epsilon(a, b, d(delta), ball_log(d(delta)));
        assert_true(u.lo <= v.hi && v.lo <= u.hi);
        assert_true(pair_width(v) < 1e-15);
    }
    dosi_interval none =
        finite_product_epsilon(a, b, d(1e-4), ball_log(d(1e-4)));
    assert_true(none.lo == HUGE_VAL);
    finite_free(a);
    finite_free(b);
    finite_free(ab);
}

/* ---- Sampling ---------------------------------------------------------- */

/* The sampled pair by its definition. */
static void test_poisson(void **state)
{
    (void)state;
    const double p[] = {0.5, 0.25, 0.2, 0.05, 0},
                 q[] = {0.1, 0.25, 0.6, 0, 0.05};
    const double rate = 0.3;
    finite_pair x = pair_of_doubles(p, q, 5), remove = pair_new(5);
    finite_pair add = pair_new(5);
    arb_t r, rest;
    arb_init(r);
    arb_init(rest);
    arb_set_d(r, rate);
    arb_sub_ui(rest, r, 1, PAIR_BITS);
    arb_neg(rest, rest);
    for (slong i = 0; i < 5; i++) {
        arb_mul(remove.p + i, x.q + i, rest, PAIR_BITS);
        arb_addmul(remove.p + i, x.p + i, r, PAIR_BITS);
        arb_set(remove.q + i, x.q + i);
        arb_set(add.p + i, x.p + i);
        arb_mul(add.q + i, x.p + i, rest, PAIR_BITS);
        arb_addmul(add.q + i, x.q + i, r, PAIR_BITS);
    }
    finite_law *law = NULL, *out = NULL;
    assert_int_equal(finite_from_pair(&law, p, q, 5, NULL), DOSI_OK);
    assert_int_equal(
        finite_poisson(&out, law, d(rate), FINITE_MIXTURE_FIRST, NULL),
        DOSI_OK);
    check_law(out, &remove);
    finite_free(out);
    assert_int_equal(
        finite_poisson(&out, law, d(rate), FINITE_BASE_FIRST, NULL), DOSI_OK);
    check_law(out, &add);
    finite_free(out);
    assert_int_equal(
        finite_poisson(&out, law, d(1), FINITE_BASE_FIRST, NULL), DOSI_OK);
    check_law(out, &x);
    finite_free(out);
    assert_int_equal(
        finite_poisson(&out, law, d(0), FINITE_MIXTURE_FIRST, NULL), DOSI_OK);
    assert_true(ball_is_zero(finite_tv(out)));
    finite_free(out);
    assert_int_equal(finite_poisson(&out, law, d(1.5), FINITE_BASE_FIRST, NULL),
        DOSI_EINVAL);
    assert_null(out);
    finite_free(law);
    arb_clear(r);
    arb_clear(rest);
    pair_clear(&x);
    pair_clear(&remove);
    pair_clear(&add);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power),
        cmocka_unit_test(test_power_lattice),
        cmocka_unit_test(test_power_is_optimal),
        cmocka_unit_test(test_deep_tail),
        cmocka_unit_test(test_product),
        cmocka_unit_test(test_poisson),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
