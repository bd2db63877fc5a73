/*
 * Figure 1: the cost of k queries that are 0.1-DP each, at delta = 1e-6, by
 * five rules, and where the rules cross.
 */
#include "formulary/formula.h"

#include "renyi/composition_theorems.h"
#include "noise/gaussian.h"
#include "finite/response_composition.h"
#include "renyi/zcdp.h"

static const double query_eps = 0.1;
static const double total_delta = 1e-6;

static approx_total total_of(double k, double eps)
{
    return approx_total_add(
        approx_total_empty(), ball_of(eps), ball_of(0), ball_of(k));
}

static ball log_total_delta(void)
{
    return ball_log(ball_of(total_delta));
}

/* T000-14 at rho = k eps^2 / 2. */
static dosi_interval cdp_epsilon(double k, double eps, ball log_delta)
{
    ball squares = total_of(k, eps).squares;
    return zcdp_epsilon(ball_scale2(squares, -1), log_delta);
}

/* Gaussian noise with the variance 2/eps^2 of the Laplace noise of an
 * eps-DP query: rho = k eps^2 / 4, mu^2 = k eps^2 / 2. */
static dosi_interval same_variance(double k)
{
    ball squares = total_of(k, query_eps).squares;
    ball mu = ball_sqrt(ball_scale2(squares, -1));
    return gauss_epsilon(mu, log_total_delta());
}

FORMULA(optimal_curve)
{
    bool done = false;
    dosi_interval eps =
        optimal_composition_epsilon(formula_real(args, "k"), ball_of(query_eps),
            ball_of(0), ball_of(total_delta), log_total_delta(), 0, &done);
    if (!done)
        return dosi_fail(
            err, DOSI_EUNABLE, "the sum needs more terms than allowed");
    return formula_give_interval(out, eps, err);
}

FORMULA_BALL(basic_curve, ball_mul_d(ARG("k"), query_eps))
FORMULA_BALL(
    advanced_curve, approx_advanced_epsilon(
                        total_of(formula_real(args, "k"), query_eps).squares,
                        log_total_delta()))
FORMULA_INTERVAL(cdp_curve,
    cdp_epsilon(formula_real(args, "k"), query_eps, log_total_delta()))
FORMULA_INTERVAL(gaussian_curve, same_variance(formula_real(args, "k")))

/* ---- Crossings --------------------------------------------------------- */

static dosi_status never_below(double eps, dosi_error *err)
{
    return formula_domain(
        err, "needs eps < 2 for a crossing, got eps = %.17g", eps);
}

/* k eps^2/2 + eps sqrt(2 k L) < k eps  iff  k > 2 L / (1 - eps/2)^2. */
FORMULA(first_advanced)
{
    double eps = formula_real(args, "eps");
    if (!(eps < 2))
        return never_below(eps, err);
    ball gap = ball_sub(ball_of(1), ball_of(eps / 2)); /* halving: exact */
    ball target = ball_neg(ball_log(ARG("delta")));
    ball cross = ball_div(ball_scale2(target, 1), ball_sqr(gap));
    dosi_interval x = ball_interval(cross);
    if (!(x.hi < 0x1p53) || floor(x.lo) != floor(x.hi))
        return dosi_fail(err, DOSI_EUNABLE,
            "the crossing could not be certified as a whole number");
    return formula_give(out, ball_of(floor(x.lo) + 1), err);
}

/* -1: certainly below basic composition, 1: certainly not, 0: unknown. */
static int cdp_side(double k, double eps, ball log_delta)
{
    dosi_interval cdp = cdp_epsilon(k, eps, log_delta);
    dosi_interval basic = ball_interval(total_of(k, eps).eps);
    return cdp.hi < basic.lo ? -1 : cdp.lo >= basic.hi ? 1 : 0;
}

/*
 * T000-14's epsilon, before it is raised to 0, is an infimum of functions
 * linear in rho: concave in k, and so is its difference with k eps. Where
 * that is not negative at k = 1, it is negative from some k on and stays so.
 * For eps >= 2 it never is: its slope falls towards eps^2/2 - eps >= 0.
 */
FORMULA(first_cdp)
{
    double eps = formula_real(args, "eps");
    ball log_delta = ball_log(ARG("delta"));
    double above = 0, below = 1; /* k = 0 stands for "none yet" */
    int side = 0;
    while ((side = cdp_side(below, eps, log_delta)) > 0 && below < 0x1p52) {
        if (!(eps < 2))
            return never_below(eps, err);
        above = below;
        below *= 2;
    }
    while (side < 0 && below - above > 1) {
        double middle = floor(above / 2 + below / 2);
        int s = cdp_side(middle, eps, log_delta);
        if (s == 0)
            side = 0;
        else if (s < 0)
            below = middle;
        else
            above = middle;
    }
    if (side >= 0)
        return dosi_fail(err, DOSI_EUNABLE,
            "the crossing could not be certified as a whole number");
    return formula_give(out, ball_of(below), err);
}
