/*
 * The interval Newton step, repeated while it narrows the root.
 */
#include "newton.h"

#include "bracket.h"
#include "ends.h"

/* One step from the exact point x over the ball of radius reach around it;
 * unknown if the step leaves that ball. */
static ball newton_step(
    newton_map slope, const void *context, ball x, ball value, double reach)
{
    ball s = slope(ball_widen(x, reach), context);
    ball step = ball_div(value, s); /* unknown if s may be 0 */
    if (ball_is_unknown(step))
        return step;
    double length = fabs(step.hi) + fabs(step.lo) + step.rad;
    if (!(length * (1 + 0x1p-45) < reach))
        return ball_unknown();
    return ball_sub(x, step);
}

ball newton_root(newton_map f, newton_map slope, const void *context,
    double guess, double slope_guess, double relative_radius)
{
    if (!(fabs(guess) <= DBL_MAX))
        return ball_unknown();
    ball x = ball_of(guess), root = ball_unknown();
    for (int i = 0; i < 4; i++) {
        ball value = f(x, context);
        if (ball_is_unknown(value))
            return root;
        double reach = 1.5 * (fabs(value.hi) + value.rad) / fabs(slope_guess);
        reach += fabs(x.hi) * 0x1p-90 + BALL_TINY;
        if (!(reach <= DBL_MAX))
            return root;
        ball next = newton_step(slope, context, x, value, reach);
        if (ball_is_unknown(next))
            next = newton_step(slope, context, x, value, 8 * reach);
        if (ball_is_unknown(next))
            return root;
        bool closer = !(next.rad > root.rad / 2);
        if (next.rad <= root.rad)
            root = next;
        /* the parameters, or the last digits, limit the radius */
        if (!closer || root.rad <= fabs(root.hi) * relative_radius ||
            value.rad * 4 > fabs(value.hi))
            break;
        x = ball_midpoint(root);
    }
    return root;
}

ball newton_root_in(newton_map f, newton_map slope, const void *context,
    double lo, double hi, double relative_radius)
{
    double guess = bracket_guess(f, context, lo, hi);
    double rate = ball_mid(slope(ball_of(guess), context));
    ball root = newton_root(f, slope, context, guess, rate, relative_radius);
    return ball_is_unknown(root)
               ? ball_of_interval(bracket_root_of(f, context, lo, hi))
               : root;
}
