/*
 * Rényi divergences of the sampled Gaussian: real orders by the trapezoid sum
 * of poisson_gaussian_moment.h, whole ones with the mixture first by the finite
 * sum of T000-34. Derivation: docs/theory/sampling.md, sections 2 and 6.
 */
#include "poisson_gaussian_renyi.h"

#include "poisson_gaussian_moment.h"
#include "poisson_renyi.h"

#define MAX_WHOLE_ORDER 1024

/* False outside 0 < rate < 1 and mu > 0, where *out is the divergence. */
static bool needs_moment(ball *out, ball rate, ball mu, ball order)
{
    bool all = ball_is_zero(ball_sub_d(rate, 1));
    *out = all ? ball_mul(order, ball_scale2(ball_sqr(mu), -1)) : ball_of(0);
    return !(all || ball_is_zero(rate) || ball_is_zero(mu));
}

static ball by_moment(
    sampled_side side, ball rate, ball mu, ball order, double max_nodes)
{
    ball t = ball_sub_d(order, 1);
    ball s = side == SAMPLED_MIXTURE_FIRST ? order : ball_neg(t);
    return ball_div(sampled_log_moment(rate, mu, s, max_nodes), t);
}

ball sampled_gaussian_renyi(sampled_side side, ball rate, ball mu, ball order)
{
    ball out, rho = ball_scale2(ball_sqr(mu), -1);
    if (!needs_moment(&out, rate, mu, order))
        return out;
    bool whole = order.lo == 0 && order.rad == 0 &&
                 order.hi == floor(order.hi) && order.hi <= MAX_WHOLE_ORDER;
    if (whole && side == SAMPLED_MIXTURE_FIRST &&
        sampled_renyi_once(
            &out, rate, order.hi, renyi_curve_gaussian, &rho, NULL) == DOSI_OK)
        return out;
    return by_moment(side, rate, mu, order, SAMPLED_MAX_NODES);
}

ball sampled_gaussian_renyi_quick(
    sampled_side side, ball rate, ball mu, ball order)
{
    ball out;
    return needs_moment(&out, rate, mu, order)
               ? by_moment(side, rate, mu, order, SAMPLED_FEW_NODES)
               : out;
}
