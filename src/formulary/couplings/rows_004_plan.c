/*
 * Inverses of amplified profiles: epsilon at delta, and the largest rate,
 * number of draws or least noise for a target (eps', delta').
 */
#include "formulary/line_args.h"
#include "formulary/profile_args.h"
#include "noise/gaussian.h"

/* Reads the sampler of a row; n and m or gamma, where declared. */
static dosi_status read(amplified *a, const formula_args *args,
    amplify_theorem theorem, bool has_group, dosi_error *err)
{
    *a = (amplified){.theorem = theorem, .gamma = ball_of(1)};
    dosi_status status = profile_read(&a->base, args, err);
    if (status == DOSI_OK && has_group)
        status = group_read(&a->group, args, err);
    return status;
}

/* The least eps', or a refusal where delta0 of the base is in the way. */
static dosi_status give_epsilon(
    dosi_interval *out, const amplified *a, ball delta, dosi_error *err)
{
    dosi_interval eps = amplified_epsilon(a, delta, ball_log(delta));
    if (eps.lo == HUGE_VAL && a->base.kind == BASE_PROFILE_APPROX)
        return formula_domain(err,
            "needs deltap >= %.17g, what delta0 leaves at every epsilon, got "
            "deltap = %.17g",
            ball_mid(ball_mul(amplified_rate(a), a->base.delta0)),
            ball_mid(delta));
    return formula_give_interval(out, eps, err);
}

FORMULA(poisson_eps)
{
    amplified a;
    dosi_status status = read(&a, args, AMPLIFY_POISSON, false, err);
    if (status != DOSI_OK)
        return status;
    a.gamma = ARG("gamma");
    return give_epsilon(out, &a, ARG("deltap"), err);
}

FORMULA(sharp_eps)
{
    amplified a;
    dosi_status status = read(&a, args, AMPLIFY_SHARP, false, err);
    if (status != DOSI_OK)
        return status;
    a.gamma = ARG("gamma");
    a.n = formula_real(args, "n");
    return give_epsilon(out, &a, ARG("deltap"), err);
}

FORMULA(wor_eps)
{
    amplified a;
    dosi_status status = read(&a, args, AMPLIFY_WITHOUT, false, err);
    if (status != DOSI_OK)
        return status;
    a.n = formula_real(args, "n");
    a.m = formula_real(args, "m");
    return give_epsilon(out, &a, ARG("deltap"), err);
}

FORMULA(wr_eps)
{
    amplified a;
    dosi_status status = read(&a, args, AMPLIFY_WITH, true, err);
    if (status != DOSI_OK)
        return status;
    a.n = formula_real(args, "n");
    a.m = formula_real(args, "m");
    return give_epsilon(out, &a, ARG("deltap"), err);
}

/* ---- Calibration --------------------------------------------------------- */

/* 1/theta, theta the largest with gamma delta(eps) <= delta' */
static dosi_interval least_sigma(ball gamma, ball eps_out, ball delta)
{
    ball log_delta = ball_sub(ball_log(delta), ball_log(gamma));
    if (!ball_is_negative(log_delta))
        return iv_point(0); /* delta' >= gamma: no noise is needed */
    ball eps = amplify_map_back(gamma, eps_out);
    return iv_div(iv_point(1), gauss_mu(eps, log_delta));
}

FORMULA_INTERVAL(
    poisson_sigma, least_sigma(ARG("gamma"), ARG("epsp"), ARG("deltap")))
PROFILE_ROW(gamma_of, formula_give_interval,
    amplify_gamma(&base, ARG("epsp"), ARG("deltap")))

static dosi_status draws(dosi_interval *out, const formula_args *args,
    amplify_theorem theorem, dosi_error *err)
{
    amplified a;
    dosi_status status = read(&a, args, theorem, theorem == AMPLIFY_WITH, err);
    if (status != DOSI_OK)
        return status;
    a.n = formula_real(args, "n");
    return formula_give_interval(
        out, amplify_draws(&a, ARG("epsp"), ARG("deltap")), err);
}

FORMULA(wor_draws)
{
    return draws(out, args, AMPLIFY_WITHOUT, err);
}

FORMULA(wr_draws)
{
    return draws(out, args, AMPLIFY_WITH, err);
}
