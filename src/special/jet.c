/*
 * Taylor jets: recurrences of Taylor coefficients, and certified quadrature by
 * them.
 */
#include "jet.h"

jet jet_line(ball value, ball slope)
{
    jet r;
    for (int k = 0; k < JET_TERMS; k++)
        r.c[k] = ball_of(0);
    r.c[0] = value;
    r.c[1] = slope;
    return r;
}

jet jet_add(const jet *a, const jet *b)
{
    jet r;
    for (int k = 0; k < JET_TERMS; k++)
        r.c[k] = ball_add(a->c[k], b->c[k]);
    return r;
}

jet jet_sub(const jet *a, const jet *b)
{
    jet r;
    for (int k = 0; k < JET_TERMS; k++)
        r.c[k] = ball_sub(a->c[k], b->c[k]);
    return r;
}

jet jet_add_ball(const jet *a, ball b)
{
    jet r = *a;
    r.c[0] = ball_add(r.c[0], b);
    return r;
}

jet jet_scale(const jet *a, ball factor)
{
    jet r;
    for (int k = 0; k < JET_TERMS; k++)
        r.c[k] = ball_mul(a->c[k], factor);
    return r;
}

jet jet_mul(const jet *a, const jet *b)
{
    jet r;
    for (int k = 0; k < JET_TERMS; k++) {
        ball sum = ball_of(0);
        for (int i = 0; i <= k; i++)
            if (!ball_is_zero(a->c[i]) && !ball_is_zero(b->c[k - i]))
                sum = ball_add(sum, ball_mul(a->c[i], b->c[k - i]));
        r.c[k] = sum;
    }
    return r;
}

/* Coefficient k of r from r' = a' s: k r_k = sum_{i=1}^k i a_i s_(k-i). */
ball jet_chain(const jet *slope, const jet *a, int k)
{
    ball sum = ball_of(0);
    for (int i = 1; i <= k; i++)
        if (!ball_is_zero(a->c[i]))
            sum = ball_add(
                sum, ball_mul(ball_mul_d(a->c[i], i), slope->c[k - i]));
    return ball_div_d(sum, k);
}

jet jet_primitive(ball value, const jet *slope, const jet *a)
{
    jet r;
    r.c[0] = value;
    for (int k = 1; k < JET_TERMS; k++)
        r.c[k] = jet_chain(slope, a, k);
    return r;
}

jet jet_exp(const jet *a)
{
    jet r;
    r.c[0] = ball_exp(a->c[0]);
    for (int k = 1; k < JET_TERMS; k++)
        r.c[k] = jet_chain(&r, a, k);
    return r;
}

jet jet_expm1(const jet *a)
{
    jet r = jet_exp(a);
    r.c[0] = ball_expm1(a->c[0]);
    return r;
}

/* (1 + a) r' = a': k x_0 r_k = k a_k - sum_{i=1}^(k-1) i r_i a_(k-i). */
jet jet_log1p(const jet *a)
{
    jet r;
    ball x0 = ball_add_d(a->c[0], 1);
    r.c[0] = ball_log1p(a->c[0]);
    for (int k = 1; k < JET_TERMS; k++) {
        ball sum = ball_mul_d(a->c[k], k);
        for (int i = 1; i < k; i++)
            sum = ball_sub(sum, ball_mul(ball_mul_d(r.c[i], i), a->c[k - i]));
        r.c[k] = ball_div(sum, ball_mul_d(x0, k));
    }
    return r;
}

/* Encloses the integral over one panel; *rest receives the size of the
 * remainder. Middle and half width of doubles are exact in double-double. */
static ball panel(double *rest, const jet_quadrature *q, ball from, ball to)
{
    const int n = JET_TERMS - 1;
    ball middle = ball_scale2(ball_add(from, to), -1);
    ball half = ball_scale2(ball_sub(to, from), -1);
    jet at = q->f(middle, q->context);
    jet over = q->f(ball_widen(middle, ball_upper(half)), q->context);
    ball sum = ball_of(0), power = half, square = ball_sqr(half);
    for (int k = 0; k < n; k += 2) {
        sum = ball_add(sum, ball_mul(at.c[k], ball_div_d(power, k + 1)));
        power = ball_mul(power, square);
    }
    ball last = ball_mul(over.c[n], ball_div_d(power, n + 1));
    *rest = 2 * ball_magnitude(last);
    return ball_scale2(ball_add(sum, last), 1);
}

/* The factor on the width that would reduce a remainder ~ h^n by the excess. */
static double fitting(double excess)
{
    double factor = 0.85 * pow(excess + 1e-30, -1.0 / (JET_TERMS - 1));
    return fmin(fmax(factor, 0.125), 2); /* 0.125 for NaN */
}

ball jet_integral(const jet_quadrature *q, ball from, ball to, double present)
{
    ball sum = ball_of(0), x = from;
    double width = 2 * q->step;
    for (size_t i = 0; ball_less(x, to); i++) {
        /* an inner edge is a double, the last one the exact end */
        double edge = x.hi + width, rest = 0;
        ball end = edge < to.hi - width * 0x1p-20 ? ball_of(edge) : to;
        if (i >= q->max_panels || !ball_less(x, end))
            return ball_unknown();
        ball part = panel(&rest, q, x, end);
        double size = fmax(fabs(part.hi), fmax(fabs(sum.hi), present));
        double excess =
            size > 0 ? rest / (q->tolerance * size) : rest / BALL_TINY;
        width = ball_mid(ball_sub(end, x)) * fitting(excess);
        if (!(excess <= 1))
            continue;
        sum = ball_add(sum, part);
        if (end.hi == to.hi && end.lo == to.lo)
            break;
        x = end;
    }
    return sum;
}
