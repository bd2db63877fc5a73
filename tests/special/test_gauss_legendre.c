/*
 * The table of the Gauss-Legendre rule against Arb.
 */
#include "special/gauss_legendre.h"

#include <arb_hypgeom.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
/* after the three above */
#include <cmocka.h>

/* |hi + lo - exact| <= 2^-106 */
static void assert_near(double hi, double lo, const arb_t exact)
{
    arb_t gap, part;
    arb_init(gap);
    arb_init(part);
    arb_set_d(gap, hi);
    arb_set_d(part, lo);
    arb_add(gap, gap, part, 256);
    arb_sub(gap, gap, exact, 256);
    arb_abs(gap, gap);
    arb_set_d(part, 0x1p-106);
    assert_true(arb_le(gap, part));
    arb_clear(part);
    arb_clear(gap);
}

static void test_table(void **state)
{
    (void)state;
    arb_t node, weight;
    arb_init(node);
    arb_init(weight);
    for (int i = 0; i < GAUSS_HALF; i++) {
        /* Arb counts the roots from the largest down */
        arb_hypgeom_legendre_p_ui_root(node, weight, 2 * GAUSS_HALF,
            (ulong)(GAUSS_HALF - 1 - i), 256);
        assert_near(gauss_table[i][0], gauss_table[i][1], node);
        assert_near(gauss_table[i][2], gauss_table[i][3], weight);
    }
    arb_clear(weight);
    arb_clear(node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table)};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
