/*
 * Mean-concentrated DP and zCDP, curves of (epsilon, delta) back to zCDP,
 * and the thresholded bit that separates the two notions.
 */
#include "formulary/line_args.h"
#include "literature/mcdp.h"

/* ---- mCDP ---------------------------------------------------------------- */

FORMULA_BALL(xi_of_mcdp, mcdp_line(ARG("mu"), ARG("tau")).xi)
FORMULA_BALL(rho_of_mcdp, mcdp_line(ARG("mu"), ARG("tau")).rho)
LINE_BALL(mu_of_line, line_read, ball_add(line.xi, line.rho))
FORMULA_BALL(tau_crossover, ((void)args, mcdp_tau_crossover()))
FORMULA_BALL(variance_ratio, mcdp_variance_ratio(ARG("eps")))

/* In logarithms where e^a would leave the range. */
static dosi_interval tau_at(ball a, bool proof)
{
    if (a.hi > 600)
        return exp_or_above(proof ? mcdp_log_tau_proof(a) : mcdp_log_tau(a));
    return ball_interval(proof ? mcdp_tau_proof(a) : mcdp_tau(a));
}

LINE_INTERVAL(tau_of_line, line_read, tau_at(mcdp_exponent(line), false))
LINE_INTERVAL(tau_of_proof, line_read, tau_at(mcdp_exponent(line), true))

/* xi + 2 rho = mu + tau^2/2 */
FORMULA_INTERVAL(tau_roundtrip,
    tau_at(ball_add(ARG("mu"), ball_scale2(ball_sqr(ARG("tau")), -1)), false))

/* ---- Curves -------------------------------------------------------------- */

FORMULA_BALL(
    curve_xi_printed, curve_xi(ARG("xihat"), ARG("rhohat"), ball_of(5)))
FORMULA_BALL(
    curve_xi_proof, curve_xi(ARG("xihat"), ARG("rhohat"), curve_constant()))
FORMULA_BALL(curve_xi_opt, curve_xi_best(ARG("xihat"), ARG("rhohat")))
FORMULA_BALL(curve_rho, ball_scale2(ARG("rhohat"), -2))
FORMULA_BALL(curve_tail, curve_log_tail(ARG("rhohat"), ARG("t")))

/* ---- The thresholded bit ------------------------------------------------- */

static bit_release bit_of(const formula_args *args)
{
    return bit_release_of(ARG("sigma"), ARG("t"));
}

static ball bit_moment_of(const formula_args *args, ball lambda)
{
    bit_release bit = bit_of(args);
    return bit_log_moment(&bit, lambda);
}

static ball bit_mean_of(const formula_args *args)
{
    bit_release bit = bit_of(args);
    return bit_log_mean(&bit);
}

FORMULA_BALL(bit_p, bit_of(args).log_p)
FORMULA_BALL(bit_q, bit_of(args).log_q)
FORMULA_BALL(bit_mean, bit_mean_of(args))
FORMULA_INTERVAL(
    bit_moment, within(bit_moment_of(args, ARG("lambda")), 0, HUGE_VAL))
FORMULA_BALL(bit_allows, bit_allowed(ARG("sigma"), ARG("lambda")))
FORMULA_BALL(bit_crossover, ((void)args, bit_sigma_crossover()))

FORMULA(bit_violates)
{
    ball sigma = ARG("sigma"), t = ARG("t");
    ball cube = ball_mul(ball_sqr(sigma), sigma);
    if (ball_less(t, ball_add_d(ball_mul_d(cube, 6), 1)))
        return formula_domain(err,
            "needs t >= 6 sigma^3 + 1, got t = %.17g, sigma = %.17g", t.hi,
            sigma.hi);
    ball lambda = ball_scale2(t, -1);
    return give_verdict(
        out, bit_allowed(sigma, lambda), bit_moment_of(args, lambda), err);
}

/* Rows that hold for sigma <= t - 1 only. */
#define FAR_BIT(function, expression)                                          \
    FORMULA(function)                                                          \
    {                                                                          \
        ball sigma = ARG("sigma"), t = ARG("t");                               \
        if (ball_less(ball_sub_d(t, 1), sigma))                                \
            return formula_domain(err,                                         \
                "needs sigma <= t - 1, got sigma = %.17g, t = %.17g",          \
                sigma.hi, t.hi);                                               \
        return formula_give(out, (expression), err);                           \
    }

FAR_BIT(bit_p_lower, bit_log_p_lower(sigma, t))
FAR_BIT(bit_p_upper, bit_log_p_upper(sigma, t))
FAR_BIT(bit_ratio_lower, bit_loss_lower(sigma, t))
