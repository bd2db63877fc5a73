/*
 * The privacy profile of the Gaussian pair, its logarithms and tails as balls.
 * Every branch is a product or sum of positive terms; docs/theory/noise.md
 * derives the branches and why nothing cancels.
 */
#include "gaussian.h"

#include "num/ends.h"
#include "special/special.h"

/* Up to this mu, R(a) - R(b) comes from one divided difference if a is negative
 * (|a| <= mu/2), so it keeps its digits. */
#define SMALL_MU 0.0625

/* Parameters whose radius moves a by more than MAX_SPREAD are evaluated at
 * their ends; parameters of a relative radius below MIN_SPREAD never are. */
#define MAX_SPREAD 0x1p-6
#define MIN_SPREAD 0x1p-90

/* a = eps/mu - mu/2, b = eps/mu + mu/2. */
typedef struct gauss_point {
    ball mu;
    ball a;
    ball b;
} gauss_point;

static gauss_point point_of(ball mu, ball eps)
{
    ball m = ball_div(eps, mu), h = ball_scale2(mu, -1);
    return (gauss_point){mu, ball_sub(m, h), ball_add(m, h)};
}

/* a < 0 and delta not small: 1 - delta is the sum of positives. */
static bool is_upper(gauss_point p)
{
    return p.a.hi < 0 && p.mu.hi > SMALL_MU;
}

/* Encloses (1 - delta) / phi(a) = R(-a) + R(b), from sf(-a) + e^eps sf(b). */
static ball miss_over_pdf(gauss_point p)
{
    return ball_add(ball_mills(ball_neg(p.a)), ball_mills(p.b));
}

static ball miss(gauss_point p)
{
    return ball_mul(ball_normal_pdf(p.a), miss_over_pdf(p));
}

static ball point_delta(gauss_point p)
{
    if (is_upper(p))
        return ball_sub(ball_of(1), miss(p));
    return ball_mul(ball_normal_pdf(p.a), ball_mills_drop(p.a, p.mu));
}

static ball point_log_delta(gauss_point p)
{
    if (is_upper(p))
        return ball_log1p(ball_neg(miss(p)));
    ball drop = ball_mills_drop(p.a, p.mu);
    return ball_add(ball_log_normal_pdf(p.a), ball_log(drop));
}

static ball point_log_1m_delta(gauss_point p)
{
    if (is_upper(p))
        return ball_add(ball_log_normal_pdf(p.a), ball_log(miss_over_pdf(p)));
    return ball_log1p(ball_neg(point_delta(p)));
}

/* True if the radii of the parameters, not the rounding, dominate that of a. */
static bool is_wide(ball mu, ball eps, gauss_point p)
{
    if (mu.rad <= mu.hi * MIN_SPREAD && eps.rad <= fabs(eps.hi) * MIN_SPREAD)
        return false;
    return !(p.a.rad * (1 + fabs(p.a.hi)) <= MAX_SPREAD &&
        mu.rad <= mu.hi * MAX_SPREAD);
}

/* Encloses a function of (mu, eps) that rises with mu and falls with eps, or
 * conversely, by its values at two corners. */
static ball between_corners(ball (*f)(ball, ball), ball mu, ball eps)
{
    ball least = ball_bottom(mu);
    if (!(least.hi > 0))
        least = ball_of(0);
    return ball_hull(
        f(least, ball_top(eps)), f(ball_top(mu), ball_bottom(eps)));
}

/* One of the functions below with its special cases. */
typedef struct gaussian_form {
    ball (*whole)(ball mu, ball eps);          /* the function itself */
    ball (*inner)(gauss_point p);              /* mu > 0, eps >= 0 */
    ball (*mirrored)(ball mu, ball minus_eps); /* eps < 0, by -eps > 0 */
    ball (*equal)(ball eps);                   /* mu = 0 */
    double disjoint;                           /* mu = inf: delta = 1 */
    ball limit; /* a > 2^500; unknown: there is no limit */
} gaussian_form;

/* A number in [0, 2^-1060], and one in [-2^-1060, 0]: delta and log(1 - delta)
 * for a > 2^500, as delta <= sf(a). */
#define NEXT_TO_ZERO {BALL_TINY / 2, 0, BALL_TINY / 2}
#define NEXT_BELOW_ZERO {-BALL_TINY / 2, 0, BALL_TINY / 2}
#define NO_LIMIT {0, 0, HUGE_VAL}

static ball evaluate(const gaussian_form *f, ball mu, ball eps)
{
    if (ball_is_unknown(mu) || ball_is_unknown(eps) || ball_is_negative(mu))
        return ball_unknown();
    if (isinf(mu.hi) && isinf(eps.hi))
        return ball_unknown();
    if (eps.hi == HUGE_VAL) /* delta = 0, as for equal laws at 1 */
        return f->equal(ball_of(1));
    if (isinf(mu.hi) || isinf(eps.hi))
        return ball_of(f->disjoint);
    if (ball_is_zero(mu))
        return f->equal(eps);
    if (!(mu.hi > 0) || mu.rad > mu.hi * MAX_SPREAD)
        return between_corners(f->whole, mu, eps);
    gauss_point p = point_of(mu, eps);
    bool is_at_limit = ball_is_unknown(p.a)
                      ? mu.hi < 1 && ball_less(ball_of(0x1p-40), eps)
                      : ball_less(ball_of(0x1p500), p.a);
    if (is_at_limit && !ball_is_unknown(f->limit))
        return f->limit;
    if (is_wide(mu, eps, p))
        return between_corners(f->whole, mu, eps);
    if (eps.hi < 0)
        return f->mirrored(mu, ball_neg(eps));
    return f->inner(p);
}

/* The profile at mu = 0: delta = max(0, 1 - e^eps). */
static ball equal_delta(ball eps)
{
    if (ball_is_nonnegative(eps))
        return ball_of(0);
    return ball_max(ball_of(0), ball_neg(ball_expm1(eps)));
}

static ball equal_log_delta(ball eps)
{
    if (ball_is_nonnegative(eps))
        return ball_of(-HUGE_VAL);
    return ball_is_negative(eps) ? ball_log1mexp(eps) : ball_unknown();
}

static ball equal_log_1m_delta(ball eps)
{
    return ball_min(ball_of(0), eps);
}

/* delta(-e) = 1 - x + x delta(e) with x = e^-e: P and Q exchange their
 * roles. */
static ball mirrored_delta(ball mu, ball e)
{
    ball minus = ball_neg(e);
    return ball_sub(
        ball_mul(ball_exp(minus), gauss_delta(mu, e)), ball_expm1(minus));
}

static ball mirrored_log_1m_delta(ball mu, ball e)
{
    return ball_sub(gauss_log_1m_delta(mu, e), e);
}

static ball mirrored_log_delta(ball mu, ball e)
{
    ball log_miss = mirrored_log_1m_delta(mu, e);
    return log_miss.hi < -0.69 ? ball_log1mexp(log_miss)
                               : ball_log(mirrored_delta(mu, e));
}

ball gauss_delta(ball mu, ball eps)
{
    static const gaussian_form f = {
        gauss_delta, point_delta, mirrored_delta, equal_delta, 1, NEXT_TO_ZERO};
    return evaluate(&f, mu, eps);
}

ball gauss_log_delta(ball mu, ball eps)
{
    static const gaussian_form f = {gauss_log_delta, point_log_delta,
        mirrored_log_delta, equal_log_delta, 0, NO_LIMIT};
    return evaluate(&f, mu, eps);
}

ball gauss_log_1m_delta(ball mu, ball eps)
{
    static const gaussian_form f = {gauss_log_1m_delta, point_log_1m_delta,
        mirrored_log_1m_delta, equal_log_1m_delta, -HUGE_VAL, NEXT_BELOW_ZERO};
    return evaluate(&f, mu, eps);
}

/* The standardised threshold s/mu -+ mu/2; +-inf at mu = 0, as the loss is
 * 0. */
static ball threshold(ball mu, ball s, double side)
{
    if (!ball_is_zero(mu))
        return ball_add(ball_div(s, mu), ball_mul_d(mu, side / 2));
    if (ball_is_nonnegative(s))
        return ball_of(HUGE_VAL);
    return ball_is_negative(s) ? ball_of(-HUGE_VAL) : ball_unknown();
}

ball gauss_tail_p(ball mu, ball s)
{
    return ball_normal_sf(threshold(mu, s, -1));
}

ball gauss_tail_q(ball mu, ball s)
{
    return ball_normal_sf(threshold(mu, s, 1));
}

ball gauss_log_tail_q(ball mu, ball s)
{
    return ball_log_normal_sf(threshold(mu, s, 1));
}

/* The trade-off function at an exact alpha. */
static ball tradeoff_at(ball mu, ball alpha)
{
    if (!(alpha.hi > 0))
        return ball_of(1);
    if (alpha.hi > 1 || (alpha.hi == 1 && alpha.lo >= 0))
        return ball_of(0);
    return ball_normal_cdf(ball_sub(ball_normal_isf(alpha), mu));
}

ball gauss_tradeoff(ball mu, ball alpha)
{
    if (ball_is_unknown(alpha) || ball_is_unknown(mu))
        return ball_of_interval(iv_make(0, 1));
    if (isinf(mu.hi))
        return ball_of(0); /* disjoint: no error at any level */
    ball low = ball_bottom(alpha), high = ball_top(alpha);
    if (low.hi > 0 && high.hi < 1) {
        ball x = ball_normal_isf(alpha);
        if (!ball_is_unknown(x))
            return ball_normal_cdf(ball_sub(x, mu));
    }
    if (alpha.rad == 0)
        return tradeoff_at(mu, alpha);
    /* falls with alpha */
    return ball_hull(tradeoff_at(mu, high), tradeoff_at(mu, low));
}
