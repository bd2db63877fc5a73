/*
 * Subsampling of pure and approximate DP, the exact profile of one round of
 * the sampled Gaussian, and the accountants of many rounds.
 */
#include "formulary/formula.h"

#include "sampling/amplify.h"
#include "renyi/poisson_base_renyi.h"
#include "literature/dpsgd_renyi.h"

/* ---- Pure and approximate DP, T000-29 ----------------------------------- */

FORMULA_BALL(sampling_epsilon, amplify_epsilon(ARG("p"), ARG("eps")))
FORMULA_BALL(sampling_delta, amplify_delta(ARG("p"), ARG("delta")))
FORMULA_BALL(
    sampling_epsilon_simple, amplify_epsilon_simple(ARG("p"), ARG("eps")))
FORMULA_BALL(base_epsilon, amplify_base_epsilon(ARG("p"), ARG("target_eps")))
FORMULA_BALL(
    epsilon_base_first, amplify_epsilon_base_first(ARG("p"), ARG("eps")))
FORMULA_BALL(delta_base_first,
    amplify_delta_base_first(ARG("p"), ARG("eps"), ARG("delta")))

/* ---- One round of the sampled Gaussian ---------------------------------- */

static ball mu_of(const formula_args *args)
{
    return ball_div(ARG("sens"), ARG("sigma"));
}

FORMULA_BALL(delta_add, sampled_gaussian_delta(SAMPLED_MIXTURE_FIRST, ARG("p"),
                            mu_of(args), ARG("eps")))
FORMULA_BALL(delta_rem, sampled_gaussian_delta(SAMPLED_BASE_FIRST, ARG("p"),
                            mu_of(args), ARG("eps")))
FORMULA_BALL(renyi_add, sampled_gaussian_renyi(SAMPLED_MIXTURE_FIRST, ARG("p"),
                            mu_of(args), ARG("alpha")))
FORMULA_BALL(renyi_rem, sampled_gaussian_renyi(SAMPLED_BASE_FIRST, ARG("p"),
                            mu_of(args), ARG("alpha")))

/* ---- Many rounds -------------------------------------------------------- */

static sampled_naive naive(const formula_args *args)
{
    ball mu = ball_div(ball_of(1), ARG("sigma"));
    return sampled_rounds_naive(ARG("p"), ARG("T"), mu, ARG("delta"));
}

FORMULA_INTERVAL(naive_base, naive(args).base)
FORMULA_INTERVAL(naive_sampled, naive(args).sampled)
FORMULA_INTERVAL(naive_total, naive(args).total)

static sampled_rounds rounds_of(const formula_args *args)
{
    sampled_rounds s = {.rate = formula_real(args, "p"),
        .rounds = formula_real(args, "T"),
        .sens = formula_real(args, "sens")};
    s.orders = formula_list(args, "alphas", &s.n_orders);
    return s;
}

FORMULA(rounds_epsilon)
{
    sampled_rounds s = rounds_of(args);
    dosi_interval order;
    return sampled_rounds_epsilon(out, &order, &s, formula_real(args, "sigma"),
        formula_real(args, "delta"), err);
}

FORMULA(rounds_order)
{
    sampled_rounds s = rounds_of(args);
    dosi_interval eps;
    return sampled_rounds_epsilon(&eps, out, &s, formula_real(args, "sigma"),
        formula_real(args, "delta"), err);
}

FORMULA(rounds_sigma)
{
    sampled_rounds s = rounds_of(args);
    return sampled_rounds_sigma(
        out, &s, formula_real(args, "eps"), formula_real(args, "delta"), err);
}

FORMULA(rounds_asymptotic)
{
    ball rho = ball_scale2(ball_sqr(mu_of(args)), -1);
    if (!amplify_slope_applies(ARG("p"), rho))
        return formula_domain(err,
            "needs T000-38: p <= 1/2, rho = sens^2/(2 sigma^2) <= 1 and "
            "omega >= 3 + 2 log(1/rho)/log(1/p), got p = %.17g, rho = %.17g, "
            "omega = %.17g",
            formula_real(args, "p"), ball_mid(rho),
            ball_mid(amplify_omega(ARG("p"), rho)));
    dosi_interval eps =
        sampled_rounds_analytic_epsilon(ARG("p"), rho, ARG("T"), ball_log(ARG("delta")));
    return formula_give_interval(out, eps, err);
}
