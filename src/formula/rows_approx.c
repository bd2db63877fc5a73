/*
 * Advanced composition, composition of stated (epsilon, delta) guarantees,
 * their budgets, and the change of neighbours.
 */
#include "formula.h"

#include "repr/approx.h"
#include "repr/zcdp.h"

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
FORMULA_BALL(older_epsilon,
    approx_older_epsilon(ARG("k"), ARG("eps"), ball_log(ARG("delta_prime"))))

static dosi_status advanced_log_delta(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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

static dosi_status compose_list(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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

static dosi_status compose_k(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    approx_total total = equal_total(args, formula_real(args, "delta0"));
    return give_at_slack(
        out, &total, approx_slack(&total, ARG("delta")), approx_epsilon, err);
}

static dosi_status compose_k_advanced(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    approx_total total = equal_total(args, formula_real(args, "delta0"));
    return give_at_slack(
        out, &total, approx_slack(&total, ARG("delta")), advanced_only, err);
}

static dosi_status compose_k_product(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    approx_total total = equal_total(args, formula_real(args, "delta0"));
    return give_at_slack(out, &total,
        approx_slack_product(&total, ARG("delta")), approx_epsilon, err);
}

static dosi_status compose_k_cdp(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    approx_total total = equal_total(args, formula_real(args, "delta0"));
    return give_at_slack(out, &total,
        approx_slack_product(&total, ARG("delta")), approx_epsilon_cdp, err);
}

FORMULA_BALL(basic_delta, ball_mul(ARG("k"), ARG("delta0")))
FORMULA_BALL(truth, approx_truth_probability(ARG("eps"), ARG("delta")))
FORMULA_BALL(lie, approx_lie_probability(ARG("eps"), ARG("delta")))
FORMULA_BALL(replace_epsilon, approx_replace_epsilon(ARG("eps")))

static dosi_status replace_delta(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    ball delta = approx_replace_delta(ARG("eps"), ARG("delta"));
    if (ball_is_unknown(delta)) /* beyond e^710: vacuous, but not an error */
        return formula_give_interval(out, iv_make(DBL_MAX, HUGE_VAL), err);
    return formula_give(out, delta, err);
}

#define K_EPS "k >= 0, k whole, eps >= 0"
#define K_EPS_DELTA K_EPS ", 0 < delta < 1"
#define BUDGET "k >= 1, k whole, eps >= 0, 0 < delta < 1"
#define COMPOSE K_EPS ", 0 <= delta0 < 1, 0 < delta < 1; delta at least "
#define LINEAR COMPOSE "k delta0"
#define PRODUCT COMPOSE "1 - (1 - delta0)^k"

static const formula_row rows[] = {
    {"T000-18.eps", "advanced.epsilon", "eps[];delta", "upper",
        "eps >= 0, 0 < delta < 1", "Advanced composition of pure mechanisms.",
        advanced_list},
    {"T000-18.k_eps", "advanced.epsilon_k", "k;eps;delta", "upper", K_EPS_DELTA,
        "Advanced composition of k eps-DP mechanisms.", advanced_k},
    {"T000-18.k_eps_min_basic", "advanced.epsilon_k_min_basic", "k;eps;delta",
        "upper", K_EPS_DELTA, "The smaller of advanced and basic composition.",
        advanced_min_basic},
    {"T000-18.k_logdelta", "advanced.log_delta_k", "k;eps;target_eps", "upper",
        K_EPS ", target_eps >= 0; target_eps >= k eps^2 / 2",
        "log delta at target_eps of k eps-DP mechanisms.", advanced_log_delta},
    {"T000-18.per_query_eps", "advanced.query_epsilon", "k;eps;delta", "lower",
        BUDGET, "What each of k pure queries may spend of (eps, delta).",
        query_epsilon},
    {"S000-4.1.laplace_scale_advanced", "advanced.laplace_scale", "k;eps;delta",
        "upper", "k >= 1, k whole, eps > 0, 0 < delta < 1",
        "Laplace scale of each of k queries under advanced composition.",
        query_scale},
    {"S000-4.1.laplace_scale_basic", "advanced.laplace_scale_basic", "k;eps",
        "exact", "k >= 0, k whole, eps > 0",
        "Laplace scale of each of k queries under basic composition.",
        query_scale_basic},
    {"T000-22.basic_delta", "approx.basic_delta", "k;eps;delta0", "upper",
        K_EPS ", 0 <= delta0 <= 1", "Basic composition: the sum of the deltas.",
        basic_delta},
    {"T000-22.eps", "approx.epsilon", "eps[];delta0[];delta", "upper",
        "eps >= 0, 0 <= delta0 < 1, 0 < delta < 1; delta at least the sum "
        "of delta0",
        "Composition of (eps, delta0) mechanisms at a total delta.",
        compose_list},
    {"T000-22.k_eps", "approx.epsilon_k", "k;eps;delta0;delta", "upper", LINEAR,
        "Composition of k (eps, delta0) mechanisms at delta.", compose_k},
    {"T000-22.k_eps_advanced_branch", "approx.epsilon_k_advanced",
        "k;eps;delta0;delta", "upper", LINEAR,
        "The same without the minimum with the sum.", compose_k_advanced},
    {"T000-22.k_eps_product", "approx.epsilon_k_product", "k;eps;delta0;delta",
        "upper", PRODUCT, "The same with deltas composed as a product.",
        compose_k_product},
    {"T000-22.k_eps_cdp", "approx.epsilon_k_cdp", "k;eps;delta0;delta", "upper",
        PRODUCT, "The same with the tail of T000-14.", compose_k_cdp},
    {"N000-15.eps", "approx.epsilon_k_older", "k;eps;delta_prime", "upper",
        K_EPS ", 0 < delta_prime < 1",
        "The older advanced composition, never better than T000-22.",
        older_epsilon},
    {"T000-24.p_truth", "approx.truth_probability", "eps;delta", "exact",
        "eps >= 0, 0 <= delta <= 1",
        "Worst (eps, delta)-DP mechanism: it tells the bit without a leak.",
        truth},
    {"T000-24.p_lie", "approx.lie_probability", "eps;delta", "exact",
        "eps >= 0, 0 <= delta <= 1",
        "Worst (eps, delta)-DP mechanism: it tells the other bit.", lie},
    {"S000-6.2.replace_eps", "approx.replace_epsilon", "eps", "upper",
        "0 <= eps <= inf",
        "epsilon under replacement of an add/remove guarantee.",
        replace_epsilon},
    {"S000-6.2.replace_delta", "approx.replace_delta", "eps;delta", "upper",
        "eps >= 0, 0 <= delta <= 1",
        "delta under replacement of an add/remove guarantee.", replace_delta},
};

FORMULA_TABLE(formula_approx, rows);
