/*
 * The Laplace mechanism in closed form: privacy profile, its inverse, trade-off
 * function, and laws on a lattice from both sides. Derivation:
 * docs/theory/account.md, "Laplace".
 */
#include "laplace.h"

ball laplace_log_delta(ball a, ball eps)
{
    if (ball_less_equal(a, eps))
        return ball_of(-HUGE_VAL);
    ball middle = ball_log1mexp(ball_scale2(ball_sub(eps, a), -1));
    if (ball_less_equal(ball_neg(a), eps))
        return middle;
    /* (eps - a)/2 > eps exactly when eps < -a: below a the profile is the
     * greater of the two pieces */
    return ball_max(middle, ball_log1mexp(eps));
}

dosi_interval laplace_epsilon(ball a, ball log_delta)
{
    ball eps = ball_add(a, ball_scale2(ball_log1mexp(log_delta), 1));
    return iv_max(ball_interval(eps), iv_point(0));
}

dosi_interval laplace_tradeoff(ball a, double alpha)
{
    if (alpha == 0)
        return iv_point(1);
    ball log_alpha = ball_log(ball_of(alpha));
    ball log_scaled = ball_add(log_alpha, a); /* log(e^a alpha) */
    ball log_half = ball_neg(ball_ln2());
    if (alpha >= 0.5) {
        ball rest = ball_sub(ball_of(1), ball_of(alpha));
        return ball_interval(ball_mul(ball_exp(ball_neg(a)), rest));
    }
    /* the line is tangent to the curve at e^a alpha = 1/2 and below it
     * elsewhere */
    ball line = ball_neg(ball_expm1(log_scaled));
    ball curve = ball_exp(ball_neg(
        ball_add(log_scaled, ball_scale2(ball_ln2(), 1))));
    if (ball_less_equal(log_scaled, log_half))
        return ball_interval(line);
    if (ball_less_equal(log_half, log_scaled))
        return ball_interval(curve);
    return iv_hull(ball_interval(line), ball_interval(curve));
}

ball laplace_binary_epsilon(ball a)
{
    /* 2 e^(a/2) - 1 = 1 + 2 (e^(a/2) - 1); in the large,
     * a/2 + log(2 - e^(-a/2)) */
    ball half = ball_scale2(a, -1);
    if (ball_mid(half) < 1)
        return ball_log1p(ball_scale2(ball_expm1(half), 1));
    return ball_add(half,
        ball_log(ball_sub(ball_of(2), ball_exp(ball_neg(half)))));
}

void laplace_lattice_above(ball *loss, ball *log_mass, size_t m, ball a)
{
    ball unit = ball_div_d(a, (double)m);
    ball log_end = ball_neg(ball_log1pexp(ball_neg(unit)));
    ball log_inner = ball_add(log_end, ball_log1mexp(ball_neg(unit)));
    for (size_t i = 0; i <= m; i++) {
        double behind = (double)(m - i);
        loss[i] = ball_mul_d(unit, (double)m - 2 * behind);
        log_mass[i] = ball_sub(
            i == 0 || i == m ? log_end : log_inner, ball_mul_d(unit, behind));
    }
}

void laplace_lattice_below(ball *loss, ball *log_mass, size_t m, ball a)
{
    ball unit = ball_div_d(a, (double)m), log_half = ball_neg(ball_ln2());
    /* (e^((l2 - a)/2) - e^((l1 - a)/2))/2 on the cell [l1, l2] */
    ball log_cell = ball_add(log_half, ball_log1mexp(ball_neg(unit)));
    loss[0] = ball_neg(a);
    log_mass[0] = ball_sub(log_half, a);
    for (size_t i = 1; i <= m; i++) {
        double behind = (double)(m - i);
        loss[i] = ball_mul_d(unit, (double)m - 2 * behind - 1);
        log_mass[i] = ball_sub(log_cell, ball_mul_d(unit, behind));
    }
    loss[m + 1] = a;
    log_mass[m + 1] = log_half;
}
