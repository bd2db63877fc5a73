/*
 * The curves of figure 2: a 0.5-zCDP base on a Poisson sample of rate 0.05,
 * over the Rényi order.
 */
#include "formulary/formula.h"

#include "sampling/amplify.h"
#include "renyi/renyi.h"
#include "renyi/poisson_base_renyi.h"
#include "renyi/poisson_renyi.h"

#define RATE ball_of(0.05)
#define RHO ball_of(0.5)
#define ALPHA ARG("alpha")

FORMULA_BALL(unamplified, renyi_gaussian(ALPHA, RHO))
FORMULA_BALL(figure2_analytic, amplify_analytic_best(RATE, RHO, ALPHA))
FORMULA_BALL(limit, amplify_large_order(RATE, ALPHA, ball_mul(ALPHA, RHO)))
FORMULA_BALL(figure2_lower, amplify_limit_lower(RATE, RHO, ALPHA))
/* mu = sqrt(2 rho) = 1 */
FORMULA_BALL(exact_real,
    sampled_gaussian_renyi(SAMPLED_MIXTURE_FIRST, RATE, ball_of(1), ALPHA))

FORMULA(exact)
{
    ball d, rho = RHO;
    dosi_status status = sampled_renyi_once(
        &d, RATE, formula_real(args, "alpha"), renyi_curve_gaussian, &rho, err);
    return status == DOSI_OK ? formula_give(out, d, err) : status;
}
