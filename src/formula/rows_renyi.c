/*
 * Rényi differential privacy: divergences of finite pairs and of single
 * mechanisms, composition, groups, mixtures, conversion, and the sharp
 * amplification by Poisson sampling.
 */
#include "formula.h"

#include "repr/amplify.h"
#include "repr/atoms.h"
#include "repr/laplace.h"
#include "repr/renyi.h"
#include "repr/sampled_renyi.h"
#include "repr/zcdp.h"

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

static dosi_status composed_order(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    size_t n = 0;
    const double *alpha = formula_list(args, "alpha", &n);
    double least = alpha[0];
    for (size_t i = 1; i < n; i++)
        least = fmin(least, alpha[i]);
    return formula_give_interval(out, iv_point(least), err);
}

static dosi_status composed_epsilon(
    dosi_interval *out, const formula_args *args, dosi_error *err)
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
static dosi_status read_pair(
    atoms **out, const formula_args *args, bool is_reversed, dosi_error *err)
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
    return is_reversed ? atoms_from_pair(out, q, p, n_p, err)
                       : atoms_from_pair(out, p, q, n_p, err);
}

static dosi_status pair_renyi_at(
    dosi_interval *out, const formula_args *args, ball order, dosi_error *err)
{
    atoms *pair;
    dosi_status status = read_pair(&pair, args, false, err);
    if (status == DOSI_OK)
        status = formula_give(out, atoms_renyi(pair, order), err);
    atoms_free(pair);
    return status;
}

static dosi_status pair_renyi(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    return pair_renyi_at(out, args, ARG("alpha"), err);
}

static dosi_status pair_renyi_inf(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    return pair_renyi_at(out, args, ball_of(HUGE_VAL), err);
}

/* ---- Both directions of a sample, T000-35 -------------------------------- */

/* exp((alpha-1) D_alpha) of the pair on a sample of rate p. */
static dosi_status sampled_moment(ball *out, const formula_args *args,
    bool is_reversed, atoms_direction direction, dosi_error *err)
{
    atoms *pair, *sampled = NULL;
    dosi_status status = read_pair(&pair, args, is_reversed, err);
    if (status == DOSI_OK)
        status = atoms_poisson(&sampled, pair, ARG("p"), direction, err);
    if (status == DOSI_OK)
        *out = ball_exp(ball_mul(ball_sub_d(ARG("alpha"), 1),
            atoms_renyi(sampled, ARG("alpha"))));
    atoms_free(pair);
    atoms_free(sampled);
    return status;
}

/* Q against p P + (1-p) Q. */
static dosi_status removal_moment(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    ball moment;
    dosi_status status = sampled_moment(&moment, args, true, ATOMS_ADD, err);
    return status == DOSI_OK ? formula_give(out, moment, err) : status;
}

/* p P + (1-p) Q against Q, and (1-p) P + p Q against P. */
static dosi_status removal_bound(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    ball first, second, share = amplify_lambda(ARG("p"), ARG("alpha"));
    dosi_status status =
        sampled_moment(&first, args, false, ATOMS_REMOVE, err);
    if (status == DOSI_OK)
        status = sampled_moment(&second, args, true, ATOMS_REMOVE, err);
    if (status != DOSI_OK)
        return status;
    ball rest = ball_mul(ball_sub(ball_of(1), share), first);
    return formula_give(out, ball_add(rest, ball_mul(share, second)), err);
}

/* ---- Rules -------------------------------------------------------------- */

FORMULA_BALL(
    pure_bound, renyi_pure_bound(ARG("alpha"), ARG("dinf_pq"), ARG("dinf_qp")))
FORMULA_BALL(
    mixture, renyi_mixture(ARG("alpha"), ARG("s"), ARG("d1"), ARG("d2")))
FORMULA_BALL(group_order, renyi_group_partner(ARG("alpha"), ARG("alpha2")))
FORMULA_BALL(group_factor, renyi_group_factor(ARG("alpha2")))
FORMULA_BALL(group_zcdp, renyi_group_zcdp(ARG("rho1"), ARG("rho2")))

FORMULA_BALL(
    log_delta, renyi_log_delta(ARG("alpha"), ARG("eps_alpha"), ARG("eps")))
FORMULA_BALL(log_delta_simple,
    renyi_log_delta_simple(ARG("alpha"), ARG("eps_alpha"), ARG("eps")))
FORMULA_INTERVAL(
    epsilon, iv_max(iv_point(0), ball_interval(renyi_epsilon(ARG("alpha"),
                                     ARG("eps_alpha"), LOG_DELTA))))
FORMULA_BALL(epsilon_simple,
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

static dosi_status sampled_gaussian(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    ball mu = ball_div(ARG("sens"), ARG("sigma"));
    ball rho = ball_scale2(ball_sqr(mu), -1);
    double order = ceil(formula_real(args, "alpha"));
    return sampled_at(out, args, order, renyi_curve_gaussian, &rho, err);
}

static dosi_status sampled_pure(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    ball eps = ARG("eps");
    double order = formula_real(args, "alpha");
    return sampled_at(out, args, order, renyi_curve_pure, &eps, err);
}

static dosi_status sampled_table(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    const double *table = NULL;
    double order = formula_real(args, "alpha");
    dosi_status status = formula_orders(&table, args, err);
    if (status != DOSI_OK)
        return status;
    return sampled_at(out, args, order, formula_orders_curve, table, err);
}

static dosi_status sampled_replace(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    ball rho = ARG("rho"), d;
    dosi_status status = sampled_renyi_replace(&d, ARG("p"),
        formula_real(args, "alpha"), renyi_curve_gaussian, &rho, err);
    return status == DOSI_OK ? formula_give(out, d, err) : status;
}

#define ORDER "1 <= alpha <= inf"
#define PAIR "P >= 0, Q >= 0; of one length, sums positive"
#define RATE "0 <= p <= 1"
#define MUTUAL ", alpha > 1, P > 0, Q > 0; of one length"
#define WHOLE RATE ", alpha >= 2, alpha whole"
#define CONVERT "alpha > 1, 0 <= eps_alpha <= inf, 0 < delta < 1"
#define TAIL "alpha > 1, 0 <= eps_alpha <= inf, eps >= 0"

static const formula_row rows[] = {
    {"D000-rr.mean_loss", "rr.mean_loss", "eps", "exact", "eps >= 0",
        "Mean loss of binary randomised response.", rr_mean},
    {"D000-rr.var_loss", "rr.variance_loss", "eps", "exact", "eps >= 0",
        "Variance of the loss of binary randomised response.", rr_variance},
    {"D000-rr.rdp", "rr.renyi", "eps;alpha", "exact", "eps >= 0, " ORDER,
        "Rényi divergence of binary randomised response, the worst eps-DP "
        "pair.",
        rr_renyi},
    {"D000-laplace.rdp", "laplace.renyi", "eps;alpha", "exact",
        "eps >= 0, " ORDER,
        "Rényi divergence of Laplace noise with parameter eps.", laplace_renyi},
    {"D000-laplace.delta", "laplace.delta", "eps0;eps", "exact",
        "eps0 >= 0, eps >= 0", "Profile of Laplace noise with parameter eps0.",
        laplace_delta},
    {"T000-33.4.renyi", "gaussian.renyi", "alpha;mu;mu2;sigma", "exact",
        "alpha >= 1, sigma > 0",
        "Rényi divergence of two Gaussians of one variance.", gaussian_renyi},
    {"T000-31.alpha", "renyi.composed_order", "alpha[];eps_alpha[]", "upper",
        "1 < alpha <= inf, 0 <= eps_alpha <= inf",
        "Adaptive composition: the order that the total holds at.",
        composed_order},
    {"T000-31.eps", "renyi.composed_epsilon", "alpha[];eps_alpha[]", "upper",
        "1 < alpha <= inf, 0 <= eps_alpha <= inf; of one length",
        "Adaptive composition: the total at that order.", composed_epsilon},
    {"T000-32.renyi", "pair.renyi", "alpha;P[];Q[]", "exact", ORDER ", " PAIR,
        "Rényi divergence of a finite pair.", pair_renyi},
    {"T000-32.renyi_inf", "pair.renyi_inf", "P[];Q[]", "exact", PAIR,
        "Largest loss of a finite pair, the order infinity.", pair_renyi_inf},
    {"T000-35.lhs", "amplify.removal_moment", "p;alpha;P[];Q[]", "helper",
        RATE MUTUAL, "Moment of the removal direction.", removal_moment},
    {"T000-35.rhs", "amplify.removal_bound", "p;alpha;P[];Q[]", "helper",
        RATE MUTUAL, "Its bound by moments of the add direction.",
        removal_bound},
    {"T000-33.5.bound", "renyi.pure_bound", "alpha;dinf_pq;dinf_qp", "upper",
        "alpha >= 1, dinf_pq >= 0, dinf_qp >= 0",
        "From the largest losses of both directions.", pure_bound},
    {"T000-33.6.bound", "renyi.mixture", "alpha;s;d1;d2", "upper",
        "alpha >= 1, 0 <= s <= 1, 0 <= d1 <= inf, 0 <= d2 <= inf",
        "Mixtures with weights 1-s and s of two pairs.", mixture},
    {"T000-33.7.order", "renyi.group_order", "alpha;alpha2", "exact",
        "1 < alpha < alpha2", "Group privacy: the order of the first step.",
        group_order},
    {"T000-33.7.factor", "renyi.group_factor", "alpha2", "exact", "alpha2 > 1",
        "Group privacy: the factor of the first step.", group_factor},
    {"T000-33.7.zcdp_group", "zcdp.group", "rho1;rho2", "upper",
        "rho1 >= 0, rho2 >= 0", "Group privacy: rho over two steps.",
        group_zcdp},
    {"T000-33.8.logdelta", "renyi.log_delta", "alpha;eps_alpha;eps", "upper",
        TAIL, "log delta at eps of a Rényi guarantee.", log_delta},
    {"T000-33.8.logdelta_simple", "renyi.log_delta_simple",
        "alpha;eps_alpha;eps", "upper", TAIL,
        "The same without the terms in log alpha.", log_delta_simple},
    {"T000-33.8.eps", "renyi.epsilon", "alpha;eps_alpha;delta", "upper",
        CONVERT, "epsilon at delta of a Rényi guarantee.", epsilon},
    {"T000-33.8.eps_simple", "renyi.epsilon_simple", "alpha;eps_alpha;delta",
        "upper", CONVERT, "The same without the terms in log alpha.",
        epsilon_simple},
    {"S000-6.4.log_tail_rdp", "renyi.log_tail", "alpha;eps_alpha;eps", "upper",
        TAIL, "log Pr[loss > eps] of a Rényi guarantee.", log_delta_simple},
    {"S000-6.4.log_tail_zcdp", "zcdp.log_tail", "rho;eps", "upper",
        "rho > 0, eps >= rho", "log Pr[loss > eps] of a zCDP guarantee.",
        log_tail_zcdp},
    {"T000-34.gauss_rdp", "sampled_gaussian.renyi", "p;sigma;sens;alpha",
        "exact", WHOLE ", sigma > 0, sens >= 0",
        "Rényi divergence of one sampled Gaussian round, whole order.",
        sampled_gaussian},
    {"T000-34.gauss_rdp_ceil", "sampled_gaussian.renyi_ceil",
        "p;sigma;sens;alpha", "upper",
        "0 <= p <= 1, alpha > 1, sigma > 0, sens >= 0",
        "The same at the next whole order.", sampled_gaussian},
    {"T000-34.pure_rdp", "sampling.renyi_pure", "p;eps;alpha", "upper",
        WHOLE ", eps >= 0", "A sampled eps-DP mechanism at a whole order.",
        sampled_pure},
    {"T000-34.table_rdp", "sampling.renyi", "p;alpha;eps_table_2_up[]", "upper",
        WHOLE ", 0 <= eps_table_2_up <= inf; given at 2 .. alpha",
        "A sampled mechanism from its Rényi curve at 2, 3, .., alpha.",
        sampled_table},
    {"S000-6.7.replace_rdp", "sampling.renyi_replace", "p;rho;alpha", "upper",
        WHOLE ", rho >= 0",
        "Fixed-size sample of a base that is rho-zCDP under replacement.",
        sampled_replace},
};

FORMULA_TABLE(formula_renyi, rows);
