/*
 * C_p of the Gaussian curve and of f_{eps,delta}. The inverse of the mixture is
 * found as a quantile, by a certified interval Newton step. Derivation:
 * docs/theory/tradeoff.md, section 3.
 */
#include "tradeoff_fixed_size.h"

#include "sampling/amplify.h"
#include "sampling/amplify_profile.h"
#include "num/bracket.h"
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
typedef enum quantile_form {
    QUANTILE_LOWER,
    QUANTILE_UPPER,
    QUANTILE_BETWEEN
} quantile_form;

typedef struct quantile {
    ball rate, keep, mu;
    ball level; /* the right side */
    quantile_form form;
} quantile;

static ball quantile_gap(ball z, const void *context)
{
    const quantile *q = context;
    ball shifted = ball_sub(z, q->mu);
    ball first = q->form == QUANTILE_UPPER ? ball_normal_sf(shifted)
                                           : ball_normal_cdf(shifted);
    ball second =
        q->form == QUANTILE_LOWER ? ball_normal_cdf(z) : ball_normal_sf(z);
    first = ball_mul(q->rate, first);
    second = ball_mul(q->keep, second);
    if (q->form == QUANTILE_BETWEEN)
        second = ball_neg(second);
    return ball_sub(ball_add(first, second), q->level);
}

static ball quantile_slope(ball z, const void *context)
{
    const quantile *q = context;
    ball first = ball_normal_pdf(ball_sub(z, q->mu));
    ball slope = ball_add(
        ball_mul(q->rate, first), ball_mul(q->keep, ball_normal_pdf(z)));
    return q->form == QUANTILE_UPPER ? ball_neg(slope) : slope;
}

/* log(e^a + e^b) in doubles. */
static double log_sum(double log_a, double log_b)
{
    double top = fmax(log_a, log_b);
    return isinf(top) ? top : top + log(exp(log_a - top) + exp(log_b - top));
}

/* Increasing in z, for steering. */
static double quantile_steer(double z, const void *context)
{
    const quantile *q = context;
    double sign = q->form == QUANTILE_LOWER ? -1 : 1;
    double turned = q->form == QUANTILE_UPPER ? 1 : -1;
    double first =
        log(q->rate.hi) + log_normal_sf_approx(turned * (z - q->mu.hi));
    double second = log(q->keep.hi) + log_normal_sf_approx(sign * z);
    double level = q->level.hi;
    if (q->form == QUANTILE_BETWEEN) /* each side has its positive terms */
        return log_sum(first, log(fmax(-level, 0))) -
               log_sum(second, log(fmax(level, 0)));
    return -sign * (log_sum(first, second) - log(level));
}

static int quantile_sign(double z, const void *context)
{
    const quantile *q = context;
    int sign = bracket_sign_of(quantile_gap(ball_of(z), q));
    return q->form == QUANTILE_UPPER ? -sign : sign;
}

/*
 * The root by signs, if slopes underflow. As p Phi(z - mu) + (1-p) Phi(z) lies
 * between Phi(z - mu) and Phi(z), the root is at most mu above the quantile of
 * alpha; the flat part begins and ends near 38.
 */
static ball quantile_bracket(const quantile *q, share alpha, double guess)
{
    ball x = alpha.value.hi < 0.5 ? ball_neg(ball_normal_isf(alpha.value))
                                  : ball_normal_isf(alpha.rest);
    ball y = ball_add(x, q->mu);
    if (ball_is_unknown(y))
        return y;
    double low = ball_lower(x), high = ball_upper(y);
    double near = fmin(38, q->mu.hi / 2), far = q->mu.hi - near;
    if (near > low && quantile_sign(near, q) < 0)
        low = near;
    if (far < high && quantile_sign(far, q) > 0)
        high = far;
    return ball_of_interval(bracket_root(quantile_sign, q, low, high, guess));
}

/* The root z, which lies within mu of the quantile of alpha. */
static ball quantile_root(quantile *q, share alpha)
{
    bool is_upper = alpha.value.hi > 0.5;
    q->form = is_upper ? QUANTILE_UPPER : QUANTILE_LOWER;
    q->level = is_upper ? alpha.rest : alpha.value;
    double x = normal_isf_log_approx(log(q->level.hi));
    double low = (is_upper ? x : -x) - 1e-9 * (1 + fabs(x));
    double high = low + q->mu.hi + 2e-9 * (1 + fabs(x));
    double guess = bracket_approx(quantile_steer, q, low, high);
    double left = exp(log_normal_sf_approx(q->mu.hi - guess)) * q->rate.hi;
    double right = exp(log_normal_sf_approx(guess)) * q->keep.hi;
    if (fmax(left, right) < q->level.hi / 2) {
        q->form = QUANTILE_BETWEEN;
        q->level = ball_sub(q->rate, alpha.rest);
        guess = bracket_approx(quantile_steer, q, low, high);
    }
    double slope = quantile_slope(ball_of(guess), q).hi;
    ball z =
        newton_root(quantile_gap, quantile_slope, q, guess, slope, 0x1p-95);
    return ball_is_unknown(z) ? quantile_bracket(q, alpha, guess) : z;
}

share sampled_mixture_inverse(ball rate, ball mu, share alpha)
{
    share flipped = {alpha.rest, alpha.value};
    if (ball_is_zero(alpha.value) || ball_is_zero(alpha.rest) ||
        ball_is_zero(rate) || ball_is_zero(mu))
        return flipped;
    quantile q = {.rate = rate, .keep = one_minus(rate), .mu = mu};
    ball z = quantile_root(&q, alpha);
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

/* ---- C_p(f_{eps,delta}) ------------------------------------------------- */

static ball intercept_of(ball rate, ball eps, ball delta, ball weight)
{
    ball t = ball_mul(weight, ball_tanh(ball_scale2(eps, -1)));
    return one_minus(ball_mul(rate, ball_add(delta, t)));
}

ball sampled_approx_intercept(ball rate, ball eps, ball delta)
{
    return intercept_of(rate, eps, delta, one_minus(delta));
}

ball sampled_approx_intercept_printed(ball rate, ball eps, ball delta)
{
    return intercept_of(rate, eps, delta, ball_of(1));
}

ball sampled_approx_tradeoff(
    ball rate, ball eps, ball delta, ball intercept, share alpha)
{
    share f = tradeoff_approx(
        amplify_epsilon(rate, eps), amplify_delta(rate, delta), alpha);
    return ball_max(f.value, ball_sub(intercept, alpha.value));
}

ball sampled_approx_delta(ball rate, ball eps, ball delta, ball eps_out)
{
    if (ball_is_zero(rate))
        return rate;
    const amplified a = {.theorem = AMPLIFY_POISSON,
        .base = {BASE_PROFILE_APPROX, eps, delta},
        .gamma = rate};
    return scaled_ball(amplified_delta(&a, eps_out, -HUGE_VAL));
}
