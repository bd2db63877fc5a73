/*
 * The line of (xi, rho)-zCDP and its conversion to (epsilon, delta). Every
 * rule replaces the Mills ratio by an upper bound. Derivation:
 * docs/theory/concentrated.md, section 1.
 */
#include "zcdp_line.h"

#include "special/special.h"

/* ---- The line ---------------------------------------------------------- */

ball cdp_divergence(cdp_line line, ball order)
{
    return ball_add(line.xi, ball_mul(line.rho, order));
}

ball cdp_log_tail(ball rho, ball lambda)
{
    if (ball_is_zero(rho))
        return ball_of(-HUGE_VAL);
    return ball_neg(ball_scale2(ball_mul(ball_div(lambda, rho), lambda), -2));
}

ball cdp_order(cdp_line line, ball eps)
{
    ball sum = ball_add(ball_sub(eps, line.xi), line.rho);
    return ball_div(sum, ball_scale2(line.rho, 1));
}

/* ---- Factors ----------------------------------------------------------- */

/* An upper bound of R(b). */
static ball mills_bound(cdp_rule rule, ball b)
{
    switch (rule) {
    case CDP_SIMPLE: /* bounds m R(b), not R(b) */
        break;
    case CDP_FLAT: /* R(b) <= R(0) = sqrt(pi/2) */
        return ball_sqrt(ball_scale2(ball_pi(), -1));
    case CDP_RECIPROCAL: /* R(b) <= 1/b */
        return ball_div(ball_of(1), b);
    case CDP_ALGEBRAIC: { /* [Coo09] R(b) <= 2 / (b + sqrt(b^2 + 8/pi)) */
        ball c = ball_div(ball_of(8), ball_pi());
        ball root = ball_sqrt(ball_add(ball_sqr(b), c));
        return ball_div(ball_of(2), ball_add(b, root));
    }
    case CDP_SHARP:
        return ball_mills(b);
    }
    return ball_unknown();
}

ball cdp_log_factor(cdp_rule rule, ball m, ball b)
{
    if (rule == CDP_SIMPLE)
        return ball_of(0);
    return ball_log(ball_mul(m, mills_bound(rule, b)));
}

/* ---- To delta ---------------------------------------------------------- */

ball cdp_log_delta(cdp_rule rule, cdp_line line, ball eps)
{
    if (ball_is_zero(line.rho))
        return ball_of(-HUGE_VAL);
    ball gap = ball_sub(ball_sub(eps, line.xi), line.rho);
    ball log_tail = cdp_log_tail(line.rho, gap);
    if (rule == CDP_SIMPLE)
        return log_tail;
    /* b / m is the order: exactly 1 where the gap is 0 */
    ball order = cdp_order(line, eps);
    if (rule == CDP_RECIPROCAL)
        return ball_sub(log_tail, ball_log(order));
    ball m = ball_sqrt(ball_scale2(line.rho, 1));
    return ball_add(log_tail, cdp_log_factor(rule, m, ball_mul(m, order)));
}

ball cdp_delta_total(cdp_line line, ball eps)
{
    ball gap = ball_sub(ball_sub(eps, line.xi), line.rho);
    if (ball_is_nonnegative(gap))
        return ball_clamp(ball_exp(cdp_log_delta(CDP_SHARP, line, eps)), 0, 1);
    /* d0 + (1 - d0) (1 - e^gap), without cancellation */
    ball m = ball_sqrt(ball_scale2(line.rho, 1));
    ball d0 = ball_mul(m, ball_mills(m));
    ball sum = ball_sub(ball_mul(d0, ball_exp(gap)), ball_expm1(gap));
    return ball_clamp(sum, 0, 1);
}
