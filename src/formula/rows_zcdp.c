/*
 * Zero-concentrated differential privacy: moments, composition and the
 * conversions to (epsilon, delta).
 */
#include "formula.h"

#include "repr/zcdp.h"

#define LOG_DELTA ball_log(ARG("delta"))

static ball sum_rho(const formula_args *args)
{
    size_t n = 0;
    const double *rho = formula_list(args, "rho", &n);
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++)
        sum = ball_add_d(sum, rho[i]);
    return sum;
}

static dosi_status filter_remaining(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    ball spent = sum_rho(args), budget = ARG("budget");
    ball rest = ball_sub(budget, spent);
    if (ball_is_negative(rest))
        return formula_domain(err,
            "needs sum of rho <= budget, got sum = %.17g, budget = %.17g",
            ball_mid(spent), ball_mid(budget));
    return formula_give(out, rest, err);
}

FORMULA_BALL(log_moment, zcdp_log_moment(ARG("rho"), ARG("t")))
FORMULA_BALL(gaussian_rho, zcdp_of_gaussian(ARG("sens"), ARG("sigma")))
FORMULA_BALL(compose_rho, sum_rho(args))
FORMULA_BALL(log_delta_t, zcdp_log_delta_at(ARG("rho"), ARG("eps"), ARG("t")))
FORMULA_BALL(log_delta_t_simple,
    zcdp_log_delta_at_simple(ARG("rho"), ARG("eps"), ARG("t")))
FORMULA_INTERVAL(log_delta, zcdp_log_delta(ARG("rho"), ARG("eps")))
FORMULA_BALL(log_delta_simple, zcdp_log_delta_simple(ARG("rho"), ARG("eps")))
FORMULA_INTERVAL(epsilon, zcdp_epsilon(ARG("rho"), LOG_DELTA))
FORMULA_INTERVAL(
    epsilon_unclamped, zcdp_epsilon_unclamped(ARG("rho"), LOG_DELTA))
FORMULA_INTERVAL(alpha, zcdp_alpha(ARG("rho"), LOG_DELTA))
FORMULA_INTERVAL(rho, zcdp_rho(ARG("eps"), LOG_DELTA))
FORMULA_BALL(epsilon_simple, zcdp_epsilon_simple(ARG("rho"), LOG_DELTA))
FORMULA_BALL(rho_simple, zcdp_rho_simple(ARG("eps"), LOG_DELTA))
FORMULA_BALL(rho_lower, zcdp_rho_simple_lower(ARG("eps"), LOG_DELTA))
FORMULA_BALL(rho_upper, zcdp_rho_simple_upper(ARG("eps"), LOG_DELTA))
FORMULA_BALL(variance, zcdp_variance_simple(ARG("eps"), LOG_DELTA, ARG("sens")))
FORMULA_BALL(pure_rho, zcdp_of_pure(ARG("eps")))

static dosi_status bounded_log_moment(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    double mean = formula_real(args, "mean");
    double eps = formula_real(args, "eps");
    if (fabs(mean) > eps)
        return formula_domain(err,
            "needs |mean| <= eps, got mean = %.17g, eps = %.17g", mean, eps);
    return formula_give(out,
        zcdp_log_moment_bounded(ARG("t"), ball_of(mean), ball_of(eps)), err);
}

#define RHO_DELTA "rho >= 0, 0 < delta < 1"
#define EPS_DELTA "eps >= 0, 0 < delta < 1"

static const formula_row rows[] = {
    {"T000-11.log_mgf_bound", "zcdp.log_moment", "rho;t", "upper",
        "rho >= 0, t >= 0",
        "log E[exp(t Z)] of a rho-zCDP mechanism, at most t (t + 1) rho.",
        log_moment},
    {"T000-12.rho", "zcdp.rho_of_gaussian", "sens;sigma", "exact",
        "sens >= 0, sigma > 0", "rho of Gaussian noise, any dimension.",
        gaussian_rho},
    {"T000-13.rho", "zcdp.compose", "rho[]", "upper", "0 <= rho <= inf",
        "Composition: the sum of the rhos.", compose_rho},
    {"T000-14.logdelta_t", "zcdp.log_delta_at_t", "rho;eps;t", "upper",
        "rho >= 0, eps >= 0, t > 0",
        "log delta at eps from the moment at one t.", log_delta_t},
    {"T000-14.logdelta_t_simple", "zcdp.log_delta_at_t_simple", "rho;eps;t",
        "upper", "rho >= 0, eps >= 0, t > 0",
        "The same without the factor below 1.", log_delta_t_simple},
    {"T000-14.logdelta", "zcdp.log_delta_at_epsilon", "rho;eps", "upper",
        "rho >= 0, 0 <= eps <= inf",
        "log delta at eps of rho-zCDP, the best over all t.", log_delta},
    {"T000-14.logdelta_simple", "zcdp.log_delta_at_epsilon_simple", "rho;eps",
        "upper", "0 <= rho <= eps",
        "log delta at eps of rho-zCDP, -(eps - rho)^2 / (4 rho).",
        log_delta_simple},
    {"T000-14.eps", "zcdp.epsilon_at_delta", "rho;delta", "upper", RHO_DELTA,
        "epsilon at delta of rho-zCDP.", epsilon},
    {"T000-14.eps_unclamped", "zcdp.epsilon_at_delta_unclamped", "rho;delta",
        "upper", "rho > 0, 0 < delta < 1", "The same before it is raised to 0.",
        epsilon_unclamped},
    {"T000-14.alpha", "zcdp.order_at_delta", "rho;delta", "exact",
        "rho > 0, 0 < delta < 1", "The order that gives that epsilon.", alpha},
    {"T000-14.rho", "zcdp.rho_at_epsilon_delta", "eps;delta", "exact",
        EPS_DELTA, "The largest rho that certifies (eps, delta).", rho},
    {"T000-15.eps", "zcdp.epsilon_at_delta_simple", "rho;delta", "upper",
        RHO_DELTA, "epsilon at delta, rho + 2 sqrt(rho log(1/delta)).",
        epsilon_simple},
    {"T000-15.rho", "zcdp.rho_at_epsilon_delta_simple", "eps;delta", "lower",
        EPS_DELTA, "A rho that suffices for (eps, delta), readable form.",
        rho_simple},
    {"T000-15.rho_lower", "zcdp.rho_at_epsilon_delta_lower", "eps;delta",
        "lower", EPS_DELTA,
        "eps^2 / (4 log(1/delta) + 4 eps): it suffices, too.", rho_lower},
    {"T000-15.rho_upper", "zcdp.rho_at_epsilon_delta_approx", "eps;delta",
        "approximate", EPS_DELTA,
        "eps^2 / (4 log(1/delta)), above T000-15.rho: it does not suffice.",
        rho_upper},
    {"T000-15.sigma2", "zcdp.gaussian_variance", "eps;delta;sens", "upper",
        "eps > 0, 0 < delta < 1, sens >= 0",
        "Gaussian variance that suffices for (eps, delta).", variance},
    {"T000-16.rho", "zcdp.rho_of_pure", "eps", "upper", "eps >= 0",
        "rho of an eps-DP mechanism, eps^2 / 2.", pure_rho},
    {"T000-17.log_mgf_bound", "zcdp.bounded_log_moment", "t;mean;eps", "upper",
        "eps >= 0; |mean| <= eps",
        "log E[exp(t Z)] of a loss within +-eps (Hoeffding).",
        bounded_log_moment},
    {"T000-19.rho", "zcdp.compose_adaptive", "rho[]", "upper",
        "0 <= rho <= inf", "Adaptive composition: the sum of the rhos.",
        compose_rho},
    {"S000-7.filter", "zcdp.filter_remaining", "budget;rho[]", "exact",
        "budget >= 0, rho >= 0; sum of rho at most the budget",
        "What a privacy filter may still grant after these.", filter_remaining},
};

FORMULA_TABLE(formula_zcdp, rows);
