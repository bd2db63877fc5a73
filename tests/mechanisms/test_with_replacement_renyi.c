/*
 * The Renyi divergence of samples with replacement over Gaussian noise: above
 * that of the pairs X004-11.gauss, in both orders, by quadrature; closed where
 * there is one draw; and refused where there is no curve.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "dosimeter.h"

static dosi_status ask(
    dosi_interval *out, const char *text, double order, dosi_neighbours n)
{
    const dosi_plan *plan = NULL;
    dosi_options opt = DOSI_OPTIONS_INIT;
    dosi_answer answer;
    opt.neighbours = n;
    assert_int_equal(
        dosi_plan_parse(&plan, text, strlen(text), NULL), DOSI_OK);
    dosi_status status = dosi_renyi_at_order(&answer, plan, order, &opt, NULL);
    dosi_plan_free(plan);
    *out = answer.value;
    return status;
}

/* sum over k of Bin(k; m, 1/n) e^(k mu x - k^2 mu^2/2) */
static double mixture(double x, double m, double n, double mu)
{
    double w = pow(1 - 1 / n, m), sum = 0;
    for (double k = 0; k <= m; k++) {
        sum += w * exp(k * mu * x - k * k * mu * mu / 2);
        w *= (m - k) / ((k + 1) * (n - 1));
    }
    return sum;
}

/* (a - 1) D of the mixture against the noise, or of the noise against it. */
static double exact(double m, double n, double mu, double order, int add)
{
    double sum = 0, last = 12 + order * m * mu, step = 1.0 / 64;
    for (double x = -12; x < last; x += step) {
        double r = mixture(x, m, n, mu);
        sum += exp(-x * x / 2) * pow(r, add ? 1 - order : order);
    }
    return log(sum * step / sqrt(2 * 3.14159265358979323846));
}

static void bounds_hold_for_pairs(void **state)
{
    (void)state;
    static const struct {
        double m, n, sigma, order;
    } rows[] = {{3, 10, 2, 2}, {5, 100, 1, 1.5}, {2, 2, 3, 4},
        {8, 50, 4, 3}, {6, 1000, 1.5, 2.5}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[100];
        snprintf(text, sizeof text, "with_replacement(%g, %g, gaussian(%g))",
            rows[i].m, rows[i].n, rows[i].sigma);
        for (int relation = 0; relation < 2; relation++) {
            dosi_interval got;
            assert_int_equal(ask(&got, text, rows[i].order,
                                 relation ? DOSI_REPLACE : DOSI_ADD_REMOVE),
                DOSI_OK);
            double most = 0;
            for (int add = 0; add < 2; add++)
                most = fmax(most, exact(rows[i].m, rows[i].n,
                                      1 / rows[i].sigma, rows[i].order, add));
            most /= rows[i].order - 1;
            assert_true(got.hi >= most * (1 - 1e-12));
            /* of first order in the rate, where the pair is of second */
            double eta = 1 - pow(1 - 1 / rows[i].n, rows[i].m);
            assert_true(got.hi * eta <= 1.5 * most);
        }
    }
}

/* log(1 + (e^(a (a-1) mu^2/2) - 1)/n)/(a - 1) */
static void one_draw_is_closed(void **state)
{
    (void)state;
    for (double order = 1.25; order < 9; order += 1.25) {
        dosi_interval got;
        assert_int_equal(ask(&got, "with_replacement(1, 40, gaussian(2))",
                             order, DOSI_REPLACE),
            DOSI_OK);
        double k = log1p(expm1(order * (order - 1) / 8) / 40);
        assert_true(fabs(got.hi * (order - 1) / k - 1) < 1e-12);
    }
}

/* All draws may be the one record. */
static void many_hits_count(void **state)
{
    (void)state;
    dosi_interval got;
    assert_int_equal(ask(&got, "with_replacement(256, 60000, gaussian(1))", 2,
                         DOSI_REPLACE),
        DOSI_OK);
    double all = 256.0 * 256 - 256 * log(60000);
    assert_true(got.hi >= all && got.hi <= all + 1e-6);
    assert_int_equal(ask(&got, "with_replacement(3, 60000, laplace(1))", 2,
                         DOSI_REPLACE),
        DOSI_OK);
    assert_true(got.hi == HUGE_VAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold_for_pairs),
        cmocka_unit_test(one_draw_is_closed),
        cmocka_unit_test(many_hits_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
