/*
 * Mechanisms of bounded range in closed form: privacy profile, its inverse,
 * trade-off function, and a dominating law on a lattice. Derivation:
 * docs/theory/account.md, "Bounded range".
 */
#include "bounded_range.h"

ball exponential_log_delta(ball e, ball eps)
{
    if (ball_less_equal(e, eps))
        return ball_of(-HUGE_VAL);
    if (ball_less(eps, ball_neg(e)))
        return ball_log1mexp(eps);
    ball rest = ball_log1mexp(ball_scale2(ball_sub(eps, e), -1));
    ball middle = ball_sub(
        ball_scale2(rest, 1), ball_log1mexp(ball_neg(e)));
    if (ball_less_equal(ball_neg(e), eps))
        return middle;
    /* the two pieces are tangent at -e: either may hold, so both are covered */
    ball gap = ball_abs(ball_sub(middle, ball_log1mexp(eps)));
    return ball_widen(middle, ball_upper(gap));
}

dosi_interval exponential_epsilon(ball e, ball log_delta)
{
    /* (1 - y)^2 = delta (1 - exp(-e)), y = exp((eps - e)/2) */
    ball log_root = ball_scale2(
        ball_add(log_delta, ball_log1mexp(ball_neg(e))), -1);
    ball eps = ball_add(e, ball_scale2(ball_log1mexp(log_root), 1));
    return iv_max(ball_interval(eps), iv_point(0));
}

dosi_interval exponential_tradeoff(ball e, double alpha)
{
    if (alpha == 0)
        return iv_point(1);
    if (alpha == 1)
        return iv_point(0);
    /* log of the denominator as logaddexp(log(1 - alpha), e + log alpha) */
    ball log_rest = ball_log1p(ball_of(-alpha));
    ball log_alpha = ball_log(ball_of(alpha));
    ball log_below = ball_logaddexp(log_rest, ball_add(e, log_alpha));
    return ball_interval(ball_exp(ball_sub(log_rest, log_below)));
}

void exponential_lattice_above(ball *loss, ball *log_mass, size_t m, ball e)
{
    ball unit = ball_div_d(e, (double)m);
    ball log_top = ball_sub(ball_log1mexp(ball_neg(unit)),
        ball_add(ball_log1pexp(ball_neg(unit)), ball_log1mexp(ball_neg(e))));
    for (size_t i = 0; i <= m; i++) {
        double behind = (double)(m - i);
        loss[i] = ball_mul_d(unit, (double)m - 2 * behind);
        ball log_t = i == 0 || i == m ? log_top
                                      : ball_add(log_top, ball_ln2());
        log_mass[i] = ball_sub(log_t, ball_mul_d(unit, behind));
    }
}
