/*
 * Subsampling of pure and approximate DP, the exact profile of one round of
 * the sampled Gaussian, and the accountants of many rounds.
 */
#include "formula.h"

#include "repr/amplify.h"
#include "repr/sampled_gaussian.h"
#include "repr/sampled_rounds.h"

/* ---- Pure and approximate DP, T000-29 ----------------------------------- */

FORMULA_BALL(epsilon, amplify_epsilon(ARG("p"), ARG("eps")))
FORMULA_BALL(delta, amplify_delta(ARG("p"), ARG("delta")))
FORMULA_BALL(epsilon_simple, amplify_epsilon_simple(ARG("p"), ARG("eps")))
FORMULA_BALL(base_epsilon, amplify_base_epsilon(ARG("p"), ARG("target_eps")))
FORMULA_BALL(epsilon_removal, amplify_epsilon_removal(ARG("p"), ARG("eps")))
FORMULA_BALL(
    delta_removal, amplify_delta_removal(ARG("p"), ARG("eps"), ARG("delta")))

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

static dosi_status rounds_epsilon(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    sampled_rounds s = rounds_of(args);
    dosi_interval order;
    return sampled_rounds_epsilon(out, &order, &s, formula_real(args, "sigma"),
        formula_real(args, "delta"), err);
}

static dosi_status rounds_order(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    sampled_rounds s = rounds_of(args);
    dosi_interval eps;
    return sampled_rounds_epsilon(&eps, out, &s, formula_real(args, "sigma"),
        formula_real(args, "delta"), err);
}

static dosi_status rounds_sigma(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    sampled_rounds s = rounds_of(args);
    return sampled_rounds_sigma(
        out, &s, formula_real(args, "eps"), formula_real(args, "delta"), err);
}

static dosi_status rounds_asymptotic(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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
        amplify_rounds_epsilon(ARG("p"), rho, ARG("T"), ball_log(ARG("delta")));
    return formula_give_interval(out, eps, err);
}

#define RATE "0 <= p <= 1"
#define NOISE ", sigma > 0, sens >= 0"
#define ROUNDS "0 < p <= 1, T >= 1, T whole, 0 < delta < 1"

static const formula_row rows[] = {
    {"T000-29.eps", "sampling.epsilon", "p;eps", "upper",
        RATE ", 0 <= eps <= inf",
        "epsilon of an eps-DP mechanism run on a sample of rate p.", epsilon},
    {"T000-29.delta", "sampling.delta", "p;delta", "upper",
        RATE ", 0 <= delta <= 1", "delta beside sampling.epsilon: p delta.",
        delta},
    {"T000-29.eps_simple", "sampling.epsilon_simple", "p;eps", "upper",
        RATE ", eps >= 0", "The readable bound p (e^eps - 1).", epsilon_simple},
    {"T000-29.base_eps", "sampling.base_epsilon", "p;target_eps", "exact",
        "0 < p <= 1, 0 <= target_eps <= inf",
        "The epsilon a mechanism may have so that its sample reaches the "
        "target.",
        base_epsilon},
    {"T000-29.eps_removal", "sampling.epsilon_removal", "p;eps", "upper",
        RATE ", 0 <= eps <= inf",
        "epsilon in the direction where the record is missing first.",
        epsilon_removal},
    {"T000-29.delta_removal", "sampling.delta_removal", "p;eps;delta", "upper",
        RATE ", 0 <= eps <= inf, 0 <= delta <= 1",
        "delta beside sampling.epsilon_removal.", delta_removal},
    {"D000-sgm.delta_add", "sampled_gaussian.delta_add", "p;sigma;sens;eps",
        "exact", RATE NOISE ", eps >= 0",
        "Profile of one sampled Gaussian round, mixture against base.",
        delta_add},
    {"D000-sgm.delta_rem", "sampled_gaussian.delta_rem", "p;sigma;sens;eps",
        "exact", RATE NOISE ", eps >= 0",
        "Profile of one sampled Gaussian round, base against mixture.",
        delta_rem},
    {"D000-sgm.rdp_add_exact", "sampled_gaussian.renyi_add",
        "p;sigma;sens;alpha", "exact", RATE NOISE ", alpha > 1",
        "Rényi divergence at a real order, mixture against base.", renyi_add},
    {"D000-sgm.rdp_rem_exact", "sampled_gaussian.renyi_rem",
        "p;sigma;sens;alpha", "exact", RATE NOISE ", alpha > 1",
        "Rényi divergence at a real order, base against mixture.", renyi_rem},
    {"S000-6.3.eps0", "sgd.naive_base", "sigma;p;T;delta", "exact",
        "sigma > 0, " ROUNDS,
        "Naive pipeline, step 1: epsilon of one round at delta/(2 T p).",
        naive_base},
    {"S000-6.3.eps1", "sgd.naive_sampled", "sigma;p;T;delta", "upper",
        "sigma > 0, " ROUNDS, "Naive pipeline, step 2: on a sample.",
        naive_sampled},
    {"S000-6.3.eps", "sgd.naive", "sigma;p;T;delta", "upper",
        "sigma > 0, " ROUNDS,
        "Naive pipeline: T rounds by advanced composition; poor, for "
        "comparison.",
        naive_total},
    {"S000-6.7.eps", "sgd.epsilon", "sigma;sens;p;T;delta;alphas[]", "upper",
        "sigma > 0, sens >= 0, " ROUNDS ", alphas >= 2, alphas whole",
        "T sampled Gaussian rounds through Rényi privacy.", rounds_epsilon},
    {"S000-6.7.alpha", "sgd.order", "sigma;sens;p;T;delta;alphas[]", "exact",
        "sigma > 0, sens >= 0, " ROUNDS ", alphas >= 2, alphas whole",
        "The order that sgd.epsilon uses.", rounds_order},
    {"S000-6.7.sigma", "sgd.sigma", "p;T;sens;eps;delta;alphas[]", "upper",
        "sens > 0, eps > 0, " ROUNDS
        ", alphas >= 2, alphas whole; eps within reach of the orders",
        "Least noise for T sampled rounds at (eps, delta).", rounds_sigma},
    {"S000-6.7.eps_asymptotic", "sgd.epsilon_closed", "sigma;sens;p;T;delta",
        "upper", "sigma > 0, sens > 0, " ROUNDS "; where T000-38 applies",
        "T sampled Gaussian rounds in closed form.", rounds_asymptotic},
};

FORMULA_TABLE(formula_sampling, rows);
