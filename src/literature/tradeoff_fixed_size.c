/*
 * C_p of the Gaussian curve and of f_{eps,delta}. The inverse of the mixture is
 * found as a quantile, by a certified interval Newton step. Derivation:
 * docs/theory/tradeoff.md, section 3.
 */
#include "tradeoff_fixed_size.h"

#include "sampling/amplify.h"
#include "sampling/amplify_profile.h"
#include "num/ends.h"
#include "num/newton.h"
#include "special/special.h"

static ball one_minus(ball x)
{
    return ball_sub(ball_of(1), x);
}

/* p roc(alpha) + (1-p) alpha, a sum of positive terms, and
 * p f(alpha) + (1-p) (1-alpha). */
share sampled_mixture(ball rate, ball mu, share alpha)
{
    share g = tradeoff_gauss(mu, alpha);
    ball keep = one_minus(rate);
    return (share){
        ball_add(ball_mul(rate, g.value), ball_mul(keep, alpha.rest)),
        ball_add(ball_mul(rate, g.rest), ball_mul(keep, alpha.value))};
}

/* ---- Inverse ------------------------------------------------------------ */

/*
 * The equation of the quantile in three forms; the one with the smallest terms
 * is the most accurate:
 *
 *     lower    p Phi(z - mu) + (1-p) Phi(z) = alpha
 *     upper    p sf(z - mu) + (1-p) sf(z) = 1 - alpha
 *     between  p Phi(z - mu) - (1-p) sf(z) = alpha - (1-p)
 *
 * For large mu the left sides are flat between 0 and mu, where only the terms
 * of the last form are small.
 */
typedef struct quantile {
    ball rate, keep, mu;
    share alpha;
} quantile;

/* Left less right, which rises, by the most exact form. */
static ball quantile_gap(ball z, const void *context)
{
    const quantile *q = context;
    ball shifted = ball_sub(z, q->mu);
    ball low = ball_mul(q->rate, ball_normal_cdf(shifted));
    ball high = ball_mul(q->keep, ball_normal_sf(z));
    ball gap = ball_sub(ball_sub(low, high), ball_sub(q->rate, q->alpha.rest));
    low = ball_add(low, ball_mul(q->keep, ball_normal_cdf(z)));
    high = ball_add(high, ball_mul(q->rate, ball_normal_sf(shifted)));
    const ball forms[2] = {
        ball_sub(low, q->alpha.value), ball_sub(q->alpha.rest, high)};
    for (int i = 0; i < 2; i++)
        if (forms[i].rad < gap.rad)
            gap = forms[i];
    return gap;
}

static ball quantile_slope(ball z, const void *context)
{
    const quantile *q = context;
    ball first = ball_normal_pdf(ball_sub(z, q->mu));
    return ball_add(
        ball_mul(q->rate, first), ball_mul(q->keep, ball_normal_pdf(z)));
}

/* The root z: as the mixture lies between Phi(z - mu) and Phi(z), it is at most
 * mu above the quantile of alpha. The flat part begins and ends near 38. */
static ball quantile_root(const quantile *q)
{
    ball x = q->alpha.value.hi < 0.5
                 ? ball_neg(ball_normal_isf(q->alpha.value))
                 : ball_normal_isf(q->alpha.rest);
    ball y = ball_add(x, q->mu);
    if (ball_is_unknown(y))
        return y;
    double low = ball_lower(x), high = ball_upper(y);
    double near = fmin(38, q->mu.hi / 2), far = q->mu.hi - near;
    if (near > low && ball_is_negative(quantile_gap(ball_of(near), q)))
        low = near;
    if (far < high && ball_is_positive(quantile_gap(ball_of(far), q)))
        high = far;
    return newton_root_in(
        quantile_gap, quantile_slope, q, low, high, 0x1p-95);
}

share sampled_mixture_inverse(ball rate, ball mu, share alpha)
{
    share flipped = {alpha.rest, alpha.value};
    if (ball_is_zero(alpha.value) || ball_is_zero(alpha.rest) ||
        ball_is_zero(rate) || ball_is_zero(mu))
        return flipped;
    const quantile q = {rate, one_minus(rate), mu, alpha};
    ball z = quantile_root(&q);
    return (share){ball_normal_sf(z), ball_normal_cdf(z)};
}

/* ---- C_p(G) ------------------------------------------------------------- */

static share share_hull(share a, share b)
{
    return (share){ball_hull(a.value, b.value), ball_hull(a.rest, b.rest)};
}

share sampled_tradeoff(ball rate, ball mu, share alpha)
{
    ball fixed = ball_normal_sf(ball_scale2(mu, -1));
    /* With TV = 1 - 2x the line ends at f_p(x) = (1-p) + (2p-1) x; the
     * distance to it from alpha is formed without a difference from 1. */
    ball twice = ball_scale2(rate, 1), past = ball_sub(alpha.rest, rate);
    ball left = ball_add(past, ball_mul(ball_sub_d(twice, 1), fixed));
    if (ball_less_equal(alpha.value, fixed))
        return sampled_mixture(rate, mu, alpha);
    if (ball_is_nonnegative(ball_neg(left)))
        return sampled_mixture_inverse(rate, mu, alpha);
    /* 1 - p TV - alpha, which is at least x: nothing cancels */
    share line = {ball_add(past, ball_mul(twice, fixed)),
        ball_add(alpha.value, ball_mul(rate, tradeoff_gauss_tv(mu)))};
    if (!ball_less_equal(fixed, alpha.value))
        line = share_hull(line, sampled_mixture(rate, mu, alpha));
    if (!ball_is_nonnegative(left))
        line = share_hull(line, sampled_mixture_inverse(rate, mu, alpha));
    return line;
}

share sampled_tradeoff_group(ball rate, ball mu, double k, share alpha)
{
    share f = {alpha.rest, alpha.value};
    for (double i = 0; i < k; i++) {
        share at = {f.rest, f.value}; /* iterate the ROC curve */
        double most = ball_upper(f.value); /* it falls with every step */
        f = sampled_tradeoff(rate, mu, at);
        if (ball_is_unknown(f.value) || !ball_is_positive(f.value)) {
            f.value = ball_of_interval(iv_make(0, most));
            f.rest = one_minus(f.value);
            break;
        }
    }
    return f;
}

dosi_interval sampled_tradeoff_epsilon(ball rate, ball mu, ball delta)
{
    const amplified a = {.theorem = AMPLIFY_POISSON,
        .base = {.kind = BASE_PROFILE_GAUSSIAN, .parameter = mu},
        .gamma = rate};
    return amplified_epsilon(&a, delta, ball_log(delta));
}
