/*
 * The exact limit of a privacy-loss-distribution accountant for T steps of
 * Poisson sampling and Gaussian noise (S000-7.tight_*), one row a direction:
 * add is mixture against base, rem base against mixture.
 */
#include "formula.h"

#include "repr/contour.h"
#include "repr/gaussian.h"

/* The source calls "add" what the pair (mixture, base) loses. */
static dosi_status tight_pair(contour_pair *pair, const formula_args *a,
    bool base_first, dosi_error *err)
{
    ball mu = ball_div(formula_ball(a, "sens"), formula_ball(a, "sigma"));
    *pair = (contour_pair){
        mu, formula_real(a, "p"), formula_real(a, "T"), base_first};
    if (ball_is_unknown(mu) || !ball_is_positive(mu))
        return formula_domain(
            err, "needs sens / sigma within the range of numbers");
    return DOSI_OK;
}

/* Without sampling the steps are Gaussian, mu grows by sqrt(T). */
static ball tight_gaussian_mu(const contour_pair *pair)
{
    return ball_mul(pair->mu, ball_sqrt(ball_of(pair->count)));
}

static dosi_status tight_delta(dosi_interval *out, const formula_args *a,
    bool base_first, dosi_error *err)
{
    contour_pair pair;
    dosi_status status = tight_pair(&pair, a, base_first, err);
    if (status != DOSI_OK)
        return status;
    ball eps = formula_ball(a, "eps");
    if (pair.rate == 0)
        return formula_give(out, ball_of(0), err);
    if (pair.rate == 1)
        return formula_give(
            out, gauss_delta(tight_gaussian_mu(&pair), eps), err);
    dosi_interval log_delta;
    status = contour_log_delta(
        &log_delta, &pair, formula_real(a, "eps"), err);
    if (status != DOSI_OK)
        return status;
    dosi_interval delta = {0, 1};
    if (log_delta.hi < 0)
        delta.hi = ball_upper(ball_exp(ball_of(log_delta.hi)));
    if (log_delta.lo > -HUGE_VAL)
        delta.lo = ball_lower(ball_exp(ball_of(log_delta.lo)));
    return formula_give_interval(out, delta, err);
}

static dosi_status tight_epsilon(dosi_interval *out, const formula_args *a,
    bool base_first, dosi_error *err)
{
    contour_pair pair;
    dosi_status status = tight_pair(&pair, a, base_first, err);
    if (status != DOSI_OK)
        return status;
    ball log_delta = ball_log(formula_ball(a, "delta"));
    if (pair.rate == 0)
        return formula_give(out, ball_of(0), err);
    if (pair.rate == 1)
        return formula_give_interval(
            out, gauss_epsilon(tight_gaussian_mu(&pair), log_delta), err);
    dosi_interval epsilon;
    status = contour_epsilon(&epsilon, &pair, log_delta, err);
    if (status != DOSI_OK)
        return status;
    return formula_give_interval(out, epsilon, err);
}

static dosi_status tight_delta_add(
    dosi_interval *out, const formula_args *a, dosi_error *err)
{
    return tight_delta(out, a, false, err);
}

static dosi_status tight_delta_rem(
    dosi_interval *out, const formula_args *a, dosi_error *err)
{
    return tight_delta(out, a, true, err);
}

static dosi_status tight_eps_add(
    dosi_interval *out, const formula_args *a, dosi_error *err)
{
    return tight_epsilon(out, a, false, err);
}

static dosi_status tight_eps_rem(
    dosi_interval *out, const formula_args *a, dosi_error *err)
{
    return tight_epsilon(out, a, true, err);
}

#define DELTA_VALIDITY \
    "sigma > 0, sens > 0, 0 <= p <= 1, T >= 1, T whole, eps >= 0"
#define EPSILON_VALIDITY \
    "sigma > 0, sens > 0, 0 <= p <= 1, T >= 1, T whole, 0 < delta < 1"

static const formula_row rows[] = {
    {"S000-7.tight_delta_add", "sampled_gaussian.tight_delta_add",
        "sigma;sens;p;T;eps", "exact", DELTA_VALIDITY,
        "delta of T Poisson-sampled Gaussian steps, mixture against base",
        tight_delta_add},
    {"S000-7.tight_delta_rem", "sampled_gaussian.tight_delta_rem",
        "sigma;sens;p;T;eps", "exact", DELTA_VALIDITY,
        "delta of T Poisson-sampled Gaussian steps, base against mixture",
        tight_delta_rem},
    {"S000-7.tight_eps_add", "sampled_gaussian.tight_eps_add",
        "sigma;sens;p;T;delta", "exact", EPSILON_VALIDITY,
        "epsilon of T Poisson-sampled Gaussian steps, mixture against base",
        tight_eps_add},
    {"S000-7.tight_eps_rem", "sampled_gaussian.tight_eps_rem",
        "sigma;sens;p;T;delta", "exact", EPSILON_VALIDITY,
        "epsilon of T Poisson-sampled Gaussian steps, base against mixture",
        tight_eps_rem},
};

FORMULA_TABLE(formula_tight, rows);
