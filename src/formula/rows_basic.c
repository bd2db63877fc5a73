/*
 * Basic composition, noise for pure differential privacy, and bounds on the
 * loss of pure mechanisms.
 */
#include "formula.h"

#include "num/special.h"
#include "repr/approx.h"
#include "repr/renyi.h"
#include "repr/zcdp.h"

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

FORMULA_BALL(clt_delta, clt_profile(ARG("k"), ARG("eps"), ARG("target_eps")))

static const formula_row rows[] = {
    {"T000-01.eps", "basic.epsilon", "eps[]", "upper", "0 <= eps <= inf",
        "Basic composition: the sum of the epsilons.", basic_epsilon},
    {"S000-2.1.laplace_scale", "laplace.scale_for_k", "k;eps", "exact",
        "k >= 0, k whole, eps > 0",
        "Laplace scale for k queries of sensitivity 1 at a total pure "
        "epsilon.",
        laplace_scale},
    {"S000-2.1.laplace_std", "laplace.std_for_k", "k;eps", "exact",
        "k >= 0, k whole, eps > 0",
        "Standard deviation of that noise, sqrt(2) k / eps.", laplace_std},
    {"S000-2.1.laplace_var", "laplace.variance_for_k", "k;eps", "exact",
        "k >= 0, k whole, eps > 0", "Variance of that noise, 2 k^2 / eps^2.",
        laplace_variance},
    {"S000-2.1.l1", "laplace.scale_for_l1", "sens;eps", "exact",
        "sens >= 0, eps > 0",
        "Laplace scale for answers of joint L1 sensitivity sens.",
        laplace_scale_l1},
    {"S000-2.1.log_prob_max_ratio", "laplace.log_prob_max_ratio", "k", "helper",
        "k >= 0, k whole",
        "Log probability that k Laplace answers all show the worst "
        "likelihood ratio.",
        log_prob_max_ratio},
    {"S000-4.max_prob_of_eps", "pure.max_probability", "eps", "upper",
        "eps >= 0", "Most mass an eps-DP loss can put on its maximum.",
        max_probability},
    {"S000-4.mean_bound", "pure.mean_bound", "k;eps", "upper",
        "k >= 0, k whole, eps >= 0",
        "Mean of the loss of k eps-DP mechanisms, at most k eps^2 / 2.",
        mean_bound},
    {"S000-4.var_bound", "pure.variance_bound", "k;eps", "upper",
        "k >= 0, k whole, eps >= 0",
        "Variance of the loss of k eps-DP mechanisms, at most k eps^2.",
        variance_bound},
    {"S000-4.log_mgf_bound", "pure.log_moment_bound", "k;eps;t", "upper",
        "k >= 0, k whole, eps >= 0, t >= 0",
        "log E[exp(t Z)] of k eps-DP mechanisms, at most "
        "k eps^2 t (t + 1) / 2.",
        log_moment_bound},
    {"S000-4.clt", "pure.clt_delta_approx", "k;eps;target_eps", "approximate",
        "k >= 1, k whole, eps > 0, target_eps >= 0",
        "Delta of k randomised responses if their loss were normal; a "
        "picture, never a bound.",
        clt_delta},
};

FORMULA_TABLE(formula_basic, rows);
