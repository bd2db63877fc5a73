/*
 * Gaussian differential privacy and (eps, delta): the profile and its
 * inverses, groups, composition of mu, amplification of a profile by
 * sampling, and Renyi divergences.
 */
#include "formula.h"

#include "repr/amplify.h"
#include "repr/gaussian.h"
#include "repr/profile.h"
#include "repr/renyi.h"
#include "repr/sampled_gaussian.h"
#include "repr/tradeoff.h"
#include "repr/tradeoff_sampled.h"

#define SHARE(name) share_of(formula_real(args, name))
#define LOG_DELTA ball_log(ARG("delta"))

/* ---- mu and (eps, delta) ------------------------------------------------ */

FORMULA_BALL(delta, gauss_delta(ARG("mu"), ARG("eps")))
FORMULA_BALL(log_delta, gauss_log_delta(ARG("mu"), ARG("eps")))
FORMULA_INTERVAL(epsilon, gauss_epsilon(ARG("mu"), LOG_DELTA))
FORMULA_INTERVAL(mu, gauss_mu(ARG("eps"), LOG_DELTA))
FORMULA_BALL(sigma,
    ball_div(ARG("sens"), ball_of_interval(gauss_mu(ARG("eps"), LOG_DELTA))))

static ball approx_delta_of(const formula_args *args)
{
    const profile p = {PROFILE_APPROX, ARG("eps0"), ARG("delta0")};
    return scaled_ball(profile_delta(&p, ARG("eps")));
}

FORMULA_BALL(approx_delta, approx_delta_of(args))

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

#define INTERCEPT sampled_approx_intercept(ARG("p"), ARG("eps"), ARG("delta"))
#define PRINTED                                                                \
    sampled_approx_intercept_printed(ARG("p"), ARG("eps"), ARG("delta"))
FORMULA_BALL(intercept, INTERCEPT)
FORMULA_BALL(intercept_printed, PRINTED)
FORMULA_BALL(amplified_curve, sampled_approx_tradeoff(ARG("p"), ARG("eps"),
                                  ARG("delta"), INTERCEPT, SHARE("alpha")))
FORMULA_BALL(
    amplified_curve_printed, sampled_approx_tradeoff(ARG("p"), ARG("eps"),
                                 ARG("delta"), PRINTED, SHARE("alpha")))
FORMULA_BALL(amplified_profile,
    sampled_approx_delta(ARG("p"), ARG("eps"), ARG("delta"), ARG("eps_out")))

/* ---- Renyi -------------------------------------------------------------- */

FORMULA_BALL(
    renyi_gauss, ball_mul(ARG("order"), ball_scale2(ball_sqr(ARG("mu")), -1)))
FORMULA_BALL(renyi_of_pure, renyi_rr(ARG("order"), ARG("eps"), 2))
FORMULA_BALL(renyi_of_laplace, renyi_laplace(ARG("order"), ARG("mu")))

#define LEVEL ", 0 <= alpha <= 1"
#define SAMPLE "0 <= p <= 1, mu >= 0"
#define PAIR_SAMPLE "0 <= p <= 1, eps >= 0, 0 <= delta <= 1"

static const formula_row rows[] = {
    {"T001-C1.delta", "gdp.delta", "mu;eps", "exact", "mu > 0",
        "delta at eps of mu-GDP.", delta},
    {"T001-C1.logdelta", "gdp.log_delta", "mu;eps", "exact", "mu > 0",
        "Its logarithm.", log_delta},
    {"T001-C1.eps", "gdp.epsilon", "mu;delta", "exact", "mu > 0, 0 < delta < 1",
        "epsilon at delta of mu-GDP.", epsilon},
    {"T001-C1.mu", "gdp.mu", "eps;delta", "exact", "eps >= 0, 0 < delta < 1",
        "The largest mu at which (eps, delta) holds.", mu},
    {"T001-C1.sigma", "gdp.least_sigma", "sens;eps;delta", "exact",
        "sens >= 0, eps >= 0, 0 < delta < 1",
        "The least Gaussian noise for (eps, delta).", sigma},
    {"T001-P6.delta_ed", "tradeoff.approx_delta", "eps0;delta0;eps", "exact",
        "eps0 >= 0, 0 <= delta0 <= 1, eps >= 0",
        "delta at eps of (eps0, delta0)-DP.", approx_delta},
    {"T001-T3.group_ed", "group.approx", "eps;delta;k;alpha", "exact",
        "eps >= 0, 0 <= delta <= 1, k >= 1, k whole" LEVEL,
        "The curve of (eps, delta)-DP for groups of k.", group_approx},
    {"T001-T3.group_mu", "group.mu", "mu;k", "exact",
        "mu >= 0, k >= 1, k whole", "mu-GDP for groups of k is k mu.",
        group_mu},
    {"T001-T3.group_G", "group.gdp", "mu;k;alpha", "exact",
        "mu >= 0, k >= 1, k whole" LEVEL,
        "The curve of mu-GDP for groups of k.", group_gauss},
    {"T001-T3.group_CG", "group.sampled", "p;mu;k;alpha", "exact",
        SAMPLE ", 1 <= k <= 100000, k whole" LEVEL,
        "The curve of a sampled Gaussian for groups of k.", group_sampled},
    {"T001-P7.supdist", "group.laplace_gap", "mu;k", "exact",
        "mu >= 0, k >= 1, k whole",
        "Largest distance of groups of k of mu/k-DP from Laplace's curve.",
        group_gap},
    {"T001-C2.mu", "gdp.compose", "mus[]", "exact", "mus >= 0",
        "mu of a composition: the root of the sum of squares.", compose_mu},
    {"T001-C2.mu_n", "gdp.compose_n", "mu;n", "exact",
        "mu >= 0, n >= 0, n whole", "mu of n equal mechanisms.", compose_mu_n},
    {"T001-E11.delta", "compose.delta", "deltas[]", "exact", "0 <= deltas <= 1",
        "delta of a composition of (0, delta)-DP.", compose_delta},
    {"T001-E11.delta_n", "compose.delta_n", "delta;n", "exact",
        "0 <= delta <= 1, n >= 0, n whole", "The same for n equal deltas.",
        compose_delta_n},
    {"T001-E12.gauss", "gdp.leaky_tradeoff", "mu;delta;alpha", "exact",
        "mu >= 0, 0 <= delta <= 1" LEVEL,
        "The curve of mu-GDP composed with (0, delta)-DP.", leaky_curve},
    {"T001-E12.gauss_delta", "gdp.leaky_delta", "mu;delta;eps", "exact",
        "mu > 0, 0 <= delta <= 1", "delta at eps of that composition.",
        leaky_delta},
    {"T001-E13.CG", "sampled.tradeoff", "p;mu;alpha", "exact", SAMPLE LEVEL,
        "The curve of Gaussian noise on a sample of fixed size.",
        sampled_curve},
    {"T001-E13.CG_roc", "sampled.roc", "p;mu;alpha", "exact", SAMPLE LEVEL,
        "Its ROC curve.", sampled_roc},
    {"T001-E15.delta_CG", "sampled.delta", "p;mu;eps", "exact",
        SAMPLE ", eps >= 0", "delta at eps of that mechanism.", sampled_delta},
    {"T001-E15.logdelta_CG", "sampled.log_delta", "p;mu;eps", "exact",
        SAMPLE ", eps >= 0", "Its logarithm.", sampled_log_delta},
    {"T001-E15.eps_CG", "sampled.epsilon", "p;mu;delta", "exact",
        SAMPLE ", 0 < delta < 1", "epsilon at delta of that mechanism.",
        sampled_epsilon},
    {"T001-L2.eps", "sampled.approx_eps", "p;eps;delta", "upper", PAIR_SAMPLE,
        "epsilon of (eps, delta)-DP on a sample.", amplified_eps},
    {"T001-L2.delta", "sampled.approx_delta", "p;eps;delta", "upper",
        PAIR_SAMPLE, "delta of (eps, delta)-DP on a sample.", amplified_delta},
    {"T001-E14.intercept", "sampled.approx_intercept", "p;eps;delta", "exact",
        PAIR_SAMPLE, "Least sum of errors of (eps, delta)-DP on a sample.",
        intercept},
    {"T001-E14.intercept_printed", "sampled.approx_intercept_printed",
        "p;eps;delta", "helper", PAIR_SAMPLE,
        "That sum as printed: too low for delta > 0.", intercept_printed},
    {"T001-E14.C", "sampled.approx_tradeoff", "p;eps;delta;alpha", "exact",
        PAIR_SAMPLE LEVEL, "The curve of (eps, delta)-DP on a sample.",
        amplified_curve},
    {"T001-E14.C_printed", "sampled.approx_tradeoff_printed",
        "p;eps;delta;alpha", "helper", PAIR_SAMPLE LEVEL,
        "That curve as printed: too low for delta > 0.",
        amplified_curve_printed},
    {"T001-E15.delta_Ced", "sampled.approx_profile", "p;eps;delta;eps_out",
        "exact", PAIR_SAMPLE ", eps_out >= 0",
        "delta at eps_out of (eps, delta)-DP on a sample.", amplified_profile},
    {"T001-X1.renyi_gauss", "gdp.renyi", "mu;order", "exact",
        "mu >= 0, order > 1", "Renyi divergence of mu-GDP.", renyi_gauss},
    {"T001-X1.renyi_pure", "tradeoff.renyi_pure", "eps;order", "exact",
        "eps >= 0, order > 1", "Renyi divergence of f_{eps,0}.", renyi_of_pure},
    {"T001-X1.renyi_laplace", "tradeoff.renyi_laplace", "mu;order", "exact",
        "mu >= 0, order > 1", "Renyi divergence of Laplace noise.",
        renyi_of_laplace},
};

FORMULA_TABLE(formula_001_profiles, rows);
