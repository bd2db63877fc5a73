/*
 * The normal law at edges and at known values, the entries of the Taylor
 * table recomputed by Arb with the constants of its error bound, and the
 * interval Newton step.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <arb.h>
#include <arb_hypgeom.h>
#include <cmocka.h>

#include "num/ends.h"
#include "special/mills.h"
#include "special/mills_table.h"
#include "num/newton.h"
#include "special/special.h"

#define BITS 400

/* The decimal, 30 digits or more, lies in x, which is narrow. */
static void assert_ball(ball x, const char *decimal, double width)
{
    arb_t v, m;
    arb_init(v);
    arb_init(m);
    assert_int_equal(arb_set_str(v, decimal, BITS), 0);
    arb_set_d(m, x.hi);
    arb_sub(v, v, m, BITS);
    arb_set_d(m, x.lo);
    arb_sub(v, v, m, BITS);
    arb_abs(v, v);
    arb_set_d(m, x.rad + fabs(x.hi) * 1e-38);
    assert_true(arb_le(v, m));
    assert_true(x.rad <= width * fabs(x.hi));
    arb_clear(v);
    arb_clear(m);
}

static void known_values(void **state)
{
    (void)state;
    assert_ball(ball_mills(ball_of(10)),
        "0.09902859647173192139533718859531057834552", 1e-28);
    assert_ball(ball_mills_slope(ball_of(10)),
        "0.009714035282680786046628114046894216544776", 1e-28);
    assert_ball(ball_normal_sf(ball_of(2)),
        "0.02275013194817920720028263716653343747178", 1e-28);
    assert_ball(ball_erf(ball_of(1e-5)),
        "0.00001128379167057900027298965361978881246818", 1e-28);
    assert_ball(ball_normal_isf_log(ball_of(-1e6)),
        "1414.207782991017326952737217669335105622", 1e-27);
}

static void assert_exactly(ball x, double value)
{
    assert_true(x.hi == value && x.lo == 0 && x.rad == 0);
}

static void edges(void **state)
{
    (void)state;
    ball inf = ball_of(HUGE_VAL), minus_inf = ball_of(-HUGE_VAL);
    assert_exactly(ball_normal_sf(inf), 0);
    assert_exactly(ball_normal_sf(minus_inf), 1);
    assert_exactly(ball_normal_cdf(minus_inf), 0);
    assert_exactly(ball_log_normal_sf(inf), -HUGE_VAL);
    assert_exactly(ball_log_normal_sf(minus_inf), 0);
    assert_exactly(ball_normal_pdf(inf), 0);
    assert_exactly(ball_mills(inf), 0);
    assert_exactly(ball_mills_slope(inf), 0);
    assert_exactly(ball_erf(inf), 1);
    assert_exactly(ball_erf(minus_inf), -1);
    assert_exactly(ball_erf(ball_of(0)), 0);
    assert_exactly(ball_mills_drop(ball_of(3), ball_of(0)), 0);
    assert_true(ball_is_unknown(ball_mills(ball_of(-40))));
    assert_true(ball_is_unknown(ball_mills(minus_inf)));
    /* a probability stays one, whatever is known of its argument */
    dosi_interval p = ball_interval(ball_normal_sf(ball_unknown()));
    assert_true(p.lo <= 0 && p.lo > -1e-9 && p.hi >= 1 && p.hi < 1 + 1e-9);
    p = ball_interval(ball_normal_sf((ball){0, 0, 1e300}));
    assert_true(p.lo <= 0 && p.lo > -1e-9 && p.hi >= 1 && p.hi < 1 + 1e-9);
    /* far out nothing overflows or underflows before it must */
    ball far = ball_mills(ball_of(0x1p1000)); /* 1/x (1 - 2^-2000) */
    assert_true(far.hi == 0x1p-1000 && far.rad > 0 && far.rad < 0x1p-1050);
    far = ball_mills_slope(ball_of(0x1p500));
    assert_true(far.hi == 0x1p-1000 && far.rad > 0 && far.rad < 0x1p-1050);
}

static void quantile_edges(void **state)
{
    (void)state;
    assert_true(ball_normal_isf(ball_of(0)).hi == HUGE_VAL);
    assert_true(ball_normal_isf(ball_of(1)).hi == -HUGE_VAL);
    assert_true(ball_normal_isf_log(ball_of(0)).hi == -HUGE_VAL);
    assert_true(ball_normal_isf_log(ball_of(-HUGE_VAL)).hi == HUGE_VAL);
    assert_exactly(ball_normal_isf(ball_of(0.5)), 0);
    assert_true(ball_is_unknown(ball_normal_isf(ball_of(1.5))));
    assert_true(ball_is_unknown(ball_normal_isf(ball_of(-0.5))));
    assert_true(ball_is_unknown(ball_normal_isf((ball){0.1, 0, 0.2})));
    assert_true(ball_is_unknown(ball_normal_isf_log(ball_of(1))));
    /* a wide level gives the quantiles of its ends */
    dosi_interval wide =
        ball_interval(ball_normal_isf((ball){0.25, 0, 0.125}));
    dosi_interval low = ball_interval(ball_normal_isf(ball_of(0.375)));
    dosi_interval high = ball_interval(ball_normal_isf(ball_of(0.125)));
    assert_true(wide.lo <= low.hi && wide.hi >= high.lo);
    assert_true(wide.hi - wide.lo <= 1.01 * (high.hi - low.lo));
}

/* ---- Table ------------------------------------------------------------- */

/* a_n(c) = 2^(-(n+1)/2) U((n+1)/2, 1/2, c^2/2); at c = 0 by Gamma. */
static void coefficient(arb_t y, int n, double c)
{
    arb_t a, half, z;
    arb_init(a);
    arb_init(half);
    arb_init(z);
    arb_set_d(a, (n + 1) / 2.);
    arb_set_d(half, 0.5);
    arb_set_d(z, c * c / 2);
    if (c > 0) {
        arb_hypgeom_u(y, a, half, z, BITS);
    } else {
        arb_add(z, a, half, BITS);
        arb_rgamma(y, z, BITS);
        arb_const_sqrt_pi(z, BITS);
        arb_mul(y, y, z, BITS);
    }
    arb_set_ui(z, 2);
    arb_neg(a, a);
    arb_pow(z, z, a, BITS);
    arb_mul(y, y, z, BITS);
    arb_clear(a);
    arb_clear(half);
    arb_clear(z);
}

/* |y - (hi + lo)| / |y|. */
static double relative_error(const arb_t y, double hi, double lo)
{
    arb_t t;
    arb_init(t);
    arb_set_d(t, hi);
    arb_sub(t, y, t, BITS);
    arb_t low;
    arb_init(low);
    arb_set_d(low, lo);
    arb_sub(t, t, low, BITS);
    arb_div(t, t, y, BITS);
    double error = fabs(arf_get_d(arb_midref(t), ARF_RND_UP));
    arb_clear(t);
    arb_clear(low);
    return error;
}

static void table_entries(void **state)
{
    (void)state;
    arb_t y;
    arb_init(y);
    for (int j = 0; j < MILLS_ROWS; j++) {
        const mills_row *row = &mills_table[j];
        for (int n = 0; n < MILLS_HEAD; n++) {
            coefficient(y, n, j / 2.);
            dd a = row->head[n];
            assert_true(relative_error(y, a.hi, a.lo) <= 0x1p-106);
        }
        for (int n = 0; n < MILLS_TAIL; n++) {
            coefficient(y, n + MILLS_HEAD, j / 2.);
            assert_true(relative_error(y, row->tail[n], 0) <= 0x1p-53);
        }
    }
    arb_clear(y);
}

/* The numbers used by the proof of the error bound, for every row: the terms
 * beyond the table, those in plain doubles, and the ratio of neighbours. */
static void table_bounds(void **state)
{
    (void)state;
    const double reach = 0.28125;
    arb_t y;
    arb_init(y);
    for (int j = 0; j < MILLS_ROWS; j++) {
        double first = mills_table[j].head[0].hi;
        double second = mills_table[j].head[1].hi;
        double before = first;
        for (int n = 1; n <= MILLS_HEAD + MILLS_TAIL; n++) {
            coefficient(y, n, j / 2.);
            double a = arf_get_d(arb_midref(y), ARF_RND_UP);
            assert_true(a <= 0.8 * before);
            before = a;
            if (n == MILLS_HEAD) {
                assert_true(a * pow(reach, n) <= 0x1p-52 * first);
                assert_true(n * a * pow(reach, n - 1) <= 0x1p-46 * second);
            }
            if (n == MILLS_HEAD + MILLS_TAIL) {
                assert_true(a * pow(reach, n) <= 0x1p-110 * first);
                assert_true(n * a * pow(reach, n - 1) <= 0x1p-105 * second);
            }
        }
    }
    arb_clear(y);
}

/* ---- Newton ------------------------------------------------------------ */

/* x^2 - c with its slope. */
static ball square_excess(ball x, const void *context)
{
    const ball *c = context;
    return ball_sub(ball_sqr(x), *c);
}

static ball square_slope(ball x, const void *context)
{
    (void)context;
    return ball_scale2(x, 1);
}

static void newton_steps(void **state)
{
    (void)state;
    ball two = ball_of(2);
    ball root =
        newton_root(square_excess, square_slope, &two, 1.4142, 2.8, 0x1p-95);
    assert_ball(root, "1.4142135623730950488016887242096980785697", 1e-27);
    /* a wide parameter: all its roots, sqrt 1.9 to sqrt 2.1 */
    ball wide = {2, 0, 0.1};
    root =
        newton_root(square_excess, square_slope, &wide, 1.4142, 2.8, 0x1p-95);
    assert_true(ball_lower(root) <= sqrt(1.9) && ball_lower(root) > 1.36);
    assert_true(ball_upper(root) >= sqrt(2.1) && ball_upper(root) < 1.47);
    /* no certificate from a bad guess, where f' may vanish, or without root */
    ball minus = ball_of(-1);
    assert_true(ball_is_unknown(
        newton_root(square_excess, square_slope, &two, 1e-3, 2e-3, 0x1p-95)));
    assert_true(ball_is_unknown(
        newton_root(square_excess, square_slope, &minus, 1, 2, 0x1p-95)));
    assert_true(ball_is_unknown(
        newton_root(square_excess, square_slope, &two, NAN, 2.8, 0x1p-95)));
}

static void ends(void **state)
{
    (void)state;
    ball x = {1, 0x1p-60, 0x1p-50};
    assert_true(!ball_less(ball_top(x), ball_add_d(x, 0x1p-50)));
    assert_true(ball_upper(x) >= ball_top(x).hi);
    ball h = ball_hull((ball){1, 0, 0.5}, (ball){4, 0, 0.25});
    assert_true(ball_lower(h) <= 0.5 && ball_upper(h) >= 4.25);
    assert_true(ball_is_unknown(ball_hull(ball_of(HUGE_VAL), ball_of(1))));
    assert_exactly(ball_hull(ball_of(HUGE_VAL), ball_of(HUGE_VAL)), HUGE_VAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_values),
        cmocka_unit_test(edges),
        cmocka_unit_test(quantile_edges),
        cmocka_unit_test(table_entries),
        cmocka_unit_test(table_bounds),
        cmocka_unit_test(newton_steps),
        cmocka_unit_test(ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
