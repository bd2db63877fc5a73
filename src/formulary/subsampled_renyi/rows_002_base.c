/*
 * Base mechanisms under replacement: their Rényi curves and exact profiles,
 * the classical rules for (epsilon, delta), and classical composition.
 */
#include "formulary/formula.h"

#include "formulary/mech_args.h"
#include "sampling/amplify.h"
#include "literature/zcdp_line.h"
#include "noise/gaussian.h"
#include "noise/laplace.h"
#include "finite/response_composition.h"
#include "renyi/zcdp_slope_search.h"
#include "renyi/renyi.h"

/* ---- Curves ------------------------------------------------------------ */

MECH_BALL(base_renyi, chi_divergence(&law, ARG("alpha")))
MECH_BALL(cumulant, mech_cumulant(ARG("lambda"), &law))
MECH_BALL(kl, chi_divergence(&law, ball_of(1)))
MECH_BALL(pure, chi_pure(&law))

/* ---- Exact profiles ---------------------------------------------------- */

FORMULA(profile)
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
    return formula_give(
        out, optimal_composition_delta(1, x, ball_of(0), eps, 0), err);
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

FORMULA_BALL(sample_epsilon, amplify_epsilon(ARG("gamma"), ARG("eps")))
FORMULA_BALL(sample_delta, amplify_delta(ARG("gamma"), ARG("delta")))
MECH_BALL(sample_pure, amplify_epsilon(ARG("gamma"), chi_pure(&law)))
FORMULA_BALL(convert,
    renyi_epsilon_simple(ARG("alpha"), ARG("rdp"), ball_log(ARG("delta"))))

/* ---- Concentrated DP --------------------------------------------------- */

static ball zcdp_cumulant(const formula_args *args)
{
    cdp_line line = {ARG("xi"), ARG("rho")};
    ball order = ball_add_d(ARG("lambda"), 1);
    return ball_mul(ARG("lambda"), cdp_divergence(line, order));
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
FORMULA(rho_least)
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
        .range = ball_upper(ball_scale2(chi_pure(&law), 1)),
        .max_evaluations = 4096};
    return order_least_rho(out, &curve, xi, err);
}

/* ---- Composition ------------------------------------------------------- */

FORMULA_BALL(compose_naive_epsilon, ball_mul(ARG("k"), ARG("eps")))
FORMULA_BALL(naive_delta, ball_mul(ARG("k"), ARG("delta")))

/* eps sqrt(2k log(1/dstar)) + 2k eps^2 */
static ball strong(const formula_args *args)
{
    ball k2 = ball_scale2(ARG("k"), 1), eps = ARG("eps");
    ball root = ball_mul(k2, ball_neg(ball_log(ARG("dstar"))));
    return ball_add(
        ball_mul(eps, ball_sqrt(root)), ball_mul(k2, ball_sqr(eps)));
}

FORMULA_BALL(compose_strong_epsilon, strong(args))
FORMULA_BALL(
    strong_delta, ball_add(ball_mul(ARG("k"), ARG("delta")), ARG("dstar")))

FORMULA(optimal)
{
    bool done = false;
    ball delta = ARG("delta_prime");
    dosi_interval eps = optimal_composition_epsilon(formula_real(args, "k"),
        ARG("eps"), ARG("delta"), delta, ball_log(delta), 0, &done);
    if (!done)
        return dosi_fail(err, DOSI_EUNABLE, "too many terms at k = %.17g",
            formula_real(args, "k"));
    return formula_give_interval(out, eps, err);
}
