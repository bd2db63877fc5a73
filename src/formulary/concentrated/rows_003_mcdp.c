/*
 * Mean-concentrated DP and zCDP, curves of (epsilon, delta) back to zCDP,
 * and the thresholded bit that separates the two notions.
 */
#include "formulary/line_args.h"
#include "literature/mcdp.h"
#include "num/bracket.h"
#include "special/special.h"

/* ---- mCDP ---------------------------------------------------------------- */

/* (mu, tau)-mCDP, whose loss has mean at most mu and, centred, log moments at
 * most lambda^2 tau^2/2, is (mu - tau^2/2, tau^2/2)-zCDP. */
static ball half_square(const formula_args *args)
{
    return ball_scale2(ball_sqr(ARG("tau")), -1);
}

FORMULA_BALL(xi_of_mcdp, ball_sub(ARG("mu"), half_square(args)))
FORMULA_BALL(rho_of_mcdp, half_square(args))
LINE_BALL(mu_of_line, line_read, ball_add(line.xi, line.rho))

/* e^a - 1 - 2a, of slope e^a - 2 */
static ball tau_excess(ball a, const void *context)
{
    (void)context;
    return ball_sub(ball_expm1(a), ball_scale2(a, 1));
}

FORMULA_INTERVAL(
    tau_crossover, ((void)args, bracket_root_of(tau_excess, NULL, 1, 2)))

/* Var[Z]/eps of P = (1/2, 1/2), Q = (e^-eps/2, 1 - e^-eps/2): the losses are
 * eps and -log(2 - e^-eps), each with probability 1/2. */
static ball variance_ratio_of(ball eps)
{
    ball rest = ball_log1p(ball_neg(ball_expm1(ball_neg(eps))));
    ball half = ball_scale2(ball_add(eps, rest), -1);
    return ball_div(ball_sqr(half), eps);
}

FORMULA_BALL(variance_ratio, variance_ratio_of(ARG("eps")))

/* sqrt(max(8 a, 4 (e^a - 1))), and the weaker sqrt(8 (e^a - 1)) of the proof in
 * the source, in logarithms where e^a would leave the range. */
static dosi_interval tau_at(ball a, bool proof)
{
    if (a.hi > 600) {
        ball log_square = ball_add(ball_logexpm1(a), ball_scale2(ball_ln2(), 1));
        if (proof)
            log_square = ball_add(log_square, ball_ln2());
        return exp_or_above(ball_scale2(log_square, -1));
    }
    ball bend = ball_scale2(ball_expm1(a), 2);
    ball square = proof ? ball_scale2(bend, 1)
                        : ball_max(ball_scale2(a, 3), bend);
    return ball_interval(ball_sqrt(square));
}

/* max(xi, 0) + 2 rho */
static ball exponent_of(cdp_line line)
{
    ball xi = ball_is_negative(line.xi) ? ball_of(0) : line.xi;
    return ball_add(xi, ball_scale2(line.rho, 1));
}

LINE_INTERVAL(tau_of_line, line_read, tau_at(exponent_of(line), false))
LINE_INTERVAL(tau_of_proof, line_read, tau_at(exponent_of(line), true))

/* xi + 2 rho = mu + tau^2/2 */
FORMULA_INTERVAL(
    tau_roundtrip, tau_at(ball_add(ARG("mu"), half_square(args)), false))

/* ---- Curves -------------------------------------------------------------- */

/* xi of the line with slope rho/4: xi - rho/4 + constant rho^(1/4). */
static ball curve_xi_of(const formula_args *args, ball constant)
{
    ball rho = ARG("rhohat"), root = ball_sqrt(ball_sqrt(rho));
    ball xi = ball_sub(ARG("xihat"), ball_scale2(rho, -2));
    return ball_add(xi, ball_mul(constant, root));
}

FORMULA_BALL(curve_xi_printed, curve_xi_of(args, ball_of(5)))
FORMULA_BALL(curve_xi_proof,
    curve_xi_of(
        args, ball_add_d(ball_scale2(ball_sqrt(ball_pi()), 1), 1)))
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
/* 2 lambda^2/sigma^2, the bound of that moment under
 * (2/sigma^2, 2/sigma)-mCDP. */
static ball bit_allowed(ball sigma, ball lambda)
{
    return ball_scale2(ball_sqr(ball_div(lambda, sigma)), 1);
}

FORMULA_BALL(bit_allows, bit_allowed(ARG("sigma"), ARG("lambda")))

/* 3s - log(2 sqrt(2 pi) (1 + 6 s^3)), of slope 3 - 18 s^2/(1 + 6 s^3) > 0 from
 * s = 1 on: the printed last step of the proof holds from its root on. */
static ball sigma_excess(ball s, const void *context)
{
    (void)context;
    ball cube = ball_mul_d(ball_mul(ball_sqr(s), s), 6);
    ball right = ball_add(ball_add(ball_ln2(), ball_scale2(ball_log_2pi(), -1)),
        ball_log1p(cube));
    return ball_sub(ball_mul_d(s, 3), right);
}

FORMULA_INTERVAL(
    bit_crossover, ((void)args, bracket_root_of(sigma_excess, NULL, 1, 2)))

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

/* log(sigma/(sum sqrt(2 pi))) - (t-1)^2/(2 sigma^2) */
static ball bit_bound(ball sigma, ball t, ball sum)
{
    ball x = ball_div(ball_sub_d(t, 1), sigma);
    return ball_add(ball_log_normal_pdf(x), ball_log(ball_div(sigma, sum)));
}

FAR_BIT(
    bit_p_lower, bit_bound(sigma, t, ball_sub_d(ball_add(t, sigma), 1)))
FAR_BIT(bit_p_upper, bit_bound(sigma, t, ball_sub_d(t, 1)))
FAR_BIT(bit_ratio_lower, ball_scale2(ball_div(ball_div(t, sigma), sigma), 1))
