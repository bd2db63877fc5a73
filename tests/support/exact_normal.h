/*
 * Arb's side of the tests of the normal law: exact tails and Mills ratio,
 * and the check that a ball contains a value and is small.
 */
#ifndef DOSI_TESTS_SUPPORT_EXACT_NORMAL_H
#define DOSI_TESTS_SUPPORT_EXACT_NORMAL_H

#include <arb.h>
#include <arb_hypgeom.h>
#include <stdio.h>

#include "num/ball.h"

static inline void exact_log_pdf(arb_t y, const arb_t x, slong precision)
{
    arb_t t;
    arb_init(t);
    arb_const_pi(t, precision);
    arb_mul_2exp_si(t, t, 1);
    arb_log(t, t, precision);
    arb_mul(y, x, x, precision);
    arb_add(y, y, t, precision);
    arb_mul_2exp_si(y, y, -1);
    arb_neg(y, y);
    arb_clear(t);
}

static inline void exact_sf(arb_t y, const arb_t x, slong precision)
{
    arb_t t;
    arb_init(t);
    arb_sqrt_ui(t, 2, precision);
    arb_div(t, x, t, precision);
    arb_hypgeom_erfc(y, t, precision);
    arb_mul_2exp_si(y, y, -1);
    arb_clear(t);
}

/* R(x) = U(1/2, 1/2, x^2/2) / sqrt 2 for x >= 12; else sf / phi. */
static inline void exact_mills(arb_t y, const arb_t x, slong precision)
{
    arb_t h, t;
    arb_init(h);
    arb_init(t);
    arb_sub_ui(t, x, 12, precision);
    if (arb_is_nonnegative(t)) {
        arb_mul(t, x, x, precision);
        arb_mul_2exp_si(t, t, -1);
        arb_set_d(h, 0.5);
        arb_hypgeom_u(t, h, h, t, precision);
        arb_sqrt_ui(h, 2, precision);
        arb_div(y, t, h, precision);
    } else {
        exact_sf(t, x, precision);
        exact_log_pdf(h, x, precision);
        arb_exp(h, h, precision);
        arb_div(y, t, h, precision);
    }
    arb_clear(h);
    arb_clear(t);
}

/* The midpoint, exactly. */
static inline void arb_set_ball(arb_t y, ball x)
{
    arb_t t;
    arb_init(t);
    arb_set_d(t, x.lo);
    arb_set_d(y, x.hi);
    arb_add(y, y, t, ARF_PREC_EXACT);
    arb_clear(t);
}

/* 0 when the exact y may lie in x and rad <= tolerance |y| + slack. */
static inline int check_ball_at(
    const char *name, ball x, const arb_t y, double tolerance, double slack)
{
    arb_t d;
    arf_t t;
    arb_init(d);
    arf_init(t);
    arb_set_ball(d, x);
    arb_sub(d, d, y, 1000);
    arb_get_abs_lbound_arf(t, d, 200);
    int inside = ball_is_unknown(x) || arf_cmp_d(t, x.rad) <= 0;
    arb_get_abs_lbound_arf(t, y, 53);
    double size = arf_get_d(t, ARF_RND_DOWN);
    int narrow = slack == HUGE_VAL || x.rad <= tolerance * size + slack;
    int failed = !arb_is_finite(y) || !(inside && narrow);
    if (failed) {
        printf("FAILED %s (%s): ball %a %a %a, exact ", name,
            inside ? "width" : "outside", x.hi, x.lo, x.rad);
        arb_printd(y, 40);
        printf("\n");
    }
    arb_clear(d);
    arf_clear(t);
    return failed;
}

#endif
