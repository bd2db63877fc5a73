/*
 * Curves of (epsilon, delta) and the thresholded bit. Derivation:
 * docs/theory/concentrated.md, section 4.
 */
#include "mcdp.h"

#include "special/excess.h"
#include "num/bracket.h"
#include "special/special.h"

/* ---- From a curve ------------------------------------------------------- */

/* asinh(x) for x >= 0, as log(1 + x + x^2 / (1 + sqrt(1 + x^2))). */
static ball asinh_of(ball x)
{
    ball square = ball_sqr(x);
    ball root = ball_sqrt(ball_add_d(square, 1));
    return ball_log1p(ball_add(x, ball_div(square, ball_add_d(root, 1))));
}

ball curve_xi_best(ball xi, ball rho)
{
    /* c + k / (1 - e^-c) has its minimum at 4 sinh(c/2)^2 = k */
    ball k = ball_sqrt(ball_mul(ball_pi(), rho));
    ball c = ball_scale2(asinh_of(ball_scale2(ball_sqrt(k), -1)), 1);
    ball share = ball_div(k, ball_neg(ball_expm1(ball_neg(c))));
    ball sum = ball_add(ball_add(xi, c), share);
    return ball_sub(sum, ball_scale2(rho, -2));
}

/* u = t - l, and f(u) = -(t-u)^2/rho - log(1 - e^-u). */
typedef struct tail_case {
    ball rho;
    ball t;
} tail_case;

/* f' = 2 (t-u)/rho - 1/(e^u - 1), increasing below the turning point. */
static ball tail_slope(ball u, const void *context)
{
    const tail_case *c = context;
    ball line = ball_scale2(ball_div(ball_sub(c->t, u), c->rho), 1);
    return ball_sub(line, ball_div(ball_of(1), ball_expm1(u)));
}

static ball tail_value(const tail_case *c, ball u)
{
    ball l = ball_sub(c->t, u);
    ball square = ball_mul(ball_div(l, c->rho), l);
    return ball_neg(ball_add(square, ball_log1mexp(ball_neg(u))));
}

ball curve_log_tail(ball rho, ball t)
{
    const tail_case c = {rho, t};
    /* f' rises with u up to sinh(u/2)^2 = rho/8 and falls from there on; at
     * u = t it is negative. So f has a local minimum exactly when f' is
     * positive at that point; else it falls all the way to f(t) > 0. */
    ball turn = ball_scale2(asinh_of(ball_sqrt(ball_scale2(rho, -3))), 1);
    if (ball_less_equal(t, turn))
        return ball_of(0);
    ball most = tail_slope(turn, &c);
    if (ball_upper(most) <= 0)
        return ball_of(0);
    if (!ball_is_positive(most)) {
        /* f falls from u to t, up to t times a slope next to 0 */
        ball least = ball_sub(
            ball_neg(ball_log1mexp(ball_neg(t))), ball_mul(t, ball_abs(most)));
        return ball_is_nonnegative(least) ? ball_of(0) : ball_unknown();
    }
    /* f' > 0 on the whole ball of the turning point */
    ball u = ball_of_interval(
        bracket_root_of(tail_slope, &c, 0, ball_lower(turn)));
    return ball_min(tail_value(&c, u), ball_of(0));
}

/* ---- The thresholded bit ------------------------------------------------ */

bit_release bit_release_of(ball sigma, ball t)
{
    bit_release bit;
    bit.log_p = ball_log_normal_sf(ball_div(ball_sub_d(t, 1), sigma));
    bit.log_q = ball_log_normal_sf(ball_div(ball_add_d(t, 1), sigma));
    bit.loss = ball_sub(bit.log_p, bit.log_q);
    return bit;
}

/* log(p - q) = log p + log(1 - e^-loss) */
static ball log_difference(const bit_release *bit)
{
    return ball_add(bit->log_p, ball_log1mexp(ball_neg(bit->loss)));
}

ball bit_log_mean(const bit_release *bit)
{
    return ball_add(log_difference(bit), ball_log(bit->loss));
}

ball bit_log_moment(const bit_release *bit, ball lambda)
{
    if (ball_is_zero(lambda))
        return lambda;
    ball x = ball_mul(lambda, bit->loss);
    ball p = ball_exp(bit->log_p), q = ball_exp(bit->log_q);
    if (fabs(x.hi) < 300) {
        /* 1 + w is the moment of Z, w = p (e^x - 1) + q (e^-x - 1); with
         * y = log(1 + w) and E(x) = e^x - 1 - x,
         * y - x (p - q) = p E(x) + q E(-x) - E(y) */
        ball w = ball_add(
            ball_mul(p, ball_expm1(x)), ball_mul(q, ball_expm1(ball_neg(x))));
        ball y = ball_log1p(w);
        if (!(fabs(w.hi) < 1))
            return ball_sub(y, ball_mul(x, ball_sub(p, q)));
        ball sum = ball_add(
            ball_mul(p, excess_exp(x)), ball_mul(q, excess_exp(ball_neg(x))));
        return ball_clamp(ball_sub(sum, excess_exp(y)), 0, HUGE_VAL);
    }
    ball mean = ball_mul(lambda, ball_exp(bit_log_mean(bit)));
    ball top = x.hi > 0 ? ball_add(bit->log_p, x) : ball_sub(bit->log_q, x);
    ball small = x.hi > 0 ? ball_sub(bit->log_q, x) : ball_add(bit->log_p, x);
    /* w = e^top + e^small - p - q */
    ball rest = ball_sub(ball_exp(small), ball_add(p, q));
    ball y = top.hi > 300
                 ? ball_add(top, ball_log1p(ball_mul(ball_add_d(rest, 1),
                                     ball_exp(ball_neg(top)))))
                 : ball_log1p(ball_add(ball_exp(top), rest));
    return ball_clamp(ball_sub(y, mean), 0, HUGE_VAL);
}
