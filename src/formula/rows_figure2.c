/*
 * The curves of figure 2: a 0.5-zCDP base on a Poisson sample of rate 0.05,
 * over the Rényi order.
 */
#include "formula.h"

#include "repr/amplify.h"
#include "repr/renyi.h"
#include "repr/sampled_gaussian.h"
#include "repr/sampled_renyi.h"

#define RATE ball_of(0.05)
#define RHO ball_of(0.5)
#define ALPHA ARG("alpha")

FORMULA_BALL(unamplified, renyi_gaussian(ALPHA, RHO))
FORMULA_BALL(analytic, amplify_analytic_best(RATE, RHO, ALPHA))
FORMULA_BALL(limit, amplify_large_order(RATE, ALPHA, ball_mul(ALPHA, RHO)))
FORMULA_BALL(lower, amplify_limit_lower(RATE, RHO, ALPHA))
/* mu = sqrt(2 rho) = 1 */
FORMULA_BALL(exact_real,
    sampled_gaussian_renyi(SAMPLED_MIXTURE_FIRST, RATE, ball_of(1), ALPHA))

static dosi_status exact(
    dosi_interval *out, const formula_args *args, dosi_error *err)
{
    ball d, rho = RHO;
    dosi_status status = sampled_renyi_once(
        &d, RATE, formula_real(args, "alpha"), renyi_curve_gaussian, &rho, err);
    return status == DOSI_OK ? formula_give(out, d, err) : status;
}

static const formula_row rows[] = {
    {"F000-2.unamplified", "figure2.unamplified", "alpha", "exact",
        "alpha >= 1", "Figure 2: without sampling.", unamplified},
    {"F000-2.exact", "figure2.exact", "alpha", "exact",
        "alpha >= 2, alpha whole", "Figure 2: T000-34 at whole orders.", exact},
    {"F000-2.exact_real", "figure2.exact_real", "alpha", "exact", "alpha > 1",
        "Figure 2: the sampled Gaussian at real orders.", exact_real},
    {"F000-2.analytic", "figure2.analytic", "alpha", "upper", "alpha > 1",
        "Figure 2: T000-41 at its best omega.", analytic},
    {"F000-2.limit", "figure2.limit", "alpha", "upper", "alpha > 1",
        "Figure 2: T000-42.", limit},
    {"F000-2.lower", "figure2.lower", "alpha", "lower", "alpha > 1",
        "Figure 2: the lower bound of S000-6.6.", lower},
};

FORMULA_TABLE(formula_figure2, rows);
