/*
 * Poisson samples at real orders: against Arb's integration for Laplace, the
 * two atoms of randomised response, and the finite sum at whole orders.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <acb_calc.h>
#include <arb.h>

#include "support/enclose.h"
#include "renyi/poisson_base_renyi.h"
#include "renyi/without_replacement_renyi.h"

#define BITS 320

typedef struct integrand {
    arb_t a, rate, s;
} integrand;

/* e^(-(a + x)/2)/4 (1 - p + p e^x)^s */
static int density(
    acb_ptr out, const acb_t x, void *context, slong order, slong bits)
{
    integrand *f = context;
    acb_t y;
    if (order > 1)
        return 0;
    acb_init(y);
    acb_exp(y, x, bits);
    acb_sub_ui(y, y, 1, bits);
    acb_mul_arb(y, y, f->rate, bits);
    acb_add_ui(y, y, 1, bits);
    acb_log_analytic(y, y, order != 0, bits);
    acb_mul_arb(y, y, f->s, bits);
    acb_add_arb(out, x, f->a, bits);
    acb_mul_2exp_si(out, out, -1);
    acb_sub(y, y, out, bits);
    acb_exp(out, y, bits);
    acb_mul_2exp_si(out, out, -2);
    acb_clear(y);
    return 0;
}

/* mass (1 - p + p e^x)^s */
static void add_atom(
    arb_t sum, const integrand *f, const arb_t x, const arb_t mass)
{
    arb_t y;
    arb_init(y);
    arb_expm1(y, x, BITS);
    arb_mul(y, y, f->rate, BITS);
    arb_add_ui(y, y, 1, BITS);
    arb_pow(y, y, f->s, BITS);
    arb_addmul(sum, y, mass, BITS);
    arb_clear(y);
}

static void arb_laplace(arb_t out, double a, double rate, double s)
{
    integrand f;
    acb_t low, high, middle;
    arb_t x, mass;
    mag_t tolerance;
    arb_init(f.a);
    arb_init(f.rate);
    arb_init(f.s);
    acb_init(low);
    acb_init(high);
    acb_init(middle);
    arb_init(x);
    arb_init(mass);
    mag_init(tolerance);
    mag_set_ui_2exp_si(tolerance, 1, -290);
    arb_set_d(f.a, a);
    arb_set_d(f.rate, rate);
    arb_set_d(f.s, s);
    acb_set_d(low, -a);
    acb_set_d(high, a);
    acb_calc_integrate(
        middle, density, &f, low, high, 250, tolerance, NULL, BITS);
    arb_set(out, acb_realref(middle));
    arb_neg(x, f.a);
    arb_set_d(mass, 0.5);
    add_atom(out, &f, x, mass);
    arb_exp(mass, x, BITS);
    arb_mul_2exp_si(mass, mass, -1);
    add_atom(out, &f, f.a, mass);
    arb_log(out, out, BITS);
    arb_clear(f.a);
    arb_clear(f.rate);
    arb_clear(f.s);
    acb_clear(low);
    acb_clear(high);
    acb_clear(middle);
    arb_clear(x);
    arb_clear(mass);
    mag_clear(tolerance);
}

static void test_laplace(void **state)
{
    (void)state;
    const double cases[][3] = {{0.5, 0.1, 2.5}, {2, 0.001, 1.125},
        {2, 0.9, 33.25}, {0.2, 0.5, -0.01}, {0.02, 0.01, 2.5}, {5, 0.3, 4.375},
        {0.5, 0.1, -700.5}, {8, 0x1p-20, -3.5}, {0x1p-10, 1, 3},
        {1, 0x1p-30, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        chi_law law = chi_laplace(ball_of(cases[i][0]));
        arb_t exact;
        arb_init(exact);
        arb_laplace(exact, cases[i][0], cases[i][1], cases[i][2]);
        ball x = sampled_law_log_moment(
            &law, ball_of(cases[i][1]), ball_of(cases[i][2]));
        assert_int_equal(
            enclose_fails("laplace", x, exact, 1e-12, cases[i], 3), 0);
        arb_clear(exact);
    }
}

static void test_response(void **state)
{
    (void)state;
    const double cases[][3] = {{0.4, 0.1, 2.5}, {2, 0.001, 1.125},
        {7, 0.9, 133.25}, {0.02, 0.5, -0.01}, {2, 0.3, -300}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int categories = 2; categories < 6; categories += 3) {
            double eps = cases[i][0];
            chi_law law = chi_response(ball_of(eps), categories);
            integrand f;
            arb_t exact, x, mass, norm;
            arb_init(f.rate);
            arb_init(f.s);
            arb_init(exact);
            arb_init(x);
            arb_init(mass);
            arb_init(norm);
            arb_set_d(f.rate, cases[i][1]);
            arb_set_d(f.s, cases[i][2]);
            arb_set_d(x, eps);
            arb_exp(norm, x, BITS);
            arb_set(mass, norm);
            arb_add_ui(norm, norm, (ulong)categories - 1, BITS);
            arb_inv(norm, norm, BITS);
            add_atom(exact, &f, x, norm);
            arb_neg(x, x);
            arb_mul(mass, mass, norm, BITS);
            add_atom(exact, &f, x, mass);
            arb_mul_ui(mass, norm, (ulong)categories - 2, BITS);
            arb_add(exact, exact, mass, BITS);
            arb_log(exact, exact, BITS);
            ball k = sampled_law_log_moment(
                &law, ball_of(cases[i][1]), ball_of(cases[i][2]));
            assert_int_equal(
                enclose_fails("response", k, exact, 1e-22, cases[i], 3), 0);
            arb_clear(f.rate);
            arb_clear(f.s);
            arb_clear(exact);
            arb_clear(x);
            arb_clear(mass);
            arb_clear(norm);
        }
}

/* The finite sum of P002-20 at whole orders is the same number. */
static void test_whole_orders(void **state)
{
    (void)state;
    const chi_law laws[] = {chi_gaussian(ball_of(0.7)),
        chi_laplace(ball_of(0.5)), chi_response(ball_of(1.25), 4)};
    for (size_t i = 0; i < 3; i++)
        for (double order = 2; order < 70; order = 2 * order + 1) {
            ball rate = ball_of(0.125);
            ball sum = wr_cumulant_at(&laws[i], rate, WR_LOWER, order);
            ball d = sampled_law_renyi(
                SAMPLED_MIXTURE_FIRST, &laws[i], rate, ball_of(order));
            ball gap = ball_sub(ball_mul_d(d, order - 1), sum);
            assert_true(ball_lower(gap) <= 0 && ball_upper(gap) >= 0);
            assert_true(gap.rad <= 1e-12 * sum.hi);
        }
}

static void test_corners(void **state)
{
    (void)state;
    chi_law law = chi_laplace(ball_of(2)), same = chi_laplace(ball_of(0));
    ball three = ball_of(3), half = ball_of(0.5);
    assert_true(ball_is_zero(sampled_law_log_moment(&law, ball_of(0), three)));
    assert_true(ball_is_zero(sampled_law_log_moment(&same, half, three)));
    ball all = sampled_law_log_moment(&law, ball_of(1), three);
    assert_true(all.hi == chi_log_moment(&law, three).hi);
    /* both directions agree without sampling, the laws being mirrored */
    ball back = sampled_law_renyi(SAMPLED_BASE_FIRST, &law, ball_of(1), three);
    ball gap = ball_sub(ball_scale2(back, 1), all);
    assert_true(ball_lower(gap) <= 0 && ball_upper(gap) >= 0);
    /* an order beyond reach is refused, not guessed */
    chi_law wide = chi_laplace(ball_of(100));
    assert_true(
        ball_is_unknown(sampled_law_log_moment(&wide, half, ball_of(1e6))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laplace),
        cmocka_unit_test(test_response),
        cmocka_unit_test(test_whole_orders),
        cmocka_unit_test(test_corners),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
