/*
 * Advanced composition, composition of stated (epsilon, delta) guarantees,
 * their budgets, and the change of neighbours.
 */
#include "formulary/formula.h"

#include "renyi/composition_theorems.h"
#include "renyi/zcdp.h"

#define LOG_DELTA ball_log(ARG("delta"))

/* k mechanisms, each (eps, delta0)-DP. */
static approx_total equal_total(const formula_args *args, double delta0)
{
    return approx_total_add(
        approx_total_empty(), ARG("eps"), ball_of(delta0), ARG("k"));
}

/* The lists eps and delta0; delta0 == NULL stands for zeros. */
static approx_total list_total(
    const double *eps, const double *delta0, size_t n)
{
    approx_total total = approx_total_empty();
    for (size_t i = 0; i < n; i++)
        total = approx_total_add(total, ball_of(eps[i]),
            ball_of(delta0 == NULL ? 0 : delta0[i]), ball_of(1));
    return total;
}

/* ---- Pure mechanisms, T000-18 ------------------------------------------ */

static ball list_advanced(const formula_args *args)
{
    size_t n = 0;
    const double *eps = formula_list(args, "eps", &n);
    approx_total total = list_total(eps, NULL, n);
    return approx_advanced_epsilon(total.squares, LOG_DELTA);
}

static dosi_interval min_with_basic(const formula_args *args)
{
    approx_total total = equal_total(args, 0);
    return approx_epsilon(&total, approx_slack(&total, ARG("delta")));
}

FORMULA_BALL(advanced_list, list_advanced(args))
FORMULA_BALL(advanced_k,
    approx_advanced_epsilon(equal_total(args, 0).squares, LOG_DELTA))
FORMULA_INTERVAL(advanced_min_basic, min_with_basic(args))
FORMULA_BALL(approx_epsilon_k_older,
    approx_older_epsilon(ARG("k"), ARG("eps"), ball_log(ARG("delta_prime"))))

FORMULA(advanced_log_delta)
{
    ball squares = equal_total(args, 0).squares, eps = ARG("target_eps");
    ball least = ball_scale2(squares, -1);
    if (ball_less(eps, least))
        return formula_domain(err,
            "needs target_eps >= k eps^2 / 2, got target_eps = %.17g, "
            "k eps^2 / 2 = %.17g",
            ball_mid(eps), ball_mid(least));
    return formula_give(out, approx_advanced_log_delta(squares, eps), err);
}

FORMULA_BALL(query_epsilon,
    approx_query_epsilon(ARG("k"), zcdp_rho_simple(ARG("eps"), LOG_DELTA)))
FORMULA_BALL(query_scale,
    approx_query_scale(ARG("k"), zcdp_rho_simple(ARG("eps"), LOG_DELTA)))
FORMULA_BALL(query_scale_basic, ball_div(ARG("k"), ARG("eps")))

/* ---- (eps, delta) mechanisms, T000-22 ---------------------------------- */

typedef dosi_interval (*epsilon_rule)(
    const approx_total *total, dosi_interval slack);

static dosi_status give_at_slack(dosi_interval *out, const approx_total *total,
    dosi_interval slack, epsilon_rule epsilon, dosi_error *err)
{
    if (slack.hi < 0)
        return formula_domain(err,
            "needs delta at least what the mechanisms leak together, at "
            "least %.17g is lacking",
            -slack.hi);
    if (slack.lo < 0)
        return dosi_fail(err, DOSI_EUNABLE,
            "cannot tell delta from what the mechanisms leak together");
    return formula_give_interval(out, epsilon(total, slack), err);
}

/* T000-22 without the sum; infinite at slack 0. */
static dosi_interval advanced_only(
    const approx_total *total, dosi_interval slack)
{
    ball log_slack = ball_log(ball_of_interval(slack));
    return ball_interval(approx_advanced_epsilon(total->squares, log_slack));
}

FORMULA(compose_list)
{
    size_t n = 0, n_delta = 0;
    const double *eps = formula_list(args, "eps", &n);
    const double *delta0 = formula_list(args, "delta0", &n_delta);
    if (n != n_delta)
        return dosi_fail(err, DOSI_EINVAL,
            "eps has %zu elements, delta0 has %zu", n, n_delta);
    approx_total total = list_total(eps, delta0, n);
    return give_at_slack(
        out, &total, approx_slack(&total, ARG("delta")), approx_epsilon, err);
}

FORMULA(compose_k)
{
    approx_total total = equal_total(args, formula_real(args, "delta0"));
    return give_at_slack(
        out, &total, approx_slack(&total, ARG("delta")), approx_epsilon, err);
}

FORMULA(compose_k_advanced)
{
    approx_total total = equal_total(args, formula_real(args, "delta0"));
    return give_at_slack(
        out, &total, approx_slack(&total, ARG("delta")), advanced_only, err);
}

FORMULA(compose_k_product)
{
    approx_total total = equal_total(args, formula_real(args, "delta0"));
    return give_at_slack(out, &total,
        approx_slack_product(&total, ARG("delta")), approx_epsilon, err);
}

FORMULA(compose_k_cdp)
{
    approx_total total = equal_total(args, formula_real(args, "delta0"));
    return give_at_slack(out, &total,
        approx_slack_product(&total, ARG("delta")), approx_epsilon_cdp, err);
}

FORMULA_BALL(approx_basic_delta, ball_mul(ARG("k"), ARG("delta0")))
FORMULA_BALL(truth, approx_truth_probability(ARG("eps"), ARG("delta")))
FORMULA_BALL(lie, approx_lie_probability(ARG("eps"), ARG("delta")))
FORMULA_BALL(replace_epsilon, approx_replace_epsilon(ARG("eps")))

FORMULA(replace_delta)
{
    ball delta = approx_replace_delta(ARG("eps"), ARG("delta"));
    if (ball_is_unknown(delta)) /* beyond e^710: vacuous, but not an error */
        return formula_give_interval(out, iv_make(DBL_MAX, HUGE_VAL), err);
    return formula_give(out, delta, err);
}
