/*
 * Convex functions minus their tangent: series for small arguments with their
 * remainders charged to the radius, the plain difference elsewhere, where it
 * loses a few bits at most.
 */
#include "excess.h"

/* >= |x| for every x in the ball. */
static double magnitude(ball x)
{
    return fmax(fabs(ball_lower(x)), fabs(ball_upper(x)));
}

ball excess_exp(ball x)
{
    double most = magnitude(x);
    if (ball_is_zero(x))
        return x;
    if (!(most <= 0.125))
        return ball_sub(ball_expm1(x), x);
    /* x^2/2 (1 + x/3 (1 + x/4 (... (1 + x/20)))) */
    ball sum = ball_of(1);
    for (int j = 20; j >= 3; j--)
        sum = ball_add_d(ball_mul(sum, ball_div_d(x, j)), 1);
    /* the rest, relative to x^2/2, is 2 x^19/21! (1 + x/22 + ...), below
     * 2^-57 2^-64 for |x| <= 1/8 */
    sum = ball_widen(sum, 0x1p-114);
    return ball_mul(ball_scale2(ball_sqr(x), -1), sum);
}

/* s (s-1)/2 v^2 (1 + (s-2)/3 v (1 + (s-3)/4 v (...))) with ratio q of
 * consecutive terms at most 2^-7. */
static ball power_series(ball s, ball v, double q)
{
    int n = 1;
    double rest = q; /* >= q^n: what is left out, relative to the first */
    for (; rest > 0x1p-112 && n < 20; n++)
        rest *= q * (1 + 0x1p-50);
    ball sum = ball_of(1);
    for (int j = n + 1; j >= 2; j--) {
        ball ratio = ball_div_d(ball_mul(ball_sub_d(s, j), v), j + 1);
        sum = ball_add_d(ball_mul(sum, ratio), 1);
    }
    sum = ball_widen(sum, rest * q * 1.02); /* geometric, 1/(1-q) < 1.01 */
    ball first = ball_mul(ball_mul(s, ball_sub_d(s, 1)), ball_sqr(v));
    return ball_mul(ball_scale2(first, -1), sum);
}

ball excess_power(ball s, ball v, ball x)
{
    if (ball_is_zero(v) || ball_is_zero(s))
        return ball_of(0);
    ball t = ball_sub_d(s, 1);
    if (ball_is_zero(t))
        return t;
    /* the ratio of terms j and j+1 is |s - j|/(j + 1) |v| <= (|s| + 1) |v| */
    double q = (magnitude(s) + 1) * magnitude(v) * (1 + 0x1p-50);
    if (q <= 0x1p-7)
        return power_series(s, v, q);
    ball log_x = fabs(v.hi) < 0.5 ? ball_log1p(v) : ball_log(x);
    if (ball_is_negative(t)) /* expm1 of s log x keeps its digits near s = 0 */
        return ball_sub(ball_expm1(ball_mul(s, log_x)), ball_mul(s, v));
    /* x (x^t - 1) - t v keeps them near t = 0 */
    ball power = ball_expm1(ball_mul(t, log_x));
    return ball_sub(ball_mul(x, power), ball_mul(t, v));
}

ball excess_log_sinhc(ball x)
{
    double most = magnitude(x);
    if (ball_is_zero(x))
        return x;
    if (!(most <= 1)) {
        x = ball_abs(x);
        ball rest = ball_log1p(ball_neg(ball_exp(ball_neg(x))));
        return ball_add(ball_scale2(x, -1), ball_sub(rest, ball_log(x)));
    }
    /* y = x^2/4: y/6 (1 + y/20 (1 + y/42 (...))), denominators 2j (2j+1) */
    ball y = ball_scale2(ball_sqr(x), -2);
    ball sum = ball_of(1);
    for (int j = 14; j >= 2; j--)
        sum = ball_add_d(ball_mul(sum, ball_div_d(y, 2 * j * (2 * j + 1))), 1);
    /* the rest, relative to y/6, is below 2 y^14 6/31! < 2^-136 */
    sum = ball_widen(sum, 0x1p-130);
    return ball_log1p(ball_mul(ball_div_d(y, 6), sum));
}
