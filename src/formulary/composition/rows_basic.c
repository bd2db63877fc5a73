/*
 * Basic composition, noise for pure differential privacy, and bounds on the
 * loss of pure mechanisms.
 */
#include "formulary/formula.h"

#include "special/special.h"
#include "renyi/composition_theorems.h"
#include "renyi/renyi.h"
#include "renyi/zcdp.h"

static ball sum_of(const formula_args *args, const char *name)
{
    size_t n = 0;
    const double *x = formula_list(args, name, &n);
    approx_total total = approx_total_empty();
    for (size_t i = 0; i < n; i++)
        total = approx_total_add(total, ball_of(x[i]), ball_of(0), ball_of(1));
    return total.eps;
}

FORMULA_BALL(basic_epsilon, sum_of(args, "eps"))
FORMULA_BALL(laplace_scale, ball_div(ARG("k"), ARG("eps")))
FORMULA_BALL(laplace_scale_l1, ball_div(ARG("sens"), ARG("eps")))
FORMULA_BALL(laplace_std,
    ball_mul(ball_sqrt(ball_of(2)), ball_div(ARG("k"), ARG("eps"))))
FORMULA_BALL(
    laplace_variance, ball_scale2(ball_sqr(ball_div(ARG("k"), ARG("eps"))), 1))
FORMULA_BALL(log_prob_max_ratio, ball_neg(ball_mul(ARG("k"), ball_ln2())))

FORMULA_BALL(max_probability, approx_truth_probability(ARG("eps"), ball_of(0)))
FORMULA_BALL(mean_bound, ball_mul(ARG("k"), zcdp_of_pure(ARG("eps"))))
FORMULA_BALL(variance_bound, ball_mul(ARG("k"), ball_sqr(ARG("eps"))))
FORMULA_BALL(log_moment_bound,
    ball_mul(ARG("k"), zcdp_log_moment(zcdp_of_pure(ARG("eps")), ARG("t"))))

/* The profile of a loss N(m, v) in place of k randomised responses':
 *
 *     sf(a) - exp(eps - m + v/2) sf(a + s),  a = (eps - m)/s,  s = sqrt v,
 *
 * which is pdf(a) (R(a) - R(a + s)) for a > 0, where the terms are close. */
static ball clt_profile(ball k, ball eps0, ball eps)
{
    ball gap = ball_sub(eps, ball_mul(k, renyi_rr_mean_loss(eps0)));
    ball v = ball_mul(k, renyi_rr_variance_loss(eps0));
    ball s = ball_sqrt(v);
    ball a = ball_div(gap, s);
    if (a.hi > 0)
        return ball_mul(ball_normal_pdf(a), ball_mills_drop(a, s));
    ball shift = ball_add(gap, ball_scale2(v, -1));
    ball log_tail = ball_log_normal_sf(ball_add(a, s));
    return ball_sub(ball_normal_sf(a), ball_exp(ball_add(shift, log_tail)));
}

FORMULA_BALL(
    pure_clt_delta_approx, clt_profile(ARG("k"), ARG("eps"), ARG("target_eps")))
