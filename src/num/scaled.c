/*
 * Balls times powers of two. Scaling is exact while the mantissa stays within
 * 2^+-300, so that the only errors are those of the balls, and of terms that
 * are dropped because the sum is 2^600 times as large, which are charged.
 */
#include "scaled.h"

/* Brings a mantissa beyond 2^+-200, or a radius larger than that, back to about
 * 1. */
static scaled scaled_normal(ball m, int64_t e)
{
    double size = fmax(fabs(m.hi), m.rad);
    if (size == 0)
        return (scaled){m, 0};
    if (!(size <= DBL_MAX) || ball_is_unknown(m) ||
        (size > 0x1p-200 && size < 0x1p200))
        return (scaled){m, e};
    int n = 0;
    (void)frexp(size, &n);
    return (scaled){ball_scale2(m, -n), e + n};
}

scaled scaled_of(ball x)
{
    return scaled_normal(x, 0);
}

scaled scaled_exp(ball x)
{
    if (!(fabs(x.hi) < 0x1p60) || ball_is_unknown(x))
        return scaled_of(ball_exp(x));
    double n = floor(x.hi * 0x1.71547652b82fep+0 + 0.5); /* 1 / ln 2 */
    /* x = n ln 2 + r */
    ball r = ball_sub(x, ball_mul_d(ball_ln2(), n));
    return (scaled){ball_exp(r), (int64_t)n};
}

scaled scaled_expm1(ball x)
{
    if (!(x.hi > 300) || isinf(x.hi))
        return scaled_of(ball_expm1(x));
    scaled r = scaled_exp(x);
    /* e^x - 1 = e^x (1 - e^-x), and e^-x < 2^-400 */
    r.m = ball_widen(r.m, 0x1p-390);
    return r;
}

scaled scaled_mul(scaled a, scaled b)
{
    return scaled_normal(ball_mul(a.m, b.m), a.e + b.e);
}

scaled scaled_mul_ball(scaled a, ball b)
{
    return scaled_mul(a, scaled_of(b));
}

scaled scaled_div(scaled a, scaled b)
{
    return scaled_normal(ball_div(a.m, b.m), a.e - b.e);
}

ball scaled_ball(scaled a)
{
    if (ball_is_zero(a.m))
        return a.m;
    /* mantissas below 2^1000, and their radii, vanish in BALL_TINY */
    if (a.e < -2200)
        return ball_magnitude(a.m) < 0x1p1000
                   ? ball_widen(ball_of(0), BALL_TINY)
                   : ball_unknown();
    return a.e > 2200 ? ball_unknown() : ball_scale2(a.m, (int)a.e);
}

scaled scaled_add(scaled a, scaled b)
{
    if (ball_is_zero(a.m))
        return b;
    if (ball_is_zero(b.m))
        return a;
    if (isinf(a.m.hi) || isinf(b.m.hi))
        return (scaled){ball_add(a.m, b.m), 0};
    if (a.e < b.e) {
        scaled t = a;
        a = b;
        b = t;
    }
    int64_t gap = a.e - b.e;
    if (gap > 1400) {
        /* |b| < 2^301 2^b.e <= 2^-1099 2^a.e unless its ball is wide */
        double most = fmax(fabs(ball_lower(b.m)), fabs(ball_upper(b.m)));
        double drop = most < 0x1p400 ? 0x1p-990 : HUGE_VAL;
        return (scaled){ball_widen(a.m, drop), a.e};
    }
    return scaled_normal(ball_add(a.m, ball_scale2(b.m, -(int)gap)), a.e);
}

ball scaled_log(scaled a)
{
    ball log_m = ball_log(a.m);
    if (a.e == 0 || isinf(log_m.hi))
        return log_m;
    return ball_add(log_m, ball_mul(ball_ln2(), ball_of_int(a.e)));
}

ball scaled_log1p(scaled a)
{
    if (isinf(a.m.hi))
        return a.m;
    if (a.e >= 400) { /* log a + log(1 + 1/a), 1/a < 2^-90 unless wide */
        scaled inverse = {ball_div(ball_of(1), a.m), -a.e};
        ball small = scaled_log1p(inverse);
        return ball_add(scaled_log(a), small);
    }
    return ball_log1p(scaled_ball(a));
}
