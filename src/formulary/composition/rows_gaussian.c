/*
 * Gaussian noise: its privacy loss, the tests it allows, its exact
 * (epsilon, delta), their inverses, and composition.
 */
#include "formulary/formula.h"

#include "special/special.h"
#include "noise/gaussian.h"
#include "renyi/zcdp.h"

#define LOG_DELTA ball_log(ARG("delta"))

/* ---- mu = sensitivity / sigma, from what a row is given ----------------- */

static ball mu_of(const formula_args *args)
{
    return ball_div(ARG("sens"), ARG("sigma"));
}

static ball mu_of_rho(const formula_args *args)
{
    return ball_sqrt(ball_scale2(ARG("rho"), 1));
}

static ball mu_of_means(const formula_args *args)
{
    ball gap = ball_sub(ARG("mu"), ARG("mu2"));
    return ball_div(ball_abs(gap), ARG("sigma"));
}

/* sqrt(k) sens / sigma */
static ball mu_of_k(const formula_args *args)
{
    return ball_mul(ball_sqrt(ARG("k")), mu_of(args));
}

static ball rho_of_mu(ball mu)
{
    return ball_scale2(ball_sqr(mu), -1);
}

/* ---- One mechanism ----------------------------------------------------- */

FORMULA_BALL(means_rho, rho_of_mu(mu_of_means(args)))
FORMULA_BALL(means_tv, gauss_delta(mu_of_means(args), ball_of(0)))
FORMULA_BALL(test_tpr, gauss_tail_p(mu_of_rho(args), ARG("t")))
FORMULA_BALL(test_tnr,
    ball_normal_cdf(ball_div(ball_add(ARG("t"), ARG("rho")), mu_of_rho(args))))
FORMULA_BALL(test_min_fnr, gauss_tradeoff(mu_of_rho(args), ARG("fpr")))

FORMULA_BALL(gaussian_delta, gauss_delta(mu_of(args), ARG("eps")))
FORMULA_BALL(gaussian_log_delta, gauss_log_delta(mu_of(args), ARG("eps")))
FORMULA_BALL(log_1m_delta, gauss_log_1m_delta(mu_of(args), ARG("eps")))
FORMULA_BALL(delta_rho, gauss_delta(mu_of_rho(args), ARG("eps")))
FORMULA_BALL(tail_bound, gauss_tail_p(mu_of_rho(args), ARG("eps")))
FORMULA_INTERVAL(gaussian_epsilon, gauss_epsilon(mu_of(args), LOG_DELTA))
FORMULA_BALL(gaussian_sigma,
    ball_div(ARG("sens"), ball_of_interval(gauss_mu(ARG("eps"), LOG_DELTA))))

/* exp(-(eps - rho)^2 / (4 rho)) / max(2, sqrt(pi / rho) (eps - rho)) */
static ball mills_bound_at(ball rho, ball eps)
{
    ball root = ball_sqrt(ball_div(ball_pi(), rho));
    ball slope = ball_mul(root, ball_sub(eps, rho));
    return ball_div(
        ball_exp(zcdp_log_delta_simple(rho, eps)), ball_max(slope, ball_of(2)));
}

FORMULA_BALL(mills_bound, mills_bound_at(ARG("rho"), ARG("eps")))

/* ---- Composition, T000-10 ---------------------------------------------- */

/* mu^2 = sum (sens_j / sigma_j)^2 */
static dosi_status list_mu(ball *mu, const formula_args *args, dosi_error *err)
{
    size_t n = 0, n_sigma = 0;
    const double *sens = formula_list(args, "sens", &n);
    const double *noise = formula_list(args, "sigma", &n_sigma);
    if (n != n_sigma)
        return dosi_fail(err, DOSI_EINVAL,
            "sens has %zu elements, sigma has %zu", n, n_sigma);
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++)
        sum = ball_add(
            sum, ball_sqr(ball_div(ball_of(sens[i]), ball_of(noise[i]))));
    *mu = ball_sqrt(sum);
    return DOSI_OK;
}

FORMULA(list_rho)
{
    ball mu = ball_unknown();
    dosi_status status = list_mu(&mu, args, err);
    return status != DOSI_OK ? status : formula_give(out, rho_of_mu(mu), err);
}

FORMULA(list_delta)
{
    ball mu = ball_unknown();
    dosi_status status = list_mu(&mu, args, err);
    return status != DOSI_OK
               ? status
               : formula_give(out, gauss_delta(mu, ARG("eps")), err);
}

FORMULA(list_epsilon)
{
    ball mu = ball_unknown();
    dosi_status status = list_mu(&mu, args, err);
    return status != DOSI_OK
               ? status
               : formula_give_interval(out, gauss_epsilon(mu, LOG_DELTA), err);
}

FORMULA_BALL(k_delta, gauss_delta(mu_of_k(args), ARG("eps")))
FORMULA_BALL(k_log_delta, gauss_log_delta(mu_of_k(args), ARG("eps")))
FORMULA_INTERVAL(k_epsilon, gauss_epsilon(mu_of_k(args), LOG_DELTA))
FORMULA_BALL(k_sigma, ball_div(ball_mul(ball_sqrt(ARG("k")), ARG("sens")),
                          ball_of_interval(gauss_mu(ARG("eps"), LOG_DELTA))))
