/*
 * Pure DP and zCDP: the worst Renyi curve of eps-DP, the lines above it, and
 * the inequality behind them.
 */
#include "formulary/line_args.h"
#include "renyi/renyi.h"
#include "literature/zcdp_line_response.h"
#include "renyi/zcdp.h"

/* ---- Rho ----------------------------------------------------------------- */

FORMULA_BALL(rho_of_pure, zcdp_of_pure(ARG("eps")))
FORMULA_BALL(rho_tight, renyi_rr_mean_loss(ARG("eps")))
FORMULA_BALL(epsilon_of_rho, ball_sqrt(ball_scale2(ARG("rho"), 1)))
FORMULA_BALL(xi_of_pure, ARG("eps"))
FORMULA_BALL(rho_of_xi, ball_min(ARG("xi"), zcdp_of_pure(ARG("xi"))))
FORMULA_BALL(rho_of_xi_tight, renyi_rr_mean_loss(ARG("xi")))
FORMULA_BALL(fold, ball_add(ARG("xi"), ARG("rho")))

/* eps (e^eps - 1) / 2 */
static dosi_interval rho_older_of(ball eps)
{
    if (eps.hi > 600)
        return exp_or_above(
            ball_add(ball_log(ball_scale2(eps, -1)), ball_logexpm1(eps)));
    return ball_interval(ball_scale2(ball_mul(eps, ball_expm1(eps)), -1));
}

FORMULA_INTERVAL(rho_older, rho_older_of(ARG("eps")))

/* ---- The curve ----------------------------------------------------------- */

FORMULA_BALL(pure_renyi, renyi_rr(ARG("alpha"), ARG("eps"), 2))

static ball curve_bound_of(const formula_args *args)
{
    ball eps = ARG("eps"), alpha = ARG("alpha");
    if (ball_is_zero(eps) || isinf(alpha.hi))
        return eps;
    return ball_min(eps, ball_mul(alpha, zcdp_of_pure(eps)));
}

FORMULA_BALL(curve_bound, curve_bound_of(args))

FORMULA_INTERVAL(front, response_least_xi(ARG("eps"), ARG("rhofrac")))

/* ---- The inequality ------------------------------------------------------ */

/* (sinh x - sinh y) / sinh(x - y) = cosh((x+y)/2) / cosh((x-y)/2), as
 * e^y (1 + e^-(x+y)) / (1 + e^-(x-y)). */
static dosi_interval sinh_ratio_of(ball x, ball y)
{
    ball top = ball_add_d(ball_exp(ball_neg(ball_add(x, y))), 1);
    ball low = ball_add_d(ball_exp(ball_sub(y, x)), 1);
    ball ratio = ball_div(top, low);
    if (y.hi > 600)
        return exp_or_above(ball_add(y, ball_log(ratio)));
    return ball_interval(ball_mul(ball_exp(y), ratio));
}

FORMULA_INTERVAL(sinh_ratio, sinh_ratio_of(ARG("x"), ARG("y")))
FORMULA_INTERVAL(sinh_ratio_bound,
    exp_or_above(ball_scale2(ball_mul(ARG("x"), ARG("y")), -1)))
