/*
 * Trade-off functions: the curves of (eps, delta), Gaussian and Laplace
 * guarantees, of finite pairs and of vertices; validity, comparison and
 * symmetrisation.
 */
#include "formulary/curve_args.h"

#include <stdlib.h>

#include "special/special.h"
#include "finite/finite_law.h"
#include "noise/gaussian.h"
#include "noise/laplace.h"
#include "tradeoff/tradeoff.h"
#include "literature/tradeoff_fixed_size.h"

#define SHARE(name) share_of(formula_real(args, name))

/* ---- (eps, delta) ------------------------------------------------------- */

/* min(1, e^eps alpha + delta) */
static ball power_of(const formula_args *args)
{
    ball alpha = ARG("alpha");
    if (ball_is_zero(alpha))
        return ARG("delta");
    ball log_rise = ball_add(ARG("eps"), ball_log(alpha));
    if (ball_is_positive(log_rise))
        return ball_of(1);
    ball rise = ARG("eps").hi < 700 ? ball_mul(ball_exp(ARG("eps")), alpha)
                                    : ball_exp(log_rise);
    return ball_min(ball_of(1), ball_add(rise, ARG("delta")));
}

#define APPROX_CURVE tradeoff_approx(ARG("eps"), ARG("delta"), SHARE("alpha"))
FORMULA_BALL(approx_power, power_of(args))
FORMULA_BALL(approx_roc, APPROX_CURVE.rest)
FORMULA_BALL(approx_curve, APPROX_CURVE.value)
FORMULA_BALL(approx_fixed, tradeoff_approx_fixed(ARG("eps"), ARG("delta")))
FORMULA_BALL(approx_tv, tradeoff_approx_tv(ARG("eps"), ARG("delta")))
FORMULA_BALL(basic_eps, ball_add(ARG("eps1"), ARG("eps2")))
FORMULA_BALL(compose_basic_delta, ball_add(ARG("delta1"), ARG("delta2")))

FORMULA(approx_sup)
{
    curve_vertex *v = NULL;
    size_t n = 0;
    dosi_status status = pairs_read(&v, &n, args, "pairs", err);
    ball top = ball_of(0);
    for (size_t i = 0; i < n && status == DOSI_OK; i++) {
        double eps = v[i].alpha, delta = v[i].beta;
        if (!(eps >= 0 && delta >= 0 && delta <= 1))
            status = formula_domain(err,
                "needs eps >= 0 and 0 <= delta <= 1 in every pair, got "
                "%.17g:%.17g",
                eps, delta);
        else
            top = ball_max(top,
                tradeoff_approx(ball_of(eps), ball_of(delta), SHARE("alpha"))
                    .value);
    }
    free(v);
    return status != DOSI_OK ? status : formula_give(out, top, err);
}

/* ---- Gaussian ----------------------------------------------------------- */

#define GAUSS_CURVE tradeoff_gauss(ARG("mu"), SHARE("alpha"))
FORMULA_BALL(gauss_curve, GAUSS_CURVE.value)
FORMULA_BALL(gauss_roc, GAUSS_CURVE.rest)

/* log G, from G or 1 - G whichever is small, or in the far tail. */
static ball log_gauss(const formula_args *args)
{
    share g = GAUSS_CURVE;
    if (g.value.hi > 0.5)
        return ball_log1p(ball_neg(g.rest));
    share alpha = SHARE("alpha");
    if (ball_is_zero(alpha.rest))
        return ball_of(-HUGE_VAL);
    ball z = alpha.value.hi < 0.5 ? ball_normal_isf(alpha.value)
                                  : ball_neg(ball_normal_isf(alpha.rest));
    return ball_log_normal_cdf(ball_sub(z, ARG("mu")));
}

FORMULA_BALL(gauss_log_curve, log_gauss(args))
FORMULA_BALL(gauss_fixed, ball_normal_sf(ball_scale2(ARG("mu"), -1)))
FORMULA_BALL(gauss_tv, tradeoff_gauss_tv(ARG("mu")))

static ball quantile_of(share p)
{
    return p.value.hi < 0.5 ? ball_neg(ball_normal_isf(p.value))
                            : ball_normal_isf(p.rest);
}

FORMULA_BALL(normal_quantile, quantile_of(SHARE("p")))
FORMULA_BALL(gauss_sigma, ball_div(ARG("sens"), ARG("mu")))
FORMULA_BALL(pure_to_mu, tradeoff_pure_to_mu(ARG("eps")))

FORMULA(mu_attain)
{
    share alpha = SHARE("alpha"), beta = SHARE("beta");
    if (!ball_less(beta.value, alpha.rest))
        return formula_domain(err,
            "needs alpha + beta < 1, got alpha = %.17g, beta = %.17g",
            alpha.value.hi, beta.value.hi);
    return formula_give(
        out, ball_neg(ball_add(quantile_of(alpha), quantile_of(beta))), err);
}

/* ---- Laplace ------------------------------------------------------------ */

FORMULA_INTERVAL(
    laplace_curve, laplace_tradeoff(ARG("mu"), formula_real(args, "alpha")))
FORMULA_BALL(laplace_fixed,
    ball_scale2(ball_exp(ball_neg(ball_scale2(ARG("mu"), -1))), -1))

/* 1 - e^((eps-mu)/2) below mu, else 0 */
static ball laplace_delta_of(ball mu, ball eps)
{
    ball gap = ball_min(ball_sub(eps, mu), ball_of(0));
    return ball_neg(ball_expm1(ball_scale2(gap, -1)));
}

FORMULA_BALL(tradeoff_laplace_delta, laplace_delta_of(ARG("mu"), ARG("eps")))
FORMULA_BALL(
    tradeoff_laplace_epsilon, ball_max(ball_of(0),
                     ball_add(ARG("mu"),
                         ball_scale2(ball_log1p(ball_neg(ARG("delta"))), 1))))

/* ---- Finite pairs and vertices ------------------------------------------ */

FORMULA(finite_curve)
{
    size_t n = 0, n_q = 0;
    const double *p = formula_list(args, "P", &n);
    const double *q = formula_list(args, "Q", &n_q);
    if (n != n_q)
        return formula_domain(
            err, "needs P and Q of one length, got %zu and %zu", n, n_q);
    double sum_p = 0, sum_q = 0;
    for (size_t i = 0; i < n; i++) {
        sum_p += p[i];
        sum_q += q[i];
    }
    if (!(fabs(sum_p - 1) < 1e-9 && fabs(sum_q - 1) < 1e-9))
        return formula_domain(err,
            "needs probabilities, got P with sum %.17g and Q with sum %.17g",
            sum_p, sum_q);
    finite_law *law = NULL;
    dosi_status status = finite_from_pair(&law, p, q, n, err);
    if (status == DOSI_OK)
        status = formula_give_interval(
            out, finite_tradeoff(law, formula_real(args, "alpha")), err);
    finite_free(law);
    return status;
}

FORMULA(vertices_valid)
{
    curve_vertex *v = NULL;
    size_t n = 0;
    dosi_status status = vertices_read(&v, &n, args, "vertices", err);
    if (status == DOSI_OK)
        status = verdict_give(out, curve_is_tradeoff(v, n), err);
    free(v);
    return status;
}

FORMULA(vertices_delta)
{
    curve_vertex *v = NULL;
    size_t n = 0;
    dosi_status status = tradeoff_read(&v, &n, args, "vertices", err);
    if (status == DOSI_OK && !curve_is_symmetric(v, n))
        status =
            formula_domain(err, "needs a symmetric curve: f(f(alpha)) = alpha");
    if (status == DOSI_OK)
        status = formula_give(out, curve_delta(v, n, ARG("eps")), err);
    free(v);
    return status;
}

FORMULA(vertices_envelope)
{
    curve_vertex *v = NULL;
    size_t n = 0;
    dosi_status status = tradeoff_read(&v, &n, args, "g", err);
    if (status == DOSI_OK)
        status = formula_give(
            out, curve_envelope(v, n, formula_real(args, "alpha")), err);
    free(v);
    return status;
}

FORMULA(dominates)
{
    curve f, g;
    dosi_status status = curve_read(&f, args, "f", err);
    if (status == DOSI_OK)
        status = curve_read(&g, args, "g", err);
    if (status == DOSI_OK)
        status = verdict_give(out, curve_dominates(f, g), err);
    return status;
}

/* ---- Inverse and symmetrised curve of the mixture ----------------------- */

#define MIXTURE_INVERSE                                                        \
    sampled_mixture_inverse(ARG("p"), ARG("mu"), SHARE("alpha"))
FORMULA_BALL(mixture_inverse, MIXTURE_INVERSE.value)
FORMULA_BALL(mixture_symmetric,
    ball_max(MIXTURE_INVERSE.value,
        sampled_mixture(ARG("p"), ARG("mu"), SHARE("alpha")).value))
