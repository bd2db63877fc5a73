/*
 * Closed-form amplification of Rényi privacy by sampling, its limits, and
 * the scalar steps of the proofs.
 */
#include "formulary/formula.h"

#include "sampling/amplify.h"

#define P ARG("p")
#define X ARG("x")
#define RHO ARG("rho")
#define ALPHA ARG("alpha")

FORMULA_BALL(amplify_lambda, amplify_lambda(P, ALPHA))

/* ---- Scalar steps ------------------------------------------------------- */

FORMULA_BALL(amplify_harmonic, amplify_harmonic(P, X))
FORMULA_BALL(mean, amplify_mean(P, X))
FORMULA_BALL(cubic, amplify_cubic(P, X, ARG("v")))
FORMULA_BALL(cubic_floor, amplify_cubic_floor(P, ARG("v")))
FORMULA_BALL(power, amplify_power(P, X, ALPHA))
FORMULA_BALL(quadratic, amplify_quadratic(P, X, ALPHA))
FORMULA_INTERVAL(
    quadratic_applies, iv_point(amplify_quadratic_applies(P, X, ALPHA) ? 1 : 0))

/* p <= 1 - 1/e, or a refusal. */
static dosi_status check_rate(const formula_args *args, dosi_error *err)
{
    if (!amplify_rate_is_small(P))
        return formula_domain(
            err, "needs p <= 1 - 1/e, got p = %.17g", formula_real(args, "p"));
    return DOSI_OK;
}

FORMULA(quadratic_tail)
{
    dosi_status status = check_rate(args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(
        out, amplify_quadratic_tail(P, X, ALPHA, ARG("omega")), err);
}

/* ---- Bounds for a rho-zCDP base ----------------------------------------- */

FORMULA_BALL(omega, amplify_omega(P, RHO))
FORMULA_INTERVAL(slope_applies, iv_point(amplify_slope_applies(P, RHO) ? 1 : 0))

FORMULA(slope)
{
    if (!amplify_slope_applies(P, RHO))
        return formula_domain(err,
            "needs omega >= 3 + 2 log(1/rho)/log(1/p), got omega = %.17g at "
            "p = %.17g, rho = %.17g",
            ball_mid(amplify_omega(P, RHO)), formula_real(args, "p"),
            formula_real(args, "rho"));
    return formula_give(out, amplify_slope(P, RHO), err);
}

FORMULA_BALL(limit_lower, amplify_limit_lower(P, RHO, ALPHA))
FORMULA_BALL(large_order, amplify_large_order(P, ALPHA, ball_mul(ALPHA, RHO)))
FORMULA_BALL(large_order_relaxed,
    amplify_large_order_relaxed(P, ALPHA, ball_mul(ALPHA, RHO)))
FORMULA_BALL(analytic_omega, amplify_analytic_omega(P, RHO, ALPHA))

FORMULA(amplify_analytic)
{
    dosi_status status = check_rate(args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(
        out, amplify_analytic(P, RHO, ALPHA, ARG("omega")), err);
}

FORMULA(analytic_linear)
{
    dosi_status status = check_rate(args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(
        out, amplify_analytic_linear(P, RHO, ALPHA, ARG("omega")), err);
}

FORMULA(analytic_best)
{
    dosi_status status = check_rate(args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(out, amplify_analytic_best(P, RHO, ALPHA), err);
}

/* ---- A sampled mean ----------------------------------------------------- */

FORMULA_BALL(mean_rho, amplify_mean_rho(ARG("n"), ARG("sigma")))
FORMULA_BALL(
    mean_rho_sampled, amplify_mean_rho_sampled(ARG("n"), P, ARG("sigma")))
FORMULA_BALL(mean_error, amplify_mean_error(ARG("n"), P, ARG("sigma")))
