/*
 * Privacy profiles of Laplace and Gaussian noise, of randomized response and
 * of any (eps0, delta0)-DP mechanism; their inverses, tails and moments.
 */
#include "line_args.h"
#include "profile_args.h"
#include "repr/gaussian.h"
#include "repr/sampled_law.h"

/* ---- Laplace, T004-3 ----------------------------------------------------- */

static profile laplace_of(const formula_args *args)
{
    return (profile){PROFILE_LAPLACE, ARG("theta"), ball_of(0)};
}

static profile gaussian_of(const formula_args *args)
{
    return (profile){PROFILE_GAUSSIAN, ARG("theta"), ball_of(0)};
}

static profile approx_of(const formula_args *args)
{
    return (profile){PROFILE_APPROX, ARG("eps0"), ARG("delta0")};
}

/* Defines a row of the delta of a profile at eps. */
#define DELTA_ROW(function, maker)                                             \
    static dosi_status function(                                               \
        dosi_interval *out, const formula_args *args, dosi_error *err)         \
    {                                                                          \
        profile base = maker(args);                                            \
        return give_probability(out, profile_delta(&base, ARG("eps")), err);   \
    }

DELTA_ROW(laplace_delta, laplace_of)

/* The epsilon of a profile at delta. */
static dosi_interval epsilon_of(profile base, const formula_args *args)
{
    return profile_epsilon(&base, ARG("delta"), ball_log(ARG("delta")));
}

FORMULA_INTERVAL(laplace_eps, epsilon_of(laplace_of(args), args))
FORMULA_BALL(laplace_theta,
    ball_sub(ARG("eps"), ball_scale2(ball_log1p(ball_neg(ARG("delta"))), 1)))

/* ---- Gaussian, T004-4 ---------------------------------------------------- */

DELTA_ROW(gaussian_delta, gaussian_of)
FORMULA_INTERVAL(gaussian_log_delta,
    within(gauss_log_delta(ARG("theta"), ARG("eps")), -HUGE_VAL, 0))
FORMULA_INTERVAL(
    gaussian_eps, gauss_epsilon(ARG("theta"), ball_log(ARG("delta"))))
FORMULA_INTERVAL(gaussian_theta, gauss_mu(ARG("eps"), ball_log(ARG("delta"))))

/* sqrt(2 log(1.25/delta))/eps */
FORMULA_BALL(classical_sigma,
    ball_div(ball_sqrt(ball_scale2(
                 ball_log(ball_div(ball_of(1.25), ARG("delta"))), 1)),
        ARG("eps")))
/* 1.25 exp(-(eps/theta)^2/2) */
FORMULA_BALL(classical_delta,
    ball_mul_d(ball_exp(ball_scale2(
                   ball_neg(ball_sqr(ball_div(ARG("eps"), ARG("theta")))), -1)),
        1.25))

/* ---- Tails of the loss, T004-5 ------------------------------------------- */

/* P[L > eps], or Q[L > eps] with the roles exchanged. */
static ball tail(const chi_law *law, ball eps, bool reverse)
{
    ball x = law->parameter;
    if (law->kind == CHI_GAUSSIAN)
        return reverse ? gauss_tail_q(x, eps) : gauss_tail_p(x, eps);
    if (ball_less_equal(x, eps))
        return ball_of(0);
    if (law->kind == CHI_RESPONSE)
        return ball_div(
            ball_of(1), ball_add_d(ball_exp(reverse ? x : ball_neg(x)), 1));
    /* 1 - e^(-(theta-eps)/2)/2 and e^(-(theta+eps)/2)/2 */
    ball gap = reverse ? ball_add(x, eps) : ball_sub(x, eps);
    ball half = ball_scale2(ball_exp(ball_scale2(ball_neg(gap), -1)), -1);
    return reverse ? half : ball_sub(ball_of(1), half);
}

static dosi_status tail_row(
    dosi_interval *out, const formula_args *args, bool reverse, dosi_error *err)
{
    chi_law law;
    dosi_status status = profile_read_law(&law, args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give_interval(
        out, within(tail(&law, ARG("eps"), reverse), 0, 1), err);
}

static dosi_status loss_tail(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    return tail_row(out, args, false, err);
}

static dosi_status loss_tail_rev(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    return tail_row(out, args, true, err);
}

/* ---- Moments, T004-6 ----------------------------------------------------- */

/* Defines a row of one expression in law. */
#define LAW_BALL(function, expression)                                         \
    static dosi_status function(                                               \
        dosi_interval *out, const formula_args *args, dosi_error *err)         \
    {                                                                          \
        chi_law law;                                                           \
        dosi_status status = profile_read_law(&law, args, err);                \
        if (status != DOSI_OK)                                                 \
            return status;                                                     \
        return formula_give(out, (expression), err);                           \
    }

LAW_BALL(log_mgf, chi_log_moment(&law, ball_add_d(ARG("s"), 1)))
LAW_BALL(renyi, chi_divergence(&law, ARG("order")))
LAW_BALL(log_mgf_remove,
    sampled_law_log_moment(&law, ARG("gamma"), ball_add_d(ARG("s"), 1)))

static dosi_status log_mgf_from_profile(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    chi_law law;
    dosi_status status = profile_read_law(&law, args, err);
    if (status != DOSI_OK)
        return status;
    if (law.kind == CHI_GAUSSIAN)
        return dosi_fail(err, DOSI_EUNSUPPORTED,
            "the integral is taken for mech=laplace and mech=rr; for gauss "
            "see X004-6.log_mgf_remove, which is exact");
    return formula_give(
        out, sampled_law_profile_moment(&law, ARG("gamma"), ARG("s")), err);
}

/* ---- Randomized response ------------------------------------------------- */

/* The greater of p and 1 - p is the truth. */
static profile response_of(const formula_args *args)
{
    ball p = ARG("p");
    if (p.hi < 0.5)
        p = ball_sub(ball_of(1), p);
    return (profile){PROFILE_RESPONSE, p, ball_of(0)};
}

DELTA_ROW(response_delta, response_of)
DELTA_ROW(approx_delta, approx_of)

/* (e^eps + delta)/(e^eps + 1) and (1 - delta)/(e^eps + 1) */
static ball response_truth(ball eps, ball delta)
{
    ball e = ball_exp(ball_neg(eps));
    return ball_div(ball_add_d(ball_mul(delta, e), 1), ball_add_d(e, 1));
}

static ball response_lie(ball eps, ball delta)
{
    ball e = ball_exp(ball_neg(eps)), rest = ball_sub(ball_of(1), delta);
    return ball_div(ball_mul(rest, e), ball_add_d(e, 1));
}

FORMULA_BALL(response_p, response_truth(ARG("eps"), ARG("delta")))
FORMULA_BALL(response_one_minus_p, response_lie(ARG("eps"), ARG("delta")))

FORMULA_INTERVAL(response_eps, epsilon_of(response_of(args), args))

static profile pure_of(const formula_args *args)
{
    return (profile){PROFILE_APPROX, ARG("eps0"), ball_of(0)};
}

DELTA_ROW(response_curve, pure_of)

/* ---- Any mechanism ------------------------------------------------------- */

PROFILE_ROW(any_delta, give_probability, profile_delta(&base, ARG("eps")))
PROFILE_ROW(
    any_log_delta, give_log_probability, profile_delta(&base, ARG("eps")))
PROFILE_ROW(any_epsilon, formula_give_interval, epsilon_of(base, args))

static dosi_status any_region(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    profile base;
    dosi_status status = profile_read(&base, args, err);
    if (status != DOSI_OK)
        return status;
    ball delta = scaled_ball(profile_delta(&base, ARG("eps")));
    return give_verdict(out, delta, ARG("delta"), err);
}

#define VALID_MOMENT VALID_PROFILE_LAW ", s >= 0"
#define VALID_SAMPLED VALID_PROFILE_LAW ", 0 < gamma <= 1, s > 0"
#define VALID_REGION VALID_PROFILE ", eps >= 0, 0 <= delta <= 1"

static const formula_row rows[] = {
    {"T004-PROF.delta", "profile.delta", PROFILE ";eps", "exact",
        VALID_PROFILE ", eps >= 0", "Privacy profile of a mechanism at eps.",
        any_delta},
    {"T004-PROF.log_delta", "profile.log_delta", PROFILE ";eps", "exact",
        VALID_PROFILE ", eps >= 0", "Its logarithm, at any size.",
        any_log_delta},
    {"T004-PROF.eps", "profile.epsilon", PROFILE ";delta", "exact",
        VALID_PROFILE ", 0 <= delta <= 1",
        "Least eps at which the mechanism has this delta.", any_epsilon},
    {"T004-REGION", "profile.is_private", PROFILE ";eps;delta", "exact",
        VALID_REGION, "1 if the mechanism is (eps, delta)-DP, else 0.",
        any_region},
    {"T004-1", "profile.check", PROFILE ";eps;delta", "exact", VALID_REGION,
        "The same by Theorem 1: delta(eps) <= delta.", any_region},
    {"T004-3.delta", "laplace.profile", "theta;eps", "exact",
        "theta > 0, eps >= 0", "Profile of Laplace noise.", laplace_delta},
    {"T004-3.eps", "laplace.profile_epsilon", "theta;delta", "exact",
        "theta > 0, 0 <= delta < 1", "Its inverse: eps at delta.", laplace_eps},
    {"T004-3.theta", "laplace.theta", "eps;delta", "exact",
        "eps >= 0, 0 <= delta < 1",
        "Largest distance/scale that is (eps, delta)-DP.", laplace_theta},
    {"T004-4.delta", "gaussian.profile", "theta;eps", "exact", "theta > 0",
        "Profile of Gaussian noise, at any real eps.", gaussian_delta},
    {"T004-4.log_delta", "gaussian.profile_log", "theta;eps", "exact",
        "theta > 0", "Its logarithm, at any size.", gaussian_log_delta},
    {"T004-4.eps", "gaussian.profile_epsilon", "theta;delta", "exact",
        "theta > 0, 0 < delta < 1", "Its inverse: eps at delta.", gaussian_eps},
    {"T004-4.theta", "gaussian.theta", "eps;delta", "exact",
        "eps >= 0, 0 < delta < 1",
        "Largest distance/sigma that is (eps, delta)-DP.", gaussian_theta},
    {"T004-4c.sigma_over_Delta", "gaussian.classical_sigma", "eps;delta",
        "upper", "0 < eps < 1, 0 < delta < 1",
        "Classical noise sqrt(2 log(1.25/delta))/eps; eps below 1 only.",
        classical_sigma},
    {"T004-4c.delta", "gaussian.classical_delta", "eps;theta", "upper",
        "0 < eps < 1, theta > 0",
        "Classical delta 1.25 exp(-eps^2/(2 theta^2)); eps below 1 only.",
        classical_delta},
    {"T004-5.tail", "profile.tail", PROFILE_LAW ";eps", "upper",
        VALID_PROFILE_LAW ", eps >= 0",
        "Probability of a loss above eps, never below delta.", loss_tail},
    {"T004-5.tail_rev", "profile.tail_reverse", PROFILE_LAW ";eps", "exact",
        VALID_PROFILE_LAW ", eps >= 0",
        "Probability of the reverse loss below -eps.", loss_tail_rev},
    {"T004-6.log_mgf", "profile.log_moment", PROFILE_LAW ";s", "exact",
        VALID_MOMENT, "log E exp(s L) of the loss L.", log_mgf},
    {"T004-6.rdp", "profile.renyi", PROFILE_LAW ";order", "exact",
        VALID_PROFILE_LAW ", order > 1",
        "Rényi divergence, log E exp((order "
        "- 1) L)/(order - 1).",
        renyi},
    {"X004-6.log_mgf_remove", "poisson.log_moment", PROFILE_LAW ";gamma;s",
        "exact", VALID_SAMPLED,
        "log moment of a Poisson sample, mixture against base.",
        log_mgf_remove},
    {"T004-6.log_mgf_from_profile", "poisson.log_moment_bound",
        PROFILE_LAW ";gamma;s", "upper", VALID_SAMPLED "; mech not gauss",
        "The same from the profile alone: only a bound, as the two "
        "directions differ.",
        log_mgf_from_profile},
    {"T004-RR.delta", "response.profile", "p;eps", "exact",
        "0 <= p <= 1, eps >= 0",
        "Profile of randomized response with truth p or 1 - p.",
        response_delta},
    {"T004-RR.psi", "response.psi", "p;eps", "exact", "0.5 <= p <= 1, eps >= 0",
        "[p - e^eps (1 - p)]_+.", response_delta},
    {"T004-RR.p", "response.truth", "eps;delta", "exact",
        "eps >= 0, 0 <= delta <= 1", "The p whose profile meets delta at eps.",
        response_p},
    {"T004-RR.one_minus_p", "response.lie", "eps;delta", "exact",
        "eps >= 0, 0 <= delta <= 1", "1 - p, with its own digits.",
        response_one_minus_p},
    {"T004-RR.eps", "response.profile_epsilon", "p;delta", "exact",
        "0.5 < p <= 1, 0 <= delta < 1, delta < p",
        "eps at delta of randomized response.", response_eps},
    {"X004-GEN.delta", "approx.profile", "eps0;delta0;eps", "upper",
        "eps0 >= 0, 0 <= delta0 <= 1, eps >= 0",
        "Least profile shared by all (eps0, delta0)-DP mechanisms.",
        approx_delta},
    {"F004-1.laplace", "figure4.laplace", "theta;eps", "exact",
        "theta > 0, eps >= 0", "Profile curve of Laplace noise.",
        laplace_delta},
    {"F004-1.gauss", "figure4.gaussian", "theta;eps", "exact",
        "theta > 0, eps >= 0", "Profile curve of Gaussian noise.",
        gaussian_delta},
    {"F004-1.rr", "figure4.response", "eps0;eps", "exact",
        "eps0 >= 0, eps >= 0", "Profile curve of eps0-DP randomized response.",
        response_curve},
};

FORMULA_TABLE(formula_004_profiles, rows);
