/*
 * Closed-form amplification of Rényi privacy by sampling, its limits, and
 * the scalar steps of the proofs.
 */
#include "formula.h"

#include "repr/amplify.h"

#define P ARG("p")
#define X ARG("x")
#define RHO ARG("rho")
#define ALPHA ARG("alpha")

FORMULA_BALL(lambda, amplify_lambda(P, ALPHA))

/* ---- Scalar steps ------------------------------------------------------- */

FORMULA_BALL(harmonic, amplify_harmonic(P, X))
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

static dosi_status quadratic_tail(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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

static dosi_status slope(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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

static dosi_status analytic(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    dosi_status status = check_rate(args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(
        out, amplify_analytic(P, RHO, ALPHA, ARG("omega")), err);
}

static dosi_status analytic_linear(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    dosi_status status = check_rate(args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(
        out, amplify_analytic_linear(P, RHO, ALPHA, ARG("omega")), err);
}

static dosi_status analytic_best(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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

#define RATE "0 <= p <= 1"
#define SOME_RATE "0 < p <= 1"
#define ZCDP ", rho > 0, alpha > 1"
#define SMALL_RATE ", alpha <= omega; p <= 1 - 1/e"

static const formula_row rows[] = {
    {"T000-35.lambda", "amplify.lambda", "p;alpha", "helper",
        RATE ", alpha > 1",
        "Weight that bounds the removal direction by the add direction.",
        lambda},
    {"T000-36.lhs", "amplify.harmonic", "p;x", "helper", RATE ", x > 0",
        "1/(1-p+p/x), at most 1-p+px.", harmonic},
    {"T000-36.rhs", "amplify.mean", "p;x", "helper", RATE ", x > 0", "1-p+px.",
        mean},
    {"T000-37.lhs", "amplify.cubic", "p;x;v", "helper", RATE ", x > 0, v >= 1",
        "3(1-p)(1-p+px)^v + vp((1-p)/x+p)^3, at least 3(1-p)+vp.", cubic},
    {"T000-37.rhs", "amplify.cubic_floor", "p;x;v", "helper",
        RATE ", x > 0, v >= 1", "3(1-p)+vp.", cubic_floor},
    {"T000-38.omega", "amplify.omega", "p;rho", "exact", "0 < p < 1, rho > 0",
        "Largest order of the closed-form amplification.", omega},
    {"T000-38.applies", "amplify.slope_applies", "p;rho", "exact",
        "0 < p <= 1, rho > 0",
        "1 where amplify.slope is certified to hold, else 0.", slope_applies},
    {"T000-38.eps_per_alpha", "amplify.slope", "p;rho", "upper",
        "0 < p <= 0.5, 0 < rho <= 1; omega large enough",
        "Slope in the order of the sampled divergence, below "
        "amplify.omega.",
        slope},
    {"T000-39.applies", "amplify.quadratic_applies", "p;x;alpha", "helper",
        RATE ", x >= 0, alpha > 1",
        "1 where amplify.quadratic bounds amplify.power, else 0.",
        quadratic_applies},
    {"T000-39.lhs", "amplify.power", "p;x;alpha", "helper",
        RATE ", x >= 0, alpha > 1", "(1-p+px)^alpha.", power},
    {"T000-39.rhs", "amplify.quadratic", "p;x;alpha", "helper",
        RATE ", x >= 0, alpha > 1",
        "1 + alpha p(x-1) + (e/2) alpha(alpha-1) p^2 (x-1)^2.", quadratic},
    {"T000-40.rhs", "amplify.quadratic_tail", "p;x;alpha;omega", "helper",
        RATE ", x >= 0, alpha > 1" SMALL_RATE,
        "amplify.quadratic + ((alpha-1) p x)^omega, at least "
        "amplify.power.",
        quadratic_tail},
    {"S000-6.6.lower", "amplify.limit_lower", "p;rho;alpha", "lower",
        SOME_RATE ", rho >= 0, alpha > 1",
        "What no sampling can go below: alpha rho less a constant.",
        limit_lower},
    {"T000-41.eps_log", "amplify.analytic", "p;rho;alpha;omega", "upper",
        SOME_RATE ZCDP SMALL_RATE, "Analytic amplification of a rho-zCDP base.",
        analytic},
    {"T000-41.eps_linear", "amplify.analytic_linear", "p;rho;alpha;omega",
        "upper", SOME_RATE ZCDP SMALL_RATE, "The same without the logarithm.",
        analytic_linear},
    {"T000-41.omega_opt", "amplify.analytic_omega", "p;rho;alpha", "exact",
        SOME_RATE ZCDP, "The omega that makes amplify.analytic least.",
        analytic_omega},
    {"T000-41.eps_opt", "amplify.analytic_best", "p;rho;alpha", "upper",
        SOME_RATE ZCDP "; p <= 1 - 1/e",
        "Analytic amplification at the best omega.", analytic_best},
    {"T000-42.eps", "amplify.large_order", "p;rho;alpha", "upper",
        SOME_RATE ", rho >= 0, alpha > 1", "Amplification at large orders.",
        large_order},
    {"T000-42.relaxed", "amplify.large_order_relaxed", "p;rho;alpha", "upper",
        SOME_RATE ", rho >= 0, alpha > 1",
        "The same with log(1+u) replaced by u.", large_order_relaxed},
    {"S000-6.6.rho_full", "mean.rho", "n;sigma", "exact",
        "n >= 1, n whole, sigma > 0", "rho of a noisy mean of n values.",
        mean_rho},
    {"S000-6.6.rho_unamplified", "mean.rho_sampled", "n;p;sigma", "exact",
        "n >= 1, n whole, sigma > 0, " SOME_RATE,
        "rho of a noisy mean over a sample, before amplification.",
        mean_rho_sampled},
    {"S000-6.6.mse_bound", "mean.squared_error", "n;p;sigma", "upper",
        "n >= 1, n whole, sigma > 0, " SOME_RATE,
        "Mean squared error of the noisy mean over a sample.", mean_error},
};

FORMULA_TABLE(formula_amplify, rows);
