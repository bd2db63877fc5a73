/*
 * Comparison of named trade-off functions. Symmetric curves are compared by
 * their profiles at eps >= 0, which are convex in x = e^eps - 1 and have the
 * slope -P[L > eps] there; that of C_p(f) is p delta_f(log(1 + x/p)).
 * Derivation: docs/theory/tradeoff.md, section 2.
 */
#include "tradeoff_compare.h"

#include "sampling/amplify_profile.h"
#include "noise/gaussian.h"
#include "num/ends.h"
#include "special/special.h"
#include "tradeoff/tradeoff.h"

static ball one_minus(ball x)
{
    return ball_sub(ball_of(1), x);
}

/* ---- One curve ---------------------------------------------------------- */

static ball profile_of(curve c, ball eps)
{
    static const base_profile_kind kinds[] = {
        [CURVE_GAUSS] = BASE_PROFILE_GAUSSIAN,
        [CURVE_APPROX] = BASE_PROFILE_APPROX,
        [CURVE_LAPLACE] = BASE_PROFILE_LAPLACE};
    const amplified a = {.theorem = AMPLIFY_POISSON,
        .base = {kinds[c.family], ball_of(c.parameter), ball_of(c.delta)},
        .gamma = ball_of(c.rate)};
    return scaled_ball(amplified_delta(&a, eps, -HUGE_VAL));
}

/* The fixed point of the base, where both errors are equal. */
static ball fixed_point(curve c)
{
    ball half = ball_scale2(ball_of(c.parameter), -1);
    if (c.family == CURVE_GAUSS)
        return ball_normal_sf(half);
    if (c.family == CURVE_APPROX)
        return tradeoff_approx_fixed(ball_of(c.parameter), ball_of(c.delta));
    return ball_scale2(ball_exp(ball_neg(half)), -1);
}

/* The base at alpha up to its fixed point, given alpha and 1 - alpha. */
static ball base_at(curve c, share alpha)
{
    ball parameter = ball_of(c.parameter);
    if (c.family == CURVE_GAUSS)
        return tradeoff_gauss(parameter, alpha).value;
    if (c.family == CURVE_APPROX)
        return tradeoff_approx(parameter, ball_of(c.delta), alpha).value;
    /* 1 - e^a alpha up to e^-a/2, then e^-a/(4 alpha) */
    ball steep = one_minus(ball_mul(ball_exp(parameter), alpha.value));
    ball decay = ball_exp(ball_neg(parameter));
    ball round = ball_div(ball_scale2(decay, -2), alpha.value);
    ball turn = ball_scale2(decay, -1);
    return ball_less_equal(alpha.value, turn)   ? steep
           : ball_less_equal(turn, alpha.value) ? round
                                                : ball_hull(steep, round);
}

/* The largest loss; +inf for CURVE_GAUSS. */
static ball greatest_loss(curve c)
{
    return amplify_map(ball_of(c.rate), ball_of(c.parameter));
}

static ball total_variation(curve c)
{
    return profile_of(c, ball_of(0));
}

/* The mass at +inf; the product of two doubles is exact. */
static ball leak_of(curve c)
{
    return c.family == CURVE_APPROX ? ball_mul_d(ball_of(c.delta), c.rate)
                                    : ball_of(0);
}

static bool is_perfect(curve c)
{
    return c.rate == 0 || (c.parameter == 0 &&
                              (c.family != CURVE_APPROX || c.delta == 0));
}

/* ---- Pairs of families -------------------------------------------------- */

/*
 * f is C_p(f_{eps,delta}), which is linear between 0, its fixed point b and
 * f(b): a convex g lies below it exactly if it does at 0 and at b. g is the
 * mixture up to its own fixed point x, then the line 1 - q TV - alpha with
 * TV = 1 - 2x. If that line ends before b both it and g(b) are below
 * b <= f(b).
 */
static verdict approx_over(curve f, curve g)
{
    ball b = fixed_point(f), p = ball_of(f.rate), q = ball_of(g.rate);
    share alpha = {b, one_minus(b)};
    ball f_b = ball_add(ball_mul(p, b), ball_mul(one_minus(p), alpha.rest));
    ball x = fixed_point(g);
    ball mixed = ball_add(
        ball_mul(q, base_at(g, alpha)), ball_mul(one_minus(q), alpha.rest));
    ball line =
        ball_add(ball_sub(alpha.rest, q), ball_scale2(ball_mul(q, x), 1));
    verdict at_b = ball_less_equal(b, x) ? verdict_at_most(mixed, f_b)
                   : ball_less_equal(x, b)
                       ? verdict_at_most(line, f_b)
                       : verdict_at_most(ball_hull(mixed, line), f_b);
    return verdict_both(verdict_at_most(leak_of(f), leak_of(g)), at_b);
}

/*
 * g is C_p(f_{eps,delta}), whose profile is linear in x up to its largest loss
 * and constant beyond: a convex profile lies below it exactly if it does at 0
 * and at that loss.
 */
static verdict over_approx(curve f, curve g)
{
    verdict at_zero = verdict_at_most(total_variation(f), total_variation(g));
    if (g.delta > 0)
        return verdict_both(at_zero,
            verdict_at_most(profile_of(f, greatest_loss(g)), leak_of(g)));
    if (f.family == CURVE_GAUSS)
        return VERDICT_NO; /* its losses are unbounded */
    if (f.rate == g.rate) /* the total variation is then ordered too */
        return f.parameter <= g.parameter ? VERDICT_YES : VERDICT_NO;
    return verdict_both(
        at_zero, verdict_at_most(greatest_loss(f), greatest_loss(g)));
}

/*
 * Two of the Gaussian or two of the Laplace family. With T the slopes, T_f/T_g
 * - 1 changes its sign at most once, from + to -, if f has the smaller
 * parameter, and never becomes positive if it has the larger one. So the
 * difference of the profiles has its minimum at 0 or in the tail, where it
 * tends to 0 or is decided by the largest loss: a Gaussian law of larger mu has
 * the heavier tail.
 */
static verdict same_family(curve f, curve g)
{
    verdict at_zero = verdict_at_most(total_variation(f), total_variation(g));
    if (f.family == CURVE_GAUSS)
        return f.parameter <= g.parameter ? at_zero : VERDICT_NO;
    return verdict_both(
        at_zero, verdict_at_most(greatest_loss(f), greatest_loss(g)));
}

/* (e^hi - e^lo) P[L > s], s = lo or hi. */
static ball rise_times_slope(curve g, double lo, double hi, double s)
{
    ball log_slope = gauss_log_tail_q(
        ball_of(g.parameter), amplify_map_back(ball_of(g.rate), ball_of(s)));
    ball width =
        ball_neg(ball_expm1(ball_sub(ball_of(lo), ball_of(hi))));
    return ball_mul(width, ball_exp(ball_add_d(log_slope, hi)));
}

/*
 * Laplace over Gaussian on lo <= eps <= hi. The profile of f is at most its
 * chord, that of g at least each of its tangents at the ends, so at least every
 * mean of both; the difference of a mean and the chord is linear. The share of
 * the first tangent is chosen so that the mean has the slope of the chord.
 */
static verdict cell_below(curve f, curve g, double lo, double hi, int depth)
{
    ball f_lo = profile_of(f, ball_of(lo)), f_hi = profile_of(f, ball_of(hi));
    ball g_lo = profile_of(g, ball_of(lo)), g_hi = profile_of(g, ball_of(hi));
    if (ball_less(g_lo, f_lo) || ball_less(g_hi, f_hi))
        return VERDICT_NO;
    ball fall_lo = rise_times_slope(g, lo, hi, lo);
    ball fall_hi = rise_times_slope(g, lo, hi, hi);
    double part = (ball_mid(ball_sub(f_lo, f_hi)) - ball_mid(fall_hi)) /
                   ball_mid(ball_sub(fall_lo, fall_hi));
    ball w = ball_of(part > 0 && part < 1 ? part : part > 0);
    ball v = one_minus(w);
    ball at_lo =
        ball_add(ball_mul(w, g_lo), ball_mul(v, ball_add(g_hi, fall_hi)));
    ball at_hi =
        ball_add(ball_mul(w, ball_sub(g_lo, fall_lo)), ball_mul(v, g_hi));
    if (ball_less_equal(f_lo, at_lo) && ball_less_equal(f_hi, at_hi))
        return VERDICT_YES;
    double middle = lo / 2 + hi / 2;
    if (depth == 0 || !(lo < middle && middle < hi))
        return VERDICT_OPEN;
    verdict left = cell_below(f, g, lo, middle, depth - 1);
    return left == VERDICT_YES ? cell_below(f, g, middle, hi, depth - 1)
                               : left;
}

/* ---- All ---------------------------------------------------------------- */

/* Decides by the order of the parameters: curves fall in each of them. */
static verdict by_parameters(curve f, curve g)
{
    if (f.parameter <= g.parameter && f.delta <= g.delta && f.rate <= g.rate)
        return VERDICT_YES;
    if (f.parameter >= g.parameter && f.delta >= g.delta && f.rate >= g.rate)
        return VERDICT_NO;
    return VERDICT_OPEN;
}

/* f_{eps,1} = 0 for every eps. */
static curve normal_form(curve c)
{
    c.delta = c.family == CURVE_APPROX ? c.delta : 0;
    c.parameter = c.delta == 1 ? 0 : c.parameter;
    return c;
}

verdict curve_dominates(curve f, curve g)
{
    f = normal_form(f);
    g = normal_form(g);
    if (is_perfect(f) || is_perfect(g))
        return is_perfect(f) ? VERDICT_YES : VERDICT_NO;
    if (f.family == g.family && by_parameters(f, g) != VERDICT_OPEN)
        return by_parameters(f, g);
    if (f.family == CURVE_APPROX)
        return approx_over(f, g);
    if (g.family == CURVE_APPROX)
        return over_approx(f, g);
    if (f.family == g.family)
        return same_family(f, g);
    if (f.family == CURVE_GAUSS)
        return VERDICT_NO; /* its losses are unbounded, those of g are not */
    return cell_below(f, g, 0, ball_upper(greatest_loss(f)), 24);
}
