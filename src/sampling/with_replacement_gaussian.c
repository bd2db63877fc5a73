/*
 * The profile of the pair by its threshold test. Any threshold t gives a lower
 * bound, the value V(t) of the event that the noise exceeds t. V'(t) =
 * -+ phi(t) (S(t) - e^+-eps) vanishes at the maximum of V, so that the error of
 * a t known to a few units in the last place is of second order, and is
 * charged. The threshold is found in plain doubles. Derivation:
 * docs/theory/couplings.md, section 6.
 */
#include "with_replacement_gaussian.h"

#include "special/binomial_mean.h"
#include "noise/gaussian.h"
#include "num/bracket.h"
#include "special/special.h"

typedef struct threshold {
    binomial_mix mix;
    ball theta;
    ball eps;
    ball log_target; /* log(e^+-eps - w_0): log(S - w_0) at the threshold */
    bool base_first;
} threshold;

/* The weights w_k exp(e_k(t)). */
static binomial_mix tilted(const threshold *x, double t)
{
    binomial_mix mix = x->mix;
    mix.lift = ball_mul_d(x->theta, t);
    mix.bend = ball_sqr(x->theta);
    return mix;
}

/* ---- The ratio --------------------------------------------------------- */

static scaled term_one(double k, const void *context)
{
    (void)k;
    (void)context;
    return (scaled){ball_of(1), 0};
}

/* S(t) - w_0 = sum_(k >= 1) w_k exp(e_k(t)). */
static scaled ratio_at(const threshold *x, double t)
{
    binomial_mix mix = tilted(x, t);
    return binomial_mix_sum(&mix, 1, term_one, NULL, -HUGE_VAL);
}

/* ---- The threshold ----------------------------------------------------- */

/* log(S(t) - w_0) minus its target; the slope is theta times the mean of k. */
static double ratio_steer(double t, const void *context)
{
    const threshold *x = context;
    return ball_mid(ball_sub(scaled_log(ratio_at(x, t)), x->log_target));
}

/* An approximation of log k!, k >= 1. */
static double log_factorial_approx(double k)
{
    return (k + 0.5) * log(k) - k + 0.91893853320467274 + 1 / (12 * k);
}

/*
 * The smallest t at which a single term reaches the target: an approximation of
 * the threshold from above. w_k e^(e_k(t)) reaches it at k theta/2 + (target -
 * log w_k)/(k theta).
 */
static double single_term_approx(const threshold *x)
{
    const binomial_mix *mix = &x->mix;
    double theta = ball_mid(x->theta), target = ball_mid(x->log_target);
    double m = mix->n, least = HUGE_VAL;
    for (double k = 1; k <= m; k = floor(k * 1.5) + 1) {
        double rest = m - k, log_w = k * ball_mid(mix->coin.log_p) +
                                     rest * ball_mid(mix->coin.log_q) -
                                     log_factorial_approx(k);
        log_w += log_factorial_approx(m);
        if (rest > 0)
            log_w -= log_factorial_approx(rest);
        double t = k * theta / 2 + (target - log_w) / (k * theta);
        if (t > least) /* it falls, then rises */
            break;
        least = t;
    }
    return least;
}

/* The logarithm of the sum of the weights from k = 1 on, and the mean of k
 * under them, in doubles; summed from the largest weight in both directions. */
static double log_sum_approx(double *mean, const binomial_mix *mix)
{
    double top = fmax(binomial_mix_mode_approx(mix), 1);
    double sum = 1, first = top, w = 1;
    for (double k = top; k < mix->n && w > 0x1p-60 * sum; k++) {
        w *= exp(binomial_mix_log_ratio_approx(mix, k));
        sum += w;
        first += w * (k + 1);
    }
    w = 1;
    for (double k = top - 1; k >= 1 && w > 0x1p-60 * sum; k--) {
        w *= exp(-binomial_mix_log_ratio_approx(mix, k));
        sum += w;
        first += w * k;
    }
    *mean = first / sum;
    return ball_mid(binomial_mix_log_weight(mix, top)) + log(sum);
}

/* The threshold by Newton's method, as log(S - w_0) is convex in t. NaN if
 * doubles overflow. */
static double newton_approx(const threshold *x)
{
    double t = single_term_approx(x), target = ball_mid(x->log_target);
    for (int i = 0; i < 60; i++) {
        binomial_mix mix = tilted(x, t);
        double mean, off = log_sum_approx(&mean, &mix) - target;
        double step = off / (mean * ball_mid(x->theta));
        t -= step;
        if (!(fabs(step) > 1e-7 * (1 + fabs(t))))
            return t;
    }
    return NAN;
}

/*
 * An approximation of the threshold. Mixture first: S(0) <= 1 <= e^eps, and the
 * term k = m alone reaches e^eps at m theta/2 + (eps - log w_m)/(m theta). Base
 * first: S(t) <= w_0 + e^(theta t) for t <= 0, and the upper end is the one
 * above with eps = 0.
 */
static double threshold_approx(const threshold *x, double n)
{
    double t = newton_approx(x), m = x->mix.n;
    if (isfinite(t))
        return t;
    double theta = ball_mid(x->theta), eps = ball_mid(x->eps);
    double step = m * theta, low = 0;
    double high = step / 2 + ((x->base_first ? 0 : eps) + m * log(n)) / step;
    if (x->base_first)
        low = fmin(0, ball_mid(x->log_target)) / theta;
    if (!(low > -1e150 && high < 1e150))
        return NAN;
    return bracket_approx(ratio_steer, x, low * 1.01 - 1e-3, high * 1.01 + 1e-3);
}

/* ---- Terms ------------------------------------------------------------- */

typedef struct gauss_terms {
    ball theta;
    double t;
    bool base_first;
} gauss_terms;

/*
 * d(k theta, e_k), or d(k theta, -e_k). With x = k theta the first is
 * sf(t - x) - e^e sf(t), of slope phi(t - x) (1 - (t - x) R(t)) > 0 in x, and
 * the second cdf(t) - phi(t) R(x - t): both rise with k.
 */
static scaled gauss_term(double k, const void *context)
{
    const gauss_terms *g = context;
    ball x = ball_mul_d(g->theta, k);
    ball e = ball_mul(x, ball_sub(ball_of(g->t), ball_scale2(x, -1)));
    ball log_d = gauss_log_delta(x, g->base_first ? ball_neg(e) : e);
    if (isinf(log_d.hi))
        return (scaled){ball_of(0), 0};
    return scaled_exp(log_d);
}

/* ---- The value --------------------------------------------------------- */

/* sf(t), or cdf(t) if the base comes first. */
static scaled tail_at(const threshold *x, double t)
{
    return scaled_exp(ball_log_normal_sf(ball_of(x->base_first ? -t : t)));
}

static scaled term_sum(const threshold *x, double t)
{
    gauss_terms g = {x->theta, t, x->base_first};
    binomial_mix mix = x->base_first ? tilted(x, t) : x->mix;
    return binomial_mix_sum(&mix, 1, gauss_term, &g, -HUGE_VAL);
}

static double magnitude(ball x)
{
    return fmax(fabs(ball_lower(x)), fabs(ball_upper(x)));
}

/*
 * Encloses the maximum of V, from V at t. Let D = S(t) - w_0 and
 * f = |log D - log target|. The slope of log(S - w_0) is at least theta, so the
 * threshold is within f/theta of t, and between the two |V'| is at most
 * phi |D - target|, times e^eps if the base comes first, phi being the density
 * at the point nearest to 0.
 */
static scaled largest(const threshold *x, double t)
{
    scaled ratio = ratio_at(x, t), sum = term_sum(x, t);
    if (ball_is_unknown(ratio.m) || ball_is_unknown(sum.m))
        return scaled_of(ball_unknown());
    scaled target = scaled_exp(x->log_target);
    target.m = ball_neg(target.m);
    scaled gap = scaled_add(ratio, target);
    double f = magnitude(ball_sub(scaled_log(ratio), x->log_target));
    double reach = f / ball_lower(x->theta) * (1 + 0x1p-45);
    if (!(reach <= 1)) /* t is not near the threshold */
        return scaled_of(ball_unknown());
    ball near = ball_of(fmax(fabs(t) * (1 - 0x1p-50) - reach, 0));
    scaled slope = scaled_mul(gap, scaled_exp(ball_log_normal_pdf(near)));
    scaled rest = scaled_mul(gap, tail_at(x, t));
    if (x->base_first) {
        scaled lift = scaled_exp(x->eps);
        slope = scaled_mul(slope, lift);
        sum = scaled_mul(sum, lift);
        rest = scaled_mul(rest, lift);
        rest.m = ball_neg(rest.m);
    }
    double most = magnitude(slope.m) * reach * (1 + 0x1p-45);
    rest = scaled_add(rest, (scaled){ball_widen(ball_of(0), most), slope.e});
    return scaled_add(sum, rest);
}

scaled with_replacement_gaussian_delta(
    sampled_side side, double n, double m, ball theta, ball eps,
    work_limits *limits)
{
    threshold x = {.mix = binomial_mix_of_size(m, n),
        .theta = theta,
        .eps = eps,
        .base_first = side == SAMPLED_BASE_FIRST};
    x.mix.limits = limits;
    ball log_keep = ball_mul_d(x.mix.coin.log_q, m); /* log w_0 */
    ball level = x.base_first ? ball_neg(eps) : eps;
    ball above = ball_sub(level, log_keep);
    if (x.base_first && ball_less_equal(level, log_keep))
        return (scaled){ball_of(0), 0};
    if (!ball_is_positive(above))
        return scaled_of(ball_unknown());
    x.log_target = ball_add(log_keep, ball_logexpm1(above));
    double t = threshold_approx(&x, n);
    return isfinite(t) ? largest(&x, t) : scaled_of(ball_unknown());
}
