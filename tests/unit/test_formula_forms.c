/*
 * Rows at parameters where digits are easily lost. The truths were computed with 60
 * digits by other formulas, which stand beside them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dosimeter.h"

/* The row contains the truth, which is rounded to the nearest double, and is
 * no wider than 1e-14 of it. */
static void is(const char *id, const char *parameters, double truth)
{
    dosi_interval x;
    dosi_error err = {0};
    if (dosi_formula_eval(&x, id, parameters, &err) != DOSI_OK)
        fail_msg("%s %s: %s", id, parameters, err.message);
    bool contains = x.lo <= nextafter(truth, HUGE_VAL) &&
                    x.hi >= nextafter(truth, -HUGE_VAL);
    if (!contains || !(x.hi - x.lo <= 1e-14 * fabs(truth)))
        fail_msg("%s %s: [%.17g, %.17g], not %.17g", id, parameters, x.lo, x.hi,
            truth);
}

/* ---- Digits -------------------------------------------------------------- */

/* The curve of C_p(G_mu) where its line of slope -1 ends, alpha near 1 - p:
 * 1-p-alpha + 2p sf(mu/2) on the line; beyond it sf(z) with
 * p sf(mu-z) - (1-p) sf(z) = alpha - (1-p), by bisection. */
static void test_sampled_curve(void **state)
{
    (void)state;
    const char *const id = "T001-E13.CG";
    is(id, "p=0.5;mu=20;alpha=0.5", 7.6198530241605260659733e-24);
    is(id, "p=0.25;mu=30;alpha=0.75", 2.1180311897345662870425e-51);
    is(id, "p=0.5;mu=40;alpha=0.5", 2.7536241186062336950756e-89);
    is(id, "p=0.5;mu=40;alpha=0.4999999999999999", 1.1102230246251565404e-16);
    is(id, "p=0.5;mu=40;alpha=0.5000000000000001", 3.0506000320552135e-223);
    is(id, "p=0.3;mu=20;alpha=0.7", 5.5511155803169641517497e-17);
    is(id, "p=0.75;mu=20;alpha=0.25", 1.1429779536240789098960e-23);
    is(id, "p=0.25;mu=24;alpha=0.7500000000000001", 1.2411862029926741783e-57);
    is(id, "p=0.0625;mu=16;alpha=0.9375", 1.5843908314685976844418e-16);
    is("T001-E3.fp_inv", "p=0.5;mu=40;alpha=0.5", 2.75362411860623369508e-89);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sampled_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
