/*
 * (xi, rho)-zCDP: the line, what it says of the loss, composition, and the
 * Gaussian mechanism that attains it.
 */
#include "line_args.h"
#include "repr/zcdp.h"

/* ---- The line ----------------------------------------------------------- */

LINE_BALL(divergence, line_read, cdp_divergence(line, ARG("alpha")))
LINE_BALL(log_moment, line_read, cdp_log_moment(line, ARG("alpha")))
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

static dosi_status composed_xi(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    dosi_status status = check_lines(args, err);
    if (status != DOSI_OK)
        return status;
    return formula_give(out, list_sum(args, "xi"), err);
}

static dosi_status composed_rho(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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
FORMULA_BALL(gaussian_sigma,
    ball_div(ARG("Delta"), ball_sqrt(ball_scale2(ARG("rho"), 1))))

static dosi_status gaussian_vector(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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

static dosi_status gaussian_each(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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
FORMULA_BALL(mean_rho,
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

#define VALID_LINES "rho >= 0; lists of one length, each xi + rho >= 0"

static const formula_row rows[] = {
    {"T003-1.1-rdp", "line.divergence", "xi;rho;alpha", "upper",
        "rho >= 0, alpha > 1; xi + rho >= 0",
        "Renyi divergence of (xi, rho)-zCDP at an order, xi + rho alpha.",
        divergence},
    {"T003-1.1-logmgf", "line.log_moment", "xi;rho;alpha", "upper",
        "rho >= 0, alpha > 1; xi + rho >= 0",
        "log E[exp((alpha - 1) Z)] of (xi, rho)-zCDP.", log_moment},
    {"T003-1.1-logtail", "line.log_tail", "lambda;rho", "upper",
        "lambda > 0, rho >= 0",
        "log probability of a loss above lambda + xi + rho.", log_tail},
    {"T003-1.1-moments-mean", "line.mean_loss", "xi;rho", "approximate",
        VALID_LINE,
        "Mean of the loss that the line looks like; exact for "
        "Gaussian noise.",
        mean_loss},
    {"T003-1.1-moments-var", "line.variance_loss", "rho", "approximate",
        "rho >= 0", "Variance of the loss that the line looks like.",
        variance_loss},
    {"T003-2.3-xi", "line.compose_xi", "xi[];rho[]", "upper", VALID_LINES,
        "Adaptive composition: the sum of the xis.", composed_xi},
    {"T003-2.3-rho", "line.compose_rho", "xi[];rho[]", "upper", VALID_LINES,
        "Adaptive composition: the sum of the rhos.", composed_rho},
    {"T003-2.4", "gaussian.renyi_of_means", "mu;nu;sigma;alpha", "exact",
        "sigma > 0, alpha >= 1",
        "Renyi divergence of two normal laws of one variance.",
        gaussian_scalar},
    {"T003-2.5", "gaussian.renyi_of_vectors", "mu[];nu[];sigma;alpha", "exact",
        "sigma > 0, alpha >= 1; lists of one length",
        "The same for vectors with isotropic noise.", gaussian_vector},
    {"T003-1.6-rho", "gaussian.rho", "Delta;sigma", "exact",
        "Delta >= 0, sigma > 0",
        "rho of Gaussian noise on answers of L2 "
        "sensitivity Delta.",
        gaussian_rho},
    {"T003-1.6-sigma", "gaussian.sigma_of_rho", "Delta;rho", "exact",
        "Delta >= 0, rho > 0", "Gaussian noise that costs rho.",
        gaussian_sigma},
    {"T003-2.5-meanrho", "gaussian.rho_of_mean", "d;n;sigma", "exact",
        "d >= 1, d whole, n >= 1, n whole, sigma > 0",
        "rho of a noisy mean of n rows in {0,1}^d.", mean_rho},
    {"D003-2.5-het", "gaussian.rho_of_coordinates", "Delta[];sigma[]", "exact",
        "Delta >= 0, sigma > 0; lists of one length",
        "rho of independent noise of its own size on each answer.",
        gaussian_each},
    {"T003-fn2-rho", "gaussian.rho_of_queries", "sigma;k", "upper",
        "sigma > 0, k >= 0, k whole",
        "rho of k answers of sensitivity 1/n with noise sigma/n.", queries},
    {"T003-fn2-eps", "gaussian.epsilon_of_queries", "sigma;k;delta", "upper",
        "sigma > 0, k >= 0, k whole, 0 < delta < 1",
        "epsilon of these at delta, readable form.", queries_epsilon},
};

FORMULA_TABLE(formula_003_line, rows);
