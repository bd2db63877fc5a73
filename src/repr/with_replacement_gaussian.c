/*
 * Any threshold t gives a lower bound: the value V(t) of the event that the
 * noise lies beyond t. V'(t) = -+ phi(t) (S(t) - e^+-eps) vanishes where V
 * is largest, so that a t known to one unit in the last place leaves an
 * error of the second order, which is charged.
 */
#include "with_replacement_gaussian.h"

#include "binomial_mix.h"
#include "gaussian.h"
#include "num/bracket.h"
#include "num/ends.h"
#include "num/special.h"

typedef struct threshold {
    binomial_mix mix;
    ball theta;
    ball level; /* log S at the threshold */
    bool base_first;
} threshold;

/* The weights w_k exp(e_k(t)). */
static binomial_mix tilted(const threshold *x, ball t)
{
    binomial_mix mix = x->mix;
    mix.lift = ball_mul(x->theta, t);
    mix.bend = ball_sqr(x->theta);
    return mix;
}

static scaled term_one(double k, const void *context)
{
    (void)k;
    (void)context;
    return (scaled){ball_of(1), 0};
}

static scaled ratio_at(const threshold *x, ball t)
{
    binomial_mix mix = tilted(x, t);
    return binomial_mix_sum(&mix, 0, term_one, NULL, -HUGE_VAL);
}

/* log S(t) - level, rising in t. */
static ball ratio_excess(double t, const threshold *x)
{
    return ball_sub(scaled_log(ratio_at(x, ball_of(t))), x->level);
}

static int ratio_sign(double t, const void *context)
{
    return bracket_sign_of(ratio_excess(t, context));
}

static double ratio_steer(double t, const void *context)
{
    return ball_mid(ratio_excess(t, context));
}

/* ---- Terms ------------------------------------------------------------- */

typedef struct gauss_terms {
    ball theta;
    ball t;
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
    ball e = ball_mul(x, ball_sub(g->t, ball_scale2(x, -1)));
    ball log_d = gauss_log_delta(x, g->base_first ? ball_neg(e) : e);
    if (isinf(log_d.hi))
        return (scaled){ball_of(0), 0};
    return scaled_exp(log_d);
}

/* ---- The value --------------------------------------------------------- */

/* sf(t), or cdf(t) when the base comes first. */
static scaled tail_at(const threshold *x, ball t)
{
    return scaled_exp(
        x->base_first ? ball_log_normal_cdf(t) : ball_log_normal_sf(t));
}

static scaled negative(scaled x)
{
    x.m = ball_neg(x.m);
    return x;
}

/* V(t): the sum, and what S(t) differs from its level times the tail. */
static scaled value_at(const threshold *x, ball t, ball eps)
{
    gauss_terms g = {x->theta, t, x->base_first};
    binomial_mix mix = x->base_first ? tilted(x, t) : x->mix;
    scaled sum = binomial_mix_sum(&mix, 1, gauss_term, &g, -HUGE_VAL);
    scaled ratio = ratio_at(x, t), lift = scaled_exp(eps);
    scaled rest;
    if (x->base_first) {
        sum = scaled_mul(sum, lift);
        rest = scaled_add(
            scaled_of(ball_of(1)), negative(scaled_mul(lift, ratio)));
    } else {
        rest = scaled_add(ratio, negative(lift));
    }
    return scaled_add(sum, scaled_mul(rest, tail_at(x, t)));
}

/*
 * The largest V, given that its t lies in [lo, hi]. There |V'| is at most
 * phi e^eps' |S(hi)/S(lo) - 1| with e^eps' = 1 for the base first, else
 * e^eps, and phi at the end nearer to 0.
 */
static scaled largest(const threshold *x, dosi_interval t, ball eps)
{
    ball lo = ball_of(t.lo), hi = ball_of(t.hi);
    scaled value = value_at(x, lo, eps);
    if (t.lo == t.hi)
        return value;
    ball near = ball_of(t.lo > 0 ? t.lo : t.hi < 0 ? t.hi : 0);
    scaled slope = scaled_exp(ball_log_normal_pdf(near));
    if (!x->base_first)
        slope = scaled_mul(slope, scaled_exp(eps));
    ball spread = ball_sub_d(
        scaled_ball(scaled_div(ratio_at(x, hi), ratio_at(x, lo))), 1);
    slope = scaled_mul_ball(slope, ball_mul(spread, ball_sub(hi, lo)));
    scaled rest = {
        ball_widen(ball_of(0), fmax(ball_upper(slope.m), 0)), slope.e};
    return scaled_add(value, rest);
}

/*
 * Where the threshold lies. Of the mixture first: S(0) <= 1 <= e^eps, and
 * the term k = m alone reaches e^eps at m theta/2 + (eps - log w_m)/(m theta).
 * Of the base first: at t <= 0 S(t) <= w_0 + e^(theta t), and the same upper
 * end with eps = 0. Rounding is covered by a wide margin.
 */
static dosi_interval reach(const threshold *x, double n, double m)
{
    double theta = ball_mid(x->theta), level = ball_mid(x->level);
    double step = m * theta;
    double high = step / 2 + (fmax(level, 0) + m * log(n)) / step;
    double low = 0;
    if (x->base_first) {
        /* log(e^-eps - w_0) = -eps + log(1 - e^-gap) */
        double gap = level - m * log1p(-1 / n);
        low = fmin(0, level + log(-expm1(-gap))) / theta;
    }
    return (dosi_interval){low * 1.01 - 1e-3, high * 1.01 + 1e-3};
}

scaled with_replacement_gaussian_delta(
    sampled_side side, double n, double m, ball theta, ball eps)
{
    threshold x = {.mix = binomial_mix_of_size(m, n),
        .theta = theta,
        .base_first = side == SAMPLED_BASE_FIRST};
    x.level = x.base_first ? ball_neg(eps) : eps;
    if (x.base_first) {
        ball log_keep = ball_mul_d(x.mix.coin.log_q, m);
        if (ball_less_equal(x.level, log_keep))
            return (scaled){ball_of(0), 0};
        if (!ball_less(log_keep, x.level))
            return scaled_of(ball_unknown());
    }
    dosi_interval range = reach(&x, n, m);
    if (!(range.lo > -1e150 && range.hi < 1e150))
        return scaled_of(ball_unknown());
    double guess = bracket_steer(ratio_steer, &x, range.lo, range.hi);
    dosi_interval t = bracket_root(ratio_sign, &x, range.lo, range.hi, guess);
    return largest(&x, t, eps);
}
