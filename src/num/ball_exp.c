/*
 * Elementary functions of balls, from one kernel, e^r - 1 near 0. Functions of
 * the C library give approximations that are corrected, and no bound rests on
 * them. Derivation of the error bounds: docs/theory/num.md; u is 2^-53.
 */
#include "ball.h"

#include "ball_kernel.h"
#include "ends.h"

static dd expm1_kernel(dd r)
{
    double j = expm1_number(r);
    return expm1_from(r, j, expm1_entry(j));
}

/* e^x for |x| < 760, relative error below BALL_UNIT up to underflow. */
static ball exp_kernel(dd x)
{
    double k;
    dd s = expm1_kernel(exp_reduce(x, &k));
    dd e = dd_add_small((dd){1, 0}, s);
    ball r = ball_from(e, e.hi * BALL_UNIT);
    return k == 0 ? r : ball_scale2(r, (int)k);
}

/* log(1 + x), 1 + x = m exactly, for 0.7 < m < 1.42: relative error below
 * LOG1P_UNIT and BALL_TINY. Unknown if the C library's value is far off. */
static ball log1p_kernel(dd x, dd m)
{
    if (x.hi == 0)
        return ball_of(0);
    double y = log1p(x.hi); /* any y near log(1 + x) is valid */
    if (!(fabs(y) <= 0.35))
        return ball_unknown();
    /* log(1 + x) = y + log(1 + z),  1 + z = m e^-y,  z = x + m (e^-y - 1) */
    dd z = dd_add(x, dd_mul(m, expm1_kernel((dd){-y, 0})));
    /* |log(1 + z) - z + z^2/2| <= |z|^3 for |z| <= 2^-30; z.hi^2 / 2 instead
     * of z^2 / 2, rounded, errs by 2 u z^2 */
    double a = fabs(z.hi);
    if (!(a <= 0x1p-30))
        return ball_unknown();
    z = dd_add(z, (dd){-z.hi * z.hi / 2, 0});
    dd r = dd_add((dd){y, 0}, z);
    return ball_from(
        r, fabs(r.hi) * LOG1P_UNIT + a * a * (a + 0x1p-52) + BALL_TINY);
}

/* Encloses an increasing function of a wide ball by the values at its ends. */
static ball ball_by_ends(ball (*f)(ball), ball x)
{
    return ball_hull(f(ball_bottom(x)), f(ball_top(x)));
}

ball ball_exp(ball x)
{
    if (ball_is_unknown(x))
        return x;
    if (ball_is_infinite(x))
        return ball_of(x.hi > 0 ? HUGE_VAL : 0);
    if (ball_is_zero(x))
        return ball_of(1);
    if (x.rad > 0.5)
        return ball_by_ends(ball_exp, x);
    if (x.hi > 710)
        return ball_unknown();
    if (x.hi < -746) /* 0 < exp(x) < e^-745.4 < 2^-1075 */
        return (ball){0, 0, BALL_TINY};
    ball r = exp_kernel(ball_dd(x));
    if (x.rad == 0)
        return r;
    /* |e^x - e^m| <= e^m (e^rad - 1) <= e^m rad (1 + rad), rad <= 1/2 */
    double spread = ball_magnitude(r) * (x.rad * (1 + x.rad));
    return ball_from(ball_dd(r), r.rad + spread + BALL_TINY);
}

ball ball_expm1(ball x)
{
    if (ball_is_unknown(x) || ball_is_infinite(x) || fabs(x.hi) > 0.35 ||
        x.rad > 0.25)
        return ball_sub_d(ball_exp(x), 1);
    if (ball_is_zero(x))
        return x;
    dd s = expm1_kernel(ball_dd(x));
    /* e^m <= 1.42 for |m| <= 0.3501; the rest as in ball_exp */
    double rad = 1.5 * x.rad * (1 + x.rad);
    return ball_from(s, rad + fabs(s.hi) * EXPM1_UNIT + BALL_TINY);
}

ball ball_log1p(ball x)
{
    if (!(x.hi > -0.29 && x.hi < 0.41 && x.rad <= 0x1p-8))
        return ball_log(ball_add_d(x, 1));
    if (ball_is_zero(x))
        return x;
    /* here m = 1 + x is rounded: the 3 u^2 are in LOG1P_UNIT */
    ball r = log1p_kernel(ball_dd(x), dd_add((dd){1, 0}, ball_dd(x)));
    /* |log(1+x) - log(1+m)| <= rad / (1 + m - rad), 1 + m - rad > 0.7 */
    return ball_widen(r, x.rad * 1.5);
}

ball ball_log(ball x)
{
    if (ball_is_unknown(x))
        return x;
    if (ball_is_zero(x))
        return ball_of(-HUGE_VAL);
    if (!(x.hi > 0))
        return ball_unknown();
    if (ball_is_infinite(x))
        return x;
    if (x.rad > x.hi * 0x1p-8)
        return ball_by_ends(ball_log, x);
    int n = 0;
    if (frexp(x.hi, &n) < 0.70710678)
        n--;
    ball m = ball_scale2(x, -n); /* 0.7 < m < 1.42 */
    /* m.hi - 1 is exact, for 1/2 <= m.hi <= 2 */
    ball r = log1p_kernel(dd_two_sum(m.hi - 1, m.lo), ball_dd(m));
    /* |log x - log m| <= rad / (m - rad), rad <= 2^-8 m */
    r = ball_widen(r, m.rad / (m.hi * (1 - 0x1p-7)));
    return n == 0 ? r : ball_add(r, ball_mul_d(ball_ln2(), n));
}

ball ball_log1mexp(ball x)
{
    if (x.hi > -0.69)
        return ball_log(ball_neg(ball_expm1(x)));
    return ball_log1p(ball_neg(ball_exp(x)));
}

ball ball_logexpm1(ball x)
{
    if (x.hi > 1)
        return ball_add(x, ball_log1p(ball_neg(ball_exp(ball_neg(x)))));
    return ball_log(ball_expm1(x));
}

ball ball_log1pexp(ball x)
{
    if (x.hi > 0)
        return ball_add(x, ball_log1p(ball_exp(ball_neg(x))));
    return ball_log1p(ball_exp(x));
}

ball ball_pow(ball x, ball y)
{
    if (ball_is_zero(x) && ball_is_positive(y))
        return x;
    return ball_exp(ball_mul(y, ball_log(x)));
}

ball ball_logaddexp(ball a, ball b)
{
    ball top = a.hi >= b.hi ? a : b;
    ball other = a.hi >= b.hi ? b : a;
    if (ball_is_infinite(top) || ball_is_infinite(other))
        return ball_is_unknown(other) ? other : top;
    return ball_add(top, ball_log1pexp(ball_sub(other, top)));
}

ball ball_logsubexp(ball a, ball b)
{
    if (ball_is_infinite(b) && b.hi < 0)
        return a;
    return ball_add(a, ball_log1mexp(ball_sub(b, a)));
}

ball ball_sinh(ball x)
{
    if (x.hi < 0)
        return ball_neg(ball_sinh(ball_neg(x)));
    if (ball_is_infinite(x))
        return x;
    if (x.rad > 0x1p-8 && !ball_is_unknown(x))
        return ball_by_ends(ball_sinh, x);
    /* (t + t / (1 + t)) / 2 with t = e^x - 1, x >= 0: no cancellation */
    ball t = ball_expm1(x);
    return ball_scale2(ball_add(t, ball_div(t, ball_add_d(t, 1))), -1);
}

ball ball_cosh(ball x)
{
    ball y = ball_abs(x);
    if (y.rad > 0x1p-8 && !ball_is_unknown(y)) { /* increasing in |x| */
        ball least = ball_bottom(y);
        ball low = ball_cosh(least.hi > 0 ? least : ball_of(0));
        return ball_hull(low, ball_cosh(ball_top(y)));
    }
    if (y.hi < 0.35) {
        /* 1 + t^2 / (2 (1 + t)) with t = e^|x| - 1 */
        ball t = ball_expm1(y);
        t = ball_div(ball_sqr(t), ball_add_d(t, 1));
        return ball_add_d(ball_scale2(t, -1), 1);
    }
    ball e = ball_exp(y);
    return ball_scale2(ball_add(e, ball_div(ball_of(1), e)), -1);
}

ball ball_tanh(ball x)
{
    if (x.hi < 0)
        return ball_neg(ball_tanh(ball_neg(x)));
    if (x.rad > 0x1p-8 && !ball_is_unknown(x))
        return ball_by_ends(ball_tanh, x);
    if (x.hi > 100 && !ball_is_infinite(x))
        return (ball){1, 0, 0x1p-280}; /* 1 - tanh x <= 2 e^-2x < 2^-287 */
    /* t / (2 - t) with t = 1 - e^-2x */
    ball t = ball_neg(ball_expm1(ball_scale2(ball_neg(x), 1)));
    return ball_div(t, ball_sub(ball_of(2), t));
}
