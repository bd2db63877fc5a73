/*
 * Piecewise linear trade-off functions: their vertices and support lines.
 * Derivation: docs/theory/tradeoff.md, section 2.
 */
#include "tradeoff_curve.h"

verdict verdict_at_most(ball a, ball b)
{
    return ball_less_equal(a, b) ? VERDICT_YES
           : ball_less(b, a)     ? VERDICT_NO
                                 : VERDICT_OPEN;
}

verdict verdict_both(verdict a, verdict b)
{
    if (a == VERDICT_NO || b == VERDICT_NO)
        return VERDICT_NO;
    return a == VERDICT_YES ? b : a;
}

static ball step(double from, double to)
{
    return ball_sub(ball_of(to), ball_of(from)); /* exact */
}

/* ---- Vertices ----------------------------------------------------------- */

verdict curve_is_tradeoff(const curve_vertex *v, size_t n)
{
    verdict ok = VERDICT_YES;
    for (size_t i = 0; i < n; i++) {
        ball beta = ball_of(v[i].beta);
        ok = verdict_both(ok, verdict_at_most(ball_of(0), beta));
        ok = verdict_both(ok, verdict_at_most(beta, step(v[i].alpha, 1)));
        if (i > 0)
            ok = verdict_both(
                ok, verdict_at_most(beta, ball_of(v[i - 1].beta)));
        if (i < 2)
            continue;
        ball left = ball_mul(step(v[i - 2].beta, v[i - 1].beta),
            step(v[i - 1].alpha, v[i].alpha));
        ball right = ball_mul(step(v[i - 1].beta, v[i].beta),
            step(v[i - 2].alpha, v[i - 1].alpha));
        ok = verdict_both(ok, verdict_at_most(left, right));
    }
    return ok;
}

/* The segment from v[0] to v[1] continued to alpha, and its mirror image. */
static ball line_at(const curve_vertex *v, ball alpha)
{
    ball slope =
        ball_div(step(v[0].beta, v[1].beta), step(v[0].alpha, v[1].alpha));
    ball away = ball_sub(alpha, ball_of(v[0].alpha));
    return ball_add(ball_of(v[0].beta), ball_mul(slope, away));
}

static ball mirror_at(const curve_vertex *v, ball alpha)
{
    ball slope =
        ball_div(step(v[0].alpha, v[1].alpha), step(v[0].beta, v[1].beta));
    ball away = ball_sub(alpha, ball_of(v[0].beta));
    return ball_add(ball_of(v[0].alpha), ball_mul(slope, away));
}

bool curve_is_symmetric(const curve_vertex *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double x = v[i].beta, y = v[i].alpha;
        if (i + 1 == n && x == 0)
            continue; /* at alpha = 0 f jumps from 1 to f(0) */
        for (size_t j = 0; j + 1 < n; j++) {
            if (!(v[j].alpha <= x && x <= v[j + 1].alpha))
                continue;
            ball on = line_at(&v[j], ball_of(x));
            if (ball_less(on, ball_of(y)) || ball_less(ball_of(y), on))
                return false;
            break;
        }
    }
    /* beyond f(0) the inverse is 0 */
    double level = v[0].beta;
    for (size_t j = 0; j < n; j++)
        if (v[j].alpha >= level && v[j].beta > 0)
            return false;
    return true;
}

ball curve_delta(const curve_vertex *v, size_t n, ball eps)
{
    ball most = ball_of(0); /* at alpha = 1 it is not positive, and delta is
                               not negative at (0, f(0) <= 1) */
    ball rate = ball_exp(eps);
    for (size_t i = 0; i < n; i++) {
        ball x = ball_mul_d(rate, v[i].alpha);
        x = v[i].alpha == 0 ? ball_of(0) : x;
        ball gap = ball_sub(step(v[i].beta, 1), x);
        if (!ball_is_unknown(gap)) /* e^eps alpha does not overflow */
            most = ball_max(most, gap);
    }
    return most;
}

ball curve_envelope(const curve_vertex *v, size_t n, double alpha)
{
    ball at = ball_of(alpha);
    ball least = ball_add(ball_of(v[0].alpha), ball_of(v[0].beta));
    for (size_t i = 1; i < n; i++)
        least =
            ball_min(least, ball_add(ball_of(v[i].alpha), ball_of(v[i].beta)));
    ball top = ball_max(ball_of(0), ball_sub(least, at));
    for (size_t i = 0; i + 1 < n; i++) {
        ball run = step(v[i].alpha, v[i + 1].alpha);
        ball fall = step(v[i + 1].beta, v[i].beta);
        /* lines of slope > -1 support no eps >= 0 */
        if (ball_less(fall, run))
            continue;
        top = ball_max(top, line_at(&v[i], at));
        top = ball_max(top, mirror_at(&v[i], at));
    }
    return top;
}
