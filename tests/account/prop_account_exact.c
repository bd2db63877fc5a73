/*
 * Delta of single mechanisms, by the accountant and by sums and integrals done
 * in Arb from their definitions.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <string.h>

#include <arb.h>

#include "dosimeter.h"
#include "support/random.h"

#define TEXT 1024
#define BITS 300

static prop_random rng;

static dosi_answer delta_of(const char *text, double at)
{
    const dosi_plan *plan = NULL;
    dosi_answer a = {0};
    dosi_error err;
    if (dosi_plan_parse(&plan, text, strlen(text), &err) != DOSI_OK ||
        dosi_delta_at_epsilon(&a, plan, at, NULL, &err) != DOSI_OK)
        fail_msg("%s: delta at %.17g: %s", text, at, err.message);
    dosi_plan_free(plan);
    return a;
}

/* Whether the answer holds the reference and is at most width wide. */
static void check(
    const char *text, double at, const arb_t exact, double width)
{
    dosi_answer a = delta_of(text, at);
    arb_t lo, hi;
    arb_init(lo);
    arb_init(hi);
    arb_set_d(lo, a.value.lo);
    arb_set_d(hi, a.value.hi);
    int inside = !arb_gt(lo, exact) && !arb_lt(hi, exact);
    double size = arf_get_d(arb_midref(exact), ARF_RND_NEAR);
    arb_clear(lo);
    arb_clear(hi);
    if (!inside)
        fail_msg("%s: delta at %.17g: [%.17g, %.17g] misses %.17g", text, at,
            a.value.lo, a.value.hi, size);
    if (a.value.hi - a.value.lo > width * fabs(size) + 1e-300)
        fail_msg("%s: delta at %.17g: [%.17g, %.17g] is wide", text, at,
            a.value.lo, a.value.hi);
}

/* max(0, 1 - e^((eps - a)/2)). */
static void laplace_delta(arb_t out, double b, const arb_t eps)
{
    arb_set_d(out, b);
    arb_inv(out, out, BITS);
    arb_sub(out, eps, out, BITS);
    arb_mul_2exp_si(out, out, -1);
    arb_expm1(out, out, BITS);
    arb_neg(out, out);
    if (arb_is_negative(out))
        arb_zero(out);
}

static void test_laplace(void **state)
{
    (void)state;
    arb_t exact, eps;
    arb_init(exact);
    arb_init(eps);
    for (long i = prop_count(300); i > 0; i--) {
        double b = prop_scaled(&rng, -8, 8);
        double at = prop_uniform(&rng, 0, 1.1) / b;
        char text[TEXT];
        snprintf(text, sizeof text, "laplace(%.17g)", b);
        arb_set_d(eps, at);
        laplace_delta(exact, b, eps);
        check(text, at, exact, 1e-14);
    }
    arb_clear(exact);
    arb_clear(eps);
}

/* The profile of bounded range as the greatest of its two-atom pairs. */
static void test_exponential(void **state)
{
    (void)state;
    for (long i = prop_count(96); i > 0; i--) {
        double e = prop_scaled(&rng, -5, 4);
        double at = prop_uniform(&rng, 0, 1) * e, most = 0;
        char text[TEXT];
        snprintf(text, sizeof text, "exponential(%.17g)", e);
        dosi_answer a = delta_of(text, at);
        for (int j = 0; j <= 4000; j++) {
            double t = at + (e - at) * j / 4000;
            most = fmax(most, expm1(t - e) * expm1(at - t) / -expm1(-e));
        }
        assert_true(a.value.hi >= most * (1 - 1e-12));
        assert_true(a.value.lo <= most * (1 + 1e-5) + 1e-12);
        assert_true(a.value.hi - a.value.lo <= 1e-14 * a.value.hi);
    }
}

/* sum over the lattice of (P - e^eps Q)+, term by term. */
static void lattice_delta(arb_t out, double sigma, int shift, double eps)
{
    arb_t v, total, p, q, x;
    arb_init(v);
    arb_init(total);
    arb_init(p);
    arb_init(q);
    arb_init(x);
    arb_set_d(v, sigma);
    arb_sqr(v, v, BITS);
    arb_mul_si(v, v, -2, BITS);
    arb_inv(v, v, BITS); /* -1/(2 sigma^2) */
    arb_set_d(x, eps);
    arb_exp(x, x, BITS);
    arb_zero(out);
    int reach = (int)(38 * sigma) + 2 * shift + 4;
    for (int j = -reach; j <= reach; j++) {
        arb_mul_si(q, v, (slong)j * j, BITS);
        arb_exp(q, q, BITS);
        arb_add(total, total, q, BITS);
        arb_mul_si(p, v, (slong)(j - shift) * (j - shift), BITS);
        arb_exp(p, p, BITS);
        arb_submul(p, q, x, BITS);
        if (arb_is_positive(p))
            arb_add(out, out, p, BITS);
    }
    arb_div(out, out, total, BITS);
    arb_clear(v);
    arb_clear(total);
    arb_clear(p);
    arb_clear(q);
    arb_clear(x);
}

static void test_discrete_gaussian(void **state)
{
    (void)state;
    arb_t exact;
    arb_init(exact);
    for (long i = prop_count(60); i > 0; i--) {
        double sigma = prop_scaled(&rng, -2, 6);
        int shift = 1 + prop_below(&rng, 4);
        double mu = shift / sigma;
        double at = prop_uniform(&rng, 0, mu * mu / 2 + 8 * mu);
        char text[TEXT];
        snprintf(text, sizeof text, "group(%d, discrete_gaussian(%.17g))",
            shift, sigma);
        lattice_delta(exact, sigma, shift, at);
        check(text, at, exact, 1e-13);
    }
    arb_clear(exact);
}

/* One Poisson step over Laplace noise, from the two densities: the greater
 * of rate H(1 + (x - 1)/rate) and c H(x rate/c), c = 1 - (1 - rate) x. */
static void test_poisson(void **state)
{
    (void)state;
    arb_t removed, added, x, c, eps;
    arb_init(removed);
    arb_init(added);
    arb_init(x);
    arb_init(c);
    arb_init(eps);
    for (long i = prop_count(198); i > 0; i--) {
        double b = prop_scaled(&rng, -2, 3), rate = prop_uniform(&rng, 0, 1);
        double at = prop_uniform(&rng, 0, 1) * log1p(rate * expm1(1 / b));
        char text[TEXT];
        snprintf(
            text, sizeof text, "poisson(%.17g, laplace(%.17g))", rate, b);
        arb_set_d(x, at);
        arb_expm1(eps, x, BITS);
        arb_set_d(c, rate);
        arb_div(eps, eps, c, BITS);
        arb_log1p(eps, eps, BITS);
        laplace_delta(removed, b, eps);
        arb_mul(removed, removed, c, BITS);
        arb_exp(x, x, BITS);
        arb_sub_ui(c, c, 1, BITS);
        arb_mul(c, c, x, BITS);
        arb_add_ui(c, c, 1, BITS); /* 1 - (1 - rate) x */
        arb_zero(added);
        if (arb_is_positive(c)) {
            arb_set_d(eps, rate);
            arb_mul(eps, eps, x, BITS);
            arb_div(eps, eps, c, BITS);
            arb_log(eps, eps, BITS);
            laplace_delta(added, b, eps);
            arb_mul(added, added, c, BITS);
        }
        arb_max(removed, removed, added, BITS);
        check(text, at, removed, 1e-13);
    }
    arb_clear(removed);
    arb_clear(added);
    arb_clear(x);
    arb_clear(c);
    arb_clear(eps);
}

int main(void)
{
    rng = prop_start("prop_account_exact");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laplace),
        cmocka_unit_test(test_exponential),
        cmocka_unit_test(test_discrete_gaussian),
        cmocka_unit_test(test_poisson),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    flint_cleanup();
    return failed;
}
