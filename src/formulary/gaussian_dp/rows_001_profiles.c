/*
 * Gaussian differential privacy and (eps, delta): the profile and its
 * inverses, groups, composition of mu, amplification of a profile by
 * sampling, and Renyi divergences.
 */
#include "formulary/formula.h"

#include "sampling/amplify.h"
#include "sampling/amplify_profile.h"
#include "noise/gaussian.h"
#include "noise/base_profile.h"
#include "renyi/renyi.h"
#include "sampling/poisson_gaussian.h"
#include "tradeoff/tradeoff.h"
#include "literature/tradeoff_fixed_size.h"

#define SHARE(name) share_of(formula_real(args, name))
#define LOG_DELTA ball_log(ARG("delta"))

/* ---- mu and (eps, delta) ------------------------------------------------ */

FORMULA_BALL(gdp_delta, gauss_delta(ARG("mu"), ARG("eps")))
FORMULA_BALL(gdp_log_delta, gauss_log_delta(ARG("mu"), ARG("eps")))
FORMULA_INTERVAL(gdp_epsilon, gauss_epsilon(ARG("mu"), LOG_DELTA))
FORMULA_INTERVAL(mu, gauss_mu(ARG("eps"), LOG_DELTA))
FORMULA_BALL(gdp_least_sigma,
    ball_div(ARG("sens"), ball_of_interval(gauss_mu(ARG("eps"), LOG_DELTA))))

static ball stated_delta(const formula_args *args)
{
    const base_profile p = {BASE_PROFILE_APPROX, ARG("eps0"), ARG("delta0")};
    return scaled_ball(base_profile_delta(&p, ARG("eps")));
}

FORMULA_BALL(tradeoff_approx_delta, stated_delta(args))

/* ---- Groups ------------------------------------------------------------- */

FORMULA_BALL(group_approx, tradeoff_approx_group(ARG("eps"), ARG("delta"),
                               formula_real(args, "k"), SHARE("alpha"))
                               .value)
FORMULA_BALL(group_mu, ball_mul(ARG("k"), ARG("mu")))
FORMULA_BALL(group_gauss,
    tradeoff_gauss(ball_mul(ARG("k"), ARG("mu")), SHARE("alpha")).value)
FORMULA_BALL(group_sampled, sampled_tradeoff_group(ARG("p"), ARG("mu"),
                                formula_real(args, "k"), SHARE("alpha"))
                                .value)
FORMULA_BALL(group_gap, tradeoff_group_gap(ball_div(ARG("mu"), ARG("k"))))

/* ---- Composition of mu, and of total failure ---------------------------- */

static ball root_of_squares(const formula_args *args)
{
    size_t n = 0;
    const double *x = formula_list(args, "mus", &n);
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++)
        sum = ball_add(sum, ball_sqr(ball_of(x[i])));
    return ball_sqrt(sum);
}

FORMULA_BALL(compose_mu, root_of_squares(args))
FORMULA_BALL(compose_mu_n, ball_mul(ARG("mu"), ball_sqrt(ARG("n"))))

static ball failure_of(const formula_args *args)
{
    size_t n = 0;
    const double *x = formula_list(args, "deltas", &n);
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++) {
        if (x[i] == 1)
            return ball_of(1);
        sum = ball_add(sum, ball_log1p(ball_of(-x[i])));
    }
    return ball_neg(ball_expm1(sum));
}

static ball failure_of_n(ball delta, ball n)
{
    if (ball_is_zero(ball_sub_d(delta, 1)))
        return delta;
    return ball_neg(ball_expm1(ball_mul(n, ball_log1p(ball_neg(delta)))));
}

FORMULA_BALL(compose_delta, failure_of(args))
FORMULA_BALL(compose_delta_n, failure_of_n(ARG("delta"), ARG("n")))

static ball keep_of(const formula_args *args)
{
    return ball_sub(ball_of(1), ARG("delta"));
}

FORMULA_BALL(
    leaky_curve, tradeoff_gauss_leaky(ARG("mu"), keep_of(args), ARG("alpha")))
FORMULA_BALL(leaky_delta,
    ball_add(ARG("delta"),
        ball_mul(keep_of(args), gauss_delta(ARG("mu"), ARG("eps")))))

/* ---- Sampling ----------------------------------------------------------- */

#define SAMPLED_CURVE sampled_tradeoff(ARG("p"), ARG("mu"), SHARE("alpha"))
FORMULA_BALL(sampled_curve, SAMPLED_CURVE.value)
FORMULA_BALL(sampled_roc, SAMPLED_CURVE.rest)
FORMULA_BALL(sampled_delta, sampled_gaussian_delta(SAMPLED_MIXTURE_FIRST,
                                ARG("p"), ARG("mu"), ARG("eps")))
FORMULA_BALL(
    sampled_log_delta, sampled_gaussian_log_delta(SAMPLED_MIXTURE_FIRST,
                           ARG("p"), ARG("mu"), ARG("eps")))
FORMULA_INTERVAL(sampled_epsilon,
    sampled_tradeoff_epsilon(ARG("p"), ARG("mu"), ARG("delta")))

FORMULA_BALL(amplified_eps, amplify_epsilon(ARG("p"), ARG("eps")))
FORMULA_BALL(amplified_delta, amplify_delta(ARG("p"), ARG("delta")))

/* C_p(f_{eps,delta}) = max{f_{eps',delta'}, intercept - alpha}, the intercept
 * of the line of slope -1 being 1 - p delta - p (1-delta) tanh(eps/2); as
 * printed in the source without the factor (1-delta), which is smaller. */
static ball intercept_of(const formula_args *args, bool printed)
{
    ball delta = ARG("delta"), weight = keep_of(args);
    ball t = ball_tanh(ball_scale2(ARG("eps"), -1));
    t = printed ? t : ball_mul(weight, t);
    ball loss = ball_mul(ARG("p"), ball_add(delta, t));
    return ball_sub(ball_of(1), loss);
}

static ball amplified_curve_of(const formula_args *args, bool printed)
{
    share f = tradeoff_approx(amplify_epsilon(ARG("p"), ARG("eps")),
        amplify_delta(ARG("p"), ARG("delta")), SHARE("alpha"));
    return ball_max(
        f.value, ball_sub(intercept_of(args, printed), ARG("alpha")));
}

static ball amplified_profile_of(const formula_args *args)
{
    const amplified a = {.theorem = AMPLIFY_POISSON,
        .base = {BASE_PROFILE_APPROX, ARG("eps"), ARG("delta")},
        .gamma = ARG("p")};
    if (ball_is_zero(a.gamma))
        return a.gamma;
    return scaled_ball(amplified_delta(&a, ARG("eps_out"), -HUGE_VAL));
}

FORMULA_BALL(intercept, intercept_of(args, false))
FORMULA_BALL(intercept_printed, intercept_of(args, true))
FORMULA_BALL(amplified_curve, amplified_curve_of(args, false))
FORMULA_BALL(amplified_curve_printed, amplified_curve_of(args, true))
FORMULA_BALL(amplified_profile, amplified_profile_of(args))

/* ---- Renyi -------------------------------------------------------------- */

FORMULA_BALL(
    renyi_gauss, ball_mul(ARG("order"), ball_scale2(ball_sqr(ARG("mu")), -1)))
FORMULA_BALL(renyi_of_pure, renyi_rr(ARG("order"), ARG("eps"), 2))
FORMULA_BALL(renyi_of_laplace, renyi_laplace(ARG("order"), ARG("mu")))
