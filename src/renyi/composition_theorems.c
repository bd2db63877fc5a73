/*
 * Composition of stated (epsilon, delta) guarantees. Derivations:
 * docs/theory/composition_theorems.md.
 */
#include "composition_theorems.h"

#include "zcdp.h"

approx_total approx_total_empty(void)
{
    return (approx_total){ball_of(0), ball_of(0), ball_of(0), ball_of(0)};
}

approx_total approx_total_add(
    approx_total total, ball eps, ball delta, ball count)
{
    if (ball_is_zero(count))
        return total;
    ball log_keep = ball_log1p(ball_neg(delta));
    total.eps = ball_add(total.eps, ball_mul(count, eps));
    total.squares = ball_add(total.squares, ball_mul(count, ball_sqr(eps)));
    total.delta = ball_add(total.delta, ball_mul(count, delta));
    total.log_keep = ball_add(total.log_keep, ball_mul(count, log_keep));
    return total;
}

/* ---- Epsilon from delta ------------------------------------------------ */

dosi_interval approx_slack(const approx_total *total, ball delta)
{
    return ball_interval(ball_sub(delta, total->delta));
}

dosi_interval approx_slack_product(const approx_total *total, ball delta)
{
    if (ball_is_zero(total->log_keep))
        return ball_interval(delta);
    ball gap = ball_sub(ball_log1p(ball_neg(delta)), total->log_keep);
    if (ball_lower(gap) > 1) /* 1 - e^gap < -1, certainly negative */
        return iv_make(-HUGE_VAL, -1);
    dosi_interval slack = ball_interval(ball_neg(ball_expm1(gap)));
    /* prod (1 - delta_j) >= 1 - sum delta_j: the linear slack bounds it from
     * below, and settles the sign where the sums are equal */
    slack.lo = fmax(slack.lo, approx_slack(total, delta).lo);
    return slack;
}

/* The smaller of the sum of eps_j and the rule, which falls as the slack
 * grows. */
static dosi_interval epsilon_at(const approx_total *total, dosi_interval slack,
    dosi_interval (*rule)(const approx_total *, ball log_delta))
{
    dosi_interval sum = ball_interval(total->eps);
    if (slack.hi < 0)
        return iv_point(HUGE_VAL);
    if (slack.lo > 0) {
        ball log_slack = ball_log(ball_of_interval(slack));
        return iv_min(sum, rule(total, log_slack));
    }
    dosi_interval e = sum;
    if (slack.hi > 0)
        e = iv_min(sum, rule(total, ball_log(ball_of(slack.hi))));
    e.hi = slack.lo == 0 ? sum.hi : HUGE_VAL;
    return e;
}

static dosi_interval rule_advanced(const approx_total *total, ball log_delta)
{
    return ball_interval(approx_advanced_epsilon(total->squares, log_delta));
}

static dosi_interval rule_cdp(const approx_total *total, ball log_delta)
{
    return zcdp_epsilon(ball_scale2(total->squares, -1), log_delta);
}

dosi_interval approx_epsilon(const approx_total *total, dosi_interval slack)
{
    return epsilon_at(total, slack, rule_advanced);
}

dosi_interval approx_epsilon_cdp(const approx_total *total, dosi_interval slack)
{
    return epsilon_at(total, slack, rule_cdp);
}

/* ---- Delta from epsilon ------------------------------------------------ */

dosi_interval approx_log_delta(const approx_total *total, ball eps)
{
    dosi_interval tail = iv_point(-HUGE_VAL);
    if (!ball_less_equal(total->eps, eps))
        tail = zcdp_log_delta(ball_scale2(total->squares, -1), eps);
    if (!ball_less(eps, total->eps)) /* the sum may already suffice */
        tail.lo = -HUGE_VAL;
    /* log(1 - (1 - tail) keep), increasing in tail:
     * 1 - (1 - tail) keep = (1 - keep) + tail keep, both positive */
    ball leak = ball_log1mexp(total->log_keep);
    double ends[2] = {tail.lo, tail.hi};
    for (int i = 0; i < 2; i++) {
        ball t = ball_add(ball_of(ends[i]), total->log_keep);
        ball sum = ends[i] == -HUGE_VAL            ? leak
                   : ball_is_zero(total->log_keep) ? t
                                                   : ball_logaddexp(leak, t);
        ends[i] = i == 0 ? ball_lower(sum) : ball_upper(sum);
    }
    return iv_make(ends[0], fmin(ends[1], 0));
}

/* ---- Formulas ---------------------------------------------------------- */

ball approx_advanced_epsilon(ball squares, ball log_delta)
{
    ball inner = ball_mul(ball_scale2(ball_neg(log_delta), 1), squares);
    return ball_add(ball_scale2(squares, -1), ball_sqrt(inner));
}

ball approx_advanced_log_delta(ball squares, ball eps)
{
    if (ball_is_zero(squares))
        return ball_of(-HUGE_VAL);
    ball gap = ball_sub(eps, ball_scale2(squares, -1));
    return ball_neg(ball_scale2(ball_mul(ball_div(gap, squares), gap), -1));
}

ball approx_older_epsilon(ball count, ball eps, ball log_delta)
{
    ball first = ball_mul(ball_mul(count, eps), ball_expm1(eps));
    ball inner = ball_scale2(ball_mul(count, ball_neg(log_delta)), 1);
    return ball_add(first, ball_mul(eps, ball_sqrt(inner)));
}

ball approx_query_epsilon(ball count, ball rho)
{
    return ball_sqrt(ball_div(ball_scale2(rho, 1), count));
}

ball approx_query_scale(ball count, ball rho)
{
    return ball_sqrt(ball_div(count, ball_scale2(rho, 1)));
}

ball approx_truth_probability(ball eps, ball delta)
{
    ball odds = ball_add_d(ball_exp(ball_neg(eps)), 1);
    return ball_div(ball_sub(ball_of(1), delta), odds);
}

ball approx_lie_probability(ball eps, ball delta)
{
    /* e^-eps / (1 + e^-eps), so that nothing overflows */
    return ball_mul(
        approx_truth_probability(eps, delta), ball_exp(ball_neg(eps)));
}

ball approx_replace_epsilon(ball eps)
{
    return ball_scale2(eps, 1);
}

ball approx_replace_delta(ball eps, ball delta)
{
    if (ball_is_zero(delta))
        return delta;
    if (eps.hi < 700)
        return ball_mul(ball_add_d(ball_exp(eps), 1), delta);
    return ball_exp(ball_add(ball_log1pexp(eps), ball_log(delta)));
}
