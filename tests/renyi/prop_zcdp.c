/*
 * The conversions of zCDP against Arb: the optimal t is found by bisection
 * at 320 bits, the value evaluated there as printed in the literature, and
 * the enclosure must contain it and be narrow; the three conversions undo
 * one another.
 */
#include <arb.h>

#include "support/random.h"
#include "renyi/zcdp.h"

#define PRECISION 320

/* rho, eps, L = -log delta, and scratch. */
typedef struct exact {
    arb_t rho, eps, target, t, u, v;
} exact;

static void exact_init(exact *e)
{
    arb_ptr all[] = {e->rho, e->eps, e->target, e->t, e->u, e->v};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        arb_init(all[i]);
}

static void exact_clear(exact *e)
{
    arb_ptr all[] = {e->rho, e->eps, e->target, e->t, e->u, e->v};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        arb_clear(all[i]);
}

/* u = log(1 + 1/t) */
static void exact_log1p_inverse(exact *e)
{
    arb_inv(e->u, e->t, PRECISION);
    arb_log1p(e->u, e->u, PRECISION);
}

/* v = (2t + 1) rho - log(1 + 1/t), the epsilon at the optimum. */
static void exact_epsilon(exact *e)
{
    exact_log1p_inverse(e);
    arb_mul_2exp_si(e->v, e->t, 1);
    arb_add_ui(e->v, e->v, 1, PRECISION);
    arb_mul(e->v, e->v, e->rho, PRECISION);
    arb_sub(e->v, e->v, e->u, PRECISION);
}

/* v = t^2 rho + log(1 + t), minus log delta at the optimum. */
static void exact_minus_log_delta(exact *e)
{
    arb_log1p(e->u, e->t, PRECISION);
    arb_mul(e->v, e->t, e->t, PRECISION);
    arb_mul(e->v, e->v, e->rho, PRECISION);
    arb_add(e->v, e->v, e->u, PRECISION);
}

/* Solves v(t) = goal for an increasing v by bisection in log2 t. */
static void exact_solve(exact *e, void (*value)(exact *), const arb_t goal)
{
    arb_t low, high;
    arb_init(low);
    arb_init(high);
    arb_set_si(low, -3000);
    arb_set_si(high, 3000);
    for (int i = 0; i < PRECISION - 20; i++) {
        arb_add(e->u, low, high, PRECISION);
        arb_mul_2exp_si(e->u, e->u, -1);
        arb_get_mid_arb(e->u, e->u);
        arb_t middle;
        arb_init(middle);
        arb_set(middle, e->u);
        arb_const_log2(e->t, PRECISION);
        arb_mul(e->t, e->t, middle, PRECISION);
        arb_exp(e->t, e->t, PRECISION);
        value(e);
        if (arb_lt(e->v, goal))
            arb_set(low, middle);
        else
            arb_set(high, middle);
        arb_clear(middle);
    }
    arb_union(low, low, high, PRECISION);
    arb_const_log2(e->t, PRECISION);
    arb_mul(e->t, e->t, low, PRECISION);
    arb_exp(e->t, e->t, PRECISION);
    arb_clear(low);
    arb_clear(high);
}

static int failures = 0;

/* x holds v, and is narrower than width relative to its size. */
static void check(const char *what, dosi_interval x, const arb_t v,
    double width, const double *inputs)
{
    arb_t low, high;
    arb_init(low);
    arb_init(high);
    arb_set_d(low, x.lo);
    arb_set_d(high, x.hi);
    bool inside = !arb_gt(low, v) && !arb_lt(high, v);
    bool narrow = x.hi - x.lo <= width * fmax(fabs(x.lo), fabs(x.hi)) + 1e-300;
    if (!inside || !narrow) {
        failures++;
        printf("%s(%.17g, %.17g): [%.17g, %.17g] %s ", what, inputs[0],
            inputs[1], x.lo, x.hi, inside ? "is wide for" : "misses");
        arb_printn(v, 25, 0);
        printf("\n");
    }
    arb_clear(low);
    arb_clear(high);
}

static void check_log_delta(exact *e, double rho, double eps)
{
    arb_set_d(e->rho, rho);
    arb_set_d(e->eps, eps);
    exact_solve(e, exact_epsilon, e->eps);
    exact_minus_log_delta(e);
    arb_neg(e->v, e->v);
    const double inputs[] = {rho, eps};
    check("log_delta", zcdp_log_delta(ball_of(rho), ball_of(eps)), e->v, 1e-15,
        inputs);
}

static void check_epsilon(exact *e, double rho, double delta)
{
    arb_set_d(e->rho, rho);
    arb_set_d(e->target, delta);
    arb_log(e->target, e->target, PRECISION);
    arb_neg(e->target, e->target);
    exact_solve(e, exact_minus_log_delta, e->target);
    exact_epsilon(e);
    const double inputs[] = {rho, delta};
    ball log_delta = ball_log(ball_of(delta));
    dosi_interval eps = zcdp_epsilon_unclamped(ball_of(rho), log_delta);
    check("epsilon", eps, e->v, 1e-12, inputs);
    arb_add_ui(e->u, e->t, 1, PRECISION);
    check("alpha", zcdp_alpha(ball_of(rho), log_delta), e->u, 1e-15, inputs);
    if (!(eps.lo > 0))
        return;
    /* rho at that epsilon is rho again */
    ball at = ball_of_interval(eps);
    arb_set_d(e->v, rho);
    check("rho", zcdp_rho(at, log_delta), e->v, 1e-11, inputs);
}

static double draw_delta(prop_random *r)
{
    switch (prop_below(r, 4)) {
    case 0:
        return prop_scaled(r, -1020, -1);
    case 1:
        return 1 - prop_scaled(r, -52, -1);
    default:
        return pow(10, -(double)(1 + prop_below(r, 300)));
    }
}

int main(void)
{
    prop_random r = prop_start("prop_zcdp");
    exact e;
    exact_init(&e);
    long n = prop_count(1000);
    for (long i = 0; i < n; i++) {
        double rho = prop_scaled(&r, -40, 12);
        double eps = prop_below(&r, 8) == 0 ? 0 : prop_scaled(&r, -40, 17);
        check_log_delta(&e, rho, eps);
        check_epsilon(&e, rho, draw_delta(&r));
    }
    exact_clear(&e);
    flint_cleanup();
    printf("%ld cases, %d failures\n", n, failures);
    return failures != 0;
}
