/*
 * Chi-divergences against Arb: signed sums at thousands of bits, Arb's own
 * integration at real orders, and its hypergeometric function for Laplace.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <acb_calc.h>
#include <acb_hypgeom.h>
#include <arb.h>

#include "support/enclose.h"
#include "renyi/chi_divergence.h"

#define BITS 256

static void check(const char *what, ball x, const arb_t exact, double width,
    double parameter, double s)
{
    const double inputs[] = {parameter, s};
    assert_int_equal(enclose_fails(what, x, exact, width, inputs, 2), 0);
}

/* log sum_i (-1)^(l-i) C(l,i) e^(i (i-1) mu^2/2), mu = 1/sigma as a ball. */
static void arb_log_difference(arb_t out, double sigma, ulong l, slong bits)
{
    arb_t rho, term, binomial;
    arb_init(rho);
    arb_init(term);
    arb_init(binomial);
    arb_set_d(rho, sigma);
    arb_inv(rho, rho, bits);
    arb_mul(rho, rho, rho, bits);
    arb_mul_2exp_si(rho, rho, -1);
    arb_zero(out);
    arb_one(binomial);
    for (ulong i = 0; i <= l; i++) {
        arb_mul_ui(term, rho, i * (i - (i > 0)), bits);
        arb_exp(term, term, bits);
        arb_mul(term, term, binomial, bits);
        if ((l - i) % 2)
            arb_sub(out, out, term, bits);
        else
            arb_add(out, out, term, bits);
        arb_mul_ui(binomial, binomial, l - i, bits);
        arb_div_ui(binomial, binomial, i + 1, bits);
    }
    arb_log(out, out, bits);
    arb_clear(rho);
    arb_clear(term);
    arb_clear(binomial);
}

static void test_gaussian_differences(void **state)
{
    (void)state;
    const struct {
        double sigma;
        ulong l;
        slong bits;
    } cases[] = {{0.3, 6, 800}, {0.5, 40, 6000}, {1, 10, 400}, {2, 4, 300},
        {5, 40, 900}, {10, 64, 1200}, {50, 20, 700}, {50, 1024, 4000},
        {1000, 12, 700}, {50, 4096, 14000}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double sigma = cases[i].sigma, l = (double)cases[i].l;
        chi_law law = chi_gaussian(ball_div(ball_of(1), ball_of(sigma)));
        arb_t exact;
        arb_init(exact);
        arb_log_difference(exact, sigma, cases[i].l, cases[i].bits);
        check("log B", chi_log_xi(&law, ball_of(l)), exact, 1e-22, sigma, l);
        arb_clear(exact);
    }
}

/* ---- Real orders ------------------------------------------------------- */

typedef struct integrand {
    arb_t mu, z0, s;
    int below;
} integrand;

/* The side's density in u = log|R - 1|, analytic near the real line. */
static int side_at(
    acb_ptr out, const acb_t u, void *context, slong order, slong bits)
{
    integrand *f = context;
    acb_t w, t, x;
    if (order > 1)
        return 0;
    acb_init(w);
    acb_init(t);
    acb_init(x);
    acb_exp(w, u, bits);
    acb_add_ui(w, w, 1, bits);
    acb_log_analytic(t, w, order != 0, bits);
    acb_sub(x, u, t, bits); /* log of t' mu */
    acb_set(out, f->below ? x : u);
    acb_mul_arb(out, out, f->s, bits);
    acb_add(out, out, x, bits);
    acb_div_arb(t, t, f->mu, bits);
    if (f->below)
        acb_sub_arb(t, t, f->z0, bits);
    else
        acb_add_arb(t, t, f->z0, bits);
    acb_mul(t, t, t, bits);
    acb_mul_2exp_si(t, t, -1);
    acb_sub(out, out, t, bits);
    acb_exp(out, out, bits);
    acb_clear(w);
    acb_clear(t);
    acb_clear(x);
    return 0;
}

/* Both sides over [low, high], beyond which they are below 1e-60. */
static void arb_log_xi(arb_t out, double sigma, double s)
{
    integrand f;
    acb_t low, high, part, sum;
    mag_t tolerance;
    arb_init(f.mu);
    arb_init(f.z0);
    arb_init(f.s);
    acb_init(low);
    acb_init(high);
    acb_init(part);
    acb_init(sum);
    mag_init(tolerance);
    mag_set_ui_2exp_si(tolerance, 1, -220);
    arb_set_d(f.s, s);
    arb_set_d(f.mu, sigma);
    arb_inv(f.mu, f.mu, BITS);
    arb_mul_2exp_si(f.z0, f.mu, -1);
    acb_set_d(low, -160 / (s + 1));
    acb_set_d(high,
        log1p((s / sigma + sqrt(s) + 20) / sigma) + (s / sigma + 20) / sigma);
    for (f.below = 0; f.below < 2; f.below++) {
        acb_calc_integrate(
            part, side_at, &f, low, high, 150, tolerance, NULL, BITS);
        acb_add(sum, sum, part, BITS);
    }
    /* over mu sqrt(2 pi) */
    arb_const_pi(out, BITS);
    arb_mul_2exp_si(out, out, 1);
    arb_sqrt(out, out, BITS);
    arb_mul(out, out, f.mu, BITS);
    arb_div(out, acb_realref(sum), out, BITS);
    arb_log(out, out, BITS);
    arb_clear(f.mu);
    arb_clear(f.z0);
    arb_clear(f.s);
    acb_clear(low);
    acb_clear(high);
    acb_clear(part);
    acb_clear(sum);
    mag_clear(tolerance);
}

static void test_gaussian_real_orders(void **state)
{
    (void)state;
    const double cases[][2] = {{1, 1}, {1, 2.5}, {5, 1.125}, {5, 7.3},
        {50, 2.5}, {0.5, 1.5}, {0.3, 1.25}, {2, 33.3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double sigma = cases[i][0], s = cases[i][1];
        chi_law law = chi_gaussian(ball_div(ball_of(1), ball_of(sigma)));
        arb_t exact;
        arb_init(exact);
        arb_log_xi(exact, sigma, s);
        check("log xi", chi_log_xi(&law, ball_of(s)), exact, 1e-22, sigma, s);
        arb_clear(exact);
    }
}

/* ---- Laplace ----------------------------------------------------------- */

/* x0^-p int_x0^1 x^(p-1) (1-x)^s dx
 *     = d^(s+1)/(s+1) 2F1(s + 1 + p, 1; s + 2; d), d = 1 - x0. */
static void arb_side(arb_t out, const arb_t a, double s, double p)
{
    acb_t d, x, b, c;
    arb_t t;
    acb_init(d);
    acb_init(x);
    acb_init(b);
    acb_init(c);
    arb_init(t);
    arb_neg(t, a);
    arb_expm1(t, t, BITS);
    arb_neg(t, t);
    acb_set_arb(d, t);
    acb_set_d(x, s + 1 + p);
    acb_one(b);
    acb_set_d(c, s + 2);
    acb_hypgeom_2f1(x, x, b, c, d, 0, BITS);
    arb_mul(out, acb_realref(x), t, BITS);
    arb_set_d(acb_realref(x), s + 1);
    arb_div(out, out, acb_realref(x), BITS);
    arb_mul_2exp_si(out, out, -2);
    arb_set_d(acb_realref(x), 0.5);
    arb_add(out, out, acb_realref(x), BITS);
    arb_log(out, out, BITS);
    arb_log(t, t, BITS);
    arb_set_d(acb_realref(x), s);
    arb_addmul(out, t, acb_realref(x), BITS);
    arb_exp(out, out, BITS);
    acb_clear(d);
    acb_clear(x);
    acb_clear(b);
    acb_clear(c);
    arb_clear(t);
}

static void test_laplace(void **state)
{
    (void)state;
    const double cases[][2] = {{0.02, 2}, {0.02, 2.5}, {0.5, 1}, {0.5, 40},
        {0.2, 512}, {2, 3}, {2, 7.75}, {5.5, 2}, {6.5, 2.25}, {8, 1.5}, {10, 3},
        {40, 7.5}, {6.25, 9}, {1, 4096}, {1e-6, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double a = cases[i][0], s = cases[i][1];
        chi_law law = chi_laplace(ball_of(a));
        arb_t exact, below, x;
        arb_init(exact);
        arb_init(below);
        arb_init(x);
        arb_set_d(x, a);
        arb_side(exact, x, s, 0.5 - s);
        arb_side(below, x, s, -0.5);
        arb_t power;
        arb_init(power);
        arb_set_d(power, s - 1);
        arb_mul(x, x, power, BITS);
        arb_clear(power);
        arb_exp(x, x, BITS);
        arb_addmul(below, exact, x, BITS);
        arb_log(exact, below, BITS);
        double width = a > 6 && s >= 8 ? 1e-16 : 1e-24;
        check("laplace", chi_log_xi(&law, ball_of(s)), exact, width, a, s);
        arb_clear(exact);
        arb_clear(below);
        arb_clear(x);
    }
}

/* ---- Identities -------------------------------------------------------- */

static void contains(ball x, double value, double width)
{
    dosi_interval i = ball_interval(x);
    double slack = 2e-16 * fabs(value);
    assert_true(i.lo <= value + slack && value - slack <= i.hi);
    assert_true(x.rad <= width * fabs(value));
}

/* B(2) = e^eps(2) - 1 for all laws, xi(1) is twice the total variation. */
static void test_second_order(void **state)
{
    (void)state;
    const chi_law laws[] = {chi_gaussian(ball_of(0.2)),
        chi_gaussian(ball_of(1e-6)), chi_gaussian(ball_of(30)),
        chi_laplace(ball_of(0.5)), chi_laplace(ball_of(20)),
        chi_response(ball_of(1.5), 2), chi_response(ball_of(1.5), 7)};
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        ball direct = chi_log_xi(&laws[i], ball_of(2));
        ball moment = chi_log_moment(&laws[i], ball_of(2));
        ball gap = ball_sub(direct, ball_logexpm1(moment));
        assert_true(ball_lower(gap) <= 0 && ball_upper(gap) >= 0);
        assert_true(gap.rad < 1e-22);
    }
    /* 2 (2 Phi(1/(2 sigma)) - 1) at sigma = 1; mpmath */
    chi_law law = chi_gaussian(ball_of(1));
    contains(
        ball_exp(chi_log_xi(&law, ball_of(1))), 0.76584984509605241, 1e-22);
}

/* Odd differences are signed; a signed sum of few terms agrees. */
static void test_differences(void **state)
{
    (void)state;
    const chi_law laws[] = {chi_gaussian(ball_of(1)), chi_laplace(ball_of(0.5)),
        chi_response(ball_of(2), 2)};
    for (size_t i = 0; i < 3; i++)
        for (size_t order = 2; order <= 9; order++) {
            ball moments[10];
            for (size_t j = 0; j <= order; j++)
                moments[j] = j < 2
                                 ? ball_of(0)
                                 : chi_log_moment(&laws[i], ball_of((double)j));
            scaled sum = chi_signed_sum(moments, order);
            ball direct = chi_difference(&laws[i], (double)order);
            ball gap = ball_sub(direct, ball_scale2(sum.m, (int)sum.e));
            assert_true(ball_lower(gap) <= 0 && ball_upper(gap) >= 0);
            assert_true(gap.rad < 1e-16 * fabs(direct.hi));
        }
}

/* Equal laws, and order 1 and 0 of the differences. */
static void test_corners(void **state)
{
    (void)state;
    chi_law same = chi_response(ball_of(0), 2);
    assert_true(chi_log_xi(&same, ball_of(3)).hi == -HUGE_VAL);
    assert_true(ball_is_zero(chi_log_moment(&same, ball_of(9))));
    chi_law law = chi_laplace(ball_of(1));
    assert_true(ball_is_zero(chi_difference(&law, 1)));
    assert_true(chi_difference(&law, 0).hi == 1);
    ball p = ball_of(1);
    assert_true(chi_log_ternary(p, p, ball_of(0), ball_of(2)).hi == -HUGE_VAL);
    chi_law far = chi_gaussian(ball_of(1000));
    assert_true(chi_pure(&far).hi == HUGE_VAL);
    assert_true(chi_log_xi(&far, ball_of(1.0001)).rad < 1e-18 * 1e5);
}

/* The ternary divergence at r = q is the binary one, shifted and mirrored;
 * E_r ((p-q)/r)^2 is a sum of three exponentials. */
static void test_ternary(void **state)
{
    (void)state;
    chi_law law = chi_gaussian(ball_of(0.75));
    for (double s = 1; s < 9; s += 1.5) {
        ball binary = chi_log_xi(&law, ball_of(s));
        ball shifted = chi_log_ternary(
            ball_of(-3.25), ball_of(-2.5), ball_of(-2.5), ball_of(s));
        ball gap = ball_sub(binary, shifted);
        assert_true(ball_lower(gap) <= 0 && ball_upper(gap) >= 0);
    }
    const double cases[][3] = {{1, 0, 0.5}, {4, 1, -2}, {0, 3, 9}, {2, 1, 1}};
    for (size_t i = 0; i < 4; i++) {
        double p = cases[i][0] - cases[i][2], q = cases[i][1] - cases[i][2];
        /* e^(p^2) + e^(q^2) - 2 e^(p q), means relative to r */
        ball sum = ball_add(ball_exp(ball_of(p * p)), ball_exp(ball_of(q * q)));
        sum = ball_sub(sum, ball_scale2(ball_exp(ball_of(p * q)), 1));
        ball direct = chi_log_ternary(ball_of(cases[i][0]),
            ball_of(cases[i][1]), ball_of(cases[i][2]), ball_of(2));
        ball gap = ball_sub(direct, ball_log(sum));
        assert_true(ball_lower(gap) <= 0 && ball_upper(gap) >= 0);
        assert_true(gap.rad < 1e-22);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaussian_differences),
        cmocka_unit_test(test_gaussian_real_orders),
        cmocka_unit_test(test_laplace),
        cmocka_unit_test(test_second_order),
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_ternary),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
