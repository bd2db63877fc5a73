/*
 * What a contour says of one epsilon: its terms turned there and summed, less
 * its aliases and what was cut off.
 */
#include "contour.h"

#include "contour_dd.h"

#define UNIT 0x1p-53
#define TURNS 32 /* of a row that is read at once */

/* (D/pi) Re sum of the terms, turned from eps_0 to epsilon, over
 * e^{K(t) - t eps}. */
static dosi_interval contour_sum(const contour *c,
    const contour_terms *terms, double epsilon)
{
    double step = c->choice.step, moved = epsilon - c->choice.epsilon;
    double cosine[TURNS], sine[TURNS];
    for (size_t j = 0; j < TURNS; j++) {
        cosine[j] = cos((double)j * step * moved);
        sine[j] = sin((double)j * step * moved);
    }
    dd total = {0, 0};
    double error = 0, size = 0;
    for (size_t n = 0; n < c->n; n += TURNS) {
        double angle = (double)n * step * moved, many = 0;
        double to_x = cos(angle), to_y = sin(angle);
        for (size_t j = 0; j < TURNS && n + j < c->n; j++) {
            double x = to_x * cosine[j] - to_y * sine[j];
            double y = to_y * cosine[j] + to_x * sine[j];
            /* Re of the term times e^{-i angle} */
            double term = terms->re[n + j] * x + terms->im[n + j] * y;
            dd sum = dd_two_sum(total.hi, term);
            total = (dd){sum.hi, total.lo + sum.lo};
            many += terms->size[n + j];
        }
        /* each of the two sines and cosines errs by 4 steps, 8 units; their
         * arguments by 3 units of their own, below 2 (|angle| + the row's) */
        size += many;
        error += many * fabs(angle);
    }
    error += size * fabs(TURNS * step * moved);
    /* total.lo was summed with N roundings of terms below 2^-53 size */
    error = (48 + (double)c->n * 0x1p-50) * size + 4 * error;
    error = (error * UNIT + terms->error) * (1 + 0x1p-30);
    double mid = total.hi + total.lo;
    double lo = mid - error, hi = mid + error;
    lo -= 8 * UNIT * fabs(lo);
    hi += 8 * UNIT * fabs(hi);
    double scale = step / 3.14159265358979323846;
    return (dosi_interval){round_down(scale * lo), round_up(scale * hi)};
}

/* e^y/(e^x - 1), for x > 0 of any size. */
static ball exp_over(ball y, ball x)
{
    return ball_div(
        ball_exp(ball_sub(y, x)), ball_neg(ball_expm1(ball_neg(x))));
}

static ball period_of(const contour *c)
{
    return ball_div(ball_scale2(ball_pi(), 1), ball_of(c->choice.step));
}

/* Left aliases sum_{m>0} e^(-tmL) int (1 - e^(eps - mL - Z)), as if that were
 * never negative. */
static ball left_aliases(const contour *c, ball epsilon)
{
    ball t = ball_of(c->choice.t), t1 = ball_add_d(t, 1);
    ball period = period_of(c);
    ball p = exp_over(ball_of(0), ball_mul(period, t));
    ball q = exp_over(epsilon, ball_mul(period, t1));
    return ball_sub(ball_mul(c->mass_p, p), ball_mul(c->mass_q, q));
}

/* What is negative of it, where no loss is below Z_0: (e^(eps - L - Z_0) - 1)_+
 * sum_{m>0} e^(-tmL) at most. */
static ball below_least(const contour *c, ball epsilon)
{
    ball period = period_of(c);
    ball x = ball_sub_d(ball_sub(epsilon, period), c->least);
    if (ball_upper(x) <= 0)
        return ball_of(0);
    return ball_mul(ball_expm1(ball_max(x, ball_of(0))),
        exp_over(ball_of(0), ball_mul_d(period, c->choice.t)));
}

dosi_interval contour_read(
    const contour *c, double epsilon)
{
    const contour_choice *k = &c->choice;
    ball t = ball_of(k->t), eps = ball_of(epsilon);
    ball base = ball_sub(c->cumulant, ball_mul(eps, t));
    const double shifts[] = {k->alias_right, -k->alias_left};
    double alias = 0;
    for (int i = 0; i < (k->is_low ? 1 : 2); i++) {
        ball u = ball_add_d(t, shifts[i]);
        ball log_a = ball_sub(c->log_alias[i], ball_mul(u, eps));
        alias = round_up(
            alias + ball_upper(ball_exp(ball_sub(log_a, base))));
    }
    if (c->has_far)
        alias = round_up(alias + ball_upper(ball_exp(ball_sub(
                                     ball_add(c->log_far, eps), base))));
    dosi_interval sum = k->is_fine ? dd_rule_sum(c, epsilon)
                                   : contour_sum(c, &c->upper, epsilon);
    if (c->is_low) {
        ball known = ball_div(left_aliases(c, eps), ball_exp(base));
        sum = iv_sub(sum, ball_interval(known));
        if (k->is_low)
            alias = round_up(alias + ball_upper(ball_div(below_least(c, eps),
                                         ball_exp(base))));
    }
    double hi = round_up(sum.hi + c->cut_upper);
    if (k->blur > 0)
        sum = contour_sum(c, &c->lower, epsilon);
    double lo = round_down(round_down(sum.lo - c->cut_lower) - alias);
    dosi_interval out = {-HUGE_VAL, 0};
    if (hi > 0 && hi < HUGE_VAL)
        out.hi = fmin(0, ball_upper(ball_add(base, ball_log(ball_of(hi)))));
    if (lo > 0 && lo < HUGE_VAL)
        out.lo = ball_lower(ball_add(base, ball_log(ball_of(lo))));
    if (c->has_floor && epsilon <= c->floor_at) /* delta falls in epsilon */
        out.lo = fmax(out.lo, c->log_floor);
    return out.lo <= out.hi ? out : (dosi_interval){-HUGE_VAL, 0};
}
