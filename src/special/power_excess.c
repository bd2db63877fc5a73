/*
 * Powers minus their tangent in balls of one double, for Renyi moments of
 * Poisson-sampled laws: a Taylor series near 1, differences elsewhere.
 */
#include "power_excess.h"

#define MAX_POWER 1e10

/* x^s - 1 - s v as its Taylor series, (|s| + 1) |v| <= q < 1/16: ratios of
 * terms are at most q in modulus, so that the sum is off by less than 2^-49,
 * and changes by at most 1.2 (|s| + 1) if v changes by 1. */
static dball small_excess(const power_excess *q, dball v)
{
    double sum = 1;
    for (int i = POWER_EXCESS_TERMS - 1; i >= 0; i--)
        sum = 1 + q->ratios[i] * v.mid * sum;
    dball series = {sum, 0x1p-49 + 1.2 * (fabs(q->s.mid) + 1) * v.rad};
    return dball_mul(dball_mul(q->half_st, dball_mul(v, v)), series);
}

/* X^s e^base - (1 + s (X - 1)) e^base, for large powers and losses; log_first
 * = log(X e^base). */
static dball large_excess(const power_excess *q, dball base, dball moved,
    dball log_x, dball log_first)
{
    dball one = dball_exp(base);
    dball rise = dball_mul(q->rate, dball_sub(dball_exp(moved), one));
    dball exponent = dball_mul(q->t, log_x);
    if (q->s.mid < 0) {
        dball power = dball_exp(dball_add(dball_mul(q->s, log_x), base));
        return dball_sub(power, dball_add(one, dball_mul(q->s, rise)));
    }
    /* X (X^t - 1) - t v, as below */
    dball first = dball_exp(log_first);
    first = exponent.mid < 30
        ? dball_mul(first, dball_expm1(exponent))
        : dball_sub(dball_exp(dball_add(exponent, log_first)), first);
    return dball_sub(first, dball_mul(q->t, rise));
}

dball power_excess_at(
    const power_excess *q, dball base, dball loss, dball moved)
{
    if (loss.mid > 600) { /* log(p + (1-p) e^-L) + L */
        dball rest = dball_mul(q->keep, dball_exp(dball_neg(loss)));
        dball log_rest = dball_log(dball_add(q->rate, rest));
        return large_excess(q, base, moved, dball_add(log_rest, loss),
            dball_add(log_rest, moved));
    }
    dball v = dball_mul(q->rate, dball_expm1(loss));
    double size = (fabs(q->s.mid) + 1) * (fabs(v.mid) + v.rad);
    if (size <= 0.06)
        return dball_mul(dball_exp(base), small_excess(q, v));
    bool low = v.mid < -0.5; /* X has more digits than X - 1 */
    dball x = low ? dball_add(q->keep, dball_mul(q->rate, dball_exp(loss)))
                 : dball_add(v, dball_of(1));
    dball log_x = low ? dball_log(x) : dball_log1p(v);
    if (q->s.mid * log_x.mid > 30)
        return large_excess(q, base, moved, log_x, dball_add(log_x, base));
    dball excess;
    if (q->s.mid > 0) /* X (X^t - 1) - t v keeps its digits near t = 0 */
        excess = dball_sub(dball_mul(x, dball_expm1(dball_mul(q->t, log_x))),
            dball_mul(q->t, v));
    else
        excess = dball_sub(
            dball_expm1(dball_mul(q->s, log_x)), dball_mul(q->s, v));
    return dball_mul(dball_exp(base), excess);
}

/* True if the midpoint is the value up to rounding. */
static bool is_sharp(dball x)
{
    return x.rad <= fabs(x.mid) * 0x1p-51;
}

bool power_excess_make(power_excess *out, ball rate, ball s)
{
    ball t = ball_sub_d(s, 1);
    *out = (power_excess){.rate = dball_of_ball(rate),
        .keep = dball_of_ball(ball_sub(ball_of(1), rate)),
        .s = dball_of_ball(s),
        .t = dball_of_ball(t),
        .half_st = dball_of_ball(ball_scale2(ball_mul(s, t), -1))};
    for (int i = 0; i < POWER_EXCESS_TERMS; i++)
        out->ratios[i] = (out->s.mid - (i + 2)) / (i + 3);
    return is_sharp(out->rate) && is_sharp(out->keep) && is_sharp(out->s) &&
           is_sharp(out->t) && fabs(out->s.mid) <= MAX_POWER &&
           out->rate.mid >= 1e-100;
}

scaled power_excess_scaled(double sum, double rad, double shift)
{
    ball integral = rad <= DBL_MAX ? ball_widen(ball_of(sum), rad)
                                   : ball_unknown();
    /* the error of the integral divides by a large logarithm */
    double size = integral.hi > 0 ? shift + log(integral.hi) : 0;
    double widest = fmin(POWER_EXCESS_WIDEST * fmax(size, 1), 0x1p-10);
    if (!(integral.hi > 0 && integral.rad <= widest * integral.hi))
        return scaled_of(ball_unknown());
    return scaled_mul(scaled_of(integral), scaled_exp(ball_of(shift)));
}
