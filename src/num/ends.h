/*
 * The ends of a ball as exact points, and the hull of two balls, by which a
 * monotone function of a wide argument is enclosed.
 */
#ifndef DOSI_NUM_ENDS_H
#define DOSI_NUM_ENDS_H

#include "ball.h"
#include "dd.h"

/* An exact point >= every point of x: two_sum is exact, and lo + rad is rounded
 * up. Infinities and unknown balls are returned unchanged. */
static inline ball ball_top(ball x)
{
    if (x.rad == 0 || ball_is_unknown(x))
        return x;
    dd s = dd_two_sum(x.hi, round_up(x.lo + x.rad));
    return fabs(s.hi) <= DBL_MAX ? (ball){s.hi, s.lo, 0} : ball_unknown();
}

/* An exact point <= every point of x. */
static inline ball ball_bottom(ball x)
{
    return ball_neg(ball_top(ball_neg(x)));
}

static inline ball ball_midpoint(ball x)
{
    return (ball){x.hi, x.lo, ball_is_unknown(x) ? x.rad : 0};
}

/* Contains a, b and everything between; unknown if that is unbounded. */
static inline ball ball_hull(ball a, ball b)
{
    if (isinf(a.hi) || isinf(b.hi))
        return a.hi == b.hi ? a : ball_unknown();
    ball centre = ball_scale2(ball_add(a, b), -1);
    ball half = ball_scale2(ball_sub(a, b), -1);
    double reach = round_up(fabs(half.hi) + fabs(half.lo) + half.rad);
    return ball_widen(ball_midpoint(centre),
        round_up(round_up(reach + centre.rad) * (1 + 0x1p-50)));
}

#endif
