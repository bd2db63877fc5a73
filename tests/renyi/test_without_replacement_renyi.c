/*
 * Bounds for samples without replacement: the printed sums in Arb, the
 * windowed sum against the whole one, known values, corners and refusals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <arb.h>

#include "support/enclose.h"
#include "renyi/without_replacement_renyi.h"

#define BITS 600

/* ---- The sums as printed ----------------------------------------------- */

/* m(j) from the parameter of the law. */
static void arb_moment(arb_t out, const chi_law *law, ulong j)
{
    arb_t x, y;
    arb_init(x);
    arb_init(y);
    arb_set_d(x, law->parameter.hi);
    switch (law->kind) {
    case CHI_GAUSSIAN:
        arb_mul(x, x, x, BITS);
        arb_mul_ui(x, x, j * (j - 1), BITS);
        arb_mul_2exp_si(x, x, -1);
        arb_exp(out, x, BITS);
        break;
    case CHI_LAPLACE:
        arb_mul_ui(out, x, j - 1, BITS);
        arb_exp(out, out, BITS);
        arb_mul_ui(out, out, j, BITS);
        arb_mul_ui(y, x, j, BITS);
        arb_neg(y, y);
        arb_exp(y, y, BITS);
        arb_addmul_ui(out, y, j - 1, BITS);
        arb_div_ui(out, out, 2 * j - 1, BITS);
        break;
    case CHI_RESPONSE:
        arb_mul_ui(out, x, j, BITS);
        arb_exp(out, out, BITS);
        arb_mul_si(y, x, 1 - (slong)j, BITS);
        arb_exp(y, y, BITS);
        arb_add(out, out, y, BITS);
        arb_add_ui(out, out, (ulong)law->categories - 2, BITS);
        arb_exp(y, x, BITS);
        arb_add_ui(y, y, (ulong)law->categories - 1, BITS);
        arb_div(out, out, y, BITS);
        break;
    }
    arb_clear(x);
    arb_clear(y);
}

/* Theorem 9: Z_j times m(j)^-1, or for j = 2 the whole minimum. */
static void arb_general(arb_t out, const chi_law *law, ulong j)
{
    arb_t cap, m;
    arb_init(cap);
    arb_init(m);
    arb_moment(m, law, j);
    arb_mul_2exp_si(out, m, 1);
    if (law->kind != CHI_GAUSSIAN) {
        arb_set_d(cap, law->parameter.hi);
        arb_expm1(cap, cap, BITS);
        arb_pow_ui(cap, cap, j, BITS);
        arb_mul(cap, cap, m, BITS);
        arb_min(out, out, cap, BITS);
    }
    if (j == 2) {
        arb_sub_ui(m, m, 1, BITS);
        arb_mul_2exp_si(m, m, 2);
        arb_min(out, out, m, BITS);
    }
    arb_clear(cap);
    arb_clear(m);
}

/* log(1 + sum_j C(order,j) rate^j (1-rate)^.. Z_j) */
static void arb_sum(
    arb_t out, const chi_law *law, double rate, ulong order, int is_lower)
{
    arb_t p, q, term, x;
    arb_init(p);
    arb_init(q);
    arb_init(term);
    arb_init(x);
    arb_set_d(p, rate);
    arb_sub_ui(q, p, 1, BITS);
    arb_neg(q, q);
    arb_zero(out);
    for (ulong j = 2; j <= order; j++) {
        arb_bin_uiui(term, order, j, BITS);
        arb_pow_ui(x, p, j, BITS);
        arb_mul(term, term, x, BITS);
        if (is_lower) {
            arb_pow_ui(x, q, order - j, BITS);
            arb_mul(term, term, x, BITS);
            arb_moment(x, law, j);
            arb_sub_ui(x, x, 1, BITS);
        } else {
            arb_general(x, law, j);
        }
        arb_addmul(out, term, x, BITS);
    }
    arb_log1p(out, out, BITS);
    arb_clear(p);
    arb_clear(q);
    arb_clear(term);
    arb_clear(x);
}

static const double rates[] = {0x1p-20, 0.01, 0.5, 0.9, 1};

static size_t fill_laws(chi_law *laws)
{
    size_t n = 0;
    const double mus[] = {0.02, 0.2, 1, 3.5}, as[] = {0.02, 0.5, 0.75, 2};
    for (int i = 0; i < 4; i++)
        laws[n++] = chi_gaussian(ball_of(mus[i]));
    for (int i = 0; i < 4; i++)
        laws[n++] = chi_laplace(ball_of(as[i]));
    for (int i = 0; i < 4; i++)
        laws[n++] = chi_response(ball_of(as[i]), i < 2 ? 2 : 5);
    return n;
}

static void test_sums(void **state)
{
    (void)state;
    chi_law laws[16];
    size_t n = fill_laws(laws);
    const ulong orders[] = {2, 3, 17, 300};
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < 5; j++)
            for (size_t k = 0; k < 8; k++) {
                ulong order = orders[k / 2];
                int is_lower = k % 2;
                arb_t exact;
                arb_init(exact);
                arb_sum(exact, &laws[i], rates[j], order, is_lower);
                ball x = wr_cumulant_at(&laws[i], ball_of(rates[j]),
                    is_lower ? WR_LOWER : WR_GENERAL, (double)order);
                const double at[] = {
                    laws[i].parameter.hi, rates[j], (double)order, is_lower};
                double width = order > 256 ? 1e-15 : 1e-22;
                assert_int_equal(
                    enclose_fails("sum", x, exact, width, at, 4), 0);
                arb_clear(exact);
            }
}

/* The same sums by tables, one by one and all at once. */
static void test_tables(void **state)
{
    (void)state;
    chi_law laws[16];
    size_t n = fill_laws(laws);
    dosi_error err;
    for (size_t i = 0; i < 2 * n; i++) {
        wr_base base = wr_base_of_law(&laws[i / 2]);
        wr_rule rule = i % 2 ? WR_LOWER : WR_GENERAL;
        wr_table *table = NULL;
        ball all[700];
        assert_int_equal(
            wr_table_new(&table, &base, rule, NULL, 0, 700, &err), DOSI_OK);
        for (size_t j = 0; j < 5; j++) {
            ball rate = ball_of(rates[j]);
            assert_int_equal(
                wr_table_cumulants(all, table, rate, &err), DOSI_OK);
            for (double order = 2; order <= 700; order += 349) {
                ball one = wr_table_cumulant(table, rate, order);
                ball at = wr_cumulant_at(&laws[i / 2], rate, rule, order);
                ball gap = ball_sub(one, at);
                assert_true(ball_lower(gap) <= 0 && ball_upper(gap) >= 0);
                gap = ball_sub(all[(size_t)order - 2], at);
                assert_true(ball_lower(gap) <= 0 && ball_upper(gap) >= 0);
                assert_true(gap.rad <= 1e-15 * at.hi);
            }
        }
        wr_table_free(table);
    }
}

/* Windows against the whole sum at a large order. */
static void test_windows(void **state)
{
    (void)state;
    const chi_law laws[] = {chi_gaussian(ball_of(0.2)),
        chi_gaussian(ball_of(0.002)), chi_laplace(ball_of(0.5)),
        chi_laplace(ball_of(2)), chi_response(ball_of(0.7), 3)};
    for (size_t i = 0; i < 10; i++) {
        const chi_law *law = &laws[i / 2];
        wr_base base = wr_base_of_law(law);
        wr_rule rule = i % 2 ? WR_LOWER : WR_GENERAL;
        wr_table *table = NULL;
        dosi_error err;
        const double order = 20000;
        assert_int_equal(
            wr_table_new(&table, &base, rule, NULL, 0, order, &err), DOSI_OK);
        for (double rate = 0.001; rate < 1; rate *= 7) {
            ball whole = wr_table_cumulant(table, ball_of(rate), order);
            ball part = wr_cumulant_at(law, ball_of(rate), rule, order);
            ball gap = ball_sub(whole, part);
            assert_true(ball_lower(gap) <= 0 && ball_upper(gap) >= 0);
            assert_true(part.rad <= 1e-15 * part.hi);
        }
        wr_table_free(table);
    }
}

/* ---- Values ------------------------------------------------------------ */

static void near(ball x, double value)
{
    dosi_interval i = ball_interval(x);
    double slack = 3e-16 * fabs(value);
    if (!(i.lo <= value + slack && value - slack <= i.hi) ||
        !(x.rad <= 1e-17 * fabs(value)))
        fail_msg("%.17g +- %g for %.17g", ball_mid(x), x.rad, value);
}

/* Values of an independent reference (mpmath). */
static void test_values(void **state)
{
    (void)state;
    chi_law gauss = chi_gaussian(ball_div(ball_of(1), ball_of(5)));
    wr_base base = wr_base_of_law(&gauss);
    ball rate = ball_of(0.001), k;
    dosi_error err;
    const struct {
        wr_rule rule;
        double value;
    } at_32[] = {{WR_GENERAL, 2.9755200907902478e-6},
        {WR_CONSISTENT, 2.6219312585299523e-6},
        {WR_SQUARES, 1.3388055826434546e-6}, {WR_LOWER, 6.5378320899264220e-7}};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(
            wr_cumulant(&k, &base, rate, at_32[i].rule, 32, &err), DOSI_OK);
        near(ball_div_d(k, 31), at_32[i].value);
    }
    near(ball_div_d(wr_cumulant_at(&gauss, rate, WR_GENERAL, 100000), 99999),
        1993.0921825743154);
    assert_int_equal(
        wr_cumulant_real(&k, &base, rate, WR_GENERAL, ball_of(1.5), &err),
        DOSI_OK);
    near(ball_div_d(k, 1.5), 2.1840908214432979e-7);
    dosi_interval phase = wr_phase_order(&gauss, rate);
    assert_true(phase.lo <= 110.25016390120301 && phase.hi - phase.lo < 1e-12 &&
                phase.hi >= 110.25016390120299);
}

/* What is not certified is bounded: orders up to 1e12, sigma = 1e-3. */
static void test_extremes(void **state)
{
    (void)state;
    ball rate = ball_of(0.1);
    chi_law sharp = chi_gaussian(ball_of(1000));
    /* one term is all: (log 2 + a log p + a (a-1) mu^2/2)/(a-1) */
    ball k = wr_cumulant_at(&sharp, rate, WR_GENERAL, 1e7);
    near(ball_div_d(k, 1e7 - 1), 4999999999997.6974);
    k = wr_cumulant_at(&sharp, rate, WR_GENERAL, 2);
    near(k, 1000000 + log(2) + 2 * log(0.1));
    chi_law flat = chi_gaussian(ball_of(1e-6));
    k = wr_cumulant_at(&flat, rate, WR_LOWER, 1e6);
    /* 1e6 * 0.01 * 1e-12/2, to first order */
    assert_true(fabs(ball_mid(k) / (1e6 - 1) - 5e-9) < 1e-12);
    assert_true(ball_is_unknown(wr_cumulant_at(&flat, rate, WR_LOWER, 1e13)));
    chi_law same = chi_laplace(ball_of(0));
    assert_true(ball_is_zero(wr_cumulant_at(&same, rate, WR_GENERAL, 9)));
    assert_true(
        ball_is_zero(wr_cumulant_at(&sharp, ball_of(0), WR_GENERAL, 9)));
}

/* ---- Curves given by the user ------------------------------------------ */

static ball gaussian_curve(double order, const void *rho)
{
    return ball_mul_d(*(const ball *)rho, order);
}

static void test_curves(void **state)
{
    (void)state;
    chi_law law = chi_gaussian(ball_of(0.5));
    ball rho = ball_of(0.125), rate = ball_of(0.01), by_law, by_curve;
    wr_base known = wr_base_of_law(&law);
    wr_base curve = wr_base_of_curve(gaussian_curve, &rho, ball_of(HUGE_VAL));
    dosi_error err;
    assert_int_equal(
        wr_cumulant(&by_curve, &curve, rate, WR_CONSISTENT, 9, &err),
        DOSI_EUNSUPPORTED);
    assert_int_equal(wr_cumulant(&by_curve, &curve, rate, WR_HOELDER, 9, &err),
        DOSI_EUNSUPPORTED);
    curve.is_consistent = true;
    const wr_rule rules[] = {
        WR_GENERAL, WR_CONSISTENT, WR_LEAST, WR_SQUARES, WR_LOWER};
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(
            wr_cumulant(&by_law, &known, rate, rules[i], 12, &err), DOSI_OK);
        assert_int_equal(
            wr_cumulant(&by_curve, &curve, rate, rules[i], 12, &err), DOSI_OK);
        /* a signed sum of 13 terms loses a few digits */
        ball gap = ball_sub(by_law, by_curve);
        assert_true(ball_lower(gap) <= 0 && ball_upper(gap) >= 0);
        assert_true(gap.rad <= 1e-12 * by_law.hi);
    }
    /* where it drowns, the general term is used: never below */
    rho = ball_of(1e-8);
    law = chi_gaussian(ball_sqrt(ball_scale2(rho, 1)));
    assert_int_equal(
        wr_cumulant(&by_law, &known, rate, WR_LEAST, 60, &err), DOSI_OK);
    assert_int_equal(
        wr_cumulant(&by_curve, &curve, rate, WR_LEAST, 60, &err), DOSI_OK);
    assert_true(ball_upper(by_curve) >= ball_lower(by_law));
    assert_true(wr_log_difference(&curve, 60).hi == HUGE_VAL ||
                ball_upper(wr_log_difference(&curve, 60)) >=
                    ball_lower(wr_log_difference(&known, 60)));
    wr_table *table = NULL;
    assert_int_equal(wr_table_new(&table, &curve, WR_GENERAL, NULL, 0,
                         2 * WR_TABLE_MAX_ORDER, &err),
        DOSI_EUNABLE);
    assert_null(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_curves),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
