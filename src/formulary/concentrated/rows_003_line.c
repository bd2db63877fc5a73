/*
 * (xi, rho)-zCDP: the line, bounds of the privacy loss, composition, and the
 * Gaussian mechanism that attains it.
 */
#include "formulary/line_args.h"
#include "renyi/zcdp.h"

/* ---- The line ----------------------------------------------------------- */

LINE_BALL(line_divergence, line_read, cdp_divergence(line, ARG("alpha")))
LINE_BALL(line_log_moment, line_read,
    ball_mul(ball_sub_d(ARG("alpha"), 1), cdp_divergence(line, ARG("alpha"))))
LINE_BALL(mean_loss, line_read, ball_add(line.xi, line.rho))
FORMULA_BALL(log_tail, cdp_log_tail(ARG("rho"), ARG("lambda")))
FORMULA_BALL(variance_loss, ball_scale2(ARG("rho"), 1))

/* ---- Composition -------------------------------------------------------- */

static ball list_sum(const formula_args *args, const char *name)
{
    size_t n = 0;
    const double *x = formula_list(args, name, &n);
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++)
        sum = ball_add_d(sum, x[i]);
    return sum;
}

/* Refuses lists that are not lines. */
static dosi_status check_lines(const formula_args *args, dosi_error *err)
{
    dosi_status status = same_length(args, "xi", "rho", err);
    if (status != DOSI_OK)
        return status;
    size_t n = 0;
    const double *xi = formula_list(args, "xi", &n);
    const double *rho = formula_list(args, "rho", &n);
    for (size_t i = 0; i < n; i++)
        if (xi[i] + rho[i] < 0)
            return formula_domain(err,
                "needs xi + rho >= 0, got xi = %.17g, rho = %.17g", xi[i],
                rho[i]);
    return DOSI_OK;
}

FORMULA(composed_xi)
{
    dosi_status status = check_lines(args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(out, list_sum(args, "xi"), err);
}

FORMULA(composed_rho)
{
    dosi_status status = check_lines(args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(out, list_sum(args, "rho"), err);
}

/* ---- Gaussian noise ------------------------------------------------------ */

/* order (mu - nu)^2 / (2 sigma^2) */
static ball gaussian_divergence(ball square, const formula_args *args)
{
    ball ratio = ball_div(square, ball_sqr(ARG("sigma")));
    return ball_scale2(ball_mul(ARG("alpha"), ratio), -1);
}

FORMULA_BALL(gaussian_scalar,
    gaussian_divergence(ball_sqr(ball_sub(ARG("mu"), ARG("nu"))), args))
FORMULA_BALL(gaussian_rho, zcdp_of_gaussian(ARG("Delta"), ARG("sigma")))
FORMULA_BALL(gaussian_sigma_of_rho,
    ball_div(ARG("Delta"), ball_sqrt(ball_scale2(ARG("rho"), 1))))

FORMULA(gaussian_vector)
{
    dosi_status status = same_length(args, "mu", "nu", err);
    if (status != DOSI_OK)
        return status;
    size_t n = 0;
    const double *mu = formula_list(args, "mu", &n);
    const double *nu = formula_list(args, "nu", &n);
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++) {
        ball gap = ball_sub(ball_of(mu[i]), ball_of(nu[i]));
        sum = ball_add(sum, ball_sqr(gap));
    }
    return formula_give(out, gaussian_divergence(sum, args), err);
}

FORMULA(gaussian_each)
{
    dosi_status status = same_length(args, "Delta", "sigma", err);
    if (status != DOSI_OK)
        return status;
    size_t n = 0;
    const double *sens = formula_list(args, "Delta", &n);
    const double *sigma = formula_list(args, "sigma", &n);
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++)
        sum = ball_add(
            sum, zcdp_of_gaussian(ball_of(sens[i]), ball_of(sigma[i])));
    return formula_give(out, sum, err);
}

/* (d / n^2) / (2 sigma^2) */
FORMULA_BALL(gaussian_rho_of_mean,
    ball_scale2(
        ball_div(ARG("d"), ball_sqr(ball_mul(ARG("n"), ARG("sigma")))), -1))

static ball queries_rho(const formula_args *args)
{
    ball ratio = ball_div(ARG("k"), ball_sqr(ARG("sigma")));
    return ball_scale2(ratio, -1);
}

FORMULA_BALL(queries, queries_rho(args))
FORMULA_BALL(queries_epsilon,
    zcdp_epsilon_simple(queries_rho(args), ball_log(ARG("delta"))))
