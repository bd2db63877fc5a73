/*
 * Inverses of the conversions of zCDP: epsilon, or rho, at a given delta.
 * The unknown is a = (eps - xi - rho) / m, or m = sqrt(2 rho), so that tiny rho
 * lose no digits; log delta is monotone in both, so that signs enclose the
 * root. Derivation: docs/theory/concentrated.md, section 1.
 */
#include "zcdp_line.h"

#include "num/bracket.h"
#include "num/ends.h"
#include "special/special.h"

typedef struct inverse {
    cdp_rule rule;
    ball m;   /* given if eps is the unknown */
    ball gap; /* eps - xi, given if m is the unknown */
    ball log_delta;
} inverse;

/* -a^2/2 + log(m R(a + m)), the rule's log delta. */
static ball log_delta_at(const inverse *q, ball m, ball a)
{
    ball factor = cdp_log_factor(q->rule, m, ball_add(a, m));
    return ball_sub(factor, ball_scale2(ball_sqr(a), -1));
}

/* ---- Epsilon ----------------------------------------------------------- */

static ball epsilon_excess(ball a, const void *context)
{
    const inverse *q = context;
    return ball_sub(q->log_delta, log_delta_at(q, q->m, a));
}

/* The a >= 0 at which the rule has this delta, or 0. */
static ball solve_a(const inverse *q)
{
    ball twice = ball_scale2(ball_neg(q->log_delta), 1);
    if (q->rule == CDP_SIMPLE || q->rule == CDP_FLAT) {
        ball log_factor = cdp_log_factor(q->rule, q->m, q->m);
        twice = ball_add(twice, ball_scale2(log_factor, 1));
        return ball_is_negative(twice) ? ball_of(0) : ball_sqrt(twice);
    }
    if (ball_is_nonnegative(epsilon_excess(ball_of(0), q)))
        return ball_of(0);
    /* the factor is at most 1: delta(a) <= e^(-a^2/2) */
    double high = ball_upper(ball_sqrt(twice));
    return ball_of_interval(bracket_root_of(epsilon_excess, q, 0, high));
}

ball cdp_epsilon(cdp_rule rule, cdp_line line, ball log_delta)
{
    if (ball_is_zero(line.rho))
        return line.xi;
    const inverse q = {.rule = rule,
        .m = ball_sqrt(ball_scale2(line.rho, 1)),
        .log_delta = log_delta};
    if (ball_is_unknown(line.xi) || !ball_is_positive(q.m) ||
        !ball_is_negative(log_delta) || isinf(log_delta.hi))
        return ball_unknown();
    ball gap = ball_mul(q.m, solve_a(&q));
    return ball_add(ball_add(line.xi, line.rho), gap);
}

ball cdp_epsilon_total(cdp_line line, ball delta)
{
    ball sharp = cdp_epsilon(CDP_SHARP, line, ball_log(delta));
    if (ball_is_zero(line.rho))
        return sharp;
    ball m = ball_sqrt(ball_scale2(line.rho, 1));
    ball d0 = ball_mul(m, ball_mills(m));
    if (ball_less(delta, d0))
        return sharp;
    /* 1 - d0 = 1 - m R(m) is the slope of the Mills ratio */
    ball gap =
        ball_sub(ball_log1p(ball_neg(delta)), ball_log(ball_mills_slope(m)));
    ball below = ball_add(ball_add(line.xi, line.rho), gap);
    if (!ball_less_equal(d0, delta)) /* both branches agree at delta = d0 */
        below = ball_hull(below, sharp);
    return ball_max(below, ball_of(0));
}

/* ---- Rho --------------------------------------------------------------- */

/* It rises with m: a and b = a + m fall. */
static ball mu_excess(ball m, const void *context)
{
    const inverse *q = context;
    ball a = ball_sub(ball_div(q->gap, m), ball_scale2(m, -1));
    return ball_sub(log_delta_at(q, m, a), q->log_delta);
}

ball cdp_mu(cdp_rule rule, ball gap, ball log_delta)
{
    assert(rule != CDP_FLAT);
    if (ball_is_zero(gap))
        return gap;
    if (!ball_is_positive(gap) || !ball_is_negative(log_delta) ||
        isinf(log_delta.hi))
        return ball_unknown();
    const inverse q = {.rule = rule, .gap = gap, .log_delta = log_delta};
    ball target = ball_neg(log_delta), two = ball_of(2);
    /* where exp(-a^2/2) = delta: sqrt 2 gap / (sqrt(L + gap) + sqrt L) */
    ball sum = ball_add(ball_sqrt(ball_add(target, gap)), ball_sqrt(target));
    ball simple = ball_div(ball_mul(ball_sqrt(two), gap), sum);
    if (rule == CDP_SIMPLE)
        return simple;
    ball most = ball_sqrt(ball_mul(two, gap)); /* a = 0 there */
    ball at_most = ball_sub(cdp_log_factor(rule, most, most), log_delta);
    if (ball_upper(at_most) <= 0)
        return most;
    return ball_of_interval(bracket_root_of(
        mu_excess, &q, ball_lower(simple), ball_upper(most)));
}
