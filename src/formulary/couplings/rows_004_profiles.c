/*
 * Privacy profiles of Laplace and Gaussian noise, of randomized response and
 * of any (eps0, delta0)-DP mechanism; their inverses, tails and moments.
 */
#include "formulary/line_args.h"
#include "formulary/profile_args.h"
#include "noise/gaussian.h"
#include "renyi/poisson_base_renyi.h"

/* ---- Laplace, T004-3 ----------------------------------------------------- */

static base_profile laplace_of(const formula_args *args)
{
    return (base_profile){BASE_PROFILE_LAPLACE, ARG("theta"), ball_of(0)};
}

static base_profile gaussian_of(const formula_args *args)
{
    return (base_profile){BASE_PROFILE_GAUSSIAN, ARG("theta"), ball_of(0)};
}

static base_profile approx_of(const formula_args *args)
{
    return (base_profile){BASE_PROFILE_APPROX, ARG("eps0"), ARG("delta0")};
}

/* Defines a row of the delta of a profile at eps. */
#define DELTA_ROW(function, maker)                                             \
    FORMULA(function)                                                          \
    {                                                                          \
        base_profile base = maker(args);                                       \
        return give_probability(                                               \
            out, base_profile_delta(&base, ARG("eps")), err);                  \
    }

DELTA_ROW(laplace_profile, laplace_of)

/* The epsilon of a profile at delta. */
static dosi_interval epsilon_of(base_profile base, const formula_args *args)
{
    return base_profile_epsilon(&base, ARG("delta"), ball_log(ARG("delta")));
}

FORMULA_INTERVAL(laplace_profile_epsilon, epsilon_of(laplace_of(args), args))
FORMULA_BALL(laplace_theta,
    ball_sub(ARG("eps"), ball_scale2(ball_log1p(ball_neg(ARG("delta"))), 1)))

/* ---- Gaussian, T004-4 ---------------------------------------------------- */

DELTA_ROW(gaussian_profile_delta, gaussian_of)
FORMULA_INTERVAL(gaussian_profile_log,
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

FORMULA(loss_tail)
{
    return tail_row(out, args, false, err);
}

FORMULA(loss_tail_rev)
{
    return tail_row(out, args, true, err);
}

/* ---- Moments, T004-6 ----------------------------------------------------- */

/* Defines a row of one expression in law. */
#define LAW_BALL(function, expression)                                         \
    FORMULA(function)                                                          \
    {                                                                          \
        chi_law law;                                                           \
        dosi_status status = profile_read_law(&law, args, err);                \
        if (status != DOSI_OK)                                                 \
            return status;                                                     \
        return formula_give(out, (expression), err);                           \
    }

LAW_BALL(log_mgf, chi_log_moment(&law, ball_add_d(ARG("s"), 1)))
LAW_BALL(profile_renyi, chi_divergence(&law, ARG("order")))
LAW_BALL(log_mgf_remove,
    sampled_law_log_moment(&law, ARG("gamma"), ball_add_d(ARG("s"), 1)))

FORMULA(log_mgf_from_profile)
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
static base_profile response_of(const formula_args *args)
{
    ball p = ARG("p");
    if (p.hi < 0.5)
        p = ball_sub(ball_of(1), p);
    return (base_profile){BASE_PROFILE_RESPONSE, p, ball_of(0)};
}

DELTA_ROW(response_profile, response_of)
DELTA_ROW(approx_profile, approx_of)

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

static base_profile pure_of(const formula_args *args)
{
    return (base_profile){BASE_PROFILE_APPROX, ARG("eps0"), ball_of(0)};
}

DELTA_ROW(response_curve, pure_of)

/* ---- Any mechanism ------------------------------------------------------- */

PROFILE_ROW(any_delta, give_probability, base_profile_delta(&base, ARG("eps")))
PROFILE_ROW(
    any_log_delta, give_log_probability, base_profile_delta(&base, ARG("eps")))
PROFILE_ROW(any_epsilon, formula_give_interval, epsilon_of(base, args))

FORMULA(any_region)
{
    base_profile base;
    dosi_status status = profile_read(&base, args, err);
    if (status != DOSI_OK)
        return status;
    ball delta = scaled_ball(base_profile_delta(&base, ARG("eps")));
    return give_verdict(out, delta, ARG("delta"), err);
}
