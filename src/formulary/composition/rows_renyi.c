/*
 * Rényi differential privacy: divergences of finite pairs and of single
 * mechanisms, composition, groups, mixtures, conversion, and the sharp
 * amplification by Poisson sampling.
 */
#include "formulary/formula.h"

#include "sampling/amplify.h"
#include "finite/finite_law.h"
#include "noise/laplace.h"
#include "renyi/renyi.h"
#include "renyi/poisson_renyi.h"
#include "renyi/zcdp.h"

#define LOG_DELTA ball_log(ARG("delta"))

/* ---- Single mechanisms -------------------------------------------------- */

FORMULA_BALL(rr_mean, renyi_rr_mean_loss(ARG("eps")))
FORMULA_BALL(rr_variance, renyi_rr_variance_loss(ARG("eps")))
FORMULA_BALL(rr_renyi, renyi_rr(ARG("alpha"), ARG("eps"), 2))
FORMULA_BALL(laplace_renyi, renyi_laplace(ARG("alpha"), ARG("eps")))
FORMULA_BALL(
    laplace_delta, ball_exp(laplace_log_delta(ARG("eps0"), ARG("eps"))))

static ball rho_of_means(const formula_args *args)
{
    ball mu = ball_div(ball_sub(ARG("mu"), ARG("mu2")), ARG("sigma"));
    return ball_scale2(ball_sqr(mu), -1);
}

FORMULA_BALL(gaussian_renyi, renyi_gaussian(ARG("alpha"), rho_of_means(args)))

/* ---- Composition -------------------------------------------------------- */

FORMULA(composed_order)
{
    size_t n = 0;
    const double *alpha = formula_list(args, "alpha", &n);
    double least = alpha[0];
    for (size_t i = 1; i < n; i++)
        least = fmin(least, alpha[i]);
    return formula_give_interval(out, iv_point(least), err);
}

FORMULA(composed_epsilon)
{
    size_t n = 0, n_orders = 0;
    const double *eps = formula_list(args, "eps_alpha", &n);
    (void)formula_list(args, "alpha", &n_orders);
    if (n != n_orders)
        return formula_domain(err,
            "needs alpha and eps_alpha of one length, got %zu and %zu",
            n_orders, n);
    ball sum = ball_of(0);
    for (size_t i = 0; i < n; i++)
        sum = ball_add_d(sum, eps[i]);
    return formula_give(out, sum, err);
}

/* ---- Pairs -------------------------------------------------------------- */

/* The law of (P, Q), or of (Q, P). */
static dosi_status read_pair(finite_law **out, const formula_args *args,
    bool is_reversed, dosi_error *err)
{
    size_t n_p = 0, n_q = 0;
    const double *p = formula_list(args, "P", &n_p);
    const double *q = formula_list(args, "Q", &n_q);
    double sum_p = 0, sum_q = 0;
    *out = NULL;
    for (size_t i = 0; i < n_p; i++)
        sum_p += p[i];
    for (size_t i = 0; i < n_q; i++)
        sum_q += q[i];
    if (n_p != n_q || !(sum_p > 0 && sum_q > 0))
        return formula_domain(err,
            "needs P and Q of one length, each with a positive sum, got "
            "lengths %zu and %zu, sums %g and %g",
            n_p, n_q, sum_p, sum_q);
    return is_reversed ? finite_from_pair(out, q, p, n_p, err)
                       : finite_from_pair(out, p, q, n_p, err);
}

static dosi_status pair_renyi_at(
    dosi_interval *out, const formula_args *args, ball order, dosi_error *err)
{
    finite_law *pair;
    dosi_status status = read_pair(&pair, args, false, err);
    if (status == DOSI_OK)
        status = formula_give(out, finite_renyi(pair, order), err);
    finite_free(pair);
    return status;
}

FORMULA(pair_renyi)
{
    return pair_renyi_at(out, args, ARG("alpha"), err);
}

FORMULA(pair_renyi_inf)
{
    return pair_renyi_at(out, args, ball_of(HUGE_VAL), err);
}

/* ---- Both directions of a sample, T000-35 -------------------------------- */

/* exp((alpha-1) D_alpha) of the pair on a sample of rate p. */
static dosi_status sampled_moment(ball *out, const formula_args *args,
    bool is_reversed, finite_direction direction, dosi_error *err)
{
    finite_law *pair, *sampled = NULL;
    dosi_status status = read_pair(&pair, args, is_reversed, err);
    if (status == DOSI_OK)
        status = finite_poisson(&sampled, pair, ARG("p"), direction, err);
    if (status == DOSI_OK)
        *out = ball_exp(ball_mul(
            ball_sub_d(ARG("alpha"), 1), finite_renyi(sampled, ARG("alpha"))));
    finite_free(pair);
    finite_free(sampled);
    return status;
}

/* Q against p P + (1-p) Q. */
FORMULA(base_first_moment)
{
    ball moment;
    dosi_status status =
        sampled_moment(&moment, args, true, FINITE_BASE_FIRST, err);
    return status == DOSI_OK ? formula_give(out, moment, err) : status;
}

/* p P + (1-p) Q against Q, and (1-p) P + p Q against P. */
FORMULA(base_first_bound)
{
    ball first, second, share = amplify_lambda(ARG("p"), ARG("alpha"));
    dosi_status status =
        sampled_moment(&first, args, false, FINITE_MIXTURE_FIRST, err);
    if (status == DOSI_OK)
        status = sampled_moment(&second, args, true, FINITE_MIXTURE_FIRST, err);
    if (status != DOSI_OK)
        return status;
    ball rest = ball_mul(ball_sub(ball_of(1), share), first);
    return formula_give(out, ball_add(rest, ball_mul(share, second)), err);
}

/* ---- Rules -------------------------------------------------------------- */

FORMULA_BALL(renyi_pure_bound,
    renyi_pure_bound(ARG("alpha"), ARG("dinf_pq"), ARG("dinf_qp")))
FORMULA_BALL(
    mixture, renyi_mixture(ARG("alpha"), ARG("s"), ARG("d1"), ARG("d2")))
FORMULA_BALL(group_order, renyi_group_partner(ARG("alpha"), ARG("alpha2")))
FORMULA_BALL(group_factor, renyi_group_factor(ARG("alpha2")))
FORMULA_BALL(group_zcdp, renyi_group_zcdp(ARG("rho1"), ARG("rho2")))

FORMULA_BALL(renyi_log_delta,
    renyi_log_delta(ARG("alpha"), ARG("eps_alpha"), ARG("eps")))
FORMULA_BALL(renyi_log_delta_simple,
    renyi_log_delta_simple(ARG("alpha"), ARG("eps_alpha"), ARG("eps")))
FORMULA_INTERVAL(
    renyi_epsilon, iv_max(iv_point(0), ball_interval(renyi_epsilon(ARG("alpha"),
                                     ARG("eps_alpha"), LOG_DELTA))))
FORMULA_BALL(renyi_epsilon_simple,
    renyi_epsilon_simple(ARG("alpha"), ARG("eps_alpha"), LOG_DELTA))
FORMULA_BALL(log_tail_zcdp, zcdp_log_delta_simple(ARG("rho"), ARG("eps")))

/* ---- Poisson sampling, T000-34 ------------------------------------------ */

static dosi_status sampled_at(dosi_interval *out, const formula_args *args,
    double order, renyi_curve curve, const void *context, dosi_error *err)
{
    ball d;
    dosi_status status =
        sampled_renyi_once(&d, ARG("p"), order, curve, context, err);
    return status == DOSI_OK ? formula_give(out, d, err) : status;
}

FORMULA(sampled_gaussian)
{
    ball mu = ball_div(ARG("sens"), ARG("sigma"));
    ball rho = ball_scale2(ball_sqr(mu), -1);
    double order = ceil(formula_real(args, "alpha"));
    return sampled_at(out, args, order, renyi_curve_gaussian, &rho, err);
}

FORMULA(sampling_renyi_pure)
{
    ball eps = ARG("eps");
    double order = formula_real(args, "alpha");
    return sampled_at(out, args, order, renyi_curve_pure, &eps, err);
}

FORMULA(sampled_table)
{
    const double *table = NULL;
    double order = formula_real(args, "alpha");
    dosi_status status = formula_orders(&table, args, err);
    if (status != DOSI_OK)
        return status;
    return sampled_at(out, args, order, formula_orders_curve, table, err);
}

FORMULA(sampled_replace)
{
    ball rho = ARG("rho"), d;
    dosi_status status = sampled_renyi_replace(&d, ARG("p"),
        formula_real(args, "alpha"), renyi_curve_gaussian, &rho, err);
    return status == DOSI_OK ? formula_give(out, d, err) : status;
}
