/*
 * Privacy profiles of base mechanisms and of groups, without overflow:
 * exponentials of epsilon enter as differences from the end of the profile, or
 * as quotients. Derivation: docs/theory/couplings.md, section 1.
 */
#include "base_profile.h"

#include "gaussian.h"
#include "laplace.h"
#include "num/ends.h"

static const scaled zero = {{0, 0, 0}, 0};

/* 1 - e^x on x < 0, and 0 for x >= 0. */
static ball drop_below(ball x)
{
    if (ball_is_nonnegative(x))
        return ball_of(0);
    ball d = ball_neg(ball_expm1(x));
    return ball_is_negative(x) ? d : ball_max(ball_of(0), d);
}

/* log(p / (1 - p)); +inf at p = 1. */
static ball log_odds(ball p)
{
    ball q = ball_sub(ball_of(1), p);
    if (ball_is_zero(q))
        return ball_of(HUGE_VAL);
    return ball_log(ball_div(p, q));
}

/* Beyond this many standard deviations a tail is computed by its logarithm. */
#define LOG_TAIL_DEVIATIONS 20

static scaled gaussian_delta(ball theta, ball eps)
{
    if (ball_is_zero(theta))
        return zero;
    double a = ball_mid(eps) / ball_mid(theta) - ball_mid(theta) / 2;
    ball log_delta =
        a < LOG_TAIL_DEVIATIONS ? ball_unknown() : gauss_log_delta(theta, eps);
    if (ball_is_unknown(log_delta)) /* a small, or the logarithm too great */
        return scaled_of(gauss_delta(theta, eps));
    if (isinf(log_delta.hi))
        return zero;
    if (ball_upper(log_delta) < -0x1p59) /* in [0, 2^(-2^59)] */
        return (scaled){{0.5, 0, 0.5}, -((int64_t)1 << 59)};
    return scaled_exp(log_delta);
}

static ball response_delta(ball p, ball eps)
{
    ball end = log_odds(p);
    if (isinf(end.hi))
        return ball_of(1);
    return ball_mul(p, drop_below(ball_sub(eps, end)));
}

static ball approx_delta(ball eps0, ball delta0, ball eps)
{
    ball rest = ball_sub(ball_of(1), delta0);
    ball part = isinf(eps0.hi) ? ball_of(1) : drop_below(ball_sub(eps, eps0));
    ball whole = ball_add_d(ball_exp(ball_neg(eps0)), 1);
    return ball_add(delta0, ball_mul(rest, ball_div(part, whole)));
}

/* The profile at eps >= 0. */
static scaled upper_half(const base_profile *p, ball eps)
{
    switch (p->kind) {
    case BASE_PROFILE_LAPLACE:
        return scaled_of(
            drop_below(ball_scale2(ball_sub(eps, p->parameter), -1)));
    case BASE_PROFILE_GAUSSIAN:
        return gaussian_delta(p->parameter, eps);
    case BASE_PROFILE_RESPONSE:
        return scaled_of(response_delta(p->parameter, eps));
    case BASE_PROFILE_APPROX:
        return scaled_of(approx_delta(p->parameter, p->delta0, eps));
    }
    return scaled_of(ball_unknown());
}

scaled base_profile_delta(const base_profile *p, ball eps)
{
    if (ball_is_unknown(eps))
        return scaled_of(eps);
    if (eps.hi == HUGE_VAL)
        return scaled_of(base_profile_floor(p));
    if (ball_is_nonnegative(eps))
        return upper_half(p, eps);
    if (eps.hi == -HUGE_VAL)
        return scaled_of(ball_of(1));
    if (!ball_is_negative(eps)) {
        /* eps may have either sign: the profile falls with eps */
        scaled most = base_profile_delta(p, ball_bottom(eps));
        scaled least = base_profile_delta(p, ball_top(eps));
        return scaled_of(ball_hull(scaled_ball(least), scaled_ball(most)));
    }
    ball d = scaled_ball(upper_half(p, ball_neg(eps)));
    return scaled_of(ball_sub(ball_mul(ball_exp(eps), d), ball_expm1(eps)));
}

scaled profile_steps(double k, ball eps)
{
    if (k == 1)
        return scaled_of(ball_of(1));
    if (ball_is_zero(eps))
        return scaled_of(ball_of(k));
    return scaled_div(scaled_expm1(ball_mul_d(eps, k)), scaled_expm1(eps));
}

/* Encloses min(1, x). */
static ball at_most_one(scaled x)
{
    ball one = ball_of(1);
    if (x.e > 600 && ball_is_positive(x.m))
        return one; /* mantissas are above 2^-300 */
    ball value = scaled_ball(x);
    return ball_less_equal(one, value) ? one : ball_min(one, value);
}

base_profile base_profile_of_group(const base_profile *p, double k)
{
    base_profile g = *p;
    if (k == 1 || p->kind == BASE_PROFILE_RESPONSE)
        return g;
    g.parameter = ball_mul_d(p->parameter, k);
    if (p->kind != BASE_PROFILE_APPROX || ball_is_zero(p->delta0))
        return g;
    g.delta0 =
        at_most_one(scaled_mul_ball(profile_steps(k, p->parameter), p->delta0));
    return g;
}

static scaled black_delta(const base_profile *p, double k, ball eps)
{
    if (k == 1)
        return base_profile_delta(p, eps);
    ball step = ball_div_d(eps, k);
    scaled d = base_profile_delta(p, step);
    if (ball_is_zero(d.m))
        return d;
    d = scaled_mul(d, profile_steps(k, step));
    return d.e < -600 ? d : scaled_of(at_most_one(d));
}

scaled base_profile_group_delta(
    const base_profile *p, base_profile_group group, double k, ball eps)
{
    if (group == BASE_PROFILE_BLACK)
        return black_delta(p, k, eps);
    base_profile g = base_profile_of_group(p, k);
    return base_profile_delta(&g, eps);
}

static dosi_interval not_negative(ball eps)
{
    return iv_max(ball_interval(eps), iv_point(0));
}

/* Encloses log((p - delta)/(1 - p)). */
static dosi_interval response_epsilon(ball p, ball delta)
{
    ball left = ball_sub(p, delta), q = ball_sub(ball_of(1), p);
    if (!ball_is_positive(left))
        return ball_is_nonnegative(ball_neg(left)) ? iv_point(0)
                                                   : iv_make(0, HUGE_VAL);
    if (ball_is_zero(q))
        return iv_point(ball_less(delta, ball_of(1)) ? HUGE_VAL : 0);
    /* delta(0) = p - q, exactly 0 at p = 1/2 */
    if (ball_less_equal(ball_sub(p, q), delta))
        return iv_point(0);
    return not_negative(ball_log(ball_div(left, q)));
}

/* Encloses the root of delta0 + (1 - delta0)(1 - e^(eps - eps0))/(1 + e^-eps0)
 * = delta, that is eps = eps0 + log(1 - (delta - delta0)(1 + e^-eps0)/(1 -
 * delta0)). */
static dosi_interval approx_epsilon_at(const base_profile *p, ball delta)
{
    ball above = ball_sub(delta, p->delta0);
    if (ball_is_negative(above))
        return iv_point(HUGE_VAL);
    if (!ball_is_nonnegative(above))
        return iv_make(0, HUGE_VAL);
    if (ball_is_zero(above))
        return ball_interval(p->parameter);
    ball whole = ball_add_d(ball_exp(ball_neg(p->parameter)), 1);
    ball share =
        ball_div(ball_mul(above, whole), ball_sub(ball_of(1), p->delta0));
    if (ball_less_equal(ball_of(1), share))
        return iv_point(0);
    ball log_rest = ball_log1p(ball_neg(share));
    if (ball_is_unknown(log_rest))
        return iv_make(0, ball_upper(p->parameter));
    return not_negative(ball_add(p->parameter, log_rest));
}

dosi_interval base_profile_epsilon(
    const base_profile *p, ball delta, ball log_delta)
{
    if (ball_less_equal(ball_of(1), delta))
        return iv_point(0);
    switch (p->kind) {
    case BASE_PROFILE_LAPLACE:
        return ball_is_zero(delta) ? ball_interval(p->parameter)
                                   : laplace_epsilon(p->parameter, log_delta);
    case BASE_PROFILE_GAUSSIAN:
        if (ball_is_zero(p->parameter))
            return iv_point(0);
        return gauss_epsilon(p->parameter, log_delta);
    case BASE_PROFILE_RESPONSE:
        return response_epsilon(p->parameter, delta);
    case BASE_PROFILE_APPROX:
        return approx_epsilon_at(p, delta);
    }
    return iv_unknown();
}

ball base_profile_end(const base_profile *p)
{
    switch (p->kind) {
    case BASE_PROFILE_LAPLACE:
        return p->parameter;
    case BASE_PROFILE_GAUSSIAN:
        return ball_of(ball_is_zero(p->parameter) ? 0 : HUGE_VAL);
    case BASE_PROFILE_RESPONSE:
        return log_odds(p->parameter);
    case BASE_PROFILE_APPROX:
        return ball_is_zero(p->delta0) ? p->parameter : ball_of(HUGE_VAL);
    }
    return ball_unknown();
}

ball base_profile_floor(const base_profile *p)
{
    if (p->kind == BASE_PROFILE_APPROX)
        return p->delta0;
    bool is_open =
        p->kind == BASE_PROFILE_RESPONSE && isinf(log_odds(p->parameter).hi);
    return ball_of(is_open ? 1 : 0);
}
