/*
 * mCDP, curves of (epsilon, delta) and the thresholded bit. Derivation:
 * docs/theory/concentrated.md, section 4.
 */
#include "mcdp.h"

#include "special/excess.h"
#include "num/bracket.h"
#include "special/special.h"

/* ---- mCDP and zCDP ------------------------------------------------------ */

cdp_line mcdp_line(ball mu, ball tau)
{
    ball rho = ball_scale2(ball_sqr(tau), -1);
    return (cdp_line){ball_sub(mu, rho), rho};
}

ball mcdp_exponent(cdp_line line)
{
    ball xi = ball_is_negative(line.xi) ? ball_of(0) : line.xi;
    return ball_add(xi, ball_scale2(line.rho, 1));
}

ball mcdp_tau(ball a)
{
    ball linear = ball_scale2(a, 3);
    return ball_sqrt(ball_max(linear, ball_scale2(ball_expm1(a), 2)));
}

ball mcdp_tau_proof(ball a)
{
    return ball_sqrt(ball_scale2(ball_expm1(a), 3));
}

ball mcdp_log_tau(ball a)
{
    return ball_add(ball_ln2(), ball_scale2(ball_logexpm1(a), -1));
}

ball mcdp_log_tau_proof(ball a)
{
    return ball_add(mcdp_log_tau(a), ball_scale2(ball_ln2(), -1));
}

/* Its slope is e^a - 2. */
static ball crossover_excess(ball a, const void *context)
{
    (void)context;
    return ball_sub(ball_expm1(a), ball_scale2(a, 1));
}

ball mcdp_tau_crossover(void)
{
    return ball_of_interval(bracket_root_of(crossover_excess, NULL, 1, 2));
}

ball mcdp_variance_ratio(ball eps)
{
    /* the losses are eps and -log(2 - e^-eps), each with probability 1/2;
     * 2 - e^-eps = 1 + (1 - e^-eps) */
    ball rest = ball_log1p(ball_neg(ball_expm1(ball_neg(eps))));
    ball half = ball_scale2(ball_add(eps, rest), -1);
    return ball_div(ball_sqr(half), eps);
}

/* ---- From a curve ------------------------------------------------------- */

ball curve_constant(void)
{
    return ball_add_d(ball_scale2(ball_sqrt(ball_pi()), 1), 1);
}

ball curve_xi(ball xi, ball rho, ball constant)
{
    ball root = ball_sqrt(ball_sqrt(rho));
    return ball_add(
        ball_sub(xi, ball_scale2(rho, -2)), ball_mul(constant, root));
}

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

ball bit_allowed(ball sigma, ball lambda)
{
    return ball_scale2(ball_sqr(ball_div(lambda, sigma)), 1);
}

/* log( sigma / (sum sqrt(2 pi)) ) - (t-1)^2 / (2 sigma^2) */
static ball bit_bound(ball sigma, ball t, ball sum)
{
    ball x = ball_div(ball_sub_d(t, 1), sigma);
    return ball_add(ball_log_normal_pdf(x), ball_log(ball_div(sigma, sum)));
}

ball bit_log_p_lower(ball sigma, ball t)
{
    return bit_bound(sigma, t, ball_sub_d(ball_add(t, sigma), 1));
}

ball bit_log_p_upper(ball sigma, ball t)
{
    return bit_bound(sigma, t, ball_sub_d(t, 1));
}

ball bit_loss_lower(ball sigma, ball t)
{
    return ball_scale2(ball_div(ball_div(t, sigma), sigma), 1);
}

/* Its slope is 3 - 18 s^2/(1 + 6 s^3) > 0 from s = 1 on. */
static ball sigma_excess(ball s, const void *context)
{
    (void)context;
    ball cube = ball_mul_d(ball_mul(ball_sqr(s), s), 6);
    ball right = ball_add(ball_add(ball_ln2(), ball_scale2(ball_log_2pi(), -1)),
        ball_log1p(cube));
    return ball_sub(ball_mul_d(s, 3), right);
}

ball bit_sigma_crossover(void)
{
    return ball_of_interval(bracket_root_of(sigma_excess, NULL, 1, 2));
}
