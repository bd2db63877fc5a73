/*
 * C_p of the Gaussian curve and of f_{eps,delta}. The inverse of the mixture
 * is found on the scale of quantiles, where Newton's method is certified.
 */
#include "tradeoff_sampled.h"

#include "amplify.h"
#include "gaussian.h"
#include "num/bracket.h"
#include "num/ends.h"
#include "num/newton.h"
#include "num/special.h"

static ball one_minus(ball x)
{
    return ball_sub(ball_of(1), x);
}

/* p roc(alpha) + (1-p) alpha, a sum of positive terms, and the same of the
 * errors. */
share sampled_mixture(ball rate, ball mu, share alpha)
{
    share g = tradeoff_gauss(mu, alpha);
    ball keep = one_minus(rate);
    return (share){
        ball_add(ball_mul(rate, g.value), ball_mul(keep, alpha.rest)),
        ball_add(ball_mul(rate, g.rest), ball_mul(keep, alpha.value))};
}

/* ---- Inverse ------------------------------------------------------------ */

/* p Phi(z - mu) + (1-p) Phi(z) = level, or p sf(z - mu) + (1-p) sf(z) =
 * level when is_upper. */
typedef struct quantile {
    ball rate, keep, mu, level;
    bool is_upper;
} quantile;

static ball quantile_gap(ball z, const void *context)
{
    const quantile *q = context;
    ball shifted = ball_sub(z, q->mu);
    ball first =
        q->is_upper ? ball_normal_sf(shifted) : ball_normal_cdf(shifted);
    ball second = q->is_upper ? ball_normal_sf(z) : ball_normal_cdf(z);
    ball sum = ball_add(ball_mul(q->rate, first), ball_mul(q->keep, second));
    return ball_sub(sum, q->level);
}

static ball quantile_slope(ball z, const void *context)
{
    const quantile *q = context;
    ball first = ball_normal_pdf(ball_sub(z, q->mu));
    ball slope = ball_add(
        ball_mul(q->rate, first), ball_mul(q->keep, ball_normal_pdf(z)));
    return q->is_upper ? ball_neg(slope) : slope;
}

static double log_mix(double rate, double log_a, double log_b)
{
    double a = log(rate) + log_a, b = log1p(-rate) + log_b;
    double top = fmax(a, b);
    return top + log(exp(a - top) + exp(b - top));
}

/* Increasing in z; steers. */
static double quantile_steer(double z, const void *context)
{
    const quantile *q = context;
    double sign = q->is_upper ? 1 : -1;
    double x = log_mix(q->rate.hi, log_normal_sf_approx(sign * (z - q->mu.hi)),
        log_normal_sf_approx(sign * z));
    return -sign * (x - log(q->level.hi));
}

/* The root z, which lies within mu of the quantile of the level. */
static ball quantile_root(const quantile *q)
{
    double x = normal_isf_log_approx(log(q->level.hi));
    double low = (q->is_upper ? x : -x) - 1e-9 * (1 + fabs(x));
    double guess = bracket_steer(
        quantile_steer, q, low, low + q->mu.hi + 2e-9 * (1 + fabs(x)));
    double slope = quantile_slope(ball_of(guess), q).hi;
    return newton_root(quantile_gap, quantile_slope, q, guess, slope, 0x1p-95);
}

share sampled_mixture_inverse(ball rate, ball mu, share alpha)
{
    share flipped = {alpha.rest, alpha.value};
    if (ball_is_zero(alpha.value) || ball_is_zero(alpha.rest) ||
        ball_is_zero(rate) || ball_is_zero(mu))
        return flipped;
    quantile q = {.rate = rate, .keep = one_minus(rate), .mu = mu};
    q.is_upper = alpha.value.hi > 0.5;
    q.level = q.is_upper ? alpha.rest : alpha.value;
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
    ball drop = ball_mul(rate, tradeoff_gauss_tv(mu));
    /* f_p(x) = 1 - p TV - x, and its complement */
    ball turn = ball_sub(one_minus(drop), fixed);
    bool left = ball_less_equal(alpha.value, fixed);
    bool right = ball_less_equal(turn, alpha.value);
    if (left)
        return sampled_mixture(rate, mu, alpha);
    if (right)
        return sampled_mixture_inverse(rate, mu, alpha);
    share line = {ball_sub(alpha.rest, drop), ball_add(alpha.value, drop)};
    if (!ball_less_equal(fixed, alpha.value))
        line = share_hull(line, sampled_mixture(rate, mu, alpha));
    if (!ball_less_equal(alpha.value, turn))
        line = share_hull(line, sampled_mixture_inverse(rate, mu, alpha));
    return line;
}

share sampled_tradeoff_group(ball rate, ball mu, double k, share alpha)
{
    share f = {alpha.rest, alpha.value};
    for (double i = 0; i < k; i++) {
        share at = {f.rest, f.value}; /* iterate the ROC curve */
        f = sampled_tradeoff(rate, mu, at);
        if (ball_is_unknown(f.value) || ball_is_zero(f.value))
            break;
    }
    return f;
}

dosi_interval sampled_tradeoff_epsilon(ball rate, ball mu, ball delta)
{
    if (ball_less_equal(rate, delta))
        return iv_point(0);
    ball log_base = ball_sub(ball_log(delta), ball_log(rate));
    dosi_interval eps = gauss_epsilon(mu, log_base);
    /* increasing in eps */
    return iv_make(fmax(ball_lower(amplify_epsilon(rate, ball_of(eps.lo))), 0),
        ball_upper(amplify_epsilon(rate, ball_of(eps.hi))));
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
    ball base = amplify_base_epsilon(rate, eps_out);
    return ball_mul(rate, tradeoff_approx_delta(eps, delta, base));
}
