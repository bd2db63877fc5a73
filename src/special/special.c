/*
 * The normal law as balls: the kernels of mills.c at the midpoint, widened over
 * the ball by bounds on logarithmic derivatives,
 *
 *     |(log R)'| = r_1 <= g_1,  |(log S)'| = r_2 <= g_2,
 *     |(log sf)'| = 1/R = x + r_1 <= x + g_1,
 *
 * or, for wide balls, by monotonicity. Derivation: docs/theory/noise.md.
 */
#include "special.h"

#include "num/bracket.h"
#include "num/ends.h"
#include "mills.h"
#include "num/newton.h"

/* Balls whose image would be wider than this, relatively, are enclosed by the
 * values at their ends. */
#define MAX_RELATIVE_WIDTH 0.25

/* 1 / sqrt(2 pi), sqrt(2 pi), sqrt 2 (digits: mpmath at 600 bits). */
static const ball inv_sqrt_2pi = {
    0x1.9884533d43651p-2, -0x1.cbc0d30ebfd15p-56, 0x1p-110};
static const ball sqrt_2pi = {
    0x1.40d931ff62706p+1, -0x1.a6a0d6f814637p-53, 0x1p-106};
static const ball sqrt_2 = {
    0x1.6a09e667f3bcdp+0, -0x1.bdd3413b26456p-54, 0x1p-107};

static dd point(ball x)
{
    return (dd){x.hi, x.lo};
}

static bool is_finite(ball x)
{
    return !ball_is_unknown(x) && fabs(x.hi) <= DBL_MAX;
}

/* Encloses v e^y for all |y| <= spread <= 1/4: e^s - 1 <= s (1 + s). */
static ball spread(ball v, double s)
{
    if (s == 0)
        return v;
    double most = fabs(v.hi) + fabs(v.lo) + v.rad;
    return ball_widen(v, most * s * (1 + s) * (1 + 0x1p-45) + BALL_TINY);
}

/* Encloses a monotone f over a wide ball. */
static ball between_ends(ball (*f)(ball), ball x)
{
    return ball_hull(f(ball_bottom(x)), f(ball_top(x)));
}

static ball minus_half_square(ball x)
{
    return ball_scale2(ball_neg(ball_sqr(x)), -1);
}

ball ball_normal_pdf(ball x)
{
    if (isinf(x.hi))
        return ball_of(0);
    if (fabs(x.hi) > 40 && fabs(x.hi) - x.rad > 39) /* e^-760 < 2^-1096 */
        return (ball){0, 0, BALL_TINY};
    return ball_mul(ball_exp(minus_half_square(x)), inv_sqrt_2pi);
}

ball ball_log_normal_pdf(ball x)
{
    if (isinf(x.hi))
        return ball_of(-HUGE_VAL);
    return ball_sub(minus_half_square(x), ball_scale2(ball_log_2pi(), -1));
}

ball ball_mills(ball x)
{
    if (!is_finite(x))
        return x.hi == HUGE_VAL ? ball_of(0) : ball_unknown();
    double width = x.rad == 0 ? 0 : x.rad * mills_ratio_upper(1, ball_lower(x));
    if (!(width <= MAX_RELATIVE_WIDTH))
        return between_ends(ball_mills, x);
    if (x.hi < MILLS_MIN_X) {
        /* sf(x) = 1 - sf(-x) over phi(x) = phi(-x) */
        ball whole = ball_mul(
            ball_exp(ball_scale2(ball_sqr(ball_midpoint(x)), -1)), sqrt_2pi);
        return spread(ball_sub(whole, mills_at(point(ball_neg(x)))), width);
    }
    return spread(mills_at(point(x)), width);
}

/* Encloses the mean of S over [a, a + w] for exact a, w. */
static ball mean_slope_point(ball a, ball w)
{
    ball b = ball_add(a, w);
    bool cell = fmax(fabs(a.hi), fabs(b.hi)) <= 0.28;
    if (a.hi >= MILLS_MIN_X || cell)
        return mills_mean_slope_at(point(a), point(w));
    if (w.hi == 0) /* S = 1 - x R: a sum of positives for x < 0 */
        return ball_sub(ball_of(1), ball_mul(a, ball_mills(a)));
    if (b.hi > 0)
        return ball_div(ball_sub(ball_mills(a), ball_mills(b)), w);
    /* a < b <= 0, a sum of positive terms: R(a) - R(b) = (e^((a^2 - b^2)/2) -
     * 1) / phi(b) + R(-b) - R(-a) */
    ball gap = ball_scale2(ball_mul(w, ball_neg(ball_add(a, b))), -1);
    ball whole = ball_mul(ball_exp(ball_scale2(ball_sqr(b), -1)), sqrt_2pi);
    ball sum = ball_div(ball_mul(ball_expm1(gap), whole), w);
    ball c = ball_midpoint(ball_neg(b)); /* and g_2 <= 1.42 from 0 on */
    return ball_add(sum, spread(mean_slope_point(c, w), 1.5 * b.rad));
}

ball ball_mills_slope(ball x)
{
    if (!is_finite(x))
        return x.hi == HUGE_VAL ? ball_of(0) : ball_unknown();
    double width = x.rad == 0 ? 0 : x.rad * mills_ratio_upper(2, ball_lower(x));
    if (!(width <= MAX_RELATIVE_WIDTH))
        return between_ends(ball_mills_slope, x);
    return spread(mean_slope_point(ball_midpoint(x), ball_of(0)), width);
}

ball ball_mills_drop(ball a, ball w)
{
    if (!is_finite(a) || !is_finite(w))
        return ball_unknown();
    if (ball_is_zero(w))
        return w;
    /* D = int_a^(a+w) S: |d log D / da| <= g_2(a), and d log D / dw =
     * S(a + w) / D <= 1 / w since S falls */
    double least = ball_lower(w);
    double width = a.rad * mills_ratio_upper(2, ball_lower(a));
    if (w.rad > 0)
        width += w.rad / least;
    width = (a.rad == 0 && w.rad == 0) ? 0 : width * (1 + 0x1p-45);
    if (least > 0 && width <= MAX_RELATIVE_WIDTH) {
        ball m = ball_midpoint(w);
        return spread(
            ball_mul(mean_slope_point(ball_midpoint(a), m), m), width);
    }
    /* D falls with a and rises with w */
    ball low = ball_bottom(w), high = ball_top(w);
    if (!(low.hi > 0))
        low = ball_of(0);
    if (ball_is_unknown(high))
        return high;
    if (!(high.hi > 0))
        return ball_of(0);
    if (a.rad == 0 && w.rad == 0)
        return ball_unknown();
    return ball_hull(ball_mills_drop(ball_top(a), low),
        ball_mills_drop(ball_bottom(a), high));
}

/* True if the ball is narrow for sf: (x + g_1) rad is within the limit. */
static bool is_narrow(ball x)
{
    double high = ball_upper(x);
    double rate = fmax(high, 0) + mills_ratio_upper(1, high);
    return x.rad == 0 || x.rad * rate <= MAX_RELATIVE_WIDTH;
}

ball ball_normal_sf(ball x)
{
    if (!is_finite(x))
        return isinf(x.hi) ? ball_of(x.hi > 0 ? 0 : 1)
                           : ball_of_interval(iv_make(0, 1));
    if (!is_narrow(x))
        return ball_clamp(between_ends(ball_normal_sf, x), 0, 1);
    if (x.hi < MILLS_MIN_X)
        return ball_sub(ball_of(1), ball_normal_sf(ball_neg(x)));
    if (x.hi > 39) /* sf < phi there, x - rad > 38.9: below 2^-1095 */
        return (ball){0, 0, BALL_TINY};
    return ball_mul(ball_normal_pdf(x), ball_mills(x));
}

ball ball_normal_cdf(ball x)
{
    return ball_normal_sf(ball_neg(x));
}

ball ball_log_normal_sf(ball x)
{
    if (!is_finite(x))
        return isinf(x.hi) ? ball_of(x.hi > 0 ? -HUGE_VAL : 0) : ball_unknown();
    if (x.rad > MAX_RELATIVE_WIDTH)
        return between_ends(ball_log_normal_sf, x);
    if (x.hi < MILLS_MIN_X)
        return ball_log1p(ball_neg(ball_normal_sf(ball_neg(x))));
    return ball_add(ball_log_normal_pdf(x), ball_log(ball_mills(x)));
}

ball ball_log_normal_cdf(ball x)
{
    return ball_log_normal_sf(ball_neg(x));
}

/* Encloses Phi(y) - Phi(-y) = phi(y) (R(-y) - R(y)), odd, with relative
 * accuracy. */
static ball central(ball y)
{
    if (fabs(y.hi) > 0.28)
        return ball_sub(ball_of(1), ball_scale2(ball_normal_sf(y), 1));
    ball m = ball_midpoint(y);
    ball value = ball_mul(ball_normal_pdf(m),
        ball_mul(mean_slope_point(ball_neg(m), ball_scale2(m, 1)),
            ball_scale2(m, 1)));
    /* the derivative is 2 phi <= 0.8 */
    return ball_widen(value, 0.8 * y.rad);
}

ball ball_erf(ball x)
{
    if (!is_finite(x))
        return isinf(x.hi) ? ball_of(x.hi > 0 ? 1 : -1)
                           : ball_of_interval(iv_make(-1, 1));
    if (x.hi < 0)
        return ball_neg(ball_erf(ball_neg(x)));
    if (x.rad > MAX_RELATIVE_WIDTH / 8)
        return ball_clamp(between_ends(ball_erf, x), -1, 1);
    if (ball_is_zero(x))
        return x;
    return central(ball_mul(x, sqrt_2));
}

double log_normal_sf_approx(double x)
{
    if (x < MILLS_MIN_X)
        return log1p(-exp(log_normal_sf_approx(-x)));
    return -x * x / 2 - 0.91893853320467274 + log(mills_approx(x));
}

/* log sf is concave and falls: from the right Newton's steps stay there. */
static double upper_quantile_approx(double log_p)
{
    double x = sqrt(fmax(-2 * (log_p + 0.6931471805599453), 0));
    for (int i = 0; i < 40; i++) {
        double mills = mills_approx(x);
        double log_sf = log(mills) - x * x / 2 - 0.91893853320467274;
        double step = (log_sf - log_p) * mills;
        x += step;
        if (!(fabs(step) > fabs(x) * 1e-9))
            break;
    }
    return x;
}

double normal_isf_log_approx(double log_p)
{
    if (!(log_p < 0))
        return -HUGE_VAL;
    if (log_p > -0.6931471805599453)
        return -upper_quantile_approx(log(-expm1(log_p)));
    return upper_quantile_approx(log_p);
}

/* log p - log sf(x), increasing in x; its slope is 1 / R(x). */
static ball isf_excess(ball x, const void *context)
{
    const ball *log_p = context;
    return ball_sub(*log_p, ball_log_normal_sf(x));
}

static ball isf_slope(ball x, const void *context)
{
    (void)context;
    return ball_div(ball_of(1), ball_mills(x));
}

/* (Phi(x) - Phi(-x)) / 2 - (1/2 - p), increasing in x, slope phi(x). */
static ball isf_central_excess(ball x, const void *context)
{
    const ball *half_minus_p = context;
    return ball_sub(ball_scale2(central(x), -1), *half_minus_p);
}

static ball isf_central_slope(ball x, const void *context)
{
    (void)context;
    return ball_normal_pdf(x);
}

static int isf_sign(double x, const void *context)
{
    return bracket_sign_of(isf_excess(ball_of(x), context));
}

ball ball_normal_isf_log(ball log_p)
{
    if (isinf(log_p.hi) && log_p.hi < 0)
        return ball_of(HUGE_VAL);
    if (!ball_is_negative(log_p))
        return ball_is_zero(log_p) ? ball_of(-HUGE_VAL) : ball_unknown();
    if (log_p.hi > -0.69)
        return ball_neg(ball_normal_isf_log(ball_log1mexp(log_p)));
    double guess = normal_isf_log_approx(log_p.hi);
    ball root = newton_root(
        isf_excess, isf_slope, &log_p, guess, 1 / mills_approx(guess), 0x1p-95);
    if (!ball_is_unknown(root))
        return root;
    if (log_p.rad > 0)
        return between_ends(ball_normal_isf_log, log_p);
    /* sf(-1) > e^-0.69 >= p */
    return ball_of_interval(bracket_root(isf_sign, &log_p, -1, 0x1p511, guess));
}

ball ball_normal_isf(ball p)
{
    if (ball_is_zero(p))
        return ball_of(HUGE_VAL);
    ball q = ball_sub(ball_of(1), p);
    if (ball_is_zero(q))
        return ball_of(-HUGE_VAL);
    if (!ball_is_positive(p) || !ball_is_positive(q))
        return ball_unknown();
    ball h = ball_sub(ball_of(0.5), p);
    if (ball_is_zero(h))
        return h;
    if (fabs(h.hi) + h.rad < 0.1) {
        double z = 2.5066282746310002 * h.hi, y = z * z;
        double guess =
            z * (1 + y * (1 / 6. + y * (7 / 120. + y * (127 / 5040.))));
        ball root = newton_root(
            isf_central_excess, isf_central_slope, &h, guess, 0.39, 0x1p-95);
        if (!ball_is_unknown(root))
            return root;
    }
    return h.hi > 0 ? ball_normal_isf_log(ball_log(p))
                    : ball_neg(ball_normal_isf_log(ball_log(q)));
}
