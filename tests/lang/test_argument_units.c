/*
 * Arguments in other units: the parameter is never above the exact quotient,
 * and at most one double below it.
 */
#include "lang/argument_units.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "num/round.h"

/* The parameter of the one-parameter kind that the text is. */
static double parameter_of(const char *text)
{
    const dosi_plan *plan = NULL;
    dosi_error err = {0};
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK)
        fail_msg("%s: %s", text, err.message);
    double x = dosi_plan_parameter(plan, 0);
    dosi_plan_free(plan);
    return x;
}

__extension__ typedef unsigned __int128 wide;

/* Sign of q b - a in whole numbers: each operand is an integer m 2^e with
 * m < 2^53, and the product of two has 106 bits. */
static int product_order(double q, double b, double a)
{
    int eq, eb, ea;
    wide p = (uint64_t)ldexp(frexp(q, &eq), 53);
    p *= (uint64_t)ldexp(frexp(b, &eb), 53);
    wide r = (uint64_t)ldexp(frexp(a, &ea), 53);
    int shift = ea - 53 - (eq + eb - 106); /* r 2^shift against p */
    assert_true(shift >= 0 && shift < 74);
    r <<= shift;
    return (p > r) - (p < r);
}

static void check_quotient(const char *text, double a, double b)
{
    double q = parameter_of(text);
    if (product_order(q, b, a) > 0)
        fail_msg("%s is above the quotient: %.17g", text, q);
    if (product_order(round_up(q), b, a) <= 0)
        fail_msg("%s is too far below the quotient: %.17g", text, q);
}

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static double random_positive(uint64_t *state)
{
    uint64_t bits = random_next(state);
    /* every third one is a number that people write */
    if (bits % 3 == 0)
        return (double)(bits >> 20 & 1023) / 100 + 0.01;
    return ldexp((double)(bits >> 11) + 0x1p52, (int)(bits & 127) - 116);
}

static void quotients_round_down(void **state)
{
    (void)state;
    uint64_t seed = 0x9e3779b97f4a7c15;
    for (int i = 0; i < 20000; i++) {
        double a = random_positive(&seed), b = random_positive(&seed);
        char text[200], x[DOSI_NUMBER_BYTES], y[DOSI_NUMBER_BYTES];
        dosi_print_exact(x, a);
        dosi_print_exact(y, b);
        (void)snprintf(
            text, sizeof text, "gaussian(std=%s, sensitivity=%s)", x, y);
        check_quotient(text, a, b);
        (void)snprintf(
            text, sizeof text, "laplace(scale=%s, sensitivity=%s)", x, y);
        check_quotient(text, a, b);
        (void)snprintf(text, sizeof text, "laplace(epsilon=%s)", y);
        check_quotient(text, 1, b);
        (void)snprintf(text, sizeof text, "discrete_laplace(epsilon=%s)", y);
        check_quotient(text, 1, b);
    }
}

/* Where the remainder that decides may be no double. */
static void small_quotients_round_down(void **state)
{
    (void)state;
    uint64_t seed = 0xd1b54a32d192ed03;
    for (int i = 0; i < 20000; i++) {
        double a = ldexp(random_positive(&seed), -1000);
        double b = ldexp(random_positive(&seed), -500);
        char text[200], x[DOSI_NUMBER_BYTES], y[DOSI_NUMBER_BYTES];
        dosi_print_exact(x, a);
        dosi_print_exact(y, b);
        (void)snprintf(
            text, sizeof text, "gaussian(std=%s, sensitivity=%s)", x, y);
        double q = parameter_of(text);
        if (product_order(q, b, a) > 0)
            fail_msg("%s is above the quotient: %.17g", text, q);
        if (product_order(round_steps(q, 2), b, a) <= 0)
            fail_msg("%s is too far below the quotient: %.17g", text, q);
    }
}

static void edges(void **state)
{
    (void)state;
    assert_true(parameter_of("laplace(epsilon=0.1)") == 9.999999999999998);
    assert_true(parameter_of("laplace(epsilon=1/3)") <= 3);
    /* exact ones stay, also below the range where the remainder underflows,
     * less one step */
    assert_true(parameter_of("gaussian(std=3, sensitivity=2)") == 1.5);
    assert_true(
        parameter_of("gaussian(std=1e-320, sensitivity=1)") < 1e-320);
    assert_true(parameter_of("gaussian(std=1e-320, sensitivity=1)") > 0);
    assert_true(
        parameter_of("gaussian(std=1e300, sensitivity=1e-8)") <= 1e308);
}

static void refusals(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t offset;
        const char *message;
    } cases[] = {
        {"gaussian(std=100)", 16,
            "gaussian: std needs a sensitivity, as in gaussian(std=100, "
            "sensitivity=50)"},
        {"gaussian(1, std=1, sensitivity=1)", 16,
            "gaussian: either sigma, or std and sensitivity"},
        {"gaussian(sigma=1, sensitivity=1)", 30,
            "gaussian: sigma is std / sensitivity already; write std in its "
            "place"},
        {"gaussian(sensitivity=1)", 21,
            "gaussian: sigma is std / sensitivity already; write std in its "
            "place"},
        {"laplace(sensitivity=1)", 21, "laplace: scale is missing"},
        {"laplace(1, epsilon=1)", 19,
            "laplace: epsilon stands alone, for scale and sensitivity"},
        {"laplace(epsilon=1, sensitivity=2)", 16,
            "laplace: epsilon stands alone, for scale and sensitivity"},
        {"laplace(epsilon=0)", 16,
            "laplace: epsilon must be positive and finite, got 0"},
        {"laplace(epsilon=nan)", 16,
            "laplace: epsilon must be positive and finite, got nan"},
        {"laplace(1, sensitivity=inf)", 23,
            "laplace: sensitivity must be positive and finite, got inf"},
        {"laplace(-1, sensitivity=2)", 8,
            "laplace: scale must be positive and finite, got -1"},
        {"laplace(epsilon=1, epsilon=2)", 27,
            "laplace: epsilon is given twice"},
        {"laplace(?, sensitivity=2)", 23,
            "laplace: the hole is scale / sensitivity; write laplace(?)"},
        {"gaussian(std=?, sensitivity=2)", 13,
            "gaussian: std cannot be the hole; write gaussian(?)"},
        {"gaussian(std=1e-320, sensitivity=1e300)", 38,
            "gaussian: sigma is outside the range of doubles in these units"},
        {"gaussian(std=1e300, sensitivity=1e-300)", 38,
            "gaussian: sigma is outside the range of doubles in these units"},
        {"discrete_laplace(1, sensitivity=2)", 20,
            "discrete_laplace: unknown argument 'sensitivity'; write "
            "group(sensitivity, M)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const dosi_plan *plan = NULL;
        dosi_error err = {0};
        assert_int_equal(dosi_plan_parse(&plan, cases[i].text,
                             strlen(cases[i].text), &err),
            DOSI_EINVAL);
        assert_string_equal(err.message, cases[i].message);
        assert_int_equal(err.offset, cases[i].offset);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quotients_round_down),
        cmocka_unit_test(small_quotients_round_down),
        cmocka_unit_test(edges),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
