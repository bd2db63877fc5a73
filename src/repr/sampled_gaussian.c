/*
 * Profiles by the two identities of the mixture: the hockey stick of a
 * mixture with one of its parts is that of the parts at another level. Real
 * orders by sampled_moment, whole ones by the finite sum.
 */
#include "sampled_gaussian.h"

#include "amplify.h"
#include "gaussian.h"
#include "sampled_moment.h"
#include "sampled_moment_quick.h"
#include "sampled_renyi.h"

#define MAX_WHOLE_ORDER 1024

/* Seconds of work; and what an accountant waits for who asks often. */
#define MAX_NODES ((size_t)1 << 21)
#define MAX_QUICK_NODES ((size_t)1 << 14)

/* The level and the logarithm of the factor at which the Gaussian's profile
 * gives that of the sample; factor = -inf where the profile is 0. */
static void gaussian_level(
    ball *level, ball *log_factor, sampled_side side, ball rate, ball eps)
{
    if (side == SAMPLED_MIXTURE_FIRST) {
        *level = amplify_base_epsilon(rate, eps);
        *log_factor = ball_log(rate);
        return;
    }
    /* c = 1 - e^x, x = eps + log(1-p) */
    ball x = ball_add(eps, ball_log1p(ball_neg(rate)));
    if (ball_is_nonnegative(x)) {
        *level = eps;
        *log_factor = ball_of(-HUGE_VAL);
        return;
    }
    *log_factor = isinf(x.hi) ? ball_of(0) : ball_log1mexp(x);
    *level = ball_add(eps, ball_sub(ball_log(rate), *log_factor));
}

ball sampled_gaussian_log_delta(sampled_side side, ball rate, ball mu, ball eps)
{
    if (ball_is_zero(rate) || ball_is_zero(mu) || isinf(eps.hi))
        return ball_of(-HUGE_VAL);
    ball level, log_factor;
    gaussian_level(&level, &log_factor, side, rate, eps);
    if (isinf(log_factor.hi))
        return log_factor;
    return ball_add(log_factor, gauss_log_delta(mu, level));
}

ball sampled_gaussian_delta(sampled_side side, ball rate, ball mu, ball eps)
{
    ball log_delta = sampled_gaussian_log_delta(side, rate, mu, eps);
    if (!ball_is_unknown(log_delta))
        return ball_clamp(ball_exp(log_delta), 0, 1);
    /* a logarithm beyond doubles: delta is next to 0 */
    ball level, log_factor;
    gaussian_level(&level, &log_factor, side, rate, eps);
    ball delta = ball_mul(ball_exp(log_factor), gauss_delta(mu, level));
    return ball_clamp(delta, 0, 1);
}

static ball renyi_integral(
    sampled_side side, ball rate, ball mu, ball order, size_t max_nodes)
{
    ball t = ball_sub_d(order, 1);
    ball s = side == SAMPLED_MIXTURE_FIRST ? order : ball_neg(t);
    return ball_div(sampled_log_moment_within(rate, mu, s, max_nodes), t);
}

ball sampled_gaussian_renyi_integral(
    sampled_side side, ball rate, ball mu, ball order)
{
    return renyi_integral(side, rate, mu, order, MAX_NODES);
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
