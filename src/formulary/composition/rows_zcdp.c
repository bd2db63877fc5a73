/*
 * Zero-concentrated differential privacy: moments, composition and the
 * conversions to (epsilon, delta).
 */
#include "formulary/formula.h"

#include "renyi/zcdp.h"

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

FORMULA(filter_remaining)
{
    ball spent = sum_rho(args), budget = ARG("budget");
    ball rest = ball_sub(budget, spent);
    if (ball_is_negative(rest))
        return formula_domain(err,
            "needs sum of rho <= budget, got sum = %.17g, budget = %.17g",
            ball_mid(spent), ball_mid(budget));
    return formula_give(out, rest, err);
}

FORMULA_BALL(zcdp_log_moment, zcdp_log_moment(ARG("rho"), ARG("t")))
FORMULA_BALL(zcdp_rho_of_gaussian, zcdp_of_gaussian(ARG("sens"), ARG("sigma")))
FORMULA_BALL(compose_rho, sum_rho(args))
FORMULA_BALL(log_delta_t, zcdp_log_delta_at(ARG("rho"), ARG("eps"), ARG("t")))
FORMULA_BALL(log_delta_t_simple,
    zcdp_log_delta_at_simple(ARG("rho"), ARG("eps"), ARG("t")))
FORMULA_INTERVAL(
    zcdp_log_delta_at_epsilon, zcdp_log_delta(ARG("rho"), ARG("eps")))
FORMULA_BALL(zcdp_log_delta_at_epsilon_simple,
    zcdp_log_delta_simple(ARG("rho"), ARG("eps")))
FORMULA_INTERVAL(zcdp_epsilon_at_delta, zcdp_epsilon(ARG("rho"), LOG_DELTA))
FORMULA_INTERVAL(
    epsilon_unclamped, zcdp_epsilon_unclamped(ARG("rho"), LOG_DELTA))
FORMULA_INTERVAL(alpha, zcdp_alpha(ARG("rho"), LOG_DELTA))
FORMULA_INTERVAL(rho, zcdp_rho(ARG("eps"), LOG_DELTA))
FORMULA_BALL(
    zcdp_epsilon_at_delta_simple, zcdp_epsilon_simple(ARG("rho"), LOG_DELTA))
FORMULA_BALL(
    zcdp_rho_at_epsilon_delta_simple, zcdp_rho_simple(ARG("eps"), LOG_DELTA))
FORMULA_BALL(rho_lower, zcdp_rho_simple_lower(ARG("eps"), LOG_DELTA))
FORMULA_BALL(rho_upper, zcdp_rho_simple_upper(ARG("eps"), LOG_DELTA))
FORMULA_BALL(variance, zcdp_variance_simple(ARG("eps"), LOG_DELTA, ARG("sens")))
FORMULA_BALL(pure_rho, zcdp_of_pure(ARG("eps")))

FORMULA(bounded_log_moment)
{
    double mean = formula_real(args, "mean");
    double eps = formula_real(args, "eps");
    if (fabs(mean) > eps)
        return formula_domain(err,
            "needs |mean| <= eps, got mean = %.17g, eps = %.17g", mean, eps);
    return formula_give(out,
        zcdp_log_moment_bounded(ARG("t"), ball_of(mean), ball_of(eps)), err);
}
