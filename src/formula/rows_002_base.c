/*
 * Base mechanisms under replacement: their Rényi curves and exact profiles,
 * the classical rules for (epsilon, delta), and composition by the book.
 */
#include "formula.h"

#include "mech_args.h"
#include "repr/amplify.h"
#include "repr/concentrated.h"
#include "repr/gaussian.h"
#include "repr/laplace.h"
#include "repr/optimal.h"
#include "repr/order_search.h"
#include "repr/renyi.h"

/* ---- Curves ------------------------------------------------------------ */

MECH_BALL(curve, chi_divergence(&law, ARG("alpha")))
MECH_BALL(cumulant, mech_cumulant(ARG("lambda"), &law))
MECH_BALL(kl, chi_divergence(&law, ball_of(1)))
MECH_BALL(pure, chi_pure(&law))

/* ---- Exact profiles ---------------------------------------------------- */

static dosi_status profile(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    chi_law law;
    dosi_status status = mech_read(&law, args, err);
    if (status != DOSI_OK)
        return status;
    ball x = law.parameter, eps = ARG("eps");
    if (law.kind == CHI_GAUSSIAN)
        return formula_give(out, gauss_delta(x, eps), err);
    if (law.kind == CHI_LAPLACE)
        return formula_give(out, ball_exp(laplace_log_delta(x, eps)), err);
    return formula_give(out, optimal_delta(1, x, ball_of(0), eps, 0), err);
}

FORMULA_BALL(gaussian_profile,
    gauss_delta(ball_div(ball_of(1), ARG("sigma")), ARG("eps")))

/* ---- Classical rules --------------------------------------------------- */

/* 1.25 exp(-(sigma eps)^2/2) */
FORMULA_BALL(classic_delta,
    ball_mul_d(ball_exp(ball_scale2(
                   ball_neg(ball_sqr(ball_mul(ARG("sigma"), ARG("eps")))), -1)),
        1.25))

/* sqrt(2 log(1.25/delta))/sigma */
FORMULA_BALL(classic_epsilon,
    ball_div(ball_sqrt(ball_scale2(
                 ball_log(ball_div(ball_of(1.25), ARG("delta"))), 1)),
        ARG("sigma")))

FORMULA_BALL(sampled_epsilon, amplify_epsilon(ARG("gamma"), ARG("eps")))
FORMULA_BALL(sampled_delta, amplify_delta(ARG("gamma"), ARG("delta")))
MECH_BALL(sampled_pure, amplify_epsilon(ARG("gamma"), chi_pure(&law)))
FORMULA_BALL(convert,
    renyi_epsilon_simple(ARG("alpha"), ARG("rdp"), ball_log(ARG("delta"))))

/* ---- Concentrated DP --------------------------------------------------- */

static ball zcdp_cumulant(const formula_args *args)
{
    cdp_line line = {ARG("xi"), ARG("rho")};
    return cdp_log_moment(line, ball_add_d(ARG("lambda"), 1));
}

FORMULA_BALL(zcdp_moment, zcdp_cumulant(args))

/* max over lambda = 1, 2, .. of (K - lambda xi)/(lambda (lambda + 1)) */
static ball rho_on_grid(const chi_law *law, ball xi, double last)
{
    ball best = ball_of(0);
    for (double t = 1; t <= last; t++) {
        ball d = chi_divergence(law, ball_of(t + 1));
        ball rho = ball_div_d(ball_sub(d, xi), t + 1);
        best = t == 1 ? rho : ball_max(best, rho);
    }
    return best;
}

MECH_BALL(rho_grid,
    rho_on_grid(&law, ARG("xi"), formula_real(args, "lambda_max_int")))

static ball law_divergence(ball order, const void *law)
{
    return chi_divergence(law, order);
}

/* sup over alpha >= 1 of (eps(alpha) - xi)/alpha */
static dosi_status rho_least(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    chi_law law;
    dosi_status status = mech_read(&law, args, err);
    if (status != DOSI_OK)
        return status;
    ball xi = ARG("xi");
    if (law.kind == CHI_GAUSSIAN) { /* rho - xi/alpha */
        ball rho = ball_scale2(ball_sqr(law.parameter), -1);
        return formula_give(
            out, ball_is_negative(xi) ? ball_sub(rho, xi) : rho, err);
    }
    order_curve curve = {.divergence = law_divergence,
        .context = &law,
        .limit = chi_pure(&law),
        .max_evaluations = 4096};
    return order_least_rho(out, &curve, xi, err);
}

/* ---- Composition ------------------------------------------------------- */

FORMULA_BALL(naive_epsilon, ball_mul(ARG("k"), ARG("eps")))
FORMULA_BALL(naive_delta, ball_mul(ARG("k"), ARG("delta")))

/* eps sqrt(2k log(1/dstar)) + 2k eps^2 */
static ball strong(const formula_args *args)
{
    ball k2 = ball_scale2(ARG("k"), 1), eps = ARG("eps");
    ball root = ball_mul(k2, ball_neg(ball_log(ARG("dstar"))));
    return ball_add(
        ball_mul(eps, ball_sqrt(root)), ball_mul(k2, ball_sqr(eps)));
}

FORMULA_BALL(strong_epsilon, strong(args))
FORMULA_BALL(
    strong_delta, ball_add(ball_mul(ARG("k"), ARG("delta")), ARG("dstar")))

static dosi_status optimal(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    bool done = false;
    ball delta = ARG("delta_prime");
    dosi_interval eps = optimal_epsilon(formula_real(args, "k"), ARG("eps"),
        ARG("delta"), delta, ball_log(delta), 0, &done);
    if (!done)
        return dosi_fail(err, DOSI_EUNABLE, "too many terms at k = %.17g",
            formula_real(args, "k"));
    return formula_give_interval(out, eps, err);
}

#define PAIR "eps >= 0, 0 <= delta <= 1, k >= 0, k whole"
#define RATE "0 < gamma <= 1"

static const formula_row rows[] = {
    {"D002-4.eps", "base.renyi", MECH ";alpha", "exact",
        VALID_MECH ", 1 <= alpha <= inf",
        "Rényi divergence of a Gaussian, Laplace or randomised-response "
        "mechanism.",
        curve},
    {"Q002-2.1.K", "base.cumulant", MECH ";lambda", "exact",
        VALID_MECH ", lambda >= 0",
        "Cumulant of the loss: lambda times the divergence at lambda + 1.",
        cumulant},
    {"D002-4.kl", "base.kl", MECH, "exact", VALID_MECH,
        "Kullback-Leibler divergence, the curve at order 1.", kl},
    {"D002-4.pure", "base.pure", MECH, "exact", VALID_MECH,
        "Pure-DP level, the curve at order infinity.", pure},
    {"X002-hs.delta_exact", "base.delta", MECH ";eps", "exact",
        VALID_MECH ", eps >= 0", "Exact delta at eps.", profile},
    {"X002-hs.gauss.delta_exact", "base.delta_gaussian", "sigma;eps", "exact",
        "sigma > 0, eps >= 0", "Exact delta at eps of a Gaussian.",
        gaussian_profile},
    {"S002-2.classic.delta", "base.delta_classic", "sigma;eps", "upper",
        "sigma > 0, 0 < eps <= 1",
        "Classical delta of a Gaussian, with the constant 1.25.",
        classic_delta},
    {"S002-5.classic.eps", "base.epsilon_classic", "sigma;delta", "approximate",
        "sigma > 0, 0 < delta <= 1",
        "Classical epsilon of a Gaussian; a theorem only where it is at most "
        "1.",
        classic_epsilon},
    {"L002-3.eps", "sample.epsilon", "gamma;eps;delta?", "upper",
        RATE ", 0 <= eps <= inf, 0 <= delta <= 1",
        "epsilon on a sample without replacement of an (eps, delta) "
        "mechanism.",
        sampled_epsilon},
    {"L002-3.delta", "sample.delta", "gamma;eps?;delta", "upper",
        RATE ", 0 <= eps <= inf, 0 <= delta <= 1",
        "delta beside sample.epsilon: gamma delta.", sampled_delta},
    {"L002-3.pure", "sample.pure", MECH ";gamma", "upper", VALID_MECH ", " RATE,
        "Pure-DP level on a sample, the order infinity of every sampled "
        "curve.",
        sampled_pure},
    {"L002-6.eps", "account.epsilon_at_order", "alpha;rdp;delta", "upper",
        "alpha > 1, 0 <= rdp <= inf, 0 < delta < 1",
        "epsilon from one Rényi order.", convert},
    {"R002-8.K", "account.zcdp_cumulant", "xi;rho;lambda", "upper",
        "rho >= 0, lambda >= 0",
        "Cumulant bound of an (xi, rho)-zCDP "
        "mechanism.",
        zcdp_moment},
    {"R002-8.rho_grid", "account.rho_on_grid", MECH ";xi;lambda_max_int",
        "helper",
        VALID_MECH ", 1 <= lambda_max_int <= 1000000, lambda_max_int whole",
        "Least rho over whole lambda up to a limit; smaller than rho itself.",
        rho_grid},
    {"R002-8.rho", "account.rho", MECH ";xi", "exact", VALID_MECH,
        "Least rho for which the mechanism is (xi, rho)-zCDP.", rho_least},
    {"T002-25.eps", "compose.naive_epsilon", "eps;delta?;k", "upper", PAIR,
        "Basic composition: k eps.", naive_epsilon},
    {"T002-25.delta", "compose.naive_delta", "eps?;delta;k", "upper", PAIR,
        "Basic composition: k delta.", naive_delta},
    {"T002-26.eps", "compose.strong_epsilon", "eps;delta?;k;dstar", "upper",
        PAIR ", eps <= 1, 0 < dstar < 1",
        "Strong composition: its epsilon at k delta + dstar.", strong_epsilon},
    {"T002-26.delta", "compose.strong_delta", "eps?;delta;k;dstar", "upper",
        PAIR ", eps <= 1, 0 < dstar < 1", "Strong composition: its delta.",
        strong_delta},
    {"X002-KOV.eps", "compose.optimal_epsilon", "eps;delta;k;delta_prime",
        "exact", PAIR ", 0 < delta_prime < 1",
        "Optimal composition of k equal (eps, delta) guarantees.", optimal},
};

FORMULA_TABLE(formula_002_base, rows);
