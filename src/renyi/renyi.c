/*
 * Rényi divergences in closed form, arranged as log(1 + a sum of terms >= 0):
 * the divergence of close laws is then a sum of small numbers and never a
 * difference of large ones. If an exponential would overflow, the largest one
 * is factored out of the logarithm. Derivation: docs/theory/sampling.md,
 * section 1.
 */
#include "renyi.h"

#include "special/excess.h"
#include "num/scaled.h"

/* Exponentials of larger numbers are factored out of the logarithm. */
#define MAX_EXPONENT 300

static bool is_order_one(ball order)
{
    return order.hi == 1 && order.lo == 0 && order.rad == 0;
}

/* Removes negative values, which a divergence has by rounding only. */
static ball nonnegative(ball x)
{
    return ball_clamp(x, 0, HUGE_VAL);
}

/* ---- Curves ------------------------------------------------------------- */

ball renyi_gaussian(ball order, ball rho)
{
    return ball_is_zero(rho) ? rho : ball_mul(order, rho);
}

ball renyi_laplace(ball order, ball eps)
{
    if (isinf(order.hi) || ball_is_zero(eps))
        return eps;
    if (is_order_one(order))
        return nonnegative(excess_exp(ball_neg(eps)));
    ball t = ball_sub_d(order, 1);
    ball u = ball_mul(t, eps), v = ball_mul(order, eps);
    ball both = ball_add(order, t); /* 2 order - 1 */
    if (u.hi > MAX_EXPONENT) {
        /* u + log(order/(2 order-1)) + log(1 + (order-1)/order e^(-u-v)) */
        ball rest = ball_exp(ball_neg(ball_add(u, v)));
        rest = ball_log1p(ball_mul(ball_div(t, order), rest));
        rest = ball_add(rest, ball_log(ball_div(order, both)));
        return nonnegative(ball_add(eps, ball_div(rest, t)));
    }
    ball sum = ball_add(
        ball_mul(order, excess_exp(u)), ball_mul(t, excess_exp(ball_neg(v))));
    return nonnegative(ball_div(ball_log1p(ball_div(sum, both)), t));
}

ball renyi_rr(ball order, ball eps, double categories)
{
    if (isinf(order.hi) || ball_is_zero(eps))
        return eps;
    ball gone = ball_exp(ball_neg(eps));
    /* e^-eps (e^eps + c - 1) */
    ball norm = ball_add_d(ball_mul_d(gone, categories - 1), 1);
    if (is_order_one(order)) { /* eps (e^eps - 1)/(e^eps + c - 1) */
        ball top = ball_neg(ball_expm1(ball_neg(eps)));
        return nonnegative(ball_mul(eps, ball_div(top, norm)));
    }
    ball t = ball_sub_d(order, 1);
    ball u = ball_mul(t, eps), v = ball_mul(order, eps);
    if (u.hi > MAX_EXPONENT) {
        /* u + log(1 + (c-2) e^-v + e^(-u-v)) - log(1 + (c-1) e^-eps) */
        ball rest = ball_mul_d(ball_exp(ball_neg(v)), categories - 2);
        rest = ball_add(rest, ball_exp(ball_neg(ball_add(u, v))));
        rest = ball_sub(ball_log1p(rest), ball_log(norm));
        return nonnegative(ball_add(eps, ball_div(rest, t)));
    }
    /* e^v + e^-u + c - 2 = (e^eps + c - 1) + e^v (1 - e^-v) (1 - e^-u) */
    ball sum = ball_mul(ball_expm1(ball_neg(v)), ball_expm1(ball_neg(u)));
    sum = ball_div(ball_mul(sum, ball_exp(u)), norm);
    return nonnegative(ball_div(ball_log1p(sum), t));
}

ball renyi_exponential(ball order, ball eps)
{
    if (isinf(order.hi) || ball_is_zero(eps))
        return eps;
    if (is_order_one(order)) {
        /* K'(0) = eps coth(eps/2) - 2 = (e - 2) + 2 e/(e^e - 1), e = eps, is
         * (e x - 2 x + e^2)/(e + x) with x = e^e - 1 - e; the numerator is
         * e^3/6 + ..., and cancellation in it loses a factor 1/e */
        ball x = excess_exp(eps);
        ball top = ball_sub(
            ball_add(ball_mul(eps, x), ball_sqr(eps)), ball_scale2(x, 1));
        if (eps.hi > 1)
            top = ball_unknown();
        if (!ball_is_unknown(top))
            return nonnegative(ball_div(top, ball_add(eps, x)));
        ball gone = ball_exp(ball_neg(eps));
        ball coth =
            ball_div(ball_add_d(gone, 1), ball_neg(ball_expm1(ball_neg(eps))));
        return nonnegative(ball_sub_d(ball_mul(eps, coth), 2));
    }
    /* sinh((a - 1/2) e) / ((2a - 1) sinh(e/2)) is a ratio of sinhc */
    ball t = ball_sub_d(order, 1);
    ball wide = ball_mul(ball_add(order, t), eps);
    ball k = ball_sub(excess_log_sinhc(wide), excess_log_sinhc(eps));
    return nonnegative(ball_div(k, t));
}

/*
 * The pair with atoms at losses l and l - e, P[l] = (1 - e^(l-e))/(1 - e^-e),
 * maximised over l in [0, e]: with c(x) = log(sinh(x/2)/(x/2)) and a = order
 *     D_a = c(a e) - c((a-1) e) + (c(a e) - c(e))/(a-1).
 */
ball renyi_bounded_range(ball order, ball eps)
{
    if (isinf(order.hi) || ball_is_zero(eps))
        return eps;
    if (is_order_one(order)) /* the limit needs c'(e) = coth(e/2)/2 - 1/e */
        return nonnegative(ball_add(excess_log_sinhc(eps),
            ball_scale2(renyi_exponential(order, eps), -1)));
    ball t = ball_sub_d(order, 1);
    ball top = excess_log_sinhc(ball_mul(order, eps));
    ball d = ball_div(ball_sub(top, excess_log_sinhc(eps)), t);
    d = ball_add(d, ball_sub(top, excess_log_sinhc(ball_mul(t, eps))));
    return nonnegative(d);
}

ball renyi_rr_mean_loss(ball eps)
{
    return ball_mul(eps, ball_tanh(ball_scale2(eps, -1)));
}

ball renyi_rr_variance_loss(ball eps)
{
    /* 1/cosh(x)^2 = 4 e^-2x/(1 + e^-2x)^2, which does not overflow */
    ball gone = ball_exp(ball_neg(eps));
    ball root = ball_div(ball_scale2(eps, 1), ball_add_d(gone, 1));
    return nonnegative(ball_mul(ball_sqr(root), gone));
}

/* ---- Rules -------------------------------------------------------------- */

ball renyi_pure_bound(ball order, ball d_pq, ball d_qp)
{
    ball sum = ball_add(d_pq, d_qp);
    if (ball_is_zero(sum))
        return sum;
    return ball_mul(ball_scale2(order, -3), ball_sqr(sum));
}

ball renyi_mixture(ball order, ball s, ball d1, ball d2)
{
    ball rest = ball_sub(ball_of(1), s); /* weight of d1 */
    if (ball_is_zero(s))
        return d1;
    if (ball_is_zero(rest))
        return d2;
    if (isinf(d1.hi) || isinf(d2.hi))
        return ball_of(HUGE_VAL);
    if (is_order_one(order))
        return ball_add(ball_mul(rest, d1), ball_mul(s, d2));
    /* the larger divergence factored out: log1p(w (e^x - 1)) with x <= 0 */
    bool first = d1.hi >= d2.hi;
    ball top = first ? d1 : d2;
    ball other = first ? d2 : d1;
    ball t = ball_sub_d(order, 1);
    ball x = ball_expm1(ball_mul(t, ball_sub(other, top)));
    x = ball_log1p(ball_mul(first ? s : rest, x));
    return nonnegative(ball_add(top, ball_div(x, t)));
}

ball renyi_group_partner(ball order, ball other)
{
    return ball_div(
        ball_mul(order, ball_sub_d(other, 1)), ball_sub(other, order));
}

ball renyi_group_factor(ball other)
{
    return ball_div(other, ball_sub_d(other, 1));
}

ball renyi_group_zcdp(ball rho1, ball rho2)
{
    return ball_sqr(ball_add(ball_sqrt(rho1), ball_sqrt(rho2)));
}

/* ---- Conversion --------------------------------------------------------- */

/* log(1 - 1/order) */
static ball log_complement(ball order)
{
    if (order.hi < 2)
        return ball_log(ball_div(ball_sub_d(order, 1), order));
    return ball_log1p(ball_neg(ball_div(ball_of(1), order)));
}

ball renyi_log_delta(ball order, ball divergence, ball eps)
{
    ball t = ball_sub_d(order, 1);
    ball x = ball_add(ball_sub(divergence, eps), log_complement(order));
    return ball_sub(ball_mul(t, x), ball_log(order));
}

ball renyi_epsilon(ball order, ball divergence, ball log_delta)
{
    if (isinf(order.hi))
        return divergence;
    ball x = ball_add(log_delta, ball_log(order));
    x = ball_div(x, ball_sub_d(order, 1));
    return ball_sub(ball_add(divergence, log_complement(order)), x);
}

ball renyi_log_delta_simple(ball order, ball divergence, ball eps)
{
    return ball_mul(ball_sub_d(order, 1), ball_sub(divergence, eps));
}

ball renyi_epsilon_simple(ball order, ball divergence, ball log_delta)
{
    if (isinf(order.hi))
        return divergence;
    return ball_sub(divergence, ball_div(log_delta, ball_sub_d(order, 1)));
}
