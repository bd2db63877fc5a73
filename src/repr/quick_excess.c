#include "quick_excess.h"

#include "num/scaled.h"

#define MAX_EXPONENT 1e10

/* x^s - 1 - s v as its Taylor series, (|s| + 1) |v| <= q < 1/16: ratios of
 * terms are at most q in size, so that the sum is off by less than 2^-49,
 * and moves by at most 1.2 (|s| + 1) when v moves by 1. */
static disc small_excess(const quick_excess *q, disc v)
{
    double sum = 1;
    for (int i = QUICK_SERIES - 1; i >= 0; i--)
        sum = 1 + q->ratios[i] * v.mid * sum;
    disc series = {sum, 0x1p-49 + 1.2 * (fabs(q->s.mid) + 1) * v.rad};
    return disc_mul(disc_mul(q->half_st, disc_mul(v, v)), series);
}

/* X^s e^base - (1 + s (X - 1)) e^base, where powers may be large. */
static disc large_excess(
    const quick_excess *q, disc base, disc loss, disc log_x)
{
    disc power = disc_exp(disc_add(disc_mul(q->s, log_x), base));
    disc one = disc_exp(base), other = disc_exp(disc_add(loss, base));
    disc rise = disc_mul(disc_mul(q->s, q->rate), disc_sub(other, one));
    return disc_sub(power, disc_add(one, rise));
}

disc quick_excess_at(const quick_excess *q, disc base, disc loss)
{
    if (loss.mid > 600) { /* log(p + (1-p) e^-L) + L */
        disc rest = disc_mul(q->keep, disc_exp(disc_neg(loss)));
        disc log_x = disc_add(disc_log(disc_add(q->rate, rest)), loss);
        return large_excess(q, base, loss, log_x);
    }
    disc v = disc_mul(q->rate, disc_expm1(loss));
    double size = (fabs(q->s.mid) + 1) * (fabs(v.mid) + v.rad);
    if (size <= 0.06)
        return disc_mul(disc_exp(base), small_excess(q, v));
    bool low = v.mid < -0.5; /* X has more digits than X - 1 */
    disc x = low ? disc_add(q->keep, disc_mul(q->rate, disc_exp(loss)))
                 : disc_add(v, disc_of(1));
    disc log_x = low ? disc_log(x) : disc_log1p(v);
    if (q->s.mid * log_x.mid > 30)
        return large_excess(q, base, loss, log_x);
    disc excess;
    if (q->s.mid > 0) /* X (X^t - 1) - t v keeps its digits near t = 0 */
        excess = disc_sub(disc_mul(x, disc_expm1(disc_mul(q->t, log_x))),
            disc_mul(q->t, v));
    else
        excess = disc_sub(
            disc_expm1(disc_mul(q->s, log_x)), disc_mul(q->s, v));
    return disc_mul(disc_exp(base), excess);
}

/* Whether the midpoint stands for the value but for rounding. */
static bool is_sharp(disc x)
{
    return x.rad <= fabs(x.mid) * 0x1p-51;
}

bool quick_excess_start(quick_excess *out, ball rate, ball s)
{
    ball t = ball_sub_d(s, 1);
    *out = (quick_excess){.rate = disc_of_ball(rate),
        .keep = disc_of_ball(ball_sub(ball_of(1), rate)),
        .s = disc_of_ball(s),
        .t = disc_of_ball(t),
        .half_st = disc_of_ball(ball_scale2(ball_mul(s, t), -1))};
    for (int i = 0; i < QUICK_SERIES; i++)
        out->ratios[i] = (out->s.mid - (i + 2)) / (i + 3);
    return is_sharp(out->rate) && is_sharp(out->keep) && is_sharp(out->s) &&
           is_sharp(out->t) && fabs(out->s.mid) <= MAX_EXPONENT &&
           out->rate.mid >= 1e-100 && out->keep.mid >= 1e-100;
}

ball quick_log_moment(ball integral, double shift)
{
    /* an error of the integral is one of its logarithm, which is large */
    double size = integral.hi > 0 ? shift + log(integral.hi) : 0;
    double widest = fmin(QUICK_WIDEST * fmax(size, 1), 0x1p-10);
    if (!(integral.hi > 0 && integral.rad <= widest * integral.hi))
        return ball_unknown();
    scaled less_one =
        scaled_mul(scaled_of(integral), scaled_exp(ball_of(shift)));
    return ball_clamp(scaled_log1p(less_one), 0, HUGE_VAL);
}
