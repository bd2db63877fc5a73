/*
 * Pure DP and zCDP: the worst Renyi curve of eps-DP, the lines above it, and
 * the inequality behind them.
 */
#include "line_args.h"
#include "repr/renyi.h"
#include "repr/response_line.h"
#include "repr/zcdp.h"

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

FORMULA_BALL(curve, renyi_rr(ARG("alpha"), ARG("eps"), 2))

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

static const formula_row rows[] = {
    {"T003-3.2", "pure.xi", "eps", "exact", "eps >= 0",
        "eps-DP is (eps, 0)-zCDP, and the other way round.", xi_of_pure},
    {"T003-1.4", "pure.rho", "eps", "upper", "eps >= 0",
        "rho of an eps-DP mechanism, eps^2 / 2.", rho_of_pure},
    {"D003-3.3-tightrho", "pure.rho_tight", "eps", "exact", "eps >= 0",
        "The least rho of eps-DP mechanisms, eps tanh(eps/2).", rho_tight},
    {"T003-1.4-dr16", "pure.rho_older", "eps", "upper", "eps >= 0",
        "The older eps (e^eps - 1) / 2, for comparison.", rho_older},
    {"T003-1.4-inv", "pure.epsilon_in_rho", "rho", "exact", "rho >= 0",
        "The largest eps with eps^2 / 2 <= rho.", epsilon_of_rho},
    {"T003-3.3-curve", "pure.renyi", "eps;alpha", "exact",
        "eps >= 0, 1 <= alpha <= inf",
        "The worst Renyi divergence of eps-DP at an order.", curve},
    {"T003-3.3-bound", "pure.renyi_bound", "eps;alpha", "upper",
        "eps >= 0, 1 <= alpha <= inf",
        "min(eps, alpha eps^2 / 2), above that divergence.", curve_bound},
    {"T003-3.4", "pure.kl_bound", "eps", "upper", "eps >= 0",
        "Kullback-Leibler divergence of eps-DP, at most eps^2 / 2.",
        rho_of_pure},
    {"D003-3.3-front", "pure.least_xi", "eps;rhofrac", "exact",
        "eps >= 0, rhofrac >= 0",
        "The least xi of eps-DP at rho = rhofrac eps tanh(eps/2).", front},
    {"T003-8.3-rho", "line.rho_of_xi", "xi", "upper", "xi >= 0",
        "(xi, 0)-zCDP, also approximate, is min(xi, xi^2/2)-zCDP.", rho_of_xi},
    {"D003-8.3-rho-tight", "line.rho_of_xi_tight", "xi", "upper", "xi >= 0",
        "The same with xi tanh(xi/2).", rho_of_xi_tight},
    {"D003-8.3-fold", "line.fold", "xi;rho", "upper", "xi >= 0, rho >= 0",
        "(xi, rho)-zCDP is (xi + rho)-zCDP.", fold},
    {"T003-B.1-lhs", "lemma.sinh_ratio", "x;y", "helper", "0 <= y < x",
        "(sinh x - sinh y) / sinh(x - y).", sinh_ratio},
    {"T003-B.1-rhs", "lemma.sinh_ratio_bound", "x;y", "helper", "0 <= y < x",
        "exp(x y / 2), above that ratio.", sinh_ratio_bound},
};

FORMULA_TABLE(formula_003_pure, rows);
