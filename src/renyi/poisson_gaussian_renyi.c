/*
 * Rényi divergences of the sampled Gaussian: real orders by the trapezoid sum
 * of poisson_gaussian_moment.h, whole ones with the mixture first by the finite
 * sum of T000-34. Derivation: docs/theory/sampling.md, sections 2, 6 and 7.
 */
#include "poisson_gaussian_renyi.h"

#include "poisson_gaussian_moment.h"
#include "poisson_gaussian_moment_fast.h"
#include "poisson_renyi.h"

#define MAX_WHOLE_ORDER 1024

/* Nodes of a single evaluation, some seconds; and of one among many. */
#define MAX_NODES ((size_t)1 << 21)
#define MAX_QUICK_NODES ((size_t)1 << 14)

static ball renyi_integral(
    sampled_side side, ball rate, ball mu, ball order, size_t max_nodes)
{
    ball t = ball_sub_d(order, 1);
    ball s = side == SAMPLED_MIXTURE_FIRST ? order : ball_neg(t);
    return ball_div(sampled_log_moment_within(rate, mu, s, max_nodes), t);
}

static ball renyi_within(
    sampled_side side, ball rate, ball mu, ball order, size_t max_nodes)
{
    ball rho = ball_scale2(ball_sqr(mu), -1);
    if (ball_is_zero(rate) || ball_is_zero(mu))
        return ball_of(0);
    if (ball_is_zero(ball_sub_d(rate, 1)))
        return ball_mul(order, rho);
    bool whole = order.lo == 0 && order.rad == 0 &&
                 order.hi == floor(order.hi) && order.hi <= MAX_WHOLE_ORDER;
    ball sum;
    if (whole && side == SAMPLED_MIXTURE_FIRST &&
        sampled_renyi_once(
            &sum, rate, order.hi, renyi_curve_gaussian, &rho, NULL) == DOSI_OK)
        return sum;
    return renyi_integral(side, rate, mu, order, max_nodes);
}

ball sampled_gaussian_renyi(sampled_side side, ball rate, ball mu, ball order)
{
    return renyi_within(side, rate, mu, order, MAX_NODES);
}

ball sampled_gaussian_renyi_quick(
    sampled_side side, ball rate, ball mu, ball order)
{
    ball t = ball_sub_d(order, 1), log_moment = ball_unknown();
    bool inside = ball_is_positive(rate) && ball_less(rate, ball_of(1)) &&
                  ball_is_positive(mu);
    if (inside)
        log_moment = sampled_log_moment_quick(rate, mu,
            side == SAMPLED_MIXTURE_FIRST ? order : ball_neg(t));
    return ball_is_unknown(log_moment)
               ? renyi_within(side, rate, mu, order, MAX_QUICK_NODES)
               : ball_div(log_moment, t);
}
