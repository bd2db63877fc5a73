/*
 * Optimal composition: the printed reference values, the examples of the
 * literature, and the corners.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/finite_rows.h"
#include "finite/response_composition.h"

static ball d(double x)
{
    return ball_of(x);
}

static dosi_interval epsilon(double k, double eps0, double delta0, double delta)
{
    bool done = false;
    dosi_interval e = optimal_composition_epsilon(
        k, d(eps0), d(delta0), d(delta), ball_log(d(delta)), 0, &done);
    assert_true(done);
    return e;
}

/* ---- Reference values -------------------------------------------------- */

static bool check_row(const finite_row *row)
{
    double k = row_real(row, "k");
    ball eps0 = d(row_real(row, "eps")), delta0 = d(row_real(row, "delta0"));
    ball target = d(row_real(row, "target_eps"));
    if (strcmp(row->id, "S000-7.kov_delta") == 0)
        assert_true(row_holds(row,
            ball_interval(
                optimal_composition_delta(k, eps0, delta0, target, 0)),
            1e-15));
    else if (strcmp(row->id, "S000-7.kov_logdelta") == 0)
        assert_true(row_holds(row,
            optimal_composition_log_delta(k, eps0, delta0, target, 0), 1e-15));
    else if (strcmp(row->id, "S000-7.kov_log_pmf") == 0)
        assert_true(row_holds(row,
            ball_interval(optimal_composition_log_pmf(
                k, row_real(row, "l"), eps0, delta0)),
            1e-15));
    else if (strcmp(row->id, "S000-7.kov_eps") == 0)
        assert_true(row_holds(row,
            epsilon(k, eps0.hi, delta0.hi, row_real(row, "delta")), 1e-15));
    else
        return false;
    return true;
}

static void test_rows(void **state)
{
    (void)state;
    assert_int_equal(rows_each(check_row), 24);
}

static bool holds(dosi_interval x, const char *value)
{
    finite_row row = {.id = "value", .params = "", .value = value};
    return row_holds(&row, x, 1e-15);
}

/* From the catalogue of the source (section 5), 13 digits each. */
static void test_printed_examples(void **state)
{
    (void)state;
    const struct {
        double k, eps0, delta0, delta, printed;
    } rows[] = {{100, 0.1, 0, 1e-6, 4.774567588108},
        {1e6, 0.001, 0, 1e-6, 4.8865437437576},
        {100, 0.1, 1e-9, 1e-6, 4.787723760812}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        dosi_interval e =
            epsilon(rows[i].k, rows[i].eps0, rows[i].delta0, rows[i].delta);
        assert_true(pair_width(e) < 1e-15);
        assert_true(fabs(e.lo - rows[i].printed) < 1e-12);
    }
}

/* ---- Against the definition -------------------------------------------- */

static void check_delta(slong k, double eps0, double delta0, double eps)
{
    finite_pair x = pair_of_response(k, eps0, delta0);
    arb_t exact;
    arb_init(exact);
    pair_delta(exact, &x, eps);
    ball delta =
        optimal_composition_delta((double)k, d(eps0), d(delta0), d(eps), 0);
    assert_true(pair_in_ball(delta, exact));
    assert_true(
        pair_width(ball_interval(delta)) < 1e-15 || ball_upper(delta) < 1e-290);
    dosi_interval log_delta =
        optimal_composition_log_delta((double)k, d(eps0), d(delta0), d(eps), 0);
    if (arb_is_positive(exact)) {
        arb_log(exact, exact, PAIR_BITS);
        assert_true(pair_in_interval(log_delta, exact));
        assert_true(pair_width(log_delta) < 1e-14 ||
                    log_delta.hi - log_delta.lo < 1e-25);
    } else {
        assert_true(log_delta.lo == -HUGE_VAL);
    }
    arb_clear(exact);
    pair_clear(&x);
}

static void test_delta(void **state)
{
    (void)state;
    const double eps0[] = {1e-12, 0.01, 0.1, 1, 20};
    const double delta0[] = {0, 1e-80, 1e-6, 0.1};
    for (slong k = 1; k < 200; k = k * 3 + 1)
        for (size_t i = 0; i < 5; i++)
            for (size_t j = 0; j < 4; j++) {
                double most = (double)k * eps0[i];
                for (double s = -1.25; s < 1.3; s += 0.25)
                    check_delta(k, eps0[i], delta0[j], s * most);
            }
}

static void test_far_out(void **state)
{
    (void)state;
    /* delta = P[Z = 40 k](1 - e^-1) at k = 1000: 2e-302 would underflow */
    check_delta(1000, 0.01, 0, 9.985);
    check_delta(3000, 0.01, 0, 29.9);
    dosi_interval e = epsilon(1000, 0.01, 0, 1e-300);
    finite_pair x = pair_of_response(1000, 0.01, 0);
    arb_t delta;
    arb_init(delta);
    arb_set_d(delta, 1e-300);
    assert_true(pair_in_epsilon(&x, e, delta));
    assert_true(pair_width(e) < 1e-15);
    /* below the range of doubles */
    bool done = false;
    e = optimal_composition_epsilon(
        3000, d(0.01), d(0), ball_exp(d(-1500)), d(-1500), 0, &done);
    assert_true(done);
    pair_clear(&x);
    x = pair_of_response(3000, 0.01, 0);
    arb_set_d(delta, -1500);
    arb_exp(delta, delta, PAIR_BITS);
    assert_true(pair_in_epsilon(&x, e, delta));
    assert_true(pair_width(e) < 1e-15);
    arb_clear(delta);
    pair_clear(&x);
}

/* ---- The inverse's corners --------------------------------------------- */

static void test_epsilon_corners(void **state)
{
    (void)state;
    dosi_interval e = epsilon(1, 1, 1e-6, 1e-6); /* delta = D exactly */
    assert_true(e.lo == 1 && e.hi == 1);
    e = epsilon(10, 0.1, 1e-6, 1e-5); /* below 1 - (1 - 1e-6)^10? above */
    assert_true(e.hi <= 1.0000000000000002 && e.lo > 0.99);
    e = epsilon(10, 0.1, 1e-6, 9.9e-6); /* certainly below */
    assert_true(e.lo == HUGE_VAL && e.hi == HUGE_VAL);
    e = epsilon(2, 1, 0, 0.9); /* above the total variation */
    assert_true(e.lo == 0 && e.hi == 0);
    e = epsilon(5, 0, 0, 0.1);
    assert_true(e.lo == 0 && e.hi == 0);
    e = epsilon(0, 1, 0.5, 0.1);
    assert_true(e.lo == 0 && e.hi == 0);
    e = epsilon(7, 1, 1, 0.5);
    assert_true(e.lo == HUGE_VAL);
    e = epsilon(10, 800, 0, 1e-6); /* e^800 overflows */
    assert_true(pair_width(e) < 1e-15);
    assert_true(holds(e, "7999.9999989999994999996666664166664"));
}

/* delta at a lattice point: the answer is that point, from either side. */
static void test_epsilon_at_lattice(void **state)
{
    (void)state;
    for (double l = 51; l <= 100; l += 7) {
        double eps = (2 * l - 100) * 0.125; /* exact */
        ball delta = optimal_composition_delta(100, d(0.125), d(0), d(eps), 0);
        bool done = false;
        dosi_interval e = optimal_composition_epsilon(
            100, d(0.125), d(0), delta, ball_log(delta), 0, &done);
        assert_true(done && iv_contains(e, eps));
        assert_true(pair_width(e) < 1e-15);
    }
}

/* A delta that may be below the mass at infinity bounds epsilon from below
 * only. */
static void test_delta_next_to_the_leak(void **state)
{
    (void)state;
    bool done = false;
    ball delta = {0.19, 0, 1e-3}; /* 1 - 0.9^2 = 0.19 */
    dosi_interval e = optimal_composition_epsilon(
        2, d(1), d(0.1), delta, ball_log(delta), 100, &done);
    assert_true(e.hi == HUGE_VAL);
    dosi_interval above = optimal_composition_epsilon(
        2, d(1), d(0.1), d(0.191), ball_log(d(0.191)), 100, &done);
    assert_true(e.lo <= above.lo + 1e-12 && e.lo >= above.lo - 1e-12);
}

static void test_too_long(void **state)
{
    (void)state;
    bool done = true;
    dosi_interval e = optimal_composition_epsilon(
        0x1p53, d(1e-8), d(0), d(1e-5), ball_log(d(1e-5)), 0, &done);
    assert_true(!done && e.lo == 0 && e.hi >= 0x1p53 * 1e-8);
    assert_true(ball_is_unknown(
        optimal_composition_delta(0x1p53, d(1e-8), d(0), d(1), 0)));
    dosi_interval l =
        optimal_composition_log_delta(0x1p53, d(1e-8), d(0), d(1), 0);
    assert_true(l.lo == -HUGE_VAL && l.hi == 0);
    dosi_interval f =
        optimal_composition_tradeoff(0x1p53, d(1e-8), d(0), 0.1, 0, &done);
    assert_true(!done && f.lo == 0 && f.hi == 1);
    /* but not where the mass at infinity decides */
    e = optimal_composition_epsilon(
        0x1p53, d(1e-8), d(1e-9), d(1e-5), ball_log(d(1e-5)), 0, &done);
    assert_true(done && e.lo == HUGE_VAL);
}

static void test_domain(void **state)
{
    (void)state;
    bool done = true;
    assert_true(
        ball_is_unknown(optimal_composition_delta(1.5, d(1), d(0), d(1), 0)));
    assert_true(
        ball_is_unknown(optimal_composition_delta(-1, d(1), d(0), d(1), 0)));
    assert_true(
        ball_is_unknown(optimal_composition_delta(1, d(-1), d(0), d(1), 0)));
    assert_true(
        ball_is_unknown(optimal_composition_delta(1, d(1), d(2), d(1), 0)));
    assert_true(ball_is_unknown(
        optimal_composition_delta(1, d(HUGE_VAL), d(0), d(1), 0)));
    dosi_interval e =
        optimal_composition_epsilon(NAN, d(1), d(0), d(0.5), d(-1), 0, &done);
    assert_true(!done && e.lo == 0 && e.hi == HUGE_VAL);
    dosi_interval f =
        optimal_composition_tradeoff(1, d(1), d(0), NAN, 0, &done);
    assert_true(!done && f.lo == 0 && f.hi == 1);
}

/* ---- Masses, tails, trade-off ------------------------------------------ */

static void test_masses(void **state)
{
    (void)state;
    const slong k = 40;
    finite_pair x = pair_of_response(k, 0.3, 0.001);
    arb_t t;
    arb_init(t);
    for (slong l = k; l >= 1; l--) {
        ball mass =
            optimal_composition_log_pmf(40, (double)l, d(0.3), d(0.001));
        arb_log(t, x.p + l, PAIR_BITS);
        assert_true(pair_in_ball(mass, t) && mass.rad < 1e-26);
    }
    arb_clear(t);
    pair_clear(&x);
}

static void check_tradeoff(slong k, double eps0, double delta0, double alpha)
{
    finite_pair x = pair_of_response(k, eps0, delta0);
    arb_t exact;
    arb_init(exact);
    pair_tradeoff(exact, &x, alpha);
    bool done = false;
    dosi_interval f = optimal_composition_tradeoff(
        (double)k, d(eps0), d(delta0), alpha, 0, &done);
    assert_true(done);
    assert_true(pair_in_interval(f, exact));
    assert_true(pair_width(f) < 1e-13);
    arb_clear(exact);
    pair_clear(&x);
}

static void test_tradeoff(void **state)
{
    (void)state;
    const double alpha[] = {
        0, 1e-300, 1e-9, 0.05, 0.5, 0.75, 0.999, 1 - 0x1p-53};
    const double eps0[] = {1e-9, 0.1, 1, 12};
    for (slong k = 1; k < 50; k = 2 * k + 1)
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < sizeof alpha / sizeof *alpha; j++) {
                check_tradeoff(k, eps0[i], 0, alpha[j]);
                check_tradeoff(k, eps0[i], 0.01, alpha[j]);
            }
    /* beyond 1 - D nothing is left, and the end of the curve is exact */
    bool done = false;
    dosi_interval f =
        optimal_composition_tradeoff(3, d(1), d(0.5), 0.99, 0, &done);
    assert_true(done && f.lo == 0 && f.hi == 0);
    f = optimal_composition_tradeoff(3, d(1), d(0), 1, 0, &done);
    assert_true(done && f.lo == 0 && f.hi == 0);
    /* a vertex: alpha = Q[Z = 1] at k = 1, where f = 1 - P[Z = 1] = alpha */
    double vertex = 1 / (1 + exp(1.0));
    for (int i = 0; i < 3; i++) {
        check_tradeoff(1, 1, 0, vertex);
        vertex = nextafter(vertex, i == 0 ? 1 : 0);
    }
}

/* A wide epsilon gives a wide delta that covers the values inside. */
static void test_wide_input(void **state)
{
    (void)state;
    ball eps = ball_of_interval((dosi_interval){0.9, 1.3});
    ball wide = optimal_composition_delta(20, d(0.2), d(1e-3), eps, 0);
    ball low = optimal_composition_delta(20, d(0.2), d(1e-3), d(1.3), 0);
    ball high = optimal_composition_delta(20, d(0.2), d(1e-3), d(0.9), 0);
    assert_true(ball_lower(wide) <= ball_lower(low));
    assert_true(ball_upper(wide) >= ball_upper(high));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_printed_examples),
        cmocka_unit_test(test_delta),
        cmocka_unit_test(test_far_out),
        cmocka_unit_test(test_epsilon_corners),
        cmocka_unit_test(test_epsilon_at_lattice),
        cmocka_unit_test(test_delta_next_to_the_leak),
        cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_domain),
        cmocka_unit_test(test_masses),
        cmocka_unit_test(test_tradeoff),
        cmocka_unit_test(test_wide_input),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
