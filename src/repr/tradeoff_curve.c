/*
 * Vertices, support lines, and which curve lies above which.
 */
#include "tradeoff_curve.h"

#include "gaussian.h"
#include "tradeoff.h"

/* Certainly a <= b, certainly not, or open. */
static verdict at_most(ball a, ball b)
{
    return ball_less_equal(a, b) ? VERDICT_YES
           : ball_less(b, a)     ? VERDICT_NO
                                 : VERDICT_OPEN;
}

/* No if one is no, yes if both are yes. */
static verdict both(verdict a, verdict b)
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
        ok = both(ok, at_most(ball_of(0), beta));
        ok = both(ok, at_most(beta, step(v[i].alpha, 1)));
        if (i > 0)
            ok = both(ok, at_most(beta, ball_of(v[i - 1].beta)));
        if (i < 2)
            continue;
        ball left = ball_mul(step(v[i - 2].beta, v[i - 1].beta),
            step(v[i - 1].alpha, v[i].alpha));
        ball right = ball_mul(step(v[i - 1].beta, v[i].beta),
            step(v[i - 2].alpha, v[i - 1].alpha));
        ok = both(ok, at_most(left, right));
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
            continue; /* (0, 1) is there when f(0) = 1; else f jumps */
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
        if (!ball_is_unknown(gap)) /* e^eps alpha beyond doubles */
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

/* ---- Families ----------------------------------------------------------- */

/*
 * Whether 1 - e^((s-a)/2) <= delta_mu(s) on [lo, hi]. The difference has
 * slope e^((s-a)/2)/2 - e^s sf(s/mu + mu/2); both terms are bounded by their
 * factors at the ends, and so is what the difference loses from the middle.
 */
static verdict laplace_below(ball a, ball mu, double lo, double hi, int depth)
{
    double middle = lo / 2 + hi / 2;
    ball s = ball_of(middle), low = ball_of(lo), high = ball_of(hi);
    ball rise = ball_expm1(ball_scale2(ball_sub(s, a), -1));
    ball gap = ball_add(gauss_delta(mu, s), rise);
    if (ball_is_negative(gap))
        return VERDICT_NO;
    ball down_most = ball_mul(ball_exp(high), gauss_tail_q(mu, low));
    ball down_least = ball_mul(ball_exp(low), gauss_tail_q(mu, high));
    ball up_most = ball_exp(ball_scale2(ball_sub(high, a), -1));
    ball up_least = ball_exp(ball_scale2(ball_sub(low, a), -1));
    ball most = ball_sub(ball_scale2(up_most, -1), down_least);
    ball least = ball_sub(ball_scale2(up_least, -1), down_most);
    double slope = fmax(fabs(ball_upper(most)), fabs(ball_lower(least)));
    double reach = fmax(round_up(hi - middle), round_up(middle - lo));
    if (ball_less_equal(ball_mul_d(ball_of(slope), reach), gap))
        return VERDICT_YES;
    if (depth == 0)
        return VERDICT_OPEN;
    verdict left = laplace_below(a, mu, lo, middle, depth - 1);
    return left == VERDICT_YES ? laplace_below(a, mu, middle, hi, depth - 1)
                               : left;
}

/* Symmetric curves are compared by their profiles at eps >= 0. */
static verdict laplace_over_gauss(ball a, ball mu)
{
    return laplace_below(a, mu, 0, ball_upper(a), 16);
}

/* f = f_{eps,0}: both are convex and f linear on both sides of its vertex,
 * so it is above g exactly when that vertex is. */
static verdict pure_over(ball eps, curve g)
{
    ball parameter = ball_of(g.parameter);
    switch (g.family) {
    case CURVE_PURE:
        return at_most(eps, parameter);
    case CURVE_GAUSS:
        return at_most(tradeoff_pure_to_mu(eps), parameter);
    case CURVE_LAPLACE: /* 1/(1+e^eps) >= e^(-a/2)/2, its fixed point */
        return at_most(ball_log1pexp(eps),
            ball_add(ball_scale2(parameter, -1), ball_ln2()));
    }
    return VERDICT_OPEN;
}

verdict curve_dominates(curve f, curve g)
{
    ball x = ball_of(f.parameter), y = ball_of(g.parameter);
    if (f.family == g.family || f.parameter == 0)
        return f.parameter == 0 ? VERDICT_YES : at_most(x, y);
    if (g.parameter == 0)
        return VERDICT_NO;
    switch (f.family) {
    case CURVE_GAUSS: /* its losses are unbounded, those of g are not */
        return VERDICT_NO;
    case CURVE_PURE:
        return pure_over(x, g);
    case CURVE_LAPLACE: /* its slope at 0 is -e^a */
        return g.family == CURVE_PURE ? at_most(x, y)
                                      : laplace_over_gauss(x, y);
    }
    return VERDICT_OPEN;
}
