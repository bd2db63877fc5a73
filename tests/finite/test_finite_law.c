/*
 * Finite laws: the printed reference values, the making of laws against plain
 * definitions in Arb, near-ties, and bad input.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/finite_rows.h"
#include "finite/finite_law.h"
#include "support/finite_laws.h"

#define MOST 16

/* ---- Reference values -------------------------------------------------- */

/* eps_1 or eps_2 of T000-23: the level in [0, eps] where this direction comes
 * down to the larger of both at eps. */
static dosi_interval split_level(
    const finite_law *law, const finite_law *other, ball eps)
{
    ball delta = ball_max(finite_delta(law, eps), finite_delta(other, eps));
    return iv_min(
        finite_epsilon(law, delta, ball_log(delta)), ball_interval(eps));
}

static bool pair_quantity(dosi_interval *out, const char *name,
    const finite_law *law, const finite_law *back, const finite_row *row)
{
    ball eps = d(row_real(row, "eps")), order = d(row_real(row, "alpha"));
    ball value;
    if (strcmp(name, "T000-02.kl") == 0)
        value = finite_kl(law);
    else if (strcmp(name, "T000-02.tv") == 0)
        value = finite_tv(law);
    else if (strcmp(name, "T000-02.test_accuracy") == 0)
        value = ball_scale2(ball_add_d(finite_tv(law), 1), -1);
    else if (strcmp(name, "T000-02.pure_eps") == 0)
        value = finite_pure_epsilon(law);
    else if (strcmp(name, "T000-07.delta") == 0)
        value = finite_delta(law, eps);
    else if (strcmp(name, "T000-07.delta_reverse") == 0)
        value = finite_delta(back, eps);
    else if (strcmp(name, "T000-07.tail") == 0)
        value = finite_tail_p(law, eps);
    else if (strcmp(name, "T000-06.q_tail") == 0)
        value = finite_tail_q(law, eps);
    else if (strcmp(name, "T000-32.renyi") == 0)
        value = finite_renyi(law, order);
    else if (strcmp(name, "T000-32.renyi_inf") == 0)
        value = finite_renyi(law, d(HUGE_VAL));
    else if (strcmp(name, "T000-23.delta") == 0)
        value = ball_max(finite_delta(law, eps), finite_delta(back, eps));
    else if (strcmp(name, "T000-23.eps1") == 0)
        return *out = split_level(law, back, eps), true;
    else if (strcmp(name, "T000-23.eps2") == 0)
        return *out = split_level(back, law, eps), true;
    else
        return false;
    *out = ball_interval(value);
    return true;
}

static bool check_pair_row(const finite_row *row)
{
    double p[MOST], q[MOST];
    size_t n = row_list(row, "P", p, MOST);
    if (n == 0)
        return false;
    assert_int_equal(row_list(row, "Q", q, MOST), n);
    finite_law *law = NULL, *back = NULL;
    assert_int_equal(finite_from_pair(&law, p, q, n, NULL), DOSI_OK);
    assert_int_equal(finite_reverse(&back, law, NULL), DOSI_OK);
    dosi_interval x;
    bool known = pair_quantity(&x, row->id, law, back, row);
    if (known)
        assert_true(row_holds(row, x, 1e-15));
    finite_free(law);
    finite_free(back);
    return known;
}

static bool check_response_row(const finite_row *row)
{
    double eps[MOST], delta[MOST], order = row_real(row, "alpha");
    size_t n = row_list(row, "eps", eps, MOST);
    bool hetero = strcmp(row->id, "S000-7.hetero_delta") == 0;
    bool truth = strcmp(row->id, "T000-24.p_truth") == 0;
    bool lie = strcmp(row->id, "T000-24.p_lie") == 0;
    bool other = strncmp(row->id, "D000-rr", 7) != 0 ||
                 strcmp(row->id, "D000-rr.var_loss") == 0;
    if (!hetero && !truth && !lie && other)
        return false;
    if (row_list(row, "delta0", delta, MOST) == 0 &&
        row_list(row, "delta", delta, MOST) == 0)
        delta[0] = 0;
    finite_law *law = response(eps[0], delta[0]);
    for (size_t i = 1; i < n; i++)
        law = composed(law, response(eps[i], delta[i]));
    ball value;
    if (hetero)
        value = finite_delta(law, d(row_real(row, "target_eps")));
    else if (truth || lie)
        value = ball_exp(finite_log_mass(law, truth ? 1 : 0));
    else if (strcmp(row->id, "D000-rr.mean_loss") == 0)
        value = finite_kl(law);
    else
        value = finite_renyi(law, d(order));
    assert_true(row_holds(row, ball_interval(value), 1e-15));
    finite_free(law);
    return true;
}

static void test_rows(void **state)
{
    (void)state;
    assert_int_equal(rows_each(check_pair_row), 36);
    assert_int_equal(rows_each(check_response_row), 13);
}

/* ---- A law against the definition -------------------------------------- */

static void test_pair(void **state)
{
    (void)state;
    /* +inf and -inf mass, a loss of exactly 0, sums that are not 1 */
    const double p[] = {0.5, 0.25, 0, 3, 1e-3, 0.2},
                 q[] = {0.1, 0.25, 0.7, 1, 2.5, 0};
    finite_pair x = pair_of_doubles(p, q, 6), y = pair_reversed(&x);
    finite_law *law = NULL;
    assert_int_equal(finite_from_pair(&law, p, q, 6, NULL), DOSI_OK);
    assert_int_equal(finite_count(law), 4);
    assert_true(pair_in_ball(finite_p_inf(law), x.p + 5));
    assert_true(pair_in_ball(finite_q_inf(law), x.q + 2));
    check_law(law, &x);
    law = reversed(law);
    check_law(law, &y);
    finite_free(law);
    pair_clear(&x);
}

static void test_randomized_response(void **state)
{
    (void)state;
    finite_pair x = pair_new(5); /* truth 0 against truth 1 */
    arb_t e, total;
    arb_init(e);
    arb_init(total);
    arb_set_d(e, 0.7);
    arb_exp(e, e, PAIR_BITS);
    arb_add_ui(total, e, 4, PAIR_BITS);
    for (slong i = 0; i < 5; i++) {
        arb_one(x.p + i);
        arb_one(x.q + i);
    }
    arb_set(x.p + 0, e);
    arb_set(x.q + 1, e);
    for (slong i = 0; i < 5; i++) {
        arb_div(x.p + i, x.p + i, total, PAIR_BITS);
        arb_div(x.q + i, x.q + i, total, PAIR_BITS);
    }
    finite_law *law = NULL;
    assert_int_equal(
        finite_randomized_response(&law, d(0.7), 5, NULL), DOSI_OK);
    check_law(law, &x);
    finite_free(law);
    arb_clear(e);
    arb_clear(total);
    pair_clear(&x);
}

/* ---- Near-ties and corners --------------------------------------------- */

/* Losses closer than they are known are merged; the answer stays inside. */
static void test_near_ties(void **state)
{
    (void)state;
    const ball loss[] = {
        {0.5, 0, 1e-20}, {0.5, 1e-22, 0}, {-0.5, 0, 0}, {0.5, -1e-21, 1e-25}};
    ball log_mass[4];
    for (int i = 0; i < 4; i++)
        log_mass[i] = ball_log(d(0.25));
    finite_law *law = NULL;
    assert_int_equal(
        finite_from_losses(&law, loss, log_mass, 4, d(0), d(0), NULL), DOSI_OK);
    assert_int_equal(finite_count(law), 2);
    ball delta = finite_delta(law, d(0.5)); /* any of 0 .. 1e-20 */
    assert_true(ball_lower(delta) <= 0 && ball_upper(delta) > 0.5e-20);
    assert_true(ball_upper(delta) < 4e-20);
    ball tail = finite_tail_p(law, d(0.5)); /* cannot be told: 0 .. 3/4 */
    assert_true(ball_lower(tail) <= 0 && ball_upper(tail) >= 0.75);
    finite_free(law);
}

/* One unit in the last place: divergences of order 1e-33 keep digits. */
static void test_close_pair(void **state)
{
    (void)state;
    const double p[] = {0.5, 0.25}, q[] = {0.5, 0.25 + 0x1p-54};
    finite_pair x = pair_of_doubles(p, q, 2);
    finite_law *law = NULL;
    assert_int_equal(finite_from_pair(&law, p, q, 2, NULL), DOSI_OK);
    const double order[] = {1, 2, 1.5, 0.5, 64, 1 + 0x1p-50};
    arb_t exact;
    arb_init(exact);
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        pair_renyi(exact, &x, order[i]);
        ball v = finite_renyi(law, d(order[i]));
        assert_true(pair_in_ball(v, exact));
        assert_true(pair_width(ball_interval(v)) < 1e-12);
    }
    pair_delta(exact, &x, 0);
    assert_true(pair_in_ball(finite_tv(law), exact));
    assert_true(pair_width(ball_interval(finite_tv(law))) < 1e-13);
    arb_clear(exact);
    finite_free(law);
    pair_clear(&x);
}

static void test_infinite(void **state)
{
    (void)state;
    const double p[] = {1, 1, 0}, q[] = {1, 0, 1};
    finite_law *law = NULL;
    assert_int_equal(finite_from_pair(&law, p, q, 3, NULL), DOSI_OK);
    assert_true(finite_kl(law).hi == HUGE_VAL);
    assert_true(finite_renyi(law, d(2)).hi == HUGE_VAL);
    assert_true(finite_renyi(law, d(HUGE_VAL)).hi == HUGE_VAL);
    assert_true(finite_pure_epsilon(law).hi == HUGE_VAL);
    /* D_1/2 = -2 log(1/2) */
    ball half = finite_renyi(law, d(0.5));
    assert_true(iv_contains(ball_interval(half), 2 * log(2)));
    dosi_interval e = finite_epsilon(law, d(0.5), ball_log(d(0.5)));
    assert_true(e.lo == 0 && e.hi == 0); /* delta = p_inf, losses <= 0 */
    e = finite_epsilon(law, d(0.4), ball_log(d(0.4)));
    assert_true(e.lo == HUGE_VAL);
    finite_free(law);
    const double a[] = {1, 0}, b[] = {0, 1};
    assert_int_equal(finite_from_pair(&law, a, b, 2, NULL), DOSI_OK);
    assert_int_equal(finite_count(law), 0);
    assert_true(ball_lower(finite_delta(law, d(700))) == 1);
    assert_true(finite_tradeoff(law, 0).hi == 0);
    assert_true(finite_renyi(law, d(0.5)).hi == HUGE_VAL);
    finite_law *power = NULL;
    assert_int_equal(finite_power(&power, law, 3, 0, NULL), DOSI_OK);
    assert_true(ball_lower(finite_p_inf(power)) == 1);
    finite_free(power);
    finite_free(law);
}

static void test_extremes(void **state)
{
    (void)state;
    /* subnormal and huge weights, losses up to 1400 */
    const double p[] = {5e-324, 1, 1e300}, q[] = {1e300, 3, 2e-310};
    finite_pair x = pair_of_doubles(p, q, 3);
    finite_law *law = NULL;
    assert_int_equal(finite_from_pair(&law, p, q, 3, NULL), DOSI_OK);
    arb_t exact;
    arb_init(exact);
    for (size_t i = 0; i < 3; i++) {
        slong j = (slong)i;
        arb_div(exact, x.p + j, x.q + j, PAIR_BITS);
        arb_log(exact, exact, PAIR_BITS);
        assert_true(pair_in_ball(finite_loss(law, i), exact));
        assert_true(finite_loss(law, i).rad < 1e-26);
        arb_log(exact, x.p + j, PAIR_BITS);
        assert_true(pair_in_ball(finite_log_mass(law, i), exact));
        assert_true(finite_log_mass(law, i).rad < 1e-26);
    }
    arb_clear(exact);
    finite_free(law);
    pair_clear(&x);
}

static void test_bad_input(void **state)
{
    (void)state;
    finite_law *law = NULL;
    dosi_error err;
    const double good[] = {1, 2}, zero[] = {0, 0}, negative[] = {1, -1},
                 nan[] = {1, NAN}, inf[] = {1, HUGE_VAL},
                 big[] = {DBL_MAX, DBL_MAX};
    const double *bad[] = {zero, negative, nan, inf, big};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(
            finite_from_pair(&law, bad[i], good, 2, &err), DOSI_EINVAL);
        assert_null(law);
        assert_int_equal(
            finite_from_pair(&law, good, bad[i], 2, &err), DOSI_EINVAL);
        assert_null(law);
    }
    assert_int_equal(finite_from_pair(&law, good, good, 0, &err), DOSI_EINVAL);
    assert_int_equal(
        finite_leaky_response(&law, d(-1), d(0), &err), DOSI_EINVAL);
    assert_int_equal(
        finite_leaky_response(&law, d(1), d(1.5), &err), DOSI_EINVAL);
    assert_int_equal(
        finite_randomized_response(&law, d(1), 1, &err), DOSI_EINVAL);
    assert_int_equal(
        finite_randomized_response(&law, d(1), 2.5, &err), DOSI_EINVAL);
    const ball unknown = ball_unknown(), mass = ball_of(0);
    assert_int_equal(
        finite_from_losses(&law, &unknown, &mass, 1, d(0), d(0), &err),
        DOSI_EINVAL);
    assert_null(law);
    finite_law *one = response(1, 0);
    assert_int_equal(finite_power(&law, one, 0.5, 0, &err), DOSI_EINVAL);
    assert_int_equal(finite_power(&law, one, -1, 0, &err), DOSI_EINVAL);
    assert_int_equal(finite_power(&law, one, 0x1p40, 0, &err), DOSI_EUNABLE);
    assert_int_equal(finite_convolve(&law, one, one, 3, &err), DOSI_EUNABLE);
    assert_null(law);
    dosi_interval f = finite_tradeoff(one, NAN);
    assert_true(f.lo == 0 && f.hi == 1);
    finite_free(one);
    finite_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_pair),
        cmocka_unit_test(test_randomized_response),
        cmocka_unit_test(test_near_ties),
        cmocka_unit_test(test_close_pair),
        cmocka_unit_test(test_infinite),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_bad_input),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
