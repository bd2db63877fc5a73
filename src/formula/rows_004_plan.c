/*
 * Amplified profiles turned round: epsilon at delta, and the largest rate,
 * number of draws or least noise for a wanted (eps', delta').
 */
#include "line_args.h"
#include "profile_args.h"
#include "repr/gaussian.h"

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
    if (eps.lo == HUGE_VAL && a->base.kind == PROFILE_APPROX)
        return formula_domain(err,
            "needs deltap >= %.17g, what delta0 leaves at every epsilon, got "
            "deltap = %.17g",
            ball_mid(ball_mul(amplified_rate(a), a->base.y)), ball_mid(delta));
    return formula_give_interval(out, eps, err);
}

static dosi_status poisson_eps(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    amplified a;
    dosi_status status = read(&a, args, AMPLIFY_POISSON, false, err);
    if (status != DOSI_OK)
        return status;
    a.gamma = ARG("gamma");
    return give_epsilon(out, &a, ARG("deltap"), err);
}

static dosi_status sharp_eps(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    amplified a;
    dosi_status status = read(&a, args, AMPLIFY_SHARP, false, err);
    if (status != DOSI_OK)
        return status;
    a.gamma = ARG("gamma");
    a.n = formula_real(args, "n");
    return give_epsilon(out, &a, ARG("deltap"), err);
}

static dosi_status wor_eps(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    amplified a;
    dosi_status status = read(&a, args, AMPLIFY_WITHOUT, false, err);
    if (status != DOSI_OK)
        return status;
    a.n = formula_real(args, "n");
    a.m = formula_real(args, "m");
    return give_epsilon(out, &a, ARG("deltap"), err);
}

static dosi_status wr_eps(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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

FORMULA_INTERVAL(sigma, least_sigma(ARG("gamma"), ARG("epsp"), ARG("deltap")))
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

static dosi_status wor_draws(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    return draws(out, args, AMPLIFY_WITHOUT, err);
}

static dosi_status wr_draws(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    return draws(out, args, AMPLIFY_WITH, err);
}

#define TARGET ", 0 <= deltap <= 1"
#define VALID_N ", n >= 1, n whole"
#define VALID_DRAWS VALID_N ", m >= 1, m whole"
#define VALID_RATE ", 0 < gamma <= 1"

static const formula_row rows[] = {
    {"T004-8.eps_at", "poisson.epsilon", PROFILE ";gamma;deltap", "upper",
        VALID_PROFILE VALID_RATE TARGET,
        "Poisson sample; remove/add: the eps' of delta'.", poisson_eps},
    {"T004-9.eps_at", "without.epsilon", PROFILE ";n;m;deltap", "upper",
        VALID_PROFILE VALID_DRAWS ", m <= n" TARGET,
        "Without replacement; substitute: the eps' of delta'.", wor_eps},
    {"T004-10.eps_at", "with.epsilon", PROFILE ";n;m;group{};deltap", "upper",
        VALID_PROFILE VALID_DRAWS TARGET,
        "With replacement; substitute: the eps' of delta'.", wr_eps},
    {"X004-PS.sharp_eps_at", "poisson.substitute_epsilon",
        PROFILE ";n;gamma;deltap", "upper",
        VALID_PROFILE VALID_N VALID_RATE TARGET,
        "Poisson sample of n; substitute: the eps' of delta'.", sharp_eps},
    {"T004-8.calib_sigma_over_Delta", "poisson.sigma", "gamma;epsp;deltap",
        "exact", "0 < gamma <= 1, epsp >= 0, 0 < deltap < 1",
        "Least Gaussian noise over sensitivity for (eps', delta').", sigma},
    {"T004-8.calib_gamma", "poisson.rate", PROFILE ";epsp;deltap", "exact",
        VALID_PROFILE ", epsp >= 0" TARGET,
        "Largest Poisson rate for (eps', delta').", gamma_of},
    {"T004-9.calib_m", "without.batch", PROFILE ";n;epsp;deltap", "exact",
        VALID_PROFILE VALID_N ", epsp >= 0" TARGET,
        "Most draws without replacement for (eps', delta'); 0: none.",
        wor_draws},
    {"T004-10.calib_m", "with.batch", PROFILE ";n;group{};epsp;deltap", "exact",
        VALID_PROFILE VALID_N ", epsp >= 0" TARGET,
        "Most draws with replacement for (eps', delta'); 0: none, inf: "
        "above 2^40.",
        wr_draws},
};

FORMULA_TABLE(formula_004_plan, rows);
